// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace palimpsest {

/// Writes a data set of a few small pictures a class, with all its classes, in the format of the real one, to
/// `root`/NAME: to try what is meant for the real one. Does nothing where it is there already. Known are cifar100,
/// tinyimagenet, imagenet-r, nch, cub200, imagenet, gtsrb and wikiart, and parts of these; drawn sets need none. Throws
/// Error(Input) for other names and when the files cannot be written.
void makeMiniature(const std::string& dataset, const std::filesystem::path& root);

}  // namespace palimpsest
