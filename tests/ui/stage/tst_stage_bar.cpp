// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QVBoxLayout>

#include "engine/record/talk.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/stage/stage_bar.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_stage_bar {

class TestStageBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Projector); }

    void captionsAreLargeAndWhole_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1920x1080") << QSize(1920, 1080);
        QTest::newRow("3840x2160") << QSize(3840, 2160);
    }
    void captionsAreLargeAndWhole() {
        QFETCH(QSize, size);
        QWidget stage;
        stage.resize(size);
        auto* column = new QVBoxLayout(&stage);
        column->setContentsMargins(0, 0, 0, 0);
        column->addStretch(1);
        auto* bar = new StageBar;
        column->addWidget(bar);
        QStringList captions{QString("word ").repeated(kLongestCaption / 5)};
        for (const TalkScene& scene : readTalk(shippedTalks().at(0).file).scenes)
            captions.append(QString::fromStdString(scene.caption));
        bar->setCaptions(captions);
        bar->setStage(size.height());
        stage.show();
        QVERIFY(QTest::qWaitForWindowExposed(&stage));
        const auto* label = bar->findChild<QLabel*>("stageCaption");
        QVERIFY(label->font().pixelSize() >= 0.04 * size.height());
        const int height = bar->height();
        QVERIFY2(height < 0.4 * size.height(), "the figures keep most of the room");
        for (const QString& caption : std::as_const(captions)) {
            bar->setCaption(caption);
            QCoreApplication::processEvents();
            QCOMPARE(bar->height(), height);
            const QRect needed =
                QFontMetrics(label->font()).boundingRect(QRect(0, 0, label->width(), 0), Qt::TextWordWrap, caption);
            QVERIFY2(needed.height() <= label->height() && needed.width() <= label->width(), qPrintable(caption));
        }
        bar->setPlace("14 / 15");
        bar->setNotice("The run “mask” is missing; “Prepare this talk” makes it.");
        QCoreApplication::processEvents();
        const auto* notice = bar->findChild<QLabel*>("stageNotice");
        QVERIFY(notice->isVisible());
        QVERIFY(stage.rect().contains(QRect(bar->mapTo(&stage, QPoint()), bar->size())));
        const auto* place = bar->findChild<QLabel*>("stagePlace");
        QVERIFY(QFontMetrics(place->font()).horizontalAdvance(place->text()) <= place->width());
        QCOMPARE(bar->accessibleDescription(), captions.back());
    }
};

PALIMPSEST_TEST(TestStageBar)

}  // namespace tst_stage_bar

#include "tst_stage_bar.moc"
