// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/stream_picture.h"
#include "ui/stream_planner.h"

namespace palimpsest {

/// The stream as a picture: classes down, sessions across, disjoint in orange, blurry in sky blue, the stronger the
/// more images. Arrow keys move through the cells, whose numbers the tooltip and the accessible description tell.
class StreamPreview : public QWidget {
    Q_OBJECT
public:
    explicit StreamPreview(QWidget* parent = nullptr);

    void setStream(std::shared_ptr<const PlannedStream> stream);
    /// Shown instead of a picture when there is no stream.
    void setEmptyText(const QString& text);
    const std::shared_ptr<const PlannedStream>& stream() const { return stream_; }
    /// The session being learned, framed; from 0; -1: none.
    void setCurrentSession(int session);
    int currentSession() const { return current_; }

    /// "Pullover, session 3: 1,234 images, disjoint"; empty outside the cells.
    QString cellText(int label, int session) const;
    QRectF cellRect(int label, int session) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int classes() const;
    int sessions() const;
    bool disjoint(int label) const { return disjoint_[static_cast<std::size_t>(label)]; }
    void select(int label, int session);

    std::shared_ptr<const PlannedStream> stream_;
    StreamPicture picture_;
    std::vector<bool> disjoint_;                ///< by class
    QString empty_text_;
    int current_ = -1;
    int label_ = -1, session_ = -1;             ///< cell under the keyboard
};

}  // namespace palimpsest
