// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QRect>
#include <QString>
#include <QStringList>

namespace palimpsest {

/// Everything that was open when the program was closed, as plain values.
struct WorkspaceState {
    struct Layout {
        QByteArray geometry;     ///< of the window
        QByteArray arrangement;  ///< of its panels
        QRect place;             ///< of the window without its frame, where it has its usual size; null: not known
        bool operator==(const Layout&) const = default;
    };
    struct Recent {
        QString title;
        QString path;  ///< of an experiment file or a run folder
        bool operator==(const Recent&) const = default;
    };
    QHash<QString, Layout> layouts;  ///< by size of the screen: "1920x1080"
    QString draft;                   ///< the experiment as it was left, TOML; kept in a file of its own
    QString file;                    ///< which that experiment was read from or written to; may be empty
    QString saved;                   ///< what stood in it then, TOML
    bool lanes = false;              ///< two lanes are compared
    QHash<QString, QString> lane_b;  ///< what lane B has of its own: key and value, as after --set
    QStringList runs;                ///< folders of those that were shown
    QString selected;                ///< the selected run
    QString baseline;                ///< what the list of runs compares with: a folder, or a family; may be empty
    bool grouped = false;            ///< it has one line for the seeds of an experiment
    QHash<QString, int> styles;      ///< of runs that were known, by folder: marker and dash
    QHash<QString, int> hues;        ///< of runs that were shown, by folder
    int page = 0;                    ///< of the figures
    QStringList tables;              ///< figures that show their table
    QStringList folded;              ///< sections of the experiment that are folded away
    QList<Recent> recent;            ///< newest first
    bool operator==(const WorkspaceState&) const = default;
};

/// Reads a folder's workspace. What is damaged or of another version is set aside under another name and left out; that
/// is told, one sentence each. A folder without one gives an empty state. Blocks for a file of at most a megabyte.
WorkspaceState readWorkspace(const QString& folder, QStringList* notes);
/// Throws Error(Input) where it cannot be written.
void writeWorkspace(const QString& folder, const WorkspaceState& state);

/// Moves a file to a name that is free: "workspace.json.damaged". Returns that name; empty when it cannot be moved.
QString setAside(const QString& file);
/// The draft's file in a folder.
QString draftFile(const QString& folder);

}  // namespace palimpsest
