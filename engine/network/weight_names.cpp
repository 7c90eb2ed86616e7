// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/weights.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "engine/network/weight_layouts.h"
#include "engine/support/error.h"
#include "engine/support/json.h"

namespace palimpsest {
namespace {

using namespace weight_layouts;

/// The name without the prefixes that training frameworks add.
std::string withoutPrefix(std::string name) {
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view prefix : {"backbone.", "module.", "model.", "_orig_mod."}) {
            if (!name.starts_with(prefix)) continue;
            name.erase(0, prefix.size());
            again = true;
        }
    }
    return name;
}

class Renamer {
public:
    explicit Renamer(const TensorFile& file) : file_(file) {
        for (const auto& [name, tensor] : file.tensors) {
            given_.emplace(withoutPrefix(name), tensor);
            written_.emplace(withoutPrefix(name), name);
        }
    }

    NamedWeights read() {
        refuseDistilled();
        const auto [layout, prefix] = choose();
        layout_ = layout;
        prefix_ = prefix;
        out_.metadata = file_.metadata;
        out_.layout = layout_->title;
        readHead();
        for (const Rename& rename : layout_->outside)
            if (const auto tensor = extract(prefix_ + rename.from))
                put(rename.to, changed(*tensor, rename.change, nameInFile(prefix_ + rename.from)));
        readBlocks();
        describe();
        nameOwn();
        return std::move(out_);
    }

private:
    [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
        throw inputError("The weights " + file_.origin + " " + what + ".", hint);
    }

    void refuseDistilled() const {
        for (const auto& [name, tensor] : given_)
            if (name.ends_with("dist_token") || name.ends_with("distillation_token"))
                refuse("are of a distilled DeiT, which has the token " + name + " beside the class token",
                       "Take the DeiT that was not distilled, such as deit_small_patch16_224.");
    }

    std::pair<const Layout*, std::string> choose() const {
        for (const Layout& layout : layouts())
            for (const std::string& prefix : layout.prefixes)
                if (given_.contains(prefix + layout.mark)) return {&layout, prefix};
        // Nearly timm's: missing tensors are reported by name later.
        if (given_.contains("pos_embed") || given_.contains("cls_token")) return {&layouts().front(), ""};
        refuse(file_.tensors.empty()
                   ? "hold no tensor"
                   : "hold no vision transformer with names that are known here: the first tensor is " +
                         file_.tensors.front().name,
               "Give weights with the names of timm, Hugging Face, Google's .npz or CLIP.");
    }

    std::optional<Tensor> extract(const std::string& name) {
        const auto found = given_.find(name);
        if (found == given_.end()) return std::nullopt;
        Tensor tensor = found->second;
        given_.erase(found);
        return tensor;
    }

    /// Name as it is written in the file.
    std::string nameInFile(const std::string& name) const {
        const auto found = written_.find(name);
        return found == written_.end() ? name : found->second;
    }

    /// Records the file's own names, so that errors use them.
    void nameOwn() {
        if (layout_ == &layouts().front()) return;
        out_.own.layout = layout_->title;
        out_.own.name = [layout = layout_, prefix = prefix_, all = written_](const std::string& timm) {
            const Parts parts = partsOf(*layout, prefix, timm);
            const bool whole = std::ranges::all_of(parts.names, [&](const auto& name) { return all.contains(name); });
            std::string text;
            // Missing ones of three tensors that should be joined.
            for (const std::string& name : parts.names) {
                const auto found = all.find(name);
                if (!whole && found != all.end()) continue;
                text += (text.empty() ? "" : ", ") + (whole ? found->second : name);
            }
            return text;
        };
        out_.own.sizes = [layout = layout_, prefix = prefix_, heads = heads_](const std::string& timm,
                                                                              at::IntArrayRef sizes) {
            const Parts parts = partsOf(*layout, prefix, timm);
            std::vector<std::int64_t> one = sizes.vec();
            if (parts.names.size() > 1 && !one.empty()) one[0] /= static_cast<std::int64_t>(parts.names.size());
            return sizesInFile(one, parts.change, heads);
        };
    }

    void put(std::string name, Tensor tensor) { out_.tensors.push_back({std::move(name), std::move(tensor)}); }

    Tensor changed(const Tensor& tensor, Change change, const std::string& name) const {
        const auto ofRank = [&](std::int64_t rank) -> const Tensor& {
            if (tensor.dim() != rank || tensor.numel() == 0)
                refuse("hold " + name + " of shape " + sizesText(tensor.sizes()) + ", where " + std::to_string(rank) +
                           " extents of at least 1 are needed",
                       kDamagedFileHint);
            return tensor;
        };
        switch (change) {
            case Change::None:
                break;
            case Change::Token:
                return ofRank(1).reshape({1, 1, -1});
            case Change::Table:
                return ofRank(2).unsqueeze(0);
            case Change::Matrix:
                return ofRank(2).t();
            case Change::Convolution:
                return ofRank(4).permute({3, 2, 0, 1});
            case Change::IntoHeads:
                return ofRank(3).flatten(1).t();
            case Change::OutOfHeads:
                return ofRank(3).flatten(0, 1).t();
            case Change::HeadBias:
                return ofRank(2).flatten();
        }
        return tensor;
    }

    /// Finds the classifier, which may lie outside of the prefix.
    void readHead() {
        for (const std::string& name : layout_->heads)
            for (const std::string& whole : {prefix_ + name, name})
                if (const auto tensor = extract(whole); tensor && tensor->dim() > 0)
                    out_.head_classes = tensor->size(layout_->heads_last ? -1 : 0);
    }

    /// Name after a block's number, and the number as it is written; absent for names outside of the blocks.
    std::optional<std::pair<std::string, std::string>> inBlock(const std::string& name) const {
        const std::string before = prefix_ + layout_->blocks;
        if (!name.starts_with(before)) return std::nullopt;
        const std::size_t end = name.find(layout_->behind, before.size());
        if (end == std::string::npos) return std::pair{name.substr(before.size()), std::string()};
        return std::pair{name.substr(before.size(), end - before.size()), name.substr(end + 1)};
    }

    void readBlocks() {
        std::map<std::string, std::map<std::string, Tensor, std::less<>>> blocks;
        for (auto it = given_.begin(); it != given_.end();) {
            const auto place = inBlock(it->first);
            if (place) blocks[place->first].emplace(place->second, it->second);
            it = place ? given_.erase(it) : std::next(it);
        }
        for (auto& [number, parts] : blocks) {
            const std::string block = "blocks." + number + ".";
            for (const Rename& rename : layout_->inside) {
                const auto found = parts.find(rename.from);
                if (found == parts.end()) continue;
                put(block + rename.to,
                    changed(found->second, rename.change, nameInFile(ownBlock(number) + rename.from)));
                parts.erase(found);
            }
            for (const Join& join : layout_->joins) joinThree(block, ownBlock(number), join, parts);
            if (parts.empty()) continue;
            // Leaving it out would silently change every feature.
            refuse("hold " + layout_->blocks + number + layout_->behind + parts.begin()->first +
                       ", a part that this kind of vision transformer does not have",
                   "Give weights of a plain ViT, DeiT or CLIP.");
        }
    }

    std::string ownBlock(const std::string& number) const {
        return prefix_ + layout_->blocks + number + layout_->behind;
    }

    void joinThree(const std::string& block, const std::string& own, const Join& join,
                   std::map<std::string, Tensor, std::less<>>& parts) {
        std::vector<Tensor> three;
        std::vector<std::string> held;
        for (const std::string& name : join.from) {
            const auto found = parts.find(name);
            if (found == parts.end()) continue;
            if (join.change == Change::IntoHeads && found->second.dim() == 3) heads_ = found->second.size(1);
            const std::string whole = nameInFile(own + name);
            held.push_back(whole + " of shape " + sizesText(found->second.sizes()));
            three.push_back(changed(found->second, join.change, whole));
            parts.erase(found);
        }
        // Missing parts are reported later, under the name of the whole.
        if (three.size() < 3) return;
        for (std::size_t k = 0; k < three.size(); ++k) {
            if (three[k].dim() == 0) refuse("hold " + held[k] + ", where an extent is needed", kDamagedFileHint);
            if (three[k].sizes() != three[0].sizes()) refuse("hold " + held[0] + " but " + held[k], kDamagedFileHint);
        }
        put(block + join.to, at::cat(three));
    }

    /// Adds the facts that the names imply beyond the tensors, unless the file states them.
    void describe() {
        const bool clip = layout_->clip ||
                          std::ranges::find(out_.tensors, "norm_pre.weight", &NamedTensor::name) != out_.tensors.end();
        if (clip && !layout_->clip) out_.layout = "CLIP (timm)";
        nlohmann::json vit = nlohmann::json::object();
        if (clip) vit["quick_gelu"] = true;
        if (const double epsilon = clip ? 1e-5 : layout_->epsilon; epsilon != 1e-6) vit["norm_epsilon"] = epsilon;
        if (heads_ > 0) vit["num_heads"] = heads_;
        const auto said = out_.metadata.find("vit");
        const nlohmann::json own =
            said == out_.metadata.end() ? nlohmann::json() : parsedJson<nlohmann::json>(said->second);
        if (own.is_object()) {
            // Nested values are never read, and copying them could recurse as deeply as the file likes.
            for (const auto& [key, value] : own.items())
                if (value.is_primitive()) vit[key] = value;
        } else if (clip) {
            out_.notes.push_back(
                "The file does not show CLIP's activation: quick GELU is taken, as OpenAI trained it; networks "
                "that LAION trained with GELU need backbone.activation = gelu.");
        }
        if (!vit.empty()) out_.metadata["vit"] = vit.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        noteLeftOut();
    }

    void noteLeftOut() {
        std::set<std::string> parts;
        for (const auto& [name, tensor] : given_)
            parts.insert(name.substr(0, name.find_first_of("./", name.starts_with(prefix_) ? prefix_.size() : 0)));
        if (parts.empty()) return;
        constexpr std::size_t kNamed = 6;
        std::string text;
        std::size_t count = 0;
        for (const std::string& part : parts)
            if (++count <= kNamed) text += (count == 1 ? "" : ", ") + part;
        if (count > kNamed) text += " and " + std::to_string(count - kNamed) + " more";
        out_.notes.push_back("Left out, as features do not need it: " + text + ".");
    }

    const TensorFile& file_;
    std::map<std::string, Tensor> given_;         // tensors not used yet
    std::map<std::string, std::string> written_;  // names without framework prefixes, and as they are in the file
    const Layout* layout_ = nullptr;
    std::string prefix_;
    std::int64_t heads_ = 0;
    NamedWeights out_;
};

}  // namespace

NamedWeights withTimmNames(const TensorFile& file) {
    return Renamer(file).read();
}

}  // namespace palimpsest
