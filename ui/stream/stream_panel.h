// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

class QLabel;

namespace palimpsest {

class StreamPreview;
struct PlannedStream;

/// One of two streams that are compared: what it is called, and its picture.
class StreamPanel : public QFrame {
    Q_OBJECT
public:
    /// `name`: of its parts, "first" or "second". `letter`: what a person calls it.
    StreamPanel(const QString& name, const QString& letter, QWidget* parent = nullptr);

    StreamPreview* preview() const { return preview_; }
    /// Null: there is none.
    void setStream(const std::shared_ptr<const PlannedStream>& stream);

private:
    const QString letter_;
    QLabel* title_;
    StreamPreview* preview_;
};

}  // namespace palimpsest
