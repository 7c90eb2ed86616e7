// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs_panel.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/curve_store.h"
#include "ui/invitation.h"
#include "ui/panel.h"
#include "ui/run_follower.h"
#include "ui/run_library.h"
#include "ui/run_row_delegate.h"
#include "ui/run_table_model.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr int kRowHeight = 25;
constexpr int kSearchWidth = 180;
constexpr int kLeastName = 60, kMostName = 420;
constexpr double kMostSpread = 1.6;  // of the other columns, once the names have all they need

/// Every word must occur somewhere in the row.
class RunFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString& text) {
        words_ = text.split(' ', Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        if (words_.isEmpty()) return true;
        QString all;
        for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
            all += sourceModel()->index(row, column, parent).data().toString() + ' ';
        return std::all_of(words_.begin(), words_.end(),
                           [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
    }

private:
    QStringList words_;
};

}  // namespace

RunsPanel::RunsPanel(CurveStore* store, RunLibrary* library, QWidget* parent)
    : QWidget(parent),
      store_(store),
      library_(library),
      panel_(new Panel(tr("Runs"))),
      model_(new RunTableModel(store, library, this)),
      sorted_(new RunFilter(this)),
      view_(new QTableView),
      search_(new QLineEdit) {
    setObjectName(QStringLiteral("runsPanel"));
    setAccessibleName(tr("Runs"));
    panel_->setHeading(Panel::Heading::Section);
    store_->setCatalogue(library_->table().catalogue());

    search_->setObjectName(QStringLiteral("runsSearch"));
    search_->setAccessibleName(tr("Search runs"));
    search_->setToolTip(tr("Show only runs that contain all these words"));
    search_->setPlaceholderText(tr("Search runs"));
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        static_cast<RunFilter*>(sorted_)->setWords(text);
        updateState();
    });

    sorted_->setSourceModel(model_);
    sorted_->setSortRole(RunTableModel::SortRole);
    sorted_->setSortCaseSensitivity(Qt::CaseInsensitive);
    view_->setObjectName(QStringLiteral("runsTable"));
    view_->setAccessibleName(tr("Runs"));
    view_->setToolTip(tr("Click a run to show it in full colour, its dot to show or hide it beside the others"));
    view_->setModel(sorted_);
    view_->setItemDelegate(new RunRowDelegate(view_));
    view_->setFrameShape(QFrame::NoFrame);
    view_->setShowGrid(false);
    view_->setMouseTracking(true);
    view_->setWordWrap(false);
    view_->setTabKeyNavigation(false);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setSortingEnabled(true);
    view_->sortByColumn(RunTableModel::When, Qt::DescendingOrder);
    view_->verticalHeader()->hide();
    QHeaderView* header = view_->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(true);
    header->setMinimumSectionSize(30);
    const std::pair<int, int> widths[] = {
        {RunTableModel::Shown, 30},          {RunTableModel::Data, 108},          {RunTableModel::Method, 90},
        {RunTableModel::Mask, 60},           {RunTableModel::Prompts, 74},        {RunTableModel::Images, 62},
        {RunTableModel::Seed, 48},           {RunTableModel::AreaUnderCurve, 86}, {RunTableModel::LastAccuracy, 62},
        {RunTableModel::LastForgetting, 62}, {RunTableModel::When, 142}};
    for (const auto& [column, width] : widths) usual_[column] = width;
    header->setSectionResizeMode(RunTableModel::Shown, QHeaderView::Fixed);
    connect(header, &QHeaderView::sectionResized, this, [this, header](int column, int, int width) {
        const bool stretched = column == RunTableModel::When && header->stretchLastSection();
        if (fitting_ || stretched || !usual_.contains(column)) return;
        usual_[column] = width / spread_;
        if (!header->stretchLastSection()) fitNames();
    });
    fitToText(this, [this, fitted = 1.0]() mutable {
        const double growth = TextScale::instance().factor() / std::exchange(fitted, TextScale::instance().factor());
        search_->setFixedWidth(scaled(kSearchWidth));
        view_->verticalHeader()->setMinimumSectionSize(scaled(kRowHeight));
        view_->verticalHeader()->setDefaultSectionSize(scaled(kRowHeight));
        for (double& width : usual_) width *= growth;
        fitColumns();
    });

    panel_->addHeaderWidget(search_);
    panel_->body()->addWidget(view_, 1);
    panel_->body()->setSpacing(4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(panel_);

    const auto idAt = [](const QModelIndex& index) { return index.data(RunTableModel::IdRole).toString(); };
    connect(view_, &QTableView::clicked, this, [this, idAt](const QModelIndex& index) {
        if (index.column() != RunTableModel::Shown) model_->showForNow(idAt(index));
    });
    connect(view_, &QTableView::doubleClicked, this, [this, idAt](const QModelIndex& index) {
        if (index.column() != RunTableModel::Shown) model_->makePrimary(idAt(index));
    });
    connect(view_, &QTableView::customContextMenuRequested, this, &RunsPanel::showMenu);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(sorted_, signal, this, &RunsPanel::updateState);
    connect(sorted_, &QAbstractItemModel::modelReset, this, &RunsPanel::updateState);
    connect(library_, &RunLibrary::scanned, this, &RunsPanel::takeScan);
    new RunFollower(store_, library_, this);
    view_->installEventFilter(this);
    view_->viewport()->installEventFilter(this);
    updateState();
}

int RunsPanel::fitNames() {
    QHeaderView* header = view_->horizontalHeader();
    int room = view_->viewport()->width();
    for (auto it = usual_.cbegin(); it != usual_.cend(); ++it) room -= header->sectionSize(it.key());
    header->resizeSection(RunTableModel::Name, std::clamp(room, scaled(kLeastName), scaled(kMostName)));
    return room;
}

/// Where the other columns leave the names no room, the table scrolls sideways; where it is more than names need, the
/// other columns spread, and the last one takes the rest.
void RunsPanel::fitColumns() {
    const bool outer = std::exchange(fitting_, true);
    QHeaderView* header = view_->horizontalHeader();
    const int whole = view_->viewport()->width();
    double others = 0, fixed = 0;
    for (auto it = usual_.cbegin(); it != usual_.cend(); ++it)
        (it.key() == RunTableModel::Shown ? fixed : others) += it.value();
    spread_ = std::clamp((whole - fixed - scaled(kMostName)) / others, 1.0, kMostSpread);
    header->setStretchLastSection(false);
    for (auto it = usual_.cbegin(); it != usual_.cend(); ++it)
        header->resizeSection(it.key(), qRound(it.value() * (it.key() == RunTableModel::Shown ? 1 : spread_)));
    header->setStretchLastSection(fitNames() > scaled(kMostName));
    fitting_ = outer;
}

QString RunsPanel::currentRun() const {
    return view_->currentIndex().data(RunTableModel::IdRole).toString();
}

QString RunsPanel::commandLine(const QString& folder) {
    QString quoted = QDir(folder).filePath(QStringLiteral("experiment.toml"));
    quoted.replace('\'', QLatin1String("'\\''"));
    return QStringLiteral("palimpsest-cli run '%1'").arg(quoted);
}

void RunsPanel::updateState() {
    const int count = sorted_->rowCount(), all = model_->rowCount();
    const QString text = all == 0      ? tr("No runs yet")
                         : count < all ? tr("%1 of %2 runs").arg(count).arg(all)
                         : all == 1    ? tr("1 run")
                                       : tr("%1 runs").arg(all);
    view_->setAccessibleDescription(text);
    search_->setVisible(all > 0);
    view_->horizontalHeader()->setVisible(all > 0);
    view_->viewport()->update();
}

void RunsPanel::takeScan(const QStringList& unreadable) {
    updateState();
    for (const QString& sentence : unreadable) {
        if (told_.contains(sentence)) continue;
        told_.insert(sentence);
        Q_EMIT noteRequested(sentence, tr("The list of runs leaves it out."));
    }
}

void RunsPanel::openFolder(const QString& id) {
    if (!QDir(id).exists())
        Q_EMIT messageRequested(tr("The folder %1 is gone.").arg(id), tr("It may have been moved or deleted."));
    else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(id)))
        Q_EMIT messageRequested(tr("The folder %1 could not be opened.").arg(id),
                                tr("No file manager answered; open it by hand."));
}

void RunsPanel::showMenu(const QPoint& position) {
    // Asked for by keyboard, the menu is for the current row.
    const QModelIndex under = view_->indexAt(position), index = under.isValid() ? under : view_->currentIndex();
    if (!index.isValid()) return;
    const QString id = index.data(RunTableModel::IdRole).toString();
    const bool shown = index.data(RunTableModel::VisibleRole).toBool();
    const bool onDisk = library_->find(id) != nullptr;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("runsMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& text, bool enabled, auto action) {
        QAction* item = menu->addAction(text, this, action);
        item->setEnabled(enabled);
        return item;
    };
    add(tr("Show in full colour\tEnter"), !index.data(RunTableModel::PrimaryRole).toBool(),
        [this, id] { model_->makePrimary(id); });
    add(shown ? tr("Remove from plots\tShift+Enter") : tr("Show in plots\tShift+Enter"), true,
        [this, id, shown] { model_->setShown(id, !shown); });
    menu->addSeparator();
    add(tr("Open with its settings"), onDisk, [this, id] { Q_EMIT openRequested(id); });
    add(tr("Open folder"), onDisk, [this, id] { openFolder(id); });
    add(tr("Copy command line"), onDisk, [id] { QGuiApplication::clipboard()->setText(commandLine(id)); });
    menu->popup(view_->viewport()->mapToGlobal(position));
}

void RunsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // Runs of the command line appear when a person comes back to the window.
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && !library_->scanning()) library_->refresh();
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex current = view_->currentIndex();
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && current.isValid()) {
            if (key->modifiers() & Qt::ShiftModifier)
                model_->setShown(currentRun(), !current.data(RunTableModel::VisibleRole).toBool());
            else
                model_->makePrimary(currentRun());
            return true;
        }
    }
    if (watched == view_->viewport() && event->type() == QEvent::Resize) fitColumns();
    if (watched == view_->viewport() && event->type() == QEvent::Paint && sorted_->rowCount() == 0) {
        QPainter painter(view_->viewport());
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = Theme::of(this);
        const QRect area = view_->viewport()->rect();
        if (model_->rowCount() == 0) {
            painter.setPen(Qt::NoPen);
            for (int y = 6; y + 10 < area.height(); y += kRowHeight) {
                painter.setBrush(theme.line);
                painter.drawEllipse(QPointF(15, y + 6), 4.5, 4.5);
                for (int x = 40, i = 0; x < area.width() - 60; x += i == 0 ? 240 : 96, ++i)
                    painter.drawRoundedRect(QRectF(x, y + 2, i == 0 ? 130 : 52, 8), 4, 4);
            }
            drawInvitation(painter, area, font(), theme, tr("No runs yet. Press |F5| to start the first"));
        } else {
            drawInvitation(painter, area, font(), theme, tr("No run contains these words"));
        }
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace palimpsest
