// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointF>
#include <utility>

class QKeyEvent;
class QMouseEvent;

namespace palimpsest {

class StreamPreview;

/// Lets the user move a class to another session in the picture of the stream: a cell is dragged with the mouse to
/// another column, or the chosen one sent there with Ctrl+Left and Ctrl+Right. Shift moves all images of the class
/// along, not those of the cell alone. Escape gives up.
class StreamDrag : public QObject {
    Q_OBJECT
public:
    explicit StreamDrag(StreamPreview* preview);
    bool dragging() const { return dragging_; }

Q_SIGNALS:
    void moveRequested(int label, int from, int to, bool whole);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool press(const QMouseEvent& event);
    bool drag(const QMouseEvent& event);
    bool release(const QMouseEvent& event);
    bool key(const QKeyEvent& event);
    bool isFull(int label, int session) const;
    void cancel();

    StreamPreview* preview_;
    QPointF pressed_;
    int label_ = -1, from_ = -1;  ///< the cell that was pressed; -1: none
    bool dragging_ = false;
    std::pair<int, int> sent_{-1, -1};  ///< class and session of the last move by keyboard
};

}  // namespace palimpsest
