// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_queue.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QSet>
#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/learner/learner_permit.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"
#include "ui/state/engine_text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr double kLeastShare = 0.02;  // learned, before a run's pace says anything
constexpr int kRetryMs = 5000;        // before a file that could not be written is tried again

qint64 clockNow() {
    return QDateTime::currentMSecsSinceEpoch();
}

/// Seconds that its present program has worked on a job. A clock may be set back.
double presentSeconds(const QueueJob& job) {
    return job.began > 0 ? static_cast<double>(std::max<qint64>(0, clockNow() - job.began)) / 1000 : 0;
}

fs::path queueFileIn(const fs::path& folder) {
    return folder / "queue.json";
}

/// Texts of folders; paths would be compared part by part. A folder is in it as often as a job has it.
using FolderNames = std::unordered_multiset<std::string>;

FolderNames foldersOf(const std::vector<QueueJob>& jobs) {
    FolderNames names;
    names.reserve(jobs.size());
    for (const QueueJob& job : jobs)
        if (!job.folder.empty()) names.insert(job.folder.native());
    return names;
}

/// Whether a job that failed may begin or go on in its folder.
bool maySuit(const QueueJob& job) {
    if (job.isSweep()) return true;
    const RecordedState state = readRunState(job.folder);
    // What could not go on once could not a second time.
    return state == RecordedState::None || (isUnfinished(state) && job.starts < 2);
}

/// Names the program of a job that was begun without the queue having heard of it.
void findProgram(QueueJob& job, const QueueWorkplace& place) {
    if (!job.working() || job.pid > 0) return;
    QueueBegun begun = programAtWork(job, place);
    job.pid = begun.pid;
    job.process = std::move(begun.process);
}

fs::path papersIn(const fs::path& folder) {
    return folder / "jobs";
}

/// True for a job that works or waits.
bool isDue(const QueueJob& job) {
    return job.working() || job.state == QueueState::Waiting;
}

bool isThere(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder, ignored);
}

/// Jobs of a queue that another window may be writing; none where it cannot be read.
std::vector<QueueJob> jobsIn(const fs::path& file) {
    try {
        return parseQueue(readTextFile(file, FilePlace::InFolder, file_limit::kDocument), file.string()).jobs;
    } catch (const Error&) {
        return {};
    }
}

/// Puts a damaged file aside under a free name.
fs::path putAside(const fs::path& file) {
    std::error_code error;
    fs::path aside = file;
    aside.replace_extension(".damaged.json");
    for (int i = 2; fs::exists(fs::symlink_status(aside, error)); ++i)
        aside.replace_extension("").replace_extension("." + std::to_string(i) + ".json");
    fs::rename(file, aside, error);
    if (error)
        throw inputError("The damaged queue " + file.string() + " cannot be put aside: " + error.message() + ".",
                         "Move it away, and open the window again.");
    return aside;
}

}  // namespace

/// What open() found.
struct RunQueue::Opened {
    std::shared_ptr<QueueLock> lock;
    std::optional<QueueFile> file;  ///< absent: there is none
    QString aside;                  ///< where a damaged file is now
    bool elsewhere = false;         ///< another window has it
    std::vector<QueueJob> others = {};
};

QString RunQueue::elsewhereText() {
    return tr("The queue belongs to another window that is open on these runs.");
}

QString RunQueue::elsewhereHint() {
    return tr("Queue runs there, or close that window and queue them here.");
}

fs::path queueProgram() {
    if (const QByteArray own = qgetenv("PALIMPSEST_CLI"); !own.isEmpty()) return own.toStdString();
    return fs::path(QCoreApplication::applicationDirPath().toStdString()) / "palimpsest-cli";
}

RunQueue::RunQueue(const OptionTable* table, Places places, QObject* parent)
    : QObject(parent), table_(table), places_(std::move(places)) {
    timer_.setInterval(kLookMs);
    connect(&timer_, &QTimer::timeout, this, &RunQueue::look);
}

RunQueue::~RunQueue() {
    timer_.stop();
    if (!isOpen()) return;
    if (!outlived_ && working() > 0) {
        *stopping_ = true;
        for (QueueJob& job : file_.jobs) {
            if (!job.working()) continue;
            // The next window may find it at work for a moment.
            job.resumes = job.state == QueueState::Running;
            findProgram(job, workplace());
            askToStop(job);
        }
        save();
    }
    // The next window may have the queue only when this one has written it.
    files_.run([lock = std::move(lock_)] {}, [] {});
}

void RunQueue::open(bool make) {
    if (isOpen()) return;
    make_ = make_ || make;
    if (opening_) return;
    opening_ = true;
    files_.run(
        [folder = places_.folder, make] {
            Opened found;
            const fs::path file = queueFileIn(folder);
            std::error_code ignored;
            const bool there = fs::exists(fs::symlink_status(file, ignored));
            if (!there && !make) return found;
            found.lock = QueueLock::take(folder);
            if (!found.lock) {
                found.elsewhere = true;
                found.others = jobsIn(file);
                return found;
            }
            removeAsideFiles(folder);
            if (!there) return found;
            const std::string text = readTextFile(file, FilePlace::InFolder, file_limit::kDocument);
            try {
                found.file = parseQueue(text, file.string());
                for (QueueJob& job : found.file->jobs) findProgram(job, {{}, papersIn(folder), 0});
            } catch (const Error&) {
                if (newerQueue(text)) throw;
                found.aside = QString::fromStdString(putAside(file).string());
            }
            return found;
        },
        [this](Opened found) {
            opening_ = false;
            take(std::move(found));
        },
        [this](const Failure& failure) {
            opening_ = make_ = false;
            pending_.clear();
            fail(failure);
            Q_EMIT opened();
        });
}

void RunQueue::take(Opened found) {
    lock_ = std::move(found.lock);
    elsewhere_ = found.elsewhere;
    others_ = std::move(found.others);
    if (elsewhere_) {
        pending_.clear();
        if (std::exchange(make_, false)) fail({elsewhereText(), elsewhereHint()});
        Q_EMIT opened();
        Q_EMIT changed();
        return;
    }
    // Something was added while nothing was found.
    if (!isOpen() && make_) return open(true);
    // What was set before stays set.
    if (found.file) file_ = std::move(*found.file);
    for (QueueJob& job : file_.jobs) {
        if (!job.working()) continue;
        if (job.began == 0) job.began = clockNow();
        live_[job.id].unseen = true;
    }
    for (const QueueJob& job : file_.jobs)
        if (isDue(job)) earlier_.insert(job.id);
    asks_ = !file_.paused && asksAbout() > 0;
    if (!found.aside.isEmpty())
        Q_EMIT failed(tr("The file of the queue was damaged, and the queue begins empty."),
                      tr("The damaged file is kept as %1; runs that had begun are in the library.").arg(found.aside));
    Q_EMIT opened();
    if (asks_) Q_EMIT asksChanged();
    Q_EMIT changed();
    findFolders();
    if (working() > 0) {
        timer_.start();
        look();
    }
    if (isOpen() && !pending_.empty()) append(std::exchange(pending_, {}));
}

const QueueJob* RunQueue::find(std::int64_t id) const {
    const auto found = std::ranges::find(file_.jobs, id, &QueueJob::id);
    return found == file_.jobs.end() ? nullptr : &*found;
}

QueueJob* RunQueue::job(std::int64_t id) {
    return const_cast<QueueJob*>(std::as_const(*this).find(id));
}

int RunQueue::waiting() const {
    return static_cast<int>(std::ranges::count(file_.jobs, QueueState::Waiting, &QueueJob::state));
}

int RunQueue::working() const {
    return static_cast<int>(std::ranges::count_if(file_.jobs, &QueueJob::working));
}

int RunQueue::asksAbout() const {
    return static_cast<int>(std::ranges::count_if(
        file_.jobs, [this](const QueueJob& job) { return isDue(job) && earlier_.contains(job.id); }));
}

int RunQueue::held() const {
    return static_cast<int>(std::ranges::count(file_.jobs, QueueState::Held, &QueueJob::state));
}

std::optional<double> RunQueue::sweepLeft(const QueueJob& sweep) const {
    const Live live = live_.value(sweep.id);
    const double learned = live.share - live.first_share;
    if (sweep.working() && learned >= kLeastShare) {
        const auto took = static_cast<double>(std::max<qint64>(0, clockNow() - live.first_look)) / 1000;
        return took / learned * (1 - live.share);
    }
    const auto measured = measured_.find(sweep.folder);
    if (measured == measured_.end()) return std::nullopt;
    return std::max(0.0, measured->second - sweep.seconds - presentSeconds(sweep));
}

bool RunQueue::anyStands() const {
    const qint64 now = clockNow();
    return std::ranges::any_of(file_.jobs, [&](const QueueJob& job) {
        return !job.isSweep() && job.working() && live_.value(job.id).moves.stands(now);
    });
}

bool RunQueue::leftUnknown() const {
    return anyStands() || std::ranges::any_of(file_.jobs, [&](const QueueJob& job) {
               return job.isSweep() && isDue(job) && !sweepLeft(job);
           });
}

std::optional<double> RunQueue::left() const {
    // It would grow from look to look.
    if (anyStands()) return std::nullopt;
    SweepPace pace;
    std::map<const void*, std::size_t> lines;
    std::map<std::size_t, int> known;
    const auto lineOf = [&](const QueueJob& job) {
        return lines.try_emplace(job.experiment.get(), lines.size()).first->second;
    };
    // A run says nothing of what a sweep of many takes, nor the other way round.
    double sweeps = 0;
    bool any_sweep = false;
    for (const QueueJob& job : file_.jobs) {
        if (!job.isSweep() || !isDue(job)) continue;
        const std::optional<double> seconds = sweepLeft(job);
        if (!seconds) return std::nullopt;
        sweeps += *seconds;
        any_sweep = true;
    }
    for (const QueueJob& job : file_.jobs) {
        if (job.isSweep()) continue;
        if (job.state != QueueState::Finished || job.seconds <= 0) continue;
        pace.finished(lineOf(job), job.seconds);
        ++known[lineOf(job)];
    }
    std::vector<std::size_t> waits;
    std::vector<SweepPace::Running> works;
    for (const QueueJob& job : file_.jobs) {
        if (job.isSweep()) continue;
        if (job.state == QueueState::Waiting) waits.push_back(lineOf(job));
        if (!job.working()) continue;
        const double spent = job.seconds + presentSeconds(job);
        works.push_back({lineOf(job), spent});
        if (known[lineOf(job)] == 0 && share(job.id) >= kLeastShare) pace.finished(lineOf(job), spent / share(job.id));
    }
    if (waits.empty() && works.empty()) return any_sweep ? std::optional(sweeps) : std::nullopt;
    std::optional<double> left = pace.left(waits, works, file_.at_once);
    // Nothing goes on beside a sweep.
    if (left) *left += sweeps;
    return left;
}

QueueWorkplace RunQueue::workplace() const {
    const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
    const std::int64_t threads = file_.at_once > 1 ? std::max<std::int64_t>(1, cores / file_.at_once) : 0;
    return {places_.program, papersIn(places_.folder), threads};
}

void RunQueue::add(const Experiment& experiment, const std::vector<std::int64_t>& seeds) {
    const auto text = std::make_shared<const std::string>(formatExperiment(*table_, experiment));
    std::vector<QueueJob> jobs;
    for (const std::int64_t seed : seeds) {
        QueueJob job;
        job.name = plainSentence(experiment.name);
        job.seed = seed;
        job.experiment = text;
        jobs.push_back(std::move(job));
    }
    append(std::move(jobs));
}

void RunQueue::place(std::vector<QueueJob> jobs) {
    hands_.run(
        [runs = places_.runs, jobs = std::move(jobs), taken = foldersOf(file_.jobs)]() mutable {
            taken.merge(foldersOf(jobs));
            for (QueueJob& job : jobs) {
                // A sweep has its own.
                if (!job.folder.empty()) continue;
                job.folder = freshQueueFolder(fs::absolute(runs).lexically_normal(), job.name, job.seed,
                                              [&](const fs::path& one) { return taken.contains(one.native()); });
                taken.insert(job.folder.native());
            }
            return jobs;
        },
        [this](std::vector<QueueJob> placed) { append(std::move(placed)); },
        [this](const Failure& failure) { fail(failure); });
}

const QueueJob* RunQueue::unendedSweep(const fs::path& folder) const {
    const auto same = std::ranges::find_if(file_.jobs, [&](const QueueJob& other) {
        return other.isSweep() && !other.ended() && other.folder.native() == folder.native();
    });
    return same == file_.jobs.end() ? nullptr : &*same;
}

void RunQueue::failTwice(const QueueJob& sweep) {
    fail({tr("The sweep in %1 is in the queue already.").arg(QString::fromStdString(sweep.folder.string())),
          tr("Two programs cannot work in one folder; choose another.")});
}

void RunQueue::addSweep(const fs::path& grid, const fs::path& folder, const QString& name, double seconds) {
    if (const QueueJob* same = unendedSweep(folder)) return failTwice(*same);
    if (seconds > 0) measured_[folder] = seconds;
    QueueJob job;
    job.name = plainSentence(name.toStdString());
    job.grid = grid;
    job.folder = folder;
    append({job});
}

void RunQueue::append(std::vector<QueueJob> jobs) {
    if (!isOpen()) {
        pending_.insert(pending_.end(), jobs.begin(), jobs.end());
        return open(true);
    }
    if (file_.jobs.size() + jobs.size() > kMostQueued)
        return fail({tr("The queue is full: it holds %1 runs.").arg(kMostQueued),
                     tr("Remove those that have ended, or make a sweep of them.")});
    if (std::ranges::any_of(jobs, [](const QueueJob& job) { return job.folder.empty(); }))
        return place(std::move(jobs));
    // Added twice in one moment, both were placed before the other was known.
    const FolderNames taken = foldersOf(file_.jobs);
    if (std::ranges::any_of(
            jobs, [&](const QueueJob& job) { return !job.isSweep() && taken.contains(job.folder.native()); })) {
        for (QueueJob& one : jobs)
            if (!one.isSweep()) one.folder.clear();
        return place(std::move(jobs));
    }
    for (QueueJob& job : jobs) {
        job.id = file_.next++;
        file_.jobs.push_back(std::move(job));
    }
    settle();
    Q_EMIT added(static_cast<int>(jobs.size()));
}

void RunQueue::move(std::int64_t id, std::size_t row) {
    const auto found = std::ranges::find(file_.jobs, id, &QueueJob::id);
    if (found == file_.jobs.end()) return;
    const auto from = static_cast<std::size_t>(found - file_.jobs.begin());
    row = std::min(row, file_.jobs.size());
    if (row == from || row == from + 1) return;
    const QueueJob moved = *found;
    file_.jobs.erase(found);
    file_.jobs.insert(file_.jobs.begin() + static_cast<std::ptrdiff_t>(row > from ? row - 1 : row), moved);
    settle();
}

void RunQueue::hold(const QList<std::int64_t>& ids, bool held) {
    const QSet<std::int64_t> asked(ids.begin(), ids.end());
    for (QueueJob& one : file_.jobs) {
        if (!asked.contains(one.id)) continue;
        if (held && one.state == QueueState::Waiting) one.state = QueueState::Held;
        if (!held && one.state == QueueState::Held) {
            one.state = QueueState::Waiting;
            one.sentence.clear();
        }
        if (held && one.state == QueueState::Running) {
            one.state = QueueState::Stopping;
            askToStop(one);
        }
    }
    settle();
}

bool RunQueue::waitsForLearner(std::int64_t id) const {
    const QueueJob* one = find(id);
    if (!one || one->state != QueueState::Stopping || one->isSweep()) return false;
    try {
        return learnsByProgram(parseExperiment(*table_, *one->experiment, one->name));
    } catch (const Error&) {
        return false;
    }
}

void RunQueue::endLearners(const QList<std::int64_t>& ids) {
    for (const std::int64_t id : ids)
        if (waitsForLearner(id)) askToStop(*find(id));
}

void RunQueue::takeBack(const QList<std::int64_t>& ids) {
    const QSet<std::int64_t> asked(ids.begin(), ids.end());
    std::vector<Taken> taken;
    for (std::size_t row = 0; row < file_.jobs.size(); ++row) {
        QueueJob& one = file_.jobs[row];
        if (!asked.contains(one.id) || live_.value(one.id).leaving) continue;
        taken.push_back({row, one});
        if (!one.working()) continue;
        one.state = QueueState::Stopping;
        live_[one.id].leaving = true;
        askToStop(one);
        QueueJob& kept = taken.back().job;
        kept.state = QueueState::Waiting;
        kept.sentence.clear();
        kept.pid = 0;
        kept.process.clear();
    }
    if (taken.empty()) return;
    std::erase_if(file_.jobs,
                  [&](const QueueJob& one) { return asked.contains(one.id) && !live_.value(one.id).leaving; });
    settle();
    Q_EMIT tookBack(taken);
}

void RunQueue::putBack(const std::vector<Taken>& taken) {
    QHash<std::int64_t, QueueJob*> present;
    for (QueueJob& one : file_.jobs) present.insert(one.id, &one);
    FolderNames used = foldersOf(file_.jobs);
    std::vector<const Taken*> back;
    std::vector<QueueJob> fresh, sweeps;
    for (const Taken& entry : taken) {
        const QueueJob& one = entry.job;
        if (QueueJob* still = present.value(one.id)) {
            // It goes on as soon as it has stopped.
            if (!live_.value(one.id).leaving) continue;
            live_[one.id].leaving = false;
            still->state = QueueState::Running;
            still->resumes = true;
        } else if (used.contains(one.folder.native()) && one.isSweep()) {
            sweeps.push_back(one);
        } else if (used.contains(one.folder.native()) || file_.jobs.size() + back.size() >= kMostQueued) {
            // What was added meanwhile has its folder, or its place.
            fresh.push_back(one);
            fresh.back().folder.clear();
        } else {
            used.insert(one.folder.native());
            back.push_back(&entry);
        }
    }
    std::ranges::stable_sort(back, {}, &Taken::row);
    std::vector<QueueJob> jobs;
    jobs.reserve(file_.jobs.size() + back.size());
    auto next = back.begin();
    for (QueueJob& one : file_.jobs) {
        for (; next != back.end() && (*next)->row <= jobs.size(); ++next) jobs.push_back((*next)->job);
        jobs.push_back(std::move(one));
    }
    for (; next != back.end(); ++next) jobs.push_back((*next)->job);
    file_.jobs = std::move(jobs);
    settle();
    if (!fresh.empty()) append(std::move(fresh));
    for (const QueueJob& one : sweeps) addSweep(one.grid, one.folder, QString::fromStdString(one.name));
}

void RunQueue::retry(const QList<std::int64_t>& ids) {
    const QSet<std::int64_t> asked(ids.begin(), ids.end());
    std::vector<QueueJob> again;
    for (const QueueJob& one : file_.jobs)
        if (asked.contains(one.id) && one.state == QueueState::Failed) again.push_back(one);
    if (again.empty()) return;
    // One task for all of them: each must know the folders of the others.
    hands_.run(
        [again = std::move(again), runs = fs::absolute(places_.runs).lexically_normal(),
         taken = foldersOf(file_.jobs)]() mutable {
            std::vector<std::pair<std::int64_t, fs::path>> chosen;
            for (const QueueJob& one : again) {
                fs::path folder = one.folder;
                if (!maySuit(one) || (!one.isSweep() && taken.count(folder.native()) > 1))
                    folder = freshQueueFolder(runs, one.name, one.seed,
                                              [&](const fs::path& path) { return taken.contains(path.native()); });
                taken.insert(folder.native());
                chosen.emplace_back(one.id, std::move(folder));
            }
            return chosen;
        },
        [this](const std::vector<std::pair<std::int64_t, fs::path>>& chosen) { tryAgain(chosen); },
        [this](const Failure& failure) { fail(failure); });
}

void RunQueue::tryAgain(const std::vector<std::pair<std::int64_t, fs::path>>& chosen) {
    QList<std::int64_t> late;
    FolderNames taken = foldersOf(file_.jobs);
    QHash<std::int64_t, QueueJob*> present;
    for (QueueJob& one : file_.jobs) present.insert(one.id, &one);
    for (const auto& [id, folder] : chosen) {
        QueueJob* found = present.value(id);
        if (!found || found->state != QueueState::Failed) continue;
        if (found->isSweep()) {
            if (const QueueJob* other = unendedSweep(folder)) {
                failTwice(*other);
                continue;
            }
        } else {
            // Named for something else after it was chosen.
            const bool own = found->folder.native() == folder.native();
            if (taken.count(folder.native()) > (own ? 1U : 0U)) {
                late.append(id);
                continue;
            }
            if (const auto before = taken.find(found->folder.native()); before != taken.end()) taken.erase(before);
            taken.insert(folder.native());
            if (!own) folders_.remove(id);
            found->folder = folder;
        }
        found->state = QueueState::Waiting;
        found->sentence.clear();
    }
    settle();
    retry(late);
}

void RunQueue::clearEnded() {
    QList<std::int64_t> ids;
    for (const QueueJob& one : file_.jobs)
        if (one.ended()) ids.append(one.id);
    takeBack(ids);
}

void RunQueue::setPaused(bool paused) {
    if (asks_) {
        asks_ = false;
        Q_EMIT asksChanged();
    }
    file_.paused = paused;
    settle();
}

void RunQueue::setAtOnce(int runs) {
    runs = std::clamp(runs, 1, kMostAtOnce);
    if (runs == file_.at_once) return;
    file_.at_once = runs;
    settle();
}

void RunQueue::goOn() {
    setPaused(false);
}

void RunQueue::settle() {
    if (asks_ && asksAbout() == 0) {
        asks_ = false;
        Q_EMIT asksChanged();
    }
    beginNext();
    save();
    Q_EMIT changed();
}

void RunQueue::save() {
    if (!isOpen()) return;
    // Older states that wait behind a slow disk are left out.
    files_.runNewest(
        [queue = file_, file = queueFileIn(places_.folder)] {
            replaceTextFile(file, formatQueue(queue), Keep::OnDiskWithName, FilePlace::InFolder);
        },
        [this] { unsaved_ = false; },
        [this](const Failure& failure) {
            // Said once; the disk may have room again later.
            if (!unsaved_)
                Q_EMIT failed(tr("The queue could not be written: %1").arg(failure.message),
                              tr("Make room. Until then it is kept as long as the window is open, and tried again."));
            unsaved_ = true;
            QTimer::singleShot(kRetryMs, this, [this] {
                if (unsaved_) save();
            });
        });
}

void RunQueue::beginNext() {
    if (!isOpen() || asks_ || file_.paused) return;
    int works = working();
    bool sweep = std::ranges::any_of(file_.jobs, [](const QueueJob& one) { return one.working() && one.isSweep(); });
    for (QueueJob& one : file_.jobs) {
        if (sweep || works >= file_.at_once) return;
        if (one.state != QueueState::Waiting) continue;
        // A sweep takes all cores by itself. What stands behind it does not overtake it.
        if (one.isSweep() && works > 0) return;
        ++works;
        sweep = one.isSweep();
        one.state = QueueState::Running;
        one.sentence.clear();
        one.pid = 0;
        one.process.clear();
        one.began = clockNow();
        one.resumes = false;
        ++one.starts;
        begin(one);
    }
}

void RunQueue::begin(const QueueJob& one) {
    live_[one.id] = {};
    live_[one.id].beginning = true;
    hands_.run(
        [table = table_, job = one, place = workplace(), stopping = stopping_]() mutable {
            if (*stopping) return QueueBegun();
            const QueueBegun begun = beginJob(*table, job, place);
            job.pid = begun.pid;
            job.process = begun.process;
            if (*stopping) askToStop(job);
            return begun;
        },
        [this, id = one.id](const QueueBegun& begun) {
            // Its folder said so.
            if (begun.ended) noteFolder(id, true);
            onBegun(id, begun);
        },
        [this, id = one.id](const Failure& failure) {
            QueueBegun begun;
            begun.ended = QueueState::Failed;
            begun.sentence = (failure.message + (failure.hint.isEmpty() ? "" : " " + failure.hint)).toStdString();
            onBegun(id, begun);
        });
    if (!timer_.isActive()) timer_.start();
}

void RunQueue::onBegun(std::int64_t id, const QueueBegun& begun) {
    QueueJob* one = job(id);
    if (!one) return;
    live_[id].beginning = false;
    if (begun.ended) {
        QueueLook look;
        look.outcome = *begun.ended;
        look.sentence = begun.sentence;
        one->began = 0;
        end(*one, look);
        return settle();
    }
    one->pid = begun.pid;
    one->process = begun.process;
    // It was held or taken back meanwhile.
    if (one->state == QueueState::Stopping) askToStop(*one);
    settle();
}

struct RunQueue::Seen {
    std::int64_t id = 0;
    QueueLook look = {};
    bool folder = false;  ///< it is there
};

void RunQueue::findFolders() {
    std::vector<std::pair<std::int64_t, fs::path>> begun;
    for (const QueueJob& one : file_.jobs)
        if (one.starts > 0) begun.emplace_back(one.id, one.folder);
    if (begun.empty()) return;
    hands_.run(
        [begun = std::move(begun)] {
            QSet<std::int64_t> there;
            for (const auto& [id, folder] : begun)
                if (isThere(folder)) there.insert(id);
            return there;
        },
        [this](const QSet<std::int64_t>& there) { folders_.unite(there); });
}

void RunQueue::noteFolder(std::int64_t id, bool there) {
    if (there)
        folders_.insert(id);
    else
        folders_.remove(id);
}

void RunQueue::look() {
    if (looking_) return;
    std::vector<QueueJob> works;
    for (const QueueJob& one : file_.jobs)
        if (one.working() && !live_.value(one.id).beginning) works.push_back(one);
    if (works.empty()) {
        // One that is just being begun is looked at later.
        if (working() == 0) timer_.stop();
        return;
    }
    looking_ = true;
    hands_.run(
        [table = table_, works = std::move(works), place = workplace()] {
            std::vector<Seen> found;
            for (const QueueJob& one : works)
                found.push_back({one.id, lookAtJob(*table, one, place), isThere(one.folder)});
            return found;
        },
        [this](const std::vector<Seen>& found) {
            looking_ = false;
            for (const Seen& seen : found) {
                noteFolder(seen.id, seen.folder);
                onLook(seen.id, seen.look);
            }
            Q_EMIT progressed();
        });
}

void RunQueue::onLook(std::int64_t id, const QueueLook& seen) {
    QueueJob* one = job(id);
    if (!one || !one->working()) return;
    if (seen.working) {
        Live& live = live_[id];
        live.unseen = false;
        if (live.first_look == 0) {
            live.first_look = clockNow();
            live.first_share = seen.share;
        }
        live.moves.note(seen.share, clockNow());
        live.wait = seen.wait;
        const double before = std::exchange(live.share, seen.share);
        if (!one->isSweep() && before <= 0 && seen.share > 0)
            Q_EMIT folderChanged(QString::fromStdString(one->folder.string()));
        return;
    }
    end(*one, seen);
    settle();
}

void RunQueue::end(QueueJob& one, const QueueLook& seen) {
    const std::int64_t id = one.id;
    const Live live = live_.take(id);
    // Nobody saw when it ended: then it says nothing of how long others take.
    if (!live.unseen)
        one.seconds += presentSeconds(one);
    else if (seen.outcome == QueueState::Finished)
        one.seconds = 0;
    else if (one.began > 0)
        one.seconds += std::clamp(static_cast<double>(seen.last_sign - one.began) / 1000, 0.0, presentSeconds(one));
    one.began = 0;
    const bool asked = one.state == QueueState::Stopping;
    // What ended with an earlier window, or as the queue asked it to.
    const bool resumes = std::exchange(one.resumes, false) || live.unseen;
    one.pid = 0;
    one.process.clear();
    one.state = seen.outcome;
    one.sentence = seen.sentence;
    if (seen.outcome == QueueState::Waiting) {
        one.sentence.clear();
        if (asked) {
            one.state = QueueState::Held;
        } else if (!resumes) {
            // Somebody else ended it, and may have had a reason: it does not begin again by itself.
            one.state = QueueState::Held;
            one.sentence = seen.sentence.empty() ? "Somebody stopped it; release it to go on." : seen.sentence;
        }
    }
    const QString folder = QString::fromStdString(one.folder.string());
    const bool sweep = one.isSweep();
    if (live.leaving) std::erase_if(file_.jobs, [id](const QueueJob& other) { return other.id == id; });
    if (!sweep) Q_EMIT folderChanged(folder);
}

}  // namespace palimpsest
