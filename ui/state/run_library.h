// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/library/import_run.h"
#include "engine/library/run_index.h"
#include "engine/record/run_folder.h"
#include "ui/state/background.h"
#include "ui/state/engine_text.h"

namespace palimpsest {

/// The runs on disk: a row of each, and the whole record of some. Disk and index are read and written on a thread of
/// their own, one task after another; folders that have not changed are not read again. All functions belong to the
/// window's thread and none blocks, except the destructor, which waits for the folder being read.
class RunLibrary : public QObject {
    Q_OBJECT
public:
    using Record = std::shared_ptr<const RunRecord>;
    using NotesEdit = std::function<void(RunNotes&)>;
    /// Number of the newest runs that are read whole without load().
    static constexpr std::size_t kWhole = 100;

    /// The table must outlive the library.
    RunLibrary(const OptionTable* table, std::filesystem::path runs, QObject* parent = nullptr);
    ~RunLibrary() override;

    const std::filesystem::path& folder() const { return folder_; }
    const OptionTable& table() const { return *table_; }
    /// Rows of all runs but those in the trash, newest first.
    const std::vector<RunRowPtr>& rows() const { return rows_; }
    /// Row of an id (RunSet::idOf); null when unknown.
    RunRowPtr row(const QString& id) const { return known_.value(id); }
    /// The whole records there are, newest first.
    const std::vector<Record>& records() const { return records_; }
    /// The whole record of a run; null also where it was not read yet, which load() does.
    Record find(const QString& id) const { return whole_.value(id); }
    bool scanning() const { return scans_ > 0; }
    /// True once all folders were scanned since the program began.
    bool complete() const { return complete_; }
    /// Runs in the trash.
    qsizetype trashed() const { return trash_.size(); }

    /// Scans every folder.
    void refresh();
    /// Reads one folder again, or for the first time.
    void touch(const QString& folder);
    /// Adds a run that was read elsewhere.
    void add(const Record& run);
    /// Reads these runs again, as far as they were written meanwhile or the program that writes them is gone.
    void rescan(const QStringList& ids);
    /// Reads a run whole; loaded() then.
    void load(const QString& id);

    /// Edits the user's notes on these runs.
    void editNotes(const QStringList& ids, const NotesEdit& edit);
    /// Moves runs into the trash; those that cannot go there are reported by failed(), the others go.
    void remove(const QStringList& ids);
    /// Moves runs out of the trash; folders as removed() named them.
    void restore(const QStringList& trashed);
    void emptyTrash();
    void importFile(const ImportRequest& request);
    /// Makes the index anew from the folders.
    void rebuild();

Q_SIGNALS:
    /// Runs came, went or were read again, or the user's notes on them changed.
    void changed();
    /// A scan has ended, whether it brought anything new or not. `unreadable`: a sentence a folder.
    void scanned(const QStringList& unreadable);
    void loaded(const QString& id);
    /// Emitted before changed(). Ids, names, and the folders in the trash.
    void removed(const QStringList& ids, const QStringList& names, const QStringList& trashed);
    /// Emitted before changed(), when their records are read. Folders as removed() named them, and the ids now.
    void restored(const QStringList& trashed, const QStringList& ids);
    /// `notes`: sentences on what was left out or had to be assumed; may be empty.
    void imported(const QStringList& ids, const QStringList& names, const QString& notes);
    void rebuilt(int runs);
    void trashEmptied(int runs);
    /// A notice; no action of the user failed.
    void noted(const QString& text, const QString& hint);
    void failed(const QString& text, const QString& hint);

private:
    struct Found {
        RunIndex::Scan news;
        QSet<QString> asked;              ///< ids that were checked; once prepared, those that are gone
        QHash<QString, RunRowPtr> known;  ///< rows that are already shown
        std::uint64_t state = 0;          ///< of a scan of everything: state_ when it began
        bool everything = false;
        QStringList notices;
        std::vector<Failure> failures;
        std::function<void()> then;  ///< called once the news was applied, before changed()
        // Prepared for the window on the library's thread.
        std::vector<std::pair<QString, RunRowPtr>> rows;
        QHash<QString, RunRowPtr> all;  ///< of a scan of everything: the new known_ and rows_
        std::vector<RunRowPtr> sorted;
        QStringList trashed;
    };
    /// Belongs to the library's thread.
    struct Index;
    using Work = std::function<void(RunIndex&, Found&)>;

    void begin(Work work);
    /// `anew`: empties the index first.
    void scan(bool anew);
    static void prepare(Found& found);
    void apply(Found found);
    bool merge(Found& found);
    /// Brings rows_ to what is known now.
    void sortRows(const std::vector<RunRowPtr>& gone, const std::vector<RunRowPtr>& came);
    void sortRecords();
    /// Id of a folder as rows name it; ten thousand of them leave no time for more.
    static QString idOf(const std::filesystem::path& folder);
    /// Reads the whole record of a run of which only the row was known.
    static void readWhole(const OptionTable& table, const std::filesystem::path& folder, RunIndex::Scan& news);

    const OptionTable* table_;
    std::filesystem::path folder_;
    std::vector<RunRowPtr> rows_;
    std::vector<Record> records_;
    QHash<QString, RunRowPtr> known_;
    std::uint64_t state_ = 0;  ///< grows with every change of what is known
    QHash<QString, Record> whole_;
    QSet<QString> trash_;
    QSet<QString> failures_;  ///< messages that the last scan reported
    std::shared_ptr<std::atomic<bool>> cancelled_;
    std::unique_ptr<Index> index_;
    int scans_ = 0;
    bool complete_ = false;
    Background background_;
};

}  // namespace palimpsest
