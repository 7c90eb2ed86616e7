// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "datasets/fetching/fetch.h"
#include "datasets/files/file_content.h"

namespace palimpsest {

/// Folder of a data set's files, existing or not: root/NAME, or `root` itself if it has some of them or that name. An
/// empty root is dataFolder().
std::filesystem::path datasetFolder(const DatasetInfo& info, const std::filesystem::path& root);

/// Folder that a fetch fills: the same, but never one with files of another size that is not named after the data set.
/// They may belong to another: MNIST and Fashion-MNIST have the same file names.
std::filesystem::path folderToFill(const DatasetInfo& info, const std::filesystem::path& root);

/// True if the folder is named after the data set, so that its files belong to no other.
bool hasNameOf(const DatasetInfo& info, const std::filesystem::path& folder);

/// True if anything has this name.
bool pathExists(const std::filesystem::path& path);
std::filesystem::path partOf(const std::filesystem::path& file);

/// Status from names, sizes and unpacked files; reads no content.
DatasetFileStatus quickStatus(const DatasetInfo& info, const DatasetFile& file, const std::filesystem::path& folder);

/// Sentence about the state, without a full stop: "... is missing in ...".
std::string factOf(const DatasetFileStatus& status, const std::filesystem::path& folder);

/// Status of all files of the data set, in the catalogue's order.
std::vector<DatasetFileStatus> quickStatuses(const DatasetInfo& info, const std::filesystem::path& folder);

/// True if all files of one form are present.
bool isComplete(const DatasetInfo& info, const std::vector<DatasetFileStatus>& statuses);

/// Forms in which a data set is available, the one to fetch first; one empty form if there is only one.
std::vector<std::string> formsOf(const DatasetInfo& info);
/// True if a data set of this form needs the file.
bool belongsTo(const DatasetFile& file, const std::string& form);

/// Fault of a file's content, to follow its name: "has ... where ... is expected", or empty. Absent when stopped.
std::optional<std::string> contentFault(const DatasetFile& expected, const std::filesystem::path& file,
                                        const ByteProgress& progress, std::stop_token stop);

}  // namespace palimpsest
