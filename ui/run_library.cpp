// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_library.h"

#include <QMetaObject>
#include <algorithm>
#include <atomic>
#include <functional>

#include "engine/support/error.h"
#include "ui/curve_store.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

QString idOf(const fs::path& folder) {
    return CurveStore::idOf(folder.string(), 0);
}

/// The end of the program that wrote a run changes no file.
bool stateChanged(const RunRecord& run) {
    return run.state == "running" && readRunState(run.folder) != run.state;
}

}  // namespace

RunLibrary::RunLibrary(const OptionTable* table, fs::path runs, QObject* parent)
    : QObject(parent), table_(table), folder_(std::move(runs)), cancelled_(std::make_shared<std::atomic<bool>>(false)) {
    pool_.setMaxThreadCount(1);
}

RunLibrary::~RunLibrary() {
    *cancelled_ = true;
    pool_.clear();
    pool_.waitForDone();
}

std::string RunLibrary::signatureOf(const fs::path& folder) {
    std::string signature;
    for (const char* name : {"run.json", "summary.json", "anytime.csv", "sessions.csv"}) {
        std::error_code error;
        const auto size = fs::file_size(folder / name, error);
        const auto time = fs::last_write_time(folder / name, error);
        signature += error ? "-" : std::to_string(size) + '@' + std::to_string(time.time_since_epoch().count());
        signature += ' ';
    }
    return signature;
}

RunLibrary::Found RunLibrary::scan(const OptionTable& table, const std::vector<fs::path>& folders,
                                   const QHash<QString, Known>& known, const std::atomic<bool>& cancelled) {
    Found found;
    for (const fs::path& folder : folders) {
        if (cancelled) break;
        found.asked.insert(idOf(folder));
        std::error_code unknown;
        if (!fs::exists(folder, unknown)) continue;  // gone, which is no complaint
        std::string signature = signatureOf(folder);
        const auto old = known.constFind(idOf(folder));
        if (old != known.constEnd() && old->signature == signature && !stateChanged(*old->record)) {
            found.runs.push_back(*old);
            continue;
        }
        try {
            found.runs.push_back({std::make_shared<const RunRecord>(readRun(table, folder)), std::move(signature)});
        } catch (const Error& error) {
            found.unreadable.push_back(QString::fromStdString(error.what()));
        } catch (const std::exception& error) {
            found.unreadable.push_back(QString::fromStdString(folder.string() + ": " + error.what()));
        }
    }
    return found;
}

void RunLibrary::begin(std::function<Found()> work) {
    ++scans_;
    pool_.start([this, work = std::move(work)] {
        // The destructor waits for this thread, and takes undelivered calls with it.
        QMetaObject::invokeMethod(
            this, [this, found = work()]() mutable { take(std::move(found)); }, Qt::QueuedConnection);
    });
}

void RunLibrary::refresh() {
    begin([table = table_, parent = folder_, known = known_, cancelled = cancelled_] {
        std::vector<fs::path> folders = findRuns(parent);
        // A run from elsewhere, opened by hand, stays until it is gone.
        for (const Known& run : known) {
            std::error_code error;
            if (run.record->folder.parent_path() != parent && fs::exists(run.record->folder / "run.json", error))
                folders.push_back(run.record->folder);
        }
        Found found = scan(*table, folders, known, *cancelled);
        for (auto id = known.keyBegin(); id != known.keyEnd(); ++id) found.asked.insert(*id);
        return found;
    });
}

void RunLibrary::touch(const QString& folder) {
    const fs::path path(folder.toStdString());
    begin([table = table_, path, cancelled = cancelled_] { return scan(*table, {path}, {}, *cancelled); });
}

void RunLibrary::add(const Record& run) {
    known_.insert(idOf(run->folder), {run, {}});
    sortRecords();
    Q_EMIT changed();
}

void RunLibrary::lookAgain(const QStringList& ids) {
    std::vector<fs::path> folders;
    for (const QString& id : ids) {
        const Record run = find(id);
        folders.push_back(run ? run->folder : fs::path(id.toStdString()));
    }
    begin([table = table_, folders = std::move(folders), known = known_, cancelled = cancelled_] {
        return scan(*table, folders, known, *cancelled);
    });
}

RunLibrary::Record RunLibrary::find(const QString& id) const {
    return known_.value(id).record;
}

void RunLibrary::sortRecords() {
    records_.clear();
    for (const Known& run : std::as_const(known_)) records_.push_back(run.record);
    std::sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
        return std::tie(a->started, a->folder) > std::tie(b->started, b->folder);
    });
}

void RunLibrary::take(Found found) {
    --scans_;
    QHash<QString, Known> fresh = known_;
    for (const QString& id : std::as_const(found.asked)) fresh.remove(id);
    for (Known& run : found.runs) fresh.insert(idOf(run.record->folder), std::move(run));
    const bool same = fresh.size() == known_.size() &&
                      std::all_of(fresh.keyBegin(), fresh.keyEnd(),
                                  [&](const QString& id) { return known_.value(id).record == fresh.value(id).record; });
    known_ = std::move(fresh);
    if (!same) {
        sortRecords();
        Q_EMIT changed();
    }
    Q_EMIT scanned(found.unreadable);
}

}  // namespace palimpsest
