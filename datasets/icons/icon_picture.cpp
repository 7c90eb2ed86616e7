// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/icons/icon_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace palimpsest {
namespace {

/// Factor by which an icon is drawn larger before pixels are averaged.
constexpr int kIconOversampling = 2;
/// Smallest distance in brightness, of 255, between an icon and its ground. With less, white icons are lost on white.
constexpr double kIconContrast = 55;
/// Smallest and largest share of the picture's side that an icon's longer side takes.
constexpr double kSmallestIcon = 0.62;
constexpr double kLargestIcon = 0.94;

using Rgb = std::array<double, 3>;

double brightnessOfRgb(const Rgb& rgb) {
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
}

/// Mean colour of what an icon covers.
Rgb meanColour(const cv::Mat& drawing) {
    const cv::Scalar sums = cv::sum(drawing);
    const double covered = std::max(1.0, sums[3]) / 255;
    return {sums[2] / covered, sums[1] / covered, sums[0] / covered};
}

/// Ground behind an icon: a colour with a slope and waves.
struct IconGround {
    Rgb colour{};
    Rgb slope_x{}, slope_y{};  ///< of 255, over a whole side
    double wave = 0, wave_x = 0, wave_y = 0, phase = 0;

    IconGround(double iconBrightness, Random& random) {
        do {
            for (double& channel : colour) channel = random.uniform(15, 240);
        } while (std::abs(brightnessOfRgb(colour) - iconBrightness) < kIconContrast);
        for (std::size_t k = 0; k < 3; ++k) {
            slope_x[k] = random.uniform(-50, 50);
            slope_y[k] = random.uniform(-50, 50);
        }
        wave = random.uniform(0, 16);
        wave_x = random.uniform(-3, 3);
        wave_y = random.uniform(-3, 3);
        phase = random.uniform();
    }

    /// At a place from -0.5 to 0.5.
    Rgb at(double x, double y) const {
        const double uneven = wave * std::sin(2 * CV_PI * (wave_x * x + wave_y * y + phase));
        Rgb out{};
        for (std::size_t k = 0; k < 3; ++k) out[k] = colour[k] + slope_x[k] * x + slope_y[k] * y + uneven;
        return out;
    }
};

/// The drawing at its place in the picture, kIconSide pixels wide, colours multiplied by coverage.
cv::Mat placedIcon(const cv::Mat& drawing, Random& random) {
    const int large = kIconSide * kIconOversampling;
    const double size = random.uniform(kSmallestIcon, kLargestIcon) * large;
    const double stretch = random.uniform(0.93, 1.07);
    const double turn = random.uniform(-0.21, 0.21);
    const double scale = size / std::max(drawing.cols, drawing.rows);
    const cv::Matx22d map(scale * stretch * std::cos(turn), -scale / stretch * std::sin(turn),
                          scale * stretch * std::sin(turn), scale / stretch * std::cos(turn));
    const double width = std::abs(map(0, 0)) * drawing.cols + std::abs(map(0, 1)) * drawing.rows;
    const double height = std::abs(map(1, 0)) * drawing.cols + std::abs(map(1, 1)) * drawing.rows;
    // An icon leaves the picture by a pixel at most, with the empty corners of its frame.
    const double x = large / 2.0 + random.uniform(-0.5, 0.5) * std::max(2.0, large - width);
    const double y = large / 2.0 + random.uniform(-0.5, 0.5) * std::max(2.0, large - height);
    const double middleX = drawing.cols / 2.0 - 0.5;
    const double middleY = drawing.rows / 2.0 - 0.5;
    const cv::Matx23d place(map(0, 0), map(0, 1), x - 0.5 - map(0, 0) * middleX - map(0, 1) * middleY,  //
                            map(1, 0), map(1, 1), y - 0.5 - map(1, 0) * middleX - map(1, 1) * middleY);
    cv::Mat canvas;
    cv::warpAffine(drawing, canvas, place, {large, large}, cv::INTER_LINEAR, cv::BORDER_CONSTANT, cv::Scalar::all(0));
    cv::Mat small;
    cv::resize(canvas, small, {kIconSide, kIconSide}, 0, 0, cv::INTER_AREA);
    return small;
}

}  // namespace

cv::Mat renderIcon(const cv::Mat& drawing, Random& random) {
    const cv::Mat icon = placedIcon(drawing, random);
    const double light = random.uniform(0.8, 1.15);
    const IconGround ground(std::min(255.0, light * brightnessOfRgb(meanColour(drawing))), random);
    const double noise = random.uniform(2, 12);
    cv::Mat picture(kIconSide, kIconSide, CV_8UC3);
    for (int row = 0; row < kIconSide; ++row) {
        const double y = (row + 0.5) / kIconSide - 0.5;
        for (int column = 0; column < kIconSide; ++column) {
            const double x = (column + 0.5) / kIconSide - 0.5;
            const auto& pixel = icon.at<cv::Vec4b>(row, column);
            const double clear = 1 - pixel[3] / 255.0;
            const Rgb behind = ground.at(x, y);
            auto& out = picture.at<cv::Vec3b>(row, column);
            for (std::size_t k = 0; k < 3; ++k)
                out[static_cast<int>(k)] = cv::saturate_cast<std::uint8_t>(
                    light * pixel[2 - static_cast<int>(k)] + clear * behind[k] + random.uniform(-noise, noise));
        }
    }
    return picture;
}

}  // namespace palimpsest
