// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pretrain/formula_images.h"

#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <opencv2/imgproc.hpp>
#include <thread>

#include "datasets/drawn/contours.h"
#include "datasets/drawn/fractals.h"
#include "engine/data/picture_tensor.h"

namespace palimpsest {
namespace {

enum ImagePurpose : std::uint64_t { kRender = 11, kPick = 12, kAugment = 13 };

}  // namespace

FormulaImages::FormulaImages(std::int64_t fractals, std::int64_t contours, std::int64_t instances, std::uint64_t seed,
                             int size, int threads, const std::function<bool()>& stopping)
    : classes_(fractals + contours),
      instances_(instances),
      seed_(seed),
      side_(size),
      images_(static_cast<std::size_t>(classes_ * instances)) {
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> ended{false};
    const auto render = [&] {
        for (std::int64_t label = next++; label < classes_; label = next++) {
            const FractalSystem fractal = label < fractals ? fractalClass(seed, label) : FractalSystem{};
            const ContourSystem contour = label < fractals ? ContourSystem{} : contourClass(seed, label - fractals);
            for (std::int64_t i = 0; i < instances; ++i) {
                if (stopping()) ended = true;
                if (ended) return;
                const std::uint64_t instance = Random(seed, kRender, label, i).longWord();
                images_[static_cast<std::size_t>(label * instances + i)] =
                    label < fractals ? renderFractal(fractal, instance, size) : renderContour(contour, instance, size);
            }
        }
    };
    std::exception_ptr thrown;
    std::mutex guard;
    const auto work = [&] {
        try {
            render();
        } catch (...) {
            ended = true;
            const std::lock_guard lock(guard);
            if (!thrown) thrown = std::current_exception();
        }
    };
    std::vector<std::jthread> pool;
    for (int t = 0; t < std::max(1, threads); ++t) pool.emplace_back(work);
    pool.clear();
    if (thrown) std::rethrow_exception(thrown);
    if (ended) {
        images_.clear();
        return;
    }

    double sum = 0, squares = 0, count = 0;
    for (const cv::Mat& image : images_)
        for (int y = 0; y < image.rows; ++y)
            for (int x = 0; x < image.cols; ++x) {
                const double value = image.at<std::uint8_t>(y, x) / 255.0;
                sum += value;
                squares += value * value;
                ++count;
            }
    mean_ = static_cast<float>(sum / count);
    deviation_ = static_cast<float>(std::sqrt(std::max(1e-6, squares / count - (sum / count) * (sum / count))));
}

cv::Mat FormulaImages::augmented(const cv::Mat& image, Random& random) const {
    const double angle = strength_ * random.uniform(-0.35, 0.35), shear = strength_ * random.uniform(-0.2, 0.2);
    const double scale = 1 + strength_ * random.uniform(-0.25, 0.25),
                 aspect = 1 + strength_ * random.uniform(-0.15, 0.18);
    const double flip = random.uniform() < 0.5 ? -1 : 1;
    const double c = std::cos(angle), s = std::sin(angle), half = (side_ - 1) / 2.0, shift = strength_ * side_ / 10.0;
    const double a = flip * scale * aspect * c, b = scale * (shear * c - s), d = flip * scale * aspect * s,
                 e = scale * (shear * s + c);
    const cv::Matx23d map(a, b, half - a * half - b * half + random.uniform(-shift, shift), d, e,
                          half - d * half - e * half + random.uniform(-shift, shift));
    cv::Mat moved;
    cv::warpAffine(image, moved, map, {side_, side_}, cv::INTER_LINEAR, cv::BORDER_CONSTANT, 0);

    const double gain = random.uniform(0.55, 1.25), noise = random.uniform() < 0.5 ? random.uniform(0, 20) : 0;
    const bool tinted = random.uniform() < 0.2;
    double tint[3] = {gain, gain, gain};
    if (tinted)
        for (double& t : tint) t *= random.uniform(0.5, 1.1);
    cv::Mat rgb(side_, side_, CV_8UC3);
    for (int y = 0; y < side_; ++y) {
        const std::uint8_t* in = moved.ptr<std::uint8_t>(y);
        std::uint8_t* out = rgb.ptr<std::uint8_t>(y);
        for (int x = 0; x < side_; ++x) {
            // The sum of four bytes is close enough to a normal draw here and many times cheaper.
            double n = 0;
            if (noise > 0) {
                const std::uint32_t w = random.word();
                n = noise * ((w & 255) + (w >> 8 & 255) + (w >> 16 & 255) + (w >> 24) - 510.0) / 147.8;
            }
            for (int k = 0; k < 3; ++k)
                out[3 * x + k] = static_cast<std::uint8_t>(std::clamp(in[x] * tint[k] + n, 0.0, 255.0));
        }
    }
    return rgb;
}

std::pair<Tensor, Tensor> FormulaImages::batch(std::int64_t step, std::int64_t count) const {
    Tensor bytes = at::empty({count, 3, side_, side_}, at::kByte), labels = at::empty({count}, at::kLong);
    Random pick(seed_, kPick, step);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto index = static_cast<std::int64_t>(pick.below(images_.size()));
        Random random(seed_, kAugment, step, i);
        storeImage(bytes, i, augmented(image(index), random));
        labels.data_ptr<std::int64_t>()[i] = label(index);
    }
    return {bytes, labels};
}

}  // namespace palimpsest
