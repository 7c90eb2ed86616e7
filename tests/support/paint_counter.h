// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>

namespace palimpsest::testing {

/// A paint device that counts shapes, pictures and texts instead of drawing them.
class PaintCounter : public QPaintDevice {
public:
    explicit PaintCounter(QSize size) : size_(size) {}
    QPaintEngine* paintEngine() const override { return &engine_; }
    int count() const { return engine_.count; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth:
                return size_.width();
            case PdmHeight:
                return size_.height();
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY:
                return 96;
            case PdmDepth:
                return 32;
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return static_cast<int>(devicePixelRatioFScale());
            default:
                return 0;
        }
    }

private:
    struct Engine : QPaintEngine {
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        Type type() const override { return User; }
        void drawRects(const QRectF*, int n) override { count += n; }
        void drawRects(const QRect*, int n) override { count += n; }
        void drawLines(const QLineF*, int n) override { count += n; }
        void drawLines(const QLine*, int n) override { count += n; }
        void drawPoints(const QPointF*, int n) override { count += n; }
        void drawPoints(const QPoint*, int n) override { count += n; }
        void drawEllipse(const QRectF&) override { ++count; }
        void drawEllipse(const QRect&) override { ++count; }
        void drawPath(const QPainterPath&) override { ++count; }
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override { ++count; }
        void drawPolygon(const QPoint*, int, PolygonDrawMode) override { ++count; }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { ++count; }
        void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override { ++count; }
        void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override { ++count; }
        void drawTextItem(const QPointF&, const QTextItem&) override { ++count; }
        int count = 0;
    };
    QSize size_;
    mutable Engine engine_;
};

}  // namespace palimpsest::testing
