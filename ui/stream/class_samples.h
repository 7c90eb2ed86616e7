// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QImage>
#include <QList>
#include <QObject>
#include <memory>
#include <stop_token>

#include "engine/run/dataset_service.h"
#include "ui/state/background.h"

namespace palimpsest {

/// Small pictures of one class of an experiment's data set, read away from the window's thread. Only the newest request
/// counts; pictures that were read are cached.
class ClassSamples : public QObject {
    Q_OBJECT
public:
    using Service = std::shared_ptr<const DatasetService>;
    /// A null service loads nothing.
    explicit ClassSamples(Service service, QObject* parent = nullptr);
    /// Stops the reading, and waits for its end.
    ~ClassSamples() override;

    /// The pictures of a class; null: not in the cache. Owned by the cache, valid until the next call.
    const QList<QImage>* cached(const Experiment& experiment, int label, int count, int side) const;
    /// Answered by loaded(), unless another request or cancel() comes first. `side`: pixels.
    void request(const Experiment& experiment, int label, int count, int side);
    void cancel();
    /// Drops all pictures, since files may have changed.
    void forget();

Q_SIGNALS:
    /// No picture: there is none, or it could not be read.
    void loaded(int label, const QList<QImage>& pictures);

private:
    const Service service_;
    QCache<QString, QList<QImage>> cache_;
    std::stop_source stop_;
    int forgotten_ = 0;  ///< number of calls of forget(); pictures read before the last one are not cached
    Background background_;
};

}  // namespace palimpsest
