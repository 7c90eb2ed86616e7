// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

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

/// The line below a picture of a stream: what its colours mean, and the stream's fingerprint.
class StreamLegend : public QWidget {
    Q_OBJECT
public:
    explicit StreamLegend(QWidget* parent = nullptr);

    /// 16 hex digits; empty: there is no stream.
    void setFingerprint(const QString& fingerprint);

private:
    QLabel* fingerprint_;
};

}  // namespace palimpsest
