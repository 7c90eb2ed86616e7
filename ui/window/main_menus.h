// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenuBar>

#include "ui/style/theme.h"

namespace palimpsest {

class ActionBook;
class RunController;

/// Every command of the window with its shortcut, enabled when it makes sense. The keys are the book's, where a person
/// may change them.
class MainMenus : public QMenuBar {
    Q_OBJECT
public:
    explicit MainMenus(RunController* controller, QWidget* parent = nullptr);

    ActionBook* book() const { return book_; }
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
    void openExperimentAsked();
    void openRunAsked();
    void openImagesAsked();
    void importAsked();
    void datasetsAsked();
    void backboneAsked();
    void adaptationAsked();
    void saveAsked();
    void exportAsked();
    void exportTableAsked();
    void exportStreamAsked();
    void compareStreamsAsked();
    void memoryAsked();
    void quitAsked();
    void appearanceChosen(palimpsest::Appearance appearance);
    void textSizeChosen(palimpsest::TextSize size);
    void fullScreenAsked(bool on);
    void sidePanelsAsked(bool shown);
    void layoutResetAsked();
    void paletteAsked();
    void shortcutsAsked();
    void welcomeAsked();
    void guideAsked();
    void keyboardAsked();
    void aboutAsked();

private:
    QAction* add(QMenu* menu, const QString& name, const QString& text, const QKeySequence& key);
    void addTextSizes(QMenu* menu);
    /// Of a run that goes on, and of runs that have a past. Their desks answer and enable them.
    void addControl(QMenu* menu);
    /// How much of the screen and of the window the curves get.
    void addWholeWindow(QMenu* menu);
    /// All actions of a menu made elsewhere, and of those in it.
    void addToBook(QMenu* menu);
    void refresh();

    RunController* controller_;
    ActionBook* book_;
    QMenu* window_;
    QMenu* views_;
    QAction* start_;
    QAction* pause_;
    QAction* step_;
    QAction* stop_;
    QAction* full_screen_;
    QAction* side_panels_;
    QList<QAction*> appearances_;
    QList<QAction*> text_sizes_;
};

}  // namespace palimpsest
