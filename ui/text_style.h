// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>

class QLabel;
class QWidget;

namespace palimpsest {

/// Pixel sizes at 1x of everything that is written in the window; nothing is smaller than a caption.
namespace text_size {
inline constexpr int kTitle = 14;
inline constexpr int kText = 12;
inline constexpr int kCaption = 10;
}  // namespace text_size

/// `base` in another size and weight, with figures of equal width where font and Qt allow it.
QFont textFont(const QFont& base, int pixels, QFont::Weight weight = QFont::Normal);

/// A label in the window's type. Quiet labels take the palette's placeholder colour, so they follow the theme.
QLabel* makeLabel(const QString& text, int pixels, QFont::Weight weight, bool quiet, QWidget* parent = nullptr);

/// Grouped digits: "60,000".
QString countText(qint64 value);
/// A fraction as per cent with one decimal, without the sign: 0.7391 -> "73.9". A real minus sign for negatives.
QString percentText(double fraction);
/// The same with its sign always written: "+23.3", "−4.0", "±0.0".
QString signedPercentText(double fraction);

}  // namespace palimpsest
