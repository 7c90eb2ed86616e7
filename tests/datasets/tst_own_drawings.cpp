// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <map>
#include <opencv2/imgcodecs.hpp>

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/support/own_drawings.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_own_drawings {

namespace fs = std::filesystem;

class TestOwnDrawings : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    fs::path place(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }

    static void draw(const fs::path& folder, int count) {
        fs::create_directories(folder);
        for (int i = 0; i < count; ++i) {
            const cv::Mat picture(32, 32, CV_8UC3, cv::Scalar(10 * i, 20, 30));
            QVERIFY(cv::imwrite((folder / (std::to_string(100 + i) + ".png")).string(), picture));
        }
    }

    /// Classes a, b and c with so many drawings to test with.
    fs::path drawings(const char* name, const std::vector<int>& tests, const DrawingsBase& base = {"glyphs"}) const {
        const fs::path root = place(name);
        for (std::size_t c = 0; c < tests.size(); ++c) {
            const std::string own(1, static_cast<char>('a' + c));
            draw(root / kDrawingsTrain / own, 2);
            draw(root / kDrawingsTest / own, tests[c]);
        }
        writeDrawingsBase(root, base);
        return root;
    }

private Q_SLOTS:
    void drawingsOfAllClassesAreWatched() {
        const ImageDataset data = openDataset({.name = kOwnDrawings,
                                               .root = drawings("many", {40, 30, 3}),
                                               .classes = 4,
                                               .train_limit = 20,
                                               .test_limit = 8});
        QCOMPARE(data.watched.size(), kMostWatched);
        QVERIFY(std::ranges::is_sorted(data.watched));
        std::map<std::int32_t, int> classes;
        for (const std::int64_t image : data.watched) ++classes[data.test->labels()[static_cast<std::size_t>(image)]];
        QCOMPARE(classes, (std::map<std::int32_t, int>{{4, 7}, {5, 6}, {6, 3}}));
    }

    void classesAreNotPassedOver() {
        DatasetRequest request{.name = kOwnDrawings, .root = drawings("base", {1}), .classes = 3, .test_limit = 6};
        const ImageDataset plain = openDataset(request);
        request.first_class = 2;
        const ImageDataset asked = openDataset(request);
        QCOMPARE(asked.class_names, plain.class_names);
        QCOMPARE(openLabels(request).class_names, plain.class_names);
        for (std::int64_t i = 0; i < plain.test->size(); ++i) QVERIFY(same(asked.test->image(i), plain.test->image(i)));
    }

    void whatIsTakenOfABaseMakesAnotherIdentity() {
        for (const char* own : {"cats", "dogs"}) {
            draw(place("photographs/train") / own, 5);
            draw(place("photographs/test") / own, 3);
        }
        const fs::path root = drawings("on photographs", {1}, {"folder", place("photographs")});
        const auto identityOf = [&](std::int64_t classes, std::int64_t limit) {
            return openDataset({.name = kOwnDrawings, .root = root, .classes = classes, .train_limit = limit})
                .train->identity();
        };
        const std::string whole = identityOf(0, 0);
        QVERIFY(!whole.empty());
        QCOMPARE(identityOf(0, 0), whole);
        QVERIFY(identityOf(1, 0) != whole);
        QVERIFY(identityOf(0, 4) != whole);
        draw(root / kDrawingsTrain / "z", 1);
        draw(root / kDrawingsTest / "z", 1);
        QVERIFY(identityOf(0, 0) != whole);
    }
};

PALIMPSEST_APPLESS_TEST(TestOwnDrawings)

}  // namespace tst_own_drawings

#include "tst_own_drawings.moc"
