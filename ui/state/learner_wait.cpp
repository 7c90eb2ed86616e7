// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/learner_wait.h"

#include <QCoreApplication>

#include "engine/support/format.h"

namespace palimpsest {
namespace {

struct LearnerWaitWords {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::LearnerWaitText)
};

}  // namespace

QString waitTimeText(const LearnerWait& wait) {
    return LearnerWaitWords::tr("%1 of %2 s")
        .arg(QString::fromStdString(grouped(wait.seconds)), QString::fromStdString(trimmedText(wait.limit, 1)));
}

QString waitText(const LearnerWait& wait) {
    return LearnerWaitWords::tr("Waiting for %1, %2").arg(QString::fromStdString(wait.learner), waitTimeText(wait));
}

}  // namespace palimpsest
