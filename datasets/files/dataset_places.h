// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace palimpsest {

/// Default folder of data sets: $PALIMPSEST_DATA, or XDG_DATA_HOME/palimpsest/data.
std::filesystem::path dataFolder();

/// Folders that may hold the files of a data set.
class DatasetPlaces {
public:
    /// Folders in the root of the request, or in dataFolder() if it has none: the data set's own folder, in it each of
    /// `below`; then the root itself, in it each of `below` again. The root comes second because a fetch does not touch
    /// files there: they may belong to another data set with the same file names.
    DatasetPlaces(const DatasetInfo& info, const std::filesystem::path& root, const std::vector<std::string>& below);

    const std::vector<std::filesystem::path>& all() const { return all_; }
    /// Adds a folder after those.
    void add(std::filesystem::path place);
    /// The first folder that has all of `files`.
    std::filesystem::path holding(const std::vector<std::string>& files) const;
    /// Throws Error(Input) that names all folders and the files searched for. The hint is remedyFor(), or `remedy`.
    [[noreturn]] void notFound(const std::string& wanted, const std::string& remedy = {}) const;

private:
    DatasetInfo info_;
    std::filesystem::path base_;
    std::vector<std::filesystem::path> all_;
};

/// Name, in messages, of the option for the folder of an experiment's data.
inline constexpr const char* kRootOption = "Data folder (stream.root)";

/// Advice for missing files of a data set: install the packages (if there are some), fetch it or ask its makers.
std::string remedyFor(const DatasetInfo& info, const std::string& packages = {});
/// Advice for a data set that packages install in `system`, and that is not in the folder named in kRootOption, where
/// alone it was looked for. `packages`: those that `system` lacks; empty: it holds the data set.
std::string remedyForRoot(const std::filesystem::path& system, const std::string& packages);
/// The advice of remedyFor() without kRootOption, for a data set that this option does not apply to.
std::string withoutRootAdvice(std::string hint);

}  // namespace palimpsest
