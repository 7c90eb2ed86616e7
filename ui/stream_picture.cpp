// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream_picture.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace palimpsest {
namespace {

constexpr int kFew = 400;     // cells; painted straight away
constexpr double kPlain = 3;  // pixels from cell to cell that leave neither gap nor corner to see
constexpr int kLevels = 256;

/// Less than in proportion, so that the few images of a blurry class outside its session do not vanish.
float opacity(double share) {
    return static_cast<float>(0.2 + 0.8 * std::pow(share, 0.6));
}

QRgb blend(const QColor& under, const QColor& over, double alpha) {
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * alpha)); };
    return qRgb(mix(under.red(), over.red()), mix(under.green(), over.green()), mix(under.blue(), over.blue()));
}

/// Cells begin .. end - 1.
struct Span {
    int begin = 0, end = 0;
    bool operator==(const Span&) const = default;
};

/// One side of the picture: which cells each line of pixels shows.
struct Side {
    std::vector<Span> spans;  ///< ascending, none empty
    std::vector<int> at;      ///< of `spans`, by line of pixels; -1 between two cells and beside them
};

Side sideOf(int lines, double ratio, double begin, double pitch, double length, int cells) {
    constexpr double kRounding = 1e-9;
    Side side;
    side.at.assign(static_cast<std::size_t>(lines), -1);
    for (int line = 0; line < lines; ++line) {
        const double from = (line / ratio - begin) / pitch, to = ((line + 1) / ratio - begin) / pitch;
        Span span;
        if (to - from < 1) {
            const double centre = (from + to) / 2, cell = std::floor(centre);
            if ((centre - cell) * pitch < length) span = {static_cast<int>(cell), static_cast<int>(cell) + 1};
        } else {
            span = {static_cast<int>(std::floor(from + kRounding)), static_cast<int>(std::floor(to + kRounding))};
        }
        span = {std::max(span.begin, 0), std::min(span.end, cells)};
        if (span.begin >= span.end) continue;
        if (side.spans.empty() || side.spans.back() != span) side.spans.push_back(span);
        side.at[static_cast<std::size_t>(line)] = static_cast<int>(side.spans.size()) - 1;
    }
    return side;
}

}  // namespace

void StreamPicture::setStream(std::shared_ptr<const PlannedStream> stream) {
    stream_ = std::move(stream);
    pixmap_ = QPixmap();
    most_.assign(static_cast<std::size_t>(classes()), 0);
    kinds_ = stream_ ? classKinds(stream_->plan, most_.size()) : std::vector<ClassKind>();
    for (std::size_t label = 0; label < most_.size(); ++label)
        if (!stream_->counts[label].empty())
            most_[label] = *std::max_element(stream_->counts[label].begin(), stream_->counts[label].end());
}

QColor StreamPicture::hue(const Theme& theme, int label) const {
    return kinds_[static_cast<std::size_t>(label)] == ClassKind::Disjoint ? theme.disjoint : theme.blurry;
}

void StreamPicture::paint(QPainter& painter, const Theme& theme, QSize size, const CellRect& cellRect) {
    const qint64 cells = qint64{classes()} * sessions();
    if (cells == 0 || size.isEmpty()) return;
    if (cells <= kFew) {
        // By way of a pixmap their soft edges would come out a shade different.
        paintCells(painter, theme, cellRect);
        return;
    }
    const double ratio = painter.device()->devicePixelRatioF();
    if (pixmap_.isNull() || size != size_ || &theme != theme_ || pixmap_.devicePixelRatio() != ratio) {
        size_ = size;
        theme_ = &theme;
        const QSize pixels(static_cast<int>(std::ceil(size.width() * ratio)),
                           static_cast<int>(std::ceil(size.height() * ratio)));
        const QRectF first = cellRect(0, 0), last = cellRect(classes() - 1, sessions() - 1);
        if ((last.right() - first.left()) / sessions() <= kPlain ||
            (last.bottom() - first.top()) / classes() <= kPlain) {
            pixmap_ = QPixmap::fromImage(plainPixels(theme, pixels, ratio, cellRect));
            pixmap_.setDevicePixelRatio(ratio);
        } else {
            pixmap_ = QPixmap(pixels);
            pixmap_.setDevicePixelRatio(ratio);
            pixmap_.fill(Qt::transparent);
            QPainter inside(&pixmap_);
            inside.setRenderHint(QPainter::Antialiasing);
            paintCells(inside, theme, cellRect);
        }
    }
    painter.drawPixmap(0, 0, pixmap_);
}

void StreamPicture::paintCells(QPainter& painter, const Theme& theme, const CellRect& cellRect) const {
    painter.setPen(Qt::NoPen);
    for (int label = 0; label < classes(); ++label) {
        const auto& counts = stream_->counts[static_cast<std::size_t>(label)];
        for (int session = 0; session < sessions(); ++session) {
            const QRectF cell = cellRect(label, session);
            const double radius = std::min({2.0, cell.width() / 4, cell.height() / 4});
            const auto count = counts[static_cast<std::size_t>(session)];
            painter.setBrush(theme.raised);
            painter.drawRoundedRect(cell, radius, radius);
            if (count == 0) continue;
            QColor colour = hue(theme, label);
            colour.setAlphaF(
                opacity(static_cast<double>(count) / static_cast<double>(most_[static_cast<std::size_t>(label)])));
            painter.setBrush(colour);
            painter.drawRoundedRect(cell, radius, radius);
        }
    }
}

QImage StreamPicture::plainPixels(const Theme& theme, QSize pixels, double ratio, const CellRect& cellRect) const {
    const QRectF first = cellRect(0, 0), last = cellRect(classes() - 1, sessions() - 1);
    const auto pitch = [](double from, double to, int cells, double length) {
        return cells > 1 ? (to - from) / (cells - 1) : length;
    };
    const Side rows = sideOf(pixels.height(), ratio, first.top(),
                             pitch(first.top(), last.top(), classes(), first.height()), first.height(), classes());
    const Side columns = sideOf(pixels.width(), ratio, first.left(),
                                pitch(first.left(), last.left(), sessions(), first.width()), first.width(), sessions());

    std::array<std::array<QRgb, kLevels>, 2> shades;
    for (int level = 0; level < kLevels; ++level) {
        const double alpha = level == 0 ? 0 : opacity(level / (kLevels - 1.0));
        shades[0][static_cast<std::size_t>(level)] = blend(theme.raised, theme.blurry, alpha);
        shades[1][static_cast<std::size_t>(level)] = blend(theme.raised, theme.disjoint, alpha);
    }
    struct Strongest {
        double share = 0;
        bool disjoint = false;
    };
    std::vector<Strongest> cells(columns.spans.size());
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    int done = -1;
    for (int y = 0; y < pixels.height(); ++y) {
        const int row = rows.at[static_cast<std::size_t>(y)];
        if (row < 0) continue;
        if (std::exchange(done, row) != row) {
            std::fill(cells.begin(), cells.end(), Strongest());
            const Span span = rows.spans[static_cast<std::size_t>(row)];
            for (int label = span.begin; label < span.end; ++label) {
                const auto& counts = stream_->counts[static_cast<std::size_t>(label)];
                const double most = static_cast<double>(most_[static_cast<std::size_t>(label)]);
                const bool disjoint = kinds_[static_cast<std::size_t>(label)] == ClassKind::Disjoint;
                for (std::size_t i = 0; i < cells.size(); ++i) {
                    const auto count = *std::max_element(counts.begin() + columns.spans[i].begin,
                                                         counts.begin() + columns.spans[i].end);
                    if (count > 0 && static_cast<double>(count) / most > cells[i].share)
                        cells[i] = {static_cast<double>(count) / most, disjoint};
                }
            }
        }
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < pixels.width(); ++x) {
            const int column = columns.at[static_cast<std::size_t>(x)];
            if (column < 0) continue;
            const Strongest& cell = cells[static_cast<std::size_t>(column)];
            const int level =
                cell.share > 0 ? std::max(1, static_cast<int>(std::lround(cell.share * (kLevels - 1)))) : 0;
            line[x] = shades[cell.disjoint ? 1 : 0][static_cast<std::size_t>(level)];
        }
    }
    return image;
}

}  // namespace palimpsest
