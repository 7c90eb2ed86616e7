// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace palimpsest {

/// A painted widget whose parts have tooltips of their own; beside them the widget's own tooltip shows.
class TipWidget : public QWidget {
    Q_OBJECT
public:
    explicit TipWidget(QWidget* parent = nullptr) : QWidget(parent) {}

    /// Text about the part under a point; empty beside the parts.
    virtual QString textAt(const QPoint& point) const = 0;

protected:
    /// The height is heightForWidth(), no more and no less.
    void fixHeightByWidth();
    bool event(QEvent* event) override;
};

}  // namespace palimpsest
