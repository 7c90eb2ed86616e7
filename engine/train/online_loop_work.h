// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/session_work.h"
#include "engine/train/online_loop.h"

namespace palimpsest {

/// What a method sees of the loop when a session has ended.
class OnlineLoop::Work : public SessionWork {
public:
    explicit Work(OnlineLoop& loop) : loop_(loop) {}
    const std::vector<std::int64_t>& streamed() const override { return loop_.streamed_; }
    const std::vector<std::int64_t>& remembered() const override { return loop_.memory_->samples(); }
    std::int64_t unit(std::int64_t sample) const override { return loop_.registry_.unit(loop_.train_.label(sample)); }
    UpdateInput input(const std::vector<std::int64_t>& samples, std::int64_t draw) override;
    void updated(const UpdateResult& result) override { loop_.listener_.updated(++loop_.updates_, result); }
    void remember(const std::vector<std::int64_t>& samples) override;
    bool goOn(const std::string& what, std::int64_t done, std::int64_t total) override {
        return loop_.listener_.working(what, done, total);
    }

private:
    OnlineLoop& loop_;
};

}  // namespace palimpsest
