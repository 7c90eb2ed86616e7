// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/past_samples.h"

#include "engine/network/device_copies.h"
#include "engine/support/random.h"

namespace palimpsest {

std::vector<PastSamples::Samples> PastSamples::drawAhead(std::int64_t batch) const {
    std::vector<Samples> replay(static_cast<std::size_t>(settings_.updates));
    if (memory_.samples().empty() || settings_.count <= 0) return replay;
    for (std::size_t update = 0; update < replay.size(); ++update) {
        Random random(settings_.seed, purpose::kReplay, static_cast<std::uint64_t>(batch), update);
        replay[update] = memory_.draw(settings_.count, random);
    }
    return replay;
}

PastSamples::Samples PastSamples::drawnSlots(std::int64_t batch, std::int64_t update, std::int64_t lot) const {
    Random random(settings_.seed, purpose::kReplay, static_cast<std::uint64_t>(batch),
                  static_cast<std::uint64_t>(2 * update + lot));
    return memory_.drawSlots(settings_.count, random);
}

PastSamples::Samples PastSamples::samplesOf(const Samples& slots) const {
    Samples samples;
    for (const std::int64_t slot : slots) samples.push_back(memory_.samples()[static_cast<std::size_t>(slot)]);
    return samples;
}

PastSamples::Samples PastSamples::unitsOf(const Samples& samples) const {
    Samples units;
    for (const std::int64_t sample : samples) units.push_back(registry_.unit(train_.label(sample)));
    return units;
}

PastBatch PastSamples::shown(std::int64_t batch, std::int64_t draw, const Samples& samples,
                             const Samples& slots) const {
    PastBatch past;
    if (samples.empty()) return past;
    const ShownImages shown = train_.past(batch, draw, samples);
    if (shown.samples.empty()) return past;
    past.images = shown.images;
    past.units = indexOn(unitsOf(shown.samples), shown.images.device());
    past.slots = slotsShown(slots, samples, shown);
    past.views = shown.views;
    return past;
}

}  // namespace palimpsest
