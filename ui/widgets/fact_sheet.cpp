// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fact_sheet.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {

FactSheet::FactSheet(const Names& names, int titleWidth, QWidget* parent)
    : QFrame(parent),
      title_width_(titleWidth),
      title_(makeLabel({}, text_size::kTitle, QFont::DemiBold, false)),
      sentence_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      facts_(new QWidget(this)),
      grid_(new QGridLayout(facts_)) {
    setObjectName(names.sheet);
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    title_->setObjectName(names.title);
    sentence_->setObjectName(names.sentence);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(6);
    grid_->setColumnStretch(1, 1);

    auto* content = new QWidget;
    parts_ = new QVBoxLayout(content);
    parts_->setContentsMargins(0, 0, spacing::kMargin, 0);
    parts_->setSpacing(12);
    parts_->addWidget(title_);
    parts_->addWidget(sentence_);
    parts_->addStretch(1);
    all_ = new QVBoxLayout(this);
    all_->setContentsMargins(spacing::kMargin, 14, 0, 14);
    all_->setSpacing(12);
    all_->addWidget(makeScroll(names.scroll, content), 1);
}

void FactSheet::setHeading(const QString& title, const QString& sentence) {
    setAccessibleName(title);
    title_->setText(title);
    sentence_->setText(sentence);
    sentence_->setVisible(!sentence.isEmpty());
}

void FactSheet::setFacts(const QList<FactRow>& rows) {
    const bool same = std::ranges::equal(
        rows, shown_, {}, [](const FactRow& row) { return row.name; }, &Fact::name);
    if (!same) removeFacts();
    for (int i = 0; i < rows.size(); ++i) {
        const FactRow& row = rows[i];
        if (!same) {
            QLabel* title = makeLabel(row.title, text_size::kText, QFont::Normal, true);
            fitToText(title, [title, width = title_width_] { title->setFixedWidth(scaled(width)); });
            QLabel* value = makeTextLabel(text_size::kText, QFont::Normal, false);
            value->setObjectName(row.name);
            value->setAccessibleName(row.title);
            title->setBuddy(value);
            grid_->addWidget(title, i, 0, Qt::AlignTop);
            grid_->addWidget(value, i, 1);
            shown_.append({row.name, title, value});
        }
        const Fact& fact = shown_[i];
        fact.value->setText(row.value);
        fact.title->setVisible(!row.value.isEmpty());
        fact.value->setVisible(!row.value.isEmpty());
    }
    facts_->setVisible(!rows.isEmpty());
}

void FactSheet::removeFacts() {
    for (const Fact& fact : shown_) {
        for (QLabel* label : {fact.title, fact.value}) {
            grid_->removeWidget(label);
            // Its own click may have led here, so it is deleted later.
            label->hide();
            label->setObjectName({});
            label->deleteLater();
        }
    }
    shown_.clear();
}

void FactSheet::addLine(QWidget* line) {
    grid_->addWidget(line, grid_->rowCount(), 0, 1, 2);
}

void FactSheet::addPart(QWidget* part) {
    parts_->insertWidget(parts_->count() - 1, part);
}

void FactSheet::addFooter(QWidget* footer) {
    all_->addWidget(footer);
}

void FactSheet::addButtons(const QList<QPushButton*>& buttons, const QList<QPushButton*>& primary) {
    primary_ = primary;
    auto* place = new QWidget;
    auto* row = new QHBoxLayout(place);
    row->setContentsMargins(0, 0, spacing::kMargin, 0);
    row->setSpacing(8);
    for (QPushButton* button : buttons) row->addWidget(button);
    row->addStretch(1);
    all_->addWidget(place);
}

void FactSheet::clickPrimary() {
    for (QPushButton* button : primary_)
        if (!button->isHidden()) return button->click();
}

QPushButton* FactSheet::makeCopyButton(const QString& name, const QString& text, const QString& tip,
                                       std::function<QString()> copied) {
    QPushButton* button = makeButton(name, text, tip);
    button->setProperty("link", true);
    withIcon(button, "copy", &Theme::quiet);
    connect(button, &QPushButton::clicked, button, [button, copied = std::move(copied)] {
        QGuiApplication::clipboard()->setText(copied());
        button->setText(tr("Copied"));
    });
    return button;
}

QPushButton* FactSheet::makePageButton(const QString& name, const QString& text, const QString& tip,
                                       std::function<QString()> address) {
    QPushButton* button = makeButton(name, text, tip);
    button->setProperty("link", true);
    withIcon(button, "external", &Theme::quiet);
    connect(button, &QPushButton::clicked, button,
            [address = std::move(address)] { QDesktopServices::openUrl(webPage(address())); });
    return button;
}

}  // namespace palimpsest
