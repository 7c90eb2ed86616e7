// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <vector>

#include "engine/record/memory_balance.h"
#include "ui/state/class_names.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

/// A memory at a glance: how many of its places are taken, and a bar for each class that has come, in the order of the
/// labels; a dashed line is where all would be equal. Of very many classes several share a bar, which is as tall as the
/// tallest of them. To be pressed for more.
class MemoryStrip : public PartTips<QAbstractButton> {
    Q_OBJECT
public:
    explicit MemoryStrip(QWidget* parent = nullptr);

    void setMemory(const ClassNames& words, const MemoryBalance& balance, std::int64_t capacity);
    /// Shows an empty memory of this many places.
    void clear(std::int64_t capacity) { setMemory({}, {}, capacity); }
    /// "412 of 500 places"
    const QString& places() const { return places_; }
    int barCount() const;
    /// The class at a point, and how many of its images are kept; of several the one with most. Empty beside the bars.
    QString textAt(const QPoint& point) const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Bar {
        int label = 0;
        std::int64_t count = 0;
    };
    QRectF area() const;
    /// The tallest of the classes that share it.
    const Bar& barOf(int place) const;

    ClassNames classes_;
    std::vector<Bar> bars_;  ///< a class each
    std::int64_t most_ = 0, total_ = 0;
    QString places_;
};

}  // namespace palimpsest
