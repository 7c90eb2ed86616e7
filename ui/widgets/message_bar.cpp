// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include <QAccessible>
#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/state/engine_text.h"
#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kReadingWordMs = 300, kLongestReadingMs = 20'000;

struct Style {
    QString name, badge;
    Ink ink;
};

Style styleOf(MessageBar::Kind kind) {
    switch (kind) {
        case MessageBar::Kind::Error:
            return {"error", "error", &Theme::worse};
        case MessageBar::Kind::Note:
            return {"note", "warning", &Theme::attention};
        case MessageBar::Kind::Info:
            return {"info", "info", &Theme::accent};
        case MessageBar::Kind::Done:
            break;
    }
    return {"done", "done", &Theme::better};
}

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      badge_(new IconLabel(this)),
      text_(makeLabel({}, text_size::kText, QFont::DemiBold, false, this)),
      hint_(makeLabel({}, text_size::kText, QFont::Normal, true, this)),
      count_(makeLabel({}, text_size::kText, QFont::Normal, true, this)),
      action_(new QPushButton(this)),
      other_(new QPushButton(this)),
      third_(new QPushButton(this)),
      all_(new QPushButton(tr("Dismiss all"), this)),
      close_(new QToolButton(this)) {
    setObjectName("messageBar");
    setProperty("messageLook", true);
    setAccessibleName(tr("Messages"));
    badge_->setObjectName("messageBadge");
    text_->setObjectName("messageText");
    hint_->setObjectName("messageHint");
    count_->setObjectName("messageCount");
    for (QLabel* label : {text_, hint_}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    action_->setObjectName("messageAction");
    action_->setAccessibleName(tr("Remedy"));
    action_->setToolTip(tr("Do what helps"));
    other_->setObjectName("messageOther");
    third_->setObjectName("messageThird");
    for (QPushButton* link : {other_, third_}) {
        link->setProperty("link", true);
        link->setAccessibleName(tr("Another remedy"));
        link->setToolTip(tr("Another way to answer the message"));
    }
    // In a dialog, Return stays with the widget that has the focus.
    for (QPushButton* button : {action_, other_, third_, all_}) {
        button->setAutoDefault(false);
        // No focus by click: Space keeps meaning pause and resume after one.
        button->setFocusPolicy(Qt::TabFocus);
    }
    all_->setObjectName("messageDismissAll");
    all_->setProperty("link", true);
    all_->setToolTip(tr("Take all messages away"));
    all_->setAccessibleName(tr("Dismiss all messages"));
    close_->setObjectName("messageDismiss");
    withIcon(close_, "close", &Theme::quiet);
    close_->setToolTip(tr("Dismiss this message"));
    close_->setAccessibleName(tr("Dismiss this message"));

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(text_);
    texts->addWidget(hint_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 8, 8);
    row->setSpacing(10);
    row->addWidget(badge_);
    row->addLayout(texts, 1);
    row->addWidget(action_);
    row->addWidget(other_);
    row->addWidget(third_);
    row->addWidget(count_);
    row->addWidget(all_);
    row->addWidget(close_);

    connect(action_, &QPushButton::clicked, this, [this] { triggerAction(0); });
    connect(other_, &QPushButton::clicked, this, [this] { triggerAction(1); });
    connect(third_, &QPushButton::clicked, this, [this] { triggerAction(2); });
    connect(close_, &QToolButton::clicked, this, &MessageBar::dismiss);
    connect(all_, &QPushButton::clicked, this, &MessageBar::dismissAll);
    hide();
}

void MessageBar::showMessage(Kind kind, const QString& text, const QString& hint, const Action& action,
                             const QString& topic) {
    const auto same = std::find_if(messages_.begin(), messages_.end(), [&](const Message& m) {
        return m.kind == kind && m.text == text && m.hint == hint;
    });
    Message message{kind, text, hint, 1, {}, topic, 0};
    if (!action.label.isEmpty()) message.actions.append(action);
    if (same != messages_.end()) {
        message.times = same->times + 1;
        messages_.erase(same);
    }
    add(message);
}

void MessageBar::showLatest(Kind kind, const QString& topic, const QString& text, const QString& hint,
                            const QList<Action>& actions) {
    Message message{kind, text, hint, 1, actions, topic, 0};
    messages_.removeIf([&](const Message& before) {
        if (before.topic != topic) return false;
        // A success leaves by itself, and is not worth a count.
        if (kind != Kind::Done && before.kind == kind && before.text == text && before.hint == hint)
            message.times = before.times + 1;
        return true;
    });
    add(message);
}

void MessageBar::showPassing(const QString& topic, const QString& text, const QString& hint, int milliseconds,
                             const QList<Action>& actions) {
    showLatest(Kind::Done, topic, text, hint, actions);
    leaveAfter(messages_.last().serial = ++serials_, milliseconds);
}

void MessageBar::showNews(const QString& topic, const QString& text, const QString& hint,
                          const QList<Action>& actions) {
    showLatest(Kind::Info, topic, text, hint, actions);
    leaveAfter(messages_.last().serial = ++serials_, readingTime(text + ' ' + hint));
}

void MessageBar::showOffer(const QString& topic, const QString& text, const QString& hint,
                           const QList<Action>& actions) {
    showLatest(Kind::Info, topic, text, hint, actions);
    messages_.last().offer = true;
    refresh();
}

int MessageBar::readingTime(const QString& text) {
    const auto words = static_cast<int>(text.simplified().count(' ')) + 1;
    return std::min(kLongestReadingMs, kPassingMs + kReadingWordMs * words);
}

void MessageBar::leaveAfter(int serial, int milliseconds) {
    QTimer::singleShot(milliseconds, this, [this, serial] {
        const auto same = [serial](const Message& message) { return message.serial == serial; };
        const QWidget* focus = QApplication::focusWidget();
        const bool read = !messages_.isEmpty() && same(messages_.last()) &&
                          (messages_.last().kind == Kind::Info || !messages_.last().actions.isEmpty());
        const bool held = read && (underMouse() || (focus && focus != this && isAncestorOf(focus)));
        if (held) return leaveAfter(serial, kPassingMs);
        if (messages_.removeIf(same) > 0) refresh();
    });
}

void MessageBar::add(const Message& message) {
    messages_.append(message);
    refresh();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MessageBar::addAction(const QString& text, const Action& action) {
    for (Message& message : messages_)
        if (message.text == text) message.actions = {action};
    refresh();
}

bool MessageBar::withdraw(const QString& topic) {
    const bool any = messages_.removeIf([&](const Message& message) { return message.topic == topic; }) > 0;
    if (any) refresh();
    return any;
}

void MessageBar::triggerAction(qsizetype which) {
    // Another message may have come between the press and the release.
    if (messages_.isEmpty() || which >= messages_.last().actions.size()) return;
    // A copy: it may bring messages of its own.
    const Action action = messages_.last().actions[which];
    if (!action.stays) dismiss();
    action.trigger();
}

void MessageBar::dismiss() {
    if (!messages_.isEmpty()) messages_.removeLast();
    refresh();
}

void MessageBar::dismissAll() {
    messages_.clear();
    refresh();
}

QString MessageBar::text() const {
    return messages_.isEmpty() ? QString() : messages_.last().text;
}
QString MessageBar::hint() const {
    return messages_.isEmpty() ? QString() : messages_.last().hint;
}

void MessageBar::refresh() {
    if (messages_.isEmpty()) return hide();
    const Message& message = messages_.last();
    const Style shown = styleOf(message.kind);
    if (property("kind") != shown.name) {
        setProperty("kind", shown.name);
        restyle(this);
    }
    badge_->setIcon(icon(shown.badge, shown.ink));
    const QString text = withQuotedCommands(message.text);
    text_->setText(message.times > 1 ? tr("%1 (%2 times)").arg(text, QString::number(message.times)) : text);
    hint_->setText(withQuotedCommands(message.hint));
    hint_->setVisible(!message.hint.isEmpty());
    for (const auto& [button, which] : {std::pair(action_, 0), std::pair(other_, 1), std::pair(third_, 2)}) {
        const Action action = message.actions.value(which);
        button->setText(action.label);
        button->setVisible(which < message.actions.size());
        if (button == action_) continue;
        button->setAccessibleName(action.label);
        button->setToolTip(action.stays ? tr("%1 (the message stays)").arg(action.label)
                                        : tr("%1, and take the message away").arg(action.label));
    }
    const bool several = count() > 1;
    count_->setText(tr("1 of %1").arg(count()));
    count_->setVisible(several);
    all_->setVisible(several);
    setAccessibleDescription(message.text + " " + message.hint);
    // Last, so that whoever gives it a place knows how much it says.
    show();
    QCoreApplication::postEvent(this, new QEvent(QEvent::LayoutRequest));
}

MessageFloat::MessageFloat(MessageBar* bar, QWidget* below, int roomy, const QList<QWidget*>& over)
    : QObject(below), bar_(bar), below_(below), roomy_(roomy), over_(over.begin(), over.end()) {
    const bool hidden = bar->isHidden();
    bar->setParent(below);
    bar->setHidden(hidden);
    bar->installEventFilter(this);
    below->installEventFilter(this);
    // It moves with each widget that it stands in.
    for (QWidget* part : over)
        for (QWidget* each = part; each && each != below; each = each->parentWidget()) each->installEventFilter(this);
    place();
}

bool MessageFloat::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    const bool moved = type == QEvent::Resize || (watched != below_ && type == QEvent::Move);
    const bool appeared = type == QEvent::ShowToParent;
    if (watched == bar_) {
        if (type == QEvent::HideToParent) leaveRoom(0);
        if (appeared || type == QEvent::LayoutRequest) place();
    } else if (bar_ && !bar_->isHidden() &&
               (moved || (watched != below_ && (appeared || type == QEvent::HideToParent)))) {
        place();
    }
    return QObject::eventFilter(watched, event);
}

void MessageFloat::place() {
    if (!bar_) return;
    const int most = std::max(0, below_->width() - 2 * kGap), widest = std::min(most, scaled(kWidest));
    bar_->layout()->activate();
    leaveRoom(bar_->coversNothing() && !bar_->isHidden() ? heightFor(widest) + kGap : 0);
    QRect area = below_->rect();
    const auto seen = std::ranges::find_if(
        over_, [&](const auto& part) { return part && below_->isAncestorOf(part) && part->isVisibleTo(below_); });
    if (room_ == 0 && seen != over_.end()) area = QRect((*seen)->mapTo(below_, QPoint()), (*seen)->size());
    // Beside a narrow part it would have to be high: rather it reaches beyond.
    const int width = std::max(std::min(widest, area.width() - 2 * kGap), std::min(most, scaled(kNarrowest)));
    const int height = heightFor(width);
    const int left =
        std::clamp(area.center().x() + 1 - width / 2, kGap, std::max(kGap, below_->width() - kGap - width));
    const int top = std::max(kGap, area.top() + area.height() - height - kGap);
    bar_->setGeometry(left, top, width, height);
    bar_->raise();
}

int MessageFloat::heightFor(int width) const {
    const int asked = bar_->layout()->totalHeightForWidth(width);
    return asked >= 0 ? asked : bar_->sizeHint().height();
}

void MessageFloat::leaveRoom(int height) {
    QLayout* layout = below_->layout();
    if (!layout) return;
    QMargins margins = layout->contentsMargins();
    // A window without so much to spare keeps its size.
    const int spare = below_->height() - (layout->totalMinimumSize().height() - room_);
    const int before = std::exchange(room_, height <= spare && below_->height() >= scaled(roomy_) ? height : 0);
    margins.setBottom(margins.bottom() - before + room_);
    if (room_ != before) layout->setContentsMargins(margins);
}

MessageArea::MessageArea(QWidget* line, const QMargins& room, QWidget* parent) : QWidget(parent) {
    setObjectName(line->objectName() + "Area");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(room);
    column->addWidget(line);
    line->installEventFilter(this);
    setVisible(!line->isHidden());
}

bool MessageArea::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        setVisible(event->type() == QEvent::ShowToParent);
    return QWidget::eventFilter(watched, event);
}

}  // namespace palimpsest
