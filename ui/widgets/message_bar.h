// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>
#include <QPointer>
#include <functional>

class QLabel;
class QToolButton;
class QPushButton;

namespace palimpsest {

class IconLabel;

/// Action of a button beside a message, which goes when it is pressed, unless it `stays`.
struct MessageAction {
    QString label;
    std::function<void()> trigger;
    bool stays = false;
};

/// Messages about what went wrong and what to do about it, one at a time, newest first. Never modal; a message stays
/// until the user dismisses it or it is out of date: a message about a topic is withdrawn when it no longer holds, and
/// the one before it shows again. The same message twice is counted, not repeated. Successes, and messages that the
/// user asked for, look calm, so that they are not mistaken for warnings.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Error, Note, Info, Done };
    using Action = MessageAction;
    static constexpr int kPassingMs = 6000;
    explicit MessageBar(QWidget* parent = nullptr);

    /// A message with a `topic` can be withdrawn; others on the same topic stay.
    void showMessage(Kind kind, const QString& text, const QString& hint = {}, const Action& action = {},
                     const QString& topic = {});
    /// Message about something that recurs, as the writing of a file: replaces the last message on the same `topic`. Of
    /// up to three actions the first is the remedy; the others are links.
    void showLatest(Kind kind, const QString& topic, const QString& text, const QString& hint = {},
                    const QList<Action>& actions = {});
    /// The same for a success, which leaves by itself; one with an action not under the pointer or the keyboard.
    void showPassing(const QString& topic, const QString& text, const QString& hint, int milliseconds = kPassingMs,
                     const QList<Action>& actions = {});
    /// The same for news that is no success: it leaves once it can have been read, but not under the pointer or the
    /// keyboard.
    void showNews(const QString& topic, const QString& text, const QString& hint, const QList<Action>& actions = {});
    /// The same for an offer, which stays until it is answered: its message covers nothing, see MessageFloat.
    void showOffer(const QString& topic, const QString& text, const QString& hint, const QList<Action>& actions);
    /// The message that is shown stands beside what it is about, not over it.
    bool coversNothing() const { return !messages_.isEmpty() && messages_.last().offer; }
    /// Milliseconds that somebody needs to read this, with time to notice it.
    static int readingTime(const QString& text);
    /// Adds a remedy that is found a moment after the message was shown. Nothing happens when it is gone.
    void addAction(const QString& text, const Action& action);
    /// Removes the messages on a topic; false: none was left.
    bool withdraw(const QString& topic);
    void dismiss();
    void dismissAll();
    int count() const { return static_cast<int>(messages_.size()); }
    QString text() const;
    QString hint() const;

private:
    struct Message {
        Kind kind;
        QString text, hint;
        int times;
        QList<Action> actions;
        QString topic;       ///< may be empty
        int serial = 0;      ///< of a passing one
        bool offer = false;  ///< see showOffer()
    };
    void triggerAction(qsizetype action);
    void refresh();
    void leaveAfter(int serial, int milliseconds);
    /// Brings a message to the front.
    void add(const Message& message);

    QList<Message> messages_;  ///< newest last
    int serials_ = 0;
    IconLabel* badge_;
    QLabel* text_;
    QLabel* hint_;
    QLabel* count_;
    QPushButton* action_;
    QPushButton* other_;
    QPushButton* third_;
    QPushButton* all_;
    QToolButton* close_;
};

/// Lets a message bar float over the lower edge of another widget, in its middle, so that a message pushes nothing
/// aside; for an offer, the layout of that widget leaves room where it has some. The bar becomes that widget's child.
class MessageFloat : public QObject {
    Q_OBJECT
public:
    static constexpr int kGap = 12;
    static constexpr int kWidest = 640, kNarrowest = 360;  ///< at the usual text size

    /// `roomy`: height of that widget, at the usual text size, from which an offer is given room. `over`: parts of it
    /// that are looked at more than worked with; the bar floats over the lower edge of the first that is seen instead.
    MessageFloat(MessageBar* bar, QWidget* below, int roomy = 0, const QList<QWidget*>& over = {});
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    int heightFor(int width) const;
    /// Keeps so much of the lower edge free of what the widget lays out.
    void leaveRoom(int height);

    QPointer<MessageBar> bar_;
    QWidget* below_;
    int roomy_;
    QList<QPointer<QWidget>> over_;
    int room_ = 0;  ///< that the layout leaves
};

/// Keeps room around a line that comes and goes, such as that of the player, and none while it is hidden.
class MessageArea : public QWidget {
    Q_OBJECT
public:
    MessageArea(QWidget* line, const QMargins& room, QWidget* parent = nullptr);
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace palimpsest
