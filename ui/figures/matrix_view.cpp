// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/matrix_view.h"

#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

#include "ui/figures/heat_scale.h"
#include "ui/plots/figure_pages.h"
#include "ui/style/text_style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr int kTurnMs = 100;

}  // namespace

void MatrixTable::setContent(const MatrixContent& content) {
    if (content == content_) return;
    const bool same = content.rows == content_.rows && content.columns == content_.columns;
    if (!same) beginResetModel();
    content_ = content;
    if (!same)
        endResetModel();
    else if (!content_.empty())
        Q_EMIT dataChanged(index(0, 1), index(rowCount() - 1, columnCount() - 1));
}

QString MatrixTable::cellText(int row, int column) const {
    if (column == 0) return content_.rows[row];
    const double share = content_.share(row, column - 1);
    return std::isnan(share) ? QString() : percentText(share) + QStringLiteral(" %");
}

QString MatrixTable::csv() const {
    QString text = csvQuoted(content_.row_title);
    for (const QString& column : content_.columns) text += ',' + csvQuoted(column);
    text += '\n';
    for (int row = 0; row < content_.rows.size(); ++row) {
        text += csvQuoted(content_.rows[row]);
        for (int column = 0; column < content_.columns.size(); ++column) {
            const double share = content_.share(row, column);
            text += ',' + (std::isnan(share) ? QString() : QString::number(share * 100, 'g', 10));
        }
        text += '\n';
    }
    return text;
}

MatrixView::MatrixView(const Texts& texts, QWidget* parent)
    : QWidget(parent),
      published_(texts.published),
      canvas_(new MatrixCanvas),
      table_(new MatrixTable(this)),
      pages_(nullptr),
      scale_(new HeatScale(texts.name + "Scale")),
      throttle_(
          kTurnMs,
          [this] {
              if (isVisible()) bringUp();
          },
          this) {
    setObjectName(texts.name + "View");
    canvas_->setObjectName(texts.name + "Canvas");
    canvas_->setAccessibleName(texts.title + ", figure");
    canvas_->setToolTip(texts.tip);
    auto* figure = new QWidget;
    figure->setFocusProxy(canvas_);
    auto* cell = new FittingLabel;
    styleLabel(cell, text_size::kText, QFont::Normal, true);
    cell->setObjectName(texts.name + "Cell");
    const QString hint = texts.tip.section('\n', 0, 0);
    const QStringList hints{hint, hint.section(QStringLiteral(". "), 0, 0)};
    cell->setTexts(hints);
    auto* column = new QVBoxLayout(figure);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(canvas_, 1);
    column->addWidget(cell);
    pages_ = new FigurePages(texts.name, texts.title, texts.caption, figure, table_, this);
    pages_->addHeaderWidget(scale_);
    scale_->setEnds(QStringLiteral("0"), QStringLiteral("100 %"), false);
    connect(canvas_, &MatrixCanvas::currentChanged, this, [this, cell, hints] {
        cell->setTexts(canvas_->current() ? QStringList(canvas_->textOf(*canvas_->current())) : hints);
    });
}

Panel* MatrixView::panel() const {
    return pages_->panel();
}

void MatrixView::setTableShown(bool shown) {
    pages_->setTableShown(shown);
}

void MatrixView::addHeaderWidget(QWidget* widget) {
    pages_->addHeaderWidget(widget);
}

void MatrixView::present(const MatrixContent& content, const QString& invitation) {
    canvas_->setInvitation(invitation);
    canvas_->setContent(content);
    table_->setContent(content);
    scale_->setVisible(!content.empty());
}

void MatrixView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    bringUp();
}

std::function<report::Publication()> MatrixView::source() const {
    if (canvas_->content().empty()) return {};
    return [words = published_, content = canvas_->content(), csv = table_->csv()] {
        return onePiece(words, matrixFigure(words, content), csv);
    };
}

}  // namespace palimpsest
