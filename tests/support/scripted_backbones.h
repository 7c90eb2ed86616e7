// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
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

    std::vector<BackboneCard> cards() const override { return cards_; }

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
    mutable std::int64_t allowed_ = 0;        // guarded by mutex_
    mutable std::vector<std::string> looks_;  // guarded by mutex_
};

}  // namespace palimpsest::testing
