// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>
#include <limits>
#include <vector>

#include "engine/run/run_events.h"
#include "ui/state/class_names.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

/// The images of one batch, each underlined in orange (disjoint class) or sky blue (blurry class). Keeps its grid while
/// batches of the same run differ in size; what does not fit is counted in the last cell.
class BatchThumbnails : public TipWidget {
    Q_OBJECT
public:
    explicit BatchThumbnails(QWidget* parent = nullptr);

    void setClasses(const QStringList& names, std::vector<ClassKind> kinds);
    void setImages(const std::vector<Thumbnail>& images);
    void clear();
    /// The images grow with the width, but not beyond this height together.
    void setMostHeight(double height);
    int shownCount() const;
    /// Name and kind of the class under a point; empty beside the images.
    QString textAt(const QPoint& point) const override;

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Cell {
        QImage image;
        int label = 0;
        QImage shown;  ///< in the size of the screen, corners rounded
    };
    struct Grid {
        int columns = 1;
        int rows = 1;
        double size = 0;
    };
    Grid grid(int width) const;
    Grid shownGrid() const;
    QRectF cellRect(const Grid& grid, int index) const;
    ClassKind kindOf(int label) const;

    QStringList names_;
    std::vector<ClassKind> kinds_;
    std::vector<Cell> cells_;
    int places_ = 0;  ///< cells the grid is laid out for
    double most_height_ = std::numeric_limits<double>::infinity();
};

}  // namespace palimpsest
