// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QImage>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/run/dataset_service.h"
#include "engine/run/run_events.h"
#include "ui/state/background.h"
#include "ui/state/engine_text.h"

namespace palimpsest {

/// Radius of the corners of a picture, device-independent pixels.
inline constexpr double kThumbnailCorner = 3;

/// A copy of the picture; null where its numbers do not fit together.
QImage thumbnailImage(const Thumbnail& thumbnail);
/// Scaled once, with round corners, so that drawing is mere copying. `side`: pixels of the screen. Any thread.
QImage roundedImage(const QImage& image, int side, double ratio);

/// Small pictures of training or test images, read away from the window's thread and only as they are shown: a view
/// requests those it draws, a few are read, and after arrived() it draws again and requests those it still lacks.
class PictureLoader : public QObject {
    Q_OBJECT
public:
    using Service = std::shared_ptr<const DatasetService>;
    /// Images that are read at a time.
    static constexpr int kAtATime = 24;

    /// A null service has no pictures.
    explicit PictureLoader(Service service, QObject* parent = nullptr);
    /// Stops the reading, and waits for its end.
    ~PictureLoader() override;

    enum class Part { Training, Test };
    /// Sets which images are read, and how large: device-independent pixels a side and pixels of the screen for each.
    void setSource(const Experiment& experiment, int side, double ratio, Part part = Part::Training);
    /// The picture of a sample; null: it is being read. A null image: there is none to show. Valid until the next
    /// event.
    const QImage* picture(const KeptSample& sample);
    /// Reason why the data set could not be read; while there is one, nothing more is read.
    const std::optional<Failure>& failure() const { return failure_; }
    /// Reads again after a failure.
    void retry();
    /// Drops all pictures, since files may have changed.
    void forget();
    /// No requested picture is being read.
    bool idle() const { return !reading_ && wanted_.empty(); }

Q_SIGNALS:
    /// There are new pictures to draw or to request, or failure() has changed.
    void arrived();

private:
    void read();
    void setResult(const std::vector<KeptSample>& asked, const std::vector<QImage>& pictures,
                   const std::optional<Failure>& failure);
    void cancel();

    const Service service_;
    const QImage none_;
    Experiment experiment_;
    Part part_ = Part::Training;
    std::string key_;
    int side_ = 0;
    double ratio_ = 1;
    QCache<qint64, QImage> cache_;    ///< by position; costs are bytes
    std::vector<KeptSample> wanted_;  ///< since something was read last
    std::optional<Failure> failure_;
    std::stop_source stop_;
    bool reading_ = false;
    QTimer turn_;
    Background background_;
};

}  // namespace palimpsest
