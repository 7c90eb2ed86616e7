// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trust/image_views.h"

#include <algorithm>
#include <utility>

#include "engine/support/evenly_spread.h"
#include "engine/support/random.h"
#include "engine/trust/trust_parts.h"

namespace palimpsest {
namespace {

class Subset : public ImageTable {
public:
    Subset(std::shared_ptr<const ImageTable> table, std::vector<std::int64_t> positions)
        : table_(std::move(table)), positions_(std::move(positions)) {
        for (const std::int64_t position : positions_)
            labels_.push_back(table_->labels()[static_cast<std::size_t>(position)]);
    }
    std::int64_t size() const override { return std::ssize(positions_); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override { return table_->image(at(index)); }
    std::string name(std::int64_t index) const override { return table_->name(at(index)); }
    // No identity: a cache knows pictures by their positions, which are others here.

private:
    std::int64_t at(std::int64_t index) const { return positions_[static_cast<std::size_t>(index)]; }

    std::shared_ptr<const ImageTable> table_;
    std::vector<std::int64_t> positions_;
    std::vector<std::int32_t> labels_;
};

class Relabelled : public ImageTable {
public:
    Relabelled(std::shared_ptr<const ImageTable> table, std::vector<std::int32_t> labels)
        : table_(std::move(table)), labels_(std::move(labels)) {}
    std::int64_t size() const override { return table_->size(); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override { return table_->image(index); }
    std::string name(std::int64_t index) const override { return table_->name(index); }
    std::string identity() const override { return table_->identity(); }

private:
    std::shared_ptr<const ImageTable> table_;
    std::vector<std::int32_t> labels_;
};

}  // namespace

std::shared_ptr<const ImageTable> subsetOf(std::shared_ptr<const ImageTable> table,
                                           std::vector<std::int64_t> positions) {
    return std::make_shared<Subset>(std::move(table), std::move(positions));
}

std::shared_ptr<const ImageTable> relabelled(std::shared_ptr<const ImageTable> table,
                                             std::vector<std::int32_t> labels) {
    return std::make_shared<Relabelled>(std::move(table), std::move(labels));
}

std::vector<std::int32_t> permutedLabels(std::span<const std::int32_t> labels, std::uint64_t seed) {
    std::vector<std::int32_t> permuted(labels.begin(), labels.end());
    Random(seed, purpose::kTrustLabels).shuffle(permuted);
    return permuted;
}

StreamPlan cutStream(StreamPlan plan, std::int64_t images) {
    const std::int64_t total = plan.totalSamples();
    if (images <= 0 || images >= total) return plan;
    for (std::vector<std::int64_t>& session : plan.sessions) {
        if (session.empty()) continue;
        const auto size = std::ssize(session);
        std::vector<std::int64_t> kept;
        for (const std::int64_t place : evenlySpread(size, std::max<std::int64_t>(1, size * images / total)))
            kept.push_back(session[static_cast<std::size_t>(place)]);
        session = std::move(kept);
    }
    return plan;
}

ReorderedTest::ReorderedTest(TestSource& source, std::vector<std::int64_t> order)
    : source_(source), order_(std::move(order)), place_(order_.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
        place_[static_cast<std::size_t>(order_[i])] = static_cast<std::int64_t>(i);
        labels_.push_back(source_.labels()[static_cast<std::size_t>(order_[i])]);
    }
}

std::vector<std::int64_t> ReorderedTest::inSource(std::span<const std::int64_t> samples) const {
    std::vector<std::int64_t> result;
    for (const std::int64_t sample : samples) result.push_back(order_[static_cast<std::size_t>(sample)]);
    return result;
}

void ReorderedTest::expect(std::span<const std::int64_t> samples) {
    source_.expect(inSource(samples));
}

ShownImages ReorderedTest::images(std::span<const std::int64_t> samples) {
    ShownImages shown = source_.images(inSource(samples));
    for (std::int64_t& sample : shown.samples) sample = place_[static_cast<std::size_t>(sample)];
    return shown;
}

}  // namespace palimpsest
