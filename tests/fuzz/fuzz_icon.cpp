// SPDX-License-Identifier: GPL-3.0-or-later
#include <opencv2/core.hpp>

#include "datasets/icons/icon_file.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_icon {

FUZZ_TARGET(icon, 100) {
    const std::filesystem::path file = fuzz::fileWith(input, "icon.svg");
    fuzz::answers([&] {
        const cv::Mat icon = readIconFile(file, 32);
        fuzz::require(icon.type() == CV_8UC4 && icon.rows <= 32 && icon.cols <= 32, "an icon of another kind");
    });
}

}  // namespace palimpsest::fuzz_icon
