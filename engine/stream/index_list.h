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

/// A stream as a JSON file gives it: what `palimpsest-cli stream` writes, or the lists of the sessions alone.
struct IndexList {
    std::string origin;                                                      ///< the file, for messages
    std::vector<std::vector<std::int64_t>> sessions;                         ///< sample numbers from 0, 1 to 1000 lists
    std::optional<std::vector<std::vector<std::int64_t>>> disjoint_classes;  ///< absent: derived from the labels
    std::optional<std::vector<std::vector<std::int64_t>>> blurry_classes;    ///< absent where disjoint_classes is
    std::string fingerprint;                                                 ///< as the file says; may be empty
    std::string labels_fingerprint;                                          ///< the same
};

/// First 16 hex digits of SHA-256 over the labels (little-endian int32): tells which data set a list was made for.
std::string labelsFingerprint(std::span<const std::int32_t> labels);

/// Throws Error(Input) that names the file, the place in it and what is wrong there.
IndexList parseIndexList(std::string_view json, const std::string& origin);
IndexList readIndexList(const std::filesystem::path& file);

/// The plan that a list stands for, over `settings.classes` classes; the list decides everything else. Where it names
/// no classes, those that come in one session only are disjoint, the others blurry and at home where most of their
/// samples come (the earliest such session). A sample may come more than once. Throws Error(Input) that names the place
/// of a sample or class that does not exist, and for class lists that contradict the sessions; a fingerprint that does
/// not fit becomes a note of the plan.
StreamPlan importStream(IndexList list, std::span<const std::int32_t> labels, const StreamSettings& settings);

}  // namespace palimpsest
