// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <opencv2/core/mat.hpp>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Labelled pictures made from formulas alone: fractals first, then radial contours. Rendered once and kept as bytes.
class FormulaImages {
public:
    /// Renders the images. Instances of a class differ in one parameter of the formula, rotation and flipping.
    /// `stopping` is called before each image, by any thread; once it returns true, no image is kept. Exceptions of the
    /// threads are rethrown here.
    FormulaImages(
        std::int64_t fractals, std::int64_t contours, std::int64_t instances, std::uint64_t seed, int size, int threads,
        const std::function<bool()>& stopping = [] { return false; });
    /// Sets the strength of the affine maps of batch(): 1 as declared there, 0 none.
    void setAugmentation(double strength) { strength_ = strength; }

    std::int64_t classes() const { return classes_; }
    std::int64_t size() const { return static_cast<std::int64_t>(images_.size()); }
    std::int64_t label(std::int64_t index) const { return index / instances_; }
    const cv::Mat& image(std::int64_t index) const { return images_[static_cast<std::size_t>(index)]; }

    /// Mean and standard deviation of all pixels, 0..1.
    float mean() const { return mean_; }
    float deviation() const { return deviation_; }

    /// One augmented batch, bytes [count, 3, size, size] and labels [count]: random affine map, mirroring, brightness,
    /// a slight tint and noise. Depends on (seed, step) alone.
    std::pair<Tensor, Tensor> batch(std::int64_t step, std::int64_t count) const;

private:
    cv::Mat augmented(const cv::Mat& image, Random& random) const;

    std::int64_t classes_, instances_;
    std::uint64_t seed_;
    int side_;
    double strength_ = 1;
    float mean_ = 0, deviation_ = 1;
    std::vector<cv::Mat> images_;
};

}  // namespace palimpsest
