// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QPainter>

#include "tests/support/paint_counter.h"
#include "ui/stream_picture.h"
#include "ui/stream_preview.h"
#include "ui/theme.h"

using namespace palimpsest;
using palimpsest::testing::PaintCounter;

class TestStreamPicture : public QObject {
    Q_OBJECT
private:
    /// Class k is at home in session k modulo `sessions`; even classes are disjoint, odd ones leave a tenth elsewhere.
    static std::shared_ptr<PlannedStream> stream(int classes, int sessions) {
        auto labels = std::make_shared<DatasetLabels>();
        auto stream = std::make_shared<PlannedStream>();
        stream->plan.sessions.resize(std::size_t(sessions));
        stream->plan.disjoint_classes.resize(std::size_t(sessions));
        stream->plan.blurry_classes.resize(std::size_t(sessions));
        for (int label = 0; label < classes; ++label) {
            labels->class_names.push_back("class " + std::to_string(label));
            const auto home = std::size_t(label % sessions);
            const bool disjoint = label % 2 == 0;
            (disjoint ? stream->plan.disjoint_classes : stream->plan.blurry_classes)[home].push_back(label);
            stream->counts.emplace_back(std::size_t(sessions), disjoint ? 0 : 10);
            stream->counts.back()[home] = 100;
        }
        stream->labels = labels;
        return stream;
    }

    /// The cells alone, evenly laid out over the whole picture.
    static QImage paint(StreamPicture& picture, QSize size, int classes, int sessions, const Theme& theme,
                        double ratio = 1) {
        QImage image((QSizeF(size) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::black);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        const double column = double(size.width()) / sessions, row = double(size.height()) / classes;
        picture.paint(painter, theme, size,
                      [=](int label, int session) { return QRectF(session * column, label * row, column, row); });
        return image;
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aPaintEventCostsTheSameHoweverManyClassesThereAre_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("sessions");
        QTest::newRow("cells of some pixels") << 40 << 20;
        QTest::newRow("thousands of classes") << 10000 << 5;
        QTest::newRow("a thousand sessions") << 10 << 1000;
        QTest::newRow("both") << 2000 << 500;
    }
    void aPaintEventCostsTheSameHoweverManyClassesThereAre() {
        QFETCH(int, classes);
        QFETCH(int, sessions);
        StreamPreview preview;
        preview.setStream(stream(classes, sessions));
        preview.setCurrentSession(sessions / 2);
        preview.resize(280, preview.sizeHint().height());
        PaintCounter counter(preview.size());
        preview.render(&counter, {}, {}, {});
        QVERIFY(counter.count() > 0);
        QVERIFY2(counter.count() < 100, qPrintable(QString::number(counter.count())));
    }

    void manyCellsArePaintedOnce() {
        StreamPicture picture;
        const auto plan = stream(200, 20);
        picture.setStream(plan);
        paint(picture, {240, 170}, 200, 20, Theme::darkTheme());
        const qint64 first = picture.pixmap().cacheKey();
        paint(picture, {240, 170}, 200, 20, Theme::darkTheme());
        QCOMPARE(picture.pixmap().cacheKey(), first);
    }

    void anythingThatChangesThePicturePaintsItAnew_data() {
        QTest::addColumn<QString>("what");
        for (const char* what : {"stream", "size", "theme", "ratio"}) QTest::newRow(what) << what;
    }
    void anythingThatChangesThePicturePaintsItAnew() {
        QFETCH(QString, what);
        StreamPicture picture;
        picture.setStream(stream(200, 20));
        const QImage before = paint(picture, {240, 170}, 200, 20, Theme::darkTheme());
        const qint64 first = picture.pixmap().cacheKey();
        auto other = stream(200, 20);
        for (auto& counts : other->counts) std::reverse(counts.begin(), counts.end());
        if (what == "stream") picture.setStream(other);
        const QImage after = paint(picture, what == "size" ? QSize(240, 171) : QSize(240, 170), 200, 20,
                                   what == "theme" ? Theme::lightTheme() : Theme::darkTheme(), what == "ratio" ? 2 : 1);
        QVERIFY(picture.pixmap().cacheKey() != first);
        QVERIFY(after != before);
    }

    void fewCellsArePaintedStraightAway() {
        StreamPicture picture;
        picture.setStream(stream(10, 5));
        const QImage image = paint(picture, {240, 150}, 10, 5, Theme::darkTheme());
        QVERIFY(picture.pixmap().isNull());
        QCOMPARE(image.pixelColor(24, 7).rgb(), Theme::darkTheme().disjoint.rgb());
        QCOMPARE(image.pixelColor(72, 7).rgb(), Theme::darkTheme().raised.rgb());
        QCOMPARE(image.pixelColor(72, 22).rgb(), Theme::darkTheme().blurry.rgb());
    }

    void aPixelShowsTheStrongestCellItCovers_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("sessions");
        QTest::addColumn<double>("ratio");
        QTest::newRow("classes") << 1000 << 5 << 1.0;
        QTest::newRow("classes, on a fine screen") << 1000 << 5 << 2.0;
        QTest::newRow("classes, between screens") << 1000 << 5 << 1.25;
        QTest::newRow("sessions") << 5 << 1000 << 1.0;
    }
    void aPixelShowsTheStrongestCellItCovers() {
        QFETCH(int, classes);
        QFETCH(int, sessions);
        QFETCH(double, ratio);
        // Nothing anywhere but one image of one class in one session.
        const auto plan = stream(classes, sessions);
        for (auto& counts : plan->counts) std::fill(counts.begin(), counts.end(), 0);
        const int label = classes * 3 / 5, session = sessions * 3 / 5;  // even: disjoint
        plan->counts[std::size_t(label)][std::size_t(session)] = 1;
        plan->plan.disjoint_classes[0].push_back(label);
        StreamPicture picture;
        picture.setStream(plan);
        const QImage image = paint(picture, {200, 160}, classes, sessions, Theme::darkTheme(), ratio);
        int strong = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QRgb pixel = image.pixel(x, y);
                if (pixel == Theme::darkTheme().raised.rgb()) continue;
                QCOMPARE(pixel, Theme::darkTheme().disjoint.rgb());
                QCOMPARE(x * sessions / image.width(), session);
                QCOMPARE(y * classes / image.height() / 10, label / 10);
                ++strong;
            }
        QVERIFY(strong > 0);
    }

    void everyClassIsSeenInSomePixel() {
        constexpr int kClasses = 997;
        StreamPicture picture;
        for (const int label : {0, 1, 500, kClasses - 1}) {
            const auto plan = stream(kClasses, 3);
            for (auto& counts : plan->counts) std::fill(counts.begin(), counts.end(), 0);
            plan->counts[std::size_t(label)][1] = 5;
            picture.setStream(plan);
            const QImage image = paint(picture, {201, 163}, kClasses, 3, Theme::darkTheme());
            int strong = 0;
            for (int y = 0; y < image.height(); ++y) strong += image.pixel(100, y) != Theme::darkTheme().raised.rgb();
            QCOMPARE(strong, 1);
        }
    }
};

QTEST_MAIN(TestStreamPicture)
#include "tst_stream_picture.moc"
