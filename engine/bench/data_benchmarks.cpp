// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/engine_benchmarks.h"

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "datasets/formats/image_file.h"
#include "engine/data/picture_tensor.h"
#include "engine/data/stream_source.h"
#include "engine/network/compute.h"
#include "engine/support/scratch_folder.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFiles = 64, kReadBatch = 32;
constexpr int kSide = 224;

/// A temporary folder of JPEG files of 500 by 375 pixels, as large as photographs of that size usually are.
class PhotoFolder : public ImageTable {
public:
    PhotoFolder() : labels_(kFiles, 0) {
        for (std::int64_t i = 0; i < kFiles; ++i) {
            cv::RNG random(static_cast<std::uint64_t>(i) + 1);
            cv::Mat rough(24, 32, CV_8UC3), grain(375, 500, CV_8UC3), photo;
            random.fill(rough, cv::RNG::UNIFORM, 0, 256);
            random.fill(grain, cv::RNG::NORMAL, 0, 12);
            cv::resize(rough, photo, {500, 375}, 0, 0, cv::INTER_CUBIC);
            cv::add(photo, grain, photo);
            cv::imwrite(path(i), photo, {cv::IMWRITE_JPEG_QUALITY, 92});
        }
    }
    std::int64_t size() const override { return kFiles; }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override { return readImageFile(path(index)); }
    const fs::path& folder() const { return folder_.path(); }

private:
    std::string path(std::int64_t index) const { return (folder_.path() / (std::to_string(index) + ".jpg")).string(); }

    ScratchFolder folder_{"bench"};
    std::vector<std::int32_t> labels_;
};

const std::shared_ptr<PhotoFolder>& photos() {
    static const auto folder = std::make_shared<PhotoFolder>();
    return folder;
}

void decode(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) photos()->image(i % kFiles);
}

EngineBenchmark loading(const std::string& name, int side, bool train) {
    return {"load, " + name + ", 500x375 to " + std::to_string(side),
            [=](std::int64_t count) {
                static const cv::Mat photo = photos()->image(0);
                for (std::int64_t i = 0; i < count; ++i) loadedImage(photo, LoadShape::Native, side, train, Random(1));
            },
            1};
}

EngineBenchmark augmenting(const std::string& name, const Augment& augment) {
    return {"augment, " + name + ", batch of 32 at 224",
            [=](std::int64_t count) {
                prepareCompute("cpu", "float32", 1);
                static const Tensor bytes = at::randint(256, {kReadBatch, 3, kSide, kSide}, at::kByte);
                for (std::int64_t i = 0; i < count; ++i)
                    augmented(bytes, augment, Random(1, 0, static_cast<std::uint64_t>(i)));
            },
            kReadBatch};
}

/// Streams all batches on the calling thread alone.
EngineBenchmark streaming(const std::string& name, bool cached) {
    return {"stream, " + name + ", 500x375 to 224",
            [=](std::int64_t count) {
                StreamPlan plan;
                plan.sessions.emplace_back();
                for (std::int64_t i = 0; i < kFiles; ++i) plan.sessions[0].push_back(i);
                StreamSource::Settings settings;
                settings.image_size = kSide;
                settings.batch_size = kReadBatch;
                settings.deviation = {1, 1, 1};
                if (cached)
                    settings.cache =
                        PictureCache::open(photos()->folder() / "cache",
                                           {"photos", kFiles, LoadShape::Native, kSide, true}, std::int64_t{1} << 30);
                for (std::int64_t i = 0; i < count; ++i) {
                    StreamSource source(photos(), std::make_shared<StreamPlan>(plan), settings);
                    for (std::int64_t batch = 1; batch <= kFiles / kReadBatch; ++batch) source.open(batch, {});
                }
            },
            kFiles};
}

}  // namespace

std::vector<EngineBenchmark> dataBenchmarks() {
    Augment automatic, each;
    automatic.policy = each.policy = AutoAugmentPolicy::ImageNet;
    each.scope = Augment::Image;
    return {{"read and decode, JPEG 500x375", decode, 1},
            loading("for training", kSide, true),
            loading("for testing", kSide, false),
            loading("for training", 32, true),
            loading("for testing", 32, false),
            augmenting("crop and flip", Augment::CropFlip),
            augmenting("AutoAugment", automatic),
            augmenting("AutoAugment image by image", each),
            streaming("from JPEG files", false),
            streaming("from the picture cache", true)};
}

}  // namespace palimpsest
