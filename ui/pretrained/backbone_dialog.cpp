// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/backbone_dialog.h"

#include <QCheckBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMetaObject>
#include <QMimeData>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/support/stop_scope.h"
#include "ui/datasets/dataset_list_model.h"
#include "ui/datasets/fetch_source_row.h"
#include "ui/pretrained/backbone_sheet.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

using spacing::kGap;
constexpr int kListWidth = 320;
constexpr int kOwnFile = 0;  // row
/// backbone.name of a file that no other name fits.
constexpr const char* kAnyBackbone = "any";
constexpr const char* kEmbedded = "embedded";

bool isHere(const BackboneCard& card) {
    return card.embedded || card.present;
}

/// A row that is drawn like the card of a data set.
QStandardItem* makeRow(const QString& title, const QString& summary, const QString& facts, const QString& badge,
                       bool here) {
    auto* row = new QStandardItem(title);
    row->setEditable(false);
    row->setData(summary, DatasetListModel::SummaryRole);
    row->setData(summary, Qt::ToolTipRole);
    row->setData(facts, DatasetListModel::FactsRole);
    row->setData(badge, DatasetListModel::BadgeRole);
    row->setData(here, DatasetListModel::PresentRole);
    row->setData(BackboneDialog::tr("%1, %2").arg(title, badge), Qt::AccessibleTextRole);
    row->setData(summary + ' ' + facts, Qt::AccessibleDescriptionRole);
    return row;
}

}  // namespace

BackboneReader::BackboneReader(Service service, QObject* parent) : QObject(parent), service_(std::move(service)) {}

BackboneReader::~BackboneReader() {
    closing_.request_stop();
    reading_.request_stop();
    fetching_.request_stop();
}

void BackboneReader::readCards() {
    background_.run(
        [service = service_, stop = closing_.get_token()] {
            const StopScope scope(stop);
            return service->cards();
        },
        [this](const std::vector<BackboneCard>& cards) { Q_EMIT cardsRead(cards); },
        [this](const Failure& failure) { Q_EMIT cardsFailed(failure.message, failure.hint); });
}

void BackboneReader::read(const QString& file) {
    // Work that waits is not wanted any more; the file that is being read is given up, and its answer is dropped.
    background_.clear();
    reading_.request_stop();
    reading_ = std::stop_source();
    background_.runNewest(
        [service = service_, name = file.toStdString(), stop = reading_.get_token()] {
            const StopScope scope(stop);
            return service->facts(name);
        },
        [this](const BackboneFacts& facts) { Q_EMIT factsRead(facts); },
        [this](const Failure& failure) { Q_EMIT factsFailed(failure.message, failure.hint); });
}

void BackboneReader::fetch(const QString& name, const FetchOrigin& source) {
    if (!fetching_name_.isEmpty()) return;
    fetching_name_ = name;
    progress_ = {};
    part_came_ = false;
    fetching_ = std::stop_source();
    Q_EMIT fetchMoved();
    // Reported on the thread of the fetch, which ends before this object does.
    const auto moved = [this](const DatasetProgress& now) {
        QMetaObject::invokeMethod(
            this,
            [this, now] {
                if (fetching_name_.isEmpty()) return;
                progress_ = now;
                part_came_ = part_came_ || now.bytes > 0;
                Q_EMIT fetchMoved();
            },
            Qt::QueuedConnection);
    };
    fetcher_.run([service = service_, name = name.toStdString(), source, stop = fetching_.get_token(),
                  moved] { return service->fetch(name, source, moved, stop); },
                 [this](bool done) { endFetch(done ? FetchEnd::Done : FetchEnd::Stopped, {}); },
                 [this](const Failure& failure) { endFetch(FetchEnd::Failed, failure); });
}

void BackboneReader::stopFetch() {
    fetching_.request_stop();
}

void BackboneReader::endFetch(FetchEnd how, const Failure& failure) {
    const QString name = std::exchange(fetching_name_, QString());
    Q_EMIT fetchEnded(name, how, failure.message, failure.hint);
    readCards();
}

BackboneDialog::BackboneDialog(BackboneReader::Service service, QWidget* parent)
    : QDialog(parent),
      reader_(new BackboneReader(std::move(service), this)),
      model_(new QStandardItemModel(this)),
      list_(new QListView),
      sheet_(new BackboneSheet) {
    setObjectName("backboneDialog");
    setWindowTitle(tr("Backbone"));
    setModal(false);
    setAcceptDrops(true);
    resize(860, 560);
    setMinimumSize(680, 420);

    auto* middle = new QHBoxLayout;
    middle->setSpacing(kGap);
    middle->addWidget(makeList());
    middle->addWidget(sheet_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);
    column->addLayout(middle, 1);
    column->addLayout(makeSource());
    column->addLayout(makeFooter());

    connect(sheet_, &BackboneSheet::chooseAsked, this, &BackboneDialog::askForFile);
    connect(sheet_, &BackboneSheet::useRequested, this, &BackboneDialog::use);
    connect(sheet_, &BackboneSheet::fetchAgreed, this, &BackboneDialog::fetch);
    connect(sheet_, &BackboneSheet::fetchStopAsked, reader_, &BackboneReader::stopFetch);
    connect(reader_, &BackboneReader::fetchMoved, this, [this] {
        if (const BackboneCard* chosen = card(); chosen && QString::fromStdString(chosen->name) == reader_->fetching())
            sheet_->showProgress(reader_->progress());
    });
    connect(reader_, &BackboneReader::fetchEnded, this, &BackboneDialog::showFetchEnd);
    connect(reader_, &BackboneReader::cardsRead, this, &BackboneDialog::setCards);
    connect(reader_, &BackboneReader::cardsFailed, this, [this](const QString& message, const QString& hint) {
        sheet_->showRefusal({message, hint});
    });
    connect(reader_, &BackboneReader::factsRead, this, [this](const BackboneFacts& facts) {
        facts_ = facts;
        showCurrent();
    });
    connect(reader_, &BackboneReader::factsFailed, this, [this](const QString& message, const QString& hint) {
        failure_ = Failure{message, hint};
        showCurrent();
    });
    setCards({});
    reader_->readCards();
}

QWidget* BackboneDialog::makeList() {
    list_->setObjectName("backboneList");
    list_->setAccessibleName(tr("Backbones"));
    list_->setToolTip(tr("Backbones that people use; Return uses the chosen one, or asks for its file"));
    list_->setModel(model_);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &BackboneDialog::showCurrent);
    connect(list_, &QListView::activated, this, [this] { sheet_->clickPrimary(); });
    return makeCardPanel(list_, new DatasetCardDelegate, kListWidth);
}

QLayout* BackboneDialog::makeSource() {
    const FetchSourceRow source = makeFetchSourceRow(
        "backbones", tr("An address to try first, of a folder or a file; empty: those that the makers publish"),
        tr("Ask nothing of the network: a file that is here is checked"));
    connect(source.mirror, &QLineEdit::textChanged, this, [this](const QString& text) {
        source_.mirror = text.trimmed().toStdString();
        sheet_->setSource(source_);
    });
    connect(source.offline, &QCheckBox::toggled, this, [this](bool offline) {
        source_.offline = offline;
        sheet_->setSource(source_);
    });
    return source.row;
}

QLayout* BackboneDialog::makeFooter() {
    auto* close = makeButton("backboneClose", tr("Close"), tr("Close without a change"));
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    auto* row = new QHBoxLayout;
    QLabel* words = makeLabel(tr("Trained before the stream begins; most methods leave it as it is."), text_size::kText,
                              QFont::Normal, true);
    words->setWordWrap(true);
    row->addWidget(words, 1);
    row->addWidget(close);
    return row;
}

void BackboneDialog::showDialog() {
    show();
    raise();
    activateWindow();
    list_->setFocus();
}

void BackboneDialog::setCards(const std::vector<BackboneCard>& cards) {
    const int row = std::max(kOwnFile, list_->currentIndex().row());
    const bool held = sheet_->holdsFocus();
    cards_ = cards;
    model_->clear();
    model_->appendRow(makeRow(tr("A file of your own"), tr("Drop it onto this window, or choose it"),
                              tr("weights of a vision transformer"), tr("file"), false));
    for (const BackboneCard& card : cards_)
        model_->appendRow(makeRow(QString::fromStdString(card.title), QString::fromStdString(card.summary),
                                  factsText(card), isHere(card) ? tr("here") : tr("to get"), isHere(card)));
    list_->setCurrentIndex(model_->index(std::min(row, model_->rowCount() - 1), 0));
    showCurrent();
    // On the way another row was shown, which has other buttons.
    if (held) sheet_->focusButton();
}

const BackboneCard* BackboneDialog::card() const {
    const int row = list_->currentIndex().row();
    return row > kOwnFile && row <= static_cast<int>(cards_.size()) ? &cards_[static_cast<std::size_t>(row - 1)]
                                                                    : nullptr;
}

const BackboneCard* BackboneDialog::knownAs() const {
    const auto found = std::find_if(cards_.begin(), cards_.end(), [this](const BackboneCard& card) {
        return facts_ && !facts_->known_as.empty() && card.name == facts_->known_as;
    });
    return found == cards_.end() ? nullptr : &*found;
}

QString BackboneDialog::nameOfFile() const {
    return facts_ && !facts_->backbone.empty() ? QString::fromStdString(facts_->backbone) : QString(kAnyBackbone);
}

void BackboneDialog::showCurrent() {
    if (const BackboneCard* chosen = card()) {
        const QString name = QString::fromStdString(chosen->name);
        sheet_->showCard(
            *chosen, chosen->embedded ? weights_in_use_ == kEmbedded && name_in_use_ == name : weights_in_use_ == name);
        if (reader_->fetching() == name)
            sheet_->showProgress(reader_->progress());
        else if (fetch_failure_ && fetch_failure_->first == name)
            sheet_->showRefusal(fetch_failure_->second);
        else if (fetch_stopped_ == name && !isHere(*chosen))
            sheet_->showStopped(fetch_came_);
    } else {
        showFile();
    }
}

void BackboneDialog::showFile() {
    if (file_.isEmpty())
        sheet_->showInvitation();
    else if (failure_)
        sheet_->showFailure(file_, *failure_);
    else if (facts_) {
        BackboneFacts facts = *facts_;
        for (std::string& sentence : lacking_(facts.depth)) facts.notes.push_back(std::move(sentence));
        sheet_->showFacts(facts, knownAs(),
                          QFileInfo(weights_in_use_).absoluteFilePath() == file_ && name_in_use_ == nameOfFile());
    } else
        sheet_->showReading(file_);
}

void BackboneDialog::openFile(const QString& file) {
    file_ = QFileInfo(file).absoluteFilePath();
    facts_.reset();
    failure_.reset();
    reader_->read(file_);
    list_->setCurrentIndex(model_->index(kOwnFile, 0));
    showCurrent();
}

void BackboneDialog::setInUse(const QString& name, const QString& weights) {
    if (name == name_in_use_ && weights == weights_in_use_) return;
    name_in_use_ = name;
    weights_in_use_ = weights;
    showCurrent();
}

void BackboneDialog::setLacking(std::function<std::vector<std::string>(std::int64_t)> lacking) {
    lacking_ = std::move(lacking);
    showCurrent();
}

void BackboneDialog::showRefusal(const Failure& failure) {
    sheet_->showRefusal(failure);
}

void BackboneDialog::askForFile() {
    const QString folder = file_.isEmpty() ? QDir::homePath() : QFileInfo(file_).path();
    auto* dialog = new QFileDialog(this, tr("Choose a file of weights"), folder);
    dialog->setObjectName("backboneFileDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Weights (*.safetensors *.npz *.pth *.pt *.bin)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &BackboneDialog::openFile);
    dialog->show();
}

void BackboneDialog::use() {
    if (const BackboneCard* chosen = card(); chosen && chosen->embedded)
        Q_EMIT useRequested(QString::fromStdString(chosen->name), kEmbedded);
    else if (chosen)
        Q_EMIT useRequested(chosen->kind.empty() ? QString(kAnyBackbone) : QString::fromStdString(chosen->kind),
                            QString::fromStdString(chosen->name));
    else
        Q_EMIT useRequested(nameOfFile(), file_);
}

void BackboneDialog::fetch() {
    const BackboneCard* const chosen = card();
    if (!chosen) return;
    if (!reader_->fetching().isEmpty())
        return sheet_->showRefusal({tr("Another backbone is being fetched."), tr("Wait for it, or cancel it first.")});
    fetch_failure_.reset();
    fetch_stopped_.reset();
    reader_->fetch(QString::fromStdString(chosen->name), source_);
    showCurrent();
    // The button that had it is gone, and so are all others.
    sheet_->focusButton();
}

void BackboneDialog::showFetchEnd(const QString& name, BackboneReader::FetchEnd how, const QString& message,
                                  const QString& hint) {
    // Cancel, which was pressed, may have lost the focus when it went.
    const bool held = how == BackboneReader::FetchEnd::Stopped || sheet_->holdsFocus();
    fetch_came_ = reader_->partCame();
    // Either stays with its card until the next fetch.
    if (how == BackboneReader::FetchEnd::Failed) fetch_failure_ = std::pair(name, Failure{message, hint});
    if (how == BackboneReader::FetchEnd::Stopped) fetch_stopped_ = name;
    showCurrent();
    if (held) sheet_->focusButton();
}

void BackboneDialog::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls[0].isLocalFile()) return;
    event->acceptProposedAction();
    sheet_->setDropping(true);
}

void BackboneDialog::dragLeaveEvent(QDragLeaveEvent* event) {
    QDialog::dragLeaveEvent(event);
    sheet_->setDropping(false);
}

void BackboneDialog::dropEvent(QDropEvent* event) {
    sheet_->setDropping(false);
    openFile(event->mimeData()->urls().value(0).toLocalFile());
    event->acceptProposedAction();
}

}  // namespace palimpsest
