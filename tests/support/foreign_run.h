// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include "engine/support/process.h"
#include "tests/support/made_up_runs.h"
#include "ui/state/run_set.h"

namespace palimpsest::testing {

/// The folder of a run that another process writes; that process only waits.
class ForeignRun {
public:
    ForeignRun(const OptionTable& table, const QString& parent)
        : folder_(writeMadeUpRun(table, parent.toStdString(), "batch", 1, false)) {
        process_.start("sleep", {"3600"});
        if (!process_.waitForStarted()) qFatal("There is no other process.");
        std::filesystem::remove(folder_ / "summary.json");
        write("anytime.csv", "samples_seen,session,accuracy,loss,classes_seen,updates\n", QIODevice::Truncate);
        addPoint(500, 0.5);
        say("running");
    }
    ~ForeignRun() { kill(); }

    const std::filesystem::path& folder() const { return folder_; }
    QString id() const { return RunSet::idOf(folder_.string(), 0); }

    void addPoint(std::int64_t samples, double accuracy) {
        write("anytime.csv", QByteArray::number(qint64(samples)) + ",0," + QByteArray::number(accuracy) + ",1,2,9\n",
              QIODevice::Append);
    }
    void endFirstSession(double accuracy) {
        write("sessions.csv", "0,0," + QByteArray::number(accuracy) + ",100\n", QIODevice::Append);
    }
    void finish() { say("finished"); }
    void kill() {
        process_.kill();
        process_.waitForFinished();
    }

private:
    void write(const char* name, const QByteArray& text, QIODevice::OpenMode mode) const {
        QFile file(QString::fromStdString((folder_ / name).string()));
        if (!file.open(QIODevice::WriteOnly | mode) || file.write(text) != text.size()) qFatal("%s", name);
    }
    void say(const char* state) const {
        QFile file(QString::fromStdString((folder_ / "run.json").string()));
        if (!file.open(QIODevice::ReadOnly)) qFatal("run.json");
        QJsonObject run = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        run["state"] = state;
        for (const char* word : {"ended", "error", "hint"}) run[QLatin1String(word)] = QJsonValue::Null;
        run["pid"] = process_.processId();
        run["process"] = QString::fromStdString(processIdentity(static_cast<long>(process_.processId())));
        write("run.json", QJsonDocument(run).toJson(), QIODevice::Truncate);
    }

    std::filesystem::path folder_;
    QProcess process_;
};

}  // namespace palimpsest::testing
