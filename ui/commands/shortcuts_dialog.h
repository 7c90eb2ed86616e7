// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QKeySequence>

class QAction;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace palimpsest {

class ActionBook;
class KeyCapture;

/// All commands with their keys; the user presses others to change them. Keys that another command has change hands
/// only after the user has read whose they are.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(ActionBook* book, QWidget* parent = nullptr);

    void choose(const QAction* action);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeEditor();
    void fill();
    void filter(const QString& query);
    void refresh();
    void refreshEditor();
    QAction* current() const;
    void assign(const QKeySequence& keys);
    void reassign();
    void showNote(const QString& sentence, bool conflict = false);

    ActionBook* book_;
    QLineEdit* search_;
    QTreeWidget* list_;
    QLabel* title_;
    KeyCapture* keys_;
    QPushButton* none_;
    QPushButton* reset_;
    QPushButton* all_;
    QPushButton* over_;
    QLabel* note_;
    QKeySequence wanted_;  ///< what another command has
};

}  // namespace palimpsest
