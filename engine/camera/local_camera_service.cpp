// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/camera/local_camera_service.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <opencv2/core.hpp>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/camera/picture_source.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

using CameraClock = std::chrono::steady_clock;

/// What the window's side and the service's thread share of an open camera: a mailbox for one frame.
class CameraMailbox {
public:
    CameraMailbox(CameraChoice choice, int side, std::function<void()> news)
        : choice(std::move(choice)), side(side), news_(std::move(news)) {}

    const CameraChoice choice;
    const int side;

    CameraNews take() {
        const std::lock_guard lock(mutex_);
        told_ = false;
        CameraNews news = std::exchange(content_, {});
        content_.ended = news.ended;
        return news;
    }
    /// False: nobody looks any more.
    bool put(CameraFrame frame, const std::string& remark) {
        const std::lock_guard lock(mutex_);
        if (closed_) return false;
        content_.frame = std::move(frame);
        if (!remark.empty() && remark != remark_) content_.message = remark_ = remark;
        tell();
        return true;
    }
    void fail(const std::string& message, const std::string& hint) {
        const std::lock_guard lock(mutex_);
        if (closed_ || content_.ended) return;
        content_.message = message;
        content_.hint = hint;
        content_.ended = true;
        tell();
    }
    /// Nothing is told from now on.
    void close() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
        }
        closing_.notify_all();
    }
    /// Until then, or until nobody looks any more: then false.
    bool waitUntil(CameraClock::time_point then) {
        std::unique_lock lock(mutex_);
        return !closing_.wait_until(lock, then, [this] { return closed_; });
    }
    bool open() {
        const std::lock_guard lock(mutex_);
        return !closed_;
    }

private:
    void tell() {
        if (!std::exchange(told_, true)) news_();
    }

    const std::function<void()> news_;
    std::mutex mutex_;
    std::condition_variable closing_;
    CameraNews content_;
    std::string remark_;
    bool closed_ = false, told_ = false;
};

class LocalCamera : public Camera {
public:
    explicit LocalCamera(std::shared_ptr<CameraMailbox> mailbox) : mailbox_(std::move(mailbox)) {}
    ~LocalCamera() override { mailbox_->close(); }
    CameraNews take() override { return mailbox_->take(); }

private:
    const std::shared_ptr<CameraMailbox> mailbox_;
};

class LocalCameraService : public CameraService {
public:
    LocalCameraService(CameraPlaces places, OpenPictures open) : places_(std::move(places)), open_(std::move(open)) {}
    ~LocalCameraService() override {
        thread_.request_stop();
        const std::lock_guard lock(mutex_);
        if (current_) current_->close();
    }

    std::vector<CameraChoice> cameras() const override { return listCameras(places_); }

    std::unique_ptr<Camera> open(const CameraChoice& choice, int side, std::function<void()> news) const override {
        auto mailbox = std::make_shared<CameraMailbox>(choice, side, std::move(news));
        {
            const std::lock_guard lock(mutex_);
            if (current_) {
                current_->fail("Another camera was opened.", "Open this one again to go on with it.");
                current_->close();
            }
            current_ = next_ = mailbox;
            startThread();
        }
        waiting_.notify_all();
        return std::make_unique<LocalCamera>(std::move(mailbox));
    }

private:
    /// Begins with the first camera: most people never open one.
    void startThread() const {
        if (thread_.joinable()) return;
        try {
            thread_ = std::jthread([this](std::stop_token stop) { work(std::move(stop)); });
        } catch (const std::system_error& error) {
            next_->fail(std::string("The system gives no thread for the camera: ") + error.what() + ".",
                        "Close other programs and try again.");
        }
    }

    void work(std::stop_token stop) const {
        while (true) {
            std::shared_ptr<CameraMailbox> mailbox;
            {
                std::unique_lock lock(mutex_);
                if (!waiting_.wait(lock, stop, [this] { return next_ != nullptr; })) return;
                mailbox = std::exchange(next_, nullptr);
            }
            try {
                watch(*mailbox);
            } catch (const Error& error) {
                mailbox->fail(error.what(), error.hint());
            } catch (const cv::Exception& error) {
                const Error shown = inputError(mailbox->choice.name + " cannot be read: " + error.err + ".",
                                               "Choose another camera or video.");
                mailbox->fail(shown.what(), shown.hint());
            } catch (const std::bad_alloc&) {
                mailbox->fail("There is not enough memory for the pictures of " + mailbox->choice.name + ".",
                              "Close other programs, or choose another camera.");
            } catch (const std::exception& error) {
                const Error shown = inputError(error.what());
                mailbox->fail(shown.what(), "Choose another camera or video.");
            }
        }
    }

    void watch(CameraMailbox& mailbox) const {
        if (!mailbox.open()) return;
        const std::unique_ptr<PictureSource> pictures = open_(mailbox.choice);
        const auto pace =
            std::chrono::duration_cast<CameraClock::duration>(std::chrono::duration<double>(pictures->pace()));
        CameraClock::time_point due = CameraClock::now();
        while (mailbox.open()) {
            const cv::Mat picture = pictures->next();
            if (picture.empty()) continue;
            if (!mailbox.put(frameOf(picture, mailbox.side), pictures->remark())) return;
            if (pace <= CameraClock::duration::zero()) continue;
            // A slow machine shows fewer pictures a second, and does not hurry after those that it missed.
            due = std::max(due + pace, CameraClock::now());
            if (!mailbox.waitUntil(due)) return;
        }
    }

    const CameraPlaces places_;
    const OpenPictures open_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any waiting_;
    mutable std::shared_ptr<CameraMailbox> current_, next_;
    mutable std::jthread thread_;  ///< last: it uses the others
};

}  // namespace

std::shared_ptr<const CameraService> makeCameraService() {
    return makeCameraService(systemCameras(), [](const CameraChoice& choice) { return openPictureSource(choice); });
}

std::shared_ptr<const CameraService> makeCameraService(const CameraPlaces& places, OpenPictures open) {
    return std::make_shared<LocalCameraService>(places, std::move(open));
}

}  // namespace palimpsest
