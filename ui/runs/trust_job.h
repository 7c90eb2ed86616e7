// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include "engine/run/trust.h"
#include "ui/state/engine_text.h"

namespace palimpsest {

class RunController;

/// Carries news of the checks from their own thread to the window's. It is a few lines a second, so each is an event of
/// its own; none waits for the window.
class TrustBridge : public QObject, public TrustObserver {
    Q_OBJECT
public:
    using QObject::QObject;

    // The checks' thread.
    void onChecking(const TrustCheckInfo& check, std::int64_t number, std::int64_t total) override;
    void onProgress(const std::string& detail) override;
    void onVerdict(const TrustVerdict& verdict) override;
    void onEnded(const TrustEnded& event) override;

Q_SIGNALS:
    // UI thread, in this order.
    void checking(const QString& check, qint64 number, qint64 total);
    void progressed(const QString& detail);
    void judged(const palimpsest::TrustVerdict& verdict);
    void ended(const palimpsest::TrustEnded& event);

private:
    template <class Signal>
    void post(Signal&& signal);
};

/// Starts and stops rounds of checks, and says when that is possible. Owns the service and the bridge that brings its
/// news.
class TrustJob : public QObject {
    Q_OBJECT
public:
    /// `function` may be null: then nothing starts. `hindrance`: another reason why nothing may start now; may be null.
    TrustJob(TrustFunction function, RunController* runs, std::function<std::optional<Failure>()> hindrance,
             QObject* parent = nullptr);
    /// Aborts what is going on and waits for its end, which comes within a batch.
    ~TrustJob() override;

    TrustBridge* bridge() { return &bridge_; }
    bool available() const { return available_; }
    bool busy() const { return busy_; }
    bool stopping() const { return stopping_; }
    /// Why nothing else may learn meanwhile; nothing while no check goes on.
    std::optional<Failure> obstacle() const;

    /// Starts a round; what keeps it from starting goes out as refused(). Does nothing while one goes on.
    void start(const TrustRequest& request);
    void stop();

Q_SIGNALS:
    /// busy() or stopping() changed.
    void stateChanged();
    void refused(const QString& message, const QString& hint);

private:
    RunController* runs_;
    const bool available_;
    const std::function<std::optional<Failure>()> hindrance_;
    TrustBridge bridge_;  // outlives the service, whose thread calls it
    TrustService service_;
    bool busy_ = false, stopping_ = false;
};

}  // namespace palimpsest
