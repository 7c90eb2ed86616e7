// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/figure_pages.h"

#include <QApplication>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr int kHeaderHeight = 26;  // of the tallest widget, so that the figure stays where it is when one appears
constexpr int kRowHeight = 24, kCellPadding = 16;  // of a table's cell, both sides together
constexpr int kTop = 8, kBottom = 6;               // edges of the panel; the figure has free rows of its own

}  // namespace

QVariant FigureTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? cellText(index.row(), index.column()) : QVariant();
}

QVariant FigureTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? heading(section) : QVariant();
}

QTableView* makeNumbersView(const QString& name, const QString& title, QAbstractItemModel* numbers) {
    auto* view = new QTableView;
    view->setObjectName(name);
    view->setAccessibleName(title + ", table");
    view->setToolTip(FigurePages::tr("The numbers of the figure"));
    view->setModel(numbers);
    view->setFrameShape(QFrame::NoFrame);
    view->setShowGrid(false);
    view->verticalHeader()->hide();
    view->horizontalHeader()->setHighlightSections(false);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setTabKeyNavigation(false);
    fitToText(view, [view] { view->verticalHeader()->setDefaultSectionSize(scaled(kRowHeight)); });
    return view;
}

void fitColumns(QTableView& numbers) {
    const int least = numbers.fontMetrics().horizontalAdvance(QStringLiteral("100.0 %")) + kCellPadding;
    QHeaderView* header = numbers.horizontalHeader();
    for (int column = 0; column < header->count(); ++column)
        header->resizeSection(column, std::max(least, header->sectionSizeHint(column)));
}

QString csvQuoted(QString text) {
    const bool plain = !text.contains(',') && !text.contains('"') && !text.contains('\n') && !text.contains('\r');
    return plain ? text : '"' + text.replace('"', QLatin1String("\"\"")) + '"';
}

FigurePages::FigurePages(const QString& name, const QString& title, const QString& caption, QWidget* figure,
                         FigureTable* table, QWidget* owner)
    : QObject(owner),
      table_(table),
      panel_(new Panel(title, caption)),
      pages_(new QStackedWidget),
      view_(makeNumbersView(name + "Table", title, table)),
      button_(new QToolButton) {
    setObjectName(name + "Pages");
    owner->setAccessibleName(title);
    panel_->setObjectName(name + "Panel");
    panel_->setEdges(kTop, kBottom);
    button_->setObjectName(name + "TableButton");
    button_->setText(tr("Table"));
    withIcon(button_, "table", &Theme::quiet);
    button_->setCheckable(true);
    button_->setAutoRaise(true);
    button_->setProperty("link", true);
    button_->setAccessibleName(title + ": show as a table");
    button_->setToolTip(tr("Show the numbers instead of the figure"));
    button_->setFocusPolicy(Qt::TabFocus);
    fitToText(this, [this] {
        button_->setMinimumHeight(scaled(kHeaderHeight));
        button_->setFont(textFont(button_->font(), text_size::kText));
        fitColumns();
    });

    pages_->addWidget(figure);
    pages_->addWidget(view_);
    panel_->addHeaderWidget(button_);
    panel_->body()->addWidget(pages_, 1);
    auto* layout = new QVBoxLayout(owner);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(panel_);
    connect(table_, &QAbstractItemModel::modelReset, this, &FigurePages::fitColumns);
    connect(button_, &QToolButton::toggled, this, &FigurePages::setTableShown);
    connect(button_, &QToolButton::clicked, this, &FigurePages::tableChosen);
}

QString FigurePages::title() const {
    return panel_->title();
}

void FigurePages::setTableShown(bool shown) {
    if (shown) table_->refresh();
    // A page that goes away would hand the keyboard to the button, which then takes Space from the run.
    const bool focused = pages_->isAncestorOf(QApplication::focusWidget());
    pages_->setCurrentIndex(shown ? 1 : 0);
    if (focused) pages_->currentWidget()->setFocus();
    fitColumns();
    button_->setChecked(shown);
    button_->setText(shown ? tr("Figure") : tr("Table"));
    withIcon(button_, shown ? "curves" : "table", &Theme::quiet);
    button_->setToolTip(shown ? tr("Show the figure again") : tr("Show the numbers instead of the figure"));
}

bool FigurePages::tableShown() const {
    return pages_->currentIndex() == 1;
}

void FigurePages::addHeaderWidget(QWidget* widget) {
    panel_->addHeaderWidget(widget);
    panel_->addHeaderWidget(button_);  // stays the last
}

void FigurePages::fitColumns() {
    if (tableShown()) palimpsest::fitColumns(*view_);
}

}  // namespace palimpsest
