// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/label_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace palimpsest {
namespace {

constexpr double kGap = 9;            // between the end of a curve and its name
constexpr double kBetween = 2;        // between two names
constexpr double kStep = 6;           // of the search up and down
constexpr int kSteps = 40;            // each way
constexpr double kHiddenCost = 5;     // of one covered curve point, in pixels of distance
constexpr double kMarkCost = 40;      // of one covered mark
constexpr double kChangeCost = 12;    // of leaving the former place
constexpr double kDisorderCost = 60;  // of standing above a name whose curve ends higher

/// Choices 0 .. 2 kSteps: right of the anchor; the rest: ending at the anchor, above or below.
QRectF candidate(const LabelWish& wish, int choice, const QRectF& area) {
    const bool beside = choice <= 2 * kSteps;
    const int index = beside ? choice : choice - (2 * kSteps + 1);
    const double offset = kStep * (index % 2 ? (index + 1) / 2 : -(index / 2));
    QRectF rect(QPointF(0, 0), wish.size);
    if (beside) {
        rect.moveLeft(wish.anchor.x() + kGap);
        rect.moveTop(wish.anchor.y() - wish.size.height() / 2 + offset);
    } else {
        rect.moveRight(std::min(wish.anchor.x() + wish.size.width() / 3, area.right()));
        if (offset <= 0)
            rect.moveBottom(wish.anchor.y() - kGap + offset);
        else
            rect.moveTop(wish.anchor.y() + kGap + offset - kStep);
    }
    return rect;
}

/// Counts points in rectangles by summed areas over a grid of small cells.
class PointCounts {
public:
    PointCounts(const std::vector<QPointF>& points, const QRectF& area)
        : origin_(area.topLeft()),
          columns_(std::max(1, static_cast<int>(std::ceil(area.width() / kCell)))),
          rows_(std::max(1, static_cast<int>(std::ceil(area.height() / kCell)))),
          sums_(static_cast<std::size_t>((columns_ + 1) * (rows_ + 1)), 0) {
        for (const QPointF& point : points) {
            const QPointF cell = (point - origin_) / kCell;
            if (cell.x() >= 0 && cell.y() >= 0 && cell.x() < columns_ && cell.y() < rows_)
                ++sum(static_cast<int>(cell.x()) + 1, static_cast<int>(cell.y()) + 1);
        }
        for (int y = 1; y <= rows_; ++y)
            for (int x = 1; x <= columns_; ++x) sum(x, y) += sum(x - 1, y) + sum(x, y - 1) - sum(x - 1, y - 1);
    }

    /// Points in all cells that the rectangle touches.
    int inside(const QRectF& rect) const {
        const auto column = [&](double x) { return std::clamp(static_cast<int>(x / kCell), 0, columns_); };
        const auto row = [&](double y) { return std::clamp(static_cast<int>(y / kCell), 0, rows_); };
        const int left = column(rect.left() - origin_.x()), right = column(rect.right() - origin_.x() + kCell);
        const int top = row(rect.top() - origin_.y()), bottom = row(rect.bottom() - origin_.y() + kCell);
        return at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
    }

private:
    static constexpr double kCell = 2;
    int& sum(int x, int y) { return sums_[static_cast<std::size_t>(y * (columns_ + 1) + x)]; }
    int at(int x, int y) const { return sums_[static_cast<std::size_t>(y * (columns_ + 1) + x)]; }

    QPointF origin_;
    int columns_, rows_;
    std::vector<int> sums_;
};

class Layout {
public:
    Layout(const std::vector<LabelWish>& wishes, const QRectF& area, const std::vector<QPointF>& curvePoints,
           const std::vector<QRectF>& taken, const LabelMarks& marks)
        : wishes_(wishes),
          taken_(taken),
          area_(area),
          mark_(marks.radius),
          points_(curvePoints, area),
          marks_(marks.places, area),
          places_(wishes.size()) {}

    std::vector<LabelPlace> run() {
        std::vector<bool> done(wishes_.size(), false);
        for (std::size_t i = 0; i < wishes_.size(); ++i) {
            if (done[i]) continue;
            std::vector<std::size_t> column;
            for (std::size_t k = i; k < wishes_.size(); ++k)
                if (!done[k] && std::abs(wishes_[k].anchor.x() - wishes_[i].anchor.x()) < kSameEnd &&
                    wishes_[k].anchor.x() + kGap + wishes_[k].size.width() <= area_.right())
                    column.push_back(k);
            // A column without the one it was begun for would leave that one out.
            if (column.size() > 1 && column.front() == i && placeColumn(column)) {
                for (const std::size_t k : column) done[k] = true;
            } else {
                placeAlone(i);
                done[i] = true;
            }
        }
        for (LabelPlace& place : places_) place.covers = !place.rect.isEmpty() && points_.inside(place.rect) > 0;
        return places_;
    }

private:
    bool isFree(const QRectF& rect) const {
        const QRectF wide = rect.adjusted(-kBetween, -kBetween, kBetween, kBetween);
        return std::none_of(places_.begin(), places_.end(),
                            [&](const LabelPlace& place) { return wide.intersects(place.rect); }) &&
               std::none_of(taken_.begin(), taken_.end(), [&](const QRectF& other) { return wide.intersects(other); });
    }

    int hiddenMarks(const QRectF& rect) const { return marks_.inside(rect.adjusted(-mark_, -mark_, mark_, mark_)); }

    bool placeColumn(std::vector<std::size_t> column) {
        double height = 0, left = 0;
        for (const std::size_t k : column) {
            height = std::max(height, wishes_[k].size.height() + kBetween);
            left = std::max(left, wishes_[k].anchor.x() + kGap);
        }
        const auto most = static_cast<std::size_t>(std::max(0.0, area_.height() / height));
        if (column.size() > most) column.resize(most);  // the least important give way
        std::sort(column.begin(), column.end(),
                  [&](std::size_t a, std::size_t b) { return wishes_[a].anchor.y() < wishes_[b].anchor.y(); });
        std::vector<double> wanted;
        for (const std::size_t k : column) wanted.push_back(wishes_[k].anchor.y() - height / 2);
        const std::vector<double> tops = spreadApart(wanted, height, area_.top(), area_.bottom());
        std::vector<QRectF> rects;
        for (std::size_t k = 0; k < column.size(); ++k) {
            const QSizeF size = wishes_[column[k]].size;
            rects.emplace_back(QPointF(left, tops[k] + (height - size.height()) / 2), size);
            if (rects.back().right() > area_.right() || !isFree(rects.back()) || hiddenMarks(rects.back()) > 0)
                return false;
        }
        for (std::size_t k = 0; k < column.size(); ++k) places_[column[k]] = {rects[k], -1, false};
        return true;
    }

    void placeAlone(std::size_t i) {
        const LabelWish& wish = wishes_[i];
        LabelPlace found;  // not among the places yet: no candidate is in the way of another
        double best = std::numeric_limits<double>::max();
        for (int choice = 0; choice < 2 * (2 * kSteps + 1); ++choice) {
            const QRectF rect = candidate(wish, choice, area_);
            if (!area_.contains(rect) || !isFree(rect)) continue;
            double cost = std::abs(rect.center().y() - wish.anchor.y()) + (choice > 2 * kSteps ? kGap : 0);
            if (wish.previous >= 0 && choice != wish.previous) cost += kChangeCost;
            for (std::size_t k = 0; k < wishes_.size(); ++k)
                if (!places_[k].rect.isEmpty() && std::abs(wishes_[k].anchor.x() - wish.anchor.x()) < kSameEnd &&
                    (rect.top() < places_[k].rect.top()) != (wish.anchor.y() < wishes_[k].anchor.y()))
                    cost += kDisorderCost;
            if (cost >= best) continue;
            cost += kHiddenCost * points_.inside(rect.adjusted(-kBetween, -kBetween, kBetween, kBetween)) +
                    kMarkCost * hiddenMarks(rect);
            if (cost < best) {
                best = cost;
                found = {rect, choice, false};
            }
        }
        places_[i] = found;
    }

    const std::vector<LabelWish>& wishes_;
    const std::vector<QRectF>& taken_;
    QRectF area_;
    double mark_;
    PointCounts points_, marks_;
    std::vector<LabelPlace> places_;
};

}  // namespace

std::vector<double> spreadApart(const std::vector<double>& wanted, double height, double low, double high) {
    // With the boxes' own heights taken out, "apart" becomes "in ascending order".
    struct Block {
        double sum = 0;
        std::size_t count = 0;
        double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        blocks.push_back({wanted[i] - height * static_cast<double>(i), 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back().sum += last.sum;
            blocks.back().count += last.count;
        }
    }
    const double most = high - height * static_cast<double>(wanted.size());
    std::vector<double> tops;
    for (const Block& block : blocks)
        for (std::size_t k = 0; k < block.count; ++k)
            tops.push_back(std::max(low, std::min(block.mean(), most)) + height * static_cast<double>(tops.size()));
    return tops;
}

std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const QRectF& area,
                                    const std::vector<QPointF>& curvePoints, const std::vector<QRectF>& taken,
                                    const LabelMarks& marks) {
    return Layout(wishes, area, curvePoints, taken, marks).run();
}

}  // namespace palimpsest
