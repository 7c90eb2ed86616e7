// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_library.h"

#include <QMetaObject>
#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/library/run_trash.h"
#include "engine/support/error.h"
#include "ui/curve_store.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Of a folder as rows name it; ten thousand of them leave no time for more.
QString idOf(const fs::path& folder) {
    return QString::fromStdString(folder.native());
}

bool newer(const RunRowPtr& a, const RunRowPtr& b) {
    return a->started != b->started ? a->started > b->started : a->folder.native() > b->folder.native();
}

void append(RunIndex::News& news, RunIndex::News more) {
    std::move(more.rows.begin(), more.rows.end(), std::back_inserter(news.rows));
    std::move(more.read.begin(), more.read.end(), std::back_inserter(news.read));
    std::move(more.unreadable.begin(), more.unreadable.end(), std::back_inserter(news.unreadable));
}

/// Of a run that was known in brief alone.
void readWhole(const OptionTable& table, const fs::path& folder, RunIndex::News& news) {
    const bool read = std::any_of(news.read.begin(), news.read.end(),
                                  [&](const RunLibrary::Record& record) { return record->folder == folder; });
    if (read) return;
    if (const auto failure =
            failureOf([&] { news.read.push_back(std::make_shared<const RunRecord>(readRun(table, folder))); }))
        news.unreadable.push_back(failure->message.toStdString());
}

}  // namespace

struct RunLibrary::Shelf {
    std::optional<RunIndex> index;
};

RunLibrary::RunLibrary(const OptionTable* table, fs::path runs, QObject* parent)
    : QObject(parent),
      table_(table),
      folder_(std::move(runs)),
      cancelled_(std::make_shared<std::atomic<bool>>(false)),
      shelf_(std::make_unique<Shelf>()) {
    pool_.setMaxThreadCount(1);
}

RunLibrary::~RunLibrary() {
    *cancelled_ = true;
    pool_.clear();
    pool_.waitForDone();
}

void RunLibrary::begin(Work work) {
    ++scans_;
    pool_.start([this, work = std::move(work), shelf = shelf_.get(), table = table_, folder = folder_] {
        Found found;
        const auto tell = [&](std::optional<Failure> failure) {
            if (failure) found.failures.push_back(std::move(*failure));
        };
        if (!shelf->index) tell(failureOf([&] { shelf->index.emplace(table, folder); }));
        // Without a file the list is as good, only slower to come.
        if (!shelf->index) shelf->index.emplace(table, folder, RunIndex::Keep::Memory);
        tell(failureOf([&] { work(*shelf->index, found); }));
        if (const std::string notice = shelf->index->takeNotice(); !notice.empty())
            found.notices.push_back(QString::fromStdString(notice));
        prepare(found);
        // The destructor waits for this thread, and takes undelivered calls with it.
        QMetaObject::invokeMethod(
            this, [this, found = std::move(found)]() mutable { take(std::move(found)); }, Qt::QueuedConnection);
    });
}

void RunLibrary::refresh() {
    begin([known = known_, trash = trash_, whole = whole_, folder = folder_, cancelled = cancelled_, table = table_](
              RunIndex& index, Found& found) {
        // A run from elsewhere, opened by hand, stays until it is gone.
        const fs::path parent = wholePath(folder);
        std::vector<fs::path> others;
        found.asked = trash;
        for (auto row = known.cbegin(); row != known.cend(); ++row) {
            found.asked.insert(row.key());
            if ((*row)->folder.parent_path() != parent) others.push_back((*row)->folder);
        }
        found.known = known;
        found.everything = true;
        found.news = index.reconcile(others, cancelled.get());
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
    });
}

void RunLibrary::look(const QStringList& ids) {
    std::vector<fs::path> folders;
    QSet<QString> lacking;
    for (const QString& id : ids) {
        folders.emplace_back(id.toStdString());
        if (!find(id)) lacking.insert(id);
    }
    begin(
        [folders = std::move(folders), lacking, cancelled = cancelled_, table = table_](RunIndex& index, Found& found) {
            for (const fs::path& folder : folders) found.asked.insert(idOf(folder));
            found.news = index.look(folders, cancelled.get());
            for (const RunRowPtr& row : found.news.rows)
                if (lacking.contains(idOf(row->folder))) readWhole(*table, row->folder, found.news);
        });
}

void RunLibrary::touch(const QString& folder) {
    look({CurveStore::idOf(folder.toStdString(), 0)});
}

void RunLibrary::lookAgain(const QStringList& ids) {
    look(ids);
}

void RunLibrary::load(const QString& id) {
    begin([this, id, folder = fs::path(id.toStdString()), cancelled = cancelled_, table = table_](RunIndex& index,
                                                                                                  Found& found) {
        found.asked.insert(id);
        found.news = index.look({folder}, cancelled.get());
        if (!found.news.rows.empty()) readWhole(*table, folder, found.news);
        found.then = [this, id] { Q_EMIT loaded(id); };
    });
}

void RunLibrary::add(const Record& run) {
    RunRow row = rowOf(*table_, *run);
    row.folder = wholePath(row.folder);
    const QString id = idOf(row.folder);
    if (const RunRowPtr old = this->row(id)) row.notes = old->notes;
    known_.insert(id, std::make_shared<const RunRow>(std::move(row)));
    whole_.insert(id, run);
    sortRows();
    Q_EMIT changed();
    // What a person said of it stands in its folder.
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
            append(found.news, index.look({folder, place}));
        }
        if (!gone.isEmpty())
            found.then = [this, gone, goneNames, trashed] { Q_EMIT removed(gone, goneNames, trashed); };
    });
}

void RunLibrary::restore(const QStringList& trashed) {
    begin([trashed, runs = folder_, table = table_](RunIndex& index, Found& found) {
        for (const QString& folder : trashed) {
            const fs::path from(folder.toStdString());
            fs::path place;
            if (const auto failure = failureOf([&] { place = restoreFromTrash(runs, from); })) {
                found.failures.push_back(*failure);
                continue;
            }
            found.asked.insert(folder);
            append(found.news, index.look({from, place}));
            readWhole(*table, wholePath(place), found.news);
        }
    });
}

void RunLibrary::emptyTrash() {
    begin([this, asked = trash_, runs = folder_](RunIndex& index, Found& found) {
        found.asked = asked;
        const std::size_t count = palimpsest::emptyTrash(runs);
        std::vector<fs::path> gone;
        for (const QString& folder : asked) gone.emplace_back(folder.toStdString());
        found.news = index.look(gone);
        found.then = [this, count] { Q_EMIT trashEmptied(static_cast<int>(count)); };
    });
}

void RunLibrary::importFile(const ImportRequest& request) {
    begin([this, request, table = table_](RunIndex& index, Found& found) {
        const fs::path folder = wholePath(importRun(*table, request));
        found.news = index.look({folder});
        if (found.news.rows.empty()) return;
        found.then = [this, id = idOf(folder), name = QString::fromStdString(found.news.rows.front()->name)] {
            Q_EMIT imported(id, name);
        };
    });
}

void RunLibrary::rebuild() {
    begin([this, cancelled = cancelled_](RunIndex& index, Found& found) {
        index.clear();
        found.news = index.reconcile({}, cancelled.get());
        const auto count = std::count_if(found.news.rows.begin(), found.news.rows.end(),
                                         [](const RunRowPtr& row) { return !row->trashed; });
        found.then = [this, count] { Q_EMIT rebuilt(static_cast<int>(count)); };
    });
}

/// With ten thousand runs this takes longer than the window has: where the other thread has sorted them, that is taken.
void RunLibrary::sortRows(std::vector<RunRowPtr> sorted) {
    rows_ = std::move(sorted);
    if (std::ssize(rows_) != known_.size()) {
        rows_.assign(known_.cbegin(), known_.cend());
        std::sort(rows_.begin(), rows_.end(), newer);
    }
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
        if (found.everything && !row->trashed) found.sorted.push_back(row);
    }
    std::sort(found.sorted.begin(), found.sorted.end(), newer);
    found.known.clear();
}

/// Whether anything is new.
bool RunLibrary::merge(Found& found) {
    bool news = false;
    for (auto& [id, row] : found.rows) {
        RunRowPtr& known = known_[id];
        news = news || known != row;
        known = std::move(row);
    }
    for (const Record& record : found.news.read) {
        const QString id = idOf(record->folder);
        if (!known_.contains(id)) continue;
        whole_.insert(id, record);
        news = true;
    }
    for (const QString& id : std::as_const(found.trashed)) trash_.insert(id);
    for (const QString& id : std::as_const(found.asked)) {
        news = known_.remove(id) > 0 || news;
        whole_.remove(id);
        trash_.remove(id);
    }
    return news;
}

void RunLibrary::take(Found found) {
    --scans_;
    const bool news = merge(found);
    if (news) sortRows(std::move(found.sorted));
    if (found.then) found.then();
    if (news) Q_EMIT changed();
    for (const QString& notice : std::as_const(found.notices))
        Q_EMIT noted(notice, tr("Nothing is lost: names, notes and tags stand in the run folders."));
    for (const Failure& failure : found.failures) Q_EMIT failed(failure.message, failure.hint);
    QStringList unreadable;
    for (const std::string& sentence : found.news.unreadable) unreadable.push_back(QString::fromStdString(sentence));
    Q_EMIT scanned(unreadable);
}

}  // namespace palimpsest
