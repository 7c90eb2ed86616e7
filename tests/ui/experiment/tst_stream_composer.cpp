// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QComboBox>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <QUndoStack>

#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/state/run_controller.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_stream_composer {

/// The part of the experiment panel that composes the stream.
class TestStreamComposer : public QObject {
    Q_OBJECT
private:
    struct Composer {
        explicit Composer(const OptionTable& table)
            : controller(&table, script.function()), panel(&controller, script.laboratory().labels) {
            panel.resize(300, 900);
            panel.show();
        }
        ExperimentDraft& draft() { return *controller.draft(); }
        template <typename T>
        T* find(const QString& name) {
            return panel.findChild<T*>(name);
        }
        /// The user picks a partition from the list.
        void choosePartition(const QString& word) {
            auto* box = find<QComboBox>("optionEditor.stream.partition.value");
            const int row = box->findData(word);
            QVERIFY(row >= 0);
            box->setFocus();
            box->setCurrentIndex(row);
            Q_EMIT box->activated(row);
        }
        const PlannedStream* stream() { return panel.preview()->stream().get(); }

        ScriptedRun script;
        RunController controller;
        ExperimentPanel panel;
    };
    const OptionTable table_{ScriptedRun::catalogue()};

    static QString write(const QTemporaryDir& folder, const QByteArray& json) {
        QFile file(folder.filePath("plan.json"));
        if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size()) qFatal("cannot write");
        return file.fileName();
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void slidersWithoutEffectAreOutOfReachAndSayWhy_data() {
        QTest::addColumn<QString>("partition");
        QTest::addColumn<bool>("sessions");
        QTest::addColumn<bool>("shares");
        QTest::addColumn<QString>("reason");
        QTest::newRow("stochastic") << "stochastic" << true << true << "";
        QTest::newRow("uniform") << "uniform" << true << true << "";
        QTest::newRow("ordered") << "ordered" << true << false << "every class is disjoint";
        QTest::newRow("one class") << "one-class" << true << false << "With one class at a time";
        QTest::newRow("imported") << "imported" << false << false << "The imported list already says";
    }
    void slidersWithoutEffectAreOutOfReachAndSayWhy() {
        QFETCH(QString, partition);
        QFETCH(bool, sessions);
        QFETCH(bool, shares);
        QFETCH(QString, reason);
        Composer composer(table_);
        composer.choosePartition(partition);
        QCOMPARE(QString::fromStdString(composer.draft().experiment().stream.partition), partition);
        const auto check = [&](const QString& key, bool enabled) {
            for (const char* part : {".value", ".slider"}) {
                auto* control = composer.find<QWidget>("optionEditor." + key + part);
                QVERIFY(control);
                QCOMPARE(control->isEnabled(), enabled);
                QVERIFY2(enabled || control->toolTip().contains(reason), qPrintable(control->toolTip()));
                QVERIFY(enabled || control->accessibleDescription().contains(reason));
            }
        };
        check("stream.sessions", sessions);
        check("stream.disjoint_percent", shares);
        check("stream.blurry_percent", shares);
        composer.choosePartition("stochastic");
        for (const char* key : {"stream.sessions", "stream.disjoint_percent", "stream.blurry_percent"}) {
            auto* slider = composer.find<QSlider>(QString("optionEditor.%1.slider").arg(key));
            QVERIFY(slider->isEnabled());
            QVERIFY(reason.isEmpty() || !slider->toolTip().contains(reason));
        }
    }

    void theTooltipOfADisabledSliderShows() {
        Composer composer(table_);
        composer.choosePartition("ordered");
        auto* slider = composer.find<QSlider>("optionEditor.stream.disjoint_percent.slider");
        QHelpEvent help(QEvent::ToolTip, {3, 3}, slider->mapToGlobal(QPoint(3, 3)));
        QCoreApplication::sendEvent(slider, &help);
        QTRY_VERIFY(QToolTip::text().contains("every class is disjoint"));
        QToolTip::hideText();
    }

    void everyPartitionIsShownAsTheEngineMakesIt_data() {
        QTest::addColumn<QString>("partition");
        QTest::newRow("stochastic") << "stochastic";
        QTest::newRow("uniform") << "uniform";
        QTest::newRow("ordered") << "ordered";
        QTest::newRow("one class") << "one-class";
    }
    void everyPartitionIsShownAsTheEngineMakesIt() {
        QFETCH(QString, partition);
        Composer composer(table_);
        composer.choosePartition(partition);
        QTRY_VERIFY(composer.stream() && composer.stream()->experiment.stream.partition == partition.toStdString());
        const Experiment& experiment = composer.draft().experiment();
        const auto labels = composer.script.laboratory().labels(experiment);
        const StreamPlan plan = planExperimentStream(experiment, labels->train, 10);
        QCOMPARE(composer.stream()->plan.sessions, plan.sessions);
        QVERIFY(composer.find<QLabel>("streamBalance")->text().contains("effective classes"));
    }

    void orderedClassesComeInTheirOrder() {
        Composer composer(table_);
        composer.choosePartition("ordered");
        QTRY_VERIFY(composer.stream() && composer.stream()->experiment.stream.partition == "ordered");
        for (int label = 0; label < 10; ++label)
            for (int session = 0; session < 5; ++session)
                QCOMPARE(composer.stream()->counts[std::size_t(label)][std::size_t(session)] > 0, label / 2 == session);
        QVERIFY(composer.panel.preview()->cellText(3, 1).contains("disjoint class"));
    }

    void anIndexListIsChosenAndShown() {
        QTemporaryDir folder;
        const QString list = write(folder, "[[0,10,20],[1,11,2],[12,3]]");
        Composer composer(table_);
        const auto* row = composer.find<QWidget>("optionEditor.stream.index_list");
        QVERIFY(!row->isVisible());
        composer.choosePartition("imported");
        QVERIFY(row->isVisible());
        auto* line = composer.find<QLineEdit>("optionEditor.stream.index_list.value");
        QVERIFY(line);
        auto* attention = composer.find<QLabel>("streamAttention");
        QTRY_VERIFY(attention->text().contains("Index list names no file"));
        QVERIFY(!composer.stream());

        QTest::mouseClick(composer.find<QToolButton>("chooseIndexList"), Qt::LeftButton);
        auto* dialog = composer.find<QFileDialog>("indexListDialog");
        QVERIFY(dialog && !dialog->isModal());
        Q_EMIT dialog->fileSelected(list);
        QCOMPARE(line->text(), list);
        QTRY_VERIFY(composer.stream());
        QCOMPARE(composer.stream()->plan.sessions.size(), std::size_t{3});
        QVERIFY(attention->text().contains("not in the imported list"));
        QVERIFY(composer.panel.preview()->cellText(0, 0).contains("3 images, disjoint class"));
        QVERIFY(composer.panel.preview()->cellText(2, 1).contains("blurry class"));
        QVERIFY(composer.panel.preview()->cellText(9, 0).contains("never appears"));
    }

    void theListsOwnNumberOfSessionsIsShown() {
        QTemporaryDir folder;
        Composer composer(table_);
        auto* number = composer.find<QSpinBox>("optionEditor.stream.sessions.value");
        auto* slider = composer.find<QSlider>("optionEditor.stream.sessions.slider");
        QCOMPARE(number->value(), 5);
        const std::string list = write(folder, "[[0,10,20],[1,11,2],[12,3]]").toStdString();
        composer.draft().set("stream.index_list", list);
        composer.choosePartition("imported");
        QTRY_COMPARE(number->value(), 3);
        QCOMPARE(slider->value(), 3);
        // It is shown, not chosen.
        QCOMPARE(composer.draft().experiment().stream.sessions, std::int64_t{5});
        composer.draft().set("stream.sessions", std::int64_t{7});
        QCOMPARE(number->value(), 3);
        composer.draft().set("stream.index_list", std::string("/nowhere.json"));
        QTRY_VERIFY(!composer.stream());
        QCOMPARE(number->value(), 7);
        composer.draft().set("stream.index_list", list);
        QTRY_COMPARE(number->value(), 3);
        composer.choosePartition("stochastic");
        QCOMPARE(number->value(), 7);
        QCOMPARE(slider->value(), 7);
    }

    void aWrongIndexListSaysWhatAndWhere() {
        QTemporaryDir folder;
        Composer composer(table_);
        composer.choosePartition("imported");
        auto* line = composer.find<QLineEdit>("optionEditor.stream.index_list.value");
        line->setText(write(folder, "[[0],[1,600]]"));
        Q_EMIT line->editingFinished();
        auto* attention = composer.find<QLabel>("streamAttention");
        QTRY_VERIFY(attention->text().contains("session 2, entry 2: there is no sample 600 among the 600"));
        QVERIFY(composer.find<QLabel>("streamBalance")->text().isEmpty());
        QSignalSpy shown(&composer.panel, &ExperimentPanel::streamShown);
        composer.choosePartition("uniform");
        QTRY_VERIFY(composer.stream());
        QVERIFY(!line->isVisible());
        QVERIFY(shown.count() > 0);
    }

    void theOlderSamplersLeftOversAreNamed() {
        Composer composer(table_);
        composer.draft().set("stream.sessions", std::int64_t{4});
        composer.draft().set("stream.sampler", std::string("older"));
        auto* attention = composer.find<QLabel>("streamAttention");
        QTRY_VERIFY(attention->toolTip().contains("The older sampler leaves out classes"));
        QVERIFY(attention->toolTip().contains("("));  // by name
        // Options are called as in the form.
        QVERIFY2(attention->toolTip().contains("Evaluate every is 1000, but only"), qPrintable(attention->toolTip()));
        for (int label = 0; label < 10; ++label) {
            const auto& row = composer.stream()->counts[std::size_t(label)];
            const bool out = std::all_of(row.begin(), row.end(), [](auto count) { return count == 0; });
            QCOMPARE(composer.panel.preview()->cellText(label, 0).contains("never appears"), out);
        }
    }

    void aStreamThatItsImagesCannotFillIsFittedByAButton() {
        Composer composer(table_);
        QTRY_VERIFY(composer.stream());
        auto* fit = composer.find<QPushButton>("fitStream");
        composer.draft().set("evaluation.every_samples", std::int64_t{10});
        composer.draft().set("stream.sessions", std::int64_t{2});
        QTRY_VERIFY(composer.stream()->warnings.isEmpty());
        QVERIFY(!fit->isVisible());
        composer.draft().set("stream.sessions", std::int64_t{20});
        QTRY_VERIFY(fit->isVisible());
        const Experiment before = composer.draft().experiment();
        QTest::mouseClick(fit, Qt::LeftButton);
        QVERIFY(composer.draft().experiment().stream.sessions < 20);
        QTRY_VERIFY(!fit->isVisible());
        composer.draft().undoStack()->undo();
        QCOMPARE(composer.draft().experiment().stream.sessions, before.stream.sessions);
        QTRY_VERIFY(fit->isVisible());
    }

    void theButtonAsksForAComparison() {
        Composer composer(table_);
        QSignalSpy asked(&composer.panel, &ExperimentPanel::compareRequested);
        QTest::mouseClick(composer.find<QToolButton>("compareStreamsButton"), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
    }
};

PALIMPSEST_TEST(TestStreamComposer)

}  // namespace tst_stream_composer

#include "tst_stream_composer.moc"
