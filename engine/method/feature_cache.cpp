// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/feature_cache.h"

#include <algorithm>

#include "engine/data/image_rooms.h"
#include "engine/network/device_copies.h"

namespace palimpsest {

std::int64_t FeatureCache::rowsFor(std::int64_t width, bool replays, std::int64_t shownInBatch) {
    const std::int64_t most =
        std::max<std::int64_t>(1, kFeaturesRoom / (static_cast<std::int64_t>(sizeof(float)) * width));
    return replays ? most : std::clamp<std::int64_t>(shownInBatch, 1, most);
}

Tensor FeatureCache::features(const Tensor& images, std::span<const std::int64_t> views, const Compute& compute) {
    std::vector<std::int64_t> held, rows;           // images that are held, and where
    std::vector<std::int64_t> lacking, fresh_rows;  // the others, and their rows of what will be computed
    std::vector<std::int64_t> first, fresh_views;   // those of them that show a view for the first time
    std::unordered_map<std::int64_t, std::int64_t> coming;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const auto image = static_cast<std::int64_t>(i);
        if (const auto found = row_of_.find(views[i]); found != row_of_.end()) {
            held.push_back(image);
            rows.push_back(found->second);
            continue;
        }
        const auto [place, added] = coming.emplace(views[i], std::ssize(first));
        if (added) {
            first.push_back(image);
            fresh_views.push_back(views[i]);
        }
        lacking.push_back(image);
        fresh_rows.push_back(place->second);
    }
    if (lacking.empty()) return kept_.index_select(0, indexOn(rows, kept_.device()));
    const bool all = std::ssize(first) == images.size(0);
    const Tensor fresh = compute(all ? images : images.index_select(0, indexOn(first, images.device())));
    Tensor result = fresh;
    if (!all) {
        result = at::empty({images.size(0), fresh.size(1)}, fresh.options());
        result.index_copy_(0, indexOn(lacking, fresh.device()),
                           fresh.index_select(0, indexOn(fresh_rows, fresh.device())));
        if (!held.empty())
            result.index_copy_(0, indexOn(held, fresh.device()), kept_.index_select(0, indexOn(rows, fresh.device())));
    }
    keep(fresh_views, fresh);
    return result;
}

void FeatureCache::keep(std::span<const std::int64_t> views, const Tensor& fresh) {
    if (!kept_.defined()) kept_ = at::empty({rows_, fresh.size(1)}, fresh.options());
    for (std::size_t i = 0; i < views.size(); ++i) {
        const std::int64_t row = held() < rows_ ? held() : oldest_;
        if (row < held()) {
            row_of_.erase(views_[static_cast<std::size_t>(row)]);
            views_[static_cast<std::size_t>(row)] = views[i];
            oldest_ = (row + 1) % rows_;
        } else {
            views_.push_back(views[i]);
        }
        row_of_[views[i]] = row;
        kept_[row].copy_(fresh[static_cast<std::int64_t>(i)]);
    }
}

}  // namespace palimpsest
