// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/group_options.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/config/experiment_differences.h"

namespace palimpsest::report {
namespace {

/// "logit mask: Seen classes", "training images: 600", "training images: all".
std::string spelled(const Option& option, const std::string& value) {
    std::string title = option.title.empty() ? option.leaf() : option.title;
    // "CutMix" and "SGD" keep their capitals.
    const bool plain = std::none_of(title.begin() + 1, title.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    const char first = title.front();
    if (plain && first >= 'A' && first <= 'Z') title.front() = static_cast<char>(first - 'A' + 'a');
    const auto choice = std::find_if(option.choices.begin(), option.choices.end(),
                                     [&](const Choice& known) { return known.value == value; });
    if (choice != option.choices.end() && !choice->title.empty()) return title + ": " + choice->title;
    const bool least = !option.special.empty() && value == toText(static_cast<std::int64_t>(option.minimum));
    return title + ": " + (least ? option.special : value);
}

bool matters(const OptionTable& table, const Experiment& experiment, const Option& option) {
    return table.idleReason(experiment, option).empty();
}

/// Groups that differ in nothing that could be told are numbered.
void numberAlike(std::vector<RunGroup>& groups) {
    std::map<std::string, int> sharing, given;
    for (const RunGroup& group : groups) ++sharing[group.name];
    for (RunGroup& group : groups) {
        if (sharing[group.name] < 2) continue;
        const int number = ++given[group.name];
        group.name += " (" + std::to_string(number) + ")";
    }
}

/// `begun`, and what became of it.
std::string valuesOf(const RunRecord& run, const Option& option, const std::string& begun) {
    return valuesInTurn(begun, changesSince(run.changes, run.forked_at), option.key);
}

}  // namespace

std::string optionText(const OptionTable& table, const RunRecord& run, const Option& option) {
    return valuesOf(run, option, table.text(run.experiment, option));
}

std::string changeText(const OptionTable& table, const LiveChange& change) {
    const Option* option = table.find(change.key);
    return option ? spelled(*option, change.value) : toText(change);
}

std::vector<const Option*> differingOptions(const OptionTable& table, const std::vector<RunGroup>& groups) {
    std::vector<const Option*> differing;
    for (const Option& option : table.options()) {
        if (option.key == "seed" || option.key == "name") {
            continue;
        }
        std::set<std::string> values;
        for (const RunGroup& group : groups) {
            if (group.imported()) continue;
            const RunRecord& run = group.runs.front();
            if (!matters(table, run.experiment, option)) continue;
            values.insert(valuesOf(run, option, table.text(spelledOut(run.experiment), option)));
        }
        if (values.size() > 1) {
            differing.push_back(&option);
        }
    }
    return differing;
}

void nameApart(const OptionTable& table, std::vector<RunGroup>& groups) {
    std::map<std::string, std::vector<std::size_t>> sharing;
    for (std::size_t k = 0; k < groups.size(); ++k) {
        sharing[groups[k].name].push_back(k);
    }
    for (const auto& [name, members] : sharing) {
        if (members.size() < 2) {
            continue;
        }
        std::vector<RunGroup> alike;
        for (const std::size_t k : members) {
            alike.push_back(groups[k]);
        }
        for (const Option* option : differingOptions(table, alike)) {
            for (const std::size_t k : members) {
                const RunRecord& run = groups[k].runs.front();
                if (!matters(table, run.experiment, *option)) continue;
                groups[k].name += ", " + spelled(*option, optionText(table, run, *option));
            }
        }
    }
    numberAlike(groups);
}

}  // namespace palimpsest::report
