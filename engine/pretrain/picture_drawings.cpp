// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pretrain/picture_drawings.h"

#include <map>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "engine/pretrain/files_below.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr int kLongestSide = 38;

/// RGBA, colours times coverage, as floats of 0..255.
cv::Mat premultiplied(const cv::Mat& picture) {
    cv::Mat rgba;
    if (picture.channels() == 1)
        cv::cvtColor(picture, rgba, cv::COLOR_GRAY2RGBA);
    else
        cv::cvtColor(picture, rgba, picture.channels() == 3 ? cv::COLOR_BGR2RGBA : cv::COLOR_BGRA2RGBA);
    rgba.convertTo(rgba, CV_32FC4, rgba.depth() == CV_16U ? 1 / 257.0 : 1.0);
    for (int y = 0; y < rgba.rows; ++y)
        for (int x = 0; x < rgba.cols; ++x) {
            auto& pixel = rgba.at<cv::Vec4f>(y, x);
            for (int k = 0; k < 3; ++k) pixel[k] *= pixel[3] / 255;
        }
    return rgba;
}

/// The smallest box that holds all that covers the ground.
cv::Rect covered(const cv::Mat& rgba) {
    cv::Mat coverage;
    cv::extractChannel(rgba, coverage, 3);
    cv::Mat seen = coverage > 8;
    return cv::boundingRect(seen);
}

cv::Mat readDrawing(const std::filesystem::path& file) {
    cv::Mat picture;
    try {
        picture = cv::imread(file.string(), cv::IMREAD_UNCHANGED);
    } catch (const cv::Exception& error) {
        if (error.code == cv::Error::StsNoMem) throw;
        picture.release();
    }
    if (picture.empty() || (picture.depth() != CV_8U && picture.depth() != CV_16U) || picture.channels() == 2 ||
        picture.channels() > 4)
        throw inputError("The picture " + file.string() + " cannot be read.", "Delete it, or make the folder again.");
    cv::Mat rgba = premultiplied(picture);
    const cv::Rect box = covered(rgba);
    if (box.empty()) return {};
    rgba = rgba(box);
    const double scale = static_cast<double>(kLongestSide) / std::max(box.width, box.height);
    const cv::Size size(std::max(1, cvRound(box.width * scale)), std::max(1, cvRound(box.height * scale)));
    cv::Mat small;
    cv::resize(rgba, small, size, 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
    cv::Mat square(kDrawingSide, kDrawingSide, CV_8UC4, cv::Scalar(0, 0, 0, 0));
    small.convertTo(
        square(cv::Rect((kDrawingSide - size.width) / 2, (kDrawingSide - size.height) / 2, size.width, size.height)),
        CV_8UC4);
    return square;
}

}  // namespace

std::vector<Drawing> readPictures(const std::filesystem::path& folder, std::int32_t& classes,
                                  const std::function<bool()>& stopping) {
    std::map<std::filesystem::path, std::int32_t> labels;
    std::vector<Drawing> all;
    for (const auto& file : filesBelow(folder, {".png", ".jpg"})) {
        if (stopping()) return {};
        cv::Mat pixels = readDrawing(file);
        if (pixels.empty()) continue;
        const auto label = labels.emplace(file.parent_path(), static_cast<std::int32_t>(labels.size())).first->second;
        all.push_back({std::move(pixels), Drawing::Kind::Colours, true, {-1, -1, -1, -1, label}});
    }
    if (labels.size() < 2)
        throw inputError("The folder " + folder.string() + " holds pictures of fewer than two classes.",
                         "Give a folder with a folder of pictures (.png, .jpg) for each class.");
    classes = static_cast<std::int32_t>(labels.size());
    return all;
}

}  // namespace palimpsest
