// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "engine/camera/camera_devices.h"
#include "engine/run/camera_service.h"

namespace palimpsest {

class PictureSource;

/// How a camera is opened; for tests.
using OpenPictures = std::function<std::unique_ptr<PictureSource>(const CameraChoice&)>;

/// The cameras of this computer, and video files, through OpenCV. One thread opens, reads and closes, one camera at a
/// time; the destructor waits for it, which takes as long as the camera's driver takes for one picture.
std::shared_ptr<const CameraService> makeCameraService();
std::shared_ptr<const CameraService> makeCameraService(const CameraPlaces& places, OpenPictures open);

}  // namespace palimpsest
