// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>
#include <functional>

class QLabel;
class QToolButton;
class QPushButton;

namespace palimpsest {

/// What went wrong and what to do about it, one message at a time, newest first. Never modal; a message stays until a
/// person dismisses it. The same message twice is counted, not repeated.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Error, Note };
    /// What a button beside the message does; the message goes when it is pressed.
    struct Action {
        QString label;
        std::function<void()> act;
    };
    explicit MessageBar(QWidget* parent = nullptr);

    void showMessage(Kind kind, const QString& text, const QString& hint = {}, const Action& action = {});
    /// For a remedy that is found a moment after the message was shown. Nothing happens when it is gone.
    void addAction(const QString& text, const Action& action);
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
        Action action;
    };
    void act();
    void refresh();

    QList<Message> messages_;  ///< newest last
    QLabel* badge_;
    QLabel* text_;
    QLabel* hint_;
    QLabel* count_;
    QPushButton* action_;
    QPushButton* all_;
    QToolButton* close_;
};

}  // namespace palimpsest
