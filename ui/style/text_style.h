// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QObject>
#include <QString>
#include <functional>

namespace palimpsest {

/// Pixel sizes, in the normal text size, of everything that is written in the window; nothing is smaller than a
/// caption.
namespace text_size {
inline constexpr int kTitle = 14;
inline constexpr int kText = 12;
inline constexpr int kCaption = 10;
}  // namespace text_size

/// Factor by which the window's text is larger than normal, for users who sit far from it. Everything whose size
/// depends on text calls scaled() while it is laid out or painted, or registers with fitToText().
class TextScale : public QObject {
    Q_OBJECT
public:
    static TextScale& instance();
    double factor() const { return factor_; }
    void setFactor(double factor) { factor_ = factor; }

Q_SIGNALS:
    /// The factor changed, and fonts and style sheet with it.
    void changed();

private:
    double factor_ = 1;
};

/// Converts pixels of the normal text size to the present one.
int scaled(int pixels);
double scaled(double pixels);
/// Calls `fit` now and after each change of the text size, as long as `owner` lives.
void fitToText(QObject* owner, const std::function<void()>& fit);

/// `base` in another size (`pixels` in the normal text size) and weight, with figures of equal width where font and Qt
/// allow it.
QFont textFont(const QFont& base, int pixels, QFont::Weight weight = QFont::Normal);

/// Grouped digits: "60,000".
QString countText(qint64 value);
/// A fraction as per cent with one decimal, without the sign: 0.7391 -> "73.9". A real minus sign for negatives.
QString percentText(double fraction);
/// The same with its sign always written: "+23.3", "−4.0", "±0.0".
QString signedPercentText(double fraction);
/// Difference of two fractions as they are shown: 0.7014 and 0.6836 stand as 70.1 and 68.4, so this is 0.017.
double shownDifference(double fraction, double other);
/// "0.412"; "not a number" where there is none.
QString lossText(double loss);

}  // namespace palimpsest
