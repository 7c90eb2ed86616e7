// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// A stream in a JSON file, either written by `palimpsest-cli stream` or only the lists of the sessions.
struct IndexList {
    std::string origin;                                                      ///< the file, for messages
    std::vector<std::vector<std::int64_t>> sessions;                         ///< sample numbers from 0, 1 to 1000 lists
    std::optional<std::vector<std::vector<std::int64_t>>> disjoint_classes;  ///< absent: derived from the labels
    std::optional<std::vector<std::vector<std::int64_t>>> blurry_classes;    ///< absent where disjoint_classes is
    std::string fingerprint;                                                 ///< the file's; may be empty
    std::string labels_fingerprint;                                          ///< the file's; may be empty
};

/// First 16 hex digits of SHA-256 over the labels (little-endian int32); identifies the data set a list was made for.
std::string labelsFingerprint(std::span<const std::int32_t> labels);

/// Parses an index list. Throws Error(Input) that names the file, the position in it and the fault.
IndexList parseIndexList(std::string_view json, const std::string& origin);
IndexList readIndexList(const std::filesystem::path& file);

/// The plan of a list over `settings.classes` classes; the list decides everything else. If it names no classes, those
/// that occur in one session only are disjoint, the others blurry and at home where most of their samples occur (the
/// earliest such session). A sample may occur more than once. Throws Error(Input) that names the position of a sample
/// or class that does not exist, and for class lists that contradict the sessions; a fingerprint that does not match
/// becomes a note of the plan.
StreamPlan importStream(IndexList list, std::span<const std::int32_t> labels, const StreamSettings& settings);

}  // namespace palimpsest
