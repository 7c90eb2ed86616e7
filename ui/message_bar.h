// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>

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
    explicit MessageBar(QWidget* parent = nullptr);

    void showMessage(Kind kind, const QString& text, const QString& hint = {});
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
    };
    void refresh();

    QList<Message> messages_;  ///< newest last
    QLabel* badge_;
    QLabel* text_;
    QLabel* hint_;
    QLabel* count_;
    QPushButton* all_;
    QToolButton* close_;
};

}  // namespace palimpsest
