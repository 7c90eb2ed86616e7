// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/table/image_dataset.h"
#include "datasets/table/source.h"

namespace palimpsest {

/// Many paths in little memory: a million names of 30 bytes take 38 MB.
class PathList {
public:
    void add(std::string_view path) {
        text_ += path;
        ends_.push_back(text_.size());
    }
    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
        return std::string_view(text_).substr(begin, ends_[i] - begin);
    }

private:
    std::string text_;
    std::vector<std::size_t> ends_;
};

/// Labelled picture files below a folder.
struct LabelledFiles {
    std::filesystem::path root;
    PathList files;  ///< relative to `root`
    std::vector<std::int32_t> labels;
    std::int64_t ignored = 0;  ///< files that are skipped because their names are not those of pictures

    void add(std::string_view file, std::int32_t label) {
        files.add(file);
        labels.push_back(label);
    }
    /// Keeps `count` files; 0: all. These are the first ones, or, if the files are sorted by class, the same number of
    /// each class, since the first would all be of one.
    void limitTo(std::int64_t count);
    LabelledFiles at(std::span<const std::int64_t> indices) const;
};

/// Pictures decoded from their files on demand.
class FileTable : public ImageTable {
public:
    explicit FileTable(LabelledFiles files) : files_(std::move(files)) {}

    std::int64_t size() const override { return static_cast<std::int64_t>(files_.labels.size()); }
    std::span<const std::int32_t> labels() const override { return files_.labels; }
    cv::Mat image(std::int64_t index) const override;
    std::string name(std::int64_t index) const override;
    /// Digest of root, names, sizes and times of all files. The first call inspects every file: about a second for
    /// 300,000. GivenUp when the thread's StopScope asks for it; the next call starts again.
    std::string identity() const override;

private:
    std::filesystem::path path(std::int64_t index) const;

    LabelledFiles files_;
    mutable std::mutex identifying_;
    mutable std::string identity_;  ///< empty until first requested
};

struct SeededSplit {
    std::vector<std::int64_t> train, test;
};

enum class SplitOrder {
    Sorted,    ///< both parts in data set order (ImageNet-R, GTSRB, WikiArt)
    Permuted,  ///< both parts in the order drawn, as torch.utils.data.random_split leaves them (CUB)
};

/// Split by torch.randperm(count) with a generator of this seed: the first 80 %, rounded down, train, the rest test.
/// Source: MISA, the loaders of ImageNet-R, GTSRB and CUB-200.
SeededSplit seededSplit(std::int64_t count, std::uint64_t seed, SplitOrder order);

/// Picture files of a data set, found but not decoded.
struct FileListing {
    std::vector<std::string> class_names;
    LabelledFiles train, test;
};

/// Data set source of picture files: `list` finds them, the rest is the same for all.
DatasetSource fileSource(DatasetInfo info, Statistics statistics,
                         std::function<FileListing(const DatasetRequest&)> list);

}  // namespace palimpsest
