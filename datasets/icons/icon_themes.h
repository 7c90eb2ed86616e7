// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

namespace palimpsest {

/// An icon theme: one artist's drawings, or those of artists who worked together.
struct IconTheme {
    std::string name;     ///< its folder below /usr/share/icons
    std::string package;  ///< Debian's, which holds it
    bool test = false;    ///< its drawings test; the others train
};

/// A class of the data set and the drawings of it.
struct IconClass {
    std::string name;
    std::string drawings;  ///< files below /usr/share/icons, separated by spaces: one a theme at most
};

/// The themes of the data set `icons`. Themes that share artists (Tango and GNOME; Nuovo and Yasis) or drawings (Faba
/// has some of elementary's) stand on the same side.
std::span<const IconTheme> iconThemes();
/// The classes of the data set `icons`, in its order.
std::span<const IconClass> iconClasses();

}  // namespace palimpsest
