// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/trust_job.h"

#include <utility>

#include "ui/state/run_controller.h"

namespace palimpsest {

template <class Signal>
void TrustBridge::post(Signal&& signal) {
    QMetaObject::invokeMethod(this, std::forward<Signal>(signal), Qt::QueuedConnection);
}

void TrustBridge::onChecking(const TrustCheckInfo& check, std::int64_t number, std::int64_t total) {
    post([this, name = QString::fromLatin1(check.name), number, total] { Q_EMIT checking(name, number, total); });
}

void TrustBridge::onProgress(const std::string& detail) {
    post([this, text = QString::fromStdString(detail)] { Q_EMIT progressed(text); });
}

void TrustBridge::onVerdict(const TrustVerdict& verdict) {
    post([this, verdict] { Q_EMIT judged(verdict); });
}

void TrustBridge::onEnded(const TrustEnded& event) {
    post([this, event] { Q_EMIT ended(event); });
}

TrustJob::TrustJob(TrustFunction function, RunController* runs, std::function<std::optional<Failure>()> hindrance,
                   QObject* parent)
    : QObject(parent),
      runs_(runs),
      available_(function != nullptr),
      hindrance_(std::move(hindrance)),
      service_(std::move(function)) {
    connect(&bridge_, &TrustBridge::ended, this, [this] {
        busy_ = stopping_ = false;
        runs_->forgetRefusal();
        Q_EMIT stateChanged();
    });
}

TrustJob::~TrustJob() = default;

std::optional<Failure> TrustJob::obstacle() const {
    if (!busy_) return std::nullopt;
    return Failure{tr("The checks of trust are not finished."),
                   tr("Learning beside them would take the processor from both. Stop them under Run > Can this be "
                      "trusted, or wait for their end; then start again.")};
}

void TrustJob::start(const TrustRequest& request) {
    if (!available_ || busy_) return;
    if (const Experiment* running = runs_->running()) {
        Q_EMIT refused(tr("“%1” is not finished.").arg(QString::fromStdString(running->name)),
                       tr("Checks beside it would take the processor from both. Stop the run, or wait for its end, "
                          "and start again."));
        return;
    }
    if (const auto failure = hindrance_ ? hindrance_() : std::nullopt) {
        Q_EMIT refused(failure->message, failure->hint);
        return;
    }
    if (const auto failure = failureOf([&] { service_.start(request, bridge_); })) {
        Q_EMIT refused(failure->message, failure->hint);
        return;
    }
    busy_ = true;
    Q_EMIT stateChanged();
}

void TrustJob::stop() {
    if (!busy_ || stopping_) return;
    stopping_ = true;
    service_.stop();
    Q_EMIT stateChanged();
}

}  // namespace palimpsest
