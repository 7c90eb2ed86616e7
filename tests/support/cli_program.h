// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTest>

namespace palimpsest::test {

constexpr int kPatience = 300'000;  // milliseconds; only a hang ever takes that long

/// Result of a program; the code is -1 when it crashed, hung or could not be started.
struct Outcome {
    int code = -1;
    QByteArray out;
    QByteArray err;
};

/// Path of the built palimpsest-cli.
inline QString program() {
    return QString::fromLocal8Bit(qgetenv("PALIMPSEST_CLI"));
}

/// Waits `patience` milliseconds for its end; `out` and `err` hold the unread output.
inline Outcome outcomeOf(QProcess& process, int patience = kPatience) {
    // A process that has ended, or never started, is not waited for.
    const bool ended = process.state() == QProcess::NotRunning ? process.error() != QProcess::FailedToStart
                                                               : process.waitForFinished(patience);
    if (!ended) {
        process.kill();
        process.waitForFinished();
    }
    const bool whole = ended && process.exitStatus() == QProcess::NormalExit;
    return {whole ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
}

inline Outcome call(const QStringList& arguments,
                    const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program(), arguments);
    return outcomeOf(process);
}

/// The settings, each preceded by --set.
inline QStringList settings(const QStringList& all) {
    QStringList arguments;
    for (const QString& setting : all) arguments << "--set" << setting;
    return arguments;
}

inline QList<QJsonObject> jsonLines(const QByteArray& text) {
    QList<QJsonObject> objects;
    for (const QByteArray& line : text.split('\n'))
        if (!line.isEmpty()) objects.append(QJsonDocument::fromJson(line).object());
    return objects;
}

/// Content of a file; empty if it does not exist.
inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void write(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

}  // namespace palimpsest::test
