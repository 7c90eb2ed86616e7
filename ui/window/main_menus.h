// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenuBar>
#include <initializer_list>

#include "ui/commands/command.h"
#include "ui/style/theme.h"

namespace palimpsest {

class ActionBook;
class RunController;

/// Takes over what is typed in a field, which it does by itself when it loses the keyboard.
void takeOverTyped();

/// All commands of the window with their shortcuts, enabled when they make sense. Whoever answers a command connects to
/// its action; the keys are the book's, where the user may change them.
class MainMenus : public QMenuBar {
    Q_OBJECT
public:
    explicit MainMenus(RunController* controller, QWidget* parent = nullptr);

    ActionBook* book() const { return book_; }
    QAction* action(Command command) const;
    /// Before what stands in the Window menu.
    void addPanels(const QList<QAction*>& shown);
    /// Marks what the View menu shows as chosen.
    void setAppearance(Appearance appearance);
    void setTextSize(TextSize size);
    void setFullScreen(bool on);
    void setSidePanels(bool shown);
    /// Another menu at the head of View.
    void addToView(QMenu* menu);
    /// The commands and their keys as a Markdown table, made from the menus themselves.
    QString keyboardPage() const;

Q_SIGNALS:
    void appearanceChosen(palimpsest::Appearance appearance);
    void textSizeChosen(palimpsest::TextSize size);

private:
    void addEdit();
    void addRun();
    void addView();
    QAction* add(QMenu* menu, Command command);
    void addAll(QMenu* menu, std::initializer_list<Command> commands);
    void addTextSizes(QMenu* menu);
    void addAppearances(QMenu* menu);
    /// All actions of a menu made elsewhere, and of those in it.
    void addToBook(QMenu* menu);
    void refresh();

    RunController* controller_;
    ActionBook* book_;
    QMenu* window_ = nullptr;
    QMenu* views_ = nullptr;
    QList<QAction*> appearances_;
    QList<QAction*> text_sizes_;
    QString stop_text_;  ///< of Stop while it stops
};

}  // namespace palimpsest
