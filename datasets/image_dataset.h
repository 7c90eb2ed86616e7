// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <span>
#include <string>
#include <vector>

namespace palimpsest {

/// Images with labels, addressed by position. Implementations are immutable and safe to read from several threads.
class ImageTable {
public:
    virtual ~ImageTable() = default;
    virtual std::int64_t size() const = 0;
    /// Raw labels in data set order.
    virtual std::span<const std::int32_t> labels() const = 0;
    /// 8-bit picture, CV_8UC1 or CV_8UC3 in RGB order, any size. Throws Error(Input) when it cannot be decoded.
    virtual cv::Mat image(std::int64_t index) const = 0;
};

struct ImageDataset {
    std::string name;                       ///< "fashion-mnist"
    std::string title;                      ///< "Fashion-MNIST"
    std::vector<std::string> class_names;   ///< by raw label
    std::array<float, 3> mean{};            ///< per channel (RGB), of values in 0..1
    std::array<float, 3> deviation{};
    std::shared_ptr<const ImageTable> train;
    std::shared_ptr<const ImageTable> test;
};

/// How to open a data set. Procedural ones are made from `classes` and `seed`; the others ignore both.
struct DatasetRequest {
    std::string name;
    std::filesystem::path root{};           ///< empty: the catalogue's places (environment, then Debian's package)
    std::int64_t classes = 0;               ///< 0: the data set's own number
    std::uint64_t seed = 1;
    std::int64_t train_limit = 0;           ///< keep the first so many; 0: all
    std::int64_t test_limit = 0;
};

struct DatasetInfo {
    std::string name;
    std::string title;
    std::string summary;                    ///< one sentence
    std::string origin;                     ///< who made it, where from
    std::string licence;
    std::int64_t classes = 0;
    std::int64_t train = 0;
    std::int64_t test = 0;
    bool procedural = false;
};

const std::vector<DatasetInfo>& datasetCatalogue();

/// Throws Error(Input): unknown name (with the known ones), missing files (with the package to install or the folder to
/// give), truncated or corrupt files (with file, what was expected and what was found).
ImageDataset openDataset(const DatasetRequest& request);
/// Labels and class names without reading or making any image.
struct LabelsOnly {
    std::string title;
    std::vector<std::string> class_names;
    std::vector<std::int32_t> train;
    std::vector<std::int32_t> test;
};
LabelsOnly openLabels(const DatasetRequest& request);

}  // namespace palimpsest
