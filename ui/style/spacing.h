// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Distances in device-independent pixels that all parts of the window share.
namespace spacing {
inline constexpr int kGap = 12;     ///< between panels, and from them to the window's edge
inline constexpr int kMargin = 14;  ///< from a panel's edge to what stands in it
inline constexpr int kRow = 8;      ///< between rows and between controls of a panel
inline constexpr int kClose = 4;    ///< between things that belong together
}  // namespace spacing

}  // namespace palimpsest
