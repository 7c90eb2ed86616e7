// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/run/dataset_service.h"
#include "ui/state/background.h"

namespace palimpsest {

/// All data sets, which of them are present, and those being fetched. The files are examined and fetched
/// away from the window's thread; a few fetches run at once, more wait for their turn.
class DatasetLibrary : public QObject {
    Q_OBJECT
public:
    using Service = std::shared_ptr<const DatasetService>;
    enum class Stage { Waiting, Going, Stopping };
    struct Fetch {
        Stage stage = Stage::Waiting;
        DatasetProgress progress;
    };
    enum class FetchEnd { Done, Stopped, Failed };

    /// A null service leaves the library empty.
    explicit DatasetLibrary(Service service, QObject* parent = nullptr);
    /// Stops all reading and fetching, and waits for its end; cancelAll() and settled() do so without blocking.
    ~DatasetLibrary() override;

    const std::vector<DatasetCard>& cards() const { return cards_; }
    /// The card of a data set; null: there is none, or it was not read yet.
    const DatasetCard* find(const QString& name) const;
    QString titleOf(const QString& name) const;

    /// Folder of the data sets; empty: the program's own folder.
    QString folder() const { return folder_; }
    void setFolder(const QString& folder);
    /// The stream.root with which an experiment finds a data set: empty unless it lies in a chosen folder.
    QString rootFor(const QString& name) const;

    /// Sources of the fetches that begin from now on: an address that is tried first (empty: the catalogue's alone),
    /// and whether they may use the network at all.
    void setMirror(const QString& address) { mirror_ = address.trimmed(); }
    void setOffline(bool offline) { offline_ = offline; }

    /// Reads the cards again; several calls while it reads count once.
    void refresh();
    /// Checks if a data set is present for an experiment with this stream.root. Answered by presenceChecked().
    void checkPresence(const QString& name, const QString& root);

    /// Fetches a data set; does nothing for one that is being fetched. `have`: a file or folder that the user already
    /// has.
    void fetch(const QString& name, const QString& have = {});
    void cancel(const QString& name);
    void cancelAll();
    bool fetching() const { return !jobs_.isEmpty(); }
    std::optional<Fetch> fetchOf(const QString& name) const;
    QStringList fetched() const { return jobs_.keys(); }

Q_SIGNALS:
    void folderChanged(const QString& folder);
    void cardsChanged();
    void refreshFailed(const QString& message, const QString& hint);
    void presenceChecked(const QString& name, const QString& root, bool missing);
    /// A fetch began, progressed or is being stopped.
    void fetchMoved(const QString& name);
    /// The cards are up to date by then. Message and hint: of a failure.
    void fetchEnded(const QString& name, palimpsest::DatasetLibrary::FetchEnd how, const QString& message,
                    const QString& hint);
    /// The last of the fetches has ended.
    void settled();

private:
    static constexpr int kAtOnce = 2;  ///< fetches
    struct Job;
    struct Reading;
    struct Outcome;
    static Reading read(const DatasetService& service, const QString& folder);
    static Outcome perform(const DatasetService& service, Job& job);
    void setCards(const Reading& reading);
    void finish(const std::shared_ptr<Job>& job, const Outcome& outcome);

    const Service service_;
    std::vector<DatasetCard> cards_;
    QString folder_, mirror_;
    bool offline_ = false;
    bool reading_ = false, read_again_ = false;
    QHash<QString, std::shared_ptr<Job>> jobs_;
    QTimer tick_;               ///< emits progress at most so often
    std::stop_source closing_;  ///< stops all reading
    Background readers_;
    Background fetchers_{Background::Waiting::Dropped, kAtOnce};
};

}  // namespace palimpsest
