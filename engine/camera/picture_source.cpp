// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/camera/picture_source.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "engine/camera/camera_module.h"
#include "engine/support/error.h"

#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#endif

namespace palimpsest {
namespace {

constexpr double kUsualRate = 25, kFastestRate = 60;  // pictures a second of a video
constexpr int kMostFailures = 30;                     // of a camera in a row: some give nothing at first
constexpr std::chrono::seconds kLongestSilence{15};   // of a camera, which may take ten for a reading that fails

/// Three channels of 8 bits, whatever the source has. Throws Error.
cv::Mat asColours(const cv::Mat& picture, const std::string& name) {
    if (picture.depth() == CV_8U && static_cast<std::int64_t>(picture.total()) <= PictureSource::kMostPixels) {
        cv::Mat colours;
        if (picture.channels() == 3) return picture;
        if (picture.channels() == 1) {
            cv::cvtColor(picture, colours, cv::COLOR_GRAY2BGR);
            return colours;
        }
        if (picture.channels() == 4) {
            cv::cvtColor(picture, colours, cv::COLOR_BGRA2BGR);
            return colours;
        }
    }
    throw inputError(name + " gives pictures of a kind that is not known (" + std::to_string(picture.cols) + " x " +
                         std::to_string(picture.rows) + " pixels, " + std::to_string(picture.channels()) +
                         " channels).",
                     "Choose another camera or video.");
}

/// What the source announces, before its first picture takes memory. Throws Error.
void checkSize(const VideoReader& reader, const std::string& name) {
    const double width = reader.property(cv::CAP_PROP_FRAME_WIDTH);
    const double height = reader.property(cv::CAP_PROP_FRAME_HEIGHT);
    if (width >= 0 && height >= 0 && width * height <= static_cast<double>(PictureSource::kMostPixels)) return;
    throw inputError(name + " announces pictures of " + std::to_string(static_cast<std::int64_t>(width)) + " x " +
                         std::to_string(static_cast<std::int64_t>(height)) + " pixels, more than any camera has.",
                     "Choose another camera or video.");
}

class DevicePictures : public PictureSource {
public:
    DevicePictures(const CameraChoice& choice, std::unique_ptr<VideoReader> reader)
        : choice_(choice), reader_(std::move(reader)) {
#ifdef __linux__
        const int file = ::open(choice.file.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
        const int fault = file < 0 ? errno : 0;
        if (file >= 0) ::close(file);
        if (fault == EACCES || fault == EPERM)
            throw inputError(choice.name + " may not be used: " + choice.file.string() + " is closed to you.",
                             "Ask for membership of the group that owns it (usually video), and log in again.");
        if (fault == EBUSY) throw busy();
        if (fault != 0) throw gone();
#endif
        if (!reader_->open(choice.file.string(), cv::CAP_V4L2)) throw present() ? busy() : gone();
        checkSize(*reader_, choice.name);
    }

    cv::Mat next() override {
        cv::Mat picture;
        const auto begun = std::chrono::steady_clock::now();
        if (reader_->read(picture) && !picture.empty()) {
            failures_ = 0;
            return asColours(picture, choice_.name);
        }
        if (!present()) throw gone();
        if (failures_++ == 0) silent_since_ = begun;
        if (reader_->isOpen() && failures_ < kMostFailures &&
            std::chrono::steady_clock::now() - silent_since_ < kLongestSilence)
            return {};
        throw inputError(choice_.name + " sends no pictures.",
                         "Close other programs that use it, or unplug it and plug it in again.");
    }

private:
    bool present() const {
        std::error_code fault;
        return std::filesystem::exists(choice_.file, fault);
    }
    Error gone() const {
        return inputError(choice_.name + " is not there any more.", "Plug it in again, or choose another camera.");
    }
    Error busy() const {
        return inputError(choice_.name + " cannot be opened: another program may be using it.",
                          "Close that program, then look again.");
    }

    const CameraChoice choice_;
    const std::unique_ptr<VideoReader> reader_;
    int failures_ = 0;  ///< in a row
    std::chrono::steady_clock::time_point silent_since_;
};

/// A video, from its beginning again when it has come to its end.
class VideoPictures : public PictureSource {
public:
    VideoPictures(const CameraChoice& choice, std::unique_ptr<VideoReader> reader)
        : name_(choice.name), reader_(std::move(reader)) {
        std::error_code fault;
        if (!std::filesystem::is_regular_file(choice.file, fault))
            throw inputError(name_ + (std::filesystem::exists(choice.file, fault) ? " is no file." : " is not there."),
                             "Choose a video file.");
        // A path from the root is never taken for an address or for a pattern of names.
        file_ = std::filesystem::absolute(choice.file).string();
        open();
        checkSize(*reader_, name_);
        announced_ = reader_->property(cv::CAP_PROP_FRAME_COUNT);
        const double rate = reader_->property(cv::CAP_PROP_FPS);
        pace_ = 1 / (rate > 0 ? std::clamp(rate, 1.0, kFastestRate) : kUsualRate);
    }

    cv::Mat next() override {
        cv::Mat picture;
        for (int round = 0; round < 2; ++round) {
            if (reader_->read(picture) && !picture.empty()) {
                ++read_;
                return asColours(picture, name_);
            }
            if (read_ == 0) break;
            if (static_cast<double>(read_) < announced_ * kLeastShare && remark_.empty())
                remark_ = name_ + " seems to be cut short: it holds " + std::to_string(read_) + " of " +
                          std::to_string(static_cast<std::int64_t>(announced_)) + " pictures.";
            read_ = 0;
            open();
        }
        throw inputError(name_ + " holds no picture that can be read.", "Choose another video.");
    }

    double pace() const override { return pace_; }
    std::string remark() const override { return remark_; }

private:
    static constexpr double kLeastShare = 0.75;  // of the announced pictures; some announce a few more than there are

    void open() {
        if (reader_->open(file_, cv::CAP_FFMPEG) || reader_->open(file_, cv::CAP_OPENCV_MJPEG)) return;
        throw inputError(name_ + " cannot be read as a video.", "Choose another file, such as an .avi or an .mp4.");
    }

    const std::string name_;
    const std::unique_ptr<VideoReader> reader_;
    std::string file_, remark_;
    double announced_ = 0, pace_ = 0;
    std::int64_t read_ = 0;
};

Thumbnail thumbnailOf(const cv::Mat& square, int side) {
    cv::Mat small, colours;
    cv::resize(square, small, {side, side}, 0, 0, side < square.cols ? cv::INTER_AREA : cv::INTER_LINEAR);
    cv::cvtColor(small, colours, cv::COLOR_BGR2RGB);
    Thumbnail thumbnail;
    thumbnail.size = side;
    thumbnail.rgb.assign(colours.datastart, colours.dataend);
    return thumbnail;
}

}  // namespace

std::unique_ptr<PictureSource> openPictureSource(const CameraChoice& choice) {
    return openPictureSource(choice, cameraModule());
}

std::unique_ptr<PictureSource> openPictureSource(const CameraChoice& choice, const CameraTable& module) {
    if (choice.video) return std::make_unique<VideoPictures>(choice, module.makeReader());
    return std::make_unique<DevicePictures>(choice, module.makeReader());
}

CameraFrame frameOf(const cv::Mat& picture, int side) {
    const int square = std::min(picture.cols, picture.rows);
    const cv::Mat middle = picture(cv::Rect((picture.cols - square) / 2, (picture.rows - square) / 2, square, square));
    return {thumbnailOf(middle, std::min(square, CameraFrame::kPreview)), thumbnailOf(middle, side)};
}

}  // namespace palimpsest
