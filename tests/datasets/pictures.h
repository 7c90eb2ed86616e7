// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

#include <atomic>
#include <opencv2/core.hpp>
#include <thread>
#include <vector>

namespace palimpsest::test {

inline bool same(const cv::Mat& a, const cv::Mat& b) {
    return a.size() == b.size() && a.type() == b.type() && cv::norm(a, b, cv::NORM_INF) == 0;
}

/// Mean difference of two pictures' values, 0..1.
inline double difference(const cv::Mat& a, const cv::Mat& b) {
    return cv::norm(a, b, cv::NORM_L1) / 255.0 /
           static_cast<double>(a.total() * static_cast<std::size_t>(a.channels()));
}

/// Number of pictures that differ between four threads, reading all of them at once, and a single thread.
inline int differencesAcrossThreads(const ImageTable& table) {
    std::vector<cv::Mat> alone;
    for (std::int64_t i = 0; i < table.size(); ++i) alone.push_back(table.image(i));
    std::atomic<int> different{0};
    {
        std::vector<std::jthread> readers;
        for (std::int64_t reader = 0; reader < 4; ++reader)
            readers.emplace_back([&, reader] {
                for (std::int64_t i = 0; i < table.size(); ++i) {
                    const std::int64_t at = (i + reader * table.size() / 4) % table.size();
                    if (!same(table.image(at), alone[static_cast<std::size_t>(at)])) ++different;
                }
            });
    }
    return different;
}

/// Share of `test` that a nearest class mean of `train` classifies correctly, both as float vectors.
inline double nearestMeanAccuracy(const ImageTable& train, const ImageTable& test, std::size_t classes) {
    const auto vectorOf = [](const cv::Mat& picture) {
        cv::Mat values;
        picture.reshape(1, 1).convertTo(values, CV_32F, 1 / 255.0);
        return values;
    };
    std::vector<cv::Mat> sums(classes);
    std::vector<double> counts(classes, 0);
    for (std::int64_t i = 0; i < train.size(); ++i) {
        const auto label = static_cast<std::size_t>(train.labels()[static_cast<std::size_t>(i)]);
        const cv::Mat values = vectorOf(train.image(i));
        if (sums[label].empty()) sums[label] = cv::Mat::zeros(values.size(), CV_32F);
        sums[label] += values;
        counts[label] += 1;
    }
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < test.size(); ++i) {
        const cv::Mat values = vectorOf(test.image(i));
        std::size_t best = 0;
        double nearest = 1e300;
        for (std::size_t c = 0; c < classes; ++c) {
            const double distance = cv::norm(values, sums[c] / counts[c]);
            if (distance < nearest) {
                nearest = distance;
                best = c;
            }
        }
        right += static_cast<std::int32_t>(best) == test.labels()[static_cast<std::size_t>(i)] ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(test.size());
}

}  // namespace palimpsest::test
