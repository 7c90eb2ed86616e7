// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/record/run_folder.h"

namespace palimpsest::report {

/// CRC-32C (Castagnoli) of bytes, as RFC 3720 gives it.
std::uint32_t crc32c(std::string_view bytes);

/// A record of an event file: length, masked CRC of the length, bytes, masked CRC of the bytes, all little-endian.
/// Source: TensorFlow, tensorflow/core/lib/io/record_writer.h.
std::string eventRecord(std::string_view bytes);

/// An event with one scalar, as a protobuf message. Source: TensorFlow, core/util/event.proto and
/// core/framework/summary.proto.
std::string scalarEvent(double wallTime, std::int64_t step, std::string_view tag, float value);

/// Writes the event file of a run into `folder`, which must be there, in place of one that was exported before.
/// Returns what eachScalar() does. Throws Error(Input) where it cannot be written.
std::vector<std::string> writeEventFile(const RunRecord& run, const std::filesystem::path& folder);

}  // namespace palimpsest::report
