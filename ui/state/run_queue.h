// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/learner/learner_wait.h"
#include "engine/sweep/queue_file.h"
#include "engine/sweep/queue_work.h"
#include "engine/sweep/sweep_results.h"
#include "ui/state/background.h"
#include "ui/state/standstill.h"

namespace palimpsest {

/// Runs and sweeps that wait, work and have ended. Each is done by a `palimpsest-cli` of its own, which outlives a
/// crash of the window; the list is in a file that is replaced as a whole at every change, so that it survives one,
/// too. All functions belong to the window's thread; disk and programs are seen to on two others. The destructor asks
/// what works to stop and to keep what it learned, unless it is to outlive the queue; the next time it goes on from
/// there, once the user says so.
class RunQueue : public QObject {
    Q_OBJECT
public:
    struct Places {
        std::filesystem::path folder;   ///< of the queue's file, and of experiment files and logs
        std::filesystem::path runs;     ///< where new runs go
        std::filesystem::path program;  ///< palimpsest-cli
    };
    /// A job that was taken off the list, as putBack() wants it.
    struct Taken {
        std::size_t row = 0;
        QueueJob job;
    };
    static constexpr int kLookMs = 1000;  ///< between two looks at what works

    /// The table must outlive the queue.
    RunQueue(const OptionTable* table, Places places, QObject* parent = nullptr);
    ~RunQueue() override;

    /// Reads the file if there is one, and finds again what still works. Answered by opened(). A queue that was never
    /// used makes no folder; the first add() does.
    void recall() { open(false); }
    bool isOpen() const { return lock_ != nullptr; }
    /// Another window has the queue; recall() looks again. Then this one has no jobs.
    bool elsewhere() const { return elsewhere_; }
    /// Jobs of that window's queue when this one looked last.
    const std::vector<QueueJob>& othersJobs() const { return others_; }
    /// Why nothing can be queued here then.
    static QString elsewhereText();
    static QString elsewhereHint();
    const std::vector<QueueJob>& jobs() const { return file_.jobs; }
    /// Null for a number that is gone.
    const QueueJob* find(std::int64_t id) const;
    /// Null: no job that has not ended has this folder for its sweep.
    const QueueJob* unendedSweep(const std::filesystem::path& folder) const;
    /// 0..1; of a job that works.
    double share(std::int64_t id) const { return live_.value(id).share; }
    /// Learner that does not answer, of a run that works.
    std::optional<LearnerWait> wait(std::int64_t id) const { return live_.value(id).wait; }
    /// The job's folder was there when it was last looked at, on the other thread; no disk is asked.
    bool hasFolder(std::int64_t id) const { return folders_.contains(id); }
    int waiting() const;
    int working() const;
    int held() const;
    bool paused() const { return file_.paused; }
    int atOnce() const { return file_.at_once; }
    /// Jobs of an earlier time wait for the user to say that they may go on.
    bool asks() const { return asks_; }
    /// Jobs that the question is about: those of the earlier time that still wait or work.
    int asksAbout() const;
    /// Estimate in seconds for everything that works and waits; absent until enough is known of each, and while the
    /// progress of a run stands still.
    std::optional<double> left() const;
    /// A sweep works or waits of which nobody knows how long it takes, or a run's progress stands still.
    bool leftUnknown() const;
    const Places& places() const { return places_; }

    /// One job a seed, at the end of the list. Answered by added() or failed().
    void add(const Experiment& experiment, const std::vector<std::int64_t>& seeds);
    /// A grid file with the folder of its sweep, both absolute. Likewise. `seconds`: that it takes on this machine, as
    /// it was measured; 0: it was not.
    void addSweep(const std::filesystem::path& grid, const std::filesystem::path& folder, const QString& name,
                  double seconds = 0);
    /// Places a job before the one that stands at `row` now; jobs() .size(): at the end.
    void move(std::int64_t id, std::size_t row);
    /// A held job does not begin; one that works is asked to stop, and goes on from there when it is released.
    void hold(const QList<std::int64_t>& ids, bool held);
    /// Was a run with a program of the user's own asked to stop, so that endLearners() would end that program?
    bool waitsForLearner(std::int64_t id) const;
    /// Ends the learners of runs that were asked to stop and do not answer; their newest checkpoints stay.
    void endLearners(const QList<std::int64_t>& ids);
    /// Removes jobs from the list. One that works is asked to stop first. No folder is touched. Answered by tookBack().
    void takeBack(const QList<std::int64_t>& ids);
    /// The inverse: each goes to its old row, and is as it was. One that was working waits, to go on where it was.
    void putBack(const std::vector<Taken>& taken);
    /// A failed job waits again: to go on with its folder, or in a fresh one where that cannot.
    void retry(const QList<std::int64_t>& ids);
    /// Takes back what has ended.
    void clearEnded();
    /// While it is paused nothing begins; what works goes on.
    void setPaused(bool paused);
    void setAtOnce(int runs);
    /// The user's answer, where asks() is true.
    void goOn();
    /// True: what works goes on when the queue is destroyed, and the next queue finds it again. False, as at first: it
    /// is asked to stop.
    void setOutlived(bool outlived) { outlived_ = outlived; }

Q_SIGNALS:
    void opened();
    /// Jobs came, went, moved, or changed their state.
    void changed();
    /// Shares or times of what works changed.
    void progressed();
    void asksChanged();
    void added(int jobs);
    /// From the top.
    void tookBack(const std::vector<palimpsest::RunQueue::Taken>& taken);
    /// A run's folder has something new: it began or ended.
    void folderChanged(const QString& folder);
    void failed(const QString& message, const QString& hint);

private:
    struct Opened;
    /// What is known of a job while it works, and is not written down.
    struct Live {
        double share = 0;
        double first_share = 0;           ///< when it was first looked at, as what others had done of a sweep
        Standstill moves;                 ///< of a run
        std::optional<LearnerWait> wait;  ///< likewise
        std::int64_t first_look = 0;      ///< milliseconds of the clock; 0: not yet
        bool beginning = false;           ///< it has no program yet
        bool leaving = false;             ///< it was taken back while it worked
        bool unseen = false;              ///< of an earlier window, and not found at work in this one
    };
    void open(bool make);
    void take(Opened opened);
    /// The progress of a run that works stands still.
    bool anyStands() const;
    /// Absent: not known.
    std::optional<double> sweepLeft(const QueueJob& sweep) const;
    QueueJob* job(std::int64_t id);
    void append(std::vector<QueueJob> jobs);
    /// Names folders, on another thread, and appends the jobs that have none.
    void place(std::vector<QueueJob> jobs);
    void failTwice(const QueueJob& sweep);
    /// Has failed jobs wait, each with a folder; what has meanwhile become another job's folder is chosen anew.
    void tryAgain(const std::vector<std::pair<std::int64_t, std::filesystem::path>>& chosen);
    /// Writes the file, tells everyone, and begins what may begin.
    void settle();
    void save();
    void beginNext();
    void begin(const QueueJob& job);
    void onBegun(std::int64_t id, const QueueBegun& begun);
    struct Seen;
    void look();
    /// Looks for the folders of what ended or stopped in an earlier time.
    void findFolders();
    void noteFolder(std::int64_t id, bool there);
    void onLook(std::int64_t id, const QueueLook& look);
    void end(QueueJob& job, const QueueLook& look);
    void fail(const Failure& failure) { Q_EMIT failed(failure.message, failure.hint); }
    QueueWorkplace workplace() const;

    const OptionTable* const table_;
    const Places places_;
    std::shared_ptr<QueueLock> lock_;  ///< null: not open, or another window's
    QueueFile file_;
    std::vector<QueueJob> pending_;  ///< added before the queue was open
    /// The queue ends: what is just being begun is asked to stop, too. Shared with the work on the other thread.
    const std::shared_ptr<std::atomic<bool>> stopping_ = std::make_shared<std::atomic<bool>>(false);
    QHash<std::int64_t, Live> live_;  ///< by the id of a job that works
    QSet<std::int64_t> folders_;      ///< ids of jobs whose folders are there
    std::vector<QueueJob> others_;
    QSet<std::int64_t> earlier_;                        ///< ids of jobs that waited or worked when the queue was opened
    std::map<std::filesystem::path, double> measured_;  ///< seconds of a sweep, by its folder
    bool elsewhere_ = false;
    bool asks_ = false, opening_ = false, make_ = false, looking_ = false, unsaved_ = false, outlived_ = false;
    QTimer timer_;
    Background files_{Background::Waiting::Finished};
    Background hands_;
};

/// Folder of the queue within that of the runs.
inline constexpr const char* kQueueFolder = ".queue";

/// palimpsest-cli as this program would start it: $PALIMPSEST_CLI, or beside it.
std::filesystem::path queueProgram();

}  // namespace palimpsest
