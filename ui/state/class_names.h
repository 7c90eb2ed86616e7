// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QCoreApplication>
#include <QStringList>
#include <string>
#include <vector>

#include "engine/stream/stream_plan.h"
#include "ui/style/theme.h"

namespace palimpsest {

struct RunRecord;
struct RunStarted;

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

/// Kind of the class; Unknown: it is in no session, so it never appears.
inline ClassKind kindOf(const ClassHome& home) {
    return home.session < 0 ? ClassKind::Unknown : home.blurry ? ClassKind::Blurry : ClassKind::Disjoint;
}

inline QColor kindColour(const Theme& theme, ClassKind kind) {
    switch (kind) {
        case ClassKind::Disjoint:
            return theme.disjoint;
        case ClassKind::Blurry:
            return theme.blurry;
        case ClassKind::Unknown:
            break;
    }
    return theme.line;
}

/// Colour of a bar: unlike kindColour() also visible where the kind is not known.
inline QColor barColour(const Theme& theme, ClassKind kind) {
    return kind == ClassKind::Unknown ? theme.quiet : kindColour(theme, kind);
}

}  // namespace palimpsest
