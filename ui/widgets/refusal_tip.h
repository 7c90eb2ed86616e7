// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QTimer>

class QLabel;

namespace palimpsest {

/// Why a field refused what was typed: floats below the field, so that nothing in a form moves, and goes away by
/// itself. The mouse passes through it.
class RefusalTip : public QFrame {
    Q_OBJECT
public:
    /// How long it stays.
    static constexpr int kMs = 8000;

    explicit RefusalTip(QWidget* window);

    /// At once and again from the beginning, until cleared or its time is over.
    void showRefusal(const QString& why, QWidget* field);
    void clear();
    QString text() const;
    void setMs(int milliseconds) { fade_.setInterval(milliseconds); }

Q_SIGNALS:
    /// Its time is over; it waits to be cleared.
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
