// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QList>
#include <QPoint>
#include <QWidget>
#include <array>
#include <optional>

namespace palimpsest {

/// A small picture to draw on, shown large with crisp pixels. A stroke is a row of discs without soft edges, so that
/// the same movements always give the same pixels. Mouse and pen draw; by keyboard the arrows move a crosshair (with
/// Shift faster), and Space draws while it is held.
class DrawingPad : public QWidget {
    Q_OBJECT
public:
    static constexpr int kSide = 32;                        ///< pixels of a picture
    static constexpr std::array<int, 3> kBrushes{1, 2, 4};  ///< widths, pixels
    static constexpr qsizetype kMostSteps = 100;            ///< that can be undone

    explicit DrawingPad(QWidget* parent = nullptr);

    /// 32 x 32, RGB32.
    const QImage& image() const { return image_; }
    /// Another picture to go on with, with a fresh history; not valid: an empty one.
    void restart(const QImage& image);
    /// Another picture as a step that can be undone, scaled to the pad.
    void setImage(const QImage& image);
    /// Colour of an empty pad and of the eraser. Takes effect with the next picture.
    void setPaper(const QColor& paper);
    QColor paper() const { return paper_; }
    void setInk(const QColor& ink);
    QColor ink() const { return ink_; }
    void setBrush(int width);
    int brush() const { return brush_; }
    void setErasing(bool erasing);
    bool erasing() const { return erasing_; }
    /// Pixels of a picture that are not of the paper's colour; hardly another colour does not count.
    static int inkOf(const QImage& image, const QColor& paper);
    /// Nothing but paper.
    bool isBlank() const;
    bool canUndo() const { return !undo_.isEmpty(); }
    bool canRedo() const { return !redo_.isEmpty(); }
    /// Where the keyboard draws.
    QPoint crosshair() const { return crosshair_; }

    /// A picture of any size on the pad's own pixels: the middle square, on `paper` where it is transparent.
    static QImage fitted(const QImage& image, const QColor& paper);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return width; }

public Q_SLOTS:
    void undo();
    void redo();
    void clear();

Q_SIGNALS:
    /// A stroke has ended, or another step was made, undone or done again.
    void edited();
    /// canUndo() or canRedo() may have changed.
    void historyChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void tabletEvent(QTabletEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    /// Where the picture is: a square of whole pixels in the middle.
    QRect area() const;
    QPoint pixelAt(const QPointF& position) const;
    void beginStroke(const QPoint& pixel, bool erases);
    void strokeTo(const QPoint& pixel);
    void endStroke();
    void dab(const QPoint& pixel);
    /// A step begins: what there is now can be come back to.
    void keepStep();
    void describe();

    QImage image_;
    QColor paper_ = Qt::white, ink_ = Qt::black;
    int brush_ = 2;
    bool erasing_ = false;
    bool pen_erases_ = false;  ///< the other end of the pen is on the pad
    bool stroke_erases_ = false;
    std::optional<QPoint> last_;   ///< of the stroke that goes on
    std::optional<QPoint> hover_;  ///< the pixel below the mouse
    bool space_ = false;           ///< the stroke is one of the keyboard
    QPoint crosshair_{kSide / 2, kSide / 2};
    QList<QImage> undo_, redo_;
};

}  // namespace palimpsest
