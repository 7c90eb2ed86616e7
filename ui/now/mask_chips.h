// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QStringList>
#include <QVector>
#include <array>
#include <vector>

#include "ui/state/class_names.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

struct Theme;

/// State of a class under a logit mask. Open: let through, though not seen yet.
enum class MaskState { NotSeen, Hidden, Open, Visible };

/// A small cell in each state, painted once and put down many times.
class MaskStamps {
public:
    /// Does nothing where they are like that already. `ratio`: pixels of the screen for one of the window.
    void prepare(const Theme& theme, double side, double ratio);
    const QPixmap& of(MaskState state) const { return stamps_[static_cast<std::size_t>(state)]; }

private:
    std::array<QPixmap, 4> stamps_;
    const Theme* theme_ = nullptr;
    double side_ = 0;
};

/// Every class of the stream as a chip. Filled: the logit mask lets it through. Outlined: hidden. Dotted: not seen yet;
/// tinted as well where it competes all the same, since its output of the head is not hidden. A dot distinguishes
/// disjoint from blurry classes. Many classes shrink to cells whose names show on hover; of very many, several share a
/// cell: filled when the mask lets one of them through, else outlined when it hides one. Where there is no room for
/// every chip, those let through come first.
class MaskChips : public TipWidget {
    Q_OBJECT
public:
    using State = MaskState;

    explicit MaskChips(QWidget* parent = nullptr);

    void setClasses(const QStringList& names, std::vector<ClassKind> kinds);
    /// Raw labels. `unseenOpen`: classes that have not come yet are let through, too.
    void setMask(const std::vector<std::int32_t>& visible, const std::vector<std::int32_t>& seen,
                 bool unseenOpen = false);
    /// Classes that have come, where no record has their state under the mask: filled.
    void setSeen(const std::vector<std::int32_t>& seen);
    /// Is a class let through that has not come yet?
    bool showsOpen() const { return states_.contains(State::Open); }
    /// Short description of the tinted chips, for a legend.
    static QString openText();
    void clear() { setClasses({}, {}); }
    int count() const { return static_cast<int>(names_.size()); }
    State stateOf(int label) const { return states_.value(label, State::NotSeen); }
    QString textAt(const QPoint& point) const override;
    QRectF chipRect(int label) const;
    /// Fewer than count() where there is no room for all; then "+3" stands behind them.
    int shownCount() const { return compact() || names_.isEmpty() ? count() : shown(placed().rects).chips; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {236, heightForWidth(236)}; }
    QSize minimumSizeHint() const override { return {120, 24}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyMask(const std::vector<std::int32_t>& visible, const std::vector<std::int32_t>& seen, bool unseenOpen);
    bool compact() const;
    struct Placed {
        std::vector<int> labels;    ///< from the first place on
        std::vector<QRectF> rects;  ///< of the places
    };
    /// Not compact only.
    std::vector<QRectF> layoutChips(int width, const std::vector<int>& labels) const;
    Placed placed() const;
    struct Shown {
        int chips = 0;  ///< from the first
        QRectF more;    ///< empty: these are all
    };
    /// Not compact only.
    Shown shown(const std::vector<QRectF>& rects) const;
    QString moreText(int shown) const { return tr("+%1").arg(count() - shown); }
    QString textOf(int label) const;
    void paintChip(QPainter& painter, const Theme& theme, const QRectF& rect, int label) const;
    void paintCells(QPainter& painter, const Theme& theme, const QRect& area);

    QStringList names_;
    std::vector<ClassKind> kinds_;
    QVector<State> states_;
    bool mask_known_ = true;
    MaskStamps stamps_;
};

}  // namespace palimpsest
