// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/drawn/glyphs.h"
#include "engine/support/random.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <set>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_glyphs {

namespace {

cv::Mat coverageOf(char glyph, std::uint64_t instance, int side) {
    Random random(5, static_cast<std::uint64_t>(glyph), instance);
    const GlyphStyle style = glyphStyle(glyph, random);
    return glyphCoverage(glyph, style, side);
}

/// Heights of a character's ink, in pixels of 64.
std::vector<double> inkHeights(char glyph) {
    std::vector<double> heights;
    for (std::uint64_t i = 0; i < 60; ++i)
        heights.push_back(cv::boundingRect(cv::Mat(coverageOf(glyph, i, 64) > 0.3F)).height);
    return heights;
}

std::string pair(std::size_t a, std::size_t b) {
    return glyphName(kGlyphs[a]) + " and " + glyphName(kGlyphs[b]);
}

double meanOf(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

}  // namespace

class TestGlyphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void digitsAndLettersByDefault() {
        const auto data = openDataset({.name = "glyphs"});
        QCOMPARE(data.class_names.size(), std::size_t{62});
        QCOMPARE(data.class_names[3], std::string("digit 3"));
        QCOMPARE(data.class_names[10], std::string("capital A"));
        QCOMPARE(data.class_names[36], std::string("small a"));
        QCOMPARE(data.class_names[61], std::string("small z"));
        QCOMPARE(data.train->size(), 62 * 500);
        QCOMPARE(data.test->size(), 62 * 100);
        QCOMPARE(data.train->image(0).type(), CV_8UC3);
        QCOMPARE(data.train->image(0).size(), cv::Size(32, 32));
    }

    void everyPrintableCharacterIsAClassWithANameOfItsOwn() {
        const std::set<char> characters(kGlyphs.begin(), kGlyphs.end());
        QCOMPARE(characters.size(), std::size_t{94});
        QVERIFY(*characters.begin() == '!' && *characters.rbegin() == '~');
        const auto labels = openLabels({.name = "glyphs", .classes = 94});
        QCOMPARE(std::set<std::string>(labels.class_names.begin(), labels.class_names.end()).size(), std::size_t{94});
        QCOMPARE(labels.class_names[62], std::string("exclamation mark"));
        QCOMPARE(glyphName('.'), std::string("full stop"));
        QCOMPARE(glyphName('@'), std::string("at sign"));
        QCOMPARE(labels.class_names[93], std::string("tilde"));
    }

    void theSameSeedGivesTheSamePicturesInAnyOrderAndAnotherSeedOthers() {
        const auto one = openDataset({.name = "glyphs", .classes = 94, .seed = 3});
        const auto again = openDataset({.name = "glyphs", .classes = 94, .seed = 3, .train_limit = 188});
        const auto other = openDataset({.name = "glyphs", .classes = 94, .seed = 4});
        std::vector<cv::Mat> forwards;
        for (std::int64_t i = 0; i < 188; ++i) forwards.push_back(one.train->image(i));
        for (std::int64_t i = 188; i-- > 0;) {
            const cv::Mat& picture = forwards[static_cast<std::size_t>(i)];
            QVERIFY(same(again.train->image(i), picture));
            QVERIFY(!same(other.train->image(i), picture));
            QVERIFY(!same(one.test->image(i), picture));
        }
    }

    void severalThreadsGetTheSamePictures() {
        const auto data = openDataset({.name = "glyphs", .train_limit = 300});
        QCOMPARE(differencesAcrossThreads(*data.train), 0);
    }

    void everyCharacterLeavesInkWithinTheEdges_data() {
        QTest::addColumn<int>("side");
        QTest::newRow("usual") << 32;
        QTest::newRow("double") << 64;
    }
    void everyCharacterLeavesInkWithinTheEdges() {
        QFETCH(int, side);
        for (const char glyph : kGlyphs)
            for (std::uint64_t i = 0; i < 12; ++i) {
                const cv::Mat covered = coverageOf(glyph, i, side);
                QCOMPARE(covered.size(), cv::Size(side, side));
                double most = 0;
                cv::minMaxLoc(covered, nullptr, &most);
                QVERIFY2(most > 0.3 && most <= 1, glyphName(glyph).c_str());
                if (side < 64) continue;
                for (const cv::Mat& edge :
                     {covered.row(0), covered.row(side - 1), covered.col(0), covered.col(side - 1)})
                    QVERIFY2(cv::norm(edge, cv::NORM_INF) == 0, glyphName(glyph).c_str());
            }
    }

    void noTwoCharactersLookAlike() {
        constexpr std::uint64_t kHands = 40;
        std::vector<cv::Mat> means(kGlyphs.size());
        for (std::uint64_t hand = 0; hand < kHands; ++hand) {
            std::vector<cv::Mat> covered;
            std::vector<int> faces;
            for (std::size_t c = 0; c < kGlyphs.size(); ++c) {
                Random random(5, hand);
                const GlyphStyle style = glyphStyle(kGlyphs[c], random);
                faces.push_back(style.face);
                covered.push_back(glyphCoverage(kGlyphs[c], style, 32));
                if (means[c].empty()) means[c] = cv::Mat::zeros(32, 32, CV_32FC1);
                means[c] += covered[c] / static_cast<double>(kHands);
            }
            for (std::size_t a = 0; a < faces.size(); ++a)
                for (std::size_t b = 0; b < a; ++b)
                    QVERIFY2(faces[a] != faces[b] || cv::norm(covered[a], covered[b]) > 1.5, pair(a, b).c_str());
        }
        for (std::size_t a = 0; a < means.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) QVERIFY2(cv::norm(means[a], means[b]) > 1, pair(a, b).c_str());
    }

    void aCapitalIHasSerifs() {
        // Without serifs it would be the small l.
        for (std::uint64_t i = 0; i < 200; ++i) {
            Random random(7, i);
            const int face = glyphStyle('I', random).face & ~cv::FONT_ITALIC;
            QVERIFY(face != cv::FONT_HERSHEY_SIMPLEX && face != cv::FONT_HERSHEY_PLAIN &&
                    face != cv::FONT_HERSHEY_DUPLEX);
        }
    }

    void allTwelveFacesAreUsed() {
        std::set<int> faces;
        for (std::uint64_t i = 0; i < 300; ++i) {
            Random random(8, i);
            faces.insert(glyphStyle('a', random).face);
        }
        QCOMPARE(faces.size(), std::size_t{12});
    }

    void smallLettersStayLowerThanTheirCapitals_data() {
        QTest::addColumn<char>("small");
        for (const char glyph : std::string_view("cosvwxz")) QTest::addRow("%c", glyph) << glyph;
    }
    void smallLettersStayLowerThanTheirCapitals() {
        QFETCH(char, small);
        const std::vector<double> low = inkHeights(small);
        const std::vector<double> high = inkHeights(static_cast<char>(small - 'a' + 'A'));
        QVERIFY2(meanOf(low) < 0.75 * meanOf(high), qPrintable(QString("%1, %2").arg(meanOf(low)).arg(meanOf(high))));
        // Rotation does not widen the round ones, so even their extremes differ.
        if (small == 'o') QVERIFY(*std::ranges::max_element(low) < *std::ranges::min_element(high));
    }

    void inkStandsOutFromThePaper() {
        int looked = 0;
        for (std::uint64_t i = 0; i < 500; ++i) {
            const char glyph = kGlyphs[i % kGlyphs.size()];
            Random random(9, i);
            Random copy = random;
            const GlyphStyle style = glyphStyle(glyph, copy);
            QVERIFY(std::abs(brightnessOf(style.ink) - brightnessOf(style.paper)) >= kGlyphContrast);
            const cv::Mat covered = glyphCoverage(glyph, style, 32);
            cv::Mat bright;
            cv::cvtColor(renderGlyph(glyph, random, 32), bright, cv::COLOR_RGB2GRAY);
            const cv::Mat ink = covered > 0.9F;
            if (cv::countNonZero(ink) < 3) continue;
            ++looked;
            // Slope, waves and noise reduce it slightly.
            const double apart = std::abs(cv::mean(bright, ink)[0] - cv::mean(bright, covered == 0.F)[0]);
            QVERIFY2(apart > kGlyphContrast - 15, qPrintable(QString("%1: %2").arg(QChar(glyph)).arg(apart)));
        }
        QVERIFY(looked > 250);
    }
};

PALIMPSEST_APPLESS_TEST(TestGlyphs)

}  // namespace tst_glyphs

#include "tst_glyphs.moc"
