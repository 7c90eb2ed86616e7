// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <vector>

#include "ui/state/class_names.h"

namespace palimpsest {

class ClassSamples;
class StreamPreview;

/// A card that floats over the window: pictures of a class, and how many of its images come in each session. The
/// mouse passes through it.
class ClassTip : public QWidget {
    Q_OBJECT
public:
    struct Content {
        QString name;
        QString line;  ///< about the class, or about the session under the pointer
        ClassKind kind = ClassKind::Unknown;
        std::vector<std::int64_t> counts;  ///< by session
        int session = -1;                  ///< emphasised; -1: none
    };
    static constexpr int kPictures = 8;
    static constexpr int kPictureSide = 56;  ///< device-independent pixels

    explicit ClassTip(QWidget* window);

    /// Leaves the pictures as they are.
    void setContent(const Content& content);
    /// Pictures are on their way: their places are kept.
    void awaitPictures();
    void setPictures(const QList<QImage>& pictures);
    const Content& content() const { return content_; }
    qsizetype pictureCount() const { return pictures_.size(); }
    /// Shows the tip beside `row` of the window, inside of it.
    void showBeside(const QRect& row);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool hasPictures() const { return awaited_ || !pictures_.isEmpty(); }
    void paintPictures(QPainter& painter, double top) const;
    void paintSessions(QPainter& painter, double top) const;
    void paintBars(QPainter& painter, double top, const std::vector<std::int64_t>& heights) const;

    Content content_;
    QList<QImage> pictures_;
    bool awaited_ = false;
    QRect row_;
};

/// Shows pictures of a class when the mouse or the keyboard rests on its row in the picture of the stream.
class ClassHover : public QObject {
    Q_OBJECT
public:
    /// The tip floats over `window`.
    ClassHover(StreamPreview* preview, ClassSamples* samples, QWidget* window);

    ClassTip* tip() const { return tip_; }

private:
    void onPointed(int label, int session);
    void present();
    ClassTip::Content content() const;

    StreamPreview* preview_;
    ClassSamples* samples_;
    ClassTip* tip_;
    QTimer pause_;
    int label_ = -1, session_ = -1;
};

}  // namespace palimpsest
