// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <list>
#include <string>
#include <thread>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Starts experiments on other machines and follows them: a copy of each grows in the folder of runs. Each has a thread
/// of its own, so that no machine that does not answer holds up another. What was started goes on when this object, or
/// the connection, is gone.
class RemoteRuns : public QObject {
    Q_OBJECT
public:
    /// The table must outlive it. `version`: of this program, which the one there must have.
    RemoteRuns(const OptionTable* table, std::string version, std::filesystem::path runs, QObject* parent = nullptr);
    /// Gives the following up, which takes a moment.
    ~RemoteRuns() override;

    /// In a new folder below `place` (see RemotePlace); `program`: palimpsest-cli there, empty: found by itself.
    void start(const Experiment& experiment, const QString& place, const QString& program);
    /// Ends the run there of which a folder here is a copy; answered by stopping() or failed().
    void stop(const QString& folder);

Q_SIGNALS:
    /// The run has been started there; its place.
    void started(const QString& place);
    /// Its copy here can be read, and grows.
    void arrived(const QString& folder);
    /// The connection has broken, and is tried again; once for each break.
    void broken(const QString& place, const QString& message);
    void back(const QString& place);
    void ended(const QString& place, const QString& folder);
    /// It ends at its next batch; false: it no longer goes on.
    void stopping(const QString& place, bool running);
    void failed(const QString& message, const QString& hint);

private:
    /// Runs `work` on a thread of its own, in a StopScope; what it throws goes out as failed().
    template <class Work>
    void begin(Work work);
    /// Emits a signal on the window's thread.
    template <class Signal>
    void post(Signal signal);

    const OptionTable* table_;
    const std::string version_;
    const std::filesystem::path runs_;
    std::list<std::jthread> threads_;
};

}  // namespace palimpsest
