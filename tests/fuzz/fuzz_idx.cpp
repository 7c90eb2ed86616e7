// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/idx.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_idx {

FUZZ_TARGET(idx, 2000) {
    const std::filesystem::path file = fuzz::fileWith(input, "images-idx");
    for (const std::int64_t keep : {0, 2})
        fuzz::answers([&] {
            const IdxImages images = readIdxImages(file, keep);
            const auto each = static_cast<std::uint64_t>(images.rows * images.columns);
            fuzz::require(images.pixels.size() == each * static_cast<std::uint64_t>(images.count) &&
                              images.count <= images.in_file,
                          "images of another size than was said");
        });
    fuzz::answers([&] { readIdxLabels(file); });
}

}  // namespace palimpsest::fuzz_idx
