// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/widgets/tip_widget.h"

namespace palimpsest {

/// How often each prompt of the pool was selected, as bars numbered from 1; the most used one stands out.
class PromptBars : public TipWidget {
    Q_OBJECT
public:
    explicit PromptBars(QWidget* parent = nullptr);

    void setUse(const std::vector<std::int64_t>& times);
    void clear() { setUse({}); }
    QString textAt(const QPoint& point) const override;
    int count() const { return static_cast<int>(times_.size()); }

    QSize sizeHint() const override { return {236, 64}; }
    QSize minimumSizeHint() const override { return {100, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString textOf(int prompt) const;
    QRectF barRect(int prompt) const;

    std::vector<std::int64_t> times_;
    std::int64_t most_ = 0;
    std::int64_t total_ = 0;
};

}  // namespace palimpsest
