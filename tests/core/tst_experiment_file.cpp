// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "engine/config/experiment_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_experiment_file {

namespace {

std::string sentenceOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input ? error.sentence() : std::string("wrong kind of error");
    }
    return "nothing was thrown";
}

}  // namespace

class TestExperimentFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyFileGivesTheDefaults() { compareAll(parseExperiment(table_, "", "empty.toml"), table_.defaults()); }

    void whatIsWrittenReadsBackTheSame() {
        Experiment experiment = table_.defaults();
        experiment.name = "Größe \\ \"two\" # not a comment";
        experiment.seed = 4294;
        experiment.stream.root = "C:\\data";
        experiment.training.learning_rate = 1.0 / 3.0;
        experiment.memory.size = 500;
        experiment.mask.name = "session";
        compareAll(parseExperiment(table_, formatExperiment(table_, experiment), "written"), experiment);
    }

    void anIndexListIsNamedFromTheFilesFolder_data() {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("meant");
        QTest::newRow("beside it") << "plan.json"
                                   << "FOLDER/plan.json";
        QTest::newRow("below it") << "./lists/plan.json"
                                  << "FOLDER/lists/plan.json";
        QTest::newRow("above it") << "../plan.json"
                                  << "PARENT/plan.json";
        QTest::newRow("elsewhere") << "/data/plan.json"
                                   << "/data/plan.json";
        QTest::newRow("none") << ""
                              << "";
    }
    void anIndexListIsNamedFromTheFilesFolder() {
        QFETCH(QString, written);
        QFETCH(QString, meant);
        const QTemporaryDir outer;
        QVERIFY(QDir(outer.path()).mkdir("inner"));
        const QString folder = outer.filePath("inner");
        meant.replace("FOLDER", folder).replace("PARENT", outer.path());
        std::ofstream(folder.toStdString() + "/a.toml")
            << "[stream]\nindex_list = \"" << written.toStdString() << "\"\n";
        const Experiment experiment = readExperiment(table_, folder.toStdString() + "/a.toml");
        QCOMPARE(QString::fromStdString(experiment.stream.index_list), meant);
    }

    void anIndexListMovesWithItsExperiment() {
        const QTemporaryDir outer;
        QVERIFY(QDir(outer.path()).mkdir("inner"));
        const std::filesystem::path folder = outer.filePath("inner").toStdString();
        Experiment experiment = table_.defaults();
        experiment.stream.index_list = (folder / "lists" / "plan.json").string();
        writeExperiment(table_, experiment, folder / "a.toml");
        QVERIFY(readTextFile(folder / "a.toml").find("index_list = \"lists/plan.json\"") != std::string::npos);
        compareAll(readExperiment(table_, folder / "a.toml"), experiment);
        std::filesystem::rename(folder, folder.parent_path() / "moved");
        QCOMPARE(readExperiment(table_, folder.parent_path() / "moved" / "a.toml").stream.index_list,
                 (folder.parent_path() / "moved" / "lists" / "plan.json").string());
        experiment.stream.index_list = (folder.parent_path() / "plan.json").string();
        writeExperiment(table_, experiment, folder.parent_path() / "moved" / "b.toml");
        compareAll(readExperiment(table_, folder.parent_path() / "moved" / "b.toml"), experiment);
    }

    void everyRealNumberSurvives_data() {
        QTest::addColumn<double>("value");
        for (const double value : {1e-8, 0.1, 1.0, 10.0, 0.1 + 0.2, 5e-3, 2.2250738585072014e-5}) {
            QTest::addRow("%.17g", value) << value;
        }
    }
    void everyRealNumberSurvives() {
        QFETCH(double, value);
        Experiment experiment = table_.defaults();
        experiment.training.learning_rate = value;
        const Experiment back = parseExperiment(table_, formatExperiment(table_, experiment), "written");
        QVERIFY(back.training.learning_rate == value);
    }

    void keysAreWrittenInTheOrderOfTheTable() {
        const std::string toml = "\n" + formatExperiment(table_, table_.defaults());
        std::size_t at = 0;
        for (const Option& option : table_.options()) {
            at = toml.find("\n" + option.leaf() + " = ", at);
            QVERIFY2(at != std::string::npos, option.key.c_str());
        }
    }

    void mistakesNameFileLineAndKey_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("sentence");
        const QString lists = " `palimpsest-cli options` lists every key.";
        QTest::newRow("unknown key") << "seed = 1\n[stream]\nsesions = 5\n"
                                     << "a.toml, line 3: unknown key stream.sesions. Did you mean stream.sessions?" +
                                            lists;
        QTest::newRow("unknown top-level key") << "sede = 1\n"
                                               << "a.toml, line 1: unknown key sede. Did you mean seed?" + lists;
        QTest::newRow("unknown section") << "\n[strem]\nsessions = 5\n"
                                         << "a.toml, line 2: unknown section [strem]. Did you mean [stream]?" + lists;
        const QString grid =
            "a.toml is a grid of runs, not an experiment. `palimpsest-cli sweep` runs it, and so does the queue of the "
            "window.";
        QTest::newRow("a grid") << "title = \"x\"\nseeds = [1, 2]\n[set]\n\"stream.sessions\" = 3\n" << grid;
        QTest::newRow("a grid of rows") << "base = \"demo\"\n[[row]]\nname = \"A\"\n" << grid;
        QTest::newRow("both") << "seeds = [1, 2]\n[stream]\nsessions = 3\n"
                              << "a.toml, line 1: unknown key seeds. Did you mean seed?" + lists;
        QTest::newRow("section as a value") << "stream = 5\n"
                                            << "a.toml, line 1: stream is a section, written [stream]." + lists;
        QTest::newRow("out of range") << "[stream]\nsessions = 0\n"
                                      << "a.toml, line 2: stream.sessions is 0, but must be a whole number from 1 to "
                                         "1000." +
                                             lists;
        QTest::newRow("whole number with a point")
            << "[stream]\nsessions = 5.0\n"
            << "a.toml, line 2: stream.sessions is 5.0, but must be a whole number from 1 to 1000." + lists;
        QTest::newRow("number in quotes")
            << "[stream]\nsessions = \"5\"\n"
            << "a.toml, line 2: stream.sessions is \"5\", but must be a whole number from 1 to 1000." + lists;
        QTest::newRow("list")
            << "[stream]\nsessions = [5]\n"
            << "a.toml, line 2: stream.sessions must be a single value, not a list, a table or a date." + lists;
        QTest::newRow("choice")
            << "[mask]\nname = \"sene\"\n"
            << "a.toml, line 2: mask.name is \"sene\", but must be one of none, seen, batch, session or learnable. "
               "Did you mean seen?" +
                   lists;
        QTest::newRow("several")
            << "sede = 1\n[stream]\nsessions = 0\n"
            << "a.toml, line 1: unknown key sede. Did you mean seed? Line 3: stream.sessions is 0, but "
               "must be a whole number from 1 to 1000. `palimpsest-cli options` lists every key with "
               "what it allows.";
    }
    void mistakesNameFileLineAndKey() {
        QFETCH(QString, toml);
        QFETCH(QString, sentence);
        QCOMPARE(QString::fromStdString(sentenceOf([&] { parseExperiment(table_, toml.toStdString(), "a.toml"); })),
                 sentence);
    }

    void brokenTomlNamesLineAndColumn_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("place");
        QTest::newRow("open quote") << "seed = 1\nname = \"x\n"
                                    << "a.toml, line 2";
        QTest::newRow("no value") << "seed =\n"
                                  << "a.toml, line 1";
        QTest::newRow("twice") << "seed = 1\nseed = 2\n"
                               << "a.toml, line 2";
    }
    void brokenTomlNamesLineAndColumn() {
        QFETCH(QString, toml);
        QFETCH(QString, place);
        const QString sentence =
            QString::fromStdString(sentenceOf([&] { parseExperiment(table_, toml.toStdString(), "a.toml"); }));
        QVERIFY2(sentence.startsWith(place) && sentence.contains("column"), qPrintable(sentence));
        QVERIFY2(!sentence.contains('\n'), qPrintable(sentence));
    }

    void aMissingFileIsNamed() {
        const std::string sentence = sentenceOf([&] { readExperiment(table_, "/nowhere/x.toml"); });
        QVERIFY2(sentence.find("Cannot read /nowhere/x.toml: No such file") == 0, sentence.c_str());
    }

    void anUnwritableFileIsNamedAndLeavesNothingBehind() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("plain").toStdString();
        std::ofstream(file) << "text";
        const std::string sentence =
            sentenceOf([&] { writeExperiment(table_, table_.defaults(), file / "below" / "e.toml"); });
        QVERIFY2(sentence.find("Cannot write ") == 0 && sentence.find("Not a directory") != std::string::npos,
                 sentence.c_str());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"plain"});
    }

    void everyPresetLoadsAndIsSound() {
        const std::vector<Preset> presets = listPresets();
        QVERIFY(presets.size() >= 5);
        QCOMPARE(presets.front().name, std::string("default"));
        for (const Preset& preset : presets) {
            if (preset.grouped()) continue;  // of methods that this table does not know; see tst_published_presets
            const Experiment experiment = loadExperiment(table_, preset.name);
            QCOMPARE(experiment.name, preset.title);
            QVERIFY2(!preset.summary.empty() && preset.summary[0] != ' ', preset.name.c_str());
            QVERIFY2(table_.problems(experiment).empty(), preset.name.c_str());
        }
    }

    void theMaskPresetsShareOneStream() {
        const Experiment standard = loadExperiment(table_, "default");
        for (const auto& [preset, mask] :
             {std::pair("no-mask", "none"), {"seen-mask", "seen"}, {"session-mask", "session"}}) {
            Experiment experiment = loadExperiment(table_, preset);
            QCOMPARE(experiment.mask.name, std::string(mask));
            experiment.mask.name = standard.mask.name;
            experiment.name = standard.name;
            compareAll(experiment, standard);
        }
    }

    void theMisaPresetBeginsWithFamsPrompts() {
        const Experiment standard = loadExperiment(table_, "default");
        Experiment experiment = loadExperiment(table_, "misa");
        QCOMPARE(experiment.initial_session.prompts, std::string("fam"));
        QCOMPARE(experiment.mask.name, std::string("batch"));
        // The rest of the section describes how such prompts are made, which no run uses.
        experiment.initial_session = standard.initial_session;
        experiment.name = standard.name;
        compareAll(experiment, standard);
    }

    // Each would take gigabytes or hours if it were compared with every key.
    void aKeyOfAMillionLettersIsRefused() {
        const std::string key(1'000'000, 'a');
        const std::string sentence = sentenceOf([&] { parseExperiment(table_, key + " = 1\n", "long.toml"); });
        QVERIFY2(sentence.starts_with("long.toml, line 1: unknown key aaa"), sentence.substr(0, 100).c_str());
        QVERIFY(sentence.size() < 10'000);
    }

    void aHundredThousandUnknownKeysAreRefused() {
        std::string toml;
        for (int i = 0; i < 100'000; ++i) toml += "sed" + std::to_string(i) + " = 1\n";
        const std::string sentence = sentenceOf([&] { parseExperiment(table_, toml, "many.toml"); });
        QVERIFY2(sentence.find("and 980 more") != std::string::npos, sentence.c_str());
    }

    void anUnknownPresetListsThePresets() {
        const std::string sentence = sentenceOf([&] { loadExperiment(table_, "defalt"); });
        QVERIFY2(sentence.find("Did you mean default?") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("session-mask") != std::string::npos, sentence.c_str());
    }

    void whatIsAPathListsNoPresets() {
        QTemporaryDir folder;
        for (const std::string& path : {std::string("nodir/"), std::string("nodir/logs"), std::string("logs.pyd"),
                                        std::string("none.csv"), std::string("none.toml")}) {
            const std::string sentence = sentenceOf([&] { loadExperiment(table_, path); });
            QCOMPARE(QString::fromStdString(sentence),
                     QString::fromStdString("There is no file or folder " + path +
                                            ". Name an experiment file, the folder of a run or a preset."));
        }
        const std::string empty = sentenceOf([&] { loadExperiment(table_, folder.path().toStdString()); });
        QVERIFY2(empty.find("holds no experiment.toml") != std::string::npos, empty.c_str());
    }

    void aFileWithoutANameGivesItsOwn_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("toml");
        QTest::addColumn<QString>("name");
        QTest::newRow("stem") << "my masks.toml" << QByteArray("seed = 3\n") << "my masks";
        QTest::newRow("type") << "mine.palimpsest.toml" << QByteArray("seed = 3\n") << "mine";
        QTest::newRow("named") << "mine.toml" << QByteArray("name = \"Yours\"\n") << "Yours";
        // As the queue writes it, into files that it numbers.
        QTest::newRow("written out") << "12.toml" << QByteArray("name = \"Untitled experiment\"\n")
                                     << "Untitled experiment";
    }
    void aFileWithoutANameGivesItsOwn() {
        QFETCH(QString, file);
        QFETCH(QByteArray, toml);
        QFETCH(QString, name);
        QTemporaryDir folder;
        QFile out(folder.filePath(file));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(toml);
        out.close();
        const std::string path = folder.filePath(file).toStdString();
        QCOMPARE(QString::fromStdString(loadExperiment(table_, path).name), name);
        // Of a run it is what the run says.
        const Experiment run = readExperiment(table_, path, FilePlace::InFolder);
        QCOMPARE(run.name, toml.contains("Yours") ? std::string("Yours") : table_.defaults().name);
    }

    void aRunFolderLoadsAsItsExperiment() {
        QTemporaryDir folder;
        Experiment experiment = table_.defaults();
        experiment.seed = 77;
        writeExperiment(table_, experiment, folder.filePath("experiment.toml").toStdString());
        compareAll(loadExperiment(table_, folder.path().toStdString()), experiment);
    }

private:
    void compareAll(const Experiment& a, const Experiment& b) {
        for (const Option& option : table_.options()) {
            QVERIFY2(option.get(a) == option.get(b), (option.key + ": " + table_.text(a, option)).c_str());
        }
    }

    const OptionTable table_{testCatalogue()};
};

PALIMPSEST_APPLESS_TEST(TestExperimentFile)

}  // namespace tst_experiment_file

#include "tst_experiment_file.moc"
