// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace palimpsest {

/// Lowest and highest value of some neighbouring points. One without points is empty.
struct Extremes {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    bool empty() const { return low > high; }
    void add(double value) {
        if (value < low) low = value;
        if (value > high) high = value;
    }
    void add(const Extremes& other) {
        if (other.low < low) low = other.low;
        if (other.high > high) high = other.high;
    }
    bool operator==(const Extremes&) const = default;
};

/// The lowest and highest values of ever larger blocks of a curve that only grows, so that drawing a million points
/// costs no more than the pixels they fall on. Costs about three bytes a point and keeps none of them itself. A value
/// that is not a number belongs to its block without changing it.
class MinMaxPyramid {
public:
    static constexpr std::size_t kBase = 16;  ///< points of a block at level 0
    static constexpr std::size_t kFan = 4;    ///< blocks that one of the next level takes together

    struct Block {
        double x = 0;  ///< of its first point
        Extremes values;
        double sum = 0;  ///< of its values

        void add(double y) {
            values.add(y);
            if (y == y) sum += y;
        }
    };

    /// x does not fall from one point to the next.
    void add(double x, double y);
    void clear();
    std::size_t size() const { return size_; }
    std::size_t levels() const { return levels_.size(); }
    static std::size_t blockSize(std::size_t level);
    /// The last block may still be growing.
    std::span<const Block> level(std::size_t level) const { return levels_[level]; }
    /// The coarsest level with blocks of at most so many points; levels() when there is none.
    std::size_t levelFor(double points) const;

    /// Extremes of the points `from` to `to`, the latter not included; `value(i)` is the value of point i.
    template <class Value>
    Extremes over(std::size_t from, std::size_t to, const Value& value) const {
        Extremes all;
        while (from < to) {
            // The largest whole block that begins here and ends in time.
            std::size_t size = 1, level = levels_.size();
            for (std::size_t k = 0; k < levels_.size(); ++k) {
                const std::size_t block = blockSize(k);
                if (from % block != 0 || from + block > to) break;
                size = block;
                level = k;
            }
            if (level < levels_.size())
                all.add(levels_[level][from / size].values);
            else
                all.add(value(from));
            from += size;
        }
        return all;
    }

    /// The points `from` to `to`, the latter not included, in order: whole blocks of `level`, single points where none
    /// fits. `point(i)` gives x and y of point i; `take(block, count)`.
    template <class Point, class Take>
    void pieces(std::size_t level, std::size_t from, std::size_t to, const Point& point, const Take& take) const {
        const std::size_t size = level < levels_.size() ? blockSize(level) : 0;
        while (from < to) {
            if (size > 0 && from % size == 0 && from + size <= to) {
                take(levels_[level][from / size], size);
                from += size;
                continue;
            }
            const auto [x, y] = point(from++);
            Block single{x, {}, 0};
            single.add(y);
            take(single, std::size_t{1});
        }
    }

private:
    std::vector<std::vector<Block>> levels_;
    std::size_t size_ = 0;
};

/// A curve that only grows, with its pyramid.
class PointSeries {
public:
    void add(double x, double y) {
        xs_.push_back(x);
        ys_.push_back(y);
        pyramid_.add(x, y);
    }
    std::size_t size() const { return xs_.size(); }
    bool empty() const { return xs_.empty(); }
    double x(std::size_t i) const { return xs_[i]; }
    double y(std::size_t i) const { return ys_[i]; }
    const std::vector<double>& xs() const { return xs_; }
    const std::vector<double>& ys() const { return ys_; }
    const MinMaxPyramid& pyramid() const { return pyramid_; }
    /// The first point whose x is not below, or above, this one.
    std::size_t lower(double x) const;
    std::size_t upper(double x) const;
    /// Extremes of the points from x = `from` to x = `to`, both included.
    Extremes between(double from, double to) const;

private:
    std::vector<double> xs_, ys_;
    MinMaxPyramid pyramid_;
};

}  // namespace palimpsest
