// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/low_rank_changes.h"

#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

/// Products of factors [2, D, R] and [2, R, D] in double precision, as rows of the fused matrix [3 D, D]: those of the
/// queries, zeros for the keys, those of the values.
Tensor fusedRows(const Tensor& up, const Tensor& down) {
    const Tensor both = at::bmm(up.to(at::kDouble), down.to(at::kDouble));
    return at::cat({both[0], at::zeros_like(both[0]), both[1]});
}

}  // namespace

LowRankChanges::LowRankChanges(const Vit& vit, std::int64_t rank, Merge merge, std::uint64_t seed)
    : width_(vit.shape().width), merge_(merge), seed_(seed) {
    const auto options = at::TensorOptions(at::kFloat).device(vit.device());
    for (std::int64_t i = 0; i < vit.shape().depth; ++i) {
        const std::string name = "blocks." + std::to_string(i) + ".lora.";
        learning_.push_back({name + "a", at::zeros({2, rank, width_}, options)});
        learning_.push_back({name + "b", at::zeros({2, width_, rank}, options)});
        kept_a_.push_back(at::zeros({2, 0, width_}, options));
        kept_b_.push_back(at::zeros({2, width_, 0}, options));
    }
    begin();
    for (const NamedTensor& entry : learning_) entry.tensor.requires_grad_(true);
}

void LowRankChanges::begin() {
    NoGradGuard guard;
    const double bound = 1 / std::sqrt(static_cast<double>(width_));
    for (std::size_t block = 0; block < kept_a_.size(); ++block) {
        Random random(seed_, purpose::kLowRank, static_cast<std::uint64_t>(begun_), block);
        Tensor fresh = at::zeros_like(a(block));
        fillUniform(fresh, random, -bound, bound);
        Tensor(a(block)).copy_(fresh);
        Tensor(b(block)).zero_();
    }
    ++begun_;
}

std::vector<LowRank> LowRankChanges::changes() const {
    std::vector<LowRank> all;
    for (std::size_t block = 0; block < kept_a_.size(); ++block) {
        const Tensor down = at::cat({kept_a_[block], a(block)}, 1), up = at::cat({kept_b_[block], b(block)}, 2);
        const Tensor none = at::zeros_like(up[0]);
        // Rows of the queries read the first half of what `down` makes, those of the values the second.
        all.push_back({down.reshape({-1, width_}),
                       at::cat({at::cat({up[0], none}, 1), at::cat({none, none}, 1), at::cat({none, up[1]}, 1)}),
                       products_.empty() ? Tensor() : products_[block]});
    }
    return all;
}

void LowRankChanges::merge() {
    NoGradGuard guard;
    for (std::size_t block = 0; block < kept_a_.size(); ++block) {
        Tensor &keptA = kept_a_[block], &keptB = kept_b_[block];
        if (merge_ == Merge::Factors && keptA.size(1) > 0) {
            keptA = keptA + a(block).detach();
            keptB = keptB + b(block).detach();
        } else {
            keptA = at::cat({keptA, a(block).detach()}, 1);
            keptB = at::cat({keptB, b(block).detach()}, 2);
        }
    }
    if (merge_ == Merge::Products) multiply();
    begin();
}

/// A token takes 8 R D products through R rows of factors for queries and values, 3 D^2 through their matrix, however
/// many there were: so neither memory nor time grow without end.
void LowRankChanges::multiply() {
    if (products_.empty() && 8 * kept_a_.front().size(1) <= 3 * width_) return;
    for (std::size_t block = 0; block < kept_a_.size(); ++block) {
        const Tensor fresh = fusedRows(kept_b_[block], kept_a_[block]);
        if (block == products_.size())
            products_.push_back(fresh.to(at::kFloat));
        else
            products_[block] = (products_[block] + fresh).to(at::kFloat);
        kept_a_[block] = kept_a_[block].narrow(1, 0, 0).clone();
        kept_b_[block] = kept_b_[block].narrow(2, 0, 0).clone();
    }
}

void LowRankChanges::keep(StateArchive& archive) {
    archive("begun", begun_);
    // A file holds no tensor without numbers.
    std::vector<Tensor> kept;
    if (kept_a_.front().size(1) > 0)
        for (std::size_t block = 0; block < kept_a_.size(); ++block) {
            kept.push_back(kept_a_[block]);
            kept.push_back(kept_b_[block]);
        }
    archive("kept", kept);
    archive.within("products", [&] {
        if (archive.restoring()) products_.clear();
        if (!products_.empty() || !archive.part().empty()) archive("blocks", products_);
    });
    if (!archive.restoring() || (kept.empty() && products_.empty())) return;
    const std::int64_t rank = !kept.empty() && kept[0].defined() && kept[0].dim() == 3 ? kept[0].size(1) : 0;
    bool sound = kept.empty() || (kept.size() == learning_.size() && products_.empty() &&
                                  (merge_ == Merge::Products || rank == a(0).size(1)));
    sound = sound && (products_.empty() || (merge_ == Merge::Products && products_.size() == kept_a_.size()));
    for (const Tensor& product : products_)
        sound = sound && product.defined() && product.scalar_type() == at::kFloat &&
                product.sizes() == at::IntArrayRef({3 * width_, width_});
    const std::vector<std::int64_t> sizes[] = {{2, rank, width_}, {2, width_, rank}};
    for (std::size_t i = 0; sound && i < kept.size(); ++i)
        sound = kept[i].defined() && kept[i].scalar_type() == at::kFloat && kept[i].sizes() == sizes[i % 2];
    if (!sound)
        throw inputError("The saved state keeps changes of another form than method.lora_merge and this network have.",
                         "Resume with the settings it was made with, or start again without it.");
    for (std::size_t block = 0; 2 * block < kept.size(); ++block) {
        kept_a_[block] = kept[2 * block];
        kept_b_[block] = kept[2 * block + 1];
    }
}

}  // namespace palimpsest
