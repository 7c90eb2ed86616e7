// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with runs, on the library's thread.
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/library/run_trash.h"
#include "ui/state/run_library.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

void append(RunIndex::News& news, RunIndex::News more) {
    std::move(more.rows.begin(), more.rows.end(), std::back_inserter(news.rows));
    std::move(more.read.begin(), more.read.end(), std::back_inserter(news.read));
    std::move(more.unreadable.begin(), more.unreadable.end(), std::back_inserter(news.unreadable));
}

}  // namespace

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
            append(found.news, index.look({from, place}));
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

}  // namespace palimpsest
