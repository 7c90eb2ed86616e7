// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/backbone_service.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"

namespace palimpsest::testing {

/// Backbones without files. A file's facts follow from its name; each inspection waits at a gate that the test opens,
/// or is cancelled.
class ScriptedBackbones : public BackboneService {
public:
    ScriptedBackbones() {
        BackboneCard own;
        own.name = "palimpsest-stem-vit";
        own.title = "Palimpsest ViT with a stem";
        own.summary = "A small transformer that comes with the program.";
        own.origin = "The makers of Palimpsest";
        own.licence = "GPL-3.0-or-later";
        own.embedded = true;
        BackboneCard known;
        known.name = "vit-b16-in21k";
        known.title = "ViT-B/16, ImageNet-21k";
        known.summary = "Learned from 14 million photographs of 21,843 kinds.";
        known.origin = "Google Research";
        known.licence = "Apache 2.0";
        known.address = "https://example.org/ViT-B_16.npz";
        known.urls = {known.address};
        known.kind = "vit-b16";
        known.file = "ViT-B_16.npz";
        known.checksum = "sha256:0123456789abcdef";
        known.user = "its main backbone";
        known.bytes = 410'000'000;
        cards_ = {own, known};
    }
    ~ScriptedBackbones() override { allowAll(); }

    void allow(std::int64_t looks) {
        const std::lock_guard lock(mutex_);
        allowed_ += looks;
        wake_.notify_all();
    }
    void allowAll() { allow(std::int64_t{1} << 40); }
    /// Files that were inspected.
    std::vector<std::string> looks() const {
        const std::lock_guard lock(mutex_);
        return looks_;
    }

    std::vector<BackboneCard> cards() const override {
        const std::lock_guard lock(mutex_);
        std::vector<BackboneCard> cards = cards_;
        for (BackboneCard& card : cards) card.present = card.present || fetched_;
        cards.front().present = false;
        return cards;
    }

    /// Each fetch goes one step, and then waits at a gate of its own.
    void allowFetch() {
        const std::lock_guard lock(mutex_);
        fetch_allowed_ = true;
        wake_.notify_all();
    }
    /// The next fetch fails with this sentence.
    void failFetch(const std::string& message) {
        const std::lock_guard lock(mutex_);
        fetch_failure_ = message;
    }
    /// Of the last fetch.
    FetchOrigin source() const {
        const std::lock_guard lock(mutex_);
        return source_;
    }
    std::vector<std::string> fetches() const {
        const std::lock_guard lock(mutex_);
        return fetches_;
    }

    bool fetch(const std::string& name, const FetchOrigin& source,
               const std::function<void(const DatasetProgress&)>& progress, std::stop_token stop) const override {
        progress({"Downloading", "ViT-B_16.npz", 100'000'000, 400'000'000, 2e6});
        std::unique_lock lock(mutex_);
        fetches_.push_back(name);
        source_ = source;
        if (!wake_.wait(lock, stop, [&] { return fetch_allowed_; })) return false;
        fetch_allowed_ = false;
        if (!fetch_failure_.empty()) throw runError(std::exchange(fetch_failure_, {}), "Try again later.");
        fetched_ = true;
        return true;
    }

    /// Facts by file name. "bad": refused; "known": has the checksum of a card; "clip": has CLIP's special parts;
    /// "strange": has a shape that no named backbone has.
    BackboneFacts facts(const std::filesystem::path& file) const override {
        const std::string name = file.filename().string();
        const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
        {
            std::unique_lock lock(mutex_);
            looks_.push_back(name);
            if (!wake_.wait(lock, StopScope::token(), [&] { return allowed_ > 0; })) throw GivenUp();
            --allowed_;
        }
        if (has("bad"))
            throw inputError("The file " + name + " is no checkpoint: it begins like a picture.",
                             "Choose another file.");
        BackboneFacts facts;
        facts.file = file;
        facts.format = "Google .npz";
        facts.layout = "Google JAX";
        facts.title = "ViT-B/16, 224 × 224 pixels";
        facts.image_size = 224;
        facts.patch_size = 16;
        facts.width = 768;
        facts.depth = facts.heads = 12;
        facts.parameters = 85'798'656;
        facts.bytes = 410'000'000;
        facts.head_classes = 21'843;
        facts.pre_norm = facts.quick_gelu = has("clip");
        facts.backbone = has("strange") ? "any" : "vit-b16";
        if (has("known")) facts.known_as = "vit-b16-in21k";
        facts.notes = {"The position table is resized from 14 × 14.", "2 tensors are left out."};
        return facts;
    }

private:
    std::vector<BackboneCard> cards_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any wake_;
    mutable std::int64_t allowed_ = 0;                      // guarded by mutex_
    mutable FetchOrigin source_;                            // likewise
    mutable std::vector<std::string> looks_, fetches_;      // guarded by mutex_
    mutable bool fetch_allowed_ = false, fetched_ = false;  // guarded by mutex_
    mutable std::string fetch_failure_;                     // guarded by mutex_
};

}  // namespace palimpsest::testing
