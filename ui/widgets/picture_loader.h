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
#include "ui/state/background.h"
#include "ui/state/failure.h"

namespace palimpsest {

/// Small pictures of training or test images, read away from the window's thread and only as they are shown: a view
/// asks for those it draws, a few are read, arrived() lets it draw again and ask for what it then still lacks.
class PictureLoader : public QObject {
    Q_OBJECT
public:
    using Service = std::shared_ptr<const DatasetService>;
    /// Images that are read at a time.
    static constexpr int kAtATime = 24;

    /// A null service has no pictures.
    explicit PictureLoader(Service service, QObject* parent = nullptr);
    /// Gives up what is being read, and waits for it.
    ~PictureLoader() override;

    enum class Part { Training, Test };
    /// Sets which images are read, and how large: device-independent pixels a side and pixels of the screen for each.
    void setSource(const Experiment& experiment, int side, double ratio, Part part = Part::Training);
    /// Null: it is on its way. A null image: there is none to show. Valid until the next event.
    const QImage* picture(const KeptSample& sample);
    /// Why the data set could not be read; while it is there nothing more is asked of it.
    const std::optional<Failure>& failure() const { return failure_; }
    /// Reads again after a failure.
    void retry();
    /// Files may have changed.
    void forget();
    /// Nothing that was asked for is on its way.
    bool idle() const { return !reading_ && wanted_.empty(); }

Q_SIGNALS:
    /// There is something new to draw, or to ask for, or failure() has changed.
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
