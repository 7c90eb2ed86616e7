// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Links the window's icons and style sheet in; before the first of them is read. Cheap when it was called before.
void initResources();

}  // namespace palimpsest
