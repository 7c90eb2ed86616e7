// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>

#include "tests/support/cli_program.h"

namespace palimpsest::test {

/// A run of less than a second that writes every kind of file but that of a pool of prompts.
inline QStringList tinyRun(const QString& folder) {
    return QStringList{"run", "default", "--out", folder} +
           settings({"stream.dataset=shapes", "stream.train_limit=40", "stream.test_limit=20", "stream.sessions=2",
                     "backbone.weights=random", "backbone.image_size=16", "method.name=er", "memory.size=10",
                     "memory.batch_size=4", "training.batch_size=10", "training.updates_per_batch=1",
                     "evaluation.every_samples=20", "initial_session.prompts=none", "threads=1", "precision=float32",
                     "device=cpu"});
}

inline QStringList resumed(const QString& folder) {
    return {"run", "--resume", folder};
}

/// State of a run in its own words; empty where there is none.
inline QString stateOf(const QString& run) {
    return QJsonDocument::fromJson(contentOf(run + "/run.json")).object()["state"].toString();
}

/// What a run has measured, by file: its tables, predictions, numbers and the hashes of its states. Nothing that says
/// when or how fast.
inline QMap<QString, QByteArray> resultsOf(const QString& run) {
    QMap<QString, QByteArray> results;
    for (const char* name :
         {"anytime.csv", "sessions.csv", "classes.csv", "training.csv", "memory.csv", "prompts.csv", "pushes.csv",
          "features.csv", "predictions.csv", "reference.csv", "early.csv", "experiment.toml"})
        if (QFile::exists(run + "/" + name)) results[name] = contentOf(run + "/" + name);
    for (const QString& name : QDir(run + "/predictions").entryList(QDir::Files))
        results["predictions/" + name] = contentOf(run + "/predictions/" + name);
    const QJsonObject json = QJsonDocument::fromJson(contentOf(run + "/run.json")).object();
    results["states"] = QJsonDocument(json["states"].toArray()).toJson();
    QJsonObject numbers = QJsonDocument::fromJson(contentOf(run + "/summary.json")).object();
    for (const char* time : {"seconds", "images_per_second", "batch_seconds", "peak_memory_bytes"})
        numbers.remove(QLatin1String(time));
    results["summary"] = QJsonDocument(numbers).toJson();
    return results;
}

/// Names of what differs.
inline QString differenceOf(const QMap<QString, QByteArray>& expected, const QMap<QString, QByteArray>& found) {
    QStringList names;
    for (auto it = expected.begin(); it != expected.end(); ++it)
        if (!found.contains(it.key()))
            names << it.key() + " is missing";
        else if (found[it.key()] != it.value())
            names << it.key() + " differs";
    for (auto it = found.begin(); it != found.end(); ++it)
        if (!expected.contains(it.key())) names << it.key() + " is new";
    return names.join(", ");
}

/// What is wrong with a run after something went wrong, once it was resumed without faults; empty: it ended with the
/// bits of an undisturbed run, or nothing is left of it.
inline QString wrongWith(const QString& run, const QMap<QString, QByteArray>& expected) {
    if (!QFile::exists(run)) return {};
    if (stateOf(run) != "finished") {
        const Outcome end = call(resumed(run));
        if (end.code != 0) return QString("resuming it ends with %1: ").arg(end.code) + QString::fromUtf8(end.err);
    }
    for (QDirIterator left(run, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); left.hasNext();)
        if (const QString name = left.next();
            name.endsWith(".part") || name.endsWith(".new") || name.endsWith(".reserve"))
            return name + " is left";
    return differenceOf(expected, resultsOf(run));
}

/// A copy of a folder, under another name.
inline void copyFolder(const QString& from, const QString& to) {
    QDir().mkpath(to);
    for (const QFileInfo& entry : QDir(from).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
        if (entry.isDir())
            copyFolder(entry.filePath(), to + "/" + entry.fileName());
        else
            QVERIFY(QFile::copy(entry.filePath(), to + "/" + entry.fileName()));
}

}  // namespace palimpsest::test
