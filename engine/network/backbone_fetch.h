// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "datasets/fetching/fetch.h"
#include "engine/run/backbone_service.h"

namespace palimpsest {

struct BackboneFetchSettings : FetchSource {
    std::filesystem::path folder;  ///< of all backbones; empty: knownBackbonesFolder()
    bool new_file = false;         ///< fetch it anew; another than the first one is right, too
};

struct BackboneFetchOutcome {
    std::filesystem::path file;
    std::string checksum;  ///< "sha256:HEX": published, or that of the first fetch
    bool stopped = false;  ///< what has come is kept, and the next fetch goes on from there
    bool there = false;    ///< it was there already, and is sound
};

/// Fetches the file of a card into FOLDER/NAME/FILE. It is checked before it has that name: its size and checksum,
/// where they are published; else the checksum of the first fetch, which is remembered beside; the digits of its
/// SHA-256 in its name, where PyTorch's hub has put them there; and that it holds a network of the card's shape or
/// kind. An older file stays until then. Throws Error: no address, no network, a full disk, a file that is not the one.
BackboneFetchOutcome fetchBackbone(const BackboneCard& card, const BackboneFetchSettings& settings);

}  // namespace palimpsest
