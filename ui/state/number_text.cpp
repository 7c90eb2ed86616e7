// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/number_text.h"

#include <QLocale>
#include <QRegularExpression>
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

}  // namespace palimpsest
