// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/dataset_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "engine/support/format.h"
#include "ui/state/number_text.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

/// Longest estimate that is shown; seconds.
constexpr double kLongest = 7 * 24 * 3600.0;

QString tr(const char* text) {
    return QCoreApplication::translate("DatasetText", text);
}

}  // namespace

QString bytesText(qint64 bytes) {
    return QString::fromStdString(byteCount(bytes));
}

QString factsText(const DatasetCard& card) {
    QStringList facts;
    if (card.classes > 0) facts.append(tr("%1 classes").arg(countText(card.classes)));
    // One part alone would pass for all of it.
    if (card.train > 0 && card.test > 0) facts.append(tr("%1 images").arg(countText(card.train + card.test)));
    if (card.bytes > 0) facts.append(bytesText(card.bytes));
    if (card.procedural) facts.append(tr("drawn by the program"));
    return facts.join(QStringLiteral(" · "));
}

double shareOf(const DatasetProgress& progress) {
    if (progress.total <= 0) return -1;
    return std::clamp(static_cast<double>(progress.bytes) / static_cast<double>(progress.total), 0.0, 1.0);
}

QString paceText(const DatasetProgress& progress) {
    QStringList parts;
    if (progress.total > 0)
        parts.append(tr("%1 of %2").arg(bytesText(progress.bytes), bytesText(progress.total)));
    else if (progress.bytes > 0)
        parts.append(bytesText(progress.bytes));
    const double speed = progress.bytes_per_second;
    if (std::isfinite(speed) && speed >= 1 && speed < 1e15) {
        parts.append(tr("%1/s").arg(bytesText(static_cast<qint64>(speed))));
        const double left = static_cast<double>(progress.total - progress.bytes) / speed;
        if (progress.total > progress.bytes && left < kLongest) parts.append(tr("%1 left").arg(durationText(left)));
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace palimpsest
