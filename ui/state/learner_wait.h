// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <optional>

namespace palimpsest {

/// A run's wait for its learner: "nearest mean" and "4 of 60 s".
struct LearnerWait {
    QString learner, time;
};

/// Reads a run's detail, "Waiting for nearest mean, 4 of 60 s"; absent: it says something else. The learner's own name
/// may have commas, too.
inline std::optional<LearnerWait> learnerWait(const QString& detail) {
    static const QRegularExpression kWait(QStringLiteral("^Waiting for (.+), (\\S+ of \\S+ s)$"));
    const QRegularExpressionMatch found = kWait.match(detail);
    if (!found.hasMatch()) return std::nullopt;
    return LearnerWait{found.captured(1), found.captured(2)};
}

}  // namespace palimpsest
