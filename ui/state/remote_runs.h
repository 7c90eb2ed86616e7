// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <atomic>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/remote/followed_file.h"
#include "ui/state/background.h"
#include "ui/state/remote_service.h"

namespace palimpsest {

/// Runs and sweeps on other machines: starts and submits them, and follows them, so that a copy of each grows here.
/// Each call has a thread of its own, so that no machine that does not answer holds up another. What was started goes
/// on when this object, or the connection, is gone; what is followed is noted in the folder of runs, and the next
/// window goes on with it (recall()). All functions belong to the window's thread.
class RemoteRuns : public QObject {
    Q_OBJECT
public:
    /// The table must outlive it. `version`: of this program, which the one there must fit.
    RemoteRuns(const OptionTable* table, std::string version, std::filesystem::path runs, QObject* parent = nullptr);
    /// Gives the following up, which takes a moment.
    ~RemoteRuns() override;

    /// Puts another service in the place of ssh, before anything is asked of it.
    void setService(std::shared_ptr<RemoteService> service) { service_ = std::move(service); }

    /// Goes on with what was followed when an earlier window ended; answered by takenUp(), unless nothing was.
    void recall();
    /// In a new folder below `place` (see RemotePlace); `program`: palimpsest-cli there, empty: found by itself.
    /// Answered by begun() and started(), or by startFailed().
    void start(const Experiment& experiment, const QString& place, const QString& program);
    /// Ends the run there of which a folder here is a copy; answered by stopping() or failed().
    void stop(const QString& folder);
    /// Gives a sweep to a Slurm; answered by submitted() or submitFailed(). One of another machine is followed then.
    void submit(const ClusterRequest& request);
    /// Cancels the jobs of the sweep in a folder, which may be a copy; answered by cancelled() or failed().
    void cancel(const QString& folder);
    /// Follows the sweep again of which a folder is a copy; answered by standingChanged() or failed().
    void followSweep(const QString& folder);
    /// Brings checkpoints and prompts into a copy; answered by brought() or failed().
    void bringCheckpoints(const QString& folder);

    /// How it stands with what is followed.
    struct Standing {
        QString place;
        QString message;      ///< why nothing comes, or what else is amiss; empty: nothing
        bool broken = false;  ///< nothing comes
        QDateTime seen = {};  ///< when it was last reached, of a broken one; null: not since this window opened
        bool full = false;    ///< nothing comes since the disk of this computer is full; the connection is there
    };
    /// Absent where the folder is not followed.
    std::optional<Standing> standing(const QString& folder) const;
    const std::vector<Followed>& followed() const { return list_; }
    /// Whether a start or a submission has no answer yet: what it begins there is not noted here before.
    bool beginning() const { return beginning_ > 0; }

Q_SIGNALS:
    /// So many are followed again.
    void takenUp(int count);
    /// The run has been started there; its place.
    void started(const QString& place);
    /// The same, or not, of what start() was given as its place, and program.
    void begun(const QString& asked, const QString& program);
    void startFailed(const QString& asked, const QString& message, const QString& hint);
    /// Its copy here can be read, and grows.
    void arrived(const QString& folder);
    /// Nothing comes, as the connection has broken or there is no room here; tried again. Once for each break.
    void broken(const QString& place, const QString& message);
    void back(const QString& place);
    /// The run waits there, and why; empty: it no longer does. Once for each pause.
    void paused(const QString& place, const QString& message);
    void ended(const QString& place, const QString& folder);
    void sweepEnded(const QString& place, const QString& folder);
    /// It ends at its next batch; false: it no longer goes on.
    void stopping(const QString& place, bool running);
    /// Numbers of the jobs; none where all runs have finished.
    void submitted(const ClusterRequest& request, const QStringList& jobs);
    void submitFailed(const QString& message, const QString& hint);
    /// None where all jobs had ended.
    void cancelled(const QString& folder, const QStringList& jobs);
    void brought(const QString& folder, qint64 bytes);
    /// A folder is followed, or no longer, or its standing is another.
    void standingChanged(const QString& folder);
    /// A start or a submission has its answer, and what it began is noted.
    void answered();
    /// What the user should know, although nothing that was asked for went wrong.
    void noted(const QString& message, const QString& hint);
    void failed(const QString& message, const QString& hint);

private:
    /// Runs `work` on a thread of its own, in a StopScope; what it throws goes to `refused` on the window's thread.
    template <class Work, class Refused>
    void begin(Work work, Refused refused);
    template <class Work>
    void begin(Work work);
    void endBeginning();
    /// Calls a function on the window's thread.
    template <class Function>
    void post(Function function);
    void add(const Followed& what);
    void follow(const Followed& what, bool fresh);
    void drop(const Followed& what);
    void setStanding(const Followed& what, const QString& message, bool broken, bool full = false);
    /// It answers.
    void noteReached(const Followed& what);
    void save();

    const std::filesystem::path runs_;
    std::shared_ptr<RemoteService> service_;
    std::vector<Followed> list_;
    QHash<QString, Standing> standings_;  ///< by the folder of the copy
    QString unsaved_;                     ///< why the list could not be written, as it was said
    const std::shared_ptr<FollowedFile> file_;
    Background files_{Background::Waiting::Finished};
    int beginning_ = 0;                 ///< starts and submissions without an answer
    QHash<QString, QString> programs_;  ///< that were named, by the place there
    struct Worker {
        std::shared_ptr<std::atomic<bool>> ended;
        std::jthread thread;
    };
    std::list<Worker> workers_;  ///< those that have ended go when the next one begins
};

}  // namespace palimpsest
