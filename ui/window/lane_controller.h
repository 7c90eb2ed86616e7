// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QObject>
#include <QStringList>
#include <array>
#include <optional>

#include "ui/state/throttle.h"

class QAction;
class QLabel;

namespace palimpsest {

class FittingLabel;
class LaneDraft;
class LaneForms;
class MessageBar;
class NowPair;
class OptionForm;
struct RunEnded;
struct RunStarted;
struct ShownRun;
struct WindowState;

/// One line over the figures while two lanes are compared: what each is called and its A_AUC, how far the selected one
/// is from the other, as above the curve, and in what the two differ.
class LaneStrip : public QFrame {
    Q_OBJECT
public:
    struct Lane {
        QString label;               ///< "Batch mask"
        std::optional<double> area;  ///< A_AUC, up to where both have come
        QString state;               ///< "failed"; empty: nothing that has to be said
        int look = 0;                ///< of its run (ShownRun)
        bool selected = false;       ///< so is its run
    };
    explicit LaneStrip(QWidget* parent = nullptr);

    /// `difference`: in what they differ; `soFar`: more is to come.
    void setLanes(const std::array<Lane, 2>& lanes, const QStringList& difference, bool soFar);
    /// The text in one line.
    QString text() const;

Q_SIGNALS:
    void endAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Part {
        QLabel* icon;
        FittingLabel* label;
        QLabel* area;
    };
    void refresh();

    std::array<Part, 2> parts_{};
    QLabel* gap_ = nullptr;
    FittingLabel* difference_;
    std::array<Lane, 2> lanes_;
    bool so_far_ = false;
};

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
    void tagRun(const QString& run, std::size_t lane);
    void refresh();
    const ShownRun* runOf(std::size_t lane) const;

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
    Throttle throttle_;
};

}  // namespace palimpsest
