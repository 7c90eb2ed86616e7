// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <array>

#include "ui/state/throttle.h"
#include "ui/window/lane_strip.h"

class QAction;

namespace palimpsest {

class LaneDraft;
class LaneForms;
class MessageBar;
class NowPair;
class OptionForm;
struct RunEnded;
struct RunStarted;
struct ShownRun;
struct WindowState;

/// Two experiments on the same stream side by side: lets the user make the second one, starts it with the first, and
/// shows both.
class LaneController : public QObject {
    Q_OBJECT
public:
    /// `form`: of the experiment. `compare`: turns the comparison on and off.
    LaneController(WindowState& state, OptionForm* form, NowPair* now, MessageBar* messages, QAction* compare);

    LaneForms* forms() { return forms_; }
    /// For the window, over the figures.
    LaneStrip* strip() { return strip_; }

private:
    void onStarted(std::size_t lane, const RunStarted& event);
    void onEnded(std::size_t lane, const RunEnded& event);
    /// Nothing is measured by lanes that learn different streams.
    void requireOneStream();
    /// Other runs that were not chosen leave the figures to the two.
    void clearFigures();
    void file(const QString& run, std::size_t lane);
    void refresh();
    const ShownRun* curvesOf(std::size_t lane) const;

    struct Lane {
        QString run;  ///< of the pair that was started last; empty: not yet
        std::string fingerprint;
        QString state;  ///< "failed", "stopped"
    };

    WindowState& state_;
    LaneDraft& draft_;
    NowPair* now_;
    MessageBar* messages_;
    QAction* compare_;
    LaneForms* forms_;
    LaneStrip* strip_;
    std::array<Lane, 2> lanes_;
    QString tag_;  ///< of the two runs, in the library
    Throttle pacer_;
};

}  // namespace palimpsest
