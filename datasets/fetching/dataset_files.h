// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "datasets/fetching/fetch.h"
#include "datasets/files/checksum.h"

namespace palimpsest {

/// Where the files of a data set lie, or would lie: root/NAME, or `root` itself where it has some of them or that name.
/// An empty root is dataFolder().
std::filesystem::path datasetFolder(const DatasetInfo& info, const std::filesystem::path& root);

/// Where a fetch brings them: the same, but never over files of another size in a folder that is not named after the
/// data set. They may be another's: MNIST and Fashion-MNIST call theirs alike.
std::filesystem::path folderToFill(const DatasetInfo& info, const std::filesystem::path& root);

/// Whether the folder is named after the data set, so that what lies in it is nobody else's.
bool hasNameOf(const DatasetInfo& info, const std::filesystem::path& folder);

/// Whether anything has this name.
bool isThere(const std::filesystem::path& path);
std::filesystem::path partOf(const std::filesystem::path& file);

/// From names, sizes and what is unpacked; reads no content.
DatasetFileStatus quickStatus(const DatasetInfo& info, const DatasetFile& file, const std::filesystem::path& folder);

/// The state in words, without an end: "... is missing in ...".
std::string factOf(const DatasetFileStatus& status, const std::filesystem::path& folder);

/// Of all files of the data set, in the catalogue's order.
std::vector<DatasetFileStatus> quickStatuses(const DatasetInfo& info, const std::filesystem::path& folder);

/// Whether everything of one form is there.
bool isComplete(const DatasetInfo& info, const std::vector<DatasetFileStatus>& statuses);

/// The forms a data set comes in, the one to fetch first; one empty form where there is no choice.
std::vector<std::string> formsOf(const DatasetInfo& info);
/// Whether a data set of this form needs the file.
bool belongsTo(const DatasetFile& file, const std::string& form);

/// What is wrong with a file's content, to follow its name: "has ... where ... is expected", or empty. Nothing when it
/// was asked to stop.
std::optional<std::string> contentFault(const DatasetFile& expected, const std::filesystem::path& file,
                                        const ByteProgress& progress, std::stop_token stop);

}  // namespace palimpsest
