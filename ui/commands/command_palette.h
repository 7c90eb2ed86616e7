// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>

#include "ui/commands/palette_model.h"

class QLabel;
class QLineEdit;
class QListView;

namespace palimpsest {

class PaletteModel;

/// Find or do anything: type a few letters, choose with Up and Down, Return does it, Escape goes back to where the
/// focus was. Stands over the window and blocks nothing.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    /// `commands` is called each time the palette opens.
    CommandPalette(std::function<QList<PaletteCommand>()> commands, QWidget* window);

    void open();
    PaletteModel* model() const { return model_; }

Q_SIGNALS:
    /// The user chose a command that cannot be done at the moment.
    void refused(const QString& title, const QString& reason);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void search(const QString& query);
    void move(int rows);
    void choose();
    /// `back`: the focus returns to where it was.
    void leave(bool back);

    const std::function<QList<PaletteCommand>()> commands_;
    QWidget* window_;
    QLineEdit* line_;
    QListView* list_;
    QLabel* nothing_;
    PaletteModel* model_;
    QPointer<QWidget> before_;  ///< had the focus
};

}  // namespace palimpsest
