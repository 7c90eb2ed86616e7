// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/predictions.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_predictions {

FUZZ_TARGET(predictions, 3000) {
    const std::filesystem::path file = fuzz::fileWith(input, "00000100.npy");
    fuzz::answers([&] {
        const std::vector<std::int32_t> list = readClassList(file);
        const ConfusionCounts counts = countConfusion(list, list, {3, 1, 2});
        std::int64_t images = 0;
        for (std::size_t row = 0; row < counts.labels.size(); ++row) images += counts.images(row);
        fuzz::require(images <= static_cast<std::int64_t>(list.size()), "more answers than images");
    });
    fuzz::answers([&] {
        for (const TopClasses& image : readTopClasses(file))
            for (const ClassShare& one : image) fuzz::require(one.share >= 0 && one.share <= 1, "a share that is none");
    });
}

}  // namespace palimpsest::fuzz_predictions
