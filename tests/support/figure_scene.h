// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMouseEvent>
#include <QTemporaryDir>
#include <QtTest>
#include <concepts>
#include <memory>
#include <vector>

#include "engine/config/option_table.h"
#include "tests/support/measured_run.h"
#include "ui/plots/plot_view.h"
#include "ui/state/curve_options.h"
#include "ui/state/history_store.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_set.h"

namespace palimpsest::testing {

/// Figures on the screen with what those of a window share, without that window.
struct FigureScene {
    FigureScene() {
        QObject::connect(&bridge, &RunBridge::started, &store, &RunSet::onStarted);
        QObject::connect(&bridge, &RunBridge::evaluated, &store, &RunSet::onEvaluated);
        QObject::connect(&bridge, &RunBridge::sessionEnded, &store, &RunSet::onSessionEnded);
        QObject::connect(&bridge, &RunBridge::ended, &store, &RunSet::onEnded);
        histories.listenTo(&bridge);
    }

    /// Shows a figure, which the scene owns from then on.
    template <class Figure>
    Figure* show(Figure* figure) {
        figures.emplace_back(figure);
        if constexpr (std::derived_from<Figure, PlotView>) figure->share(&cursor, &options);
        figure->resize(700, 400);
        figure->show();
        if (!QTest::qWaitForWindowExposed(figure)) qFatal("The figure does not appear.");
        return figure;
    }

    /// Emits the news of a measured run in this program.
    void live(bool everything = true) {
        bridge.setCurrentRun(1);
        struct Emit {
            RunBridge& bridge;
            void operator()(const RunStarted& event) const { Q_EMIT bridge.started(event); }
            void operator()(const UpdateDone& event) const { Q_EMIT bridge.updatesDone({event}); }
            void operator()(const MemoryHeld& event) const { Q_EMIT bridge.memoryHeld(event); }
            void operator()(const Evaluated& event) const { Q_EMIT bridge.evaluated(event); }
        };
        tellMeasuredRun(1, "", everything, Emit{bridge});
        for (std::int64_t session = 0; session < kSessions; ++session)
            Q_EMIT bridge.sessionEnded(madeUpSessionEnd(1, session));
    }

    /// Reads the same run from its folder, as the selected run.
    QString record(bool everything = true) {
        const MeasuredRun run = measureRun(folder.path().toStdString(), everything);
        store.addRecord(readRun(OptionTable(testCatalogue()), run.folder));
        const QString id = RunSet::idOf(run.folder.string(), 0);
        store.select(id);
        recorded.append(id);
        histories.want(recorded);
        return id;
    }

    void setBand(CurveOptions::Band band) {
        change([&](CurveOptions::Values& values) { values.band = band; });
    }
    void setSmoothing(int points) {
        change([&](CurveOptions::Values& values) { values.smoothing = points; });
    }
    void setBySession(bool on) {
        change([&](CurveOptions::Values& values) { values.by_session = on; });
    }

    QTemporaryDir folder;
    RunSet store;
    RunBridge bridge;
    HistoryStore histories{&store};
    CurveCursor cursor;
    CurveOptions options;
    QStringList recorded;
    std::vector<std::unique_ptr<QWidget>> figures;

private:
    void change(const auto& how) {
        CurveOptions::Values values = options.values();
        how(values);
        options.set(values);
    }
};

inline void moveOver(QWidget* widget, QPointF point) {
    QMouseEvent move(QEvent::MouseMove, point, widget->mapToGlobal(point), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &move);
}

}  // namespace palimpsest::testing
