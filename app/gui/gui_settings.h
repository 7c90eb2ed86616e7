// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVariantMap>

#include "ui/style/theme.h"

namespace palimpsest {

/// Choices that hold from one start of the program to the next, in the user's settings file. Each is written at once.
/// A missing value, or one that is not understood in a file edited by hand, is the usual one.
class GuiSettings {
public:
    static Appearance appearance();
    static void setAppearance(Appearance appearance);
    static TextSize textSize();
    static void setTextSize(TextSize size);
    /// See CurveOptions::state().
    static QVariantMap curves();
    static void setCurves(const QVariantMap& curves);
    /// Machine, folder and program of the last run on another machine.
    static QStringList remoteFields();
    static void setRemoteFields(const QStringList& fields);
    /// Entries of the last sweep on a cluster; see SubmitDialog::fields().
    static QStringList clusterFields();
    static void setClusterFields(const QStringList& fields);
    /// The folder in which dialogs that save or open begin.
    static QString saveFolder();
    static void setSaveFolder(const QString& folder);
    /// The folder of the data sets.
    static QString dataFolder();
    static void setDataFolder(const QString& folder);
    /// Keys that the user changed, a line for each command; see ActionBook::changes().
    static QVariantMap keys();
    static void setKeys(const QVariantMap& keys);
    /// Goals of lessons that were reached; see LessonBook::kept().
    static QStringList lessons();
    static void setLessons(const QStringList& kept);
};

}  // namespace palimpsest
