// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <string>

// OpenCV's video library comes with some 170 others (FFmpeg, GStreamer, GDAL ...), and most people never open a camera.
// So it lies in a module of its own, libpalimpsest-camera.so (engine/camera_module), which the first camera loads.

namespace palimpsest {

/// A cv::VideoCapture. Its calls may take seconds.
class VideoReader {
public:
    virtual ~VideoReader() = default;
    /// Closes what was open before. `backend`: one of cv::VideoCaptureAPIs.
    virtual bool open(const std::string& file, int backend) = 0;
    virtual bool isOpen() const = 0;
    virtual bool read(cv::Mat& picture) = 0;
    /// `which`: one of cv::VideoCaptureProperties; 0 where it is not known.
    virtual double property(int which) const = 0;
};

/// The functions of the module.
struct CameraTable {
    std::unique_ptr<VideoReader> (*makeReader)();
};

/// The name of the one function that the module exports: `const CameraTable* palimpsestCamera()`.
inline constexpr const char* kCameraFunction = "palimpsestCamera";

/// The module that belongs to the program. The first call loads it, which takes some tenths of a second and happens
/// once; a failure is tried again by the next call. Throws Error(Run) where there is no module, where it is of another
/// build, and where a library that it needs is missing.
const CameraTable& cameraModule();
/// That of a file, loaded for good. Throws as cameraModule() does.
const CameraTable& cameraModule(const std::filesystem::path& file);

}  // namespace palimpsest
