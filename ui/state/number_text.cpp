// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace palimpsest {
namespace {

/// Groups of three digits, the first of them no zero.
bool isGrouped(const QString& digits, QChar separator) {
    const QRegularExpression groups(
        QStringLiteral("^[+-]?[1-9]\\d{0,2}(%1\\d{3})+$").arg(QRegularExpression::escape(QString(separator))));
    return groups.match(digits).hasMatch();
}

struct PaceWords {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::PaceText)
};

}  // namespace

std::optional<double> numberFromText(const QString& text, bool whole) {
    QString plain = text.trimmed();
    plain.replace(QChar(0x2212), '-');  // a real minus sign
    if (whole && !plain.contains('e', Qt::CaseInsensitive)) {
        // A decimal mark has no place here: "10,000" that has lost a digit is no 10.
        if (isGrouped(plain, ','))
            plain.remove(',');
        else if (plain.contains(',') || plain.contains('.'))
            return std::nullopt;
    }
    const qsizetype comma = plain.lastIndexOf(','), point = plain.lastIndexOf('.');
    if (comma >= 0 && point >= 0) {
        // The last one is the decimal mark, the other one groups.
        const QChar mark = comma > point ? ',' : '.', group = comma > point ? '.' : ',';
        const qsizetype at = std::max(comma, point);
        if (plain.count(mark) != 1 || !isGrouped(plain.left(at), group)) return std::nullopt;
        plain.remove(group);
        plain.replace(mark, '.');
    } else if (comma >= 0) {
        const bool grouped = isGrouped(plain, ',');
        if (!grouped && plain.count(',') > 1) return std::nullopt;
        if (grouped && plain.count(',') == 1) return std::nullopt;
        if (grouped)
            plain.remove(',');
        else
            plain.replace(',', '.');
    } else if (plain.count('.') > 1 && isGrouped(plain, '.')) {
        plain.remove('.');
    }
    bool good = false;
    const double value = QLocale::c().toDouble(plain, &good);
    return good && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

QString durationText(double seconds) {
    const auto whole = static_cast<qint64>(std::ceil(std::max(seconds, 0.0)));
    if (whole < 60) return PaceWords::tr("%1 s").arg(whole);
    if (whole < 600) return PaceWords::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    if (whole < 3600) return PaceWords::tr("%1 min").arg((whole + 30) / 60);
    return PaceWords::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString unbrokenText(QString text) {
    return text.replace(' ', QChar(QChar::Nbsp));
}

QString paceText(const Progress& progress) {
    QStringList parts;
    if (progress.images_per_second > 0) {
        const int decimals = progress.images_per_second < 10 ? 1 : 0;
        parts.append(PaceWords::tr("%1 images/s").arg(progress.images_per_second, 0, 'f', decimals));
    }
    if (progress.seconds_left >= 0) parts.append(PaceWords::tr("%1 left").arg(durationText(progress.seconds_left)));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace palimpsest
