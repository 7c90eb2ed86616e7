// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "engine/config/experiment.h"
#include "engine/record/memory_balance.h"
#include "ui/state/class_names.h"

namespace palimpsest {

/// The memory of one run, as the window shows it.
struct MemoryShown {
    QString run;            ///< RunSet::idOf
    QString title;          ///< what the run is called
    Experiment experiment;  ///< the images are its training images
    ClassNames class_names;
    std::int64_t capacity = 0;  ///< places; 0: not known
    MemoryBalance balance;
    KeptSamples kept;           ///< place by place
    bool images_known = false;  ///< which images are kept, not only how many

    Q_DECLARE_TR_FUNCTIONS(palimpsest::MemoryShown)
};

/// "1 image", "2,000 images"
QString imagesText(std::int64_t count);
/// "412 of 500 places"
QString placesText(const MemoryBalance& balance, std::int64_t capacity);
/// "Trouser 42, Bag 40 and 98 more classes"
QString balanceText(const ClassNames& names, const MemoryBalance& balance);

}  // namespace palimpsest
