// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/weights.h"

#include <algorithm>
#include <cmath>
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
        foldLayerScale();
        foldTokens();
        foldPooling();
        describe();
        nameOwn();
        return std::move(out_);
    }

private:
    [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
        throw inputError("The weights " + file_.origin + " " + what + ".", hint);
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
                   "Give weights of a plain ViT, DeiT, DINOv2, MAE, SigLIP or CLIP.");
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

    Tensor* found(std::string_view name) {
        const auto place = std::ranges::find(out_.tensors, name, &NamedTensor::name);
        return place == out_.tensors.end() ? nullptr : &place->tensor;
    }

    void drop(std::string_view name) {
        std::erase_if(out_.tensors, [&](const NamedTensor& each) { return each.name == name; });
    }

    /// Layer scale multiplies what a branch adds to the stream: gamma (W x + b) is (gamma W) x + gamma b.
    void foldLayerScale() {
        constexpr std::string_view kAttention = ".ls1.gamma", kMlp = ".ls2.gamma";
        std::vector<std::string> scales;
        for (const NamedTensor& each : out_.tensors)
            if (each.name.ends_with(kAttention) || each.name.ends_with(kMlp)) scales.push_back(each.name);
        for (const std::string& scale : scales) {
            const std::string block = scale.substr(0, scale.size() - kMlp.size());
            const std::string layer = block + (scale.ends_with(kAttention) ? ".attn.proj" : ".mlp.fc2");
            const Tensor gamma = *found(scale);
            drop(scale);
            Tensor *weight = found(layer + ".weight"), *bias = found(layer + ".bias");
            // Reported by name when the network is loaded.
            if (!weight || !bias || !weight->is_floating_point() || !bias->is_floating_point()) continue;
            if (gamma.dim() != 1 || !gamma.is_floating_point() || weight->dim() != 2 || bias->dim() != 1 ||
                weight->size(0) != gamma.size(0) || bias->size(0) != gamma.size(0))
                refuse("hold the layer scale " + scale + " of shape " + sizesText(gamma.sizes()) +
                           ", which does not fit the outputs of " + layer + ", of shape " + sizesText(weight->sizes()),
                       kDamagedFileHint);
            const Tensor factors = gamma.to(at::kFloat);
            *weight = weight->to(at::kFloat) * factors.unsqueeze(1);
            *bias = bias->to(at::kFloat) * factors;
        }
        if (!scales.empty())
            out_.notes.push_back("Layer scale is multiplied into the weights that it scales, which is the same.");
    }

    static bool isTable(const Tensor* tensor) {
        return tensor && tensor->dim() == 3 && tensor->size(0) == 1 && tensor->is_floating_point();
    }

    static bool isSquare(std::int64_t number) {
        const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(number))));
        return number > 0 && root * root == number;
    }

    /// Tokens beside the class token get their positions, if they have any, for good.
    void foldTokens() {
        Tensor* const table = found("pos_embed");
        const bool class_token = found("cls_token") != nullptr;
        if (const Tensor* const distillation = found("dist_token")) {
            if (!class_token || found("reg_token") || !isTable(table) || !isTable(distillation) || table->size(1) < 3 ||
                distillation->size(1) != 1 || distillation->size(2) != table->size(2))
                refuse("hold a distillation token that fits neither a class token nor the table of positions",
                       kDamagedFileHint);
            const Tensor rows = table->to(at::kFloat), token = distillation->to(at::kFloat) + rows.narrow(1, 1, 1);
            *table = at::cat({rows.narrow(1, 0, 1), rows.narrow(1, 2, rows.size(1) - 2)}, 1);
            drop("dist_token");
            put("reg_token", token);
            readout_ = VitReadout::TwoTokens;
            out_.notes.push_back("The feature is the mean of the class token and the distillation token, as in timm.");
            return;
        }
        const Tensor* const registers = found("reg_token");
        if (!registers) return;
        if (registers->dim() == 3)
            out_.notes.push_back("The network has " + std::to_string(registers->size(1)) +
                                 " register tokens beside the class token.");
        // timm's tables hold no row for a class token that has registers beside it.
        if (class_token && isTable(table) && isSquare(table->size(1)))
            *table = at::cat({at::zeros({1, 1, table->size(2)}, table->options()), *table}, 1);
    }

    /// What stands in the place of a class token that is read out.
    void foldPooling() {
        if (found("fc_norm.weight") && !found("norm.weight")) {
            for (NamedTensor& each : out_.tensors)
                if (each.name.starts_with("fc_norm.")) each.name.erase(0, 3);
            readout_ = VitReadout::MeanThenNorm;
            out_.notes.push_back("The feature is the LayerNorm of the mean of the patches.");
        }
        for (const std::string part : {".weight", ".bias"}) {
            const Tensor* const joined = found("attn_pool.qkv" + part);
            if (!joined) continue;
            const Tensor all = *joined;
            if (all.dim() == 0 || all.size(0) == 0 || all.size(0) % 3 != 0)
                refuse("hold an attention of shape " + sizesText(all.sizes()) +
                           " for the read-out, which is no query, key and value",
                       kDamagedFileHint);
            const std::int64_t width = all.size(0) / 3;
            drop("attn_pool.qkv" + part);
            put("attn_pool.q" + part, all.narrow(0, 0, width));
            put("attn_pool.kv" + part, all.narrow(0, width, 2 * width));
        }
        if (found("attn_pool.latent"))
            out_.notes.push_back("The feature is read out by attention of a learned query to the patches.");
        else if (!found("cls_token") && readout_ == VitReadout::ClassToken)
            out_.notes.push_back("There is no class token: the feature is the mean of the patches.");
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
        if (readout_ != VitReadout::ClassToken) vit["readout"] = readoutName(readout_);
        if (layout_->tanh_gelu || found("attn_pool.latent")) vit["tanh_gelu"] = true;
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
    VitReadout readout_ = VitReadout::ClassToken;  // where names tell another
    NamedWeights out_;
};

}  // namespace

NamedWeights withTimmNames(const TensorFile& file) {
    return Renamer(file).read();
}

}  // namespace palimpsest
