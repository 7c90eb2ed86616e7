// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/record/watched.h"
#include "ui/state/background.h"
#include "ui/state/class_names.h"
#include "ui/state/throttle.h"
#include "ui/widgets/tip_widget.h"

class QToolButton;

namespace palimpsest {

class DatasetService;
class FittingLabel;
class PictureLoader;
struct FigureState;
struct ShownRun;

/// Probabilities of one watched test image over the images seen: its true class as an area, the strongest other class
/// as a dashed line, and half as a fine one.
class WatchedPlot : public TipWidget {
    Q_OBJECT
public:
    explicit WatchedPlot(QWidget* parent = nullptr);

    struct Content {
        WatchedImage image;
        ClassNames classes;
        std::int64_t total = 0;                    ///< images of the stream
        std::vector<std::int64_t> session_starts;  ///< images seen
        std::size_t moment = 0;                    ///< the last one that is drawn
        bool operator==(const Content&) const = default;
    };
    void setContent(const Content& content);
    const Content& content() const { return content_; }
    /// What the image is taken for at a moment, in words: "star 92 %, boat 5 %, house 2 %".
    static QString shares(const ClassNames& classes, const WatchedMoment& moment);
    QString textAt(const QPoint& point) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPointF pointAt(const WatchedMoment& moment, double probability) const;

    Content content_;
};

/// One line over the figures while the selected run has test drawings: each drawing in its turn with what the network
/// takes it for, live, at the moment that all figures show.
class WatchedStrip : public QFrame {
    Q_OBJECT
public:
    WatchedStrip(FigureState& state, std::shared_ptr<const DatasetService> service, QWidget* parent = nullptr);

    /// A run begins: hidden by the user, the strip is seen again with this one, and stays hidden for those before.
    void begin(const QString& run);
    /// Files may have changed.
    void forgetPictures();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void read(const ShownRun& run, std::size_t measured);
    /// The selected run, if it is still the one that was read.
    void showRead();
    void showImage(const ShownRun& run);
    QStringList words(const ShownRun& run, const WatchedImage& image, std::size_t moment) const;

    FigureState& state_;
    PictureLoader* pictures_;
    class Picture;
    Picture* picture_;
    FittingLabel* words_;
    WatchedPlot* plot_;
    QToolButton* next_;
    std::vector<WatchedImage> images_;  ///< of run_
    QString run_;
    QString problem_;           ///< why nothing of it could be read, a sentence
    std::size_t measured_ = 0;  ///< evaluations of run_ when it was read
    std::size_t shown_ = 0;     ///< which of the images
    bool dismissed_ = false;
    QString begun_;  ///< the run that began since the user hid it; empty: none
    Throttle throttle_;
    Background reading_;
};

}  // namespace palimpsest
