// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/drawn_source.h"
#include "engine/support/random.h"

#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace palimpsest {
namespace {

/// Picture size that slopes are given for.
constexpr double kUsualSide = 32;
/// Factor by which outlines are drawn larger before averaging.
constexpr int kOversampling = 4;

struct Colour {
    const char* name;
    std::array<double, 3> rgb;
};
constexpr std::array<Colour, 6> kColours{{{"red", {220, 50, 50}},
                                          {"green", {60, 190, 70}},
                                          {"blue", {60, 90, 225}},
                                          {"yellow", {225, 205, 60}},
                                          {"magenta", {205, 70, 200}},
                                          {"cyan", {60, 200, 210}}}};
constexpr std::array<const char*, 6> kShapes{"circle", "square", "triangle", "star", "cross", "ring"};

struct ShapeClass {
    std::size_t shape, colour;
};

/// Shape and colour of a class. Shapes alternate, colours shift by one each round: neither shape nor colour alone
/// distinguishes ten classes.
ShapeClass shapeClass(std::int64_t label) {
    const auto l = static_cast<std::size_t>(label);
    return {l % kShapes.size(), (l + l / kShapes.size()) % kColours.size()};
}

/// Corners on the unit disc.
std::vector<cv::Point2d> corners(std::size_t shape) {
    if (shape == 4) {
        const double arm = 0.3;
        const double tip = 0.95;
        return {{-arm, -tip}, {arm, -tip}, {arm, -arm}, {tip, -arm}, {tip, arm},   {arm, arm},
                {arm, tip},   {-arm, tip}, {-arm, arm}, {-tip, arm}, {-tip, -arm}, {-arm, -arm}};
    }
    static constexpr std::array<int, 6> kCount{40, 4, 3, 10, 0, 40};
    std::vector<cv::Point2d> out;
    for (int i = 0; i < kCount[shape]; ++i) {
        const double angle = 2 * CV_PI * i / kCount[shape] - CV_PI / (shape == 1 ? 4 : 2);
        const double radius = shape == 3 && i % 2 == 1 ? 0.42 : 1;
        out.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    }
    return out;
}

void fill(cv::Mat& canvas, const std::vector<cv::Point2d>& outline, const cv::Point2d& centre, double radius,
          double angle, double value) {
    std::vector<cv::Point> points;
    for (const auto& p : outline)
        points.emplace_back(cvRound(centre.x + radius * (std::cos(angle) * p.x - std::sin(angle) * p.y)),
                            cvRound(centre.y + radius * (std::sin(angle) * p.x + std::cos(angle) * p.y)));
    cv::fillPoly(canvas, std::vector<std::vector<cv::Point>>{points}, cv::Scalar(value));
}

/// Share of each pixel that the shape covers, 0..1: CV_32FC1 [side, side].
cv::Mat coverage(std::size_t shape, int side, Random& random) {
    const int large = side * kOversampling;
    cv::Mat canvas(large, large, CV_32FC1, cv::Scalar(0));
    const double radius = large * random.uniform(0.22, 0.4);
    const double room = large / 2.0 - radius;
    const cv::Point2d centre(large / 2.0 + room * random.uniform(-0.8, 0.8),
                             large / 2.0 + room * random.uniform(-0.8, 0.8));
    const double angle = random.uniform(-0.4, 0.4);
    fill(canvas, corners(shape), centre, radius, angle, 1);
    if (shape == 5) fill(canvas, corners(0), centre, radius * 0.55, angle, 0);
    cv::Mat small;
    cv::resize(canvas, small, {side, side}, 0, 0, cv::INTER_AREA);
    return small;
}

/// Draws a coloured shape on a dim slope of another hue, with noise.
cv::Mat renderShape(const ShapeClass& drawn, int side, Random& random) {
    const cv::Mat covered = coverage(drawn.shape, side, random);
    const double brightness = random.uniform(0.65, 1.1);
    std::array<double, 3> front{};
    std::array<double, 3> back{};
    for (std::size_t k = 0; k < 3; ++k) {
        front[k] = kColours[drawn.colour].rgb[k] * brightness + random.uniform(-25, 25);
        back[k] = random.uniform(15, 110);
    }
    const double slopeX = random.uniform(-1.2, 1.2) * kUsualSide / side;
    const double slopeY = random.uniform(-1.2, 1.2) * kUsualSide / side;
    const double noise = random.uniform(8, 40);
    cv::Mat picture(side, side, CV_8UC3);
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            const double share = covered.at<float>(row, column);
            const double slope = slopeX * (column - side / 2.0) + slopeY * (row - side / 2.0);
            auto& pixel = picture.at<cv::Vec3b>(row, column);
            for (std::size_t k = 0; k < 3; ++k)
                pixel[static_cast<int>(k)] = cv::saturate_cast<std::uint8_t>(
                    share * front[k] + (1 - share) * (back[k] + slope) + random.uniform(-noise, noise));
        }
    }
    return picture;
}

std::string className(std::int64_t label) {
    const ShapeClass one = shapeClass(label);
    return std::string(kColours[one.colour].name) + " " + kShapes[one.shape];
}

}  // namespace

DatasetSource shapeSource() {
    return drawnSource(
        {.info = {.name = "shapes",
                  .title = "Shapes",
                  .summary = "Coloured shapes on noisy ground, 32 by 32 pixels: small, for a first try and for tests.",
                  .origin = "Drawn by Palimpsest; nothing to download",
                  .licence = "No rights attached: made by formula",
                  .classes = 10,
                  .most_classes = static_cast<std::int64_t>(kColours.size() * kShapes.size())},
         .train_each = 60,
         .test_each = 20,
         .purpose = purpose::kShapeSample,
         // Measured over the training images of all 36 classes, seed 1.
         .statistics = {{0.288F, 0.288F, 0.291F}, {0.192F, 0.176F, 0.189F}},
         .className = className,
         .drawing = [](std::uint64_t, std::int64_t, int side) -> DrawnTable::Draw {
             return [side](std::int32_t label, Random& random) { return renderShape(shapeClass(label), side, random); };
         }});
}

}  // namespace palimpsest
