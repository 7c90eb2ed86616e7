// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <QToolButton>

#include "ui/datasets/dataset_library.h"

class QFileDialog;
class QLabel;
class QListView;
class QPushButton;

namespace palimpsest {

class DatasetDetails;
class DatasetListModel;
class MessageBar;

/// The data sets as a list of cards, with everything about the chosen one beside it. Not modal; a fetch continues when
/// it is closed.
class DatasetDialog : public QDialog {
    Q_OBJECT
public:
    explicit DatasetDialog(DatasetLibrary* library, QWidget* parent = nullptr);

    /// Shows the dialog, on this data set where it is known.
    void showDataset(const QString& name);
    QString current() const { return current_; }
    /// The data set that the experiment streams.
    void setInUse(const QString& name);

Q_SIGNALS:
    void useRequested(const QString& name);

protected:
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeList();
    QLayout* makeSource();
    QLayout* makeFooter();
    void choose(const QString& name);
    void showCards();
    void showFetch(const QString& name);
    void showEnd(const QString& name, DatasetLibrary::FetchEnd how, const QString& message, const QString& hint);
    void showFolder();
    /// Shows why the last fetch of the chosen data set failed.
    void showFailure();
    void fetch(const QString& name, const QString& have);
    QFileDialog* ask(const QString& name, const QString& title, bool folder);

    DatasetLibrary* library_;
    DatasetListModel* model_;
    QListView* list_;
    DatasetDetails* details_;
    QLabel* waiting_;
    MessageBar* messages_;
    QLabel* folder_ = nullptr;
    QPushButton* usual_ = nullptr;
    QString current_, in_use_;
    QHash<QString, Failure> failures_;  ///< of the last fetch of a data set, until it is dismissed or tried again
};

/// A link "Fetching 43 %" to the dialog: shown while something is being fetched, whatever is open.
class FetchNote : public QToolButton {
    Q_OBJECT
public:
    explicit FetchNote(DatasetLibrary* library, QWidget* parent = nullptr);

private:
    void refresh();

    DatasetLibrary* library_;
};

}  // namespace palimpsest
