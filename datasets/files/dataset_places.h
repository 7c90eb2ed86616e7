// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace palimpsest {

/// Where the files of a data set may lie.
class DatasetPlaces {
public:
    /// In the root of the request, or dataFolder() where it has none: the data set's own folder, in it each of `below`;
    /// then the root itself, in it each of `below` once more. In that order as a fetch leaves alone what lies in the
    /// root, where files of the same names may be another data set's.
    DatasetPlaces(const DatasetInfo& info, const std::filesystem::path& root, const std::vector<std::string>& below);

    const std::vector<std::filesystem::path>& all() const { return all_; }
    /// Places to look in beyond those.
    void add(std::filesystem::path place);
    /// The first place that holds all of `files`.
    std::filesystem::path holding(const std::vector<std::string>& files) const;
    /// Error(Input): names all places, and what was looked for. The hint is remedyFor(), or `remedy`.
    [[noreturn]] void notFound(const std::string& wanted, const std::string& remedy = {}) const;

private:
    DatasetInfo info_;
    std::filesystem::path base_;
    std::vector<std::filesystem::path> all_;
};

/// How sentences call the option that names the folder of an experiment's data.
inline constexpr const char* kRootOption = "Data folder (stream.root)";

/// What to do when files of a data set are missing: install the package (where there is one), fetch it or ask its
/// makers.
std::string remedyFor(const DatasetInfo& info, const std::string& package = {});
/// The same for a data set that kRootOption does not count for.
std::string withoutRootAdvice(std::string hint);

}  // namespace palimpsest
