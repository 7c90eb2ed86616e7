// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/moment_story.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/config/method_declaration.h"
#include "engine/run/live_change.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

constexpr double kLeastFall = 0.1;  // of an accuracy
constexpr double kLeastImages = 2;  // test images of a class; one more or less is chance
constexpr std::size_t kNamed = 2;
constexpr double kLeastPush = 0.5;  // half an image's whole probability; less is not worth a word
constexpr double kRounding = 1e-6;  // single precision stores a tenth a little below it

struct Change {
    std::int32_t label = 0;
    double before = 0, now = 0;
};

std::optional<double> accuracyOf(const ClassMoment& moment, std::size_t label) {
    if (label >= moment.accuracy.size() || std::isnan(moment.accuracy[label])) return std::nullopt;
    return moment.accuracy[label];
}

std::vector<double> testImages(const RunHistory& history) {
    std::vector<double> counts;
    if (!history.test_labels) return counts;
    for (const std::int32_t label : *history.test_labels) {
        const auto place = static_cast<std::size_t>(label);
        if (place >= counts.size()) counts.resize(place + 1);
        ++counts[place];
    }
    return counts;
}

/// One of several words is told from the sentence by marks.
std::string nameOf(std::int32_t label, const StoryFacts& facts) {
    const std::string name = facts.name(label);
    return name.find(' ') == std::string::npos ? name : "“" + name + "”";
}

/// "zebra and tent", "6 classes, among them zebra and tent,".
std::string listed(const std::vector<std::int32_t>& labels, const StoryFacts& facts) {
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, labels.size()); ++i)
        names += (i == 0 ? "" : " and ") + nameOf(labels[i], facts);
    return labels.size() > kNamed ? grouped(std::ssize(labels)) + " classes, among them " + names + "," : names;
}

std::string wholePercent(double share) {
    return fixedText(100 * share, 0);
}

/// How far the class has been pushed down since it was last learned; 0: not at all, or nothing is known of it.
double pushedDown(const RunHistory& history, std::int64_t samplesSeen, std::int32_t label) {
    const auto found = std::ranges::find(history.pushes, samplesSeen, &PushMoment::samples_seen);
    const auto place = static_cast<std::size_t>(label);
    if (found == history.pushes.end() || place >= found->since.size() || std::isnan(found->since[place])) return 0;
    return std::max(0.0, -static_cast<double>(found->since[place]));
}

/// Why a class can fall that is not in a batch. `pushed`: how far it was.
std::string reason(const StoryFacts& facts, std::int32_t label, double pushed) {
    if (pushed >= kLeastPush && !facts.mask_changed && *facts.mask != MaskKind::Batch) {
        const char* under = *facts.mask == MaskKind::None      ? "Without a mask"
                            : *facts.mask == MaskKind::Seen    ? "Under the seen mask"
                            : *facts.mask == MaskKind::Session ? "Under the session mask"
                                                               : "Under the learnable mask";
        return std::string(under) + ", batches without " + nameOf(label, facts) + " have pushed it down" +
               (facts.brief ? "" : " since it was last learned") + " (push −" + fixedText(pushed, 1) + ").";
    }
    switch (*facts.mask) {
        case MaskKind::None:
            return "Without a mask, each batch pushes down every class that it does not hold.";
        case MaskKind::Seen:
            return "Under the seen mask, each batch pushes down every seen class that it does not hold.";
        case MaskKind::Session:
            return "Under the session mask, each batch pushes down the classes of its session that it does not hold.";
        case MaskKind::Learnable:
            return "The learnable mask decides how far each batch pushes down the classes that it does not hold.";
        case MaskKind::Batch:
            return std::string("Under the batch mask no absent class is pushed down: others rise past it") +
                   (facts.features_learn ? ", or its features move." : ".");
    }
    return {};
}

/// Test images of these classes, of those that have any.
std::vector<double> countsOf(const std::vector<double>& images, const std::vector<std::int32_t>& seen) {
    std::vector<double> counts;
    for (const std::int32_t label : seen)
        if (const auto place = static_cast<std::size_t>(label); place < images.size() && images[place] > 0)
            counts.push_back(images[place]);
    return counts;
}

/// The smallest of these counts; infinite without any.
double fewestImages(const std::vector<double>& counts) {
    return counts.empty() ? std::numeric_limits<double>::infinity() : *std::ranges::min_element(counts);
}

/// Least fall that is told of: of classes with few test images more than a tenth, since a single image is chance.
double leastFall(std::vector<double> counts) {
    if (counts.empty()) return kLeastFall;
    const auto middle = counts.begin() + std::ssize(counts) / 2;
    std::nth_element(counts.begin(), middle, counts.end());
    // In whole points, as it is told.
    return std::max(kLeastFall, std::ceil(100 * std::min(1.0, kLeastImages / *middle) - kRounding) / 100);
}

/// The evaluation that a later one is compared with; nothing measured: there is none. One right before it, as where a
/// session ends, would hide what fell on the way there.
ClassMoment momentBefore(const RunHistory& history, const ClassMoment& now) {
    std::int64_t widest = 0, seen = 0;
    for (const ClassMoment& moment : history.classes) {
        if (moment.samples_seen > now.samples_seen) break;
        widest = std::max(widest, moment.samples_seen - std::exchange(seen, moment.samples_seen));
    }
    const ClassMoment* found = nullptr;
    for (const ClassMoment& moment : history.classes)
        if (moment.samples_seen < now.samples_seen &&
            (!found || 2 * (now.samples_seen - moment.samples_seen) >= widest))
            found = &moment;
    return found ? *found : ClassMoment();
}

/// The best accuracy of each class before an evaluation.
ClassMoment bestBefore(const RunHistory& history, const ClassMoment& now) {
    ClassMoment best;
    for (const ClassMoment& moment : history.classes) {
        if (moment.samples_seen >= now.samples_seen) break;
        best.samples_seen = moment.samples_seen;
        if (best.accuracy.size() < moment.accuracy.size())
            best.accuracy.resize(moment.accuracy.size(), std::numeric_limits<float>::quiet_NaN());
        for (std::size_t i = 0; i < moment.accuracy.size(); ++i)
            if (!(best.accuracy[i] >= moment.accuracy[i])) best.accuracy[i] = moment.accuracy[i];
    }
    return best;
}

}  // namespace

std::string momentStory(const RunHistory& history, const StoryFacts& facts, std::int64_t samplesSeen) {
    const auto after = std::upper_bound(history.classes.begin(), history.classes.end(), samplesSeen,
                                        [](std::int64_t at, const ClassMoment& m) { return at < m.samples_seen; });
    if (after == history.classes.begin()) return {};
    const ClassMoment& now = *(after - 1);
    const bool last = facts.total_samples > 0 && now.samples_seen >= facts.total_samples;
    const ClassMoment before = last ? bestBefore(history, now) : momentBefore(history, now);
    const std::vector<double> images = testImages(history);
    const std::vector<double> counts = countsOf(images, history.seen);
    const double least = leastFall(counts);
    // A fall of one test image is never told, also where it is that many points of a small class.
    const bool unequal = fewestImages(counts) * least < kLeastImages - kRounding;
    const std::string points = wholePercent(least) + " points" + (unequal ? " and two test images" : "");

    std::vector<std::int32_t> fresh;
    std::vector<Change> fallen;
    for (const std::int32_t label : history.seen) {
        const auto place = static_cast<std::size_t>(label);
        const auto is = accuracyOf(now, place), was = accuracyOf(before, place);
        if (!is) continue;
        if (!was) {
            fresh.push_back(label);
            continue;
        }
        const double fall = *was - *is;
        if (fall < least - kRounding) continue;
        if (place < images.size() && fall * images[place] < kLeastImages - kRounding) continue;
        fallen.push_back({label, *was, *is});
    }
    std::ranges::stable_sort(fallen,
                             [](const Change& a, const Change& b) { return a.before - a.now > b.before - b.now; });

    // At a border, the session that has just ended.
    std::int64_t session = 0;
    for (const std::int64_t start : facts.session_starts) session += start < now.samples_seen ? 1 : 0;
    std::string story = session > 0 && !facts.brief ? "Session " + std::to_string(session) + ", after " : "After ";
    story += grouped(now.samples_seen) + " images: ";
    if (!fresh.empty()) {
        story += (facts.brief && fresh.size() > 1 ? grouped(std::ssize(fresh)) + " classes" : listed(fresh, facts)) +
                 (fresh.size() == 1 ? " is new" : " are new");
        story += before.accuracy.empty() ? "." : "; ";
    }
    if (before.accuracy.empty()) return fresh.empty() ? std::string() : story;
    if (fallen.empty())
        return story + (last ? "no class is " + points + " below its best."
                             : "no class fell by " + points + " since " + grouped(before.samples_seen) + ".");
    const Change& most = fallen.front();
    const std::int64_t others = std::ssize(fallen) - 1;
    if (last)
        story += grouped(others + 1) + " of " + grouped(std::ssize(history.seen)) + " classes " +
                 (others == 0 ? "is " : "are ") + points + " or more below " + (others == 0 ? "its" : "their") +
                 " best; ";
    story += nameOf(most.label, facts) + " fell" + (last || others > 0 ? " most" : "") + ", from " +
             wholePercent(most.before) + " to " + wholePercent(most.now) + " %";
    if (!last && others > 0 && !facts.brief)
        story += ", and " + grouped(others) + (others == 1 ? " other" : " others") + " by " + points + " or more";
    story += ".";
    if (facts.mask) story += " " + reason(facts, most.label, pushedDown(history, now.samples_seen, most.label));
    return story;
}

std::int64_t evaluationTold(const RunHistory& history, std::int64_t samplesSeen) {
    std::int64_t told = 0;
    for (const ClassMoment& moment : history.classes)
        if (moment.samples_seen <= samplesSeen) told = moment.samples_seen;
    return told;
}

StoryFacts storyFacts(const OptionTable& table, const Experiment& settings, bool known) {
    StoryFacts facts;
    if (!known) return facts;
    const Option* mask = table.find("mask.name");
    if (mask && table.idleReason(settings, *mask).empty() && !table.method(settings.method.name).only_told_mask)
        facts.mask = kMaskKinds.find(settings.mask.name);
    const std::vector<Choice>& methods = table.catalogue().methods;
    const auto found = std::ranges::find(methods, settings.method.name, &Choice::value);
    facts.features_learn = found != methods.end() &&
                           (found->family == method_family::kPrompts || found->family == method_family::kBackbone);
    return facts;
}

bool maskChanged(std::span<const LiveChange> changes, std::int64_t told) {
    return std::ranges::any_of(
        changes, [&](const LiveChange& change) { return change.at < told && change.key.starts_with("mask."); });
}

std::string momentStory(const OptionTable& table, const RunRecord& run, const RunHistory& history,
                        std::optional<std::int64_t> samplesSeen) {
    if (history.classes.empty()) return {};
    const std::int64_t moment = samplesSeen.value_or(history.classes.back().samples_seen);
    const std::int64_t told = evaluationTold(history, moment);
    StoryFacts facts = storyFacts(table, settingsAfter(table, run.experiment, run.changes, run.forked_at, told - 1),
                                  run.state != RecordedState::Imported && told > run.forked_at);
    facts.mask_changed = maskChanged(run.changes, told);
    facts.session_starts = run.session_starts;
    facts.total_samples = run.total_samples;
    facts.name = [&run](std::int32_t label) { return className(run, label); };
    return momentStory(history, facts, moment);
}

}  // namespace palimpsest
