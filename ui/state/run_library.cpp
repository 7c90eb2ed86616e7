// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_library.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "engine/library/run_trash.h"
#include "engine/support/error.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFew = 100;  // rows that find their places one by one

bool newer(const RunRowPtr& a, const RunRowPtr& b) {
    return a->started != b->started ? a->started > b->started : a->folder.native() > b->folder.native();
}

void appendNews(RunIndex::Scan& news, RunIndex::Scan more) {
    std::move(more.rows.begin(), more.rows.end(), std::back_inserter(news.rows));
    std::move(more.read.begin(), more.read.end(), std::back_inserter(news.read));
    std::move(more.unreadable.begin(), more.unreadable.end(), std::back_inserter(news.unreadable));
}

}  // namespace

struct RunLibrary::Index {
    std::optional<RunIndex> index;
};

QString RunLibrary::idOf(const fs::path& folder) {
    return QString::fromStdString(folder.native());
}

void RunLibrary::readWhole(const OptionTable& table, const fs::path& folder, RunIndex::Scan& news) {
    const bool read =
        std::any_of(news.read.begin(), news.read.end(), [&](const Record& record) { return record->folder == folder; });
    if (read) return;
    if (const auto failure =
            failureOf([&] { news.read.push_back(std::make_shared<const RunRecord>(readRun(table, folder))); }))
        news.unreadable.push_back(failure->message.toStdString());
}

RunLibrary::RunLibrary(const OptionTable* table, fs::path runs, QObject* parent)
    : QObject(parent),
      table_(table),
      folder_(std::move(runs)),
      cancelled_(std::make_shared<std::atomic<bool>>(false)),
      index_(std::make_unique<Index>()) {}

RunLibrary::~RunLibrary() {
    *cancelled_ = true;
}

void RunLibrary::begin(Work work) {
    ++scans_;
    auto perform = [work = std::move(work), holder = index_.get(), table = table_, folder = folder_] {
        Found found;
        const auto report = [&](std::optional<Failure> failure) {
            if (failure) found.failures.push_back(std::move(*failure));
        };
        if (!holder->index) report(failureOf([&] { holder->index.emplace(table, folder); }));
        // Without a file the index lives in memory: the list is the same, but slower to come.
        if (!holder->index) holder->index.emplace(table, folder, RunIndex::Keep::Memory);
        if (auto failure = failureOf([&] { work(*holder->index, found); })) {
            report(std::move(failure));
            // Folders that were not found by then may still be there.
            found.everything = false;
            found.asked.clear();
        }
        if (const std::string notice = holder->index->takeNotice(); !notice.empty())
            found.notices.push_back(QString::fromStdString(notice));
        prepare(found);
        return found;
    };
    background_.run(std::move(perform), [this](Found found) { apply(std::move(found)); });
}

void RunLibrary::refresh() {
    scan(false);
}

void RunLibrary::rebuild() {
    scan(true);
}

void RunLibrary::scan(bool anew) {
    begin([this, anew, known = known_, state = state_, trash = trash_, whole = whole_, folder = folder_,
           cancelled = cancelled_, table = table_](RunIndex& index, Found& found) {
        // A run from elsewhere, opened by hand, stays until it is gone.
        const fs::path parent = wholePath(folder);
        std::vector<fs::path> others;
        found.asked = trash;
        for (auto row = known.cbegin(); row != known.cend(); ++row) {
            found.asked.insert(row.key());
            if ((*row)->folder.parent_path() != parent) others.push_back((*row)->folder);
        }
        found.known = known;
        found.state = state;
        found.everything = true;
        if (anew) index.clear();
        found.news = index.reconcile(others, cancelled.get());
        for (const std::string& sentence : found.news.unlisted)
            found.failures.push_back({QString::fromStdString(sentence), tr("What is known of its runs is listed.")});
        std::vector<RunRowPtr> newest;
        for (const RunRowPtr& row : found.news.rows)
            if (!row->trashed) newest.push_back(row);
        const auto end = newest.begin() + static_cast<std::ptrdiff_t>(std::min(newest.size(), kWhole));
        std::partial_sort(newest.begin(), end, newest.end(),
                          [](const RunRowPtr& a, const RunRowPtr& b) { return a->started > b->started; });
        QSet<QString> wanted(whole.keyBegin(), whole.keyEnd());
        for (auto row = newest.begin(); row != end && !*cancelled; ++row) {
            wanted.insert(idOf((*row)->folder));
            if (!whole.contains(idOf((*row)->folder))) readWhole(*table, (*row)->folder, found.news);
        }
        // A first scan reads everything; thousands of curves would fill the memory.
        std::erase_if(found.news.read, [&](const Record& record) { return !wanted.contains(idOf(record->folder)); });
        if (anew) found.then = [this, count = newest.size()] { Q_EMIT rebuilt(static_cast<int>(count)); };
    });
}

void RunLibrary::rescan(const QStringList& ids) {
    std::vector<fs::path> folders;
    QSet<QString> lacking;
    for (const QString& id : ids) {
        folders.emplace_back(id.toStdString());
        if (!find(id)) lacking.insert(id);
    }
    begin(
        [folders = std::move(folders), lacking, cancelled = cancelled_, table = table_](RunIndex& index, Found& found) {
            for (const fs::path& folder : folders) found.asked.insert(idOf(folder));
            found.news = index.scan(folders, cancelled.get());
            for (const RunRowPtr& row : found.news.rows)
                if (lacking.contains(idOf(row->folder))) readWhole(*table, row->folder, found.news);
        });
}

void RunLibrary::touch(const QString& folder) {
    rescan({RunSet::idOf(folder.toStdString(), 0)});
}

void RunLibrary::load(const QString& id) {
    begin([this, id, folder = fs::path(id.toStdString()), cancelled = cancelled_, table = table_](RunIndex& index,
                                                                                                  Found& found) {
        found.asked.insert(id);
        found.news = index.scan({folder}, cancelled.get());
        if (!found.news.rows.empty()) readWhole(*table, folder, found.news);
        found.then = [this, id] { Q_EMIT loaded(id); };
    });
}

void RunLibrary::add(const Record& run) {
    RunRow row = rowOf(*table_, *run);
    row.folder = wholePath(row.folder);
    const QString id = idOf(row.folder);
    if (const RunRowPtr known = this->row(id)) row.notes = known->notes;
    const RunRowPtr now = std::make_shared<const RunRow>(std::move(row));
    const RunRowPtr old = std::exchange(known_[id], now);
    whole_.insert(id, run);
    sortRows(old ? std::vector{old} : std::vector<RunRowPtr>(), {now});
    Q_EMIT changed();
    // The user's notes are in its folder.
    touch(id);
}

void RunLibrary::editNotes(const QStringList& ids, const NotesEdit& edit) {
    std::vector<fs::path> folders;
    for (const QString& id : ids) folders.emplace_back(id.toStdString());
    begin([folders = std::move(folders), edit](RunIndex& index, Found& found) {
        for (const fs::path& folder : folders) {
            RunNotes notes = readNotes(folder);
            edit(notes);
            const auto failure = failureOf([&] { found.news.rows.push_back(index.setNotes(folder, notes)); });
            if (failure) found.failures.push_back(*failure);
        }
    });
}

void RunLibrary::remove(const QStringList& ids) {
    QStringList names;
    for (const QString& id : ids) names.push_back(row(id) ? QString::fromStdString(row(id)->name) : id);
    begin([this, ids, names, runs = folder_](RunIndex& index, Found& found) {
        QStringList gone, goneNames, trashed;
        for (qsizetype i = 0; i < ids.size(); ++i) {
            const fs::path folder(ids[i].toStdString());
            fs::path place;
            if (const auto failure = failureOf([&] { place = moveToTrash(runs, folder); })) {
                found.failures.push_back(*failure);
                continue;
            }
            gone.push_back(ids[i]);
            goneNames.push_back(names[i]);
            trashed.push_back(idOf(place));
            found.asked.insert(ids[i]);
            appendNews(found.news, index.scan({folder, place}));
        }
        if (!gone.isEmpty())
            found.then = [this, gone, goneNames, trashed] { Q_EMIT removed(gone, goneNames, trashed); };
    });
}

void RunLibrary::restore(const QStringList& trashed) {
    begin([this, trashed, runs = folder_, table = table_](RunIndex& index, Found& found) {
        QStringList back, ids;
        for (const QString& folder : trashed) {
            const fs::path from(folder.toStdString());
            fs::path place;
            if (const auto failure = failureOf([&] { place = restoreFromTrash(runs, from); })) {
                found.failures.push_back(*failure);
                continue;
            }
            found.asked.insert(folder);
            appendNews(found.news, index.scan({from, place}));
            readWhole(*table, wholePath(place), found.news);
            back.push_back(folder);
            ids.push_back(idOf(wholePath(place)));
        }
        if (!back.isEmpty()) found.then = [this, back, ids] { Q_EMIT restored(back, ids); };
    });
}

void RunLibrary::emptyTrash() {
    begin([this, asked = trash_, runs = folder_](RunIndex& index, Found& found) {
        found.asked = asked;
        const std::size_t count = palimpsest::emptyTrash(runs);
        std::vector<fs::path> gone;
        for (const QString& folder : asked) gone.emplace_back(folder.toStdString());
        found.news = index.scan(gone);
        found.then = [this, count] { Q_EMIT trashEmptied(static_cast<int>(count)); };
    });
}

void RunLibrary::importFile(const ImportRequest& request) {
    begin([this, request, table = table_](RunIndex& index, Found& found) {
        ImportedRuns made = importRuns(*table, request);
        for (fs::path& folder : made.folders) folder = wholePath(folder);
        found.news = index.scan(made.folders);
        QStringList ids, names, notes;
        for (const RunRowPtr& row : found.news.rows) {
            ids.push_back(idOf(row->folder));
            names.push_back(QString::fromStdString(row->name));
        }
        for (const std::string& note : made.notes) notes.push_back(QString::fromStdString(note));
        if (ids.empty()) return;
        found.then = [this, ids, names, notes] { Q_EMIT imported(ids, names, notes.join(' ')); };
    });
}

void RunLibrary::sortRows(const std::vector<RunRowPtr>& gone, const std::vector<RunRowPtr>& came) {
    ++state_;
    if (gone.size() + came.size() > kFew) {
        rows_.assign(known_.cbegin(), known_.cend());
        std::sort(rows_.begin(), rows_.end(), newer);
    } else {
        const auto placeOf = [this](const RunRowPtr& row) {
            return std::lower_bound(rows_.begin(), rows_.end(), row, newer);
        };
        for (const RunRowPtr& row : gone)
            if (const auto place = placeOf(row); place != rows_.end() && *place == row) rows_.erase(place);
        // One that was changed twice is what it is now.
        for (const RunRowPtr& row : came)
            if (known_.value(idOf(row->folder)) == row) rows_.insert(placeOf(row), row);
    }
    sortRecords();
}

void RunLibrary::sortRecords() {
    records_.assign(whole_.cbegin(), whole_.cend());
    std::sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
        return std::tie(a->started, a->folder.native()) > std::tie(b->started, b->folder.native());
    });
}

void RunLibrary::prepare(Found& found) {
    for (const RunRowPtr& row : found.news.rows) {
        const QString id = idOf(row->folder);
        found.asked.remove(id);
        if (row->trashed)
            found.trashed.push_back(id);
        else if (found.known.value(id) != row)
            found.rows.emplace_back(id, row);
        if (found.everything && !row->trashed) {
            found.all.insert(id, row);
            found.sorted.push_back(row);
        }
    }
    std::sort(found.sorted.begin(), found.sorted.end(), newer);
    found.known.clear();
}

/// True if anything is new. Ten thousand rows one by one take longer than the window has: if nothing has changed since
/// the scan began, they replace the known ones as a whole.
bool RunLibrary::merge(Found& found) {
    std::vector<RunRowPtr> gone, came;
    bool records = false;
    for (auto& [id, row] : found.rows) {
        const bool whole = found.everything && found.state == state_;
        const RunRowPtr old = whole ? nullptr : std::exchange(known_[id], row);
        if (old == row) continue;
        if (old) gone.push_back(old);
        came.push_back(std::move(row));
    }
    for (const QString& id : std::as_const(found.asked)) {
        if (const RunRowPtr old = known_.take(id)) gone.push_back(old);
        whole_.remove(id);
        trash_.remove(id);
    }
    const bool news = !gone.empty() || !came.empty();
    if (found.everything && found.state == state_) {
        if (news) ++state_;
        known_ = std::move(found.all);
        rows_ = std::move(found.sorted);
    } else if (news) {
        sortRows(gone, came);
    }
    for (const Record& record : found.news.read) {
        const QString id = idOf(record->folder);
        if (!known_.contains(id)) continue;
        whole_.insert(id, record);
        records = true;
    }
    if (news || records) sortRecords();
    for (const QString& id : std::as_const(found.trashed)) trash_.insert(id);
    return news || records;
}

void RunLibrary::apply(Found found) {
    --scans_;
    complete_ = complete_ || found.everything;
    const bool news = merge(found);
    if (found.then) found.then();
    if (news) Q_EMIT changed();
    for (const QString& notice : std::as_const(found.notices))
        Q_EMIT noted(notice, tr("Nothing is lost: names, notes and tags stand in the run folders."));
    // A full disk fails every scan, and is reported once.
    QSet<QString> failures;
    for (const Failure& failure : found.failures) {
        failures.insert(failure.message);
        if (!failures_.contains(failure.message)) Q_EMIT failed(failure.message, failure.hint);
    }
    failures_ = failures;
    QStringList unreadable;
    for (const std::string& sentence : found.news.unreadable) unreadable.push_back(QString::fromStdString(sentence));
    Q_EMIT scanned(unreadable);
}

}  // namespace palimpsest
