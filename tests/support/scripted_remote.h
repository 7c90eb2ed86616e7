// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "ui/state/remote_service.h"

namespace palimpsest::testing {

/// Other machines and Slurms that do what a test says, without ssh.
class ScriptedRemote : public RemoteService {
public:
    enum class News { Broken, Full, Back, Noted, NotedNoMore, End, Gone };

    /// Every call from now on that asks for work is refused; null: no longer.
    void refuse(std::optional<Failure> failure) {
        const std::lock_guard lock(mutex_);
        refusal_ = std::move(failure);
    }
    /// What every start and submission from now on says of another version; empty: nothing.
    void sayVersion(const std::string& sentence) {
        const std::lock_guard lock(mutex_);
        version_ = sentence;
    }
    /// Starts and submissions have no answer until they are released.
    void hold(bool held) {
        const std::lock_guard lock(mutex_);
        held_ = held;
        wake_.notify_all();
    }
    /// What happens next to a copy that is followed.
    void tell(const std::filesystem::path& folder, News news) {
        const std::lock_guard lock(mutex_);
        news_[folder].push_back(news);
        wake_.notify_all();
    }
    std::vector<ClusterRequest> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }
    std::vector<Followed> followed() const {
        const std::lock_guard lock(mutex_);
        return followed_;
    }
    /// "cancel PLACE FOLDER", "checkpoints PLACE FOLDER", "stop PLACE".
    std::vector<std::string> calls() const {
        const std::lock_guard lock(mutex_);
        return calls_;
    }

    std::string startRun(const Experiment&, const std::string& runs, const std::string&,
                         const VersionTeller& tell) override {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, StopScope::token(), [&] { return !held_; });
        StopScope::check();
        requireAllowed();
        tellVersion(tell);
        return placeBelow(runs, "run-1");
    }
    bool stopRun(const std::string& place) override {
        const std::lock_guard lock(mutex_);
        requireAllowed();
        calls_.push_back("stop " + place);
        return true;
    }
    std::vector<std::string> submit(const ClusterRequest& request, const VersionTeller& tell) override {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, StopScope::token(), [&] { return !held_; });
        StopScope::check();
        requireAllowed();
        tellVersion(tell);
        requests_.push_back(request);
        return {"12"};
    }
    std::vector<std::string> cancel(const std::string& place, const std::filesystem::path& folder) override {
        const std::lock_guard lock(mutex_);
        requireAllowed();
        calls_.push_back("cancel " + place + " " + folder.string());
        return {"12"};
    }
    std::int64_t bringCheckpoints(const std::string& place, const std::filesystem::path& folder) override {
        const std::lock_guard lock(mutex_);
        requireAllowed();
        calls_.push_back("checkpoints " + place + " " + folder.string());
        return 5000;
    }
    void follow(const Followed& what, const Teller& teller) override {
        {
            const std::lock_guard lock(mutex_);
            followed_.push_back(what);
        }
        teller.arrived();
        for (;;) {
            std::unique_lock lock(mutex_);
            std::deque<News>& news = news_[what.folder];
            wake_.wait(lock, StopScope::token(), [&] { return !news.empty(); });
            StopScope::check();
            const News next = news.front();
            news.pop_front();
            lock.unlock();
            switch (next) {
                case News::Broken:
                    teller.broken("No connection to lab: it does not answer.");
                    break;
                case News::Full:
                    teller.full("The disk of this computer is full: /copies/one.");
                    break;
                case News::Back:
                    teller.back();
                    break;
                case News::Noted:
                    teller.noted("Slurm does not say which jobs there are.");
                    break;
                case News::NotedNoMore:
                    teller.noted({});
                    break;
                case News::End:
                    return;
                case News::Gone:
                    throw runError("There is no folder /x on lab.", "It was removed.");
            }
        }
    }

private:
    void tellVersion(const VersionTeller& tell) const {
        if (!version_.empty()) tell(version_);
    }
    void requireAllowed() const {
        if (refusal_) throw inputError(refusal_->message.toStdString(), refusal_->hint.toStdString());
    }

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    bool held_ = false;
    std::string version_;
    std::optional<Failure> refusal_;
    std::map<std::filesystem::path, std::deque<News>> news_;
    std::vector<ClusterRequest> requests_;
    std::vector<Followed> followed_;
    std::vector<std::string> calls_;
};

}  // namespace palimpsest::testing
