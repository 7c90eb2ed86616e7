// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/remote_runs.h"

#include <QMetaObject>
#include <chrono>
#include <optional>
#include <stop_token>
#include <utility>

#include "engine/remote/follow.h"
#include "engine/remote/remote_job.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "ui/state/engine_text.h"

namespace palimpsest {
namespace {

QString shown(const RemotePlace& place) {
    return QString::fromStdString(place.text());
}

}  // namespace

RemoteRuns::RemoteRuns(const OptionTable* table, std::string version, std::filesystem::path runs, QObject* parent)
    : QObject(parent), table_(table), version_(std::move(version)), runs_(std::move(runs)) {}

RemoteRuns::~RemoteRuns() {
    // All at once, so that they end beside each other.
    for (std::jthread& thread : threads_) thread.request_stop();
}

template <class Signal>
void RemoteRuns::post(Signal signal) {
    QMetaObject::invokeMethod(this, std::move(signal), Qt::QueuedConnection);
}

template <class Work>
void RemoteRuns::begin(Work work) {
    threads_.emplace_back([this, work = std::move(work)](const std::stop_token& stop) {
        const StopScope scope(stop);
        try {
            work();
        } catch (const GivenUp&) {
            // Nobody waits for it any more.
        } catch (const Error& error) {
            post([this, failure = Failure{error.what(), QString::fromStdString(error.hint())}] {
                Q_EMIT failed(failure.message, failure.hint);
            });
        } catch (const std::exception& error) {
            post([this, message = QString::fromUtf8(error.what())] { Q_EMIT failed(message, {}); });
        }
    });
}

void RemoteRuns::start(const Experiment& experiment, const QString& place, const QString& program) {
    begin([this, experiment, text = place.toStdString(), program = program.toStdString()] {
        std::string problems;
        for (const std::string& problem : table_->problems(experiment))
            problems += (problems.empty() ? "" : " ") + problem;
        if (!problems.empty()) throw inputError(problems, "");
        const RemotePlace runs = parseRemotePlace(text);
        const std::string found = findRemoteProgram(RemoteShell(runs), program, version_);
        const RemotePlace run = startRemoteRun(*table_, experiment, runs, found);
        post([this, run] { Q_EMIT started(shown(run)); });
        RemoteCopy copy(run, runs_ / run.name(), false);
        if (lookOnceBegun(copy) != RemoteFolder::Run)
            throw runError("The run on " + run.host + " has ended before it began.",
                           "Its log is in " + RemoteJob(run).side().path + " there.");
        copy.claim();
        const QString folder = QString::fromStdString(copy.local().string());
        FollowTeller teller;
        teller.copied = [this, folder, first = true](const CopiedFiles&) mutable {
            if (std::exchange(first, false)) post([this, folder] { Q_EMIT arrived(folder); });
        };
        teller.broken = [this, run](const Error& error, std::chrono::seconds) {
            post([this, run, message = QString::fromUtf8(error.what())] { Q_EMIT broken(shown(run), message); });
        };
        teller.back = [this, run] { post([this, run] { Q_EMIT back(shown(run)); }); };
        follow(copy, {}, teller);
        post([this, run, folder] { Q_EMIT ended(shown(run), folder); });
    });
}

void RemoteRuns::stop(const QString& folder) {
    begin([this, folder = folder.toStdString()] {
        const std::string from = copiedFrom(folder);
        if (from.empty())
            throw inputError("This run is not followed from another machine.",
                             "The program that computes it ends it, with Ctrl-C or its own button.");
        const RemotePlace place = parseRemotePlace(from);
        const bool running = RemoteJob(place).stop();
        post([this, place, running] { Q_EMIT stopping(shown(place), running); });
    });
}

}  // namespace palimpsest
