// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/icons/icon_themes.h"

#include <vector>

namespace palimpsest {

std::span<const IconTheme> iconThemes() {
    static const std::vector<IconTheme> all{
        {"Tango", "tango-icon-theme"},           {"gnome", "gnome-icon-theme"},
        {"Nuovo", "gnome-icon-theme-nuovo"},     {"yasis", "gnome-icon-theme-yasis"},
        {"gartoon", "gnome-icon-theme-gartoon"}, {"nuoveXT2", "lxde-icon-theme"},
        {"Numix", "numix-icon-theme"},           {"suru", "suru-icon-theme"},
        {"Faba", "faba-icon-theme", true},       {"elementary", "elementary-icon-theme", true},
        {"breeze", "breeze-icon-theme", true},   {"oxygen", "oxygen-icon-theme", true}};
    return all;
}

}  // namespace palimpsest
