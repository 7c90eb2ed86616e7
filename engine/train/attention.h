// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/config/option_table.h"
#include "engine/run/attention.h"

namespace palimpsest {

/// How a run's network attends to test image `image` (its place in the test set, from 0) at its checkpoint at or before
/// `at` images, the newest where that is absent: with the prompts that its method chooses for this image there, and
/// without any.
///
/// The folder is only read, and its run may be paused or go on meanwhile: another learner is made, takes over the state
/// and is thrown away. Throws Error(Input) for a folder without such a checkpoint, for an image that is not there or
/// cannot be read, for a method that answers without any network, and for a state that belongs to other data, weights,
/// settings or another build; GivenUp where the thread's StopScope asks for it.
ImageAttention imageAttention(const OptionTable& table, const std::filesystem::path& run, std::int64_t image,
                              std::optional<std::int64_t> at);

}  // namespace palimpsest
