// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QTimer>

class QLabel;

namespace palimpsest {

/// Reason why a field refused the typed text: floats below the field, so that nothing in a form moves, and hides by
/// itself. The mouse passes through it.
class RefusalTip : public QFrame {
    Q_OBJECT
public:
    /// Milliseconds that it stays.
    static constexpr int kMs = 8000;

    explicit RefusalTip(QWidget* window);

    /// Shows the tip at once, from the beginning of its time, until it is cleared or its time is over.
    void showRefusal(const QString& why, QWidget* field);
    void clear();
    QString text() const;
    void setMs(int milliseconds) { fade_.setInterval(milliseconds); }

Q_SIGNALS:
    /// The time is over; the tip stays until clear().
    void timedOut();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void watch(QWidget* field);

    QLabel* label_;
    QTimer fade_;
    QPointer<QWidget> field_;
};

}  // namespace palimpsest
