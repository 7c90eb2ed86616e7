// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "engine/run/run_events.h"

namespace palimpsest {

/// Radius of the corners of a picture, device-independent pixels.
inline constexpr double kThumbnailCorner = 3;

/// A copy of the picture; null where its numbers do not fit together.
QImage thumbnailImage(const Thumbnail& thumbnail);
/// Scaled once, with round corners, so that drawing is mere copying. `side`: pixels of the screen. Any thread.
QImage roundedImage(const QImage& image, int side, double ratio);

}  // namespace palimpsest
