// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/hard_buffer.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "engine/checkpoint/state_archive.h"
#include "engine/support/error.h"

namespace palimpsest {

void HardBuffer::measure(const std::vector<double>& losses) {
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].loss = losses[i];
}

void HardBuffer::offer(std::vector<Entry> fresh) {
    std::erase_if(entries_, [&](const Entry& entry) {
        return entry.sample >= 0 &&
               std::ranges::any_of(fresh, [&](const Entry& each) { return each.sample == entry.sample; });
    });
    const std::size_t known = entries_.size();
    std::vector<Entry> all = std::move(entries_);
    std::ranges::move(fresh, std::back_inserter(all));
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return all[a].loss > all[b].loss; });
    if (std::ssize(order) > capacity_) order.resize(static_cast<std::size_t>(capacity_));
    entries_.clear();
    for (const std::size_t place : order) {
        entries_.push_back(std::move(all[place]));
        if (place < known) continue;
        // A part of a batch would keep all of it.
        entries_.back().images = entries_.back().images.clone();
        entries_.back().units = entries_.back().units.clone();
    }
}

void HardBuffer::keep(StateArchive& archive) {
    std::vector<Tensor> images, units;
    std::vector<std::int64_t> samples;
    std::vector<double> losses;
    for (const Entry& entry : entries_) {
        images.push_back(entry.images);
        units.push_back(entry.units);
        samples.push_back(entry.sample);
        losses.push_back(entry.loss);
    }
    archive("images", images);
    archive("units", units);
    archive("samples", samples);
    archive("losses", losses);
    if (!archive.restoring()) return;
    bool sound = images.size() == samples.size() && units.size() == samples.size() && losses.size() == samples.size();
    for (std::size_t i = 0; sound && i < images.size(); ++i)
        sound = images[i].defined() && units[i].defined() && images[i].dim() == 4 && units[i].dim() == 1 &&
                images[i].size(0) == units[i].size(0) && images[i].scalar_type() == at::kFloat &&
                units[i].scalar_type() == at::kLong;
    if (!sound) throw inputError("The saved state's hard images are not whole.", "Resume from another checkpoint.");
    entries_.clear();
    for (std::size_t i = 0; i < images.size(); ++i) entries_.push_back({images[i], units[i], samples[i], losses[i]});
    if (std::ssize(entries_) > capacity_) entries_.resize(static_cast<std::size_t>(capacity_));
}

}  // namespace palimpsest
