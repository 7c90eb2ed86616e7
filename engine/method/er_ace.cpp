// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checkpoint/state_archive.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"

namespace palimpsest {
namespace {

/// ER-ACE (Caccia et al., ICLR 2022; MISA, methods/er_ace.py): the stream's loss looks at the classes of its own batch
/// and at those that have not appeared yet, so that learning new classes does not push the old ones down; replayed
/// images, in a batch of their own, see all classes. In the first session there is neither mask nor replay.
/// Loss: CE(z + A) + CE(z_replayed).
class ErAce : public HeadMethod {
public:
    explicit ErAce(const MethodSetup& setup) : HeadMethod(setup) { makeOptimizerFor(setup); }

    ForwardResult forward(const UpdateInput& input) override {
        ForwardResult result = HeadMethod::forward(input);
        if (session_ == 0) return result;
        for (const PastBatch& past : input.past)
            result.loss =
                result.loss + at::cross_entropy_loss(head_(featuresOnce(past.images, past.views)), past.units);
        return result;
    }

    Replay replay() const override { return {Replay::Memory::Reservoir, Replay::Batch::Apart}; }
    bool replaysIn(std::int64_t session) const override { return session > 0; }
    std::optional<std::vector<bool>> ownMask(std::span<const std::int64_t> stream, std::int64_t seen) const override {
        const auto classes = static_cast<std::size_t>(classes_);
        if (session_ == 0) return std::vector<bool>(classes, true);
        std::vector<bool> visible(classes, false);
        for (const std::int64_t unit : stream) visible[static_cast<std::size_t>(unit)] = true;
        // Published so: a single class that is still to come stays hidden.
        if (seen < classes_ - 1) std::fill(visible.begin() + static_cast<std::ptrdiff_t>(seen), visible.end(), true);
        return visible;
    }
    void endSession() override { ++session_; }
    void keep(StateArchive& archive) override {
        HeadMethod::keep(archive);
        archive("session", session_);
    }

private:
    std::int64_t session_ = 0;
};

}  // namespace

std::unique_ptr<Method> makeErAce(const MethodSetup& setup) {
    return std::make_unique<ErAce>(setup);
}

}  // namespace palimpsest
