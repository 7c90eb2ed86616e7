// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/config/option_table.h"
#include "engine/run/mask_lens.h"

namespace palimpsest {

/// What the first update on the next batch of a run would do under each mask, and how its weights answer test images:
/// at its checkpoint at or before `at` images, the newest that leaves something to learn where `at` is absent.
///
/// The folder is only read, and its run may be paused or go on meanwhile: another learner is made, takes over the state
/// and is thrown away, so neither weights nor generators nor memory of a run are touched. It goes on as the run does up
/// to the moment at which that would learn, so replayed images, augmentation and the classes of the session are the
/// run's. Images are not mixed (CutMix), and SAM is left out. For a method that replays in batches of their own, their
/// classes are let through, too, but loss and pushes are those of the stream's images; for one that learns from its
/// memory alone, those of the images it draws. Of a method with further terms in its loss (distillation, contrasts,
/// penalties) the plain cross-entropy alone is seen.
///
/// Test images are at most kEarlyImages of the classes that have come before the batch, spread evenly over them.
///
/// Throws Error(Input) for a folder without such a checkpoint, and for a state that belongs to other data, weights,
/// settings or another build, and GivenUp where the thread's StopScope asks for it.
MaskLens maskLens(const OptionTable& table, const std::filesystem::path& run, std::optional<std::int64_t> at);

}  // namespace palimpsest
