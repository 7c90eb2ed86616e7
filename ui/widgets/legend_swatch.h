// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace palimpsest {

/// A small square in the hue of disjoint or blurry classes, for a legend.
class LegendSwatch : public QWidget {
    Q_OBJECT
public:
    enum Hue { Disjoint, Blurry };
    explicit LegendSwatch(Hue hue, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Hue hue_;
};

}  // namespace palimpsest
