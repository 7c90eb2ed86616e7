// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/lesson_run.h"

#include <algorithm>

#include "engine/metrics/metrics.h"
#include "engine/record/guess.h"

namespace palimpsest {

LessonRun lessonRun(const Experiment& experiment, std::span<const AnytimePoint> anytime,
                    std::span<const RetentionPoint> retention) {
    LessonRun run;
    run.experiment = experiment;
    std::vector<double> accuracies;
    accuracies.reserve(anytime.size());
    for (const AnytimePoint& point : anytime) accuracies.push_back(point.accuracy);
    if (!anytime.empty()) {
        run.samples = anytime.back().samples_seen;
        run.accuracy = anytime.back().accuracy;
    }
    run.a_auc = areaUnderCurve(accuracies);

    std::int64_t last = -1;
    // A folder may say anything of sessions.
    constexpr std::int64_t kMostSessions = 1000;
    for (const RetentionPoint& point : retention)
        if (point.after_session >= 0 && point.after_session < kMostSessions) last = std::max(last, point.after_session);
    run.sessions = last + 1;
    const auto count = static_cast<std::size_t>(run.sessions);
    RMatrix r(count, std::vector<std::optional<double>>(count));
    run.retention.resize(count);
    for (const RetentionPoint& point : retention) {
        if (point.samples <= 0 || point.session < 0 || point.session > last || point.after_session < 0 ||
            point.after_session > last)
            continue;
        r[static_cast<std::size_t>(point.after_session)][static_cast<std::size_t>(point.session)] = point.accuracy;
        LessonSession& session = run.retention[static_cast<std::size_t>(point.session)];
        session.best = std::max(session.best.value_or(0), point.accuracy);
        if (point.after_session == last) session.now = point.accuracy;
    }
    if (count > 0) {
        run.a_last = lastAccuracy(r);
        run.forgetting = lastForgetting(r);
    }
    return run;
}

LessonRun lessonRun(const OptionTable& table, const std::filesystem::path& folder) {
    const RunRecord record = readRun(table, folder);
    LessonRun run = lessonRun(record.experiment, record.anytime, record.retention);
    run.finished = record.state == RecordedState::Finished;
    run.guessed = !readGuess(folder).empty();
    return run;
}

}  // namespace palimpsest
