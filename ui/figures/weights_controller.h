// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

#include "ui/state/background.h"
#include "ui/state/throttle.h"

namespace palimpsest {

class CurveCursor;
class RunController;
class RunSet;
class WeightsDialog;
struct ShownRun;

/// Looks at the weights of the selected run: at its newest checkpoint, or at the moment that was chosen in the figures.
/// The checkpoint is read away from the window's thread, and only while somebody looks; the run itself is asked
/// nothing. A subclass says what is looked at.
class WeightsController : public QObject {
    Q_OBJECT
public:
    ~WeightsController() override;

public Q_SLOTS:
    void showDialog();

protected:
    /// `can_look`: this program can read weights.
    WeightsController(bool can_look, RunController* controller, RunSet* store, CurveCursor* cursor, QWidget* window);

    /// A moment of a run that is looked at.
    struct Wanted {
        QString run;
        std::optional<std::int64_t> at;  ///< images seen; absent: the newest checkpoint
        /// What makes the newest another one: pauses of a run that learns here, images that another one has learned.
        std::int64_t newest = 0;
        bool learns = false;
        std::int64_t image = 0;  ///< of the test set, where one is looked at
        bool operator==(const Wanted&) const = default;
    };
    /// The dialog, before it is shown for the first time; a child of window().
    virtual WeightsDialog* makeDialog() = 0;
    /// Why there is nothing to look at; empty: there is.
    virtual QString hindrance(const ShownRun* run) const;
    /// Test image that is looked at.
    virtual std::int64_t image() const { return 0; }
    /// Calls begin() with work that ends early once `stop` is requested.
    virtual void look(const ShownRun& run, const Wanted& wanted, const std::stop_token& stop) = 0;
    /// Something is shown, or on its way.
    virtual void settled(const Wanted&) {}

    /// `done` gets the result of `work`; a failure is shown as a sentence.
    template <class Work, class Done>
    void begin(Work work, Done done) {
        looking_.runNewest(std::move(work), std::move(done), [this](const Failure& failure) { tell(failure); });
    }
    /// Something that is looked at may be another one now.
    void ask() { throttle_.ask(); }
    RunController* controller() const { return controller_; }
    RunSet* store() const { return store_; }
    CurveCursor* cursor() const { return cursor_; }
    QWidget* window() const { return window_; }

private:
    void refresh();
    void giveUp();
    void showNothing(const QString& sentence);
    void tell(const Failure& failure);

    const bool can_look_;
    RunController* controller_;
    RunSet* store_;
    CurveCursor* cursor_;
    QWidget* window_;
    WeightsDialog* shown_ = nullptr;  ///< null until it was shown for the first time
    std::optional<Wanted> wanted_;    ///< shown, or on its way
    std::int64_t pauses_ = 0;         ///< of runs here; each has a checkpoint of its own
    Throttle throttle_;
    std::stop_source stop_;  ///< of the look that is on its way
    Background looking_;
};

}  // namespace palimpsest
