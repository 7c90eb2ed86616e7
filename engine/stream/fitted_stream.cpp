// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/fitted_stream.h"

#include <algorithm>
#include <set>

#include "engine/config/choices.h"
#include "engine/stream/experiment_stream.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kLeastBatches = 2;  // of images, in a session
constexpr std::int64_t kLeastPoints = 10;  // of the anytime curve
constexpr std::int64_t kSeeds = 50;        // that are tried

/// Disjoint classes as the sampler counts them: a multiple of the sessions (MISA, utils/onlinesampler.py).
std::int64_t disjointClasses(std::int64_t classes, std::int64_t percent, std::int64_t sessions) {
    return classes * percent / 100 / sessions * sessions;
}

/// The share of disjoint classes nearest to the one that was asked for, such that there are some.
std::int64_t fittingShare(std::int64_t classes, std::int64_t percent, std::int64_t sessions, bool someBlurry) {
    if (percent == 0 || percent > 100 || disjointClasses(classes, percent, sessions) > 0) return percent;
    // Less than one for each session was asked for.
    const std::int64_t most = someBlurry ? classes - 1 : classes;
    return sessions > most ? 0 : (100 * sessions + classes - 1) / classes;
}

/// A session is empty, or no class is at home in it.
bool leavesOneIdle(const StreamPlan& plan) {
    for (std::size_t session = 0; session < plan.sessions.size(); ++session) {
        const auto hasClass = [&](const std::vector<std::vector<std::int64_t>>& sets) {
            return session < sets.size() && !sets[session].empty();
        };
        if (plan.sessions[session].empty()) return true;
        if (!hasClass(plan.disjoint_classes) && !hasClass(plan.blurry_classes)) return true;
    }
    return false;
}

}  // namespace

Experiment fittedToImages(Experiment experiment, std::span<const std::int32_t> labels, std::int64_t classCount) {
    StreamOptions& stream = experiment.stream;
    const auto images = static_cast<std::int64_t>(labels.size());
    if (images == 0 || stream.isImported() || !stream.edits.empty()) return experiment;
    const auto classes = static_cast<std::int64_t>(std::set<std::int32_t>(labels.begin(), labels.end()).size());
    if (stream.train_limit > images) stream.train_limit = 0;
    std::int64_t& every = experiment.evaluation.every_samples;
    if (every > 0) every = std::min(every, std::max<std::int64_t>(1, images / kLeastPoints));

    const std::int64_t asked = stream.disjoint_percent;
    const bool someBlurry = asked < 100 && classes > 1;
    const std::int64_t byImages = images / (kLeastBatches * std::max<std::int64_t>(1, experiment.training.batch_size));
    const std::int64_t byClasses = asked > 0 && someBlurry ? classes - 1 : classes;
    stream.sessions = std::clamp<std::int64_t>(std::min(byImages, byClasses), 1, stream.sessions);
    stream.disjoint_percent = fittingShare(classes, asked, stream.sessions, someBlurry);
    // The others have their borders by rule, and say themselves what they cannot do.
    if (kPartitions.find(stream.partition) != Partition::Stochastic) return experiment;
    const Experiment asDrawn = experiment;
    for (; stream.sessions > 1; --stream.sessions) {
        stream.disjoint_percent = fittingShare(classes, asked, stream.sessions, someBlurry);
        for (experiment.seed = asDrawn.seed; experiment.seed < asDrawn.seed + kSeeds; ++experiment.seed)
            if (!leavesOneIdle(planExperimentStream(experiment, labels, classCount))) return experiment;
    }
    return asDrawn;
}

bool takeSizes(Experiment& experiment, const Experiment& fitted) {
    bool changed = false;
    const auto take = [&](std::int64_t& size, std::int64_t value) {
        changed = changed || size != value;
        size = value;
    };
    take(experiment.stream.sessions, fitted.stream.sessions);
    take(experiment.stream.disjoint_percent, fitted.stream.disjoint_percent);
    take(experiment.stream.train_limit, fitted.stream.train_limit);
    take(experiment.evaluation.every_samples, fitted.evaluation.every_samples);
    take(experiment.seed, fitted.seed);
    return changed;
}

}  // namespace palimpsest
