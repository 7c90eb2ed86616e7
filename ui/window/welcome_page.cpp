// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_page.h"

#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/window/welcome_card.h"

namespace palimpsest {
namespace {

constexpr int kSideBySide = 470;  // pixels; with less room the cards stand below one another
constexpr int kWidest = 860;
constexpr int kShown = 5;

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent) {
    setObjectName("welcomePage");
    setAccessibleName(tr("Welcome"));
    auto* content = new QWidget;
    content->setObjectName("scrollBody");
    fitToText(content, [content] { content->setMaximumWidth(scaled(kWidest)); });
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(12, 16, 12, 16);
    column->setSpacing(8);
    auto* title = makeLabel(tr("Watch a network learn, forget, and be helped to remember"), 18, QFont::DemiBold, false);
    title->setObjectName("welcomeTitle");
    title->setWordWrap(true);
    auto* words = makeLabel({}, text_size::kText, QFont::Normal, true);
    words->setObjectName("welcomeWords");
    const auto nameKeys = [words] {
        words->setText(KeyNames::instance().filled(
            tr("You cannot break anything. {pauseRun} pauses and goes on, {undo} takes back, {guide} explains.")));
    };
    nameKeys();
    connect(&KeyNames::instance(), &KeyNames::changed, words, nameKeys);
    words->setWordWrap(true);
    column->addStretch(1);
    column->addWidget(title);
    column->addWidget(words);
    column->addSpacing(8);

    cards_ = new QBoxLayout(QBoxLayout::LeftToRight);
    cards_->setSpacing(12);
    const auto card = [&](WelcomeCard::Drawing drawing, const QString& name, const QString& heading,
                          const QString& text, void (WelcomePage::*asked)()) {
        auto* button = new WelcomeCard(drawing, heading, text);
        button->setObjectName(name);
        connect(button, &QAbstractButton::clicked, this, asked);
        cards_->addWidget(button, 1);
    };
    card(WelcomeCard::Drawing::Demo, "welcomeDemo", tr("Watch the demo"),
         tr("A small experiment starts at once: five sessions of clothes, and what is left of each."),
         &WelcomePage::demoAsked);
    card(WelcomeCard::Drawing::Images, "welcomeData", tr("Open my data"),
         tr("A folder with one folder of images for each class becomes a stream. Dropping it here does the same."),
         &WelcomePage::dataAsked);
    card(WelcomeCard::Drawing::Run, "welcomeRun", tr("Open a run"),
         tr("A folder that a run has written, here or on another computer: its curves, numbers and settings."),
         &WelcomePage::runAsked);
    column->addLayout(cards_);

    column->addSpacing(12);
    recent_title_ = makeLabel(tr("RECENT"), text_size::kCaption, QFont::DemiBold, true);
    column->addWidget(recent_title_);
    recent_ = new QVBoxLayout;
    recent_->setSpacing(0);
    column->addLayout(recent_);
    auto* leave = makeButton("welcomeLeave", tr("Show the empty figures"),
                             tr("What the curves will look like; Help > Welcome comes back here"));
    leave->setProperty("link", true);
    leave->setFocusPolicy(Qt::TabFocus);
    connect(leave, &QPushButton::clicked, this, &WelcomePage::leaveAsked);
    column->addSpacing(4);
    column->addWidget(leave, 0, Qt::AlignLeft);
    column->addStretch(2);

    auto* middle = new QWidget;
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    row->addWidget(content, 100);
    row->addStretch(1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(makeScroll("welcomeScroll", middle));
    setRecent({});
    fitToText(this, [this] { arrange(); });
}

void WelcomePage::setRecent(const QList<WorkspaceState::Recent>& recent) {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const WorkspaceState::Recent& each : recent.mid(0, kShown)) {
        auto* button = makeButton(QString("welcomeRecent%1").arg(recent_->count()), each.title,
                                  tr("Open %1").arg(QDir::toNativeSeparators(each.path)));
        button->setProperty("link", true);
        withIcon(button, "restore", &Theme::quiet);
        button->setFocusPolicy(Qt::TabFocus);
        connect(
            button, &QPushButton::clicked, this, [this, path = each.path] { Q_EMIT recentAsked(path); },
            // The list may be made anew by what is opened.
            Qt::QueuedConnection);
        recent_->addWidget(button, 0, Qt::AlignLeft);
    }
    recent_title_->setVisible(!recent.isEmpty());
}

void WelcomePage::arrange() {
    cards_->setDirection(width() < scaled(kSideBySide) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void WelcomePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace palimpsest
