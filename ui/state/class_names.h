// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <string>
#include <vector>

#include "engine/run/run_events.h"
#include "ui/style/class_kinds.h"

namespace palimpsest {

struct RunRecord;

/// Names and kinds of a run's classes, by raw label.
struct ClassNames {
    QStringList names;
    std::vector<ClassKind> kinds;

    QString name(int label) const;
    ClassKind kind(int label) const;
    /// "Trouser, disjoint class"
    QString text(int label) const;
    bool operator==(const ClassNames&) const = default;

    Q_DECLARE_TR_FUNCTIONS(palimpsest::ClassNames)
};

QStringList toStringList(const std::vector<std::string>& names);
/// Class names of a run; without a plan the kinds are unknown.
ClassNames classNamesOf(const RunStarted& started);
ClassNames classNamesOf(const RunRecord& record);

/// Colour of a bar: unlike kindColour() also visible where the kind is not known.
inline QColor barColour(const Theme& theme, ClassKind kind) {
    return kind == ClassKind::Unknown ? theme.quiet : kindColour(theme, kind);
}

}  // namespace palimpsest
