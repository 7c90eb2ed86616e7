// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/remote_runs.h"

#include <QMetaObject>
#include <QScopeGuard>
#include <algorithm>
#include <stop_token>
#include <string>
#include <utility>

#include "engine/record/copy_mark.h"
#include "engine/remote/remote_place.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "ui/state/engine_text.h"
#include "ui/state/run_queue.h"

namespace palimpsest {
namespace {

QString folderOf(const Followed& what) {
    return QString::fromStdString(what.folder.string());
}

QString placeText(const Followed& what) {
    return QString::fromStdString(what.place);
}

/// Where a copy comes from; `why`: hint where the folder is none.
std::string originOf(const QString& folder, const char* why) {
    std::string from = copiedFrom(folder.toStdString());
    if (from.empty()) throw inputError(folder.toStdString() + " is no copy from another machine.", why);
    return from;
}

QStringList worded(const std::vector<std::string>& jobs) {
    QStringList list;
    for (const std::string& job : jobs) list.append(QString::fromStdString(job));
    return list;
}

/// Keeps what is said of another version until the work has begun there.
VersionTeller tellerInto(QStringList& versions) {
    return [&versions](const std::string& sentence) { versions.append(QString::fromStdString(sentence)); };
}

}  // namespace

RemoteRuns::RemoteRuns(const OptionTable* table, std::string version, std::filesystem::path runs, QObject* parent)
    : QObject(parent),
      runs_(std::move(runs)),
      service_(makeRemoteService(table, std::move(version), queueProgram())),
      file_(std::make_shared<FollowedFile>(runs_)) {}

RemoteRuns::~RemoteRuns() {
    // All at once, so that they end beside each other.
    for (Worker& worker : workers_) worker.thread.request_stop();
}

template <class Function>
void RemoteRuns::post(Function function) {
    QMetaObject::invokeMethod(this, std::move(function), Qt::QueuedConnection);
}

template <class Work, class Refused>
void RemoteRuns::begin(Work work, Refused refused) {
    std::erase_if(workers_, [](const Worker& worker) { return worker.ended->load(); });
    const auto ended = std::make_shared<std::atomic<bool>>(false);
    std::jthread thread(
        [this, ended, work = std::move(work), refused = std::move(refused)](const std::stop_token& stop) {
            const auto noted = qScopeGuard([&ended] { ended->store(true); });
            const StopScope scope(stop);
            try {
                work();
            } catch (const GivenUp&) {
                // Nobody waits for it any more.
            } catch (const Error& error) {
                post([refused, failure = Failure{error.what(), QString::fromStdString(error.hint())}] {
                    refused(failure);
                });
            } catch (const std::exception& error) {
                post([refused, failure = Failure{QString::fromUtf8(error.what()), {}}] { refused(failure); });
            }
        });
    workers_.push_back({ended, std::move(thread)});
}

template <class Work>
void RemoteRuns::begin(Work work) {
    begin(std::move(work), [this](const Failure& failure) { Q_EMIT failed(failure.message, failure.hint); });
}

void RemoteRuns::recall() {
    files_.run([file = file_] { return file->open(); },
               [this](const FollowedFile::Found& found) {
                   if (!found.aside.empty())
                       Q_EMIT noted(tr("The list of what was followed on other machines was damaged."),
                                    tr("It is kept as %1. What was started there goes on; palimpsest-cli follow "
                                       "ssh://HOST/PATH brings it here.")
                                        .arg(QString::fromStdString(found.aside.string())));
                   int count = 0;
                   for (const Followed& what : found.list) {
                       if (std::ranges::find(list_, what) != list_.end()) continue;
                       list_.push_back(what);
                       follow(what, false);
                       ++count;
                   }
                   if (count > 0) Q_EMIT takenUp(count);
               },
               [this](const Failure& failure) { Q_EMIT noted(failure.message, failure.hint); });
}

void RemoteRuns::start(const Experiment& experiment, const QString& place, const QString& program) {
    ++beginning_;
    begin(
        [this, service = service_, experiment, place, text = place.toStdString(), program = program.toStdString()] {
            QStringList versions;
            const std::string run = service->startRun(experiment, text, program, tellerInto(versions));
            Followed what{false, run, std::filesystem::absolute(runs_ / parseRemotePlace(run).name()), program};
            post([this, place, versions, what = std::move(what)]() mutable {
                // Runs of two machines may have one name.
                const std::filesystem::path folder = what.folder;
                const auto taken = [&](const Followed& one) {
                    return one.folder == what.folder && one.place != what.place;
                };
                for (int i = 2; std::ranges::any_of(list_, taken); ++i)
                    what.folder = folder.string() + "-" + std::to_string(i);
                Q_EMIT begun(place, QString::fromStdString(what.program));
                Q_EMIT started(placeText(what));
                for (const QString& sentence : versions) Q_EMIT noted(sentence, {});
                add(what);
                endBeginning();
            });
        },
        [this, place](const Failure& failure) {
            Q_EMIT startFailed(place, failure.message, failure.hint);
            endBeginning();
        });
}

void RemoteRuns::stop(const QString& folder) {
    begin([this, service = service_, folder] {
        const std::string from =
            originOf(folder, "The program that computes it ends it, with Ctrl-C or its own button.");
        const bool running = service->stopRun(from);
        post([this, from, running] { Q_EMIT stopping(QString::fromStdString(from), running); });
    });
}

void RemoteRuns::endBeginning() {
    --beginning_;
    Q_EMIT answered();
}

void RemoteRuns::submit(const ClusterRequest& request) {
    ++beginning_;
    begin(
        [this, service = service_, request] {
            QStringList versions;
            QStringList jobs;
            try {
                jobs = worded(service->submit(request, tellerInto(versions)));
            } catch (const Error&) {
                takeBackGrid(request);
                throw;
            }
            post([this, request, versions, jobs] {
                Q_EMIT submitted(request, jobs);
                for (const QString& sentence : versions) Q_EMIT noted(sentence, {});
                if (!request.place.empty()) add({true, request.place, request.folder, request.program});
                endBeginning();
            });
        },
        [this](const Failure& failure) {
            Q_EMIT submitFailed(failure.message, failure.hint);
            endBeginning();
        });
}

void RemoteRuns::cancel(const QString& folder) {
    begin([this, service = service_, folder] {
        const std::filesystem::path path = folder.toStdString();
        const QStringList jobs = worded(service->cancel(copiedFrom(path), path));
        post([this, folder, jobs] { Q_EMIT cancelled(folder, jobs); });
    });
}

void RemoteRuns::followSweep(const QString& folder) {
    begin([this, folder] {
        Followed what{true, originOf(folder, "Its table is up to date."), folder.toStdString()};
        post([this, what = std::move(what)]() mutable {
            what.program = programs_.value(placeText(what)).toStdString();
            add(what);
        });
    });
}

void RemoteRuns::bringCheckpoints(const QString& folder) {
    begin([this, service = service_, folder] {
        const std::string from = originOf(folder, "Its checkpoints are here, if it keeps any.");
        const std::int64_t bytes = service->bringCheckpoints(from, folder.toStdString());
        post([this, folder, bytes] { Q_EMIT brought(folder, bytes); });
    });
}

std::optional<RemoteRuns::Standing> RemoteRuns::standing(const QString& folder) const {
    const auto found = standings_.constFind(folder);
    return found == standings_.cend() ? std::nullopt : std::optional(*found);
}

void RemoteRuns::add(const Followed& what) {
    const bool known = std::ranges::any_of(list_, [&](const Followed& one) { return one.folder == what.folder; });
    if (known) return;
    list_.push_back(what);
    save();
    follow(what, true);
}

void RemoteRuns::follow(const Followed& what, bool fresh) {
    programs_.insert(placeText(what), QString::fromStdString(what.program));
    setStanding(what, {}, false);
    const auto gone = [this, what](const Failure& failure) {
        drop(what);
        Q_EMIT failed(failure.message, failure.hint);
    };
    begin(
        [this, service = service_, what, fresh] {
            RemoteService::Teller teller;
            teller.arrived = [this, what, fresh] {
                post([this, what, fresh] {
                    noteReached(what);
                    // What an earlier window showed is in the list of runs.
                    if (fresh && !what.sweep) Q_EMIT arrived(folderOf(what));
                });
            };
            const auto stands = [this, what](bool full) {
                return [this, what, full](const std::string& message) {
                    post([this, what, full, text = QString::fromStdString(message)] {
                        setStanding(what, text, true, full);
                        Q_EMIT broken(placeText(what), text);
                    });
                };
            };
            teller.broken = stands(false);
            teller.full = stands(true);
            teller.back = [this, what] {
                post([this, what] {
                    setStanding(what, {}, false);
                    noteReached(what);
                    Q_EMIT back(placeText(what));
                });
            };
            teller.noted = [this, what](const std::string& message) {
                post([this, what, text = QString::fromStdString(message)] {
                    setStanding(what, text, false);
                    if (!what.sweep) Q_EMIT paused(placeText(what), text);
                });
            };
            service->follow(what, teller);
            post([this, what] {
                drop(what);
                if (what.sweep)
                    Q_EMIT sweepEnded(placeText(what), folderOf(what));
                else
                    Q_EMIT ended(placeText(what), folderOf(what));
            });
        },
        gone);
}

void RemoteRuns::drop(const Followed& what) {
    std::erase(list_, what);
    standings_.remove(folderOf(what));
    save();
    Q_EMIT standingChanged(folderOf(what));
}

void RemoteRuns::setStanding(const Followed& what, const QString& message, bool broken, bool full) {
    Standing& standing = standings_[folderOf(what)];
    // Until a moment ago.
    if (broken && !standing.broken && standing.seen.isValid()) standing.seen = QDateTime::currentDateTime();
    standing.place = placeText(what);
    standing.message = message;
    standing.broken = broken;
    standing.full = full;
    Q_EMIT standingChanged(folderOf(what));
}

void RemoteRuns::noteReached(const Followed& what) {
    const auto found = standings_.find(folderOf(what));
    if (found == standings_.end()) return;
    found->seen = QDateTime::currentDateTime();
    Q_EMIT standingChanged(folderOf(what));
}

void RemoteRuns::save() {
    std::vector<Followed> list = list_;
    if (list.size() > kMostFollowed) list.resize(kMostFollowed);
    files_.run([file = file_, list = std::move(list)] { file->write(list); }, [this] { unsaved_.clear(); },
               [this](const Failure& failure) {
                   if (std::exchange(unsaved_, failure.message) != failure.message)
                       Q_EMIT noted(failure.message, failure.hint);
               });
}

}  // namespace palimpsest
