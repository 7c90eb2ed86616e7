// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/run/backbone_service.h"
#include "ui/state/background.h"
#include "ui/state/engine_text.h"

class QListView;
class QStandardItemModel;

namespace palimpsest {

class BackboneSheet;

/// Reads which backbones there are and what a file of weights is, away from the window's thread. Of several files asked
/// for in turn, only the last is answered; reading of an earlier one is given up.
class BackboneReader : public QObject {
    Q_OBJECT
public:
    using Service = std::shared_ptr<const BackboneService>;

    enum class FetchEnd { Done, Stopped, Failed };

    /// `service` must not be null.
    explicit BackboneReader(Service service, QObject* parent = nullptr);
    /// Asks what is being read to end, and waits for it.
    ~BackboneReader() override;

    void readCards();
    void read(const QString& file);
    /// Fetches the file of a card; nothing happens while another is being fetched.
    void fetch(const QString& name, const FetchOrigin& source);
    void stopFetch();
    /// Name of what is being fetched; empty: nothing.
    const QString& fetching() const { return fetching_name_; }
    const DatasetProgress& progress() const { return progress_; }
    /// The fetch, or the last one, has a part of its file.
    bool partCame() const { return part_came_; }

Q_SIGNALS:
    void cardsRead(const std::vector<palimpsest::BackboneCard>& cards);
    void cardsFailed(const QString& message, const QString& hint);
    void factsRead(const palimpsest::BackboneFacts& facts);
    void factsFailed(const QString& message, const QString& hint);
    /// A fetch began or went on.
    void fetchMoved();
    /// `message` and `hint`: why it failed.
    void fetchEnded(const QString& name, palimpsest::BackboneReader::FetchEnd how, const QString& message,
                    const QString& hint);

private:
    void endFetch(FetchEnd how, const Failure& failure);

    const Service service_;
    std::stop_source closing_;  ///< of the cards
    std::stop_source reading_;  ///< of the file asked for last
    std::stop_source fetching_;
    QString fetching_name_;
    DatasetProgress progress_;
    bool part_came_ = false;
    Background background_;
    Background fetcher_;
};

/// A file of weights and what it is, and the backbones in common use with their addresses. Not modal.
class BackboneDialog : public QDialog {
    Q_OBJECT
public:
    explicit BackboneDialog(BackboneReader::Service service, QWidget* parent = nullptr);

    void showDialog();
    /// Reads a file and shows what it is.
    void openFile(const QString& file);
    /// Sets the backbone of the experiment: backbone.name and backbone.weights.
    void setInUse(const QString& name, const QString& weights);
    /// Sets which requirements of the experiment a network of so many blocks does not meet, a sentence each; shown with
    /// a file.
    void setLacking(std::function<std::vector<std::string>(std::int64_t depth)> lacking);
    /// Shows why the experiment refused the backbone of useRequested().
    void showRefusal(const Failure& failure);

Q_SIGNALS:
    /// Asks for these values of backbone.name and backbone.weights.
    void useRequested(const QString& name, const QString& weights);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeList();
    QLayout* makeSource();
    QLayout* makeFooter();
    void setCards(const std::vector<BackboneCard>& cards);
    void showCurrent();
    void showFile();
    void askForFile();
    void use();
    void fetch();
    void showFetchEnd(const QString& name, BackboneReader::FetchEnd how, const QString& message, const QString& hint);
    /// Card of the current row; null: the user's own file.
    const BackboneCard* card() const;
    const BackboneCard* knownAs() const;
    QString nameOfFile() const;

    BackboneReader* reader_;
    QStandardItemModel* model_;
    QListView* list_;
    BackboneSheet* sheet_;
    std::vector<BackboneCard> cards_;
    FetchOrigin source_;  ///< of the next fetch
    QString file_;
    std::optional<BackboneFacts> facts_;  ///< of the file; neither facts nor failure: it is being read
    std::optional<Failure> failure_;
    std::optional<std::pair<QString, Failure>> fetch_failure_;  ///< name of the card, and why it could not be fetched
    std::optional<QString> fetch_stopped_;                      ///< name of the card whose fetch was stopped
    bool fetch_came_ = false;                                   ///< before it was stopped, a part had come
    QString name_in_use_, weights_in_use_;
    std::function<std::vector<std::string>(std::int64_t)> lacking_ = [](std::int64_t) {
        return std::vector<std::string>{};
    };
};

}  // namespace palimpsest
