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

class CurveCursor;
class MaskLensDialog;
class RunController;
class RunSet;
struct ShownRun;

/// The window's mask lens: the selected run where it stands still, or at the moment that was chosen in the figures. It
/// reads the checkpoint there away from the window's thread, and only while somebody looks; the run itself is asked
/// nothing.
class MaskLensController : public QObject {
    Q_OBJECT
public:
    using Look = decltype(Laboratory::mask_lens);
    /// Without `look` nothing can be seen.
    MaskLensController(Look look, RunController* controller, RunSet* store, CurveCursor* cursor, QWidget* window);
    ~MaskLensController() override;

    /// Null until it was shown for the first time.
    MaskLensDialog* dialog() const { return dialog_; }

public Q_SLOTS:
    void showDialog();

private:
    /// A moment of a run that is looked at.
    struct Wanted {
        QString run;
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
    MaskLensDialog* dialog_ = nullptr;
    std::optional<Wanted> wanted_;  ///< shown, or on its way
    std::int64_t pauses_ = 0;       ///< of runs here; each has a checkpoint of its own
    Throttle throttle_;
    std::stop_source stop_;  ///< of the look that is on its way
    Background looking_;
};

}  // namespace palimpsest
