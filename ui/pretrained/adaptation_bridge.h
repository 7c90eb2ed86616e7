// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVector>
#include <memory>

#include "engine/run/adaptation.h"
#include "ui/state/throttle.h"

namespace palimpsest {

/// Carries an adaptation's news from the engine thread to the window's thread through a bounded mailbox, emptied at
/// most once a frame: of preparations, warnings and pauses only the newest, of images left out the first and how many,
/// of progress everything, or, when the window was away for very long, every second piece. The engine never waits.
class AdaptationBridge : public QObject, public AdaptationObserver {
    Q_OBJECT
public:
    /// Pieces of progress that wait at most.
    static constexpr std::size_t kMostWaiting = 4096;

    explicit AdaptationBridge(QObject* parent = nullptr);
    ~AdaptationBridge() override;

    // Engine thread.
    void onPreparing(const std::string& detail) override;
    void onStarted(const AdaptationStarted& event) override;
    void onProgress(const AdaptationProgress& event) override;
    void onPaused(bool paused) override;
    void onImageLeftOut(const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onEnded(const AdaptationEnded& event) override;

Q_SIGNALS:
    // UI thread, in this order.
    void preparing(const QString& detail);
    void started(const palimpsest::AdaptationStarted& event);
    /// So many more images cannot be read; `text` says what is wrong with the first of them.
    void imageLeftOut(const QString& text, qint64 count);
    /// The newest of what went wrong without ending it.
    void warned(const QString& text);
    void progressed(const QVector<palimpsest::AdaptationProgress>& events);
    void paused(bool paused);
    void ended(const palimpsest::AdaptationEnded& event);

private:
    struct News;
    struct Mailbox;
    template <class Put>
    void post(Put&& put);  // any thread
    void drain();

    std::unique_ptr<Mailbox> mailbox_;
    Throttle pacer_;
};

}  // namespace palimpsest
