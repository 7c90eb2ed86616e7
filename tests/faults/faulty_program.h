// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QMap>
#include <QProcess>
#include <QStringList>
#include <cerrno>

#include "tests/support/cli_program.h"

namespace palimpsest::test {

constexpr int kHalfDone = 0, kPowerFails = -1, kPowerLost = 99;  // see fault_shim.c

/// Calls that fail below a folder; see fault_shim.c.
struct Fault {
    QString call;
    qint64 at = 1;
    int error = EIO;
    qint64 many = 1;   ///< 0: all that follow
    QString shadow{};  ///< folder that receives what is safe from a loss of power; empty: nothing is kept

    QString text() const { return QString("%1 %2, error %3").arg(call).arg(at).arg(error); }
};

/// The end of a program some of whose calls failed.
struct FaultyEnd : Outcome {
    bool struck = false;               ///< a call did fail
    QMap<QString, qint64> calls = {};  ///< below the folder, by their kind
};

/// The environment of a program that loads a shim of this folder first.
inline QProcessEnvironment withShim(const QString& shim) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", shim);
    return environment;
}

/// The environment of a program with a fault below a folder that exists. `log`: receives what was counted.
inline QProcessEnvironment withFault(const QString& below, const Fault& fault, const QString& log) {
    QProcessEnvironment environment = withShim(PALIMPSEST_FAULT_SHIM);
    environment.insert("FAULT_BELOW", QDir(below).canonicalPath());
    environment.insert("FAULT_CALL", fault.call);
    environment.insert("FAULT_AT", QString::number(fault.at));
    environment.insert("FAULT_MANY", QString::number(fault.many));
    environment.insert("FAULT_ERROR", QString::number(fault.error));
    environment.insert("FAULT_LOG", log);
    if (!fault.shadow.isEmpty()) environment.insert("FAULT_SHADOW", fault.shadow);
    return environment;
}

inline FaultyEnd faultyCall(const QString& command, const QStringList& arguments, const QString& below,
                            const Fault& fault) {
    const QString log = below + ".log";
    QFile::remove(log);
    QProcess process;
    process.setProcessEnvironment(withFault(below, fault, log));
    process.start(command, arguments);
    FaultyEnd end{outcomeOf(process)};
    for (const QByteArray& line : contentOf(log).split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() == 2) end.calls[words[0]] = words[1].toLongLong();
    }
    end.struck = end.calls.take("struck") > 0;
    return end;
}

/// All faults are tried instead of a spread sample of them.
inline bool allFaults() {
    return qgetenv("PALIMPSEST_FAULTS") == "all";
}

/// The places 1 ... `count`: at most `most` of them, evenly spread with both ends, unless all are wanted.
inline QList<qint64> placesOf(qint64 count, qint64 most) {
    QList<qint64> places;
    const qint64 tried = allFaults() ? count : std::min(count, most);
    for (qint64 i = 0; i < tried; ++i) places << (tried == 1 ? 1 : 1 + i * (count - 1) / (tried - 1));
    return places;
}

/// What is wrong with the end of a command that met a fault; empty: its code is documented, and where it failed it
/// says so in one sentence of its own.
inline QString faultOf(const Outcome& end) {
    const QString said = QString::fromUtf8(end.err);
    if (end.code == 0) return {};
    if (end.code != 1 && end.code != 2) return QString("It ended with %1: %2").arg(end.code).arg(said);
    QStringList complaints;
    for (const QString& line : said.split('\n', Qt::SkipEmptyParts))
        if (line.startsWith("palimpsest-cli: ")) complaints << line;
    if (complaints.size() != 1) return QString("It says %1 times what is wrong: %2").arg(complaints.size()).arg(said);
    // Words of the C++ library, where our own belong.
    for (const char* raw : {"filesystem error", "basic_", "std::", "terminate", "unexpected"})
        if (complaints[0].contains(raw)) return "It speaks as a library does: " + complaints[0];
    return {};
}

}  // namespace palimpsest::test
