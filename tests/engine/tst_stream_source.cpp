// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <unistd.h>
#include <QTemporaryDir>
#include <fstream>
#include <latch>

#include "engine/data/stream_source.h"
#include "engine/support/error.h"
#include "tests/support/shade_table.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_stream_source {

using testing::NoiseTable;
using testing::ShadeTable;

namespace {

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

/// Bytes of this process in memory.
std::int64_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    std::int64_t size = 0, resident = 0;
    in >> size >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

/// All tensors that a run of 6 batches with replay gets.
std::vector<Tensor> everything(const StreamSource::Settings& settings, const std::shared_ptr<ShadeTable>& table) {
    const auto plan = planOf({{7, 3, 9, 4, 5}, {6, 11, 2, 0}});
    const std::vector<std::vector<std::int64_t>> batches = {{7, 3}, {9, 4}, {5}, {6, 11}, {2, 0}};
    StreamSource source(table, plan, settings);
    std::vector<Tensor> all;
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const auto batch = static_cast<std::int64_t>(b) + 1;
        const std::vector<std::int64_t> kept = source.open(batch, batches[b]);
        const std::vector<std::vector<std::int64_t>> replay = {{}, {8, 1, 12}, {12, 7}};
        if (b % 2 == 0) source.expect(batch, replay);
        for (std::size_t u = 0; u < replay.size(); ++u) {
            const ShownImages shown = source.images(batch, static_cast<std::int64_t>(u), kept, replay[u]);
            all.push_back(shown.images);
            all.push_back(at::tensor(shown.samples, at::kLong));
        }
    }
    return all;
}

}  // namespace

class TestStreamSource : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void batchesComeInStreamOrderAndEndWithTheSession() {
        StreamSource source(std::make_shared<ShadeTable>(20), planOf({{7, 3, 9}, {}, {4}}), settings());
        const std::vector<std::vector<std::int64_t>> expected = {{7, 3}, {9}, {4}};
        for (std::size_t b = 0; b < expected.size(); ++b) {
            const Tensor images = source.images(static_cast<std::int64_t>(b) + 1, 0, expected[b], {}).images;
            for (std::size_t i = 0; i < expected[b].size(); ++i)
                QCOMPARE(std::lround(images[static_cast<std::int64_t>(i)][0][0][0].item<float>() * 255),
                         static_cast<long>(expected[b][i]));
        }
    }

    void sessionsArePassedOverAsOftenAsAsked() {
        StreamSource::Settings twice = settings();
        twice.passes = 2;
        StreamSource source(std::make_shared<ShadeTable>(20), planOf({{7, 3, 9}, {}, {4}}), twice);
        const std::vector<std::vector<std::int64_t>> expected = {{7, 3}, {9}, {7, 3}, {9}, {4}, {4}};
        for (std::size_t b = 0; b < expected.size(); ++b)
            QCOMPARE(source.open(static_cast<std::int64_t>(b) + 1, expected[b]), expected[b]);
        QVERIFY_EXCEPTION_THROWN(source.open(7, {}), Error);
    }

    void batchesThatNobodyAsksForAreNotRead() {
        const auto table = std::make_shared<NoiseTable>(20);
        const auto plan = planOf({{7, 3, 9}, {5, 4}, {6}});
        StreamSource::Settings whole = settings(Augment::CropFlip), rest = whole;
        rest.passed_over = 3;
        StreamSource first(table, plan, whole);
        for (const std::int64_t batch : {1, 2, 3, 4}) first.open(batch, {});
        const std::vector<std::int64_t> sample = {6};
        const Tensor expected = first.images(4, 1, sample, {}).images;
        const std::int64_t before = table->read();
        StreamSource later(table, plan, rest);
        QVERIFY(at::equal(later.images(4, 1, sample, {}).images, expected));
        QCOMPARE(table->read() - before, std::int64_t{1});
    }

    void plainImagesAreNotVaried() {
        StreamSource varied(std::make_shared<NoiseTable>(20), planOf({{7, 3}}), settings(Augment::CropFlip));
        StreamSource same(std::make_shared<NoiseTable>(20), planOf({{7, 3}}), settings());
        const std::vector<std::int64_t> stream = {7, 3}, other = {3};
        varied.open(1, stream);
        const Tensor expected = same.images(1, 0, stream, {}).images;
        QVERIFY(varied.plain(stream).images.equal(expected));
        QVERIFY(varied.plain(other).images.equal(expected.narrow(0, 1, 1)));
        QCOMPARE(varied.plain(other).samples, other);
        bool differs = false;
        for (std::int64_t update = 0; update < 5; ++update)
            differs |= !expected.equal(varied.images(1, update, stream, {}).images);
        QVERIFY(differs);
    }

    void imagesOfTheSameViewAreTheSamePixels() {
        Augment each(Augment::CropFlip);
        each.scope = Augment::Image;
        const std::vector<std::int64_t> stream = {7, 3}, replay = {11, 7};
        for (const Augment& augment : {Augment(Augment::None), Augment(Augment::CropFlip), each}) {
            StreamSource source(std::make_shared<NoiseTable>(20), planOf({{7, 3}}), settings(augment));
            std::map<std::int64_t, Tensor> seen;
            int again = 0;
            const auto look = [&](const ShownImages& shown) {
                QCOMPARE(shown.views.size(), shown.samples.size());
                for (std::size_t i = 0; i < shown.views.size(); ++i) {
                    const Tensor image = shown.images[static_cast<std::int64_t>(i)];
                    const auto [place, fresh] = seen.emplace(shown.views[i], image);
                    again += !fresh;
                    QVERIFY(place->second.equal(image));
                }
            };
            for (std::int64_t update = 0; update < 20; ++update) {
                look(source.images(1, update, stream, replay));
                look(source.past(1, update, replay));
            }
            look(source.plain(stream));
            look(source.plain(replay));
            QVERIFY(again > 20);
            QVERIFY(seen.size() >= 3);
        }
    }

    void cropsThatAreDrawnAtEachReadingHaveNoView() {
        StreamSource::Settings drawn = settings();
        drawn.load_shape = LoadShape::ShortSideCrop;
        StreamSource source(std::make_shared<NoiseTable>(20), planOf({{7, 3}}), drawn);
        const std::vector<std::int64_t> stream = {7, 3}, replay = {11};
        QVERIFY(source.images(1, 0, stream, replay).views.empty());
        QVERIFY(source.plain(stream).views.empty());
    }

    /// CLIB requests them in the order of its slots.
    void plainImagesOfTheBatchAreNotReadAgain() {
        const auto table = std::make_shared<NoiseTable>(20);
        StreamSource::Settings s = settings();
        s.batch_size = 3;
        s.load_shape = LoadShape::ShortSideCrop;
        StreamSource source(table, planOf({{7, 3, 9}}), s);
        const std::vector<std::int64_t> stream = {7, 3, 9}, some = {9, 7}, mixed = {9, 4};
        const Tensor shown = source.images(1, 0, stream, {}).images;
        const std::int64_t before = table->read();
        const ShownImages got = source.plain(some);
        QCOMPARE(table->read(), before);
        QCOMPARE(got.samples, some);
        QVERIFY(got.images.equal(at::stack({shown[2], shown[0]})));
        QCOMPARE(source.plain(mixed).samples, mixed);
        QCOMPARE(table->read(), before + 2);
        QVERIFY(source.plain(mixed).images.equal(source.plain(mixed).images));
    }

    void replayedSamplesFollowTheStream() {
        StreamSource source(std::make_shared<ShadeTable>(20), planOf({{7, 3}}), settings());
        const std::vector<std::int64_t> stream = {7, 3}, replay = {11};
        const Tensor images = source.images(1, 0, stream, replay).images;
        QCOMPARE(images.size(0), std::int64_t{3});
        QCOMPARE(std::lround(images[2][1][3][3].item<float>() * 255), 11L);
    }

    void whatIsReplayedByItselfComesAsAskedForWhetherAnnouncedOrNot() {
        const std::vector<std::int64_t> stream = {7, 3}, replay = {11, 8}, other = {8, 1};
        std::vector<Tensor> shown;
        for (const bool announced : {false, true}) {
            StreamSource source(std::make_shared<ShadeTable>(20), planOf({{7, 3}}), settings(Augment::CropFlip));
            source.open(1, stream);
            if (announced) source.expect(1, {replay, other});
            const ShownImages past = source.past(1, 0, replay);
            QCOMPARE(past.samples, replay);
            shown.push_back(past.images);
            QCOMPARE(source.images(1, 0, stream, {}).images.size(0), std::int64_t{2});
            QCOMPARE(source.past(1, 1, other).samples, other);
            // The number is far beyond the updates of any batch, as in the work after a session.
            const Tensor far = source.past(1, 1 << 20, replay).images;
            QVERIFY(source.past(1, 1 << 20, replay).images.equal(far));
            int different = 0;
            for (std::int64_t i = 1; i < 10; ++i) different += !source.past(1, (1 << 20) + i, replay).images.equal(far);
            QVERIFY(different > 0);
        }
        QVERIFY(shown[0].equal(shown[1]));
    }

    void augmentationBelongsToBatchAndUpdateAlone() {
        const auto plan = planOf({{7, 3, 9, 4, 5, 6}});
        const std::vector<std::int64_t> first = {7, 3}, second = {9, 4};
        StreamSource a(std::make_shared<ShadeTable>(20), plan, settings(Augment::CropFlip));
        StreamSource b(std::make_shared<ShadeTable>(20), plan, settings(Augment::CropFlip));
        for (int i = 0; i < 5; ++i) a.images(1, i, first, {});  // earlier updates must not change anything
        b.images(1, 0, first, {});
        QVERIFY(a.images(2, 1, second, {}).images.equal(b.images(2, 1, second, {}).images));
    }

    void augmentationDiffersBetweenUpdates() {
        Tensor bytes = at::arange(0, 2 * 3 * 64).reshape({2, 3, 8, 8}).to(at::kByte);
        int different = 0;
        for (std::uint64_t u = 0; u < 20; ++u)
            different += !augmented(bytes, Augment::CropFlip, Random(1, 4, 1, u)).equal(bytes);
        QVERIFY(different > 10);
        QVERIFY(augmented(bytes, Augment::None, Random(1)).equal(bytes));
    }

    void theNumbersAreTheSameWhateverReadsThem_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("threads");
        QTest::addColumn<bool>("cached");
        QTest::addColumn<qint64>("ahead");
        QTest::addColumn<bool>("there");
        for (const auto& [name, shape] : {std::pair("native", LoadShape::Native),
                                          {"square", LoadShape::Square},
                                          {"random crop", LoadShape::ShortSideCrop}})
            for (const int threads : {0, 1, 4})
                for (const bool cached : {false, true})
                    for (const qint64 ahead : {qint64{1}, qint64{1} << 20})
                        QTest::addRow("%s, %d threads, %s, %lld bytes ahead", name, threads,
                                      cached ? "cache" : "no cache", static_cast<long long>(ahead))
                            << static_cast<int>(shape) << threads << cached << ahead << false;
        for (const int threads : {0, 4})
            for (const qint64 ahead : {qint64{1}, qint64{1} << 20})
                QTest::addRow("varied on the device, %d threads, %lld bytes ahead", threads,
                              static_cast<long long>(ahead))
                    << static_cast<int>(LoadShape::Native) << threads << false << ahead << true;
    }
    void theNumbersAreTheSameWhateverReadsThem() {
        QFETCH(int, shape);
        QFETCH(int, threads);
        QFETCH(bool, cached);
        QFETCH(qint64, ahead);
        QFETCH(bool, there);
        const auto table = std::make_shared<NoiseTable>(20, std::set<std::int64_t>{4, 12}, "noise");
        StreamSource::Settings s = settings(Augment::CropFlip);
        s.load_shape = static_cast<LoadShape>(shape);
        const std::vector<Tensor> expected = everything(s, table);
        s.pool = std::make_shared<ReadPool>(threads);
        s.ahead_bytes = ahead;
        s.vary_on_device = there;
        const QTemporaryDir folder;
        // The cache is full in the second round.
        for (int round = 0; round < (cached ? 2 : 1); ++round) {
            if (cached && s.load_shape != LoadShape::ShortSideCrop)
                s.cache =
                    PictureCache::open(folder.path().toStdString(), {"noise", 20, s.load_shape, 8, true}, 1 << 20);
            const std::int64_t before = table->read();
            const std::vector<Tensor> got = everything(s, table);
            QCOMPARE(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i) QVERIFY(got[i].equal(expected[i]));
            // All but the unreadable ones came from the cache.
            if (s.cache && round == 1) QVERIFY(table->read() - before <= 1 + 2 * 5);
        }
    }

    void randomCropsDifferBetweenUpdatesAndSeeds() {
        const auto table = std::make_shared<NoiseTable>(20);
        const std::vector<std::int64_t> stream = {7, 3}, replay = {7, 11};
        StreamSource::Settings s = settings();
        s.load_shape = LoadShape::ShortSideCrop;
        const auto shown = [&](std::uint64_t seed, std::int64_t update) {
            s.seed = seed;
            return StreamSource(table, planOf({{7, 3}}), s).images(1, update, stream, replay).images;
        };
        int replays = 0, streams = 0, seeds = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            QVERIFY(shown(seed, 0).equal(shown(seed, 0)));
            replays += !shown(seed, 0)[2].equal(shown(seed, 1)[2]);
            streams += !shown(seed, 0)[0].equal(shown(seed, 1)[0]);
            seeds += !shown(seed, 0)[0].equal(shown(seed + 1, 0)[0]);
        }
        QCOMPARE(streams, 0);  // read once a batch, as published
        QVERIFY(replays > 10);
        QVERIFY(seeds > 10);
    }

    void unreadableImagesAreLeftOutAndTold() {
        StreamSource::Settings s = settings();
        s.pool = std::make_shared<ReadPool>(3);
        StreamSource source(std::make_shared<ShadeTable>(300, std::set<std::int64_t>{5, 8, 9}),
                            planOf({{7, 5}, {8, 9}, upTo(200)}), s);
        QStringList reported;
        source.unreadable().listen(
            [&](const UnreadableImage& image) { reported << QString::fromStdString(image.text()); });
        const std::vector<std::int64_t> first = {7, 5}, second = {8, 9};
        QCOMPARE(source.open(1, first), std::vector<std::int64_t>{7});
        QCOMPARE(source.open(2, second), std::vector<std::int64_t>{});
        const std::vector<std::int64_t> kept = {7}, replay = {9, 11, 8};
        QCOMPARE(reported, (QStringList{"The picture shade 5.png cannot be decoded. The image is left out.",
                                        "The picture shade 8.png cannot be decoded. The image is left out.",
                                        "The picture shade 9.png cannot be decoded. The image is left out."}));
        StreamSource again(std::make_shared<ShadeTable>(20, std::set<std::int64_t>{5, 8, 9}), planOf({{7, 5}, {1, 2}}),
                           s);
        const ShownImages shown = again.images(1, 0, kept, replay);
        QCOMPARE(shown.samples, (std::vector<std::int64_t>{7, 11}));
        QCOMPARE(std::lround(shown.images[1][0][0][0].item<float>() * 255), 11L);
        QCOMPARE(again.unreadable().count(), std::int64_t{3});
        QCOMPARE(again.thumbnails(1, kept).size(), std::size_t{1});
    }

    void otherFaultsReachTheOneWhoWaits() {
        const auto table = std::make_shared<ShadeTable>(20);
        table->before = [](std::int64_t index) {
            if (index == 5) throw std::bad_alloc();
        };
        StreamSource::Settings s = settings();
        s.pool = std::make_shared<ReadPool>(2);
        StreamSource source(table, planOf({{7, 3, 5, 1}}), s);
        const std::vector<std::int64_t> first = {7, 3}, second = {5, 1};
        source.images(1, 0, first, {});
        QVERIFY_EXCEPTION_THROWN(source.images(2, 0, second, {}), std::bad_alloc);
    }

    void batchesOutOfOrderAreRefused() {
        StreamSource source(std::make_shared<ShadeTable>(20), planOf({{7, 3, 5, 1}}), settings());
        const std::vector<std::int64_t> first = {7, 3}, second = {5, 1};
        QVERIFY_EXCEPTION_THROWN(source.images(1, 0, second, {}), Error);
        source.open(2, second);
        QVERIFY_EXCEPTION_THROWN(source.open(1, first), Error);
        QVERIFY_EXCEPTION_THROWN(source.open(3, first), Error);
    }

    void aSourceThatGoesDoesNotWaitForAPictureInProgress() {
        std::latch busy(1), ready(1);
        const auto table = std::make_shared<ShadeTable>(20);
        table->before = [&](std::int64_t) {
            busy.count_down();
            ready.wait();
        };
        StreamSource::Settings s = settings();
        s.pool = std::make_shared<ReadPool>(1);
        auto source = std::make_unique<StreamSource>(table, planOf({upTo(20)}), s);
        busy.wait();
        source.reset();  // would block if it waited for the picture
        ready.count_down();
        s.pool.reset();
        QCOMPARE(table->read(), std::int64_t{1});
    }

    void unfinishedSourceEndsAtOnce() {
        std::vector<std::int64_t> many(10'000);
        for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i % 20);
        StreamSource::Settings s = settings();
        s.pool = std::make_shared<ReadPool>(2);
        StreamSource source(std::make_shared<ShadeTable>(20), planOf({many}), s);
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
        const auto table = std::make_shared<ShadeTable>(20);
        StreamSource::Settings s = settings();
        s.ahead_bytes = bytes;
        s.pool = std::make_shared<ReadPool>(2);
        {
            const StreamSource source(table, planOf({upTo(20)}), s);
            QTRY_COMPARE(table->read(), most);
        }
        s.pool = std::make_shared<ReadPool>(2);
        QCOMPARE(table->read(), most);
        StreamSource source(table, planOf({upTo(20)}), s);
        for (std::int64_t b = 0; b < 10; ++b) {
            const std::vector<std::int64_t> batch = {2 * b, 2 * b + 1};
            QCOMPARE(source.images(b + 1, 0, batch, {}).images.size(0), std::int64_t{2});
        }
    }

    void thumbnailsAreFewAndSmall() {
        StreamSource::Settings s = settings();
        s.image_size = 96;
        s.batch_size = 100;
        StreamSource source(std::make_shared<ShadeTable>(100), planOf({upTo(100)}), s);
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
        StreamSource source(std::make_shared<ShadeTable>(20), planOf({{7, 3}}), settings());
        const std::vector<std::int64_t> stream = {7, 3};
        const auto pictures = source.thumbnails(1, stream);
        QCOMPARE(pictures.size(), std::size_t{2});
        QCOMPARE(pictures[1].size, 8);
        QCOMPARE(static_cast<int>(pictures[1].rgb.back()), 3);
    }

    void memoryStaysTheSameHoweverLongTheStream() {
        constexpr std::int64_t kImages = 100'000, kEarly = 10'000, kBatch = 32;
        StreamSource::Settings s = settings(Augment::CropFlip);
        s.image_size = 32;
        s.batch_size = kBatch;
        s.pool = std::make_shared<ReadPool>(2);
        const auto table = std::make_shared<ShadeTable>(kImages);
        StreamSource source(table, planOf({upTo(kImages)}), s);
        std::int64_t early = 0, late = 0;
        for (std::int64_t first = 0; first < kImages; first += kBatch) {
            const std::int64_t batch = first / kBatch + 1;
            const std::vector<std::int64_t> kept = source.open(batch, {});
            std::vector<std::int64_t> replay;
            for (std::int64_t i = 0; first > 0 && i < 8; ++i) replay.push_back((first * 7 + i * 13) % first);
            source.expect(batch, {replay});
            const ShownImages shown = source.images(batch, 0, kept, replay);
            QCOMPARE(shown.samples.size(), kept.size() + replay.size());
            if (batch % 16 == 0)
                (first < kEarly ? early : late) = std::max(first < kEarly ? early : late, residentBytes());
        }
        qInfo("at most %.1f MB resident in the first 10,000 images, %.1f MB in the other 90,000",
              static_cast<double>(early) / 1e6, static_cast<double>(late) / 1e6);
        QVERIFY(early > 0);
        // The limit is a twentieth of the other pictures' size: 150 bytes an image would be detected.
        QVERIFY2(late - early < (kImages - kEarly) * 3 * 32 * 32 / 20, qPrintable(QString::number(late - early)));
    }
};

PALIMPSEST_GUILESS_TEST(TestStreamSource)

}  // namespace tst_stream_source

#include "tst_stream_source.moc"
