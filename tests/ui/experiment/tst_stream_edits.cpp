// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QUndoStack>
#include <numeric>

#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/state/run_controller.h"
#include "ui/stream/stream_drag.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_stream_edits {

/// The user moves classes to other sessions in the picture of the stream.
class TestStreamEdits : public QObject {
    Q_OBJECT
private:
    struct Composer {
        explicit Composer(const OptionTable& table)
            : controller(&table, script.function()), panel(&controller, script.laboratory().labels) {
            panel.resize(320, 900);
            panel.show();
        }
        bool ready() {
            return QTest::qWaitFor([&] { return stream() && shows(edits()); });
        }
        /// The picture belongs to these edits.
        bool shows(const QString& edits) {
            return stream() && QString::fromStdString(stream()->experiment.stream.edits) == edits;
        }
        ExperimentDraft& draft() { return *controller.draft(); }
        QString edits() { return QString::fromStdString(draft().experiment().stream.edits); }
        StreamPreview& picture() { return *panel.preview(); }
        const PlannedStream* stream() { return panel.preview()->stream().get(); }
        template <typename T>
        T* find(const QString& name) {
            return panel.findChild<T*>(name);
        }
        /// A class of that kind with images, and its home.
        std::pair<int, int> someClass(bool blurry) {
            const auto homes = classHomes(stream()->plan);
            for (std::size_t c = 0; c < homes.size(); ++c)
                if (homes[c].session >= 0 && homes[c].blurry == blurry) return {int(c), int(homes[c].session)};
            qFatal("no such class");
        }
        std::int64_t count(int label, int session) {
            return stream()->counts[std::size_t(label)][std::size_t(session)];
        }
        void drag(int label, int from, int to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
            const QPoint begin = picture().cellRect(label, from).center().toPoint();
            const QPoint end = picture().cellRect(label, to).center().toPoint();
            QTest::mousePress(&picture(), Qt::LeftButton, Qt::NoModifier, begin);
            QTest::mouseMove(&picture(), (begin + end) / 2);
            QTest::mouseMove(&picture(), end);
            QTest::mouseRelease(&picture(), Qt::LeftButton, modifiers, end);
        }

        ScriptedRun script;
        RunController controller;
        ExperimentPanel panel;
    };
    const OptionTable table_{ScriptedRun::catalogue()};
    static QString whole(int label, int to) { return QString("class %1 to session %2").arg(label).arg(to + 1); }
    static QString cell(int label, int from, int to) {
        return QString("class %1 from session %2 to session %3").arg(label).arg(from + 1).arg(to + 1);
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aDisjointClassIsDraggedAsAWhole() {
        Composer composer(table_);
        QVERIFY(composer.ready());
        const auto [label, home] = composer.someClass(false);
        const int to = (home + 2) % 5;
        const std::int64_t images = composer.count(label, home);
        const QString fingerprint = composer.stream()->fingerprint;
        QVERIFY(images > 0);
        composer.drag(label, home, to);
        QCOMPARE(composer.edits(), whole(label, to));
        QTRY_VERIFY(composer.shows(whole(label, to)));
        QCOMPARE(composer.count(label, home), std::int64_t{0});
        QCOMPARE(composer.count(label, to), images);
        QVERIFY(composer.stream()->fingerprint != fingerprint);
        QVERIFY(composer.find<QLabel>("streamAttention")
                    ->toolTip()
                    .contains("no longer the stream that the seed drew at random"));
        QVERIFY(composer.find<QLabel>("streamEditedMark")->isVisible());
        // Undone as any other change.
        composer.draft().undoStack()->undo();
        QTRY_VERIFY(composer.shows({}));
        QCOMPARE(composer.stream()->fingerprint, fingerprint);
        QVERIFY(!composer.find<QWidget>("streamEdits")->isVisible());
    }

    void draggedHomeAgainItNeedsNoEdit() {
        Composer composer(table_);
        QVERIFY(composer.ready());
        const auto [label, home] = composer.someClass(false);
        const int to = (home + 1) % 5;
        composer.drag(label, home, to);
        QTRY_VERIFY(composer.shows(whole(label, to)));
        composer.drag(label, to, home);
        QCOMPARE(composer.edits(), QString());
    }

    void ofABlurryClassTheCellMovesAndWithShiftTheWholeClass() {
        Composer composer(table_);
        QVERIFY(composer.ready());
        const auto [label, home] = composer.someClass(true);
        const int to = (home + 1) % 5;
        const auto& row = composer.stream()->counts[std::size_t(label)];
        const std::int64_t together = composer.count(label, home) + composer.count(label, to);
        const std::int64_t all = std::accumulate(row.begin(), row.end(), std::int64_t{0});
        composer.drag(label, home, to);
        QCOMPARE(composer.edits(), cell(label, home, to));
        QTRY_VERIFY(composer.shows(cell(label, home, to)));
        QCOMPARE(composer.count(label, home), std::int64_t{0});
        QCOMPARE(composer.count(label, to), together);
        composer.drag(label, to, home, Qt::ShiftModifier);
        QTRY_VERIFY(composer.shows(whole(label, home)));
        QCOMPARE(composer.count(label, home), all);
    }

    void theKeyboardMovesTheChosenCell() {
        Composer composer(table_);
        QVERIFY(composer.ready());
        const auto [label, home] = composer.someClass(false);
        StreamPreview& picture = composer.picture();
        picture.setFocus();
        picture.select(label, home);
        const bool right = home < 3;
        const auto key = right ? Qt::Key_Right : Qt::Key_Left;
        const int step = right ? 1 : -1;
        // Twice at once: the second press does not wait for the picture of the first.
        QTest::keyClick(&picture, key, Qt::ControlModifier);
        QTest::keyClick(&picture, key, Qt::ControlModifier);
        QCOMPARE(composer.edits(), whole(label, home + 2 * step));
        QCOMPARE(picture.selectedSession(), home + 2 * step);
        QTRY_VERIFY(composer.shows(composer.edits()));
        QVERIFY(composer.count(label, home + 2 * step) > 0);
        // Past the border nothing is asked for.
        for (int i = 0; i < 6; ++i) QTest::keyClick(&picture, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(composer.edits(), home == 0 ? QString() : whole(label, 0));
    }

    void whatIsNotThereCannotBeMoved() {
        Composer composer(table_);
        QVERIFY(composer.ready());
        const auto [label, home] = composer.someClass(false);
        const int empty = (home + 1) % 5;
        composer.drag(label, empty, home);
        composer.picture().setFocus();
        composer.picture().select(label, empty);
        QTest::keyClick(&composer.picture(), empty > 0 ? Qt::Key_Left : Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(composer.edits(), QString());
    }

    void aDragThatIsGivenUpChangesNothing() {
        Composer composer(table_);
        QVERIFY(composer.ready());
        const auto [label, home] = composer.someClass(false);
        StreamPreview& picture = composer.picture();
        auto* drag = picture.findChild<StreamDrag*>();
        const QImage before = picture.grab().toImage();
        const QPoint begin = picture.cellRect(label, home).center().toPoint();
        const QPoint end = picture.cellRect(label, (home + 2) % 5).center().toPoint();
        QTest::mousePress(&picture, Qt::LeftButton, Qt::NoModifier, begin);
        QTest::mouseMove(&picture, end);
        QVERIFY(drag->dragging());
        QVERIFY(picture.grab().toImage() != before);
        QTest::keyClick(&picture, Qt::Key_Escape);
        QVERIFY(!drag->dragging());
        QTest::mouseRelease(&picture, Qt::LeftButton, Qt::NoModifier, end);
        // Outside of the columns, and back in its own, it goes nowhere either.
        QTest::mousePress(&picture, Qt::LeftButton, Qt::NoModifier, begin);
        QTest::mouseMove(&picture, end);
        QTest::mouseRelease(&picture, Qt::LeftButton, Qt::NoModifier, QPoint(1, begin.y()));
        composer.drag(label, home, home);
        QCOMPARE(composer.edits(), QString());
    }

    void theListNamesEachEditAndTakesItBack() {
        Composer composer(table_);
        QVERIFY(composer.ready());
        const auto [first, first_home] = composer.someClass(false);
        const auto [second, second_home] = composer.someClass(true);
        const int first_to = (first_home + 1) % 5, second_to = (second_home + 1) % 5;
        const std::int64_t images = composer.count(first, first_home);
        composer.drag(first, first_home, first_to);
        QTRY_VERIFY(composer.shows(composer.edits()));
        composer.drag(second, second_home, second_to);
        QTRY_VERIFY(composer.shows(composer.edits()));
        auto* list = composer.find<QListWidget>("streamEditList");
        QCOMPARE(list->count(), 2);
        const QString name = QString::fromStdString(composer.stream()->labels->class_names[std::size_t(first)]);
        QCOMPARE(list->item(0)->text(), QString("%1 → session %2 · %3 images").arg(name).arg(first_to + 1).arg(images));
        QVERIFY(composer.find<QLabel>("streamEditedMark")->text().contains("2 edits"));
        auto* remove = composer.find<QToolButton>("removeStreamEdit");
        QVERIFY(!remove->isEnabled());
        list->setCurrentRow(0);
        QTest::mouseClick(remove, Qt::LeftButton);
        QCOMPARE(composer.edits(), cell(second, second_home, second_to));
        QCOMPARE(list->count(), 1);
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(composer.edits(), QString());
        composer.draft().undoStack()->undo();
        composer.draft().undoStack()->undo();
        QCOMPARE(list->count(), 2);
        QTest::mouseClick(composer.find<QToolButton>("removeStreamEdits"), Qt::LeftButton);
        QCOMPARE(composer.edits(), QString());
        QVERIFY(!list->isVisible());
    }

    void anEditThatNoLongerFitsIsRefusedAndCanBeRemoved_data() {
        QTest::addColumn<QString>("edits");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("session") << "class 1 to session 9"
                                 << "there are only 5 sessions";
        QTest::newRow("class") << "class 77 to session 1"
                               << "there are only 10 classes";
        QTest::newRow("words") << "trousers first"
                               << "which is no edit";
    }
    void anEditThatNoLongerFitsIsRefusedAndCanBeRemoved() {
        QFETCH(QString, edits);
        QFETCH(QString, sentence);
        Composer composer(table_);
        QVERIFY(composer.ready());
        composer.draft().set("stream.edits", edits.toStdString());
        auto* attention = composer.find<QLabel>("streamAttention");
        QTRY_VERIFY2(attention->toolTip().contains(sentence), qPrintable(attention->toolTip()));
        QVERIFY(!composer.stream());
        auto* list = composer.find<QListWidget>("streamEditList");
        QVERIFY(list->isVisible());
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(composer.edits(), QString());
        QTRY_VERIFY(composer.stream());
    }

    void theDiceKeepTheEdits() {
        Composer composer(table_);
        QVERIFY(composer.ready());
        const auto [label, home] = composer.someClass(false);
        const int to = (home + 1) % 5;
        composer.drag(label, home, to);
        const std::int64_t seed = composer.draft().experiment().seed;
        // Two throws may show the same number, five hardly.
        for (int i = 0; i < 5; ++i) QTest::mouseClick(composer.find<QToolButton>("seedDice"), Qt::LeftButton);
        QVERIFY(composer.draft().experiment().seed != seed);
        QCOMPARE(composer.edits(), whole(label, to));
        QTRY_VERIFY(composer.stream() && composer.stream()->experiment.seed == composer.draft().experiment().seed);
        const auto& row = composer.stream()->counts[std::size_t(label)];
        QCOMPARE(composer.count(label, to), std::accumulate(row.begin(), row.end(), std::int64_t{0}));
        while (composer.draft().experiment().seed != seed) composer.draft().undoStack()->undo();
        QCOMPARE(composer.edits(), whole(label, to));
    }
};

PALIMPSEST_TEST(TestStreamEdits)

}  // namespace tst_stream_edits

#include "tst_stream_edits.moc"
