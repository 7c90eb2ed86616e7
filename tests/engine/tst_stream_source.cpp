// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <unistd.h>

#include <atomic>
#include <fstream>

#include "engine/data/image_tensor.h"
#include "engine/data/stream_source.h"
#include "engine/data/test_images.h"
#include "engine/support/error.h"

using namespace palimpsest;

namespace {

/// Small pictures whose shade tells their index; one of them may be unreadable.
class Shades : public ImageTable {
public:
    explicit Shades(std::int64_t count, std::int64_t broken = -1) : labels_(static_cast<std::size_t>(count)), broken_(broken) {
        for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i % 3);
    }
    std::int64_t size() const override { return static_cast<std::int64_t>(labels_.size()); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override {
        if (index == broken_) throw inputError("Picture 5 cannot be decoded.", "Remove it.");
        ++read_;
        return cv::Mat(8, 8, CV_8UC1, cv::Scalar(static_cast<double>(index)));
    }

    std::int64_t read() const { return read_; }

private:
    std::vector<std::int32_t> labels_;
    std::int64_t broken_;
    mutable std::atomic<std::int64_t> read_{0};
};

std::shared_ptr<StreamPlan> planOf(std::vector<std::vector<std::int64_t>> sessions) {
    auto plan = std::make_shared<StreamPlan>();
    plan->sessions = std::move(sessions);
    return plan;
}

StreamSource::Settings settings(Augment augment = Augment::None) {
    StreamSource::Settings s;
    s.image_size = 8;
    s.batch_size = 2;
    s.augment = augment;
    s.mean = {0, 0, 0};
    s.deviation = {1, 1, 1};
    return s;
}

std::vector<std::int64_t> upTo(std::int64_t count) {
    std::vector<std::int64_t> samples(static_cast<std::size_t>(count));
    std::iota(samples.begin(), samples.end(), std::int64_t{0});
    return samples;
}

/// Bytes of this process that lie in memory.
std::int64_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    std::int64_t size = 0, resident = 0;
    in >> size >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace

class TestStreamSource : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void batchesComeInStreamOrderAndEndWithTheSession() {
        StreamSource source(std::make_shared<Shades>(20), planOf({{7, 3, 9}, {}, {4}}), settings());
        const std::vector<std::vector<std::int64_t>> expected = {{7, 3}, {9}, {4}};
        for (std::size_t b = 0; b < expected.size(); ++b) {
            const Tensor images = source.images(static_cast<std::int64_t>(b) + 1, 0, expected[b], {});
            for (std::size_t i = 0; i < expected[b].size(); ++i)
                QCOMPARE(std::lround(images[static_cast<std::int64_t>(i)][0][0][0].item<float>() * 255),
                         static_cast<long>(expected[b][i]));
        }
    }

    void replayedSamplesFollowTheStream() {
        StreamSource source(std::make_shared<Shades>(20), planOf({{7, 3}}), settings());
        const std::vector<std::int64_t> stream = {7, 3}, replay = {11};
        const Tensor images = source.images(1, 0, stream, replay);
        QCOMPARE(images.size(0), std::int64_t{3});
        QCOMPARE(std::lround(images[2][1][3][3].item<float>() * 255), 11L);
    }

    void augmentationBelongsToBatchAndUpdateAlone() {
        const auto plan = planOf({{7, 3, 9, 4, 5, 6}});
        const std::vector<std::int64_t> first = {7, 3}, second = {9, 4};
        StreamSource a(std::make_shared<Shades>(20), plan, settings(Augment::CropFlip));
        StreamSource b(std::make_shared<Shades>(20), plan, settings(Augment::CropFlip));
        for (int i = 0; i < 5; ++i) a.images(1, i, first, {});  // more updates before must change nothing
        b.images(1, 0, first, {});
        QVERIFY(a.images(2, 1, second, {}).equal(b.images(2, 1, second, {})));
    }

    void augmentationDiffersBetweenUpdates() {
        Tensor bytes = at::arange(0, 2 * 3 * 64).reshape({2, 3, 8, 8}).to(at::kByte);
        int different = 0;
        for (std::uint64_t u = 0; u < 20; ++u)
            different += !augmented(bytes, Augment::CropFlip, Random(1, 4, 1, u)).equal(bytes);
        QVERIFY(different > 10);
        QVERIFY(augmented(bytes, Augment::None, Random(1)).equal(bytes));
    }

    void faultOfTheReadingThreadReachesTheOneWhoWaits() {
        StreamSource source(std::make_shared<Shades>(20, 5), planOf({{7, 3, 5, 1}}), settings());
        const std::vector<std::int64_t> first = {7, 3}, second = {5, 1};
        source.images(1, 0, first, {});
        QVERIFY_EXCEPTION_THROWN(source.images(2, 0, second, {}), Error);
    }

    void unfinishedSourceEndsAtOnce() {
        std::vector<std::int64_t> many(10'000);
        for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i % 20);
        StreamSource source(std::make_shared<Shades>(20), planOf({many}), settings());
        QCOMPARE(source.label(4), 1);
    }

    void readingAheadIsBoundedInBytes_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("most");
        constexpr qint64 kBatch = 2 * 3 * 8 * 8;
        QTest::newRow("one batch whatever its size") << qint64{1} << qint64{2};
        QTest::newRow("two batches and a half") << kBatch * 5 / 2 << qint64{4};
        QTest::newRow("four batches when there is room") << kBatch * 100 << qint64{8};
    }
    void readingAheadIsBoundedInBytes() {
        QFETCH(qint64, bytes);
        QFETCH(qint64, most);
        const auto table = std::make_shared<Shades>(20);
        StreamSource::Settings s = settings();
        s.ahead_bytes = bytes;
        // Its end waits for the reading thread, which fills its queue first.
        { const StreamSource source(table, planOf({upTo(20)}), s); }
        QVERIFY2(table->read() <= most, qPrintable(QString::number(table->read())));
        StreamSource source(table, planOf({upTo(20)}), s);
        for (std::int64_t b = 0; b < 10; ++b) {
            const std::vector<std::int64_t> batch = {2 * b, 2 * b + 1};
            QCOMPARE(source.images(b + 1, 0, batch, {}).size(0), std::int64_t{2});
        }
    }

    void thumbnailsAreFewAndSmall() {
        StreamSource::Settings s = settings();
        s.image_size = 96;
        s.batch_size = 100;
        StreamSource source(std::make_shared<Shades>(100), planOf({upTo(100)}), s);
        const auto pictures = source.thumbnails(1, upTo(100));
        QCOMPARE(pictures.size(), std::size_t{64});
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            QCOMPARE(pictures[i].size, 64);
            QCOMPARE(pictures[i].rgb.size(), std::size_t{64 * 64 * 3});
            QCOMPARE(pictures[i].label, static_cast<std::int32_t>(i % 3));
            QCOMPARE(static_cast<int>(pictures[i].rgb[5000]), static_cast<int>(i));
        }
    }

    void smallThumbnailsStayAsTheyAre() {
        StreamSource source(std::make_shared<Shades>(20), planOf({{7, 3}}), settings());
        const std::vector<std::int64_t> stream = {7, 3};
        const auto pictures = source.thumbnails(1, stream);
        QCOMPARE(pictures.size(), std::size_t{2});
        QCOMPARE(pictures[1].size, 8);
        QCOMPARE(static_cast<int>(pictures[1].rgb.back()), 3);
    }

    void testImagesTakeMemoryOnlyWhenTheyAreRead() {
        const auto table = std::make_shared<Shades>(1024);
        const std::int64_t before = residentBytes();
        TestImages images(table, 256, {0, 0, 0}, {1, 1, 1}, at::kCPU);
        const std::vector<std::int64_t> one = {1000};
        QCOMPARE(std::lround(images.images(one)[0][0][9][9].item<float>() * 255), 255L);
        QVERIFY(residentBytes() - before < 1024 * 3 * 256 * 256 / 4);
    }

    void testImagesAreTheSameKeptOrReadAgain() {
        const auto table = std::make_shared<Shades>(9);
        TestImages kept(table, 8, {0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}, at::kCPU);
        TestImages fresh(table, 8, {0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}, at::kCPU, 0);
        const std::vector<std::int64_t> some = {8, 0, 3};
        QVERIFY(kept.images(some).equal(fresh.images(some)));
        QVERIFY(kept.images(some).equal(fresh.images(some)));
    }
};

QTEST_APPLESS_MAIN(TestStreamSource)
#include "tst_stream_source.moc"
