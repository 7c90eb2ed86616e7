// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/datasets/idx_files.h"

#include <QDir>
#include <QFileInfo>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

namespace palimpsest::test {

/// Encodes an RGB picture in the format of an ending such as ".png".
inline QByteArray encoded(const cv::Mat& picture, const std::string& ending) {
    cv::Mat bgr;
    if (picture.channels() == 3) cv::cvtColor(picture, bgr, cv::COLOR_RGB2BGR);
    std::vector<std::uint8_t> bytes;
    if (!cv::imencode(ending, bgr.empty() ? picture : bgr, bytes)) qFatal("cannot encode %s", ending.c_str());
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())};
}

/// A picture in which every pixel differs from its neighbours, so that a wrong order shows.
inline cv::Mat gradient(int width, int height) {
    cv::Mat picture(height, width, CV_8UC3);
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            picture.at<cv::Vec3b>(row, column) = {static_cast<std::uint8_t>(30 + row * 7 % 200),
                                                  static_cast<std::uint8_t>(20 + column * 11 % 220),
                                                  static_cast<std::uint8_t>((row + column) * 5 % 250)};
    return picture;
}

/// A colour that identifies a number, such as a label or an index.
inline cv::Scalar colourOf(int number) {
    return {static_cast<double>(number % 256), static_cast<double>(number / 256), 128.0};
}
inline int numberOf(const cv::Mat& picture) {
    const auto pixel = picture.at<cv::Vec3b>(0, 0);
    return pixel[0] + 256 * pixel[1];
}

/// Writes bytes, and creates the parent folders.
inline std::filesystem::path writeDeep(const QString& path, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path).path());
    return writeFile(path, bytes);
}

/// Writes a small picture that encodes `number`. Only lossless formats return it exactly.
inline void writeNumbered(const QString& path, int number, const std::string& ending) {
    writeDeep(path, encoded(cv::Mat(4, 5, CV_8UC3, colourOf(number)), ending));
}

}  // namespace palimpsest::test
