// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/dataset_dialog.h"

#include <QCheckBox>
#include <QDragEnterEvent>
#include <QEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "ui/datasets/dataset_details.h"
#include "ui/datasets/dataset_library.h"
#include "ui/datasets/dataset_list_model.h"
#include "ui/datasets/dataset_text.h"
#include "ui/datasets/fetch_source_row.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

using spacing::kGap;
constexpr int kListWidth = 340;
/// Topics of messages: the fetch of the chosen data set, and the reading of all of them.
constexpr const char *kFetch = "fetch", *kRefresh = "refresh";

}  // namespace

DatasetDialog::DatasetDialog(DatasetLibrary* library, QWidget* parent)
    : QDialog(parent),
      library_(library),
      model_(new DatasetListModel(library, this)),
      list_(new QListView),
      details_(new DatasetDetails),
      waiting_(makeLabel(tr("Looking for the data sets …"), text_size::kText, QFont::Normal, true)),
      messages_(new MessageBar) {
    setObjectName("datasetDialog");
    setWindowTitle(tr("Data sets"));
    setModal(false);
    setAcceptDrops(true);
    resize(900, 600);
    setMinimumSize(720, 460);
    messages_->setObjectName("datasetMessages");
    waiting_->setAlignment(Qt::AlignCenter);
    details_->hide();

    auto* middle = new QHBoxLayout;
    middle->setSpacing(kGap);
    middle->addWidget(makeList());
    middle->addWidget(details_, 1);
    middle->addWidget(waiting_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);
    column->addWidget(messages_);
    column->addLayout(middle, 1);
    column->addLayout(makeSource());
    column->addLayout(makeFooter());

    connect(details_, &DatasetDetails::fetchRequested, this, [this] { fetch(current_, {}); });
    connect(details_, &DatasetDetails::cancelRequested, this, [this] { library_->cancel(current_); });
    connect(details_, &DatasetDetails::useRequested, this, [this] { Q_EMIT useRequested(current_); });
    const auto fetchChosen = [this](QFileDialog* dialog) {
        connect(dialog, &QFileDialog::fileSelected, this,
                [this, name = current_](const QString& have) { fetch(name, have); });
    };
    connect(details_, &DatasetDetails::haveFileRequested, this, [this, fetchChosen] {
        fetchChosen(ask("datasetFileDialog", tr("The file of %1").arg(library_->titleOf(current_)), false));
    });
    connect(details_, &DatasetDetails::haveFolderRequested, this, [this, fetchChosen] {
        fetchChosen(
            ask("datasetFilesDialog", tr("The folder with the files of %1").arg(library_->titleOf(current_)), true));
    });
    connect(library_, &DatasetLibrary::cardsChanged, this, &DatasetDialog::showCards);
    connect(library_, &DatasetLibrary::fetchMoved, this, &DatasetDialog::showFetch);
    connect(library_, &DatasetLibrary::fetchEnded, this, &DatasetDialog::showEnd);
    connect(library_, &DatasetLibrary::folderChanged, this, &DatasetDialog::showFolder);
    connect(library_, &DatasetLibrary::refreshFailed, this, [this](const QString& message, const QString& hint) {
        waiting_->setText(tr("The data sets cannot be looked at"));
        messages_->showLatest(MessageBar::Kind::Error, kRefresh, message, hint);
    });
    showCards();
    showFolder();
}

QWidget* DatasetDialog::makeList() {
    list_->setObjectName("datasetList");
    list_->setAccessibleName(tr("Data sets"));
    list_->setToolTip(tr("What the program knows; Return uses the chosen one, or fetches it when it is missing"));
    list_->setModel(model_);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        if (index.isValid()) choose(index.data(DatasetListModel::NameRole).toString());
    });
    connect(list_, &QListView::activated, this, [this] { details_->clickPrimary(); });
    return makeCardPanel(list_, new DatasetCardDelegate, kListWidth);
}

QLayout* DatasetDialog::makeSource() {
    const FetchSourceRow source = makeFetchSourceRow(
        "datasets",
        tr("An address to try first, of a folder or a file; empty: those that the makers of each data "
           "set publish"),
        tr("Ask nothing of the network: archives that are here are checked and unpacked"));
    connect(source.mirror, &QLineEdit::textChanged, library_, &DatasetLibrary::setMirror);
    connect(source.offline, &QCheckBox::toggled, library_, &DatasetLibrary::setOffline);
    return source.row;
}

QLayout* DatasetDialog::makeFooter() {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(makeLabel(tr("Kept in"), text_size::kText, QFont::Normal, true));
    folder_ = makeLabel({}, text_size::kText, QFont::Medium, false);
    folder_->setObjectName("datasetsFolder");
    folder_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // Gives way before the buttons.
    folder_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(folder_, 1);
    usual_ =
        makeButton("datasetsUsualFolder", tr("Usual place"), tr("Keep data sets in the program's own folder again"));
    connect(usual_, &QPushButton::clicked, this, [this] { library_->setFolder({}); });
    row->addWidget(usual_);
    auto* other = makeButton("datasetsChooseFolder", tr("Choose folder …"),
                             tr("Keep data sets somewhere else, or find those that lie there already"));
    connect(other, &QPushButton::clicked, this, [this] {
        connect(ask("datasetsFolderDialog", tr("Where data sets are kept"), true), &QFileDialog::fileSelected, library_,
                &DatasetLibrary::setFolder);
    });
    withIcon(usual_, "home");
    withIcon(other, "folder");
    row->addWidget(other);
    auto* close = makeButton("datasetsClose", tr("Close"), tr("Close; fetches go on"));
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    row->addWidget(close);
    return row;
}

QFileDialog* DatasetDialog::ask(const QString& name, const QString& title, bool folder) {
    auto* dialog = new QFileDialog(this, title, library_->folder());
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->show();
    return dialog;
}

void DatasetDialog::showDataset(const QString& name) {
    library_->refresh();
    if (!name.isEmpty()) choose(name);
    show();
    raise();
    activateWindow();
    list_->setFocus();
}

void DatasetDialog::setInUse(const QString& name) {
    if (name == in_use_) return;
    in_use_ = name;
    showCards();
}

void DatasetDialog::choose(const QString& name) {
    if (name == current_) return;
    // A message that the user has dismissed does not come back.
    if (!messages_->withdraw(kFetch)) failures_.remove(current_);
    current_ = name;
    showCards();
    showFailure();
}

void DatasetDialog::showFailure() {
    messages_->withdraw(kFetch);
    const auto failure = failures_.constFind(current_);
    if (failure != failures_.constEnd())
        messages_->showLatest(MessageBar::Kind::Error, kFetch, failure->message, failure->hint);
}

void DatasetDialog::showCards() {
    if (!library_->find(current_) && !library_->cards().empty()) {
        current_ = library_->find(in_use_) ? in_use_ : QString::fromStdString(library_->cards().front().name);
        showFailure();
    }
    const DatasetCard* card = library_->find(current_);
    if (card && card->present && failures_.remove(current_)) showFailure();
    waiting_->setVisible(!card);
    details_->setVisible(card);
    if (!card) return;
    const QModelIndex row = model_->indexOf(current_);
    if (list_->currentIndex() != row) list_->setCurrentIndex(row);
    details_->setCard(*card, current_ == in_use_);
    showFetch(current_);
}

void DatasetDialog::showFetch(const QString& name) {
    if (name == current_) details_->setFetch(library_->fetchOf(name));
}

void DatasetDialog::showEnd(const QString& name, DatasetLibrary::FetchEnd how, const QString& message,
                            const QString& hint) {
    showFetch(name);
    if (how == DatasetLibrary::FetchEnd::Failed)
        failures_.insert(name, {message, hint});
    else
        failures_.remove(name);
    if (name == current_) showFailure();
}

void DatasetDialog::showFolder() {
    const bool usual = library_->folder().isEmpty();
    folder_->setText(usual ? tr("the program's own folder") : library_->folder());
    folder_->setToolTip(folder_->text());
    usual_->setVisible(!usual);
}

void DatasetDialog::fetch(const QString& name, const QString& have) {
    failures_.remove(name);
    messages_->withdraw(kRefresh);
    if (name == current_) showFailure();
    library_->fetch(name, have);
}

void DatasetDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    // Files that were put in place by hand are found when the user comes back.
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) library_->refresh();
}

void DatasetDialog::dragEnterEvent(QDragEnterEvent* event) {
    const DatasetCard* card = library_->find(current_);
    const QList<QUrl> urls = event->mimeData()->urls();
    if (card && !card->present && urls.size() == 1 && urls[0].isLocalFile()) event->acceptProposedAction();
}

void DatasetDialog::dropEvent(QDropEvent* event) {
    fetch(current_, event->mimeData()->urls().value(0).toLocalFile());
    event->acceptProposedAction();
}

FetchNote::FetchNote(DatasetLibrary* library, QWidget* parent) : QToolButton(parent), library_(library) {
    setObjectName("fetchNote");
    setProperty("link", true);
    setAccessibleName(tr("What is being fetched"));
    setToolTip(tr("Show what is being fetched"));
    setFocusPolicy(Qt::TabFocus);
    connect(library_, &DatasetLibrary::fetchMoved, this, &FetchNote::refresh);
    connect(library_, &DatasetLibrary::fetchEnded, this, &FetchNote::refresh);
    hide();
}

void FetchNote::refresh() {
    const QStringList names = library_->fetched();
    setVisible(!names.isEmpty());
    if (names.isEmpty()) return;
    QStringList titles;
    for (const QString& name : names) titles.append(library_->titleOf(name));
    // Short, since the bar is full during a run.
    const double share = shareOf(library_->fetchOf(names.front())->progress);
    setText(names.size() > 1 ? tr("Fetching %1").arg(names.size())
            : share < 0      ? tr("Fetching …")
                             : tr("Fetching %1 %").arg(std::floor(100 * share)));
    setToolTip(tr("Fetching %1; press to see how far it is").arg(titles.join(", ")));
    setAccessibleDescription(titles.join(", "));
}

}  // namespace palimpsest
