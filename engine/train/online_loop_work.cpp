// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/online_loop_work.h"

#include "engine/optim/logit_mask.h"

namespace palimpsest {
namespace {

/// Draws of the work after a session, apart from those of any update.
constexpr std::int64_t kWorkDraws = 1 << 20;

}  // namespace

UpdateInput OnlineLoop::Work::input(const std::vector<std::int64_t>& samples, std::int64_t draw) {
    const ShownImages shown = loop_.train_.past(loop_.batches_, kWorkDraws + draw, samples);
    UpdateInput made;
    if (shown.samples.empty()) return made;
    const Samples units = loop_.past_.unitsOf(shown.samples);
    made.images = shown.images;
    made.units = at::tensor(units, at::kLong).to(shown.images.device());
    // A class of earlier sessions that was not replayed in this one: without this its own loss is infinite.
    loop_.policy_.beginUpdate(units);
    made.mask = additiveMask(loop_.policy_.visible(units, loop_.registry_.count()), shown.images.device());
    made.form = loop_.policy_.form();
    made.samples = shown.samples;
    made.seen = loop_.registry_.count();
    return made;
}

void OnlineLoop::Work::remember(const std::vector<std::int64_t>& samples) {
    if (loop_.kept_) loop_.kept_->replace(samples, loop_.past_.unitsOf(samples));
}

}  // namespace palimpsest
