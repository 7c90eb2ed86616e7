// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "engine/learner/learner_permit.h"
#include "engine/run/run_control.h"
#include "engine/support/process.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/experiment/lane_forms.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/state/lane_draft.h"
#include "ui/state/run_controller.h"
#include "ui/window/learner_fields.h"
#include "ui/window/learner_question.h"

using namespace palimpsest;

namespace tst_learner_fields {

namespace fs = std::filesystem;

namespace {

Catalogue withOwnProgram() {
    Catalogue catalogue = testCatalogue();
    catalogue.methods.push_back({"external", "Your own program", "A program of yours learns."});
    return catalogue;
}

/// A hello with an option of each type.
const char* const kHello =
    R"({"protocol":1,"name":"Mine <b>","version":"3","takes":["features"],"options":[)"
    R"({"key":"lr","title":"Rate <b>of</b> it","type":"real","default":0.5,"minimum":0,"maximum":1,)"
    R"("unit":"x","help":"How <i>fast</i>."},)"
    R"({"key":"epochs","type":"integer","default":1},)"
    R"({"key":"kind","title":"Kind","type":"choice","default":"a","choices":["a","b"]},)"
    R"({"key":"fast","title":"Fast","type":"boolean","default":false},)"
    R"({"key":"note","title":"Note","type":"text","default":""},)"
    R"({"key":"tiny","title":"Tiny","type":"real","default":1e-30}]})";

/// All that a program's form needs, without a window around it.
struct Scene {
    explicit Scene(const OptionTable& table)
        : controller(&table,
                     [](std::int64_t run, const Experiment&, RunControl&, RunObserver& observer) {
                         RunEnded ended;
                         ended.run = run;
                         observer.onEnded(ended);
                     }),
          lanes(controller.draft()),
          question(&controller, &window) {
        auto* column = new QVBoxLayout(&window);
        form = new OptionForm(controller.draft(), {}, OptionForm::Kind::Experiment);
        column->addWidget(form);
        fields = std::make_unique<LearnerFields>(form, &question, &window);
        window.show();
    }

    ExperimentDraft& draft() { return *controller.draft(); }
    void choose(const std::string& command) {
        draft().set("method.name", std::string("external"));
        draft().set("method.external_command", command);
    }
    QString settings() {
        const Option& option = *draft().table().find("method.external_options");
        return QString::fromStdString(std::get<std::string>(option.get(draft().experiment())));
    }
    OptionEditor* part(const char* key) const { return form->editorOf(QString("method.external_options.") + key); }
    template <class Control>
    Control* control(const char* key) const {
        OptionEditor* editor = part(key);
        return editor ? qobject_cast<Control*>(editor->control()) : nullptr;
    }
    /// The line below a row of the table.
    QString said(const char* key) const {
        QStringList texts;
        for (const QLabel* label : form->editorOf(key)->findChildren<QLabel*>())
            if (!label->isHidden()) texts << label->text();
        return texts.join('\n');
    }
    bool textShown() const { return form->editorOf("method.external_options")->isVisibleTo(&window); }

    RunController controller;
    LaneDraft lanes;
    QWidget window;
    LearnerQuestion question;
    OptionForm* form;
    std::unique_ptr<LearnerFields> fields;
};

}  // namespace

class TestLearnerFields : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    const OptionTable table_{withOwnProgram()};
    int number_ = 0;

    /// A program that does this, and no other that any test has allowed.
    std::string program(const std::string& does) {
        const std::string path = folder_.filePath(QString("learner%1").arg(++number_)).toStdString();
        std::ofstream(path) << "#!/bin/sh\n# " << number_ << "\n" << does << "\n";
        fs::permissions(path, fs::perms::owner_all);
        return path;
    }
    static std::string saying(const std::string& hello) {
        return "read asked\nprintf '%s\\n' '" + hello + "'\nread bye";
    }
    std::string allowed(const std::string& does) {
        const std::string path = program(does);
        allowLearnerOnce(learnerCommand(path));
        return path;
    }
    std::string place(const char* name) const { return folder_.filePath(name).toStdString(); }
    static int linesOf(const std::string& file) {
        std::ifstream in(file);
        int lines = 0;
        for (std::string line; std::getline(in, line);) ++lines;
        return lines;
    }

private Q_SLOTS:
    void initTestCase() { qputenv("PALIMPSEST_LEARNERS", folder_.filePath("allowed").toLocal8Bit()); }

    void eachOptionIsAFieldOfItsType() {
        Scene scene(table_);
        scene.choose(allowed(saying(kHello)));
        QTRY_VERIFY(scene.part("lr"));
        QVERIFY(!scene.textShown());
        auto* rate = scene.control<QDoubleSpinBox>("lr");
        QVERIFY(rate);
        QCOMPARE(rate->value(), 0.5);
        QCOMPARE(rate->maximum(), 1.0);
        QCOMPARE(rate->suffix(), QString(" x"));
        QVERIFY2(rate->toolTip().contains("How &lt;i&gt;fast&lt;/i&gt;."), qPrintable(rate->toolTip()));
        const auto labels = scene.part("lr")->findChildren<QLabel*>();
        const auto title =
            std::ranges::find_if(labels, [](const QLabel* label) { return label->text() == "Rate <b>of</b> it"; });
        QVERIFY(title != labels.end());
        QCOMPARE((*title)->textFormat(), Qt::PlainText);
        QVERIFY(scene.control<QSpinBox>("epochs"));
        QCOMPARE(scene.control<QSpinBox>("epochs")->accessibleName(), QString("epochs"));
        QCOMPARE(scene.control<QComboBox>("kind")->count(), 2);
        QVERIFY(scene.control<QCheckBox>("fast"));
        QVERIFY(scene.control<QLineEdit>("note"));
        // What a field of numbers would show as 0 is typed.
        QVERIFY(scene.control<QLineEdit>("tiny"));
        QCOMPARE(scene.control<QLineEdit>("tiny")->text(), QString("1e-30"));
        QVERIFY2(
            scene.said("method.external_command").contains("This is Mine <b>, version 3. It learns from features."),
            qPrintable(scene.said("method.external_command")));
        // In their order, below the program.
        QStringList keys;
        for (const OptionEditor* editor : scene.form->editors())
            if (editor->isPart()) keys << editor->key().section('.', 2);
        QCOMPARE(keys, (QStringList{"lr", "epochs", "kind", "fast", "note", "tiny"}));
    }

    void aChangedFieldIsWrittenIntoTheOneText() {
        Scene scene(table_);
        scene.choose(allowed(saying(kHello)));
        QTRY_VERIFY(scene.part("lr"));
        scene.control<QDoubleSpinBox>("lr")->setValue(0.25);
        QCOMPARE(scene.settings(), QString("lr=0.25"));
        scene.control<QSpinBox>("epochs")->setValue(-3);
        scene.control<QCheckBox>("fast")->setChecked(true);
        auto* kind = scene.control<QComboBox>("kind");
        kind->setCurrentIndex(1);
        Q_EMIT kind->activated(1);
        auto* note = scene.control<QLineEdit>("note");
        note->setText("a, b=c");
        Q_EMIT note->editingFinished();
        QCOMPARE(scene.settings(), QString("lr=0.25, epochs=-3, fast=true, kind=b, note=\"a, b=c\""));
        // A default is not written.
        scene.control<QDoubleSpinBox>("lr")->setValue(0.5);
        QCOMPARE(scene.settings(), QString("epochs=-3, fast=true, kind=b, note=\"a, b=c\""));
        scene.draft().undoStack()->undo();
        QCOMPARE(scene.control<QDoubleSpinBox>("lr")->value(), 0.25);
        // What no text stands for is refused and changes nothing.
        note->setText("say \"hello\"");
        Q_EMIT note->editingFinished();
        QVERIFY(scene.settings().contains("note=\"a, b=c\""));
        auto* tiny = scene.control<QLineEdit>("tiny");
        tiny->setText("small");
        Q_EMIT tiny->editingFinished();
        QVERIFY(!scene.settings().contains("tiny"));
        tiny->setText("2e-30");
        Q_EMIT tiny->editingFinished();
        QVERIFY2(scene.settings().contains("tiny=2e-30"), qPrintable(scene.settings()));
    }

    void whatTheTextHasThatTheProgramDoesNotKnowIsASentence_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("unknown") << "epoch=2"
                                 << "has no option epoch. Did you mean epochs?";
        QTest::newRow("out of range") << "lr=7"
                                      << "\"7\", but must be a number from 0 to 1";
        QTest::newRow("no choice") << "kind=c"
                                   << "one of a or b";
        QTest::newRow("never closed") << "note=\"a"
                                      << "never closed";
        QTest::newRow("beyond the field") << "epochs=3000000000"
                                          << "which its field cannot show";
    }
    void whatTheTextHasThatTheProgramDoesNotKnowIsASentence() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        Scene scene(table_);
        scene.draft().set("method.external_options", text.toStdString());
        scene.choose(allowed(saying(kHello)));
        QTRY_VERIFY(scene.part("lr"));
        QVERIFY(scene.textShown());
        const QString said = scene.said("method.external_options");
        QVERIFY2(said.contains(part), qPrintable(said));
        // Nothing of it was lost, and once it is right, the fields are enough.
        QCOMPARE(scene.settings(), text);
        scene.draft().set("method.external_options", std::string("epochs=2"));
        QVERIFY(!scene.textShown());
        QCOMPARE(scene.control<QSpinBox>("epochs")->value(), 2);
    }

    void aFieldKeepsWhatTheTextHasBesides() {
        Scene scene(table_);
        scene.draft().set("method.external_options", std::string("other=1, lr=7"));
        scene.choose(allowed(saying(kHello)));
        QTRY_VERIFY(scene.part("lr"));
        scene.control<QDoubleSpinBox>("lr")->setValue(0.75);
        QCOMPARE(scene.settings(), QString("other=1, lr=0.75"));
    }

    void whatAMessageSaysAlreadyIsNotSaidTwice() {
        Scene scene(table_);
        scene.choose(allowed("echo 'A long story.' >&2\nexit 3"));
        QTRY_VERIFY(scene.said("method.external_command").contains("A long story"));
        scene.fields->setSaid(QStringLiteral("Something else went wrong."));
        QVERIFY(scene.said("method.external_command").contains("A long story"));
        const QString whole = scene.said("method.external_command");
        scene.fields->setSaid(whole);
        QVERIFY2(!scene.said("method.external_command").contains("A long story"), qPrintable(whole));
        QVERIFY(scene.said("method.external_command").contains("in the same way"));
        scene.fields->setSaid({});
        QVERIFY(scene.said("method.external_command").contains("A long story"));
    }

    void aProgramThatIsNotAllowedIsAskedForOnlyAtAWord() {
        const std::string touched = place("touched");
        Scene scene(table_);
        scene.choose(program("touch '" + touched + "'\n" + saying(kHello)));
        QTRY_VERIFY(scene.said("method.external_command").contains("You have not allowed this program yet."));
        QVERIFY(!fs::exists(touched));
        QVERIFY(scene.textShown());
        QVERIFY(!scene.window.findChild<QMessageBox*>("learnerQuestion"));
        auto* button = scene.window.findChild<QToolButton*>("describeLearner");
        QVERIFY(button && button->isEnabled());
        button->click();
        QTRY_VERIFY(scene.window.findChild<QMessageBox*>("learnerQuestion"));
        QVERIFY(!fs::exists(touched));
        scene.window.findChild<QPushButton*>("startLearnerOnceButton")->click();
        QTRY_VERIFY(scene.part("lr"));
        QVERIFY(fs::exists(touched));
        // It was only asked, and no run began.
        QVERIFY(scene.controller.canStart());
    }

    void aProgramIsAskedOnceUntilItChanges() {
        const std::string count = place("count");
        const std::string command = allowed("echo x >> '" + count + "'\n" + saying(kHello));
        Scene scene(table_), other(table_);
        scene.choose(command);
        QTRY_VERIFY(scene.part("lr"));
        other.choose(command);
        QTRY_VERIFY(other.part("lr"));
        QCOMPARE(linesOf(count), 1);
        scene.window.findChild<QToolButton*>("describeLearner")->click();
        QTRY_COMPARE(linesOf(count), 2);
        QTRY_VERIFY(scene.part("lr"));
        // Another program's options are none of this one.
        scene.choose(allowed(saying(R"({"protocol":1,"name":"Bare","takes":["images"]})")));
        QTRY_VERIFY(
            scene.said("method.external_command").contains("This is Bare. It learns from images. It has no options."));
        QVERIFY(!scene.part("lr"));
    }

    void whatGoesWrongIsASentence_data() {
        QTest::addColumn<QString>("does");
        QTest::addColumn<QString>("part");
        QTest::newRow("rubbish") << "read asked\necho Loading the model\nread bye"
                                 << "which is no JSON object";
        QTest::newRow("ends") << "exit 7"
                              << "ended with exit code 7";
        QTest::newRow("hangs") << "read asked\nexec sleep 1000"
                               << "gave no answer within 0.5 seconds";
        QTest::newRow("megabytes without a line") << "read asked\nexec cat /dev/zero"
                                                  << "a line of more than";
        QTest::newRow("lies") << QString::fromStdString(saying(R"({"protocol":1,"name":"N","takes":["sound"]})"))
                              << "must say in \"takes\"";
        QTest::newRow("needs sessions") << QString::fromStdString(saying(
                                               R"({"protocol":1,"name":"N","takes":["images"],"needs":["sessions"]})"))
                                        << "has to be told where sessions end";
    }
    void whatGoesWrongIsASentence() {
        QFETCH(QString, does);
        QFETCH(QString, part);
        Scene scene(table_);
        // Only where it hangs is an answer not waited for.
        const bool hangs = qstrcmp(QTest::currentDataTag(), "hangs") == 0;
        if (hangs) scene.draft().set("method.external_timeout", 0.5);
        scene.choose(allowed(does.toStdString()));
        QTRY_VERIFY2_WITH_TIMEOUT(scene.said("method.external_command").contains(part),
                                  qPrintable(scene.said("method.external_command")), 60'000);
        QVERIFY(!scene.part("lr"));
    }

    /// Neither a new program nor the end of the window waits for one that hangs.
    void oneThatHangsHoldsUpNothing() {
        const std::string note = place("pid");
        {
            Scene scene(table_);
            scene.choose(allowed("echo $$ > '" + note + "'\nread asked\nexec sleep 100000"));
            QTRY_VERIFY(linesOf(note) == 1);
            scene.choose(allowed(saying(kHello)));
            QTRY_VERIFY(scene.part("lr"));
            scene.choose(allowed("echo $$ >> '" + note + "'\nread asked\nexec sleep 100000"));
            QTRY_VERIFY(linesOf(note) == 2);
        }
        std::ifstream in(note);
        for (long child = 0; in >> child;) {
            const auto identity = processIdentity(child);
            QTRY_VERIFY(identity.empty() || !processAlive(child, identity));
        }
    }

    void aLaneHasFieldsOfItsOwn() {
        Scene scene(table_);
        auto* forms = new LaneForms(scene.form, &scene.lanes);
        connect(forms, &LaneForms::secondFormMade, scene.fields.get(), &LearnerFields::follow);
        scene.choose(allowed(saying(kHello)));
        QTRY_VERIFY(scene.part("lr"));
        scene.lanes.setOn(true);
        OptionForm* second = forms->shownForm();
        QVERIFY(second != scene.form);
        QTRY_VERIFY(second->editorOf("method.external_options.lr"));
        qobject_cast<QDoubleSpinBox*>(second->editorOf("method.external_options.lr")->control())->setValue(0.125);
        QCOMPARE(scene.settings(), QString());
        QCOMPARE(scene.control<QDoubleSpinBox>("lr")->value(), 0.5);
        QVERIFY(scene.lanes.differs("method.external_options"));
        const auto said = [&](const char* key) {
            QStringList texts;
            for (const QLabel* label :
                 second->editorOf(QString("method.external_options.") + key)->findChildren<QLabel*>())
                texts << label->text();
            return texts.join('\n');
        };
        QVERIFY2(said("lr").contains("lane A: 0.5"), qPrintable(said("lr")));
        QVERIFY2(!said("epochs").contains("lane A"), qPrintable(said("epochs")));
    }

    void anotherMethodHasNoneOfThem() {
        Scene scene(table_);
        scene.choose(allowed(saying(kHello)));
        QTRY_VERIFY(scene.part("lr"));
        QVERIFY(scene.part("lr")->isVisibleTo(&scene.window));
        scene.draft().set("method.name", std::string("er"));
        QVERIFY(!scene.part("lr")->isVisibleTo(&scene.window));
        scene.draft().set("method.name", std::string("external"));
        QVERIFY(scene.part("lr")->isVisibleTo(&scene.window));
    }
};

PALIMPSEST_TEST(TestLearnerFields)

}  // namespace tst_learner_fields

#include "tst_learner_fields.moc"
