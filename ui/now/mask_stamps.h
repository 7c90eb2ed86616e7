// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QPixmap>
#include <array>

namespace palimpsest {

struct Theme;

/// What a logit mask makes of a class. Open: let through, though not seen yet.
enum class MaskState { NotSeen, Hidden, Open, Visible };

/// A class that competes before it has come is tinted, one that is learned among others is filled.
QBrush maskGround(const Theme& theme, MaskState state);

/// A small cell in each state, painted once and put down many times.
class MaskStamps {
public:
    /// Does nothing where they are like that already. `ratio`: pixels of the screen for one of the window.
    void prepare(const Theme& theme, double side, double ratio);
    const QPixmap& of(MaskState state) const { return stamps_[static_cast<std::size_t>(state)]; }

private:
    std::array<QPixmap, 4> stamps_;
    const Theme* theme_ = nullptr;
    double side_ = 0;
};

}  // namespace palimpsest
