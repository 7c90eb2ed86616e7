// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ui/widgets/tip_widget.h"

namespace palimpsest {

/// Content of a time track, over the images seen by a run; all lists ascend.
struct TimeTrackContent {
    using Moment = std::optional<std::int64_t>;
    struct Change {
        std::int64_t at = 0;
        QString text;
        bool operator==(const Change&) const = default;
    };
    struct Plateau {
        std::int64_t at = 0;
        std::int64_t update = 0;  ///< from 1
        bool operator==(const Plateau&) const = default;
    };
    std::int64_t total = 0;  ///< 0: there is no run
    std::int64_t seen = 0;
    std::vector<std::int64_t> starts;       ///< of the sessions
    std::vector<std::int64_t> evaluations;  ///< where the run was looked at
    std::vector<std::int64_t> checkpoints;
    std::vector<Change> changes;
    std::vector<Plateau> plateaus;  ///< where the method found that the loss had settled
    bool operator==(const TimeTrackContent&) const = default;

    /// The evaluation nearest to so many images; nothing: there is none.
    Moment nearest(std::int64_t samples) const;
    /// The evaluation before (−1) or after (1) the chosen one; not chosen: it stands at the newest.
    Moment stepped(Moment chosen, int direction) const;
    /// The first evaluation of the session before or after.
    Moment sessionStepped(Moment chosen, int direction) const;
};

/// The images of a run as a line: its sessions, how far it has learned, evaluations, plateaus of the loss (strokes
/// across the line), checkpoints (dots), live changes (diamonds), a handle at the chosen moment, and a thin line with
/// its caption, below the numbers of the sessions, where somebody looks. A press or a drag chooses the nearest
/// evaluation, a double click or Escape lets go. Keyboard: Left and Right go from one evaluation to the next, Page Up
/// and Page Down from one session to the next, Home and End to the first and the last evaluation.
class TimeTrack : public TipWidget {
    Q_OBJECT
public:
    using Moment = TimeTrackContent::Moment;

    explicit TimeTrack(QWidget* parent = nullptr);

    void setContent(TimeTrackContent content);
    const TimeTrackContent& content() const { return content_; }
    /// Only how far it has learned.
    void setSeen(std::int64_t seen);
    /// The handle, and the thin line of where somebody looks, with its caption.
    void setMoments(Moment chosen, Moment hovered);
    Moment chosenMoment() const { return chosen_; }
    Moment hoveredMoment() const { return hovered_; }
    /// At the thin line: "1,500 images"; empty where nobody looks.
    QString caption() const;
    /// Positions of the first and the last image, in pixels of the widget; nothing: as far apart as it is wide.
    void setSpan(std::optional<std::pair<double, double>> span);
    /// Pixels that the handle needs beside either end.
    static double edge();
    /// Position of so many images, in pixels, and the evaluation nearest to a position.
    double pixelOf(std::int64_t samples) const;
    Moment nearest(double pixel) const;
    QString textAt(const QPoint& point) const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(qint64 moment);
    void released();
    /// The mouse rests at an evaluation; no value: it has left.
    void hovered(std::optional<qint64> moment);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QRectF bar() const;
    void choose(Moment moment) {
        if (moment) Q_EMIT chosen(*moment);
    }
    void paintSessions(QPainter& painter, const QRectF& bar) const;
    void paintMarks(QPainter& painter, const QRectF& bar) const;
    void paintMoments(QPainter& painter, const QRectF& bar) const;

    TimeTrackContent content_;
    Moment chosen_, hovered_;
    std::optional<std::pair<double, double>> span_;
};

}  // namespace palimpsest
