// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QRect>
#include <QTimer>
#include <QWidget>

namespace palimpsest {

/// A quiet frame around a widget that somebody is led to, for a moment. It lies over its window and takes neither mouse
/// nor focus.
class PointFrame : public QWidget {
    Q_OBJECT
public:
    static constexpr int kShownMs = 2000;
    /// Frames this widget, and nothing else in its window. It goes by itself.
    static void show(QWidget* framed) { show(framed, {}); }
    /// Frames a part of it, such as the title of a menu; empty: all of it.
    static void show(QWidget* framed, const QRect& part);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    PointFrame(QWidget* framed, const QRect& part);
    void place();

    QPointer<QWidget> framed_;
    const QRect part_;
};

}  // namespace palimpsest
