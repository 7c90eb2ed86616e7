// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/stream_plan.h"

#include <algorithm>
#include <numeric>

#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {

namespace {

using List = std::vector<std::int64_t>;
using Lists = std::vector<List>;

constexpr std::int64_t kMostStreamClasses = 10'000'000;
constexpr std::int64_t kMostSessions = 100'000;
constexpr std::int64_t kMostPercent = 1000;

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}
std::int64_t length(const List& list) {
    return static_cast<std::int64_t>(list.size());
}

void requireRange(const char* what, std::int64_t value, std::int64_t low, std::int64_t high, const char* unit = "") {
    if (value >= low && value <= high) return;
    throw inputError(std::string("The stream's ") + what + " is " + std::to_string(value) + unit + ".",
                     "Give a number from " + std::to_string(low) + " to " + std::to_string(high) + ".");
}

/// Settings of a named partition, in the percentages that the official sampler is called with for it.
StreamSettings official(StreamSettings settings) {
    if (settings.partition == Partition::Ordered) {
        settings.disjoint_percent = 101;
        settings.blurry_percent = 0;
    } else if (settings.partition == Partition::OneClass) {
        settings.disjoint_percent = 0;
        settings.blurry_percent = 101;
    }
    return settings;
}

void checkOlder(const StreamSettings& s) {
    if (s.partition != Partition::Stochastic)
        throw inputError("The older sampler knows only the stochastic partition.",
                         "Choose the stochastic partition, or the current sampler.");
    if (s.disjoint_percent > 100 || s.blurry_percent > 100)
        throw inputError("The older sampler knows no share above 100 %.",
                         "Choose shares of at most 100 %, or the current sampler.");
}

void check(std::span<const std::int32_t> labels, const StreamSettings& s) {
    if (s.partition == Partition::Imported)
        throw inputError("An imported stream is not planned.", "Name its index list in stream.index_list.");
    if (s.sampler == Sampler::Older) checkOlder(s);
    requireRange("number of classes", s.classes, 1, kMostStreamClasses);
    requireRange("number of sessions", s.sessions, 1, kMostSessions);
    requireRange("share of disjoint classes", s.disjoint_percent, 0, kMostPercent, " %");
    requireRange("share of blurry samples", s.blurry_percent, 0, kMostPercent, " %");
    if (labels.empty()) throw inputError("There are no labels to plan a stream of.", "Give at least one label.");
    const auto wrong =
        std::find_if(labels.begin(), labels.end(), [&](std::int32_t label) { return label < 0 || label >= s.classes; });
    if (wrong != labels.end())
        throw inputError("Sample " + std::to_string(wrong - labels.begin()) + " has label " + std::to_string(*wrong) +
                             ", but there are only " + std::to_string(s.classes) + " classes, from 0 to " +
                             std::to_string(s.classes - 1) + ".",
                         "Correct the label or the number of classes.");
}

/// 0, parts - 1 sorted draws from low..high-1, high. The upper bound is excluded, so the last part is never empty.
List drawBorders(TorchRandom& random, std::int64_t low, std::int64_t high, std::int64_t parts) {
    List borders = random.integers(low, high, parts - 1);
    std::sort(borders.begin(), borders.end());
    borders.insert(borders.begin(), 0);
    borders.push_back(high);
    return borders;
}

/// Consecutive runs of `items` between the borders.
Lists cut(std::span<const std::int64_t> items, const List& borders) {
    Lists parts;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
        parts.emplace_back(items.begin() + borders[i], items.begin() + borders[i + 1]);
    return parts;
}

Lists cutEqually(std::span<const std::int64_t> items, std::int64_t parts, const char* kind) {
    const auto count = static_cast<std::int64_t>(items.size());
    if (count % parts != 0)
        throw inputError(std::to_string(count) + " " + kind + " classes cannot be shared equally among " +
                             std::to_string(parts) + " sessions.",
                         "Choose another number of sessions, or the stochastic partition.");
    List borders(at(parts + 1));
    for (std::int64_t i = 0; i <= parts; ++i) borders[at(i)] = i * (count / parts);
    return cut(items, borders);
}

/// Moves the first `count` samples (fewer if there are not so many) to the end of the pool.
void moveFirst(List& from, std::int64_t count, List& pool) {
    const auto end = from.begin() + std::min(count, length(from));
    pool.insert(pool.end(), from.begin(), end);
    from.erase(from.begin(), end);
}

List permuted(TorchRandom& random, const List& items) {
    List order = random.permutation(length(items));
    for (std::int64_t& entry : order) entry = items[at(entry)];
    return order;
}

/// The official sampler step by step; the plan is the only result.
class Planner {
public:
    Planner(std::span<const std::int32_t> labels, const StreamSettings& settings)
        : labels_(labels), random_(settings.seed) {
        plan_.settings = settings;
        plan_.disjoint_count =
            settings.classes * settings.disjoint_percent / 100 / settings.sessions * settings.sessions;
        plan_.blurry_count = settings.classes - plan_.disjoint_count;
        if (settings.sampler == Sampler::Older)
            plan_.blurry_count = plan_.blurry_count / settings.sessions * settings.sessions;
    }

    StreamPlan plan() {
        const List order = random_.permutation(plan_.settings.classes);
        const bool uniform = plan_.settings.partition == Partition::Uniform;
        if (uniform)
            shareClasses(order);
        else
            drawClasses(order);
        sortSamples();
        if (uniform)
            blurEqually();
        else if (plan_.settings.blurry_percent > 100)
            bringOneClassEach();
        else
            blur();
        for (std::int64_t j = 0; j < plan_.settings.sessions; ++j) {
            List& samples = disjoint_[at(j)];
            samples.insert(samples.end(), blurry_[at(j)].begin(), blurry_[at(j)].end());
            plan_.sessions.push_back(permuted(random_, samples));
        }
        return std::move(plan_);
    }

private:
    void drawClasses(std::span<const std::int64_t> order) {
        const std::int64_t classes = plan_.settings.classes;
        const std::int64_t sessions = plan_.settings.sessions;
        plan_.disjoint_classes.resize(at(sessions));
        if (plan_.disjoint_count > 0 && plan_.settings.disjoint_percent > 100) {
            const std::int64_t block = classes / sessions;
            for (std::int64_t j = 0; j < sessions; ++j) {
                plan_.disjoint_classes[at(j)].resize(at(block));
                std::iota(plan_.disjoint_classes[at(j)].begin(), plan_.disjoint_classes[at(j)].end(), j * block);
            }
        } else if (plan_.disjoint_count > 0) {
            plan_.disjoint_classes = cut(order, drawBorders(random_, 0, plan_.disjoint_count, sessions));
        }
        if (plan_.blurry_count <= 0) {
            plan_.blurry_classes.resize(at(sessions));
        } else if (plan_.settings.blurry_percent > 100) {
            for (std::int64_t c = 0; c < classes; ++c) plan_.blurry_classes.push_back({c});
        } else {
            plan_.blurry_classes =
                cut(order.subspan(at(plan_.disjoint_count)), drawBorders(random_, 0, plan_.blurry_count, sessions));
        }
    }

    void shareClasses(std::span<const std::int64_t> order) {
        const std::size_t disjoint = at(std::min(plan_.disjoint_count, plan_.settings.classes));
        plan_.disjoint_classes = cutEqually(order.first(disjoint), plan_.settings.sessions, "disjoint");
        plan_.blurry_classes = cutEqually(order.subspan(disjoint), plan_.settings.sessions, "blurry");
    }

    /// Sorts samples into the lists of their classes.
    void sortSamples() {
        const std::vector<ClassHome> homes = classHomes(plan_);
        disjoint_.resize(at(plan_.settings.sessions));
        blurry_.resize(at(plan_.settings.sessions));
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            const ClassHome home = homes[static_cast<std::size_t>(labels_[i])];
            if (home.session < 0) continue;
            (home.blurry ? blurry_ : disjoint_)[at(home.session)].push_back(static_cast<std::int64_t>(i));
        }
    }

    void blur() {
        const std::int64_t sessions = plan_.settings.sessions;
        std::int64_t samples = 0;
        for (const List& list : blurry_) samples += length(list);
        const std::int64_t blurred = samples * plan_.settings.blurry_percent / 100;
        if (blurred == 0) return;
        const List borders = drawBorders(random_, 0, blurred, sessions);
        List pool;
        for (std::int64_t j = 0; j < sessions; ++j)
            moveFirst(blurry_[at(j)], borders[at(j + 1)] - borders[at(j)], pool);
        pool = permuted(random_, pool);
        // A short session leaves the pool smaller than planned; the last sessions then get fewer samples.
        for (std::int64_t j = 0; j < sessions; ++j) {
            const std::int64_t begin = std::min(borders[at(j)], length(pool));
            const std::int64_t end = std::min(borders[at(j + 1)], length(pool));
            blurry_[at(j)].insert(blurry_[at(j)].end(), pool.begin() + begin, pool.begin() + end);
        }
    }

    void blurEqually() {
        List pool;
        for (List& list : blurry_) moveFirst(list, length(list) * plan_.settings.blurry_percent / 100, pool);
        pool = permuted(random_, pool);
        const std::int64_t share = length(pool) / plan_.settings.sessions;
        for (std::int64_t j = 0; j < plan_.settings.sessions; ++j)
            blurry_[at(j)].insert(blurry_[at(j)].end(), pool.begin() + j * share, pool.begin() + (j + 1) * share);
    }

    void bringOneClassEach() {
        const std::int64_t sessions = plan_.settings.sessions;
        if (sessions > plan_.settings.classes)
            throw inputError(std::to_string(sessions) + " sessions cannot each bring a new class of only " +
                                 std::to_string(plan_.settings.classes) + ".",
                             "Use at most as many sessions as there are classes, or a blurry share of at most 100 %.");
        Lists scattered(at(sessions));
        for (std::int64_t i = 0; i < sessions; ++i) {
            const List& samples = blurry_[at(i)];
            if (samples.empty())
                throw inputError("Session " + std::to_string(i + 1) + " should bring class " + std::to_string(i) +
                                     " as its new one, but that class has no blurry samples.",
                                 "Use a blurry share of at most 100 %, no disjoint classes, or classes with samples.");
            // At least three quarters occur in the class's own session, the rest in any later one.
            const auto own = static_cast<std::int64_t>(0.75 * static_cast<double>(length(samples)));
            const List borders = drawBorders(random_, own, length(samples), sessions - i);
            for (std::int64_t part = 0; part < sessions - i; ++part) {
                List& session = scattered[at(i + part)];
                session.insert(session.end(), samples.begin() + borders[at(part)],
                               samples.begin() + borders[at(part + 1)]);
            }
        }
        blurry_ = std::move(scattered);
    }

    std::span<const std::int32_t> labels_;
    TorchRandom random_;
    StreamPlan plan_;
    Lists disjoint_;  ///< samples of a session's disjoint classes, ascending
    Lists blurry_;    ///< samples of its blurry classes; after blurring also samples of other classes
};

}  // namespace

std::int64_t StreamPlan::totalSamples() const {
    std::int64_t total = 0;
    for (const List& session : sessions) total += length(session);
    return total;
}

std::string StreamPlan::fingerprint() const {
    Sha256 hash;
    for (const List& session : sessions) {
        const std::int64_t count = length(session);
        hash.add(std::span(&count, 1));
        hash.add(std::span<const std::int64_t>(session));
    }
    return hash.hex().substr(0, 16);
}

StreamPlan planStream(std::span<const std::int32_t> labels, const StreamSettings& settings) {
    check(labels, settings);
    return Planner(labels, official(settings)).plan();
}

std::vector<ClassHome> classHomes(const StreamPlan& plan) {
    std::vector<ClassHome> homes(at(plan.settings.classes));
    const auto enter = [&](const Lists& sets, bool blurry) {
        const std::int64_t count = std::min(plan.settings.sessions, static_cast<std::int64_t>(sets.size()));
        for (std::int64_t j = 0; j < count; ++j)
            for (const std::int64_t c : sets[at(j)]) {
                ClassHome& home = homes[at(c)];
                if (home.session < 0 || home.session > j) home = {j, blurry};
            }
    };
    enter(plan.disjoint_classes, false);
    enter(plan.blurry_classes, true);
    return homes;
}

std::vector<std::vector<std::int64_t>> countSamples(const StreamPlan& plan, std::span<const std::int32_t> labels) {
    Lists counts(at(plan.settings.classes), List(plan.sessions.size(), 0));
    for (std::size_t j = 0; j < plan.sessions.size(); ++j)
        for (const std::int64_t sample : plan.sessions[j]) ++counts[static_cast<std::size_t>(labels[at(sample)])][j];
    return counts;
}

std::vector<ClassKind> classKinds(const StreamPlan& plan, std::size_t classes) {
    std::vector<ClassKind> kinds(classes, ClassKind::Unknown);
    const auto mark = [&](const std::vector<std::vector<std::int64_t>>& lists, ClassKind kind) {
        for (const auto& list : lists)
            for (const std::int64_t label : list) {
                const auto place = static_cast<std::size_t>(label);
                if (place >= kinds.size()) kinds.resize(place + 1, ClassKind::Unknown);
                kinds[place] = kind;
            }
    };
    mark(plan.blurry_classes, ClassKind::Blurry);
    mark(plan.disjoint_classes, ClassKind::Disjoint);
    return kinds;
}

const char* kindText(ClassKind kind) {
    switch (kind) {
        case ClassKind::Disjoint:
            return "disjoint";
        case ClassKind::Blurry:
            return "blurry";
        case ClassKind::Unknown:
            break;
    }
    return "";
}

ClassKind kindIn(std::string_view text) {
    for (const ClassKind kind : {ClassKind::Disjoint, ClassKind::Blurry})
        if (text == kindText(kind)) return kind;
    return ClassKind::Unknown;
}

}  // namespace palimpsest
