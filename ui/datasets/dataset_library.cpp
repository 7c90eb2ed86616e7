// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/dataset_library.h"

#include <algorithm>
#include <mutex>

#include "engine/support/stop_scope.h"
#include "ui/state/engine_text.h"

namespace palimpsest {
namespace {

constexpr int kTickMs = 100;

const DatasetCard* findIn(const std::vector<DatasetCard>& cards, const std::string& name) {
    const auto found =
        std::find_if(cards.begin(), cards.end(), [&](const DatasetCard& card) { return card.name == name; });
    return found == cards.end() ? nullptr : &*found;
}

bool liesBelow(const QString& path, const QString& folder) {
    return path == folder || path.startsWith(folder.endsWith('/') ? folder : folder + '/');
}

}  // namespace

/// Shared with the thread that fetches.
struct DatasetLibrary::Job {
    QString name, title, folder;
    FetchOrigin source;
    std::stop_source stop;
    std::mutex mutex;
    bool begun = false;      // guarded by mutex
    DatasetProgress newest;  // guarded by mutex
};

struct DatasetLibrary::Reading {
    QString folder;
    std::vector<DatasetCard> cards;
    std::optional<Failure> failure;
};

struct DatasetLibrary::Outcome {
    FetchEnd how = FetchEnd::Done;
    Failure failure;
    Reading reading;
};

DatasetLibrary::DatasetLibrary(Service service, QObject* parent) : QObject(parent), service_(std::move(service)) {
    tick_.setInterval(kTickMs);
    connect(&tick_, &QTimer::timeout, this, [this] {
        for (const QString& name : fetched()) Q_EMIT fetchMoved(name);
    });
}

DatasetLibrary::~DatasetLibrary() {
    closing_.request_stop();
    for (const auto& job : std::as_const(jobs_)) job->stop.request_stop();
    readers_.clear();
}

const DatasetCard* DatasetLibrary::find(const QString& name) const {
    return findIn(cards_, name.toStdString());
}

QString DatasetLibrary::titleOf(const QString& name) const {
    const DatasetCard* card = find(name);
    return card ? QString::fromStdString(card->title) : name;
}

void DatasetLibrary::setFolder(const QString& folder) {
    if (folder == folder_) return;
    folder_ = folder;
    Q_EMIT folderChanged(folder_);
    refresh();
}

QString DatasetLibrary::rootFor(const QString& name) const {
    const DatasetCard* card = find(name);
    if (!card || !card->present || folder_.isEmpty()) return {};
    const QString place = QString::fromStdString(card->folder);
    return liesBelow(place, folder_) ? place : QString();
}

DatasetLibrary::Reading DatasetLibrary::read(const DatasetService& service, const QString& folder) {
    Reading reading{folder, {}, {}};
    reading.failure = failureOf([&] {
        reading.cards = service.cards(folder.toStdString());
        if (folder.isEmpty()) return;
        // A data set in one of the usual places needs no second copy.
        const std::vector<DatasetCard> usual = service.cards({});
        for (DatasetCard& card : reading.cards)
            if (const DatasetCard* other = findIn(usual, card.name); other && other->present && !card.present)
                card = *other;
    });
    return reading;
}

void DatasetLibrary::refresh() {
    if (!service_) return;
    if (reading_) {
        read_again_ = true;
        return;
    }
    reading_ = true;
    readers_.run(
        [service = service_, folder = folder_, stop = closing_.get_token()] {
            const StopScope scope(stop);
            return read(*service, folder);
        },
        [this](const Reading& reading) {
            reading_ = false;
            if (std::exchange(read_again_, false) || reading.folder != folder_)
                refresh();
            else
                setCards(reading);
        });
}

void DatasetLibrary::setCards(const Reading& reading) {
    if (reading.failure) {
        Q_EMIT refreshFailed(reading.failure->message, reading.failure->hint);
        return;
    }
    cards_ = reading.cards;
    Q_EMIT cardsChanged();
}

void DatasetLibrary::checkPresence(const QString& name, const QString& root) {
    if (!service_) return;
    const auto answer = [this, name, root](bool missing) { Q_EMIT presenceChecked(name, root, missing); };
    readers_.run(
        [service = service_, name, root, stop = closing_.get_token()] {
            const StopScope scope(stop);
            const std::vector<DatasetCard> cards = service->cards(root.toStdString());
            const DatasetCard* card = findIn(cards, name.toStdString());
            return card && !card->present;
        },
        // The caller has a message of what went wrong already.
        answer, [answer](const Failure&) { answer(false); });
}

DatasetLibrary::Outcome DatasetLibrary::perform(const DatasetService& service, Job& job) {
    Outcome outcome;
    bool done = false;
    const std::optional<Failure> failure = failureOf([&] {
        const auto note = [&job](const DatasetProgress& progress) {
            const std::lock_guard lock(job.mutex);
            job.newest = progress;
        };
        done = service.fetch(job.name.toStdString(), job.folder.toStdString(), job.source, note, job.stop.get_token());
    });
    // A cancelled fetch does not read a million files either.
    const StopScope scope(job.stop.get_token());
    outcome.reading = read(service, job.folder);
    const DatasetCard* card = findIn(outcome.reading.cards, job.name.toStdString());
    if (!done && job.stop.stop_requested()) {
        outcome.how = FetchEnd::Stopped;
    } else if (failure) {
        outcome.how = FetchEnd::Failed;
        outcome.failure = *failure;
    } else if (!done || (card && !card->present)) {
        outcome.how = FetchEnd::Failed;
        outcome.failure = {tr("The fetch of %1 ended, but it is not complete.").arg(job.title),
                           card ? QString::fromStdString(card->missing) : QString()};
    }
    return outcome;
}

void DatasetLibrary::fetch(const QString& name, const QString& have) {
    if (!service_ || jobs_.contains(name)) return;
    auto job = std::make_shared<Job>();
    job->name = name;
    job->title = titleOf(name);
    job->folder = folder_;
    job->source = {have.toStdString(), mirror_.toStdString(), offline_};
    jobs_.insert(name, job);
    fetchers_.run(
        [service = service_, job, stop = closing_.get_token()]() -> std::optional<Outcome> {
            const StopScope scope(stop);
            {
                const std::lock_guard lock(job->mutex);
                if (job->stop.stop_requested()) return std::nullopt;
                job->begun = true;
            }
            return perform(*service, *job);
        },
        [this, job](const std::optional<Outcome>& outcome) {
            if (outcome) finish(job, *outcome);
        });
    tick_.start();
    Q_EMIT fetchMoved(name);
}

void DatasetLibrary::cancel(const QString& name) {
    const std::shared_ptr<Job> job = jobs_.value(name);
    if (!job) return;
    job->stop.request_stop();
    if (fetchOf(name)->stage == Stage::Stopping) {
        Q_EMIT fetchMoved(name);
        return;
    }
    Outcome never_begun;
    never_begun.how = FetchEnd::Stopped;
    never_begun.reading = {folder_, cards_, {}};
    finish(job, never_begun);
}

void DatasetLibrary::cancelAll() {
    for (const QString& name : fetched()) cancel(name);
}

std::optional<DatasetLibrary::Fetch> DatasetLibrary::fetchOf(const QString& name) const {
    const std::shared_ptr<Job> job = jobs_.value(name);
    if (!job) return std::nullopt;
    const std::lock_guard lock(job->mutex);
    const Stage stage = !job->begun ? Stage::Waiting : (job->stop.stop_requested() ? Stage::Stopping : Stage::Going);
    return Fetch{stage, job->newest};
}

void DatasetLibrary::finish(const std::shared_ptr<Job>& job, const Outcome& outcome) {
    jobs_.remove(job->name);
    if (jobs_.isEmpty()) tick_.stop();
    // The cards that are being read may be older than the fetch that has just ended.
    if (reading_) read_again_ = true;
    if (outcome.how == FetchEnd::Stopped && outcome.reading.failure)
        refresh();  // reading was given up, too
    else if (outcome.reading.folder == folder_)
        setCards(outcome.reading);
    else
        refresh();
    const Failure shown = withOptionTitles(outcome.failure);
    Q_EMIT fetchEnded(job->name, outcome.how, shown.message, shown.hint);
    if (jobs_.isEmpty()) Q_EMIT settled();
}

}  // namespace palimpsest
