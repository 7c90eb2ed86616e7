// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/pace_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace palimpsest {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::PaceText)
};

}  // namespace

QString durationText(double seconds) {
    const auto whole = static_cast<qint64>(std::ceil(std::max(seconds, 0.0)));
    if (whole < 60) return Words::tr("%1 s").arg(whole);
    if (whole < 600) return Words::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    if (whole < 3600) return Words::tr("%1 min").arg((whole + 30) / 60);
    return Words::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString paceText(const Progress& progress) {
    QStringList parts;
    if (progress.images_per_second > 0) {
        const int decimals = progress.images_per_second < 10 ? 1 : 0;
        parts.append(Words::tr("%1 images/s").arg(progress.images_per_second, 0, 'f', decimals));
    }
    if (progress.seconds_left >= 0) parts.append(Words::tr("%1 left").arg(durationText(progress.seconds_left)));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace palimpsest
