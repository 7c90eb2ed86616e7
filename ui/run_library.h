// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/run_folder.h"

namespace palimpsest {

/// The runs on disk. Reading happens on a thread of its own, one scan after another; folders that have not changed are
/// not read again. All functions belong to the window's thread and none blocks, except the destructor, which waits for
/// the folder being read.
class RunLibrary : public QObject {
    Q_OBJECT
public:
    using Record = std::shared_ptr<const RunRecord>;

    /// The table must outlive the library.
    RunLibrary(const OptionTable* table, std::filesystem::path runs, QObject* parent = nullptr);
    ~RunLibrary() override;

    const std::filesystem::path& folder() const { return folder_; }
    const OptionTable& table() const { return *table_; }
    /// Newest first.
    const std::vector<Record>& records() const { return records_; }
    /// By id (CurveStore::idOf); null when unknown.
    Record find(const QString& id) const;
    bool scanning() const { return scans_ > 0; }

    /// Looks at every folder.
    void refresh();
    /// Reads one folder again, or for the first time.
    void touch(const QString& folder);
    /// Takes over a run that was read elsewhere.
    void add(const Record& run);
    /// Reads these runs again, as far as they were written meanwhile or the program that writes them is gone.
    void lookAgain(const QStringList& ids);

Q_SIGNALS:
    /// Runs came, went or were read again.
    void changed();
    /// A scan has ended, whether it brought anything new or not. `unreadable`: a sentence a folder.
    void scanned(const QStringList& unreadable);

private:
    struct Known {
        Record record;
        std::string signature;  ///< sizes and times of the files; the same as long as nothing was written
    };
    struct Found {
        std::vector<Known> runs;
        QStringList unreadable;
        QSet<QString> asked;  ///< ids of all that were looked for; those that are not among the runs are gone
    };
    static std::string signatureOf(const std::filesystem::path& folder);
    static Found scan(const OptionTable& table, const std::vector<std::filesystem::path>& folders,
                      const QHash<QString, Known>& known, const std::atomic<bool>& cancelled);
    void begin(std::function<Found()> work);
    void take(Found found);
    void sortRecords();

    const OptionTable* table_;
    std::filesystem::path folder_;
    std::vector<Record> records_;
    QHash<QString, Known> known_;
    std::shared_ptr<std::atomic<bool>> cancelled_;
    QThreadPool pool_;
    int scans_ = 0;
};

}  // namespace palimpsest
