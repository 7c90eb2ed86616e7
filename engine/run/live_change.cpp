// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/live_change.h"

#include <charconv>

#include "engine/config/method_declaration.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace {

constexpr std::string_view kCommand = ",change,", kFork = ",fork,";

/// A cell as csvCell() writes it.
std::string unquoted(std::string_view cell) {
    if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
    std::string text;
    for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
        text += cell[i];
        if (cell[i] == '"') ++i;
    }
    return text;
}

/// `sinceFork`: what was changed before the run was forked from another is left out.
std::vector<LiveChange> changesIn(const std::filesystem::path& run, bool sinceFork) {
    std::vector<LiveChange> changes;
    const std::string text = readTextFile(run / "commands.csv", FilePlace::InFolder, file_limit::kTable);
    for (std::size_t first = 0; first < text.size();) {
        const std::size_t end = text.find('\n', first);
        if (end == std::string::npos) break;  // a torn line
        const std::string_view line(text.data() + first, end - first);
        first = end + 1;
        std::int64_t at = 0;
        const auto [stop, bad] = std::from_chars(line.data(), line.data() + line.size(), at);
        const std::string_view rest = line.substr(static_cast<std::size_t>(stop - line.data()));
        if (bad == std::errc() && rest.starts_with(kCommand))
            changes.push_back(liveChange(plainSentence(unquoted(rest.substr(kCommand.size()))), at));
        else if (sinceFork && bad == std::errc() && rest.starts_with(kFork))
            changes.clear();
    }
    return changes;
}

}  // namespace

std::string toText(const LiveChange& change) {
    return change.key + "=" + change.value;
}

LiveChange liveChange(const std::string& text, std::int64_t at) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw inputError("\"" + text + "\" changes nothing.", "Write KEY=VALUE.");
    return {text.substr(0, equals), text.substr(equals + 1), at};
}

void requireLive(const OptionTable& table, const Experiment& experiment, const LiveChange& change) {
    Experiment changed = experiment;
    table.setText(changed, change.key, change.value);
    if (table.find(change.key)->effect != OptionEffect::NextBatch)
        throw inputError("The option " + change.key + " cannot be changed while a run goes on.",
                         "Start another run with it, or fork this one.");
    if (change.key == "mask.name" &&
        (changed.mask.kind() == MaskKind::Learnable) != (experiment.mask.kind() == MaskKind::Learnable))
        throw inputError("A run takes the learnable mask from its beginning or not at all.",
                         "Start another run with it.");
    const std::string& own_rate = table.method(experiment.method.name).own_learning_rate;
    if (change.key == "training.learning_rate" && !own_rate.empty())
        throw inputError(own_rate, "Start another run with another first one.");
    if (const auto problems = table.problems(changed); !problems.empty()) throw inputError(problems.front());
}

std::vector<LiveChange> recordedChanges(const std::filesystem::path& run) {
    return changesIn(run, false);
}

std::vector<LiveChange> changesSinceBegin(const std::filesystem::path& run) {
    return changesIn(run, true);
}

std::vector<LiveChange> changesSince(const std::vector<LiveChange>& changes, std::int64_t forkedAt) {
    std::vector<LiveChange> own = changes;
    // A checkpoint is older than what was changed at the same border.
    std::erase_if(own, [forkedAt](const LiveChange& change) { return change.at < forkedAt; });
    return own;
}

Experiment settingsAfter(const OptionTable& table, Experiment begun, const std::vector<LiveChange>& changes,
                         std::int64_t forkedAt, std::int64_t at) {
    // The settings of a fork already say what came of its parent's changes.
    for (const LiveChange& change : changesSince(changes, forkedAt)) {
        if (change.at > at) break;
        try {
            table.setText(begun, change.key, change.value);
        } catch (const Error&) {
            // The key is of another version: its change is not shown here.
        }
    }
    return begun;
}

std::string valuesInTurn(const std::string& begun, const std::vector<LiveChange>& changes, std::string_view key) {
    std::string text = begun, last = begun;
    for (const LiveChange& change : changes) {
        if (change.key != key || change.value == last) continue;
        text += " → " + change.value;
        last = change.value;
    }
    return text;
}

}  // namespace palimpsest
