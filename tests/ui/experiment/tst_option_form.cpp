// SPDX-License-Identifier: GPL-3.0-or-later
#include <QScrollArea>
#include <QtTest>

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/state/engine_text.h"
#include "ui/state/experiment_draft.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/choice_box.h"
#include "ui/widgets/fold.h"
#include "ui/widgets/refusal_tip.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_option_form {

class TestOptionForm : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{ScriptedRun::catalogue()};

    /// Text that the control of an option shows.
    static QString shown(OptionEditor* editor) {
        const QWidget* control = editor->control();
        if (auto* box = qobject_cast<const QComboBox*>(control)) return box->currentData().toString();
        if (auto* box = qobject_cast<const QSpinBox*>(control)) return QString::number(box->value());
        if (auto* box = qobject_cast<const QDoubleSpinBox*>(control))
            return QString::fromStdString(toText(box->value()));
        if (auto* box = qobject_cast<const QLineEdit*>(control)) return box->text();
        if (auto* box = qobject_cast<const QCheckBox*>(control)) return box->isChecked() ? "true" : "false";
        return {};
    }

    template <typename T>
    static T* control(const QWidget& parent, const QString& key) {
        auto* editor = parent.findChild<OptionEditor*>("optionEditor." + key);
        return editor ? qobject_cast<T*>(editor->control()) : nullptr;
    }

    const Option* option(const QString& key) const { return table_.find(key.toStdString()); }

private Q_SLOTS:
    void showsEveryOptionOfTheTableOnce() {
        ExperimentDraft draft(&table_);
        const OptionForm form(&draft);
        std::multiset<std::string> keys, expected;
        for (const OptionEditor* editor : form.editors()) keys.insert(editor->key().toStdString());
        for (const Option& option : table_.options()) expected.insert(option.key);
        QVERIFY(keys == expected);
    }

    void leavesOutWhatHasItsPlaceElsewhere() {
        ExperimentDraft draft(&table_);
        const OptionForm form(&draft, {"seed"});
        QVERIFY(!form.findChild<QWidget*>("optionEditor.seed"));
    }

    void anExperimentsFormFoldsInTwoSections() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft, {}, OptionForm::Kind::Experiment);
        auto* method = form.findChild<Fold*>("methodSection");
        auto* run = form.findChild<Fold*>("runSection");
        QVERIFY(method && run);
        QCOMPARE(form.editors().front()->key(), QString("method.name"));
        for (const char* key : {"method.name", "mask.name", "memory.size"})
            QVERIFY2(method->isAncestorOf(form.editorOf(key)), key);
        for (const char* key : {"name", "training.batch_size", "training.learning_rate", "evaluation.every_samples"})
            QVERIFY2(run->isAncestorOf(form.editorOf(key)), key);

        draft.set("mask.name", std::string("none"));
        QVERIFY2(method->summary().contains("No mask"), qPrintable(method->summary()));
        draft.set("training.batch_size", std::int64_t{48});
        QVERIFY2(run->summary().contains("48"), qPrintable(run->summary()));

        method->setOpen(false);
        QVERIFY(!form.editorOf("mask.name")->isVisibleTo(&form));
        QVERIFY(form.editorOf("training.batch_size")->isVisibleTo(&form));
        form.reveal(form.editorOf("mask.name"));
        QVERIFY(form.editorOf("mask.name")->isVisibleTo(&form));
        QVERIFY(!form.expertShown());
        form.reveal(form.editorOf("training.optimizer"));
        QVERIFY(form.editorOf("training.optimizer")->isVisibleTo(&form));
    }

    void tabGoesFromAHeadingToItsRows() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft, {}, OptionForm::Kind::Experiment);
        form.show();
        const auto* run = form.findChild<Fold*>("runSection");
        const auto* method = form.findChild<Fold*>("methodSection");
        const auto placeOf = [&](const QWidget* widget) {
            int place = 0;
            for (const QWidget* each = &form; each != widget && place < 2000; each = each->nextInFocusChain()) ++place;
            return place;
        };
        QVERIFY(placeOf(method->heading()) < placeOf(form.editorOf("mask.name")->control()));
        QVERIFY(placeOf(form.editorOf("mask.name")->control()) < placeOf(run->heading()));
        QVERIFY(placeOf(run->heading()) < placeOf(form.editorOf("training.batch_size")->control()));
        QVERIFY(placeOf(form.editorOf("training.batch_size")->control()) < placeOf(form.disclosure()));
    }

    void rowsThatNobodySeesAreEmptyUntilTheyAreNeeded() {
        ExperimentDraft draft(&table_);
        QWidget window;
        auto* form = new OptionForm(&draft, {}, {}, &window);
        auto* after = new QPushButton(&window);
        form->show();
        const auto* rate = form->findChild<QWidget*>("optionEditor.training.learning_rate.value");
        const auto* optimizer = form->findChild<QWidget*>("optionEditor.training.optimizer.value");
        QVERIFY(rate || option("training.learning_rate")->level == OptionLevel::Expert);
        QVERIFY(!optimizer);
        // Notes that were set meanwhile are there when it comes.
        OptionEditor* editor = form->editorOf("training.optimizer");
        editor->setNote("Said before");
        draft.set("training.optimizer", std::string("sgd"));
        form->setExpertShown(true);
        auto* box = form->findChild<QComboBox*>("optionEditor.training.optimizer.value");
        QVERIFY(box);
        QCOMPARE(box->currentData().toString(), QString("sgd"));
        QCOMPARE(editor->focusProxy(), box);
        const auto labels = editor->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel* label) { return label->text() == "Said before" && !label->isHidden(); }));
        // Tab reaches it where it stands.
        int places = 0;
        const QWidget* each = box;
        while (each != after && ++places < 1000) each = each->nextInFocusChain();
        int back = 0;
        for (const QWidget* w = form->editors().front(); w != box && ++back < 1000;) w = w->nextInFocusChain();
        QVERIFY(places < 1000 && back < 1000);
        int whole = 0;
        for (const QWidget* w = form->editors().front(); w != after && ++whole < 2000;) w = w->nextInFocusChain();
        QCOMPARE(whole, places + back);
    }

    void everyEditorHasNameHelpAndTooltip() {
        ExperimentDraft draft(&table_);
        const OptionForm form(&draft);
        for (OptionEditor* editor : form.editors()) {
            const QWidget* control = editor->control();
            QCOMPARE(control->objectName(), "optionEditor." + editor->key() + ".value");
            QVERIFY2(!control->accessibleName().isEmpty(), qPrintable(editor->key()));
            QVERIFY2(control->toolTip().contains(withOptionTitles(editor->option().help).toHtmlEscaped()),
                     qPrintable(editor->key()));
            QVERIFY2(control->toolTip().contains(QString::fromStdString(editor->option().source).toHtmlEscaped()),
                     qPrintable(editor->key()));
        }
    }

    void aNumberThatStandsForMoreSaysSo() {
        ExperimentDraft draft(&table_);
        const OptionForm form(&draft);
        auto* radius = control<QDoubleSpinBox>(form, "initial_session.rho");
        QVERIFY(radius);
        QCOMPARE(radius->value(), 0.0);
        QCOMPARE(radius->text(), QString("automatic"));
        draft.set("initial_session.rho", 0.05);
        QCOMPARE(radius->text(), QString("0.05"));
    }

    void showsTheDraftsValues() {
        ExperimentDraft draft(&table_);
        const OptionForm form(&draft);
        for (OptionEditor* editor : form.editors()) {
            const std::string text = table_.text(draft.experiment(), editor->option());
            QCOMPARE(shown(editor), QString::fromStdString(text));
        }
    }

    void aNumberIsTakenHoweverItIsWritten_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("value");
        QTest::newRow("scientific") << "1e-3" << 0.001;
        QTest::newRow("point") << "0.01" << 0.01;
        QTest::newRow("comma") << "0,01" << 0.01;
        QTest::newRow("very small") << "2.5e-7" << 2.5e-7;
    }
    void aNumberIsTakenHoweverItIsWritten() {
        QFETCH(QString, typed);
        QFETCH(double, value);
        ExperimentDraft draft(&table_);
        OptionEditor editor(&draft, "training.learning_rate", OptionEditor::Layout::Row);
        editor.show();
        auto* box = qobject_cast<QDoubleSpinBox*>(editor.control());
        box->selectAll();
        QTest::keyClicks(box, typed);
        QVERIFY(!box->property("wrong").toBool());
        QTest::keyClick(box, Qt::Key_Return);
        QCOMPARE(draft.experiment().training.learning_rate, value);
        QCOMPARE(box->value(), value);
    }

    void whatIsNoNumberInRangeIsRefusedAndTheFormerOneComesBack_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        QTest::newRow("too large") << "stream.sessions"
                                   << "99999";
        QTest::newRow("too large a power") << "training.learning_rate"
                                           << "1e9";
        QTest::newRow("negative") << "training.learning_rate"
                                  << "-5";
        QTest::newRow("a word") << "training.learning_rate"
                                << "fast";
        QTest::newRow("no whole number") << "memory.size"
                                         << "2.5";
        QTest::newRow("a whole number's decimal mark") << "memory.size"
                                                       << "10.00";
        QTest::newRow("groups that are none") << "memory.size"
                                              << "10,0000";
        QTest::newRow("two ways to read it") << "training.learning_rate"
                                             << "1,000";
    }
    void whatIsNoNumberInRangeIsRefusedAndTheFormerOneComesBack() {
        QFETCH(QString, key);
        QFETCH(QString, typed);
        ExperimentDraft draft(&table_);
        OptionEditor editor(&draft, key, OptionEditor::Layout::Row);
        editor.show();
        QCoreApplication::processEvents();  // lays it out
        const Experiment before = draft.experiment();
        auto* box = qobject_cast<QAbstractSpinBox*>(editor.control());
        const QString shown = box->text();
        const auto refusalText = [&] {
            QStringList lines;
            for (const QLabel* label : editor.findChildren<QLabel*>())
                if (label->isVisible()) lines.append(label->text());
            return lines.join('\n');
        };
        box->selectAll();
        QTest::keyClicks(box, typed);
        QVERIFY2(box->text().contains(typed), qPrintable(box->text()));
        QVERIFY(box->property("wrong").toBool());
        QVERIFY2(refusalText().contains("number from"), qPrintable(refusalText()));
        QTest::keyClick(box, Qt::Key_Return);
        QCOMPARE(box->text(), shown);
        QVERIFY(!box->property("wrong").toBool());
        QVERIFY2(refusalText().contains("“" + typed + "” was not taken"), qPrintable(refusalText()));
        QCOMPARE(draft.undoStack()->count(), 0);
        QVERIFY(option(key)->get(draft.experiment()) == option(key)->get(before));
        // A valid number removes the note.
        box->selectAll();
        QTest::keyClicks(box, "1\r");
        QVERIFY(!refusalText().contains("not taken"));
    }

    void aRefusalMovesNothingAndGoesAwayByItself() {
        ExperimentDraft draft(&table_);
        QWidget form;
        auto* column = new QVBoxLayout(&form);
        auto* editor = new OptionEditor(&draft, "memory.size", OptionEditor::Layout::Row);
        auto* below = new OptionEditor(&draft, "training.learning_rate", OptionEditor::Layout::Row);
        column->addWidget(editor);
        column->addWidget(below);
        column->addStretch();
        form.resize(320, 260);
        form.show();
        QCoreApplication::processEvents();  // lays it out
        const QRect before = below->geometry();
        auto* box = qobject_cast<QAbstractSpinBox*>(editor->control());
        box->selectAll();
        QTest::keyClicks(box, "2.5\r");
        auto* tip = form.findChild<RefusalTip*>();
        QVERIFY(tip && tip->isVisible());
        QVERIFY2(tip->text().contains("“2.5” was not taken"), qPrintable(tip->text()));
        QVERIFY(box->accessibleDescription().startsWith(tip->text()));
        QCOMPARE(draft.refusal(), tip->text());
        QCoreApplication::processEvents();
        QCOMPARE(below->geometry(), before);
        // Whole, inside the window, and clear of the field.
        QVERIFY(form.rect().contains(tip->geometry()));
        QVERIFY(!tip->geometry().intersects(QRect(box->mapTo(&form, QPoint()), box->size())));
        // It follows its field out of sight, and is not lost.
        editor->hide();
        QVERIFY(tip->isHidden());
        editor->show();
        QCoreApplication::processEvents();
        tip->setMs(20);
        box->selectAll();
        QTest::keyClicks(box, "2.5\r");
        QVERIFY(tip->isVisible());
        QTRY_VERIFY(tip->isHidden());
        QVERIFY(!box->accessibleDescription().contains("not taken"));
        QVERIFY(draft.refusal().isEmpty());
        // The note stays as long as the user types something wrong.
        form.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&form));
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, "2.5");
        QSignalSpy timedOut(tip, &RefusalTip::timedOut);
        QTRY_VERIFY(timedOut.count() > 1);
        QVERIFY(tip->isVisible());
        QVERIFY(box->text().contains("2.5"));
        below->control()->setFocus();
        QTRY_VERIFY(tip->isHidden());
        QVERIFY(!box->text().contains("2.5"));
    }

    void aRefusalStandsBesideTheFormWhereThereIsRoom_data() {
        QTest::addColumn<bool>("first");
        QTest::newRow("form at the left") << true;
        QTest::newRow("form at the right") << false;
    }
    void aRefusalStandsBesideTheFormWhereThereIsRoom() {
        QFETCH(bool, first);
        ExperimentDraft draft(&table_);
        QWidget window;
        auto* row = new QHBoxLayout(&window);
        auto* form = new QScrollArea;
        form->setWidgetResizable(true);
        form->setFixedWidth(320);
        auto* inside = new QWidget;
        auto* column = new QVBoxLayout(inside);
        auto* editor = new OptionEditor(&draft, "memory.size", OptionEditor::Layout::Row);
        auto* below = new OptionEditor(&draft, "training.learning_rate", OptionEditor::Layout::Row);
        column->addWidget(editor);
        column->addWidget(below);
        column->addStretch();
        form->setWidget(inside);
        if (first) row->addWidget(form);
        row->addStretch(1);
        if (!first) row->addWidget(form);
        window.resize(900, 260);
        window.show();
        QCoreApplication::processEvents();  // lays it out
        auto* box = qobject_cast<QAbstractSpinBox*>(editor->control());
        box->selectAll();
        QTest::keyClicks(box, "2.5\r");
        auto* tip = window.findChild<RefusalTip*>();
        QVERIFY(tip && tip->isVisible());
        QVERIFY(window.rect().contains(tip->geometry()));
        for (QWidget* field : {editor->control(), below->control()})
            QVERIFY(!tip->geometry().intersects(QRect(field->mapTo(&window, QPoint()), field->size())));
    }

    void groupsOfDigitsAreReadWhateverTheLocaleAndADigitLessIsNoOtherNumber() {
        const QLocale before;
        const auto back = qScopeGuard([&] { QLocale::setDefault(before); });
        for (const QLocale::Language language : {QLocale::English, QLocale::German, QLocale::French}) {
            QLocale::setDefault(QLocale(language));
            ExperimentDraft draft(&table_);
            draft.set("memory.size", std::int64_t{10'000});
            OptionEditor editor(&draft, "memory.size", OptionEditor::Layout::Row);
            editor.show();
            auto* box = qobject_cast<QAbstractSpinBox*>(editor.control());
            const QString written = box->text();
            QVERIFY2(written.startsWith("10,000"), qPrintable(written));
            auto* line = box->findChild<QLineEdit*>();
            line->setCursorPosition(6);
            QTest::keyClick(line, Qt::Key_Backspace);
            QVERIFY2(line->text().startsWith("10,00 "), qPrintable(line->text()));
            QTest::keyClick(box, Qt::Key_Return);
            QCOMPARE(box->text(), written);
            QCOMPARE(draft.experiment().memory.size, std::int64_t{10'000});
            box->selectAll();
            QTest::keyClicks(box, "12,000\r");
            QCOMPARE(draft.experiment().memory.size, std::int64_t{12'000});
        }
    }

    void aMinimumWithAMeaningIsSaidInWords_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::newRow("limit") << "stream.train_limit"
                               << "all";
        QTest::newRow("memory") << "memory.size"
                                << "none";
        QTest::newRow("threads") << "threads"
                                 << "all cores";
        QTest::newRow("evaluation") << "evaluation.every_samples"
                                    << "only at session ends";
    }
    void aMinimumWithAMeaningIsSaidInWords() {
        QFETCH(QString, key);
        QFETCH(QString, text);
        ExperimentDraft draft(&table_);
        const OptionForm form(&draft);
        auto* box = control<QSpinBox>(form, key);
        draft.set(key, std::int64_t{0});
        QCOMPARE(box->text(), text);
        draft.set(key, std::int64_t{7});
        QVERIFY(box->text().startsWith('7'));
        // The user types the number.
        box->selectAll();
        QTest::keyClicks(box, "0\r");
        QCOMPARE(box->text(), text);
        QCOMPARE(std::get<std::int64_t>(table_.find(key.toStdString())->get(draft.experiment())), 0);
    }

    void aChangeOfTheDraftReachesTheEditors() {
        ExperimentDraft draft(&table_);
        const OptionForm form(&draft);
        draft.set("memory.size", std::int64_t{500});
        draft.set("mask.name", std::string("none"));
        draft.set("training.learning_rate", 0.02);
        draft.set("name", std::string("Another"));
        QCOMPARE(control<QSpinBox>(form, "memory.size")->value(), 500);
        QCOMPARE(control<QComboBox>(form, "mask.name")->currentData().toString(), QString("none"));
        QCOMPARE(control<QDoubleSpinBox>(form, "training.learning_rate")->value(), 0.02);
        QCOMPARE(control<QLineEdit>(form, "name")->text(), QString("Another"));
        Experiment other = table_.defaults();
        other.memory.size = 7;
        draft.replace(other, "opening");
        QCOMPARE(control<QSpinBox>(form, "memory.size")->value(), 7);
        draft.undoStack()->undo();
        QCOMPARE(control<QSpinBox>(form, "memory.size")->value(), 500);
    }

    void aChangeInAnEditorReachesTheDraft() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft);
        form.show();
        control<QSpinBox>(form, "memory.size")->setValue(300);
        QCOMPARE(draft.experiment().memory.size, 300);
        auto* mask = control<QComboBox>(form, "mask.name");
        mask->setFocus();
        QTest::keyClick(mask, Qt::Key_Home);
        QCOMPARE(QString::fromStdString(draft.experiment().mask.name), mask->itemData(0).toString());
        auto* name = control<QLineEdit>(form, "name");
        name->selectAll();
        QTest::keyClicks(name, "Mine");
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(draft.experiment().name, std::string("Mine"));
        control<QDoubleSpinBox>(form, "training.learning_rate")->setValue(0.001);
        QCOMPARE(draft.experiment().training.learning_rate, 0.001);
    }

    void sliderAndNumberAgreeWithTheDraft() {
        ExperimentDraft draft(&table_);
        OptionEditor editor(&draft, "stream.disjoint_percent", OptionEditor::Layout::Slider);
        auto* slider = editor.findChild<QSlider*>();
        auto* box = qobject_cast<QSpinBox*>(editor.control());
        slider->setValue(30);
        QCOMPARE(box->value(), 30);
        QCOMPARE(draft.experiment().stream.disjoint_percent, 30);
        box->setValue(101);
        QCOMPARE(draft.experiment().stream.disjoint_percent, 101);
        QCOMPARE(slider->value(), slider->maximum());
        QCOMPARE(draft.experiment().stream.disjoint_percent, 101);
    }

    void aDraggedSliderIsOneStepOfUndo() {
        ExperimentDraft draft(&table_);
        OptionEditor editor(&draft, "stream.sessions", OptionEditor::Layout::Slider);
        auto* slider = editor.findChild<QSlider*>();
        slider->setSliderDown(true);
        for (int value : {6, 8, 11}) slider->setSliderPosition(value);
        slider->setSliderDown(false);
        QCOMPARE(draft.experiment().stream.sessions, 11);
        QCOMPARE(draft.undoStack()->count(), 1);
    }

    void theWheelChangesNothingWithoutFocus() {
        ExperimentDraft draft(&table_);
        OptionEditor editor(&draft, "memory.size", OptionEditor::Layout::Row);
        editor.show();
        auto* box = editor.control();
        QWheelEvent wheel(QPointF(5, 5), box->mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        box->clearFocus();
        QCoreApplication::sendEvent(box, &wheel);
        QCOMPARE(draft.experiment().memory.size, 0);
    }

    void expertOptionsWaitBehindADisclosure() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft);
        form.show();
        auto* expert = form.findChild<QWidget*>("optionEditor.training.optimizer");
        auto* basic = form.findChild<QWidget*>("optionEditor.mask.name");
        QVERIFY(basic->isVisible());
        QVERIFY(!expert->isVisible());
        form.findChild<QPushButton*>("moreSettings")->click();
        QVERIFY(expert->isVisible());
        QVERIFY(form.expertShown());
    }

    void optionsOfOtherMethodsAreOutOfReach() {
        ExperimentDraft draft(&table_);
        const OptionForm form(&draft);
        auto* pool = form.findChild<QWidget*>("optionEditor.method.pool_size");
        QVERIFY(pool->isEnabled());
        draft.set("method.name", std::string("linear-probe"));
        QVERIFY(!pool->isEnabled());
        draft.undoStack()->undo();
        QVERIFY(pool->isEnabled());
    }

    void familiesOfMethodsAreHeadingsThatCannotBeChosen() {
        Catalogue catalogue = testCatalogue();
        catalogue.methods = {{"dualprompt", "DualPrompt", "It prompts.", "Prompts", "Nothing.", "Little.", "2022"},
                             {"l2p", "L2P", "It prompts, too.", "Prompts", "Nothing.", "Little.", "2022"},
                             {"er", "ER", "It replays.", "Memory", "Images <of the past>.", "More.", "2019"}};
        const OptionTable table(catalogue);
        ExperimentDraft draft(&table);
        const OptionForm form(&draft);
        auto* box = form.findChild<QComboBox*>("optionEditor.method.name.value");
        QStringList titles;
        QList<int> headings;
        for (int i = 0; i < box->count(); ++i) {
            titles.append(box->itemText(i));
            if (!(box->model()->flags(box->model()->index(i, 0)) & Qt::ItemIsEnabled)) headings.append(i);
        }
        QCOMPARE(titles, (QStringList{"Prompts", "DualPrompt", "L2P", "Memory", "ER"}));
        QCOMPARE(headings, (QList<int>{0, 3}));
        QCOMPARE(box->currentText(), QString("DualPrompt"));
        QVERIFY(box->itemData(4, Qt::ToolTipRole).toString().contains("Stores: Images &lt;of the past&gt;."));
        draft.set("method.name", std::string("er"));
        QCOMPARE(box->currentText(), QString("ER"));
    }

    void theListOfMethodsSetsFamiliesApartAndTicksTheOneInForce() {
        Catalogue catalogue = testCatalogue();
        catalogue.methods = {{"dualprompt", "DualPrompt", "It prompts.", "Prompts", "Nothing.", "Little.", "2022"},
                             {"er", "ER", "It replays.", "Memory", "Images.", "More.", "2019"},
                             {"derpp", "DER++", "It replays.", "Memory", "Images.", "More.", "2020"}};
        const OptionTable table(catalogue);
        ExperimentDraft draft(&table);
        applyAppearance(*qApp, Appearance::Dark);
        const OptionForm form(&draft);
        auto* box = form.findChild<QComboBox*>("optionEditor.method.name.value");
        const auto* delegate = qobject_cast<FamilyListDelegate*>(box->itemDelegate());
        QVERIFY(delegate);
        QVERIFY(FamilyListDelegate::isFamily(box->model()->index(0, 0)));
        QVERIFY(!FamilyListDelegate::isFamily(box->model()->index(1, 0)));
        const auto drawn = [&](int row) {
            QImage image(200, 32, QImage::Format_RGB32);
            image.fill(Theme::darkTheme().panel);
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.initFrom(box->view());
            option.widget = box->view();
            option.rect = image.rect();
            option.font = box->view()->font();
            delegate->paint(&painter, option, box->model()->index(row, 0));
            return image;
        };
        const auto leftmost = [](const QImage& image, int from) {
            for (int x = from; x < image.width(); ++x)
                for (int y = 0; y < image.height(); ++y)
                    if (image.pixelColor(x, y) != Theme::darkTheme().panel) return x;
            return image.width();
        };
        // Row 1 is in force: its tick stands where others are empty.
        QVERIFY(leftmost(drawn(1), 0) < 20);
        QVERIFY(leftmost(drawn(3), 0) >= 20);
        QVERIFY(leftmost(drawn(0), 0) < leftmost(drawn(3), 0));
        draft.set("method.name", std::string("er"));
        QVERIFY(leftmost(drawn(1), 0) >= 20);
        QVERIFY(leftmost(drawn(3), 0) < 20);
        // A heading is smaller than what stands below it, and no family is made where there is none.
        QStyleOptionViewItem option;
        option.initFrom(box->view());
        option.font = box->view()->font();
        QVERIFY(delegate->sizeHint(option, box->model()->index(0, 0)).height() > 0);
        auto* masks = form.findChild<QComboBox*>("optionEditor.mask.name.value");
        QVERIFY(!qobject_cast<FamilyListDelegate*>(masks->itemDelegate()));
    }

    void whatIsIdleSaysWhyBelowIt() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft);
        form.show();
        form.setExpertShown(true);
        const auto lines = [&](const char* key) {
            QStringList shown;
            auto* editor = form.findChild<QWidget*>(QString("optionEditor.%1").arg(key));
            for (const QLabel* label : editor->findChildren<QLabel*>())
                if (label->isVisible()) shown.append(label->text());
            return shown;
        };
        QVERIFY(lines("memory.batch_size").contains("Nothing is kept: Memory is none."));
        // Neighbours with the same reason share its line.
        QCOMPARE(lines("memory.kind"), QStringList{"Kept images"});
        QVERIFY(form.findChild<QWidget*>("optionEditor.memory.kind.value")->toolTip().contains("Nothing is kept"));
        QVERIFY(!form.findChild<QWidget*>("optionEditor.memory.kind")->isEnabled());
        draft.set("memory.size", std::int64_t{100});
        QCOMPARE(lines("memory.kind"), QStringList{"Kept images"});
        QVERIFY(form.findChild<QWidget*>("optionEditor.memory.kind")->isEnabled());
        // The help of the chosen mask stands below it until a note takes its place.
        QCOMPARE(lines("mask.name").size(), 2);
        draft.set("mask.name", std::string("seen"));
        QVERIFY(lines("mask.name").contains(QString::fromStdString(table_.find("mask.name")->choices[1].help)));
        draft.set("method.name", std::string("er-ace"));
        QVERIFY(lines("mask.name").contains("ER-ACE has a mask of its own."));
        QCOMPARE(lines("mask.name").size(), 2);
        // It stands further down, behind "More settings".
        QVERIFY(lines("mask.session_scope").contains("ER-ACE has a mask of its own."));
    }

    void onlyTheChosenMethodsOptionsAreShown() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft);
        form.show();
        form.setExpertShown(true);
        const auto shown = [&](const char* key) {
            return form.findChild<QWidget*>(QString("optionEditor.%1").arg(key))->isVisible();
        };
        const auto headed = [&] {
            const auto labels = form.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(),
                               [](const QLabel* label) { return label->text() == "METHOD" && label->isVisible(); });
        };
        QVERIFY(shown("method.pool_size") && shown("method.prompt_form") && headed());
        QVERIFY(!shown("method.l2p_length") && !shown("method.clib_importance"));
        draft.set("method.name", std::string("l2p"));
        QVERIFY(shown("method.pool_size") && shown("method.l2p_length") && !shown("method.prompt_form"));
        draft.set("method.name", std::string("linear-probe"));
        QVERIFY(!shown("method.pool_size") && !shown("method.l2p_length") && shown("method.head_average") && headed());
        // A heading stands over what is shown, and its only option is one of those behind "More settings".
        form.setExpertShown(false);
        QVERIFY(!headed());
        form.setExpertShown(true);
        // So do options of other sections, with the heading over them.
        QVERIFY(shown("training.cutmix") && !shown("initial_session.prompts"));
        draft.set("method.name", std::string("l2p"));
        QVERIFY(!shown("training.cutmix") && shown("initial_session.prompts"));
        QVERIFY(shown("training.optimizer"));
    }

    void onlyTheChosenDataSetsOptionsAreShown() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft);
        form.show();
        form.setExpertShown(true);
        const auto shown = [&](const char* key) {
            return form.findChild<QWidget*>(QString("optionEditor.%1").arg(key))->isVisible();
        };
        QVERIFY(!shown("stream.classes") && !shown("stream.first_class"));
        draft.set("stream.dataset", std::string("shapes"));
        QVERIFY(shown("stream.classes") && shown("stream.first_class"));
        QVERIFY(!shown("stream.test_crop"));
    }

    void whatIsWorthKnowingOfTheMethodStandsBelowIt() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft);
        form.show();
        const auto refusalText = [&] {
            QStringList shown;
            for (const QLabel* label : form.findChild<QWidget*>("optionEditor.method.name")->findChildren<QLabel*>())
                if (label->isVisible()) shown.append(label->text());
            return shown.join('\n');
        };
        draft.set("memory.size", std::int64_t{0});
        draft.set("method.name", std::string("er"));
        QVERIFY2(refusalText().contains("Memory is none, so nothing is replayed"), qPrintable(refusalText()));
        draft.set("memory.size", std::int64_t{500});
        QVERIFY(!refusalText().contains("replayed"));
    }

    void aChangeDuringARunSaysWhenItTakesEffect() {
        ExperimentDraft draft(&table_);
        OptionForm form(&draft);
        form.show();
        const Experiment running = draft.experiment();
        draft.set("mask.name", std::string("none"));
        draft.set("memory.size", std::int64_t{500});
        const auto note = [&](const char* option, const QString& text) {
            for (const QLabel* label : form.findChild<QWidget*>(option)->findChildren<QLabel*>())
                if (label->isVisible() && label->text() == text) return true;
            return false;
        };
        const auto live = [&] {
            return note("optionEditor.mask.name", "takes effect at the next batch after Ctrl+Return");
        };
        const auto later = [&] { return note("optionEditor.memory.size", "takes effect at the next run"); };
        QVERIFY(!live() && !later());
        markPending(form.editors(), draft.experiment(), &running);
        QVERIFY(live() && later());
        // Handed over, and not yet taken.
        Experiment coming = running;
        coming.mask.name = "none";
        markPending(form.editors(), draft.experiment(), &running, &coming);
        QVERIFY(!live() && later());
        QVERIFY(note("optionEditor.mask.name", "sent, takes effect at the next batch"));
        markPending(form.editors(), draft.experiment(), nullptr);
        QVERIFY(!live() && !later());
    }
};

PALIMPSEST_TEST(TestOptionForm)

}  // namespace tst_option_form

#include "tst_option_form.moc"
