// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// The preset that a run is named after, and in what the run differs from it.
struct PresetDifferences {
    std::string preset;                 ///< "default"; empty: none has that name, or the run is as its preset
    std::vector<std::string> settings;  ///< "mask.name=none", in the order of the option table; never the seed
};

/// "default: mask.name=none, memory.size=500 and 3 more"; empty where there is nothing to say.
std::string differencesText(const PresetDifferences& differences);

/// The presets, read when the first run is compared.
class KnownPresets {
public:
    /// The table must outlive this.
    explicit KnownPresets(const OptionTable* table) : table_(table) {}

    /// Differences from the preset of the run's name; from the nearest where several share it. Presets that cannot be
    /// read are left out.
    PresetDifferences differencesOf(const Experiment& run);

private:
    struct Known {
        std::string name;
        Experiment experiment;
    };

    const OptionTable* table_;
    bool read_ = false;
    std::vector<Known> presets_;
};

}  // namespace palimpsest
