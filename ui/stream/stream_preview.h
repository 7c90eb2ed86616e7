// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QWidget>
#include <memory>

#include "ui/state/stream_planner.h"
#include "ui/stream/stream_picture.h"

namespace palimpsest {

class RunController;
struct Theme;

/// The stream as a picture: classes down, sessions across, disjoint in orange, blurry in sky blue, the stronger the
/// more images, and framed where an edit put them. Below the sessions stand their lengths. Arrow keys move through the
/// cells, whose numbers the tooltip and the accessible description name.
class StreamPreview : public QWidget {
    Q_OBJECT
public:
    explicit StreamPreview(QWidget* parent = nullptr);

    void setStream(std::shared_ptr<const PlannedStream> stream);
    /// Sets the text that is shown instead of a picture when there is no stream.
    void setEmptyText(const QString& text);
    const std::shared_ptr<const PlannedStream>& stream() const { return stream_; }
    /// The session being learned, framed; from 0; -1: none.
    void setCurrentSession(int session);
    int currentSession() const { return current_; }

    /// "Pullover, session 3: 1,234 images, disjoint"; empty outside the cells.
    QString cellText(int label, int session) const;
    QRectF cellRect(int label, int session) const;
    /// The session whose class it is; `label` must be one of the stream's.
    const ClassHome& home(int label) const { return homes_[static_cast<std::size_t>(label)]; }
    /// A class with its name, over the whole width.
    QRectF rowRect(int label) const;
    /// "Session 3: 12,000 images of 4 classes".
    QString sessionText(int session) const;
    /// A session's cells.
    QRectF columnRect(int session) const;
    /// -1: in no row.
    int labelAt(const QPointF& point) const;
    /// -1: in no cell of the row.
    int sessionAt(int label, const QPointF& point) const;
    /// The session whose column is there, also above, below and between its cells; -1: in none.
    int columnAt(double x) const;
    /// The cell chosen by keyboard; -1: none yet.
    int selectedLabel() const { return label_; }
    int selectedSession() const { return session_; }
    void select(int label, int session);
    /// A class on its way from one session to another, `to` -1: to none yet. Label -1: none.
    void showMove(int label, int from, int to);
    /// False: no tooltips, where a listener of pointed() shows more.
    void setCellTips(bool shown) { cell_tips_ = shown; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The class and session under the mouse or chosen by keyboard. Session -1: on the class's name; label -1: none.
    void pointed(int label, int session);

protected:
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int classes() const;
    int sessions() const;
    StreamCells cells() const;
    void paintCells(QPainter& painter, const StreamCells& cells, const Theme& theme);
    /// One pixel for the cells that fall into it, as many rows and columns as can be seen.
    QImage smallPicture(const Theme& theme) const;
    StreamSessionStrip strip() const;
    void point(int label, int session);

    std::shared_ptr<const PlannedStream> stream_;
    std::vector<ClassHome> homes_;  ///< by class
    QImage small_;                  ///< of smallPicture(), until the stream, size or theme changes
    QString empty_text_;
    int current_ = -1;
    int label_ = -1, session_ = -1;  ///< cell under the keyboard
    ClassMove move_;
    int pointed_label_ = -1, pointed_session_ = -1;
    bool cell_tips_ = true;
};

/// Frames the session that is being learned in the picture of a stream, as long as it is the stream of the run.
class RunningSession : public QObject {
    Q_OBJECT
public:
    RunningSession(RunController* controller, StreamPreview* preview);

    /// Another stream is shown.
    void show();

private:
    StreamPreview* preview_;
    QString fingerprint_;
    int session_ = -1;
};

}  // namespace palimpsest
