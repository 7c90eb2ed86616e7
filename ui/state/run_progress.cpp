// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_progress.h"

#include <QStringList>
#include <algorithm>
#include <utility>

#include "engine/record/run_folder.h"
#include "ui/state/number_text.h"
#include "ui/style/text_style.h"

namespace palimpsest {

void RunProgress::begin(std::size_t lane, const RunStarted& event) {
    Lane& entry = lanes_[lane];
    entry.sessions = event.experiment.stream.sessions;
    // The settings of an imported run say nothing.
    if (event.replayed && !event.replayed->session_starts.empty())
        entry.sessions = std::ssize(event.replayed->session_starts);
    entry.progress = {};
    entry.progress.total_samples = event.total_samples;
    entry.progress.seconds_left = -1;
}

void RunProgress::end(std::size_t lane, const RunEnded& event, bool replayed, bool paired) {
    Lane& entry = lanes_[lane];
    const bool begun = std::exchange(entry.sessions, 0) > 0;
    entry.failed = event.how == RunEnd::Failed;
    if (replayed) {
        entry.outcome = event.how == RunEnd::Finished ? tr("The replay is over.")
                        : event.how == RunEnd::Failed ? tr("The run cannot be played back.")
                                                      : tr("The replay was ended.");
        return;
    }
    switch (event.how) {
        case RunEnd::Finished:
            entry.outcome = tr("Finished in %1.").arg(durationText(event.summary.seconds));
            break;
        case RunEnd::Stopped:
            entry.outcome = !begun                 ? tr("Stopped before anything was learned.")
                            : event.folder.empty() ? tr("Stopped.")
                                                   : tr("Stopped. What was learned is kept.");
            break;
        case RunEnd::Aborted:
            entry.outcome = tr("Aborted.");
            break;
        case RunEnd::Failed:
            entry.outcome = begun           ? tr("The run failed.")
                            : event.refused ? tr("Not started: you did not allow the program.")
                                            : tr("The run could not start.");
            break;
    }
    // The line over the figures says it for two lanes.
    if (event.summary.a_auc && !paired) entry.outcome += tr("  A_AUC %1 %").arg(percentText(*event.summary.a_auc));
}

void RunProgress::clearFailures() {
    for (Lane& entry : lanes_)
        if (entry.failed) entry = {};
}

const RunProgress::Lane* RunProgress::current() const {
    const auto begun = std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& entry) { return entry.sessions > 0; });
    return begun == lanes_.end() ? nullptr : &*begun;
}

Progress RunProgress::pace() const {
    Progress all;
    double seconds = 0;  // for an image of each
    for (const Lane& entry : lanes_) {
        if (entry.sessions == 0) continue;
        const Progress& progress = entry.progress;
        if (progress.images_per_second > 0) seconds += 1 / progress.images_per_second;
        all.seconds_left =
            progress.seconds_left < 0 || all.seconds_left < 0 ? -1 : all.seconds_left + progress.seconds_left;
    }
    if (seconds > 0) all.images_per_second = 1 / seconds;
    return all;
}

QString RunProgress::outcome(bool paired) const {
    if (!paired) return lanes_[0].outcome;
    QStringList outcomes;
    for (std::size_t i = 0; i < lanes_.size(); ++i)
        if (!lanes_[i].outcome.isEmpty())
            outcomes.append(QStringLiteral("%1: %2").arg(RunController::laneName(i), lanes_[i].outcome));
    return outcomes.join(QStringLiteral("  "));
}

}  // namespace palimpsest
