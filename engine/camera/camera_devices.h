// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "engine/run/camera_service.h"

namespace palimpsest {

/// Where the system lists its cameras (Video4Linux): a folder for each with its name, and the devices.
struct CameraPlaces {
    std::filesystem::path list = "/sys/class/video4linux";
    std::filesystem::path devices = "/dev";
    /// Whether a device takes pictures, as opposed to those for their descriptions or for output. One that the user may
    /// not open, or that is busy, counts: opening it says so.
    std::function<bool(const std::filesystem::path& device)> takes_pictures;
};

/// The system's own.
CameraPlaces systemCameras();
/// The cameras of these places in the order of their numbers, at most 64; names that several have are followed by the
/// device. Throws nothing: a folder that is not there holds none.
std::vector<CameraChoice> listCameras(const CameraPlaces& places);

}  // namespace palimpsest
