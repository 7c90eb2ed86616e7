// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include "datasets/catalogue/catalogue.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_cifar {
namespace {

namespace fs = std::filesystem;

/// A data set in a folder of its own: its files are links to one that is written anew for each input.
class Layout {
public:
    Layout(const char* dataset, const char* name, const std::vector<std::string>& files)
        : dataset_(dataset), name_(name), root_(fuzz::scratchFolder() / name) {
        for (const std::string& file : files) {
            fs::create_directories((root_ / file).parent_path());
            fs::create_symlink(fuzz::fileWith({}, name_ + "-content"), root_ / file);
        }
    }
    void read(std::string_view input) const {
        fuzz::fileWith(input, name_ + "-content");
        fuzz::answers([&] {
            const ImageDataset images = openDataset({.name = dataset_, .root = root_});
            for (const auto& table : {images.train, images.test})
                for (std::int64_t i = 0; i < table->size(); ++i) static_cast<void>(table->image(i));
        });
        fuzz::answers([&] { openLabels({.name = dataset_, .root = root_, .train_limit = 1}); });
    }

private:
    std::string dataset_, name_;
    fs::path root_;
};

}  // namespace

/// The first byte says which form the others are of.
FUZZ_TARGET(cifar, 300) {
    static const Layout layouts[] = {
        {"cifar100", "binary", {"cifar-100-binary/train.bin", "cifar-100-binary/test.bin"}},
        {"cifar100", "python", {"cifar-100-python/train", "cifar-100-python/test"}},
        {"cifar100", "archive", {"cifar-100-binary.tar.gz"}},
        {"cifar10",
         "ten",
         {"cifar-10-batches-py/data_batch_1", "cifar-10-batches-py/data_batch_2", "cifar-10-batches-py/data_batch_3",
          "cifar-10-batches-py/data_batch_4", "cifar-10-batches-py/data_batch_5", "cifar-10-batches-py/test_batch"}}};
    if (input.empty()) return;
    layouts[static_cast<unsigned char>(input[0]) % 4].read(input.substr(1));
}

}  // namespace palimpsest::fuzz_cifar
