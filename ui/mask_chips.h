// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>
#include <vector>

#include "ui/class_kinds.h"
#include "ui/tip_widget.h"

namespace palimpsest {

/// Every class of the stream as a chip. Filled: the logit mask lets it through. Outlined: hidden. Dotted: not seen yet.
/// A dot tells disjoint from blurry classes. Many classes shrink to cells whose names show on hover.
class MaskChips : public TipWidget {
    Q_OBJECT
public:
    enum class State { NotSeen, Hidden, Visible };

    explicit MaskChips(QWidget* parent = nullptr);

    void setClasses(const QStringList& names, std::vector<ClassKind> kinds);
    /// Raw labels.
    void setMask(const std::vector<std::int32_t>& visible, const std::vector<std::int32_t>& seen);
    void clear();
    int count() const { return static_cast<int>(names_.size()); }
    State stateOf(int label) const;
    QString textAt(const QPoint& point) const override;
    QRectF chipRect(int label) const;

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    bool compact() const;
    std::vector<QRectF> layoutChips(int width) const;
    void paintChip(QPainter& painter, const Theme& theme, const QRectF& rect, int label) const;
    void paintCell(QPainter& painter, const Theme& theme, const QRectF& rect, int label) const;

    QStringList names_;
    std::vector<ClassKind> kinds_;
    QVector<State> states_;
};

}  // namespace palimpsest
