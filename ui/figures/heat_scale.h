// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace palimpsest {

/// Legend of the colours of a heat map: the numbers at its ends.
class HeatScale : public QWidget {
    Q_OBJECT
public:
    explicit HeatScale(const QString& name, QWidget* parent = nullptr);
    /// `two_sided`: as HeatContent has it.
    void setEnds(const QString& low, const QString& high, bool two_sided);
    /// What the numbers are, before them, with their unit; empty: they say it themselves.
    void setTitle(const QString& title);
    const QString& title() const { return title_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont captionFont() const;
    int titleWidth(const QFontMetrics& metrics) const;
    QString title_, low_, high_;
    bool two_sided_ = false;
};

}  // namespace palimpsest
