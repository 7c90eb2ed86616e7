// SPDX-License-Identifier: GPL-3.0-or-later
#include <opencv2/core.hpp>

#include "datasets/formats/image_file.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_picture {

FUZZ_TARGET(picture, 300) {
    const std::filesystem::path file = fuzz::fileWith(input, "picture.png");
    fuzz::answers([&] {
        const cv::Mat picture = readImageFile(file);
        fuzz::require(picture.type() == CV_8UC3 && !picture.empty(), "a picture of another kind");
    });
}

}  // namespace palimpsest::fuzz_picture
