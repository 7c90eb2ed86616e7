// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/opencv_threads.h"

#include <opencv2/core/utility.hpp>

namespace palimpsest {

void keepOpenCvToItsCaller() {
    static const bool kept = (cv::setNumThreads(1), true);
    static_cast<void>(kept);
}

}  // namespace palimpsest
