// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_needs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "engine/run/dataset_service.h"
#include "engine/support/error.h"
#include "engine/train/experiment_inputs.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Gathers what is missing, and asks for each thing once.
class Needs {
public:
    void ask(const std::string& kind, const std::string& name, const std::string& key, std::size_t line,
             const std::function<void()>& look) {
        const auto [at, fresh] = places_.try_emplace({kind, key}, kThere);
        if (fresh) {
            try {
                look();
            } catch (const Error& error) {
                at->second = needs_.size();
                needs_.push_back({kind, name, error.what(), error.hint()});
                lines_.emplace_back();
            }
        }
        if (at->second != kThere) lines_[at->second].insert(line);
    }

    std::vector<SweepNeed> all() {
        for (std::size_t i = 0; i < needs_.size(); ++i) needs_[i].rows = lines_[i].size();
        return std::move(needs_);
    }

private:
    static constexpr std::size_t kThere = static_cast<std::size_t>(-1);

    std::map<std::pair<std::string, std::string>, std::size_t> places_;
    std::vector<SweepNeed> needs_;
    std::vector<std::set<std::size_t>> lines_;
};

}  // namespace

fs::path promptsState(const fs::path& file) {
    fs::path state = file;
    return state += ".state";
}

bool promptsMade(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored) && !fs::exists(promptsState(file), ignored);
}

Experiment withoutPromptsToCome(const Experiment& experiment) {
    Experiment known = experiment;
    known.initial_session.prompts = "none";
    return known;
}

Experiment sessionData(const OptionTable& table, const Experiment& session) {
    Experiment data = session;
    data.stream = table.defaults().stream;
    const std::string& name = session.initial_session.dataset;
    const std::vector<Choice>& known = table.catalogue().datasets;
    if (std::ranges::any_of(known, [&](const Choice& dataset) { return dataset.value == name; })) {
        data.stream.dataset = name;
        if (name == session.stream.dataset) data.stream.root = session.stream.root;
    } else {
        data.stream.dataset = "folder";
        data.stream.root = name;
    }
    return data;
}

std::vector<SweepNeed> missingInputs(const OptionTable& table, const SweepPlan& plan,
                                     const std::vector<std::size_t>& places) {
    Needs needs;
    const auto askData = [&](const Experiment& experiment, std::size_t line) {
        needs.ask("data set", experiment.stream.dataset, imagesKey(experiment.stream), line,
                  [&] { experimentLabels(experiment); });
    };
    const auto askWeights = [&](const Experiment& experiment, std::size_t line) {
        // Prompts are asked for by themselves.
        const Experiment known = withoutPromptsToCome(experiment);
        needs.ask("weights", known.backbone.weights, known.backbone.weights, line,
                  [&] { requireNamedFiles(table, known); });
    };
    for (const std::size_t place : places) {
        const SweepRun& run = plan.runs[place];
        askWeights(run.experiment, run.line);
        askData(run.experiment, run.line);
        const std::string& prompts = run.experiment.initial_session.prompts;
        if (!run.prompts) {
            if (prompts != "none")
                needs.ask("prompts", prompts, prompts + "\n" + run.experiment.backbone.weights, run.line, [&] {
                    try {
                        requireNamedFiles(table, withoutPromptsToCome(run.experiment));
                    } catch (const Error&) {
                        return;  // the weights are what is missing
                    }
                    requireNamedFiles(table, run.experiment);
                });
        } else if (!promptsMade(prompts)) {
            const Experiment& session = plan.prompts[*run.prompts].experiment;
            askWeights(session, run.line);
            askData(sessionData(table, session), run.line);
        }
    }
    return needs.all();
}

}  // namespace palimpsest
