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
    /// Name by which the user can find an image: its file, or its position in the data set.
    virtual std::string name(std::int64_t index) const { return "image " + std::to_string(index); }
    /// Identity that changes whenever a picture may have changed (names, sizes and times of the files). Empty: pictures
    /// are in memory or drawn, and gain nothing from a cache of decoded ones.
    virtual std::string identity() const { return {}; }
};

/// First transform that the official loader applies to a stored picture (MISA, datasets/*.py and
/// datasets/data_loader.py). Sizes are for a network of 224 pixels, and in proportion for others.
enum class LoadShape {
    Native,           ///< as stored; the batch is resized (CIFAR, MNIST, NCH)
    Square,           ///< resized to the network's side when loaded (names with "imagenet" or "cub")
    ShortSideCrop,    ///< short side to 256, then a random 224 crop, for train and test (ImageNet-R, GTSRB, WikiArt)
    ShortSideCentre,  ///< the same with the crop at the centre: test images of these unless the published crop is asked
};

struct ImageDataset {
    std::string name;                      ///< "fashion-mnist"
    std::string title;                     ///< "Fashion-MNIST"
    std::vector<std::string> class_names;  ///< by raw label
    std::array<float, 3> mean{};           ///< per channel (RGB), of values in 0..1
    std::array<float, 3> deviation{};
    LoadShape load_shape = LoadShape::Native;
    std::string augment_policy;  ///< AutoAugment policy the official code picks by name: "cifar10", "imagenet", "svhn",
                                 ///< or empty
    std::shared_ptr<const ImageTable> train;
    std::shared_ptr<const ImageTable> test;
    std::filesystem::path folder{};  ///< of its files; empty: unknown
    /// Test images, by position, for which a run records how sure it is of their classes: few.
    std::vector<std::int64_t> watched{};
};

/// Request to open a data set. Procedural ones are made from `classes` and `seed`; the others ignore both.
struct DatasetRequest {
    std::string name;
    std::filesystem::path root{};  ///< empty: the catalogue's folders (environment, then Debian's package)
    std::int64_t classes = 0;      ///< 0: the data set's own number
    std::uint64_t seed = 1;
    std::int64_t train_limit = 0;  ///< number of samples to keep, from the first; 0: all
    std::int64_t test_limit = 0;
    int side = 0;                  ///< procedural ones only: pixels of a side to draw; 0: 32
    std::int64_t train_each = 0;   ///< procedural ones only: training images a class; 0: its own number
    std::int64_t first_class = 0;  ///< procedural ones only: number of classes to skip
};

/// One file of a distribution, as its makers offer it.
struct DatasetFile {
    std::string name;               ///< below the data set's folder, e.g. "cifar-100-binary.tar.gz"
    std::int64_t size = 0;          ///< bytes; 0: not published
    std::string checksum;           ///< "sha256:HEX" or "md5:HEX" (damage only), as published; empty: none
    std::vector<std::string> urls;  ///< mirrors, best first; empty: must be asked for (see `homepage`)
    bool archive = false;           ///< unpacked beside itself
    std::string unpacked;           ///< a file or folder that exists below the data set's folder once unpacked
    bool optional = false;          ///< another form of the same images: any complete form is enough
    std::string form;               ///< "binary", "python", ...: files of one form belong together; empty: all
};

struct DatasetInfo {
    std::string name;
    std::string title;
    std::string summary;  ///< one sentence
    std::string origin;   ///< makers and source
    std::string licence;
    std::int64_t classes = 0;
    std::int64_t train = 0;
    std::int64_t test = 0;
    bool procedural = false;
    std::int64_t most_classes = 0;  ///< procedural ones only: largest number of classes
    std::string citation{};         ///< authors, title, venue, year
    std::string homepage{};
    std::vector<std::string> class_names{};  ///< by raw label, where they are fixed; empty: read from the files
    std::vector<DatasetFile> files{};
    std::string classes_of{};  ///< name of the procedural data set that some of its classes come from; empty: its own
    std::string part_of{};     ///< name of the data set whose files it is read from; empty: its own
    std::string packages{};    ///< Debian packages that hold it, separated by spaces; empty: there are none
};

/// Labels and class names without reading or drawing any image.
struct LabelsOnly {
    std::string title;
    std::vector<std::string> class_names;
    std::vector<std::int32_t> train;
    std::vector<std::int32_t> test;
    std::filesystem::path folder{};  ///< of its files; empty: unknown
};

}  // namespace palimpsest
