// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/run/run_events.h"
#include "ui/state/class_names.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

class PictureLoader;

/// Answers to single test images, moment by moment: a row for each, with its picture, its class, a mark where it is
/// pinned, and a block for each evaluation; filled where it was right, outlined with the other class's name where it
/// was not, and left out where it was not tested yet. Below them stand the images seen at the evaluations, and a
/// legend. Where the run recorded its most probable classes, the height of a block is a probability of one: filled from
/// below as far as that of the true class goes, with those of other classes outlined above it.
class LifeLines : public TipWidget {
    Q_OBJECT
public:
    struct Life {
        KeptSample image;                   ///< a test image with its true class
        std::vector<std::int32_t> answers;  ///< by moment
        bool pinned = false;
        std::vector<TopClasses> top{};  ///< by moment; may be empty
        bool operator==(const Life&) const = default;
    };

    explicit LifeLines(PictureLoader* pictures, QWidget* parent = nullptr);

    /// `moments`: images seen. `current`: place of the moment that is shown.
    void setLives(const ClassNames& classes, const std::vector<std::int64_t>& moments, std::size_t current,
                  std::vector<Life> lives);
    const std::vector<Life>& lives() const { return lives_; }
    QString textAt(const QPoint& point) const override;
    /// Place of a moment in a row.
    QRectF blockRect(std::size_t row, std::size_t moment) const;
    /// Where the tip about a point begins, below all rows: it covers none of what it speaks of.
    QPoint tipPlace(const QPoint& point) const override;
    /// Evaluations whose images seen are written on the axis, with their words.
    struct Tick {
        std::size_t moment = 0;
        QRectF rect;
        QString text;
    };
    std::vector<Tick> ticks() const;
    /// What the legend explains, and where.
    enum class Sign { Right, Wrong, Shares, Shown };
    struct Explained {
        Sign sign = Sign::Right;
        QRectF rect;
        QString text;
    };
    std::vector<Explained> legend() const;
    /// The classes that a row's image may be at a moment, most probable first, as "3 61 %, 8 30 %"; empty where that is
    /// not known.
    QString topText(std::size_t row, std::size_t moment) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

Q_SIGNALS:
    /// A pinned row was clicked at its picture or name.
    void unpinAsked(std::int64_t image);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QString answerText(const Life& life, std::size_t moment) const;
    void paintBlock(QPainter& painter, std::size_t row, std::size_t moment) const;
    void paintShares(QPainter& painter, const Life& life, const TopClasses& top, const QRectF& block) const;
    void paintAxis(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    int rowHeight() const;
    int rowsHeight() const;
    void measureNames();
    /// Left edge of the blocks, and the width of one with its gaps.
    double left() const;
    double pitch() const;

    PictureLoader* pictures_;
    ClassNames classes_;
    std::vector<std::int64_t> moments_;
    std::size_t current_ = 0;
    std::vector<Life> lives_;
    double name_width_ = 0;
    bool with_shares_ = false;  ///< rows are high enough for probabilities
};

}  // namespace palimpsest
