// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/support/file_io.h"

namespace palimpsest {

/// Reads TOML. Missing keys take their defaults. Throws Error(Input) that names file, line, key and, for an unknown
/// key, the nearest known one.
Experiment parseExperiment(const OptionTable& table, std::string_view toml, const std::string& origin);
/// The same of a file; a relative stream.index_list starts at its folder and becomes absolute. Without a name the
/// experiment of a file that the user named is called after it, see nameAfter().
Experiment readExperiment(const OptionTable& table, const std::filesystem::path& file,
                          FilePlace place = FilePlace::Named);

/// TOML with every key written out, in the order of the table. parse(format(e)) == e.
std::string formatExperiment(const OptionTable& table, const Experiment& experiment);
/// The same for a file in that folder: a stream.index_list there or below is named relative to it, so that the two can
/// move together.
std::string formatExperiment(const OptionTable& table, const Experiment& experiment,
                             const std::filesystem::path& folder);
/// Written aside, renamed, and on the disk with its name when it returns; its text is formatExperiment() for its
/// folder.
void writeExperiment(const OptionTable& table, const Experiment& experiment, const std::filesystem::path& file,
                     FilePlace place = FilePlace::Named);

/// Name of an experiment that has none, after its file: "mine" of "mine.palimpsest.toml". Empty where the file's
/// name is none.
std::string nameAfter(const std::filesystem::path& file);

struct Preset {
    std::string name;     ///< "default", "no-mask", "as-published/er", ...
    std::string title;    ///< the `name` of the experiment
    std::string summary;  ///< the first comment line of the file
    std::filesystem::path file;

    /// Below a folder of its own, which stands behind the others in lists.
    bool grouped() const { return name.find('/') != std::string::npos; }
};

/// "default" first, those of folders last.
std::vector<Preset> listPresets();
/// Has a slash or the ending of a file: no preset outside a folder is called like this.
bool isPath(const std::string& name);
/// A path to a file or to a run folder (its experiment.toml), or the name of a preset. An unknown name lists the
/// presets.
Experiment loadExperiment(const OptionTable& table, const std::string& fileOrPreset);

}  // namespace palimpsest
