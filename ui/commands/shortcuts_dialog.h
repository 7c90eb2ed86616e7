// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QKeySequence>
#include <QPushButton>

class QAction;
class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace palimpsest {

class ActionBook;

/// A button that, once pressed, captures the next keys. Escape captures none.
class KeyCapture : public QPushButton {
    Q_OBJECT
public:
    explicit KeyCapture(QWidget* parent = nullptr);

    bool listening() const { return listening_; }
    void listen();
    /// Text of the button while it does not listen.
    void setIdleText(const QString& text);

Q_SIGNALS:
    void captured(const QKeySequence& keys);
    /// No command may have these keys alone: they move the focus or press what has it.
    void reserved(const QString& keys);

protected:
    bool event(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void stop();
    void press(int key, Qt::KeyboardModifiers modifiers);

    QString idle_text_;
    bool listening_ = false;
};

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
    QKeySequence wanted_;  ///< keys that another command has
};

}  // namespace palimpsest
