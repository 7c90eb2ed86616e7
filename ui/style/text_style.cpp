// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/text_style.h"

#include <QCoreApplication>
#include <cmath>

#include "engine/support/format.h"

namespace palimpsest {
namespace {

constexpr QChar kMinus(0x2212);

QString oneDecimal(double fraction) {
    return QString::fromStdString(perCent(std::abs(fraction)));
}

}  // namespace

TextScale& TextScale::instance() {
    static TextScale scale;
    return scale;
}

int scaled(int pixels) {
    return qRound(pixels * TextScale::instance().factor());
}

double scaled(double pixels) {
    return pixels * TextScale::instance().factor();
}

void fitToText(QObject* owner, const std::function<void()>& fit) {
    fit();
    QObject::connect(&TextScale::instance(), &TextScale::changed, owner, fit);
}

QFont textFont(const QFont& base, int pixels, QFont::Weight weight) {
    QFont font(base);
    font.setPixelSize(scaled(pixels));
    font.setWeight(weight);
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature(QFont::Tag("tnum"), 1);
#endif
    return font;
}

QString countText(qint64 value) {
    return QString::fromStdString(grouped(value));
}

QString percentText(double fraction) {
    const QString digits = oneDecimal(fraction);
    return fraction < 0 && digits != QLatin1String("0.0") ? kMinus + digits : digits;
}

QString signedPercentText(double fraction) {
    return QString::fromStdString(signedPerCent(fraction));
}

double shownDifference(double fraction, double other) {
    const auto shown = [](double value) { return std::copysign(oneDecimal(value).toDouble(), value); };
    return (shown(fraction) - shown(other)) / 100;
}

QString lossText(double loss) {
    return std::isfinite(loss) ? QString::number(loss, 'f', 3) : QCoreApplication::translate("numbers", "not a number");
}

}  // namespace palimpsest
