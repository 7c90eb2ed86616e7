// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace palimpsest {

/// A picture as large as there is room for, on white paper.
class PublishPreview : public QWidget {
    Q_OBJECT
public:
    explicit PublishPreview(QWidget* parent = nullptr);

    void setPicture(const QImage& picture);
    const QImage& picture() const { return picture_; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QImage picture_;
};

}  // namespace palimpsest
