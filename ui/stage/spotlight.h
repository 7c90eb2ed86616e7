// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QPoint>
#include <QWidget>
#include <optional>

namespace palimpsest {

/// A soft circle of light around the pointer over another widget, whose rest is dimmed. It lies over that widget, takes
/// no clicks and no keys, and paints only what a move has changed. Nothing moves it but moveTo().
class Spotlight : public QWidget {
    Q_OBJECT
public:
    /// Radius as a share of the height, and how far the user may change it.
    static constexpr double kUsualShare = 0.16, kLeastShare = 0.05, kMostShare = 0.45, kStep = 1.15;

    /// Covers `below`, and follows its size.
    explicit Spotlight(QWidget* below);

    /// The light is wanted; it is seen once the pointer is over the widget.
    bool isOn() const { return on_; }
    void setOn(bool on);
    /// Where the pointer is, in pixels of this widget; nothing: it has left, and nothing is dimmed.
    void moveTo(std::optional<QPoint> place);
    std::optional<QPoint> place() const { return place_; }
    /// Makes the circle larger or smaller by some steps.
    void grow(int steps);
    int radius() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QRect lit() const;
    void refresh();
    /// The circle with what is dimmed around it, as it lies on the ground.
    const QPixmap& pool();

    QWidget* below_;
    bool on_ = false;
    double share_ = kUsualShare;
    std::optional<QPoint> place_;
    QPixmap pool_;
};

}  // namespace palimpsest
