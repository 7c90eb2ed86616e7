// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "datasets/icons/icon_themes.h"
#include "datasets/table/source.h"

namespace palimpsest {

/// Pictures of each class.
inline constexpr std::int64_t kIconTrainEach = 80;
inline constexpr std::int64_t kIconTestEach = 20;

/// A data set of icons made of these themes and classes; iconSource() is made of iconThemes() and iconClasses().
/// Classes alternate, and so do the drawings of a class: picture i shows drawing i / classes, counted round. Files are
/// looked for in the data folder and in /usr/share/icons; a drawing that a theme lacks in the installed version is
/// passed over as long as each class keeps one to train and one to test.
DatasetSource iconSourceOf(std::vector<IconTheme> themes, std::vector<IconClass> classes);

}  // namespace palimpsest
