// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/workspace_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdint>
#include <optional>

#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {
namespace {

constexpr int kVersion = 1;
constexpr std::uint64_t kLargest = 1 << 20;  // bytes; no workspace comes near it
constexpr qsizetype kMostRuns = 64, kMostRecentKept = 8, kMostLayouts = 16, kMostTables = 32, kMostChanges = 256,
                    kMostStyles = 1024;

QString tr(const char* text) {
    return QCoreApplication::translate("Workspace", text);
}

QString mainFile(const QString& folder) {
    return QDir(folder).filePath(QStringLiteral("workspace.json"));
}

QStringList stringsOf(const QJsonValue& value, qsizetype most) {
    QStringList strings;
    for (const QJsonValue& each : value.toArray())
        if (each.isString() && strings.size() < most) strings.append(each.toString());
    return strings;
}

QByteArray bytesOf(const QJsonValue& value) {
    return QByteArray::fromBase64(value.toString().toLatin1());
}
QString textOf(const QByteArray& bytes) {
    return QString::fromLatin1(bytes.toBase64());
}

/// Nothing where the file is absent; a null text where it cannot be used.
std::optional<QByteArray> contentOf(const QString& name) {
    if (!QFileInfo::exists(name) && !QFileInfo(name).isSymLink()) return {};
    try {
        return QByteArray::fromStdString(readTextFile(name.toStdString(), FilePlace::Named, kLargest));
    } catch (const Error&) {
        return QByteArray();
    }
}

QJsonArray numbersOf(const QRect& place) {
    return {place.x(), place.y(), place.width(), place.height()};
}

/// Null for anything else than four numbers.
QRect placeOf(const QJsonValue& value) {
    const QJsonArray numbers = value.toArray();
    if (numbers.size() != 4) return {};
    return {numbers[0].toInt(), numbers[1].toInt(), numbers[2].toInt(), numbers[3].toInt()};
}

/// Sets a file aside; returns the sentence that says so. `what`: "which says what was open"; `why`: "is damaged".
QString setAsideBecause(const QString& file, const QString& what, const QString& why) {
    const QString aside = setAside(file);
    return aside.isEmpty()
               ? tr("The file %1, %2, %3.").arg(file, what, why)
               : tr("The file %1, %2, %3; it was set aside as %4.").arg(file, what, why, QFileInfo(aside).fileName());
}

/// Negative ones and what is no number are left out.
QHash<QString, int> looksOf(const QJsonValue& value) {
    QHash<QString, int> looks;
    const QJsonObject json = value.toObject();
    for (auto it = json.begin(); it != json.end() && looks.size() < kMostStyles; ++it)
        if (const int look = it.value().toInt(-1); look >= 0) looks[it.key()] = look;
    return looks;
}

QJsonObject looksOf(const QHash<QString, int>& looks) {
    QJsonObject json;
    for (auto it = looks.begin(); it != looks.end(); ++it) json[it.key()] = it.value();
    return json;
}

WorkspaceState stateOf(const QJsonObject& json) {
    WorkspaceState state;
    const QJsonObject layouts = json["layouts"].toObject();
    for (auto it = layouts.begin(); it != layouts.end() && state.layouts.size() < kMostLayouts; ++it) {
        const QJsonObject layout = it.value().toObject();
        state.layouts[it.key()] = {bytesOf(layout["geometry"]), bytesOf(layout["panels"]), placeOf(layout["place"])};
    }
    state.file = json["file"].toString();
    state.saved = json["saved"].toString();
    state.lanes = json["lanes"].toBool();
    const QJsonObject lane = json["lane_b"].toObject();
    for (auto it = lane.begin(); it != lane.end() && state.lane_b.size() < kMostChanges; ++it)
        if (it.value().isString()) state.lane_b[it.key()] = it.value().toString();
    state.runs = stringsOf(json["runs"], kMostRuns);
    state.selected = json["primary"].toString();
    state.baseline = json["baseline"].toString();
    state.grouped = json["grouped"].toBool();
    state.styles = looksOf(json["looks"]);
    state.hues = looksOf(json["hues"]);
    state.page = json["page"].toInt();
    state.tables = stringsOf(json["tables"], kMostTables);
    state.folded = stringsOf(json["folded"], kMostTables);
    for (const QJsonValue& each : json["recent"].toArray())
        if (!each["path"].toString().isEmpty() && state.recent.size() < kMostRecentKept)
            state.recent.append({each["title"].toString(), each["path"].toString()});
    return state;
}

QJsonObject jsonOf(const WorkspaceState& state) {
    QJsonObject layouts;
    for (auto it = state.layouts.begin(); it != state.layouts.end(); ++it)
        layouts[it.key()] = QJsonObject{
            {"geometry", textOf(it->geometry)}, {"panels", textOf(it->arrangement)}, {"place", numbersOf(it->place)}};
    QJsonArray recent;
    for (const WorkspaceState::Recent& each : state.recent)
        recent.append(QJsonObject{{"title", each.title}, {"path", each.path}});
    QJsonObject lane;
    for (auto it = state.lane_b.begin(); it != state.lane_b.end(); ++it) lane[it.key()] = it.value();
    return {{"version", kVersion},
            {"layouts", layouts},
            {"file", state.file},
            {"saved", state.saved},
            {"lanes", state.lanes},
            {"lane_b", lane},
            {"runs", QJsonArray::fromStringList(state.runs)},
            {"primary", state.selected},
            {"baseline", state.baseline},
            {"grouped", state.grouped},
            {"looks", looksOf(state.styles)},
            {"hues", looksOf(state.hues)},
            {"page", state.page},
            {"tables", QJsonArray::fromStringList(state.tables)},
            {"folded", QJsonArray::fromStringList(state.folded)},
            {"recent", recent}};
}

}  // namespace

QString draftFile(const QString& folder) {
    return QDir(folder).filePath(QStringLiteral("draft.toml"));
}

QString setAside(const QString& file) {
    for (int i = 1; i < 1000; ++i) {
        const QString name = file + (i == 1 ? QStringLiteral(".damaged") : QString(".damaged-%1").arg(i));
        if (!QFileInfo::exists(name)) return QFile::rename(file, name) ? name : QString();
    }
    return {};
}

WorkspaceState readWorkspace(const QString& folder, QStringList* notes) {
    WorkspaceState state;
    const QString name = mainFile(folder);
    if (const auto content = contentOf(name)) {
        const QJsonDocument json = QJsonDocument::fromJson(*content);
        if (json.isObject() && json["version"].toInt() == kVersion) {
            state = stateOf(json.object());
        } else {
            const QString why = json.isObject() && json["version"].isDouble()
                                    ? tr("was written by another version of the program")
                                    : tr("is damaged");
            notes->append(setAsideBecause(name, tr("which says what was open"), why));
        }
    }
    if (const auto content = contentOf(draftFile(folder)); content && !content->isNull()) {
        state.draft = QString::fromUtf8(*content);
    } else if (content) {
        notes->append(
            setAsideBecause(draftFile(folder), tr("which holds the experiment as it was left"), tr("cannot be read")));
    }
    return state;
}

void writeWorkspace(const QString& folder, const WorkspaceState& state) {
    if (!QDir().mkpath(folder))
        throw inputError("The folder " + folder.toStdString() + " cannot be made, so what is open is not remembered.",
                         "Check who may write there.");
    replaceTextFile(draftFile(folder).toStdString(), state.draft.toStdString(), Keep::OnDisk);
    replaceTextFile(mainFile(folder).toStdString(), QJsonDocument(jsonOf(state)).toJson().toStdString(),
                    Keep::OnDiskWithName);
}

}  // namespace palimpsest
