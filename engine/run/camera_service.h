// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/run_events.h"

namespace palimpsest {

/// A camera of this computer, or a file that stands for one.
struct CameraChoice {
    std::string name;            ///< "Integrated Camera"; one plain line
    std::filesystem::path file;  ///< "/dev/video0", or the video
    bool video = false;          ///< a file, which is shown again and again at its own pace
};

/// What a camera saw at one moment: the middle square of its picture, not mirrored.
struct CameraFrame {
    static constexpr int kPreview = 480;  ///< pixels of the preview's sides at most

    Thumbnail preview;
    Thumbnail picture;  ///< each pixel the mean of the area it stands for
};

struct CameraNews {
    std::optional<CameraFrame> frame;  ///< the newest that was not taken yet
    std::string message, hint;         ///< one sentence each, about what went wrong; may be empty
    bool ended = false;                ///< nothing comes after this, and the message says why
};

/// A camera that is being looked through. Belongs to one thread.
class Camera {
public:
    /// Returns at once, and nothing is reported after it; the device is closed a moment later.
    virtual ~Camera() = default;
    /// Empties the mailbox, which holds one frame. Never blocks.
    virtual CameraNews take() = 0;
};

/// Cameras for the window, which links no OpenCV.
class CameraService {
public:
    virtual ~CameraService() = default;
    /// Those that can be seen now, in the order of their numbers. May take a moment; any thread.
    virtual std::vector<CameraChoice> cameras() const = 0;
    /// Returns at once: opening may take seconds, and how it ends is news. A camera that was opened before ends.
    /// `side`: pixels of the pictures. `news`: take() has something to say; called on a thread of the service, and
    /// must not wait for the camera's own.
    virtual std::unique_ptr<Camera> open(const CameraChoice& choice, int side, std::function<void()> news) const = 0;
};

}  // namespace palimpsest
