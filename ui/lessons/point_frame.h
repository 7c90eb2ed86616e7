// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
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
    static void show(QWidget* framed);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    explicit PointFrame(QWidget* framed);
    void place();

    QPointer<QWidget> framed_;
};

}  // namespace palimpsest
