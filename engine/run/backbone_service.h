// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/run/dataset_service.h"
#include "engine/run/vit_size.h"

namespace palimpsest {

/// Licence of weights whose makers name none.
inline constexpr const char* kLicenceNotStated = "not stated";

/// A backbone in wide use, and where to get it.
struct BackboneCard {
    std::string name, title, summary;      ///< "vit-b16-in21k", "ViT-B/16, ImageNet-21k", one sentence
    std::string origin, licence, address;  ///< who made it; where its file is
    std::string file, checksum;            ///< "ViT-B_16.npz"; "sha256:HEX", or empty when its makers publish none
    std::string user;                      ///< what the paper's code uses it for; may be empty
    std::int64_t bytes = 0;                ///< 0: not published
    bool embedded = false;                 ///< comes with the program
    std::vector<std::string> urls{};       ///< of the file itself, best first; empty: to be got at `address` by hand
    std::string kind{};                    ///< backbone.name that it is of, "vit-b16", or "any"; empty: not checked
    std::optional<VitShape> shape{};       ///< of a network that is of no kind but "any"; images may have another size
    std::filesystem::path place{};         ///< where its file belongs
    bool present = false;                  ///< and is
    std::string remembered{};              ///< checksum of the file that was fetched first, where none is published
};

/// Description of a file of weights, made without loading its tensors for good.
struct BackboneFacts {
    std::filesystem::path file;
    std::string format;  ///< "safetensors", "Google .npz", "PyTorch state dictionary"
    std::string layout;  ///< "timm", "Hugging Face", "Google JAX", "CLIP (OpenAI)", "DeiT"
    std::string title;   ///< "ViT-B/16, 224 x 224 pixels"
    std::int64_t image_size = 0, patch_size = 0, width = 0, depth = 0, heads = 0, parameters = 0, bytes = 0;
    std::int64_t head_classes = 0;              ///< outputs of a head that is left out; 0: none
    bool pre_norm = false, quick_gelu = false;  ///< CLIP's
    std::string backbone;                       ///< backbone.name that takes it: "vit-b16"; "any" where no other fits
    std::string known_as;                       ///< name of the card whose checksum it has; empty: none
    std::vector<std::string> notes;             ///< facts for the user: position table resized, tensors left out
};

/// Backbones for the window, which links no LibTorch. Calls may take seconds and come from worker threads.
class BackboneService {
public:
    virtual ~BackboneService() = default;
    virtual std::vector<BackboneCard> cards() const = 0;
    /// Throws Error(Input): what is wrong with the file, in words for the user.
    virtual BackboneFacts facts(const std::filesystem::path& file) const = 0;
    /// Fetches the file of a card into its place, checks it and goes on where an earlier fetch was stopped. Returns
    /// false when stopped. Throws Error.
    virtual bool fetch(const std::string& name, const FetchOrigin& source,
                       const std::function<void(const DatasetProgress&)>& progress, std::stop_token stop) const = 0;
};

}  // namespace palimpsest
