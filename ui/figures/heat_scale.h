// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace palimpsest {

/// Legend of the colours of a heat map: from 0 to the number at its end.
class HeatScale : public QWidget {
    Q_OBJECT
public:
    explicit HeatScale(const QString& name, QWidget* parent = nullptr);
    void setEnd(const QString& text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont captionFont() const;
    QString end_;
};

}  // namespace palimpsest
