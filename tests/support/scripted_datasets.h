// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "engine/run/dataset_service.h"
#include "engine/support/error.h"

namespace palimpsest::testing {

/// Data sets without files. Each step of a fetch waits at a gate, and reading pictures at another, which the test
/// opens; the script decides how a fetch ends.
class ScriptedDatasets : public DatasetService {
public:
    enum class Ending { Arrives, Fails, Lies, GivesUp };
    struct Script {
        Ending ending = Ending::Arrives;
        std::int64_t steps = 10;
        std::int64_t step_bytes = 1'000'000;
        std::int64_t total = 10'000'000;  ///< as reported; need not be true
        double bytes_per_second = 2e6;
        std::string error = "The file clothes.gz is damaged: expected sha256 aaaa, found bbbb.";
        std::string hint = "Fetch it again.";
        bool cards_fail = false;
        bool pictures_fail = false;
    };
    struct Order {
        std::string name, root, have, mirror;
        bool offline = false;
    };

    ScriptedDatasets() : ScriptedDatasets(Script()) {}
    explicit ScriptedDatasets(Script script) : script_(std::move(script)) {
        cards_ = {makeCard("fashion-mnist", "Fashion-MNIST", 10, true), makeCard("cifar-100", "CIFAR-100", 100, false),
                  makeCard("imagenet", "ImageNet", 1000, false), makeCard("shapes", "Shapes", 10, true)};
        cards_[2].fetchable = cards_[2].takes_files = false;
        cards_[3].procedural = true;
        cards_[3].bytes = 0;
        for (const DatasetCard& card : cards_)
            if (card.present) present_.insert(card.name);
    }

    void allowSteps(std::int64_t steps) { open(steps_, steps); }
    void allowPictures(std::int64_t calls) { open(pictures_, calls); }
    void allowAll() {
        allowSteps(std::int64_t{1} << 40);
        allowPictures(std::int64_t{1} << 40);
    }
    void setPresent(const std::string& name, bool present) {
        const std::lock_guard lock(mutex_);
        if (present)
            present_.insert(name);
        else
            present_.erase(name);
    }
    void setEnding(Ending ending) {
        const std::lock_guard lock(mutex_);
        script_.ending = ending;
    }
    void setPicturesFail(bool fail) {
        const std::lock_guard lock(mutex_);
        script_.pictures_fail = fail;
    }
    std::vector<Order> orders() const { return locked(orders_); }
    std::int64_t pictureCalls() const { return locked(picture_calls_); }
    /// Calls that were cancelled while they waited.
    std::int64_t picturesGivenUp() const { return locked(pictures_given_up_); }

    std::vector<DatasetCard> cards(const std::filesystem::path& root) const override {
        const std::lock_guard lock(mutex_);
        if (script_.cards_fail) throw inputError("The folder of data sets cannot be read.", "Choose another.");
        std::vector<DatasetCard> cards = cards_;
        for (DatasetCard& card : cards) {
            card.present = present_.contains(card.name) &&
                           (root.empty() || card.procedural || root_ == root || root.filename() == card.name);
            card.folder = (root.empty() ? std::filesystem::path("/data") : root) / card.name;
            if (!card.present) card.missing = card.title + " is not in " + card.folder + ". Fetch it.";
        }
        return cards;
    }

    bool fetch(const std::string& name, const std::filesystem::path& root, const FetchOrigin& source,
               const std::function<void(const DatasetProgress&)>& progress, std::stop_token stop) const override {
        std::unique_lock lock(mutex_);
        orders_.push_back({name, root.string(), source.have.string(), source.mirror, source.offline});
        for (std::int64_t step = 0; step < script_.steps; ++step) {
            if (!pass(lock, steps_, stop)) return false;
            const DatasetProgress now{"Downloading", "clothes.gz", (step + 1) * script_.step_bytes, script_.total,
                                      script_.bytes_per_second};
            lock.unlock();
            progress(now);
            lock.lock();
        }
        switch (script_.ending) {
            case Ending::Fails:
                throw inputError(script_.error, script_.hint);
            case Ending::GivesUp:
                return false;
            case Ending::Lies:
                return true;
            case Ending::Arrives:
                break;
        }
        present_.insert(name);
        root_ = root;
        return true;
    }

    std::vector<Thumbnail> samplesOfClass(const Experiment&, std::int32_t label, int count, int side,
                                          std::stop_token stop) const override {
        std::unique_lock lock(mutex_);
        ++picture_calls_;
        if (!pass(lock, pictures_, stop)) {
            ++pictures_given_up_;
            return {};
        }
        if (script_.pictures_fail) throw inputError("The pictures are damaged.", "Fetch them again.");
        std::vector<Thumbnail> pictures;
        for (int i = 0; i < count; ++i) {
            Thumbnail picture{std::min(side, 28), label, {}};
            const auto tone = static_cast<std::uint8_t>(60 + 20 * (label % 8) + i);
            picture.rgb.assign(static_cast<std::size_t>(picture.size) * static_cast<std::size_t>(picture.size) * 3,
                               tone);
            pictures.push_back(std::move(picture));
        }
        return pictures;
    }

    /// Image i is of class i modulo ten, and its grey is i modulo 200. Reading waits at the gate of the pictures, too.
    static constexpr std::int64_t kImages = 50'000;
    std::vector<Thumbnail> samplesAt(const Experiment&, std::span<const std::int64_t> positions, int side,
                                     std::stop_token stop) const override {
        std::unique_lock lock(mutex_);
        ++picture_calls_;
        asked_.insert(asked_.end(), positions.begin(), positions.end());
        if (!pass(lock, pictures_, stop)) {
            ++pictures_given_up_;
            return {};
        }
        if (script_.pictures_fail) throw inputError("The pictures are damaged.", "Fetch them again.");
        std::vector<Thumbnail> pictures;
        for (const std::int64_t position : positions) {
            Thumbnail& picture = pictures.emplace_back();
            if (position < 0 || position >= kImages) continue;
            picture = {std::min(side, 28), static_cast<std::int32_t>(position % 10), {}};
            picture.rgb.assign(static_cast<std::size_t>(picture.size) * static_cast<std::size_t>(picture.size) * 3,
                               static_cast<std::uint8_t>(position % 200));
        }
        return pictures;
    }
    /// Positions in the order of the requests.
    std::vector<std::int64_t> asked() const { return locked(asked_); }

private:
    struct Gate {
        std::int64_t allowed = 0;
    };

    static DatasetCard makeCard(const std::string& name, const std::string& title, std::int64_t classes, bool present) {
        DatasetCard card;
        card.name = name;
        card.title = title;
        card.summary = "Small pictures of many things.";
        card.origin = "Somebody, somewhere";
        card.licence = "MIT";
        card.citation = "Somebody: " + title + ". Some venue, 2017.";
        card.homepage = "https://example.org/" + name;
        card.classes = classes;
        card.train = 50'000;
        card.test = 10'000;
        card.bytes = 169'000'000;
        card.fetchable = true;
        card.present = present;
        return card;
    }

    template <class Value>
    Value locked(const Value& value) const {
        const std::lock_guard lock(mutex_);
        return value;
    }
    void open(Gate& gate, std::int64_t count) {
        const std::lock_guard lock(mutex_);
        gate.allowed += count;
        wake_.notify_all();
    }
    /// Waits for the gate. False: stopped.
    bool pass(std::unique_lock<std::mutex>& lock, Gate& gate, const std::stop_token& stop) const {
        if (!wake_.wait(lock, stop, [&] { return gate.allowed > 0; }) || stop.stop_requested()) return false;
        --gate.allowed;
        return true;
    }

    Script script_;
    std::vector<DatasetCard> cards_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any wake_;
    mutable std::set<std::string> present_;
    mutable std::filesystem::path root_;  ///< folder of the fetched files
    mutable std::vector<Order> orders_;
    mutable Gate steps_, pictures_;
    mutable std::int64_t picture_calls_ = 0, pictures_given_up_ = 0;
    mutable std::vector<std::int64_t> asked_;
};

}  // namespace palimpsest::testing
