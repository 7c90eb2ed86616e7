// SPDX-License-Identifier: GPL-3.0-or-later
// The module behind engine/camera/camera_module.h. It needs nothing of the program that loads it.
#include <memory>
#include <opencv2/videoio.hpp>
#include <string>

#include "engine/camera/camera_module.h"
#include "engine/support/module_stamp.h"

namespace {

// Programs read it in the file before they load it.
[[gnu::used]] const char kMark[] = PALIMPSEST_CAMERA_MARK PALIMPSEST_MODULE_STAMP " ";

class CapturedVideo : public palimpsest::VideoReader {
public:
    bool open(const std::string& file, int backend) override { return capture_.open(file, backend); }
    bool isOpen() const override { return capture_.isOpened(); }
    bool read(cv::Mat& picture) override { return capture_.read(picture); }
    double property(int which) const override { return capture_.get(which); }

private:
    cv::VideoCapture capture_;
};

std::unique_ptr<palimpsest::VideoReader> makeReader() {
    return std::make_unique<CapturedVideo>();
}

}  // namespace

extern "C" [[gnu::visibility("default")]] const palimpsest::CameraTable* palimpsestCamera() {
    static const palimpsest::CameraTable table{&makeReader};
    return &table;
}
