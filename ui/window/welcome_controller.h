// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QStackedWidget;

namespace palimpsest {

class CurvesView;
class DatasetController;
class ExperimentPanel;
class OpenController;
class WelcomePage;
class Workspace;
struct WindowState;

/// The centre of the window: the figures, or before there is something to show the ways in.
class WelcomeController : public QObject {
    Q_OBJECT
public:
    WelcomeController(WindowState& state, CurvesView* curves, ExperimentPanel* experiment, DatasetController* datasets,
                      OpenController* opening);

    QStackedWidget* centre() const { return centre_; }
    WelcomePage* page() const { return page_; }
    /// Offers what was opened before, and welcomes a user who has nothing to look at.
    void follow(const Workspace* workspace);

    void showWelcome();
    void showFigures();

private:
    WindowState& state_;
    CurvesView* curves_;
    QStackedWidget* centre_;
    WelcomePage* page_;
};

}  // namespace palimpsest
