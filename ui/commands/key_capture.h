// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QPushButton>

namespace palimpsest {

/// A button that, once pressed, captures the next keys. Escape captures none.
class KeyCapture : public QPushButton {
    Q_OBJECT
public:
    explicit KeyCapture(QWidget* parent = nullptr);

    bool listening() const { return listening_; }
    void listen();
    /// Text of the button while it does not listen.
    void setIdleText(const QString& text);

Q_SIGNALS:
    void captured(const QKeySequence& keys);
    /// No command may have these keys alone: they move the focus or press what has it.
    void reserved(const QString& keys);

protected:
    bool event(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void stop();
    void press(int key, Qt::KeyboardModifiers modifiers);

    QString idle_text_;
    bool listening_ = false;
};

}  // namespace palimpsest
