// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/camera_service.h"

namespace palimpsest::testing {

/// Cameras without devices: the test says what they see and how they fail. One thread, but for cameras().
class ScriptedCameras : public CameraService {
public:
    std::vector<CameraChoice> cameras() const override {
        const std::lock_guard lock(mutex_);
        return list_;
    }
    void setCameras(std::vector<CameraChoice> list) {
        const std::lock_guard lock(mutex_);
        list_ = std::move(list);
    }
    std::unique_ptr<Camera> open(const CameraChoice& choice, int side, std::function<void()> news) const override {
        side_ = side;
        opened_.push_back(choice.file.string());
        news_ = std::move(news);
        content_ = {};
        ++open_;
        return std::make_unique<Look>(*this);
    }

    /// A picture whose left half has this colour, and whose right half is black.
    void show(const QColor& colour) const {
        content_.frame = CameraFrame{picture(colour, 2 * side_), picture(colour, side_)};
        tell();
    }
    void say(const std::string& message, const std::string& hint, bool ended) const {
        content_.message = message;
        content_.hint = hint;
        content_.ended = ended;
        tell();
    }
    int openNow() const { return open_; }
    /// Files of what was opened, in turn.
    const std::vector<std::string>& opened() const { return opened_; }

private:
    class Look : public Camera {
    public:
        explicit Look(const ScriptedCameras& owner) : owner_(owner) {}
        ~Look() override {
            --owner_.open_;
            owner_.news_ = nullptr;
        }
        CameraNews take() override { return std::exchange(owner_.content_, {}); }

    private:
        const ScriptedCameras& owner_;
    };

    static Thumbnail picture(const QColor& colour, int side) {
        Thumbnail thumbnail;
        thumbnail.size = side;
        thumbnail.rgb.resize(std::size_t(3) * std::size_t(side) * std::size_t(side));
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side / 2; ++x) {
                const auto at = std::size_t(3) * std::size_t(y * side + x);
                thumbnail.rgb[at] = static_cast<std::uint8_t>(colour.red());
                thumbnail.rgb[at + 1] = static_cast<std::uint8_t>(colour.green());
                thumbnail.rgb[at + 2] = static_cast<std::uint8_t>(colour.blue());
            }
        return thumbnail;
    }
    void tell() const {
        if (news_) news_();
    }

    mutable std::mutex mutex_;
    std::vector<CameraChoice> list_{{"Front", "/dev/video0"}, {"Back", "/dev/video2"}};
    mutable int side_ = 0, open_ = 0;
    mutable std::vector<std::string> opened_;
    mutable std::function<void()> news_;
    mutable CameraNews content_;
};

}  // namespace palimpsest::testing
