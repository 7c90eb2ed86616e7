// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <QtTest>
#include <filesystem>

#include "engine/report/publication.h"
#include "tests/support/figure_scene.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/test_program.h"
#include "ui/figures/feature_map_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_feature_map_view {

namespace {

struct FeatureScene : FigureScene {
    FeatureScene() { service->allowAll(); }
    std::shared_ptr<ScriptedDatasets> service = std::make_shared<ScriptedDatasets>();
    FeatureMapView* view = show(new FeatureMapView(&store, &histories, &cursor, service));

    QToolButton* button(const char* name) const { return view->findChild<QToolButton*>(name); }
    const FeatureShown& shown() const { return view->canvas()->shown(); }
    QString words() const { return view->findChild<QLabel*>("featuresWords")->text(); }
};

FeatureCanvas::Spot pointOf(const FeatureShown& shown, std::int64_t image) {
    for (std::size_t i = 0; i < shown.map->points.size(); ++i)
        if (shown.map->points[i].image == image) return {false, i};
    qFatal("There is no such image.");
}

}  // namespace

class TestFeatureMapView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void theMapGoesToTheSharedMomentAndTheAxesStay() {
        FeatureScene scene;
        scene.record();
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        QVERIFY(scene.view->panel()->caption().contains("6,000"));
        const auto box = scene.shown().picture->box;
        const auto spot = pointOf(scene.shown(), 0);
        const QPointF last = *scene.view->canvas()->pixelsOf(spot);
        scene.cursor.pin(700);
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(500));
        QCOMPARE(scene.shown().picture->box, box);
        const QPointF first = *scene.view->canvas()->pixelsOf(spot);
        QVERIFY2(std::hypot(first.x() - last.x(), first.y() - last.y()) > 0.5, "prompts move the point");
        // Two classes had come by then, of ten.
        QVERIFY(!scene.view->canvas()->pixelsOf(pointOf(scene.shown(), 9)));
        QVERIFY(!scene.button("featuresEarlier")->isEnabled());
        scene.button("featuresLater")->click();
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(1000));
        for (int i = 0; i < 12; ++i) scene.button("featuresLater")->click();
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        QCOMPARE(scene.cursor.pinned(), CurveCursor::Moment());
        QVERIFY(!scene.button("featuresLater")->isEnabled());
    }

    void aRunWithAFrozenBackboneStandsStill() {
        FeatureScene scene;
        scene.record(false);
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        QVERIFY2(scene.view->sentence().startsWith("Points stand still, arrows turned by "),
                 qPrintable(scene.view->sentence()));
        // The first two classes came at 500, a degree for every hundred images: 55°.
        QVERIFY2(scene.view->sentence().contains("most: T-shirt (55°)"), qPrintable(scene.view->sentence()));
        QTRY_VERIFY(scene.words().startsWith("Points stand still"));
        QVERIFY(scene.view->canvas()->accessibleDescription().contains(scene.view->sentence()));
        QVERIFY(scene.view->canvas()->accessibleDescription().contains("1st principal axis ("));
        scene.cursor.pin(500);
        QTRY_COMPARE(scene.view->sentence(), QString("Points stand still, arrows have not turned since they came."));
    }

    /// It explains the signs that are there, and no others, and everything of it is seen.
    void theKeyExplainsWhatIsDrawn() {
        using Sign = FeatureKey::Sign;
        FeatureScene scene;
        scene.record();
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        QTRY_VERIFY(scene.shown().predictions);
        const FeatureKey* key = scene.view->key();
        const auto signs = [key] {
            std::vector<Sign> all;
            for (const auto& entry : key->entries())
                if (entry.sign != Sign::Class) all.push_back(entry.sign);
            return all;
        };
        // Every class that is shown has a name, wherever the figure has room for it.
        const auto classes = [key] {
            QStringList all;
            for (const auto& entry : key->entries())
                if (entry.sign == Sign::Class) all.append(entry.text);
            return all;
        };
        QTRY_COMPARE(signs(), (std::vector{Sign::Right, Sign::Wrong, Sign::Came, Sign::Arrow, Sign::ArrowCame}));
        QVERIFY(key->isVisible() && key->accessibleDescription().contains("hollow"));
        QStringList all;
        for (const std::int32_t label : scene.shown().map->classes) all.append(scene.shown().names.name(label));
        QCOMPARE(all.size(), 10);
        QCOMPARE(classes(), all);
        for (const int width : {260, 500, 1200}) {
            const auto places = key->places(width);
            QCOMPARE(places.size(), std::size_t{15});
            for (std::size_t i = 0; i < places.size(); ++i) {
                QVERIFY(places[i].bottom() <= key->heightForWidth(width));
                for (std::size_t k = 0; k < i; ++k) QVERIFY(!places[i].intersects(places[k]));
            }
        }
        QVERIFY(key->heightForWidth(260) > key->heightForWidth(1200));
        // At the beginning nothing has moved yet.
        scene.cursor.pin(500);
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(500));
        QTRY_COMPARE(signs(), (std::vector{Sign::Right, Sign::Wrong, Sign::Arrow}));
        QCOMPARE(classes(), all.mid(0, 2));
        FeatureScene still;
        QVERIFY(!still.view->key()->isVisible());
    }

    void refitFitsTheAxesUntilTheyAreReset() {
        FeatureScene scene;
        scene.record();
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        const auto before = scene.shown().picture->axes.axes;
        QCOMPARE(scene.shown().picture->basis, std::size_t{0});
        QVERIFY(scene.button("featuresRefit")->isEnabled() && !scene.button("featuresReset")->isEnabled());
        scene.button("featuresRefit")->click();
        QTRY_COMPARE(scene.shown().picture->basis, std::size_t{11});
        QVERIFY(scene.shown().picture->axes.axes != before);
        QVERIFY(scene.view->panel()->caption().contains("axes of 6,000"));
        QVERIFY(!scene.button("featuresRefit")->isEnabled() && scene.button("featuresReset")->isEnabled());
        // Elsewhere in time they stay as they were fitted.
        scene.cursor.pin(500);
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(500));
        QCOMPARE(scene.shown().picture->basis, std::size_t{11});
        scene.button("featuresReset")->click();
        QTRY_COMPARE(scene.shown().picture->basis, std::size_t{0});
        QCOMPARE(scene.shown().picture->axes.axes, before);
    }

    void mouseAndKeyboardReadAPoint() {
        FeatureScene scene;
        scene.record(false);
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        QTRY_VERIFY(scene.shown().predictions);
        FeatureCanvas* canvas = scene.view->canvas();
        const auto wrong = pointOf(scene.shown(), 30), right = pointOf(scene.shown(), 0);
        QCOMPARE(canvas->textOf(wrong), QString("T-shirt, test image 30, taken for Trouser"));
        QCOMPARE(canvas->textOf(right), QString("T-shirt, test image 0, recognised"));
        moveOver(canvas, *canvas->pixelsOf(right));
        QVERIFY(canvas->current() && !canvas->textOf(*canvas->current()).isEmpty());
        QTRY_COMPARE(scene.words(), canvas->textOf(*canvas->current()));
        moveOver(canvas, QPointF(1, 1));
        QVERIFY(!canvas->current());
        canvas->setFocus(Qt::TabFocusReason);
        QTest::keyClick(canvas, Qt::Key_Down);
        QVERIFY(canvas->current() && !canvas->current()->arrow);
        const auto first = *canvas->current();
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(scene.shown().map->points[canvas->current()->place].label,
                 scene.shown().map->points[first.place].label);
        QVERIFY(*canvas->current() != first);
        QTest::keyClick(canvas, Qt::Key_Down);
        QVERIFY(scene.shown().map->points[canvas->current()->place].label !=
                scene.shown().map->points[first.place].label);
        QVERIFY(canvas->accessibleDescription().startsWith(canvas->textOf(*canvas->current())));
        QTest::keyClick(canvas, Qt::Key_Escape);
        QVERIFY(!canvas->current());
        QVERIFY(canvas->textOf({true, 0}).startsWith("Arrow of T-shirt: turned by 55°"));
    }

    void namesTouchNoOtherAndStandInTheFigure_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(420, 320);
        QTest::newRow("usual") << QSize(700, 400);
        QTest::newRow("large") << QSize(1400, 900);
    }
    void namesTouchNoOtherAndStandInTheFigure() {
        QFETCH(QSize, size);
        FeatureScene scene;
        scene.record(false);
        scene.view->resize(size);
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        const auto names = scene.view->canvas()->namesWritten();
        QVERIFY(!names.empty());
        if (size.width() >= 700) QVERIFY2(names.size() >= 6, QByteArray::number(qsizetype(names.size())));
        for (std::size_t i = 0; i < names.size(); ++i) {
            QVERIFY(QRectF(scene.view->canvas()->rect()).contains(names[i].rect));
            for (std::size_t k = 0; k < i; ++k) QVERIFY(!names[i].rect.intersects(names[k].rect));
        }
    }

    void classesDifferInColourOrMarkerInEveryTheme() {
        for (const Theme* theme : {&Theme::darkTheme(), &Theme::lightTheme(), &Theme::projectorTheme()})
            for (std::size_t i = 0; i < 10; ++i)
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY(featureColour(*theme, i) != featureColour(*theme, k) ||
                            featureMarker(i) != featureMarker(k));
        for (std::size_t i = 1; i < 10; ++i) QVERIFY(featureMarker(i) != featureMarker(i - 1));
    }

    void everythingIsDrawnInEveryTheme_data() {
        QTest::addColumn<Appearance>("appearance");
        QTest::newRow("dark") << Appearance::Dark;
        QTest::newRow("light") << Appearance::Light;
        QTest::newRow("projector") << Appearance::Projector;
    }
    void everythingIsDrawnInEveryTheme() {
        QFETCH(Appearance, appearance);
        applyAppearance(*qApp, appearance);
        FeatureScene scene;
        scene.record();
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        const FeatureCanvas* canvas = scene.view->canvas();
        const QImage picture = scene.view->canvas()->grab().toImage();
        const double ratio = picture.devicePixelRatio();
        const auto colourNear = [&](const QPointF& at, const QColor& wanted) {
            for (int dx = -3; dx <= 3; ++dx)
                for (int dy = -3; dy <= 3; ++dy)
                    if (picture.pixelColor((at * ratio).toPoint() + QPoint(dx, dy)).rgb() == wanted.rgb()) return true;
            return false;
        };
        int seen = 0;
        for (std::size_t i = 0; i < 10; ++i)
            if (const auto tip = canvas->pixelsOf({true, i}))
                seen += colourNear(*tip, featureColour(Theme::of(canvas), i));
        QVERIFY2(seen >= 3, QByteArray::number(seen));  // others have a name or another arrow over their tip
    }

    void theNumbersAreATableAndAFile() {
        FeatureScene scene;
        scene.record();
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
        QTRY_VERIFY(scene.shown().predictions);
        scene.view->setTableShown(true);
        auto* table = scene.view->findChild<QTableView*>();
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 40 + 10);
        QCOMPARE(table->model()->index(0, 0).data().toString(), QString("T-shirt"));
        QCOMPARE(table->model()->index(0, 1).data().toString(), QString("0"));
        QCOMPARE(table->model()->index(0, 2).data().toString(), QString("T-shirt"));
        QCOMPARE(table->model()->index(40, 1).data().toString(), QString("arrow"));
        QVERIFY(!table->model()->index(40, 4).data().toString().isEmpty());
        const report::Publication all = scene.view->source()();
        QCOMPARE(all.pieces.size(), std::size_t{1});
        const std::string& csv = all.pieces.front().csv;
        QVERIFY(csv.starts_with("samples_seen,kind,class,image,x,y\n500,image,T-shirt,0,"));
        QVERIFY(csv.find("\n6000,head,") != std::string::npos);
    }

    void whatCannotBeShownIsSaid() {
        FeatureScene scene;
        QTRY_VERIFY(scene.view->canvas()->invitation().contains("F5"));
        QVERIFY(!scene.view->source());
        scene.view->hide();
        const QString id = scene.record();
        std::filesystem::remove(id.toStdString() + "/features.csv");
        scene.view->show();
        QTRY_VERIFY2(scene.view->canvas()->invitation().contains("recorded no features"),
                     qPrintable(scene.view->canvas()->invitation()));
        for (const char* name : {"featuresEarlier", "featuresLater", "featuresRefit", "featuresReset"})
            QVERIFY(!scene.button(name)->isEnabled() && !scene.button(name)->accessibleName().isEmpty());
    }

    void aFolderThatCannotBeReadIsReadAgainWhenSomebodyLooks() {
        FeatureScene scene;
        scene.view->hide();
        const std::string run = scene.record().toStdString();
        std::filesystem::rename(run + "/features.csv", run + "/kept");
        std::filesystem::create_directory(run + "/features.csv");
        scene.view->show();
        QTRY_VERIFY2(scene.view->canvas()->invitation().contains("features.csv"),
                     qPrintable(scene.view->canvas()->invitation()));
        QVERIFY(!scene.view->shownMoment());
        std::filesystem::remove(run + "/features.csv");
        std::filesystem::rename(run + "/kept", run + "/features.csv");
        scene.view->hide();
        scene.view->show();
        QTRY_COMPARE(scene.view->shownMoment(), std::optional<std::int64_t>(6000));
    }

    void aRunWithoutAFolderSaysSo() {
        FeatureScene scene;
        scene.live();
        QTRY_VERIFY2(scene.view->canvas()->invitation().contains("keeps no folder"),
                     qPrintable(scene.view->canvas()->invitation()));
    }

    void aHeadWithoutRowsIsExplained() {
        FeatureScene scene;
        scene.view->hide();
        const QString id = scene.record();
        QFile file(id + "/features.csv");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray kept;
        for (const QByteArray& line : file.readAll().split('\n'))
            if (!line.isEmpty() && !line.split(',').value(2).isEmpty()) kept += line + '\n';
        file.close();
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(kept);
        file.close();
        scene.view->show();
        QTRY_VERIFY2(scene.view->sentence().contains("No arrows: the head of this method has no row"),
                     qPrintable(scene.view->sentence()));
        // The names stand at the points then.
        QVERIFY(!scene.view->canvas()->namesWritten().empty());
    }
};

PALIMPSEST_TEST(TestFeatureMapView)

}  // namespace tst_feature_map_view

#include "tst_feature_map_view.moc"
