// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "engine/run/adaptation.h"
#include "ui/state/throttle.h"

class QLabel;
class QProgressBar;

namespace palimpsest {

class AdaptationJob;

/// How far an initial session is, how fast it goes, what it learns on, and in the end what came of it.
class AdaptationStatus : public QWidget {
    Q_OBJECT
public:
    explicit AdaptationStatus(AdaptationJob* controller, QWidget* parent = nullptr);

    /// Steps are followed by themselves; this is for a state that changed.
    void refresh();

private:
    QString outcome() const;

    AdaptationJob* controller_;
    QLabel *status_, *pace_, *facts_;
    QProgressBar* bar_;
    Throttle pacer_;
};

/// "12.3 steps/s · 3 min 20 s left"; what is not known is left out.
QString paceText(const AdaptationProgress& progress, std::int64_t first, std::int64_t total);

}  // namespace palimpsest
