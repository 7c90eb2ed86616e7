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
    Course& course = courses_[lane];
    course.sessions = event.experiment.stream.sessions;
    // The settings of an imported run say nothing.
    if (event.replayed && !event.replayed->session_starts.empty())
        course.sessions = std::ssize(event.replayed->session_starts);
    course.progress = {};
    course.progress.total_samples = event.total_samples;
    course.progress.seconds_left = -1;
}

void RunProgress::end(std::size_t lane, const RunEnded& event, bool replayed, bool paired) {
    Course& course = courses_[lane];
    const bool begun = std::exchange(course.sessions, 0) > 0;
    if (replayed) {
        course.outcome = event.how == RunEnd::Finished ? tr("The replay is over.")
                         : event.how == RunEnd::Failed ? tr("The run cannot be played back.")
                                                       : tr("The replay was ended.");
        return;
    }
    switch (event.how) {
        case RunEnd::Finished:
            course.outcome = tr("Finished in %1.").arg(durationText(event.summary.seconds));
            break;
        case RunEnd::Stopped:
            course.outcome = !begun                 ? tr("Stopped before anything was learned.")
                             : event.folder.empty() ? tr("Stopped.")
                                                    : tr("Stopped. What was learned is kept.");
            break;
        case RunEnd::Aborted:
            course.outcome = tr("Aborted.");
            break;
        case RunEnd::Failed:
            course.outcome = begun ? tr("The run failed.") : tr("The run could not start.");
            break;
    }
    // The line over the figures says it for two lanes.
    if (event.summary.a_auc && !paired) course.outcome += tr("  A_AUC %1 %").arg(percentText(*event.summary.a_auc));
}

const RunProgress::Course* RunProgress::current() const {
    const auto begun =
        std::find_if(courses_.begin(), courses_.end(), [](const Course& course) { return course.sessions > 0; });
    return begun == courses_.end() ? nullptr : &*begun;
}

Progress RunProgress::pace() const {
    Progress all;
    double seconds = 0;  // for an image of each
    for (const Course& course : courses_) {
        if (course.sessions == 0) continue;
        const Progress& progress = course.progress;
        if (progress.images_per_second > 0) seconds += 1 / progress.images_per_second;
        all.seconds_left =
            progress.seconds_left < 0 || all.seconds_left < 0 ? -1 : all.seconds_left + progress.seconds_left;
    }
    if (seconds > 0) all.images_per_second = 1 / seconds;
    return all;
}

QString RunProgress::outcome(bool paired) const {
    if (!paired) return courses_[0].outcome;
    QStringList outcomes;
    for (std::size_t i = 0; i < courses_.size(); ++i)
        if (!courses_[i].outcome.isEmpty())
            outcomes.append(QStringLiteral("%1: %2").arg(RunController::laneName(i), courses_[i].outcome));
    return outcomes.join(QStringLiteral("  "));
}

}  // namespace palimpsest
