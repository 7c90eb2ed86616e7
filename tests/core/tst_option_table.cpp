// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/config/option_table.h"
#include "engine/method_options/prompt_options.h"
#include "engine/support/error.h"
#include "engine/support/text.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_option_table {

namespace {

/// Error for the user when a value is refused; empty when it is accepted.
std::string refusal(const OptionTable& table, const char* key, const char* text) {
    Experiment experiment = table.defaults();
    try {
        table.setText(experiment, key, text);
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input ? error.sentence() : std::string("wrong kind of error");
    }
    return {};
}

}  // namespace

class TestOptionTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasChangedInVainIsNoted() {
        Experiment experiment = table_.defaults();
        QVERIFY(table_.idleNotes(experiment).empty());
        table_.setText(experiment, "training.cutmix", "true");
        table_.setText(experiment, "method.name", "dualprompt");
        const std::vector<std::string> notes = table_.idleNotes(experiment);
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY2(notes[0].starts_with("training.cutmix is true, which changes nothing here. Only "), notes[0].c_str());
        table_.setText(experiment, "method.name", "linear-probe");
        QVERIFY(table_.idleNotes(experiment).empty());
    }

    void initialPromptsThatNobodyTakesAreNoted() {
        Experiment experiment = table_.defaults();
        table_.setText(experiment, "method.name", "dualprompt");
        table_.setText(experiment, "initial_session.load", "expert");
        const std::vector<std::string> none = table_.idleNotes(experiment);
        QCOMPARE(none.size(), std::size_t{1});
        QVERIFY2(none[0].starts_with("initial_session.load is expert, which changes nothing here. "), none[0].c_str());
        table_.setText(experiment, "initial_session.prompts", "fam");
        QVERIFY(table_.idleNotes(experiment).empty());
        table_.setText(experiment, "initial_session.load", "both");
        table_.setText(experiment, "method.name", "linear-probe");
        const std::vector<std::string> vain = table_.idleNotes(experiment);
        QCOMPARE(vain.size(), std::size_t{1});
        QVERIFY2(vain[0].starts_with("initial_session.prompts is fam, which changes nothing here. Only "),
                 vain[0].c_str());
    }

    void defaultsAreThePapersSettings_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        const std::pair<const char*, const char*> rows[] = {{"seed", "1"},
                                                            {"device", "auto"},
                                                            {"precision", "auto"},
                                                            {"threads", "0"},
                                                            {"stream.dataset", "fashion-mnist"},
                                                            {"stream.classes", "0"},
                                                            {"stream.sessions", "5"},
                                                            {"stream.disjoint_percent", "50"},
                                                            {"stream.blurry_percent", "10"},
                                                            {"stream.partition", "stochastic"},
                                                            {"stream.sampler", "current"},
                                                            {"stream.index_list", ""},
                                                            {"stream.train_limit", "0"},
                                                            {"stream.test_limit", "0"},
                                                            {"stream.normalise", "data-set"},
                                                            {"backbone.name", "palimpsest-stem-vit"},
                                                            {"backbone.weights", "embedded"},
                                                            {"backbone.image_size", "0"},
                                                            {"backbone.heads", "0"},
                                                            {"backbone.activation", "auto"},
                                                            {"method.name", "dualprompt"},
                                                            {"method.prompt_selection", "full-pool"},
                                                            {"method.pool_size", "10"},
                                                            {"method.prompt_form", "tuning"},
                                                            {"method.g_blocks", "0,1"},
                                                            {"method.e_blocks", "2,3,4"},
                                                            {"method.shift_and_scale", "false"},
                                                            {"method.g_length", "0"},
                                                            {"method.e_length", "0"},
                                                            {"method.l2p_length", "0"},
                                                            {"method.l2p_selected", "5"},
                                                            {"method.l2p_key_weight", "0.5"},
                                                            {"method.mvp_mask", "true"},
                                                            {"method.mvp_contrastive", "true"},
                                                            {"method.mvp_scaling", "true"},
                                                            {"method.mvp_reinforcement", "batch"},
                                                            {"method.mvp_alpha", "0.5"},
                                                            {"method.mvp_gamma", "2.0"},
                                                            {"method.mvp_margin", "0.5"},
                                                            {"method.prompt_blocks", "5"},
                                                            {"method.prompt_length", "0"},
                                                            {"method.single_head", "cosine"},
                                                            {"method.single_temperature", "0.1"},
                                                            {"method.random_features", "10000"},
                                                            {"method.fly_experts", "5"},
                                                            {"method.fly_ridge", "10000.0"},
                                                            {"method.fly_ensemble", "max"},
                                                            {"method.coda_published", "false"},
                                                            {"method.readout", "head"},
                                                            {"method.readout_ridge", "100.0"},
                                                            {"method.head_average", "0.0"},
                                                            {"method.analytic_readout", "ridge"},
                                                            {"method.analytic_features", "random-relu"},
                                                            {"method.analytic_balance", "none"},
                                                            {"method.analytic_ridge_choice", "fixed"},
                                                            {"method.analytic_ridge", "100000.0"},
                                                            {"method.analytic_shrinkage", "fixed"},
                                                            {"method.calibration", "none"},
                                                            {"method.calibration_file", ""},
                                                            {"method.calibration_share", "0.5"},
                                                            {"method.backbone_learning_rate", "0.0"},
                                                            {"method.ewc_train_backbone", "true"},
                                                            {"method.ewc_importance", "true-label"},
                                                            {"method.ewcpp_strength", "100.0"},
                                                            {"method.ewcpp_gradients", "separate"},
                                                            {"method.ewc_strength", "25.0"},
                                                            {"method.ewc_decay", "1.0"},
                                                            {"method.lora_rank", "4"},
                                                            {"method.lora_strength", "2000.0"},
                                                            {"method.lora_hard_images", "4"},
                                                            {"method.lora_buffer", "images"},
                                                            {"method.lora_window", "5"},
                                                            {"method.lora_plateau_mean", "5.2"},
                                                            {"method.lora_plateau_variance", "0.02"},
                                                            {"method.lora_loss", "scaled"},
                                                            {"method.lora_merge", "products"},
                                                            {"method.lwf_weight", "0.2"},
                                                            {"method.lwf_temperature", "2.0"},
                                                            {"method.derpp_logit_weight", "0.2"},
                                                            {"method.derpp_replay_weight", "0.5"},
                                                            {"method.rainbow_epochs", "256"},
                                                            {"method.rainbow_evaluation", "after"},
                                                            {"method.clib_importance", "as-published"},
                                                            {"method.clib_rate_step", "0.95"},
                                                            {"method.clib_rate_period", "10"},
                                                            {"method.clib_rate_length", "10"},
                                                            {"mask.name", "batch"},
                                                            {"mask.evaluation", "auto"},
                                                            {"mask.session_scope", "so-far"},
                                                            {"mask.form", "additive"},
                                                            {"initial_session.prompts", "none"},
                                                            {"initial_session.load", "both"},
                                                            {"initial_session.dataset", "fractals"},
                                                            {"initial_session.classes", "900"},
                                                            {"initial_session.other_classes", "100"},
                                                            {"initial_session.images_per_class", "20"},
                                                            {"initial_session.epochs", "3"},
                                                            {"initial_session.batch_size", "128"},
                                                            {"initial_session.updates_per_batch", "1"},
                                                            {"initial_session.learning_rate", "0.0001"},
                                                            {"initial_session.rho", "0.0"},
                                                            {"initial_session.sign", "plus"},
                                                            {"initial_session.perturb", "all"},
                                                            {"initial_session.other_drawn", "10"},
                                                            {"initial_session.resample", "0.67"},
                                                            {"initial_session.other_units", "separate"},
                                                            {"initial_session.sessions", "1"},
                                                            {"initial_session.augment_prompts", "both"},
                                                            {"initial_session.augment", "auto"},
                                                            {"memory.size", "0"},
                                                            {"memory.batch_size", "0"},
                                                            {"memory.kind", "auto"},
                                                            {"training.batch_size", "32"},
                                                            {"training.updates_per_batch", "3"},
                                                            {"training.optimizer", "adam"},
                                                            {"training.learning_rate", "0.005"},
                                                            {"training.augment", "auto"},
                                                            {"training.augment_scope", "batch"},
                                                            {"training.cutmix", "false"},
                                                            {"evaluation.every_samples", "1000"},
                                                            {"evaluation.session_data", "first-exposed"}};
        for (const auto& [key, value] : rows) QTest::newRow(key) << key << value;
    }
    void defaultsAreThePapersSettings() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        const Option* option = table_.find(key.toStdString());
        QVERIFY(option);
        QCOMPARE(QString::fromStdString(table_.text(table_.defaults(), *option)), value);
    }

    void everyRowIsComplete() {
        std::set<std::string> keys;
        for (const Option& option : table_.options()) {
            QVERIFY2(keys.insert(option.key).second, option.key.c_str());
            QVERIFY2(!option.title.empty() && option.help.ends_with('.'), option.key.c_str());
            if (option.type == OptionType::Integer || option.type == OptionType::Real) {
                QVERIFY2(option.minimum < option.maximum, option.key.c_str());
            }
            QCOMPARE(option.type == OptionType::Choice, !option.choices.empty());
        }
        QCOMPARE(keys.size(), std::size_t{141});
    }

    void everyDefaultPassesItsOwnCheck() {
        Experiment experiment = table_.defaults();
        for (const Option& option : table_.options()) table_.set(experiment, option, option.standard);
        QVERIFY(table_.problems(experiment).empty());
    }

    void rowsOfOneSectionStandTogether() {
        std::set<std::string> closed;
        std::string section;
        for (const Option& option : table_.options()) {
            if (option.section() == section) continue;
            QVERIFY2(closed.insert(section).second, option.key.c_str());
            section = option.section();
        }
    }

    void everyFieldIsItsOwn() {
        // Two options bound to one field would overwrite each other.
        Experiment experiment = table_.defaults();
        for (const Option& option : table_.options()) {
            if (option.type == OptionType::Integer) {
                table_.set(experiment, option, static_cast<std::int64_t>(option.maximum));
            } else if (option.type == OptionType::Text) {
                table_.set(experiment, option, OptionValue("value of " + option.key));
            }
        }
        for (const Option& option : table_.options()) {
            if (option.type == OptionType::Integer) {
                QCOMPARE(std::get<std::int64_t>(option.get(experiment)), static_cast<std::int64_t>(option.maximum));
            } else if (option.type == OptionType::Text) {
                QCOMPARE(std::get<std::string>(option.get(experiment)), "value of " + option.key);
            }
        }
    }

    void textSetsAValue_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::newRow("integer") << "stream.sessions"
                                 << "7";
        QTest::newRow("least integer") << "stream.sessions"
                                       << "1";
        QTest::newRow("real") << "training.learning_rate"
                              << "0.03";
        QTest::newRow("choice") << "mask.name"
                                << "session";
        QTest::newRow("text") << "name"
                              << "Größe, \"quoted\" = 5";
        QTest::newRow("ordered disjoint classes") << "stream.disjoint_percent"
                                                  << "101";
    }
    void textSetsAValue() {
        QFETCH(QString, key);
        QFETCH(QString, text);
        Experiment experiment = table_.defaults();
        table_.setText(experiment, key.toStdString(), text.toStdString());
        QCOMPARE(QString::fromStdString(table_.text(experiment, *table_.find(key.toStdString()))), text);
    }

    void aWholeNumberIsARealNumberToo() {
        Experiment experiment = table_.defaults();
        table_.set(experiment, *table_.find("training.learning_rate"), std::int64_t{1});
        QCOMPARE(experiment.training.learning_rate, 1.0);
    }

    void aRefusalSaysKeyValueAndWhatIsAllowed_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("too small") << "stream.sessions"
                                   << "0"
                                   << "stream.sessions is 0, but must be a whole number from 1 to 1000.";
        QTest::newRow("too large") << "stream.sessions"
                                   << "1001"
                                   << "stream.sessions is 1001, but must be a whole number from 1 to 1000.";
        QTest::newRow("with a point") << "stream.sessions"
                                      << "5.0"
                                      << "stream.sessions is \"5.0\", but must be a whole number from 1 to 1000.";
        QTest::newRow("beyond 64 bits")
            << "seed"
            << "99999999999999999999"
            << "seed is \"99999999999999999999\", but must be a whole number from 0 to 2147483647.";
        QTest::newRow("empty") << "memory.size"
                               << ""
                               << "memory.size is \"\", but must be a whole number from 0 to 10000000.";
        QTest::newRow("not a number") << "training.learning_rate"
                                      << "nan"
                                      << "training.learning_rate is nan, but must be a number from 1e-08 to 10.";
        QTest::newRow("trailing letters")
            << "training.learning_rate"
            << "0.1x"
            << "training.learning_rate is \"0.1x\", but must be a number from 1e-08 to 10.";
        QTest::newRow("unknown choice")
            << "mask.name"
            << "bach"
            << "mask.name is \"bach\", but must be one of none, seen, batch, session or learnable. "
               "Did you mean batch?";
        QTest::newRow("line break") << "name"
                                    << "two\nlines"
                                    << "name is \"two lines\", but must be a line of text.";
        QTest::newRow("unknown key") << "stream.sesions"
                                     << "5"
                                     << "There is no option \"stream.sesions\". Did you mean stream.sessions?";
        QTest::newRow("far from any key") << "qqqqqqqqqq"
                                          << "5"
                                          << "There is no option \"qqqqqqqqqq\". `palimpsest-cli options` lists all of "
                                             "them.";
    }
    void aRefusalSaysKeyValueAndWhatIsAllowed() {
        QFETCH(QString, key);
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        QCOMPARE(QString::fromStdString(refusal(table_, key.toUtf8(), text.toUtf8())), sentence);
    }

    void aRefusedValueChangesNothing() {
        Experiment experiment = table_.defaults();
        QVERIFY_EXCEPTION_THROWN(table_.setText(experiment, "stream.sessions", "0"), Error);
        QCOMPARE(experiment.stream.sessions, std::int64_t{5});
    }

    void nearestKeyIsFound_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("meant");
        QTest::newRow("a letter missing") << "stream.sesions"
                                          << "stream.sessions";
        QTest::newRow("letters swapped") << "stream.sessoins"
                                         << "stream.sessions";
        QTest::newRow("section misspelt") << "strem.sessions"
                                          << "stream.sessions";
        QTest::newRow("section left out") << "learning_rate"
                                          << "training.learning_rate";
        QTest::newRow("wrong section") << "stream.learning_rate"
                                       << "training.learning_rate";
        QTest::newRow("hyphen") << "training.learning-rate"
                                << "training.learning_rate";
        QTest::newRow("misspelt, no section") << "batchsize"
                                              << "training.batch_size";
        QTest::newRow("first words") << "stream.disjoint"
                                     << "stream.disjoint_percent";
        QTest::newRow("first words, no section") << "every"
                                                 << "evaluation.every_samples";
        QTest::newRow("a short word like no other") << "foo"
                                                    << "";
        QTest::newRow("nothing near") << "zzzzzzzz"
                                      << "";
    }
    void nearestKeyIsFound() {
        QFETCH(QString, typed);
        QFETCH(QString, meant);
        QCOMPARE(QString::fromStdString(table_.nearest(typed.toStdString())), meant);
    }

    void problemsBetweenFieldsAreNamed_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("key");
        QTest::newRow("imported from nowhere") << QStringList{"stream.partition=imported"} << "stream.index_list";
        QTest::newRow("older sampler, uniform")
            << QStringList{"stream.sampler=older", "stream.partition=uniform"} << "stream.sampler is older";
        QTest::newRow("older sampler, all disjoint in order")
            << QStringList{"stream.sampler=older", "stream.disjoint_percent=101"} << "stream.disjoint_percent";
        QTest::newRow("older sampler, one class at a time")
            << QStringList{"stream.sampler=older", "stream.blurry_percent=101"} << "stream.blurry_percent";
        QTest::newRow("fewer images than sessions") << QStringList{"stream.train_limit=4"} << "stream.train_limit";
        QTest::newRow("CLIB without a memory") << QStringList{"method.name=clib", "memory.batch_size=8"}
                                               << "memory.size is 0, but CLIB learns from its memory";
        QTest::newRow("uncertainty without Rainbow Memory") << QStringList{"method.name=er", "memory.kind=uncertainty"}
                                                            << "memory.kind is uncertainty, which only Rainbow";
        QTest::newRow("nothing to mix with")
            << QStringList{"training.cutmix=true", "method.name=linear-probe", "training.batch_size=1"}
            << "training.cutmix";
        QTest::newRow("general blocks that fall") << QStringList{"method.g_blocks=1,0"} << "method.g_blocks";
        QTest::newRow("an expert block twice") << QStringList{"method.e_blocks=2,2"} << "method.e_blocks";
        QTest::newRow("no prompt at all") << QStringList{"method.g_blocks=none", "method.e_blocks=none"} << "both none";
        QTest::newRow("a learnable mask without a pool")
            << QStringList{"mask.name=learnable", "method.e_blocks=none"} << "method.e_blocks is none";
        QTest::newRow("a learnable mask of a method without prompts")
            << QStringList{"mask.name=learnable", "method.name=linear-probe"} << "method.name is linear-probe";
        QTest::newRow("a learnable mask of L2P")
            << QStringList{"mask.name=learnable", "method.name=l2p"} << "only DualPrompt";
        QTest::newRow("a learnable mask of MVP, which has one")
            << QStringList{"mask.name=learnable", "method.name=mvp"} << "method.mvp_mask";
        QTest::newRow("MVP without a pool")
            << QStringList{"method.name=mvp", "method.e_blocks=none"} << "method.e_blocks";
        QTest::newRow("L2P from a general prompt that nothing carries")
            << QStringList{"method.name=l2p", "initial_session.prompts=fam", "method.g_blocks=none"}
            << "method.g_blocks";
        QTest::newRow("nothing to shift and scale")
            << QStringList{"method.shift_and_scale=true", "method.g_blocks=none", "initial_session.prompts=fam"}
            << "method.g_blocks";
        QTest::newRow("no general prompt to load")
            << QStringList{"initial_session.prompts=fam", "initial_session.load=general", "method.g_blocks=none"}
            << "initial_session.load is general, but method.g_blocks is none";
        QTest::newRow("no expert prompts to load")
            << QStringList{"initial_session.prompts=fam", "initial_session.load=expert", "method.e_blocks=none"}
            << "initial_session.load is expert, but method.e_blocks is none";
        QTest::newRow("shift and scale of random prompts")
            << QStringList{"method.shift_and_scale=true"} << "initial_session.prompts is none";
        QTest::newRow("no such device") << QStringList{"device=gpu"} << "device";
        QTest::newRow("device without a number") << QStringList{"device=cuda:"} << "device";
        QTest::newRow("blank name") << QStringList{"name=  "} << "name";
        QTest::newRow("no weights") << QStringList{"backbone.weights="} << "backbone.weights";
        QTest::newRow("FAM without other classes")
            << QStringList{"initial_session.prompts=fam", "initial_session.other_classes=0"}
            << "initial_session.other_classes";
        QTest::newRow("nothing to adapt to") << QStringList{"initial_session.dataset="} << "initial_session.dataset";
        QTest::newRow("more blocks of classes than classes")
            << QStringList{"initial_session.classes=9", "initial_session.sessions=10"} << "initial_session.sessions";
        QTest::newRow("no prompts") << QStringList{"initial_session.prompts="} << "initial_session.prompts";
        QTest::newRow("a session without a component of its own")
            << QStringList{"method.name=coda-prompt", "stream.sessions=11"}
            << "method.pool_size is 10, but CODA-Prompt opens new components of its pool in each of 11 sessions "
               "(stream.sessions); make it at least 11.";
        QTest::newRow("an expert without an image")
            << QStringList{"method.name=fly-prompt", "method.fly_experts=101", "stream.train_limit=100"}
            << "method.fly_experts is 101, but FlyPrompt's experts share out a stream of at most 100 images "
               "(stream.train_limit); make it at most 100.";
    }
    void problemsBetweenFieldsAreNamed() {
        QFETCH(QStringList, settings);
        QFETCH(QString, key);
        Experiment experiment = table_.defaults();
        for (const QString& setting : settings) {
            const qsizetype equals = setting.indexOf('=');
            table_.setText(experiment, setting.left(equals).toStdString(), setting.mid(equals + 1).toStdString());
        }
        const std::vector<std::string> problems = table_.problems(experiment);
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(problems[0]).contains(key), problems[0].c_str());
    }

    void soundExperimentsHaveNoProblems_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::newRow("defaults") << QStringList{};
        QTest::newRow("second GPU") << QStringList{"device=cuda:1"};
        QTest::newRow("a number of classes that the data set ignores") << QStringList{"stream.classes=3"};
        QTest::newRow("memory") << QStringList{"memory.size=500"};
        QTest::newRow("a memory of which so many are replayed")
            << QStringList{"memory.size=500", "memory.batch_size=7"};
        QTest::newRow("a balanced memory for ER")
            << QStringList{"method.name=er", "memory.size=500", "memory.kind=balanced"};
        QTest::newRow("ER without a memory") << QStringList{"method.name=er"};
        QTest::newRow("CLIB") << QStringList{"method.name=clib", "memory.size=500"};
        QTest::newRow("mixed with the memory") << QStringList{"training.cutmix=true", "method.name=linear-probe",
                                                              "training.batch_size=1", "memory.size=9"};
        QTest::newRow("a method that mixes nothing") << QStringList{"training.cutmix=true", "training.batch_size=1"};
        QTest::newRow("a general prompt alone") << QStringList{"method.e_blocks=none"};
        QTest::newRow("the general prompt of a method without prompts")
            << QStringList{"method.name=linear-probe", "initial_session.prompts=fam", "initial_session.load=general",
                           "method.g_blocks=none"};
        QTest::newRow("both prompts in one block") << QStringList{"method.g_blocks=1", "method.e_blocks=1, 3"};
        QTest::newRow("a learnable mask") << QStringList{"mask.name=learnable"};
        QTest::newRow("no block is missed by a method without prompts") << QStringList{
            "method.name=linear-probe", "method.g_blocks=none", "method.e_blocks=none", "method.shift_and_scale=true"};
        QTest::newRow("ordered classes that the sessions do not divide")
            << QStringList{"stream.classes=12", "stream.partition=ordered"};
        QTest::newRow("one class at a time")
            << QStringList{"stream.classes=10", "stream.sessions=10", "stream.partition=one-class"};
        QTest::newRow("older sampler") << QStringList{"stream.sampler=older"};
        QTest::newRow("naive adaptation takes no other classes")
            << QStringList{"initial_session.prompts=naive", "initial_session.other_classes=0"};
        QTest::newRow("SAM takes no other classes")
            << QStringList{"initial_session.prompts=sam", "initial_session.other_classes=0"};
        QTest::newRow("fewer other classes than are drawn at a time")
            << QStringList{"initial_session.prompts=fam", "initial_session.other_classes=4"};
        QTest::newRow("a component for each session") << QStringList{"method.name=coda-prompt", "stream.sessions=10"};
        QTest::newRow("the pool of another method") << QStringList{"method.name=l2p", "stream.sessions=11"};
        QTest::newRow("an image for each expert")
            << QStringList{"method.name=fly-prompt", "method.fly_experts=100", "stream.train_limit=100"};
        QTest::newRow("sessions of an imported list") << QStringList{
            "method.name=coda-prompt", "stream.partition=imported", "stream.index_list=a.json", "stream.sessions=11"};
        QTest::newRow("an imported list decides alone")
            << QStringList{"stream.partition=imported", "stream.index_list=a.json", "stream.classes=3",
                           "stream.train_limit=2", "stream.sampler=older"};
    }
    void soundExperimentsHaveNoProblems() {
        QFETCH(QStringList, settings);
        Experiment experiment = table_.defaults();
        for (const QString& setting : settings) {
            const qsizetype equals = setting.indexOf('=');
            table_.setText(experiment, setting.left(equals).toStdString(), setting.mid(equals + 1).toStdString());
        }
        QVERIFY(table_.problems(experiment).empty());
    }

    void anUpdateReplaysAsManyImagesAsArriveUnlessToldOtherwise_data() {
        QTest::addColumn<std::int64_t>("arriving");
        QTest::addColumn<std::int64_t>("asked");  // 0: not requested
        QTest::addColumn<std::int64_t>("replayed");
        const auto row = [](const char* name, std::int64_t arriving, std::int64_t asked, std::int64_t replayed) {
            QTest::newRow(name) << arriving << asked << replayed;
        };
        row("one at a time", 1, 0, 1);
        row("the usual batch", 32, 0, 32);
        row("a larger batch", 64, 0, 64);
        row("fewer than arrive", 64, 8, 8);
        row("more than arrive", 1, 32, 32);
    }
    void anUpdateReplaysAsManyImagesAsArriveUnlessToldOtherwise() {
        QFETCH(std::int64_t, arriving);
        QFETCH(std::int64_t, asked);
        QFETCH(std::int64_t, replayed);
        Experiment experiment = table_.defaults();
        experiment.memory.size = 500;
        experiment.training.batch_size = arriving;
        if (asked > 0) experiment.memory.batch_size = asked;
        const MemoryOptions memory = resolvedMemory(experiment);
        QCOMPARE(memory.batch_size, replayed);
        QCOMPARE(memory.size, std::int64_t{500});
        QCOMPARE(memory.kind, std::string("auto"));
    }

    void optionsWithoutEffectSayWhy_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QStringList>("idle");
        const auto row = [](const char* name, const QStringList& settings, const QStringList& idle) {
            const bool session = settings.contains("mask.name=session");
            const bool drawn = settings.contains("stream.dataset=shapes");
            QTest::newRow(name) << settings
                                << idle + QStringList(session ? 0 : 1, "mask.session_scope") +
                                       QStringList("stream.test_crop") +
                                       (drawn ? QStringList() : QStringList{"stream.classes", "stream.first_class"});
        };
        const QString list = "stream.index_list", sessions = "stream.sessions", sampler = "stream.sampler";
        const QStringList shares{"stream.disjoint_percent", "stream.blurry_percent"};
        row("stochastic", {}, {list});
        row("a data set that is drawn", {"stream.dataset=shapes"}, {list});
        row("uniform", {"stream.partition=uniform"}, {list});
        row("ordered", {"stream.partition=ordered"}, shares + QStringList{list});
        row("one class", {"stream.partition=one-class"}, shares + QStringList{list});
        row("imported", {"stream.partition=imported"}, QStringList{sessions} + shares + QStringList{sampler});
        row("the session mask", {"mask.name=session"}, {list});
        row("no mask", {"mask.name=none"}, {list, "mask.form"});
        row("unvaried images", {"training.augment=none"}, {list, "training.augment_scope"});
        row("unvaried images that are mixed",
            {"training.augment=none", "training.cutmix=true", "method.name=linear-probe"}, {list});
        row("unvaried images of a method that mixes none", {"training.augment=none", "training.cutmix=true"},
            {list, "training.augment_scope"});
    }
    void optionsWithoutEffectSayWhy() {
        QFETCH(QStringList, settings);
        QFETCH(QStringList, idle);
        Experiment experiment = table_.defaults();
        experiment.memory.size = 100;
        for (const QString& setting : settings) {
            const qsizetype equals = setting.indexOf('=');
            table_.setText(experiment, setting.left(equals).toStdString(), setting.mid(equals + 1).toStdString());
        }
        for (const Option& option : table_.options()) {
            if (!option.only_methods.empty()) continue;
            const QString reason = QString::fromStdString(table_.idleReason(experiment, option));
            QVERIFY2(reason.isEmpty() != idle.contains(QString::fromStdString(option.key)), option.key.c_str());
            QVERIFY(reason.isEmpty() || reason.endsWith('.'));
        }
    }

    void optionsThatAKindOfAdaptationIgnoresSayWhy_data() {
        QTest::addColumn<QString>("prompts");
        QTest::addColumn<QStringList>("idle");
        const QStringList perturbation{"rho", "sign", "perturb"};
        const QStringList others{"other_drawn", "resample", "other_units"};
        QTest::newRow("naive") << "naive" << perturbation + others;
        QTest::newRow("SAM") << "sam" << others;
        QTest::newRow("FAM") << "fam" << QStringList();
        QTest::newRow("FAM unless told otherwise") << "none" << QStringList("load");
    }
    void optionsThatAKindOfAdaptationIgnoresSayWhy() {
        QFETCH(QString, prompts);
        QFETCH(QStringList, idle);
        Experiment experiment = table_.defaults();
        table_.setText(experiment, "initial_session.prompts", prompts.toStdString());
        for (const Option& option : table_.options()) {
            if (option.section() != "initial_session") continue;
            const QString reason = QString::fromStdString(table_.idleReason(experiment, option));
            QVERIFY2(reason.isEmpty() != idle.contains(QString::fromStdString(option.leaf())), option.key.c_str());
            QVERIFY(reason.isEmpty() || reason.endsWith('.'));
        }
    }

    void whatAMethodBringsItselfNeedsNoOption() {
        Experiment experiment = table_.defaults();
        table_.setText(experiment, "memory.size", "100");
        table_.setText(experiment, "memory.kind", "balanced");
        table_.setText(experiment, "mask.name", "seen");
        table_.setText(experiment, "method.name", "er");
        QVERIFY(table_.idleNotes(experiment).empty());
        table_.setText(experiment, "method.name", "derpp");
        QCOMPARE(table_.idleNotes(experiment).size(), std::size_t{1});
        QVERIFY(table_.idleNotes(experiment)[0].starts_with("memory.kind is balanced, which changes nothing here."));
        table_.setText(experiment, "method.name", "er-ace");
        QCOMPARE(table_.idleNotes(experiment).size(), std::size_t{1});
        QVERIFY(table_.idleNotes(experiment)[0].starts_with("mask.name is seen, which changes nothing here."));
    }

    void withoutAMemoryItsOtherOptionsAreIdle() {
        Experiment experiment = table_.defaults();
        const auto reason = [&](const char* key) { return table_.idleReason(experiment, *table_.find(key)); };
        QCOMPARE(reason("memory.size"), std::string());
        QCOMPARE(reason("memory.batch_size"), std::string("Nothing is kept: memory.size is 0."));
        QCOMPARE(reason("memory.kind"), std::string("Nothing is kept: memory.size is 0."));
        table_.setText(experiment, "memory.kind", "balanced");
        QCOMPARE(table_.idleNotes(experiment),
                 (std::vector<std::string>{"memory.kind is balanced, which changes nothing here. Nothing is kept: "
                                           "memory.size is 0."}));
        table_.setText(experiment, "memory.size", "1");
        QCOMPARE(reason("memory.batch_size"), std::string());
        QCOMPARE(reason("memory.kind"), std::string());
        QVERIFY(table_.idleNotes(experiment).empty());
    }

    void classesThatADataSetOfFilesCannotPassOverAreNoted() {
        Experiment experiment = table_.defaults();
        table_.setText(experiment, "stream.first_class", "5000");
        QCOMPARE(
            table_.idleNotes(experiment),
            (std::vector<std::string>{"stream.first_class is 5000, which changes nothing here. Only drawn data sets "
                                      "pass over classes, and this one is made of files."}));
        // The user may still choose another data set, which the form would otherwise prevent.
        QVERIFY(table_.problems(experiment).empty());
        table_.setText(experiment, "stream.dataset", "shapes");
        QVERIFY(table_.idleNotes(experiment).empty());
    }

    void theCropOfTestImagesThatAreShownWholeIsNoted() {
        Catalogue catalogue = testCatalogue();
        catalogue.datasets.push_back({"gtsrb", "GTSRB", "Signs."});
        catalogue.datasets.back().crops_test = true;
        const OptionTable table(catalogue);
        Experiment experiment = table.defaults();
        QCOMPARE(experiment.stream.test_crop, std::string("centre"));
        table.setText(experiment, "stream.test_crop", "published");
        QCOMPARE(table.idleNotes(experiment),
                 (std::vector<std::string>{"stream.test_crop is published, which changes nothing here. Test images of "
                                           "this data set are shown whole."}));
        table.setText(experiment, "stream.dataset", "gtsrb");
        QVERIFY(table.idleNotes(experiment).empty());
    }

    void aFrozenBackboneHasNoLearningRate() {
        Experiment experiment = table_.defaults();
        table_.setText(experiment, "method.backbone_learning_rate", "0.00005");
        const auto reason = [&] {
            return table_.idleReason(experiment, *table_.find("method.backbone_learning_rate"));
        };
        QCOMPARE(reason(), std::string("No block of the backbone learns: method.trained_blocks is 0."));
        experiment.method.name = "linear-probe";
        QVERIFY(QString::fromStdString(reason()).startsWith("Only "));
        for (const char* method : {"online-lora", "finetune", "ewcpp", "online-ewc"}) {
            experiment.method.name = method;
            QCOMPARE(reason(), std::string());
        }
        table_.setText(experiment, "method.ewc_train_backbone", "false");
        QCOMPARE(reason(), std::string("The backbone does not learn: method.ewc_train_backbone is false."));
        experiment.method.name = "finetune";
        QCOMPARE(reason(), std::string());
    }

    void ofADataSetThatNobodyKnowsNothingIsSaid() {
        const OptionTable bare{Catalogue{}};
        Experiment experiment = bare.defaults();
        bare.setText(experiment, "stream.first_class", "5000");
        QVERIFY(bare.idleNotes(experiment).empty());
    }

    void whatOnlyTheAdaptationReadsIsNotedInARun() {
        Experiment experiment = table_.defaults();
        table_.setText(experiment, "method.name", "l2p");
        table_.setText(experiment, "method.g_length", "9");
        table_.setText(experiment, "method.e_length", "8");
        QCOMPARE(table_.idleNotes(experiment).size(), std::size_t{2});
        QVERIFY(table_.idleNotes(experiment)[0].starts_with("method.g_length is 9, which changes nothing here."));
        table_.setText(experiment, "initial_session.prompts", "fam");
        QCOMPARE(table_.idleNotes(experiment).size(), std::size_t{1});
        QVERIFY(table_.idleNotes(experiment)[0].starts_with("method.e_length is 8, which changes nothing here."));
    }

    void whatIsWorthKnowingOfAMethodIsNoted_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("note");  // empty: there is none
        const auto row = [](const char* title, const QStringList& settings, const QString& note) {
            QTest::newRow(title) << settings << note;
        };
        row("nothing", {"method.name=linear-probe"}, "");
        row("ER without a memory", {"method.name=er"}, "this is a linear probe.");
        row("ER-ACE without a memory", {"method.name=er-ace"}, "this is a linear probe with the mask of ER-ACE.");
        row("ER with a memory", {"method.name=er", "memory.size=9"}, "");
        row("fewer updates than published", {"method.name=clib", "memory.size=9"},
            "makes 96 updates on each batch, where others make 3; training.updates_per_batch makes 3 here.");
        row("as many as published", {"method.name=clib", "memory.size=9", "training.updates_per_batch=96"}, "");
        row("EWC++", {"method.name=ewcpp"}, "");
        row("LwF", {"method.name=lwf"}, "");
        row("LwF with a memory", {"method.name=lwf", "memory.size=9"},
            "so past images join every batch; LwF itself, paper and code, has no memory.");
        row("L2P", {"method.name=l2p"}, "");
        row("L2P with prompts as they are", {"method.name=l2p", "initial_session.prompts=fam"}, "");
        row("L2P with a length of its own", {"method.name=l2p", "initial_session.prompts=fam", "method.l2p_length=5"},
            "takes the first 5 tokens of each block of the initial prompt, however long that is; 0 takes all.");
        row("L2P with a part of the prompts",
            {"method.name=l2p", "initial_session.prompts=fam", "method.g_length=10", "method.l2p_length=5"},
            "so L2P takes the first tokens of each block of the initial prompt and drops the rest; make them equal to "
            "take all.");
        row("L2P with whole prompts",
            {"method.name=l2p", "initial_session.prompts=fam", "method.g_length=10", "method.l2p_length=10"}, "");
        row("many random features", {"method.name=fly-prompt"},
            "keeps sums of 400 MB and solves as many equations for each evaluation, which takes a processor some "
            "seconds; "
            "1000 features take hardly any time.");
        row("few random features", {"method.name=fly-prompt", "method.random_features=1000"}, "");
        row("random features that nothing reads", {"method.name=analytic-head", "method.analytic_readout=ncm"}, "");
        row("means of many features of pixels",
            {"method.name=analytic-head", "method.analytic_readout=ncm", "method.analytic_features=pixels"}, "");
        row("a covariance of many features of pixels",
            {"method.name=analytic-head", "method.analytic_readout=lda", "method.analytic_features=pixels"},
            "1000 features take hardly any time.");
        row("a ridge far too strong for the features",
            {"method.name=analytic-head", "method.random_features=1000", "method.analytic_features=pixels"},
            "so it is far too strong. Let method.analytic_ridge_choice find one, or begin with 1.");
        row("a ridge chosen for them",
            {"method.name=analytic-head", "method.random_features=1000", "method.analytic_features=pixels",
             "method.analytic_ridge_choice=gcv"},
            "");
        row("EWC++ with nothing to hold", {"method.name=ewcpp", "method.ewc_train_backbone=false"},
            "only the head learns.");
    }
    void whatIsWorthKnowingOfAMethodIsNoted() {
        QFETCH(QStringList, settings);
        QFETCH(QString, note);
        Experiment experiment = table_.defaults();
        for (const QString& setting : settings) {
            const qsizetype equals = setting.indexOf('=');
            table_.setText(experiment, setting.left(equals).toStdString(), setting.mid(equals + 1).toStdString());
        }
        const std::vector<std::string> notes = table_.methodNotes(experiment);
        QCOMPARE(notes.empty(), note.isEmpty());
        if (!notes.empty()) QVERIFY2(QString::fromStdString(notes[0]).endsWith(note), notes[0].c_str());
    }

    void anotherMethodsOptionsNameTheirMethod() {
        Experiment experiment = table_.defaults();
        const Option& pool = *table_.find("method.pool_size");
        QCOMPARE(table_.idleReason(experiment, pool), std::string());
        experiment.method.of<PromptOptions>().e_blocks = "none";
        QCOMPARE(table_.idleReason(experiment, pool), std::string("There is no pool of prompts."));
        experiment.method.name = "linear-probe";
        QVERIFY(QString::fromStdString(table_.idleReason(experiment, pool)).contains("DualPrompt"));
        QCOMPARE(table_.idleReason(experiment, *table_.find("seed")), std::string());
    }

    void aMethodsOptionsWithoutEffectSayWhy_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("reason");  // a part of it; empty: the option has effect
        const auto row = [](const QStringList& settings, const QString& key, const QString& reason) {
            QTest::newRow(qPrintable(settings.join(' ') + " " + key)) << settings << key << reason;
        };
        row({"method.name=mvp"}, "method.mvp_margin", "");
        row({"method.name=mvp", "method.mvp_scaling=false"}, "method.mvp_margin", "not scaled");
        row({"method.name=mvp", "method.mvp_reinforcement=none"}, "method.mvp_alpha", "reinforcement");
        row({"method.name=mvp", "method.mvp_reinforcement=sample"}, "method.mvp_gamma", "");
        row({"method.name=l2p"}, "method.mvp_gamma", "Only MVP reads it.");
        row({"method.name=linear-probe"}, "method.e_length", "DualPrompt, L2P and MVP");
        row({"method.name=l2p", "initial_session.prompts=fam"}, "initial_session.load", "DualPrompt and MVP");
        row({"method.name=l2p"}, "method.calibration_share", "Nothing is calibrated");
        row({"method.name=l2p", "method.calibration=exact"}, "method.calibration_share", "");
        row({"method.name=l2p"}, "method.g_length", "");  // the adaptation uses it
        row({"method.name=l2p"}, "method.e_blocks", "");
        row({"method.name=l2p", "method.e_blocks=none"}, "method.e_length", "no pool");
        row({"method.name=l2p", "method.e_blocks=none"}, "method.pool_size", "");
        row({"method.name=mvp"}, "initial_session.load", "no initial prompts");
        row({"method.name=mvp", "initial_session.prompts=fam"}, "initial_session.load", "");
        row({"method.name=mvp"}, "method.prompt_form", "Only DualPrompt reads it.");
        row({"method.name=single-prompt", "method.single_head=linear"}, "method.single_temperature", "cosine");
        row({"method.name=analytic-head"}, "training.learning_rate", "no steps");
        row({"method.name=analytic-head"}, "mask.name", "no loss");
        row({"method.name=analytic-head"}, "mask.form", "no loss");
        row({"method.name=analytic-head"}, "mask.evaluation", "");
        row({"method.name=er-ace", "mask.name=session"}, "mask.session_scope", "of its own");
        row({"method.name=er-ace", "mask.name=none"}, "mask.form", "");
        row({"method.name=analytic-head"}, "method.analytic_ridge", "");
        row({"method.name=analytic-head", "method.analytic_readout=ncm"}, "method.random_features", "ridge");
        row({"method.name=analytic-head", "method.analytic_readout=ncm", "method.analytic_features=pixels"},
            "method.random_features", "");
        row({"method.name=analytic-head", "method.analytic_readout=lda"}, "method.analytic_balance", "ridge");
        row({"method.name=analytic-head", "method.analytic_readout=lda"}, "method.analytic_shrinkage", "");
        row({"method.name=analytic-head"}, "method.analytic_shrinkage", "covariance");
        row({"method.name=analytic-head", "method.analytic_ridge_choice=gcv"}, "method.analytic_ridge", "chosen");
        row({"method.name=analytic-head", "method.analytic_ridge_choice=prequential"}, "method.analytic_ridge", "");
        row({"method.name=fly-prompt"}, "method.random_features", "");
        row({"method.name=dualprompt"}, "method.backbone_learning_rate", "No block of the backbone learns");
        row({"method.name=dualprompt", "method.trained_blocks=1"}, "method.backbone_learning_rate", "");
        row({"method.name=ewcpp"}, "method.backbone_learning_rate", "");
        row({"method.name=l2p"}, "training.sam_sessions", "");
        row({"method.name=l2p"}, "training.sam_rho", "No session learns with SAM");
        row({"method.name=l2p", "training.sam_sessions=1"}, "training.sam_rho", "");
        row({"method.name=mvp"}, "training.sam_sessions", "DualPrompt, L2P, SinglePrompt");
    }
    void aMethodsOptionsWithoutEffectSayWhy() {
        QFETCH(QStringList, settings);
        QFETCH(QString, key);
        QFETCH(QString, reason);
        Experiment experiment = table_.defaults();
        for (const QString& setting : settings)
            table_.setText(experiment, setting.section('=', 0, 0).toStdString(), setting.section('=', 1).toStdString());
        const QString got = QString::fromStdString(table_.idleReason(experiment, *table_.find(key.toStdString())));
        QCOMPARE(got.isEmpty(), reason.isEmpty());
        QVERIFY2(got.contains(reason), qPrintable(got));
    }

    void whatAMethodCannotDoIsAProblem_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("key");  // named by the problem; empty: there is none
        QTest::newRow("five prompts of four")
            << QStringList{"method.name=l2p", "method.pool_size=4"} << "method.l2p_selected";
        QTest::newRow("five prompts of five") << QStringList{"method.name=l2p", "method.pool_size=5"} << "";
        QTest::newRow("no general prompt, and none is needed")
            << QStringList{"method.name=l2p", "method.g_blocks=none"} << "";
        QTest::newRow("nothing that MVP would shift")
            << QStringList{"method.name=mvp", "method.shift_and_scale=true"} << "";
        QTest::newRow("another method takes one") << QStringList{"method.name=mvp", "method.pool_size=4"} << "";
        QTest::newRow("a calibration to nothing")
            << QStringList{"method.name=mvp", "method.calibration=exact"} << "method.calibration_file";
        QTest::newRow("a calibration") << QStringList{"method.name=mvp", "method.calibration=exact",
                                                      "method.calibration_file=a.safetensors"}
                                       << "";
        QTest::newRow("a method without one")
            << QStringList{"method.name=linear-probe", "method.calibration=exact"} << "";
    }
    void whatAMethodCannotDoIsAProblem() {
        QFETCH(QStringList, settings);
        QFETCH(QString, key);
        Experiment experiment = table_.defaults();
        for (const QString& setting : settings)
            table_.setText(experiment, setting.section('=', 0, 0).toStdString(), setting.section('=', 1).toStdString());
        const auto problems = table_.problems(experiment);
        QCOMPARE(problems.size(), key.isEmpty() ? std::size_t{0} : std::size_t{1});
        for (const std::string& problem : problems)
            QVERIFY2(QString::fromStdString(problem).contains(key), problem.c_str());
    }

    void theSchemaDescribesEveryKey() {
        const auto schema = nlohmann::json::parse(table_.jsonSchema());
        QCOMPARE(schema["$schema"].get<std::string>(), std::string("https://json-schema.org/draft/2020-12/schema"));
        for (const Option& option : table_.options()) {
            const auto& scope =
                option.section().empty() ? schema["properties"] : schema["properties"][option.section()]["properties"];
            QVERIFY2(scope.contains(option.leaf()), option.key.c_str());
            const auto& row = scope[option.leaf()];
            QVERIFY(row.contains("default"));
            if (option.type == OptionType::Integer) QCOMPARE(row["minimum"].get<double>(), option.minimum);
            if (option.type == OptionType::Choice) QCOMPARE(row["enum"].size(), option.choices.size());
        }
        QCOMPARE(schema["properties"]["stream"]["additionalProperties"].get<bool>(), false);
    }

    void theReferencePageNamesEveryKey() {
        const QString page = QString::fromStdString(table_.markdown());
        for (const Option& option : table_.options()) {
            QVERIFY2(page.contains(QString::fromStdString("| `" + option.leaf() + "` |")), option.key.c_str());
        }
    }

    void numbersAreWrittenAsTheyReadBack_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("short") << 0.005 << "0.005";
        QTest::newRow("whole") << 1.0 << "1.0";
        QTest::newRow("tiny") << 1e-8 << "1e-08";
        QTest::newRow("third") << 1.0 / 3.0 << "0.3333333333333333";
    }
    void numbersAreWrittenAsTheyReadBack() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(toText(OptionValue(value))), text);
    }

    void onlyPlainTextIsAccepted_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("plain");
        QTest::newRow("letters") << QByteArray("abc") << true;
        QTest::newRow("umlaut") << QByteArray("\xc3\xa4") << true;
        QTest::newRow("emoji") << QByteArray("\xf0\x9f\x8e\xa8") << true;
        QTest::newRow("tab") << QByteArray("a\tb") << false;
        QTest::newRow("Latin-1") << QByteArray("\xe4") << false;
        QTest::newRow("overlong") << QByteArray("\xc0\xaf") << false;
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << false;
        QTest::newRow("cut off") << QByteArray("\xe2\x82") << false;
        QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80") << false;
    }
    void onlyPlainTextIsAccepted() {
        QFETCH(QByteArray, text);
        QFETCH(bool, plain);
        QCOMPARE(isPlainLine({text.constData(), static_cast<std::size_t>(text.size())}), plain);
    }

    void withoutACatalogueAnyWordIsTaken() {
        const OptionTable bare{Catalogue{}};
        Experiment experiment = bare.defaults();
        bare.setText(experiment, "method.name", "of-another-version");
        QCOMPARE(experiment.method.name, std::string("of-another-version"));
    }

private:
    const OptionTable table_{testCatalogue()};
};

PALIMPSEST_APPLESS_TEST(TestOptionTable)

}  // namespace tst_option_table

#include "tst_option_table.moc"
