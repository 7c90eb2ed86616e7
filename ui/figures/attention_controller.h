// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>

#include "engine/run/laboratory.h"
#include "ui/state/background.h"
#include "ui/state/throttle.h"

namespace palimpsest {

class AttentionDialog;
class CurveCursor;
class RunController;
class RunSet;
struct ShownRun;

/// The window's view of attention: one test image, seen by the selected run at its newest checkpoint, or at the moment
/// that was chosen in the figures. The checkpoint is read away from the window's thread, and only while somebody looks.
class AttentionController : public QObject {
    Q_OBJECT
public:
    using Look = decltype(Laboratory::attention);
    /// Without `look` nothing can be seen.
    AttentionController(Look look, RunController* controller, RunSet* store, CurveCursor* cursor, QWidget* window);
    ~AttentionController() override;

    /// Null until it was shown for the first time.
    AttentionDialog* dialog() const { return dialog_; }

public Q_SLOTS:
    void showDialog();
    /// The same for this image, a place in the test set.
    void showImage(std::int64_t image);

private:
    /// An image at a moment of a run.
    struct Wanted {
        QString run;
        std::int64_t image = 0;
        std::optional<std::int64_t> at;  ///< images seen; absent: the newest checkpoint
        /// What makes the newest another one: pauses of a run that learns here, images that another one has learned.
        std::int64_t newest = 0;
        bool learns = false;
        bool operator==(const Wanted&) const = default;
    };
    void refresh();
    /// Why there is nothing to look at; empty: there is.
    QString hindrance(const ShownRun* run) const;
    void showNothing(const QString& sentence);
    void look(const ShownRun& run, const Wanted& wanted);
    void giveUp();

    const Look look_;
    RunController* controller_;
    RunSet* store_;
    CurveCursor* cursor_;
    QWidget* window_;
    AttentionDialog* dialog_ = nullptr;
    std::optional<Wanted> wanted_;  ///< shown, or on its way
    std::int64_t pauses_ = 0;       ///< of runs here; each has a checkpoint of its own
    Throttle throttle_;
    std::stop_source stop_;  ///< of the look that is on its way
    Background looking_;
};

}  // namespace palimpsest
