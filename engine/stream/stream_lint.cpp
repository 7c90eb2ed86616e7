// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/stream_plan.h"

#include <algorithm>
#include <string>

#include "engine/support/format.h"

namespace palimpsest {

namespace {

using List = std::vector<std::int64_t>;

/// List such as "4", "1 and 4", "1, 3 and 4", "0, 1, 2, 3, 4, 5, 6, 7 and 35 more"; with names, if given: "4 (Coat)".
std::string enumerate(const List& numbers, std::span<const std::string> names = {}) {
    constexpr std::size_t kMost = 8;
    const std::size_t shown = numbers.size() > kMost + 1 ? kMost : numbers.size();
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
        text += std::to_string(numbers[i]);
        const auto number = static_cast<std::size_t>(numbers[i]);
        if (number < names.size()) text += " (" + names[number] + ")";
    }
    if (shown < numbers.size()) text += " and " + std::to_string(numbers.size() - shown) + " more";
    return text;
}

/// Subject such as "Class 4" or "Sessions 1 and 4".
std::string named(const List& numbers, const char* one, const char* many, std::span<const std::string> names = {}) {
    return std::string(numbers.size() == 1 ? one : many) + " " + enumerate(numbers, names);
}

/// Collects one sentence about some sessions, classes or samples; none if there are none.
struct Sentences {
    std::vector<std::string> list;

    void add(const List& numbers, const char* one, const char* many, const char* oneDoes, const char* manyDo,
             std::span<const std::string> names = {}) {
        if (numbers.empty()) return;
        list.push_back(named(numbers, one, many, names) + " " + (numbers.size() == 1 ? oneDoes : manyDo));
    }
};

/// True if a class with samples is at home in the session. A class at home elsewhere may still occur first in it.
bool isHome(const StreamPlan& plan, std::size_t session, const List& present) {
    const auto any = [&](const std::vector<List>& sets) {
        return session < sets.size() && std::any_of(sets[session].begin(), sets[session].end(), [&](std::int64_t c) {
                   return present[static_cast<std::size_t>(c)] > 0;
               });
    };
    return any(plan.disjoint_classes) || any(plan.blurry_classes);
}

/// Classes of the stream that have no test sample.
List untested(const List& shown, std::span<const std::int32_t> testLabels) {
    std::vector<bool> tested(shown.size(), false);
    for (const std::int32_t label : testLabels)
        if (label >= 0 && static_cast<std::size_t>(label) < tested.size())
            tested[static_cast<std::size_t>(label)] = true;
    List classes;
    for (std::size_t c = 0; c < shown.size(); ++c)
        if (shown[c] > 0 && !tested[c]) classes.push_back(static_cast<std::int64_t>(c));
    return classes;
}

/// Number of samples that exist and that the stream shows.
struct Tally {
    List present;   ///< existing samples, by class
    List shown;     ///< samples in the stream, by class
    List repeated;  ///< samples that occur more than once
    std::int64_t distinct = 0;

    Tally(const StreamPlan& plan, std::span<const std::int32_t> labels)
        : present(static_cast<std::size_t>(plan.settings.classes), 0), shown(present.size(), 0) {
        for (const std::int32_t label : labels) ++present[static_cast<std::size_t>(label)];
        std::vector<std::uint8_t> times(labels.size(), 0);
        for (const List& session : plan.sessions)
            for (const std::int64_t sample : session) {
                const auto i = static_cast<std::size_t>(sample);
                ++shown[static_cast<std::size_t>(labels[i])];
                if (times[i] == 0) ++distinct;
                if (times[i] == 1) repeated.push_back(sample);
                if (times[i] < 2) ++times[i];
            }
        std::sort(repeated.begin(), repeated.end());
    }
};

/// Classes that the older sampler drops when it rounds: they have samples, but are in no set.
List leftOver(const StreamPlan& plan, const Tally& tally) {
    List classes;
    if (plan.settings.sampler != Sampler::Older) return classes;
    const std::vector<ClassHome> homes = classHomes(plan);
    for (std::size_t c = 0; c < homes.size(); ++c)
        if (homes[c].session < 0 && tally.present[c] > 0) classes.push_back(static_cast<std::int64_t>(c));
    return classes;
}

/// Adds warnings that the stream is edited, and which edits have no effect.
void addEditWarnings(const StreamPlan& plan, std::vector<std::string>& list) {
    if (plan.edits.empty()) return;
    std::string idle;
    for (const AppliedEdit& applied : plan.edits)
        if (applied.moved == 0) idle += (idle.empty() ? "" : "; ") + toText(applied.edit);
    if (plan.moved > 0)
        list.push_back("Edited: " + counted(std::ssize(plan.edits), "edit takes ", "edits take ") +
                       counted(plan.moved, "sample", "samples") + " to another session, so this is no longer " +
                       (plan.settings.partition == Partition::Imported ? "the imported list."
                                                                       : "the stream that the seed drew at random."));
    if (!idle.empty()) list.push_back("Without effect, since the class has no samples there: " + idle + ".");
}

}  // namespace

std::vector<std::string> lintStream(const StreamPlan& plan, std::span<const std::int32_t> labels,
                                    std::optional<std::span<const std::int32_t>> testLabels,
                                    std::span<const std::string> classNames) {
    const StreamSettings& s = plan.settings;
    const bool imported = s.partition == Partition::Imported;
    const Tally tally(plan, labels);

    List empty;
    List homeless;
    for (std::size_t j = 0; j < plan.sessions.size(); ++j)
        if (plan.sessions[j].empty())
            empty.push_back(static_cast<std::int64_t>(j) + 1);
        else if (!isHome(plan, j, tally.present))
            homeless.push_back(static_cast<std::int64_t>(j) + 1);
    const List rounded = leftOver(plan, tally);
    List lost;
    List absent;
    std::int64_t lostSamples = 0;
    for (std::size_t c = 0; c < tally.present.size(); ++c) {
        const auto label = static_cast<std::int64_t>(c);
        if (tally.present[c] == 0) absent.push_back(label);
        if (tally.present[c] == 0 || tally.shown[c] > 0) continue;
        if (!std::binary_search(rounded.begin(), rounded.end(), label)) lost.push_back(label);
        lostSamples += tally.present[c];
    }

    Sentences sentences{plan.notes};
    addEditWarnings(plan, sentences.list);
    sentences.add(empty, "Session", "Sessions", "is empty.", "are empty.");
    sentences.add(homeless, "Session", "Sessions",
                  "is home to no class: it holds only scattered samples of classes at home in other sessions.",
                  "are home to no class: they hold only scattered samples of classes at home in other sessions.");
    if (s.disjoint_percent > 0 && plan.disjoint_count == 0)
        sentences.list.push_back("No class is disjoint: " + std::to_string(s.disjoint_percent) + " % of " +
                                 std::to_string(s.classes) + " classes, rounded down to a multiple of " +
                                 std::to_string(s.sessions) + " sessions, is none.");
    if (!rounded.empty())
        sentences.list.push_back("The older sampler leaves out " + named(rounded, "class", "classes", classNames) +
                                 ": of " + std::to_string(s.classes - plan.disjoint_count) +
                                 " blurry classes it keeps " + std::to_string(plan.blurry_count) + ", a multiple of " +
                                 std::to_string(s.sessions) + " sessions.");
    sentences.add(lost, "Class", "Classes", "has samples but never appears in the stream.",
                  "have samples but never appear in the stream.", classNames);
    sentences.add(absent, "Class", "Classes", "is in the class list but has no samples.",
                  "are in the class list but have no samples.", classNames);
    if (testLabels)
        sentences.add(untested(tally.shown, *testLabels), "Class", "Classes",
                      "has no test samples, so its accuracy is not measured.",
                      "have no test samples, so their accuracy is not measured.", classNames);
    sentences.add(tally.repeated, "Sample", "Samples", "comes more than once.", "come more than once.");
    const auto drop = [&](std::int64_t count, const std::string& how) {
        if (count > 0)
            sentences.list.push_back(std::to_string(count) + " of " + std::to_string(labels.size()) + " samples " +
                                     (count == 1 ? "is" : "are") + how);
    };
    const std::int64_t dropped = static_cast<std::int64_t>(labels.size()) - tally.distinct;
    if (imported) {
        drop(dropped, " not in the imported list.");
    } else {
        drop(dropped - lostSamples, " dropped, since the blurry samples cannot be shared equally among " +
                                        std::to_string(s.sessions) + " sessions.");
        drop(lostSamples, " dropped with the classes that never appear.");
    }
    return sentences.list;
}

}  // namespace palimpsest
