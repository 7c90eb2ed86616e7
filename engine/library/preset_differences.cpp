// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/preset_differences.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/config/experiment_differences.h"
#include "engine/config/experiment_file.h"
#include "engine/support/error.h"

namespace palimpsest {

std::string differencesText(const PresetDifferences& differences) {
    constexpr std::size_t kMostSaid = 4;
    if (differences.preset.empty()) return {};
    std::string text = differences.preset;
    for (std::size_t i = 0; i < std::min(differences.settings.size(), kMostSaid); ++i)
        text += (i == 0 ? ": " : ", ") + differences.settings[i];
    const std::size_t more = differences.settings.size() - std::min(differences.settings.size(), kMostSaid);
    return text + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

PresetDifferences KnownPresets::differencesOf(const Experiment& run) {
    if (!std::exchange(read_, true)) {
        try {
            for (const Preset& preset : listPresets())
                presets_.push_back({preset.name, readExperiment(*table_, preset.file)});
        } catch (const Error&) {
            // Those that were read before it remain.
        }
    }
    std::optional<PresetDifferences> nearest;
    for (const Known& preset : presets_) {
        if (preset.experiment.name != run.name) continue;
        PresetDifferences own{preset.name, {}};
        for (const ExperimentDifference& each : experimentDifferences(*table_, preset.experiment, run))
            if (each.option->key != "seed")
                own.settings.push_back(each.option->key + "=" + table_->text(run, *each.option));
        if (!nearest || own.settings.size() < nearest->settings.size()) nearest = std::move(own);
    }
    return nearest && !nearest->settings.empty() ? *nearest : PresetDifferences();
}

}  // namespace palimpsest
