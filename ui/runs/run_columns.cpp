// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "ui/runs/run_table_model.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kLeastName = 120, kMostName = 420;
constexpr int kUsualName = 150;      // "memory 500, batch mask"; up to there the names take room from the last column,
constexpr int kLeastWhen = 126;      // which keeps this: "imported Nov 2025",
constexpr int kElidedWhen = 96;      // or at least this, "stopped 14:02", where that saves a scroll bar
constexpr double kMostSpread = 1.6;  // of the other columns, once the names have all they need
constexpr int kSpreadGrowth = 30;    // of a column that holds a deviation, or N, too
using Column = RunTableModel::Column;

}  // namespace

RunColumns::RunColumns(QTableView* view) : QObject(view), view_(view) {
    const std::pair<int, int> widths[] = {{Column::Shown, 30},
                                          {Column::Data, 102},
                                          {Column::Method, 90},
                                          {Column::Mask, 60},
                                          {Column::Prompts, 74},
                                          {Column::Memory, 64},
                                          {Column::Images, 62},
                                          {Column::Seed, 48},
                                          {Column::AreaUnderCurve, 86},
                                          {Column::DeltaArea, 74},
                                          {Column::LastAccuracy, 62},
                                          {Column::DeltaLast, 74},
                                          {Column::LastForgetting, 62},
                                          {Column::DeltaForgetting, 74},
                                          {Column::SessionAccuracy, 112},
                                          {Column::DeltaSessionAccuracy, 74},
                                          {Column::SessionForgetting, 112},
                                          {Column::DeltaSessionForgetting, 74},
                                          {Column::Tags, 110},
                                          {Column::Note, 160},
                                          {Column::When, 142}};
    for (const auto& [column, width] : widths) usual_[column] = width;
    hidden_ = {Column::Memory, Column::SessionAccuracy, Column::SessionForgetting, Column::Tags, Column::Note};
    for (std::size_t metric = 0; metric < kListedMetrics.size(); ++metric) hidden_.insert(metricColumn(metric) + 1);
    view_->installEventFilter(this);
    QHeaderView* header = view_->horizontalHeader();
    for (const int column : std::as_const(hidden_)) header->hideSection(column);
    header->setSectionResizeMode(Column::Shown, QHeaderView::Fixed);
    connect(header, &QHeaderView::sectionResized, this, [this, header](int column, int, int width) {
        const bool stretched = column == Column::When && header->stretchLastSection();
        if (fitting_ || stretched || width == 0 || !usual_.contains(column)) return;
        usual_[column] = width / spread_;
        if (!header->stretchLastSection()) fitNames();
    });
    fitToText(this, [this, fitted = 1.0]() mutable {
        const double growth = TextScale::instance().factor() / std::exchange(fitted, TextScale::instance().factor());
        for (double& width : usual_) width *= growth;
        fit();
    });
}

void RunColumns::setHeadingsShown(bool shown) {
    headings_ = shown;
    fitHeadings();
}

void RunColumns::fitHeadings() {
    QHeaderView* header = view_->horizontalHeader();
    const int both = header->sizeHint().height() + view_->verticalHeader()->defaultSectionSize();
    header->setVisible(headings_ && (!view_->isVisible() || view_->height() >= both));
}

bool RunColumns::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) fitHeadings();
    return QObject::eventFilter(watched, event);
}

void RunColumns::fillMenu(QMenu* menu) {
    menu->clear();
    for (int column = 0; column < Column::kColumns; ++column) {
        if (column == Column::Shown || column == Column::Name || isDifferenceColumn(column)) continue;
        QAction* action = menu->addAction(view_->model()->headerData(column, Qt::Horizontal).toString());
        action->setObjectName(QStringLiteral("runsColumn%1").arg(column));
        action->setCheckable(true);
        action->setChecked(shown(column));
        connect(action, &QAction::toggled, this, [this, column](bool shown) { setShown(column, shown); });
    }
}

void RunColumns::setShown(int column, bool shown) {
    if (shown == this->shown(column)) return;
    if (shown)
        hidden_.remove(column);
    else
        hidden_.insert(column);
    view_->setColumnHidden(column, !shown);
    if (isMetricColumn(column)) return setDifferencesShown(differences_);
    fit();
}

void RunColumns::setDifferencesShown(bool shown) {
    differences_ = shown;
    for (std::size_t metric = 0; metric < kListedMetrics.size(); ++metric) {
        const int column = metricColumn(metric);
        setShown(column + 1, shown && this->shown(column));
    }
    fit();
}

void RunColumns::setSpreads(bool spreads) {
    if (std::exchange(spreads_, spreads) == spreads) return;
    for (const int column : {Column::Seed, Column::LastAccuracy, Column::LastForgetting, Column::SessionAccuracy,
                             Column::SessionForgetting})
        usual_[column] += (spreads ? 1 : -1) * scaled(kSpreadGrowth);
    fit();
}

int RunColumns::roomForNames() const {
    int room = view_->viewport()->width();
    for (auto it = usual_.cbegin(); it != usual_.cend(); ++it) room -= view_->horizontalHeader()->sectionSize(it.key());
    return room;
}

int RunColumns::fitNames() {
    const int room = roomForNames();
    view_->horizontalHeader()->resizeSection(Column::Name, std::clamp(room, scaled(kLeastName), scaled(kMostName)));
    return room;
}

/// If the other columns leave the names no room, the last one narrows, and then the table scrolls sideways; if they
/// leave more than names need, the other columns spread, and the last one gets the rest.
void RunColumns::fit() {
    const bool outer = std::exchange(fitting_, true);
    QHeaderView* header = view_->horizontalHeader();
    const int whole = view_->viewport()->width();
    double others = 0, fixed = 0;
    for (auto it = usual_.cbegin(); it != usual_.cend(); ++it)
        if (shown(it.key())) (it.key() == Column::Shown ? fixed : others) += it.value();
    spread_ = others > 0 ? std::clamp((whole - fixed - scaled(kMostName)) / others, 1.0, kMostSpread) : 1;
    header->setStretchLastSection(false);
    for (auto it = usual_.cbegin(); it != usual_.cend(); ++it)
        if (shown(it.key()))
            header->resizeSection(it.key(), qRound(it.value() * (it.key() == Column::Shown ? 1 : spread_)));
    if (shown(Column::When)) {
        const int names = roomForNames(), when = header->sectionSize(Column::When);
        int narrower = std::clamp(scaled(kUsualName) - names, 0, std::max(0, when - scaled(kLeastWhen)));
        const int lacking = scaled(kLeastName) - names - narrower;
        if (lacking > 0 && lacking <= when - narrower - scaled(kElidedWhen)) narrower += lacking;
        header->resizeSection(Column::When, when - narrower);
    }
    header->setStretchLastSection(fitNames() > scaled(kMostName));
    fitting_ = outer;
}

}  // namespace palimpsest
