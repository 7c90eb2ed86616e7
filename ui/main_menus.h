// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenuBar>

#include "ui/theme.h"

namespace palimpsest {

class RunController;

/// Every command of the window with its shortcut, enabled when it makes sense.
class MainMenus : public QMenuBar {
    Q_OBJECT
public:
    explicit MainMenus(RunController* controller, QWidget* parent = nullptr);

    /// Marks what the View menu shows as chosen.
    void setAppearance(Appearance appearance);
    void setTextSize(TextSize size);
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
    void experimentShown(bool shown);
    void nowShown(bool shown);
    void runsShown(bool shown);
    void guideAsked();
    void keyboardAsked();
    void aboutAsked();

private:
    QAction* add(QMenu* menu, const QString& name, const QString& text, const QKeySequence& key);
    void addPanels(QMenu* menu);
    void addTextSizes(QMenu* menu);
    void refresh();

    RunController* controller_;
    QMenu* views_;
    QAction* start_;
    QAction* pause_;
    QAction* step_;
    QAction* stop_;
    QList<QAction*> appearances_;
    QList<QAction*> text_sizes_;
};

}  // namespace palimpsest
