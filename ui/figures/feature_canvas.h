// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QTransform>
#include <memory>
#include <optional>
#include <vector>

#include "engine/record/feature_map.h"
#include "engine/run/run_events.h"
#include "ui/state/class_names.h"
#include "ui/style/curve_style.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

class DatasetService;
class PictureLoader;
struct Theme;

/// One moment of a feature map.
struct FeatureShown {
    std::shared_ptr<const FeatureMap> map;  ///< null: there is nothing to show
    std::shared_ptr<const FeaturePicture> picture;
    std::size_t moment = 0;
    ClassNames names;
    TestClasses predictions;  ///< of the moment; null: not known

    bool empty() const { return !map || !picture || moment >= picture->points.size(); }
    /// What an image is taken for; kNotTested: not known.
    std::int32_t answer(std::size_t point) const;
};

/// Draws the points of a feature map with a marker and a colour for each class, hollow where an image is taken for
/// another class, and the head's rows as arrows with the names of the classes. Faint rings and arrows show where each
/// was when it came. The arrow keys walk over the points: Left and Right over those of a class, Up and Down from class
/// to class.
class FeatureCanvas : public TipWidget {
    Q_OBJECT
public:
    /// Without a service the images have no pictures.
    explicit FeatureCanvas(std::shared_ptr<const DatasetService> service, QWidget* parent = nullptr);

    void present(const FeatureShown& shown);
    const FeatureShown& shown() const { return shown_; }
    /// Pictures of the images come from the data set of this experiment.
    void setExperiment(const Experiment& experiment);
    /// Says in its middle why there is nothing; "|F5|" is drawn as a key.
    void setInvitation(const QString& text);
    QString invitation() const;

    /// What the mouse or the keyboard is at: a point, or the arrow of a class.
    struct Spot {
        bool arrow = false;
        std::size_t place = 0;  ///< among the points, or the classes
        bool operator==(const Spot&) const = default;
    };
    std::optional<Spot> current() const { return current_; }
    void setCurrent(std::optional<Spot> spot);
    /// "Trouser, test image 17, taken for Dress"
    QString textOf(const Spot& spot) const;
    QString textAt(const QPoint& point) const override;
    /// Pixels of a point, or of an arrow's tip; nothing where it is not there.
    std::optional<QPointF> pixelsOf(const Spot& spot) const;
    /// Names of classes that have room, and where.
    struct Name {
        QRectF rect;
        QString text;
        std::size_t place = 0;  ///< of the class
        QPointF anchor;         ///< tip of its arrow, else the middle of its points
    };
    std::vector<Name> namesWritten() const;
    /// "1st principal axis (41 % of variance)"; `axis`: 0 or 1.
    QString axisTitle(std::size_t axis) const;

    QSize sizeHint() const override { return {420, 360}; }
    QSize minimumSizeHint() const override { return {180, 120}; }

Q_SIGNALS:
    void currentChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override { setCurrent(std::nullopt); }
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QRectF area() const;
    /// From coordinates to pixels: the same scale along both axes, so that angles are true.
    QTransform toPixels() const;
    std::optional<QPointF> placeOf(const std::vector<FeaturePicture::Place>& places, std::size_t i) const;
    std::optional<Spot> spotAt(const QPointF& point) const;
    std::size_t classOf(std::size_t point) const;
    void drawAxes(QPainter& painter, const Theme& theme) const;
    void drawPoints(QPainter& painter, const Theme& theme) const;
    void drawArrows(QPainter& painter, const Theme& theme) const;
    void drawNames(QPainter& painter, const Theme& theme) const;
    void drawCurrent(QPainter& painter, const Theme& theme);
    void walk(int classes, int points);

    FeatureShown shown_;
    QString invitation_;
    PictureLoader* pictures_;
    bool has_pictures_;
    std::optional<Spot> current_;
    bool tabbed_ = false;  ///< the user came by keyboard
};

/// Colour and marker of the class at a place of the map: ten that differ in one of them, and neighbours in both.
QColor featureColour(const Theme& theme, std::size_t place);
MarkerShape featureMarker(std::size_t place);

}  // namespace palimpsest
