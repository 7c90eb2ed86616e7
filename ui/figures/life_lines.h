// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/run/run_events.h"
#include "ui/state/class_names.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

class PictureLoader;

/// Answers to single test images, moment by moment: a row for each, with its picture, its class and a block
/// for each evaluation; filled where it was right, outlined with the other class's name where it was not, and left out
/// where it was not tested yet.
class LifeLines : public TipWidget {
    Q_OBJECT
public:
    struct Life {
        KeptSample image;                   ///< a test image with its true class
        std::vector<std::int32_t> answers;  ///< by moment
        bool pinned = false;
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

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

Q_SIGNALS:
    /// A pinned row was clicked at its picture or name.
    void unpinAsked(std::int64_t image);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QString answerText(const Life& life, std::size_t moment) const;
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
};

}  // namespace palimpsest
