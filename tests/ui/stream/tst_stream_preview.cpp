// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>
#include <cmath>

#include "tests/support/paint_counter.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using palimpsest::testing::PaintCounter;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;

namespace tst_stream_preview {

class TestStreamPreview : public QObject {
    Q_OBJECT
private:
    static std::shared_ptr<const PlannedStream> plan(const Experiment& experiment, std::int64_t images = 1000,
                                                     std::int64_t classes = 10) {
        ScriptedRun::Script script;
        script.images = images;
        script.classes = classes;
        const ScriptedRun run(script);
        return plannedStream(experiment, run.laboratory().labels(experiment));
    }
    static QColor centre(const QImage& image, const QRectF& cell) { return image.pixelColor(cell.center().toPoint()); }
    /// Nearness of hues on the colour circle, 0 to 180 degrees.
    static int hueDistance(const QColor& a, const QColor& b) {
        const int d = std::abs(a.hsvHue() - b.hsvHue());
        return std::min(d, 360 - d);
    }

    const OptionTable table_{ScriptedRun::catalogue()};

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void cellsLieInRowsOfClassesAndColumnsOfSessions() {
        StreamPreview preview;
        preview.setStream(plan(table_.defaults()));
        preview.resize(240, preview.sizeHint().height());
        for (int label = 0; label < 10; ++label)
            for (int session = 0; session < 5; ++session) {
                const QRectF cell = preview.cellRect(label, session);
                QVERIFY(QRectF(preview.rect()).contains(cell));
                if (session > 0) QVERIFY(cell.left() >= preview.cellRect(label, session - 1).right());
                if (label > 0) QVERIFY(cell.top() >= preview.cellRect(label - 1, session).bottom());
            }
    }

    void disjointClassesAreOrangeAndBlurryOnesBlueTheStrongerTheMoreImages() {
        const auto stream = plan(table_.defaults());
        StreamPreview preview;
        preview.setStream(stream);
        preview.resize(240, preview.sizeHint().height());
        const QImage image = preview.grab().toImage();
        const Theme& theme = Theme::darkTheme();
        for (std::size_t session = 0; session < 5; ++session) {
            for (const std::int64_t label : stream->plan.disjoint_classes[session]) {
                const QColor full = centre(image, preview.cellRect(int(label), int(session)));
                QVERIFY(hueDistance(full, theme.disjoint) < 10);
            }
            for (const std::int64_t label : stream->plan.blurry_classes[session]) {
                const QColor home = centre(image, preview.cellRect(int(label), int(session)));
                QVERIFY(hueDistance(home, theme.blurry) < 10);
                for (int other = 0; other < 5; ++other) {
                    const auto& row = stream->counts[std::size_t(label)];
                    if (row[std::size_t(other)] < row[session] / 2)
                        QVERIFY(centre(image, preview.cellRect(int(label), other)).value() < home.value());
                }
            }
        }
    }

    void aCellTellsItsNumbers() {
        const auto stream = plan(table_.defaults());
        StreamPreview preview;
        preview.setStream(stream);
        const auto label = stream->plan.disjoint_classes[2].front();
        const QString text = preview.cellText(int(label), 2);
        QVERIFY(text.contains(QString::fromStdString(stream->labels->class_names[std::size_t(label)])));
        QVERIFY(text.contains("session 3"));
        QVERIFY(text.contains(QString::number(stream->counts[std::size_t(label)][2])));
        QVERIFY(text.contains("disjoint"));
        QVERIFY(preview.cellText(10, 0).isEmpty());
        QVERIFY(preview.cellText(0, 5).isEmpty());
        QVERIFY(preview.cellText(-1, 0).isEmpty());
    }

    void arrowKeysMoveThroughTheCells() {
        StreamPreview preview;
        preview.setStream(plan(table_.defaults()));
        preview.show();
        QTest::keyClick(&preview, Qt::Key_Right);
        QTest::keyClick(&preview, Qt::Key_Right);
        QTest::keyClick(&preview, Qt::Key_Down);
        QCOMPARE(preview.accessibleDescription(), preview.cellText(1, 1));
        for (int i = 0; i < 20; ++i) QTest::keyClick(&preview, Qt::Key_Down);
        QCOMPARE(preview.accessibleDescription(), preview.cellText(9, 1));
    }

    void theSessionsAreWrittenBelowWithTheirLengths() {
        const auto stream = plan(table_.defaults());
        StreamPreview preview;
        preview.setStream(stream);
        preview.resize(300, preview.sizeHint().height());
        for (int session = 0; session < 5; ++session) {
            const QString length = QString::number(stream->plan.sessions[std::size_t(session)].size());
            const QString text = preview.sessionText(session);
            QVERIFY2(text.startsWith(QString("Session %1: %2 images of ").arg(session + 1).arg(length)),
                     qPrintable(text));
            QVERIFY(preview.columnRect(session).bottom() <= preview.height() - StreamSessionStrip::height());
            QCOMPARE(preview.columnAt(preview.columnRect(session).center().x()), session);
            QHelpEvent help(QEvent::ToolTip, {int(preview.columnRect(session).center().x()), preview.height() - 4},
                            QPoint(0, 0));
            QCoreApplication::sendEvent(&preview, &help);
            QTRY_COMPARE(QToolTip::text(), text);
        }
        QToolTip::hideText();
        QVERIFY(preview.sessionText(5).isEmpty());
        QCOMPARE(preview.columnAt(1), -1);
        // Another stream of the same shape is drawn otherwise there.
        const QRect below(0, int(preview.height() - StreamSessionStrip::height()), 300,
                          int(StreamSessionStrip::height()));
        const QImage before = preview.grab(below).toImage();
        Experiment other = table_.defaults();
        other.seed = 2;
        preview.setStream(plan(other));
        QVERIFY(before != preview.grab(below).toImage());
    }

    void theCurrentSessionIsFramed() {
        StreamPreview preview;
        preview.setStream(plan(table_.defaults()));
        preview.resize(240, preview.sizeHint().height());
        const QImage before = preview.grab().toImage();
        preview.setCurrentSession(2);
        const QImage after = preview.grab().toImage();
        QVERIFY(before != after);
        preview.setCurrentSession(-1);
        QCOMPARE(preview.grab().toImage(), before);
    }

    void manyClassesAndSessionsStayInsideAModestHeight_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("sessions");
        QTest::newRow("one session") << 10 << 1;
        QTest::newRow("100 classes, 10 sessions") << 100 << 10;
        QTest::newRow("1000 classes, 100 sessions") << 1000 << 100;
    }
    void manyClassesAndSessionsStayInsideAModestHeight() {
        QFETCH(int, classes);
        QFETCH(int, sessions);
        Experiment experiment = table_.defaults();
        experiment.stream.sessions = sessions;
        StreamPreview preview;
        preview.setStream(plan(experiment, 20 * classes, classes));
        QVERIFY(preview.sizeHint().height() <= 200);
        preview.resize(240, preview.sizeHint().height());
        QVERIFY(!preview.grab().isNull());
        QVERIFY(QRectF(preview.rect()).contains(preview.cellRect(classes - 1, sessions - 1)));
    }

    void framesKeepOffTheNumbersBelow_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("sessions");
        QTest::newRow("few") << 10 << 5;
        QTest::newRow("many") << 1000 << 100;
    }
    void framesKeepOffTheNumbersBelow() {
        QFETCH(int, classes);
        QFETCH(int, sessions);
        Experiment experiment = table_.defaults();
        experiment.stream.sessions = sessions;
        StreamPreview preview;
        preview.setCellTips(false);
        preview.setStream(plan(experiment, 20 * classes, classes));
        preview.resize(240, preview.sizeHint().height());
        showActive(preview);
        preview.clearFocus();
        const int top = preview.height() - static_cast<int>(StreamSessionStrip::height()) + 1;
        const QRect below(0, top, preview.width(), preview.height() - top);
        const QImage plain = preview.grab().toImage();
        preview.setFocus();
        QVERIFY(preview.hasFocus());
        const QImage framed = preview.grab().toImage();
        QVERIFY(framed != plain);
        QCOMPARE(framed.copy(below), plain.copy(below));
        preview.select(classes - 1, sessions - 1);
        QCOMPARE(preview.grab().toImage().copy(below), plain.copy(below));
    }

    void theLastNumberIsNotCut() {
        QImage image(400, 60, QImage::Format_ARGB32_Premultiplied);
        image.fill(Theme::darkTheme().panel);
        StreamSessionStrip strip;
        strip.lengths.assign(999, 60);
        strip.current = 998;  // drawn whatever the others are
        strip.place = QRectF(60, 10, 170, StreamSessionStrip::height());
        QPainter painter(&image);
        strip.paint(painter, QApplication::font(), Theme::darkTheme());
        painter.end();
        int left = image.width(), right = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) != Theme::darkTheme().panel) {
                    left = std::min(left, x);
                    right = std::max(right, x);
                }
        QVERIFY(left < right);
        QVERIFY2(right <= strip.place.right() + 1, qPrintable(QString::number(right)));
    }

    void manyCellsMakeOnePictureOfTheSameColours() {
        Experiment experiment = table_.defaults();
        experiment.stream.sessions = 50;
        const auto stream = plan(experiment, 6000, 60);
        StreamPreview preview;
        preview.setStream(stream);
        preview.resize(620, 640);
        const QImage image = preview.grab().toImage();
        const Theme& theme = Theme::darkTheme();
        int met = 0;
        for (int label = 0; label < 60; ++label)
            for (int session = 0; session < 50; ++session) {
                const auto& row = stream->counts[std::size_t(label)];
                const auto most = *std::max_element(row.begin(), row.end());
                const QColor colour = centre(image, preview.cellRect(label, session));
                if (row[std::size_t(session)] == 0) QCOMPARE(colour, theme.raised);
                if (row[std::size_t(session)] < most || most == 0) continue;
                const bool blurry = classHomes(stream->plan)[std::size_t(label)].blurry;
                QVERIFY(hueDistance(colour, blurry ? theme.blurry : theme.disjoint) < 10);
                ++met;
            }
        QVERIFY(met >= 60);
    }

    void aSmallStreamIsGatheredCellByCell() {
        const auto stream = plan(table_.defaults());
        const StreamGrid& grid = stream->grid;
        const auto homes = classHomes(stream->plan);
        QCOMPARE(grid.rows, 10);
        QCOMPARE(grid.columns, 5);
        for (int label = 0; label < 10; ++label) {
            const auto& row = stream->counts[std::size_t(label)];
            const auto most = *std::max_element(row.begin(), row.end());
            for (int session = 0; session < 5; ++session) {
                const StreamGrid::Cell& cell = grid.at(label, session);
                const auto count = row[std::size_t(session)];
                QCOMPARE(cell.strength > 0, count > 0);
                if (count > 0) {
                    QCOMPARE(int(cell.strength), 1 + int(std::lround(255.0 * double(count) / double(most))));
                    QCOMPARE(cell.blurry, homes[std::size_t(label)].blurry);
                }
            }
        }
    }

    void manyCellsAreGatheredToWhatCanBeSeen() {
        constexpr int kClasses = 1000, kSessions = 1000;
        Experiment experiment = table_.defaults();
        experiment.stream.sessions = kSessions;
        const auto stream = plan(experiment, 20 * kClasses, kClasses);
        const StreamGrid& grid = stream->grid;
        QCOMPARE(grid.rows, StreamGrid::kMostRows);
        QCOMPARE(grid.columns, StreamGrid::kMostColumns);
        // No image is lost from sight: each gathered cell is as strong as the strongest of its own.
        std::vector<int> expected(grid.cells.size(), 0);
        const auto placeOf = [](int i, int many, int few) {
            int place = int(std::int64_t{i} * few / many);
            while (std::int64_t{place + 1} * many / few <= i) ++place;
            return place;
        };
        for (int label = 0; label < kClasses; ++label) {
            const auto& row = stream->counts[std::size_t(label)];
            const auto most = *std::max_element(row.begin(), row.end());
            for (int session = 0; session < kSessions; ++session) {
                if (row[std::size_t(session)] == 0) continue;
                int& cell = expected[std::size_t(placeOf(label, kClasses, grid.rows) * grid.columns +
                                                 placeOf(session, kSessions, grid.columns))];
                cell = std::max(cell, 1 + int(std::lround(255.0 * double(row[std::size_t(session)]) / double(most))));
            }
        }
        for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(int(grid.cells[i].strength), expected[i]);
        const StreamGrid small = grid.shrunk(7, 5);
        QCOMPARE(small.cells.size(), std::size_t{35});
        const StreamGrid same = grid.shrunk(10'000, 10'000);
        QCOMPARE(same.rows, grid.rows);
        QCOMPARE(same.columns, grid.columns);
        QCOMPARE(grid.shrunk(0, 3).cells.size(), std::size_t{0});
    }

    void aPaintEventCostsTheSameHoweverManyClassesThereAre_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("sessions");
        QTest::newRow("thousands of classes") << 10000 << 5;
        QTest::newRow("a thousand sessions") << 10 << 1000;
    }
    void aPaintEventCostsTheSameHoweverManyClassesThereAre() {
        QFETCH(int, classes);
        QFETCH(int, sessions);
        Experiment experiment = table_.defaults();
        experiment.stream.sessions = sessions;
        StreamPreview preview;
        preview.setStream(plan(experiment, 20 * std::max(classes, sessions), classes));
        preview.resize(280, preview.sizeHint().height());
        PaintCounter counter(preview.size());
        preview.render(&counter, {}, {}, {});
        QVERIFY(counter.count() > 0);
        QVERIFY2(counter.count() < 100, qPrintable(QString::number(counter.count())));
    }

    void withoutAStreamItSaysWhy() {
        StreamPreview preview;
        preview.resize(240, 160);
        const QImage reading = preview.grab().toImage();
        preview.setEmptyText("No stream with these settings");
        QVERIFY(reading != preview.grab().toImage());
        QVERIFY(preview.cellText(0, 0).isEmpty());
    }
};

PALIMPSEST_TEST(TestStreamPreview)

}  // namespace tst_stream_preview

#include "tst_stream_preview.moc"
