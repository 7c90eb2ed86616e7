// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "ui/state/curve_options.h"
#include "ui/state/learned_batch.h"
#include "ui/state/throttle.h"

namespace palimpsest {

class DatasetService;
class NowPair;
class NowPanel;
class RunBridge;
struct FigureState;

/// While a moment is chosen, Now shows it: of the selected run, or of two lanes that of each. Everything comes
/// from records, so that runs of another machine can be shown as well.
class MomentController : public QObject {
    Q_OBJECT
public:
    /// Source of the images of a batch.
    struct Images {
        StreamPlanner::Labels labels;
        std::shared_ptr<const DatasetService> datasets;
    };
    /// Controls one panel of the pair, which owns it. `bridge`: of the panel's lane, for runs that are played back; may
    /// be null.
    MomentController(FigureState& figures, const Images& images, const RunBridge* bridge, NowPair* pair,
                     std::size_t lane);
    /// Shows at once what is waiting for the next turn.
    void showNow();

private:
    /// Moment that the user chose, or else the one that a replay has reached.
    CurveCursor::Moment moment() const;
    /// Null: nothing is chosen, or nothing of this panel.
    const ShownRun* shownRun() const;
    /// Name of the run that the panel shows while another one is selected; else empty.
    QString otherRunName() const;
    void refresh();
    void setBatch(const QString& run, qint64 moment, const BatchReader::Batch& batch, const QString& why);

    FigureState& figures_;
    NowPair* pair_;
    NowPanel* panel_;
    const std::size_t lane_;
    BatchReader* reader_;
    struct Asked {
        QString run;
        int generation = 0;
        std::int64_t moment = 0;
        bool pinned = false;  ///< a moment that the user chose, not one of a replay
        bool operator==(const Asked&) const = default;
    };
    std::optional<Asked> asked_;
    bool answered_ = false;
    BatchReader::Batch batch_;  ///< of what was asked; while a run is played, of what was read before
    std::int64_t batch_moment_ = 0;
    QString why_;
    CurveCursor::Moment played_;  ///< images seen by the run that is played back
    Throttle throttle_;
};

}  // namespace palimpsest
