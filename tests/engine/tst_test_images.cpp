// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <unistd.h>
#include <QTemporaryDir>
#include <fstream>

#include "engine/data/test_images.h"
#include "engine/support/error.h"
#include "tests/support/shade_table.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_test_images {

using testing::NoiseTable;
using testing::ShadeTable;

namespace {

TestImages::Settings settings(std::int64_t side = 8) {
    TestImages::Settings s;
    s.image_size = side;
    s.mean = {0.5F, 0.5F, 0.5F};
    s.deviation = {0.5F, 0.5F, 0.5F};
    return s;
}

/// Bytes of this process in memory.
std::int64_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    std::int64_t size = 0, resident = 0;
    in >> size >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

long shade(const Tensor& image) {
    return std::lround((image[0][3][3].item<float>() * 0.5F + 0.5F) * 255);
}

}  // namespace

class TestTestImages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void memoryIsTakenOnlyForImagesThatAreRead() {
        const auto table = std::make_shared<ShadeTable>(1024);
        const std::int64_t before = residentBytes();
        TestImages images(table, settings(256));
        const std::vector<std::int64_t> one = {1000};
        QCOMPARE(shade(images.images(one).images[0]), 1000L % 256);
        QVERIFY(residentBytes() - before < 1024 * 3 * 256 * 256 / 4);
    }

    void keptImagesAreReadOnce_data() {
        QTest::addColumn<qint64>("memory");
        QTest::addColumn<bool>("cached");
        QTest::addColumn<qint64>("reads");
        QTest::newRow("in memory") << (qint64{1} << 30) << false << qint64{3};
        QTest::newRow("too large for the memory") << qint64{100} << false << qint64{9};
        QTest::newRow("on the disk") << (qint64{1} << 30) << true << qint64{3};
        QTest::newRow("on the disk, too large for the memory") << qint64{100} << true << qint64{3};
    }
    void keptImagesAreReadOnce() {
        QFETCH(qint64, memory);
        QFETCH(bool, cached);
        QFETCH(qint64, reads);
        const QTemporaryDir folder;
        const auto table = std::make_shared<ShadeTable>(9);
        TestImages::Settings s = settings();
        s.memory = memory;
        if (cached)
            s.cache = PictureCache::open(folder.path().toStdString(), {"x", 9, LoadShape::Native, 8, false}, 1 << 20);
        TestImages images(table, s);
        const std::vector<std::int64_t> some = {8, 0, 3};
        for (int i = 0; i < 3; ++i) images.images(some);
        QCOMPARE(table->read(), reads);
    }

    void theNumbersAreTheSameWhereverTheyComeFrom_data() {
        QTest::addColumn<int>("shape");
        for (const auto& [name, shape] : {std::pair("native", LoadShape::Native),
                                          {"square", LoadShape::Square},
                                          {"random crop", LoadShape::ShortSideCrop},
                                          {"centre crop", LoadShape::ShortSideCentre}})
            QTest::newRow(name) << static_cast<int>(shape);
    }
    void theNumbersAreTheSameWhereverTheyComeFrom() {
        QFETCH(int, shape);
        const QTemporaryDir folder;
        const auto table = std::make_shared<NoiseTable>(9, std::set<std::int64_t>{3});
        TestImages::Settings s = settings();
        s.load_shape = static_cast<LoadShape>(shape);
        TestImages kept(table, s);
        s.memory = 0;
        TestImages fresh(table, s);
        s.pool = std::make_shared<ReadPool>(3);
        TestImages pooled(table, s);
        s.cache = PictureCache::open(folder.path().toStdString(), {"x", 9, s.load_shape, 8, false}, 1 << 20);
        TestImages filling(table, s), filled(table, s);
        const std::vector<std::int64_t> some = {8, 0, 3, 7}, readable = {8, 0, 7}, other = {1, 8};
        const ShownImages expected = fresh.images(some), second = fresh.images(other);
        for (TestImages* images : {&kept, &fresh, &pooled, &filling, &filled})
            for (int round = 0; round < 2; ++round) {
                images->expect(some);
                const ShownImages shown = images->images(some);
                QCOMPARE(shown.samples, readable);
                QVERIFY(shown.images.equal(expected.images));
                images->expect(some);  // differs from the next request
                QVERIFY(images->images(other).images.equal(second.images));
            }
        // An image has one crop in a run, independent of the requests.
        QVERIFY(expected.images[0].equal(second.images[1]));
    }

    void unreadableImagesAreToldOnceAndNotTriedAgain() {
        const auto table = std::make_shared<ShadeTable>(9, std::set<std::int64_t>{3, 5});
        TestImages images(table, settings());
        QStringList reported;
        images.unreadable().listen(
            [&](const UnreadableImage& image) { reported << QString::fromStdString(image.name); });
        const std::vector<std::int64_t> some = {3, 4, 5}, none = {3, 5};
        QCOMPARE(images.images(some).samples, std::vector<std::int64_t>{4});
        const std::int64_t reads = table->read();
        QCOMPARE(images.images(some).samples, std::vector<std::int64_t>{4});
        QVERIFY(images.images(none).samples.empty());
        QCOMPARE(reported, (QStringList{"shade 3.png", "shade 5.png"}));
        QCOMPARE(table->read(), reads);
    }

    void mostlyUnreadableImagesEndTheRun() {
        std::set<std::int64_t> broken;
        for (std::int64_t i = 0; i < 6; ++i) broken.insert(i);
        TestImages::Settings s = settings();
        s.place = "/data/birds";
        TestImages images(std::make_shared<ShadeTable>(10, broken), s);
        const std::vector<std::int64_t> five = {0, 1, 2, 3, 4}, rest = {5, 6, 7, 8, 9};
        QVERIFY(images.images(five).samples.empty());  // half of ten, not more
        try {
            images.images(rest);
            QFAIL("the sixth should have been one too many");
        } catch (const Error& error) {
            QVERIFY(error.kind() == ErrorKind::Run);
            QCOMPARE(QString(error.what()),
                     QString("More than half of the first 10 test images of /data/birds cannot be "
                             "read, shade 5.png among them."));
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestTestImages)

}  // namespace tst_test_images

#include "tst_test_images.moc"
