// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_bridge.h"

#include <mutex>
#include <optional>
#include <utility>

namespace palimpsest {
namespace {

constexpr int kFrameMs = 16;

}  // namespace

/// Of one adaptation: its kinds of news come in this order, images left out, warnings, pauses and
/// progress mixed.
struct AdaptationBridge::News {
    std::optional<std::string> preparing;
    std::optional<AdaptationStarted> started;
    std::string left_out;  ///< the first
    std::int64_t left_out_count = 0;
    std::optional<std::string> warning;
    QVector<AdaptationProgress> progress;
    std::optional<bool> paused;
    std::optional<AdaptationEnded> ended;
};

struct AdaptationBridge::Mailbox {
    std::mutex mutex;
    News news;           // guarded by mutex
    bool woken = false;  // guarded by mutex: a drain is on its way
};

AdaptationBridge::AdaptationBridge(QObject* parent)
    : QObject(parent),
      mailbox_(std::make_unique<Mailbox>()),
      pacer_(
          kFrameMs, [this] { drain(); }, this) {}

AdaptationBridge::~AdaptationBridge() = default;

template <class Put>
void AdaptationBridge::post(Put&& put) {
    {
        const std::lock_guard lock(mailbox_->mutex);
        put(mailbox_->news);
        if (std::exchange(mailbox_->woken, true)) return;
    }
    QMetaObject::invokeMethod(
        this, [this] { pacer_.ask(); }, Qt::QueuedConnection);
}

void AdaptationBridge::onPreparing(const std::string& detail) {
    post([&](News& news) { news.preparing = detail; });
}

void AdaptationBridge::onStarted(const AdaptationStarted& event) {
    post([&](News& news) { news.started = event; });
}

void AdaptationBridge::onProgress(const AdaptationProgress& event) {
    post([&](News& news) {
        QVector<AdaptationProgress>& progress = news.progress;
        if (static_cast<std::size_t>(progress.size()) >= kMostWaiting) {
            qsizetype kept = 0;
            for (qsizetype i = 0; i < progress.size(); i += 2) progress[kept++] = progress[i];
            progress.resize(kept);
        }
        progress.append(event);
    });
}

void AdaptationBridge::onImageLeftOut(const std::string& text) {
    post([&](News& news) {
        if (news.left_out_count++ == 0) news.left_out = text;
    });
}

void AdaptationBridge::onWarning(const std::string& text) {
    post([&](News& news) { news.warning = text; });
}

void AdaptationBridge::onPaused(bool paused) {
    post([&](News& news) { news.paused = paused; });
}

void AdaptationBridge::onEnded(const AdaptationEnded& event) {
    post([&](News& news) { news.ended = event; });
}

void AdaptationBridge::drain() {
    News news;
    {
        const std::lock_guard lock(mailbox_->mutex);
        news = std::exchange(mailbox_->news, {});
        mailbox_->woken = false;
    }
    if (news.preparing) Q_EMIT preparing(QString::fromStdString(*news.preparing));
    if (news.started) Q_EMIT started(*news.started);
    if (news.left_out_count > 0) Q_EMIT imageLeftOut(QString::fromStdString(news.left_out), news.left_out_count);
    if (news.warning) Q_EMIT warned(QString::fromStdString(*news.warning));
    if (!news.progress.isEmpty()) Q_EMIT progressed(news.progress);
    if (news.paused) Q_EMIT paused(*news.paused);
    if (news.ended) Q_EMIT ended(*news.ended);
}

}  // namespace palimpsest
