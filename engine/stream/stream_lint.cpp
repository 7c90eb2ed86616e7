// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

namespace {

using List = std::vector<std::int64_t>;

/// "4", "1 and 4", "1, 3 and 4", "0, 1, 2, 3, 4, 5, 6, 7 and 35 more".
std::string enumerate(const List& numbers) {
    constexpr std::size_t kMost = 8;
    const std::size_t shown = numbers.size() > kMost + 1 ? kMost : numbers.size();
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
        text += std::to_string(numbers[i]);
    }
    if (shown < numbers.size()) text += " and " + std::to_string(numbers.size() - shown) + " more";
    return text;
}

/// One sentence about some sessions or classes; nothing when there are none.
void say(std::vector<std::string>& sentences, const List& numbers, const char* one, const char* many,
         const char* oneDoes, const char* manyDo) {
    if (numbers.empty()) return;
    const bool single = numbers.size() == 1;
    sentences.push_back(std::string(single ? one : many) + " " + enumerate(numbers) + " " +
                        (single ? oneDoes : manyDo));
}

/// Does the session have a class of its own of which there are samples?
bool bringsClass(const StreamPlan& plan, std::size_t session, const List& present) {
    const auto any = [&](const std::vector<List>& sets) {
        return session < sets.size() && std::any_of(sets[session].begin(), sets[session].end(), [&](std::int64_t c) {
                   return present[static_cast<std::size_t>(c)] > 0;
               });
    };
    return any(plan.disjoint_classes) || any(plan.blurry_classes);
}

/// Classes of the stream without a test sample.
List untested(const List& shown, std::span<const std::int32_t> testLabels) {
    std::vector<bool> tested(shown.size(), false);
    for (const std::int32_t label : testLabels)
        if (label >= 0 && static_cast<std::size_t>(label) < tested.size()) tested[static_cast<std::size_t>(label)] = true;
    List classes;
    for (std::size_t c = 0; c < shown.size(); ++c)
        if (shown[c] > 0 && !tested[c]) classes.push_back(static_cast<std::int64_t>(c));
    return classes;
}

}  // namespace

std::vector<std::string> lintStream(const StreamPlan& plan, std::span<const std::int32_t> labels,
                                    std::optional<std::span<const std::int32_t>> testLabels) {
    const StreamSettings& s = plan.settings;
    List present(static_cast<std::size_t>(s.classes), 0);
    for (const std::int32_t label : labels) ++present[static_cast<std::size_t>(label)];
    List shown(present.size(), 0);
    for (const List& session : plan.sessions)
        for (const std::int64_t sample : session)
            ++shown[static_cast<std::size_t>(labels[static_cast<std::size_t>(sample)])];

    List empty;
    List repeating;
    for (std::size_t j = 0; j < plan.sessions.size(); ++j) {
        if (plan.sessions[j].empty())
            empty.push_back(static_cast<std::int64_t>(j) + 1);
        else if (!bringsClass(plan, j, present))
            repeating.push_back(static_cast<std::int64_t>(j) + 1);
    }
    List lost;
    List absent;
    std::int64_t lostSamples = 0;
    for (std::size_t c = 0; c < present.size(); ++c) {
        if (present[c] == 0) absent.push_back(static_cast<std::int64_t>(c));
        if (present[c] == 0 || shown[c] > 0) continue;
        lost.push_back(static_cast<std::int64_t>(c));
        lostSamples += present[c];
    }

    std::vector<std::string> sentences;
    say(sentences, empty, "Session", "Sessions", "is empty.", "are empty.");
    say(sentences, repeating, "Session", "Sessions",
        "brings no class of its own, only blurry samples of other sessions.",
        "bring no class of their own, only blurry samples of other sessions.");
    if (s.disjoint_percent > 0 && plan.disjoint_count == 0)
        sentences.push_back("No class is disjoint: " + std::to_string(s.disjoint_percent) + " % of " +
                            std::to_string(s.classes) + " classes, rounded down to a multiple of " +
                            std::to_string(s.sessions) + " sessions, is none.");
    say(sentences, lost, "Class", "Classes", "has samples but never appears in the stream.",
        "have samples but never appear in the stream.");
    say(sentences, absent, "Class", "Classes", "is in the class list but has no samples.",
        "are in the class list but have no samples.");
    if (testLabels)
        say(sentences, untested(shown, *testLabels), "Class", "Classes",
            "has no test samples, so its accuracy is not measured.",
            "have no test samples, so their accuracy is not measured.");
    const std::int64_t dropped = static_cast<std::int64_t>(labels.size()) - plan.totalSamples();
    const auto drop = [&](std::int64_t count, const std::string& how) {
        if (count > 0)
            sentences.push_back(std::to_string(count) + " of " + std::to_string(labels.size()) + " samples " +
                                (count == 1 ? "is" : "are") + " dropped" + how);
    };
    drop(dropped - lostSamples,
         ", since the blurry samples cannot be shared equally among " + std::to_string(s.sessions) + " sessions.");
    drop(lostSamples, " with the classes that never appear.");
    return sentences;
}

}  // namespace palimpsest
