// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "ui/stream/class_tip.h"

namespace palimpsest {

class ClassSamples;
class StreamPreview;

/// Shows what a class looks like when the mouse or the keyboard rests on its row in the picture of the stream.
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
