// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/search_chips.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

#include "engine/library/run_query.h"
#include "ui/runs/run_arrangement.h"
#include "ui/runs/run_cell.h"
#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

QString fieldTitle(const std::string& field) {
    if (field == "date") return SearchChips::tr("Date");
    if (field == "seed") return columnText(RunColumn::Seed).title;
    if (field == "images") return columnText(RunColumn::Images).title;
    if (field == "memory") return columnText(RunColumn::Memory).title;
    for (std::size_t i = 0; i < kListedMetrics.size(); ++i)
        if (field == kListedMetrics[i].key) return columnText(metricColumn(i)).title;
    QString title = QString::fromStdString(field);
    if (!title.isEmpty()) title[0] = title[0].toUpper();
    return title;
}

QString rangeText(const RunQuery::Range& range) {
    const QString low = QString::fromStdString(range.low), high = QString::fromStdString(range.high);
    if (low == high) return low;
    if (high.isEmpty()) return (range.without_low ? QStringLiteral("> ") : QStringLiteral("≥ ")) + low;
    if (low.isEmpty()) return (range.without_high ? QStringLiteral("< ") : QStringLiteral("≤ ")) + high;
    return SearchChips::tr("%1 to %2").arg(low, high);
}

QString chipText(const RunQuery::Term& term) {
    if (!term.problem.empty()) return QString::fromStdString(term.written);
    const bool ranged = !term.range.low.empty() || !term.range.high.empty();
    const QString value = ranged ? rangeText(term.range) : QString::fromStdString(term.word);
    const QString text = term.field.empty() ? value : fieldTitle(term.field) + " " + value;
    return term.opposite ? SearchChips::tr("not %1").arg(text) : text;
}

}  // namespace

SearchChips::SearchChips(QLineEdit* search, QWidget* parent)
    : QWidget(parent), search_(search), row_(new QHBoxLayout(this)) {
    setObjectName("searchChips");
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(6);
    row_->addStretch(1);
    // The list does not grow wider for them.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(search, &QLineEdit::textChanged, this, &SearchChips::refresh);
    refresh();
}

void SearchChips::refresh() {
    for (QToolButton* chip : findChildren<QToolButton*>(Qt::FindDirectChildrenOnly)) {
        row_->removeWidget(chip);
        // One of them may be what was clicked.
        chip->setParent(nullptr);
        chip->deleteLater();
    }
    const RunQuery query(search_->text().toStdString());
    int count = 0;
    for (const RunQuery::Term& term : query.terms()) {
        if (term.field.empty() && !term.opposite) continue;
        const QString words = chipText(term);
        auto* chip = new QToolButton(this);
        chip->setObjectName(QString("searchChip%1").arg(count));
        chip->setProperty("chip", true);
        chip->setProperty("wrong", !term.problem.empty());
        chip->setText(words);
        chip->setLayoutDirection(layoutDirection() == Qt::LeftToRight ? Qt::RightToLeft : Qt::LeftToRight);
        withIcon(chip, "close", &Theme::quiet);
        chip->setFocusPolicy(Qt::TabFocus);
        chip->setAccessibleName(tr("Search no longer for: %1").arg(words));
        chip->setToolTip(term.problem.empty() ? tr("Take this out of the search")
                                              : QString::fromStdString(term.problem));
        fitToText(chip, [chip] {
            chip->setFont(textFont(chip->font(), text_size::kCaption, QFont::Medium));
            chip->setIconSize({scaled(10), scaled(10)});
        });
        connect(chip, &QToolButton::clicked, search_,
                [chip, search = search_, place = term.place, written = term.written] {
                    // The chip goes, and the keyboard with it otherwise.
                    if (chip->hasFocus()) search->setFocus();
                    std::string left = search->text().toStdString();
                    // A chip that is on its way out belongs to another search.
                    if (left.size() < place || left.compare(place, written.size(), written) != 0) return;
                    left.erase(place, written.size());
                    search->setText(QString::fromStdString(left).simplified());
                });
        row_->insertWidget(count++, chip);
    }
    setVisible(count > 0);
}

}  // namespace palimpsest
