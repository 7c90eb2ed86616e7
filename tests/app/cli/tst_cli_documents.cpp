// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include "app/commands/commands.h"
#include "app/documents/completions.h"
#include "app/documents/manual_pages.h"
#include "app/documents/window_flags.h"
#include "engine/support/file_io.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/train/experiment_inputs.h"
#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;
using namespace palimpsest::testing;

namespace tst_cli_documents {

/// The source's folder: resources lie in it.
QString source() {
    return QString::fromLocal8Bit(qgetenv("PALIMPSEST_RESOURCES")) + "/..";
}

/// A page without what man's language adds, so that names can be looked for.
QByteArray plainPage(QByteArray page) {
    for (const char* mark : {"\\fB", "\\fI", "\\fR", "\\&"}) page.replace(mark, "");
    page.replace("\\-", "-").replace("\\(aq", "'").replace("\\(ti", "~").replace("\\(ha", "^").replace("\\(ga", "`");
    return page.replace("\\e", "\\");
}

QByteArray printed(const QStringList& arguments) {
    const Outcome outcome = call(arguments);
    return outcome.code == 0 && outcome.err.isEmpty() ? outcome.out : QByteArray();
}

Outcome tool(const QString& name, const QStringList& arguments, const QStringList& environment = {}) {
    QProcess process;
    QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    own.insert("LC_ALL", "C.UTF-8");
    for (const QString& entry : environment) own.insert(entry.section('=', 0, 0), entry.section('=', 1));
    process.setProcessEnvironment(own);
    process.start(name, arguments);
    return outcomeOf(process);
}

bool isInstalled(const char* name) {
    return !QStandardPaths::findExecutable(name).isEmpty();
}

/// The program with all its commands, and what is known of them.
struct Program {
    CLI::App app{"Palimpsest", "palimpsest-cli"};
    Shell shell;
    std::vector<DocumentedCommand> all;
    Program() {
        for (const Command& command : commands()) command.add(app, shell);
        all = documentedCommands(app, {});
    }
};

class TestCliDocuments : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString written(const QString& name, const QByteArray& text) const {
        const QString file = folder_.filePath(name);
        replaceTextFile(file.toStdString(), text.toStdString());
        return file;
    }

    /// What bash offers at the end of a line.
    QStringList offeredByBash(const QString& line, const QString& program = "palimpsest-cli") const {
        const QString script = written("completions.bash", printed({"documents", "completions", "bash"}));
        const QString function = program == "palimpsest-cli" ? "_palimpsest_cli" : "_palimpsest";
        const Outcome outcome =
            tool("bash", {"--norc", "-c",
                          "cd \"$2\"; source \"$1\"; COMP_LINE=$3; COMP_POINT=${#3}; read -r -a COMP_WORDS <<< \"$3\"; "
                          "[[ $3 != *' ' ]] || COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); " +
                              function + "; printf '%s\\n' \"${COMPREPLY[@]}\"",
                          "test", script, folder_.path(), line});
        return QString::fromUtf8(outcome.out).split('\n', Qt::SkipEmptyParts);
    }

private Q_SLOTS:
    void aPageNamesEveryCommandAndFlag() {
        const QByteArray page = plainPage(printed({"documents", "man", "palimpsest-cli"}));
        QVERIFY(!page.isEmpty());
        const Program program;
        QVERIFY(program.all.size() > 40);
        int flags = 0;
        for (const DocumentedCommand& command : program.all) {
            if (command.path.empty()) continue;
            const QByteArray heading = "\n.SS " + QByteArray::fromStdString(command.name()) + "\n";
            const qsizetype at = page.indexOf(heading);
            QVERIFY2(at >= 0, heading.constData());
            const QByteArray part = page.mid(at + 1, page.indexOf("\n.S", at + 1) - at - 1);
            for (const DocumentedArgument& argument : command.arguments) {
                // Said once, for all commands.
                if (argument.names == std::vector<std::string>{"-h", "--help"}) continue;
                for (const std::string& name : argument.names)
                    QVERIFY2(part.contains(name.c_str()), (command.name() + " " + name).c_str());
                if (!argument.value.empty()) QVERIFY2(part.contains(argument.value.c_str()), argument.value.c_str());
                flags += argument.isFlag();
            }
        }
        QVERIFY(flags > 100);
    }

    // The library that reads the command line has names such as "INT in [0 - 9]" for what has no name of its own.
    void everyValueHasANameOfItsOwn() {
        for (const DocumentedCommand& command : Program().all)
            for (const DocumentedArgument& argument : command.arguments)
                for (const char* type : {"INT", "UINT", "FLOAT", "BOOLEAN", "POSITIVE", "NONNEGATIVE"})
                    QVERIFY2(!QString::fromStdString(argument.value).contains(type),
                             (command.name() + " " + argument.value + ": " + argument.help).c_str());
        const QByteArray page = plainPage(printed({"documents", "man", "palimpsest-cli"}));
        QVERIFY(page.contains("palimpsest-cli backbones [FILE] [fetch] [options]"));
        QVERIFY(page.contains("--timeout SECONDS\nSeconds for one answer (0.1 to 86,400).\n"));
    }

    void aPageNamesEveryKeyWithItsChoices() {
        const QByteArray page = plainPage(printed({"documents", "man", "palimpsest-experiment"}));
        const OptionTable table(engineCatalogue());
        for (const Option& option : table.options()) {
            const std::string section = option.section().empty() ? "Top level" : "[" + option.section() + "]";
            const qsizetype at = page.indexOf(("\n.SS " + section + "\n").c_str());
            QVERIFY2(at >= 0, section.c_str());
            const qsizetype key = page.indexOf(("\n.TP\n" + option.leaf() + " = ").c_str(), at);
            QVERIFY2(key >= 0, option.key.c_str());
            for (const Choice& choice : option.choices)
                QVERIFY2(page.indexOf(("\n.TP\n" + choice.value + "\n").c_str(), key) >= 0,
                         (option.key + "=" + choice.value).c_str());
        }
        for (const Preset& preset : listPresets()) QVERIFY2(page.contains(preset.name.c_str()), preset.name.c_str());
    }

    void theWindowsPageNamesEveryFlag() {
        const QByteArray page = plainPage(printed({"documents", "man", "palimpsest"}));
        for (const WindowFlag& flag : kWindowFlags) QVERIFY2(page.contains(flag.flag), flag.flag);
    }

    void manFindsNothingToWarnOf_data() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"palimpsest-cli", "palimpsest", "palimpsest-experiment"}) QTest::newRow(page) << page;
    }
    void manFindsNothingToWarnOf() {
        if (!isInstalled("man") || !isInstalled("groff")) QSKIP("man-db or groff is not installed");
        QFETCH(QString, page);
        const QString file = written(page + ".man", printed({"documents", "man", page}));
        const Outcome shown = tool("man", {"--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file},
                                   {"MANROFFSEQ=", "MANWIDTH=80", "MAN_KEEP_FORMATTING=1"});
        QCOMPARE(shown.code, 0);
        QVERIFY2(shown.err.isEmpty(), shown.err.left(2000).constData());
        QVERIFY(shown.out.size() > 1000);
    }

    void wordsCannotBeTakenForRequests() {
        QCOMPARE(roffText(".SH NAME"), std::string("\\&.SH NAME"));
        QCOMPARE(roffText("'so\n.so x"), std::string("\\(aqso .so x"));
        QCOMPARE(roffText("a \\fB-b `c-d` ~^"), std::string("a \\efB\\-b \\fBc\\-d\\fR \\(ti\\(ha"));
        QCOMPARE(roffText("one ` alone"), std::string("one \\(ga alone"));
    }

    void completionsNameEveryCommandFlagAndKey_data() {
        QTest::addColumn<QString>("shell");
        for (const char* shell : completionShells()) QTest::newRow(shell) << shell;
    }
    void completionsNameEveryCommandFlagAndKey() {
        QFETCH(QString, shell);
        const QByteArray text = printed({"documents", "completions", shell});
        QVERIFY(!text.isEmpty());
        const Program program;
        for (const DocumentedCommand& command : program.all) {
            QVERIFY2(text.contains(command.name().c_str()), command.name().c_str());
            for (const DocumentedArgument& argument : command.arguments)
                for (const std::string& name : argument.names) {
                    const std::string word = shell == "fish" && name.starts_with("--") ? " -l " + name.substr(2)
                                             : shell == "fish"                         ? " -s " + name.substr(1)
                                                                                       : name;
                    QVERIFY2(text.contains(word.c_str()), word.c_str());
                }
        }
        const OptionTable table(engineCatalogue());
        for (const Option& option : table.options()) {
            QVERIFY2(text.contains((option.key + "=").c_str()), option.key.c_str());
            for (const Choice& choice : option.choices)
                QVERIFY2(text.contains((option.key + "=" + choice.value).c_str()), choice.value.c_str());
        }
        for (const Preset& preset : listPresets()) QVERIFY2(text.contains(preset.name.c_str()), preset.name.c_str());
        for (const Choice& method : table.catalogue().methods)
            QVERIFY2(text.contains(method.value.c_str()), method.value.c_str());
        for (const std::string& grid : sweepNames()) QVERIFY2(text.contains(grid.c_str()), grid.c_str());
        for (const WindowFlag& flag : kWindowFlags)
            QVERIFY2(text.contains(shell == "fish" ? flag.flag + 2 : flag.flag), flag.flag);
    }

    void shellsReadTheirCompletions_data() { completionsNameEveryCommandFlagAndKey_data(); }
    void shellsReadTheirCompletions() {
        QFETCH(QString, shell);
        if (!isInstalled(shell.toLocal8Bit())) QSKIP(qPrintable(shell + " is not installed"));
        const QString file = written("completions." + shell, printed({"documents", "completions", shell}));
        const Outcome outcome = tool(shell, {"-n", file});
        QVERIFY2(outcome.code == 0 && outcome.err.isEmpty(), outcome.err.constData());
    }

    void bashCompletes_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("there");
        QTest::addColumn<QStringList>("missing");
        QTest::newRow("commands") << "palimpsest-cli r" << QStringList{"run", "runs", "report"}
                                  << QStringList{"stream"};
        QTest::newRow("flags") << "palimpsest-cli run --re" << QStringList{"--resume", "--replay"}
                               << QStringList{"--out", "--repair"};
        QTest::newRow("verbs") << "palimpsest-cli runs che" << QStringList{"check"} << QStringList{"chart"};
        QTest::newRow("flags of a verb") << "palimpsest-cli runs check --" << QStringList{"--repair"}
                                         << QStringList{"--search"};
        QTest::newRow("presets") << "palimpsest-cli run de" << QStringList{"default", "demo"} << QStringList{"misa"};
        QTest::newRow("keys") << "palimpsest-cli run demo --set stream.sess" << QStringList{"stream.sessions="}
                              << QStringList{"seed="};
        // Bash takes "=" for a border, so only what is behind it is offered.
        QTest::newRow("choices") << "palimpsest-cli run demo --set mask.name=b" << QStringList{"batch"}
                                 << QStringList{"none"};
        QTest::newRow("methods") << "palimpsest-cli methods dual" << QStringList{"dualprompt"} << QStringList{"er"};
        QTest::newRow("formats") << "palimpsest-cli report x --format p" << QStringList{"png", "pdf"}
                                 << QStringList{"html"};
        QTest::newRow("export") << "palimpsest-cli export x --format t" << QStringList{"tensorboard"}
                                << QStringList{"mlflow"};
        QTest::newRow("weights") << "palimpsest-cli backbones fetch dino" << QStringList{"dinov2-s14"}
                                 << QStringList{"vit-b16-in21k"};
        QTest::newRow("folders") << "palimpsest-cli report x --out a" << QStringList{"a-folder"}
                                 << QStringList{"a-file.toml"};
    }
    void bashCompletes() {
        QFETCH(QString, line);
        QFETCH(QStringList, there);
        QFETCH(QStringList, missing);
        QVERIFY(QDir(folder_.path()).mkpath("a-folder"));
        written("a-file.toml", "");
        const QStringList offered = offeredByBash(line);
        for (const QString& word : there) QVERIFY2(offered.contains(word), qPrintable(word + ": " + offered.join(' ')));
        for (const QString& word : missing) QVERIFY2(!offered.contains(word), qPrintable(offered.join(' ')));
    }

    void bashCompletesTheWindow() {
        QVERIFY(offeredByBash("palimpsest --app", "palimpsest").contains("--appearance"));
        QCOMPARE(offeredByBash("palimpsest --appearance d", "palimpsest"), QStringList{"dark"});
        QVERIFY(offeredByBash("palimpsest mi", "palimpsest").contains("misa"));
    }

    void fishCompletes_data() { bashCompletes_data(); }
    void fishCompletes() {
        if (!isInstalled("fish")) QSKIP("fish is not installed");
        QFETCH(QString, line);
        QFETCH(QStringList, there);
        QFETCH(QStringList, missing);
        QVERIFY(QDir(folder_.path()).mkpath("a-folder"));
        const QString script = written("completions.fish", printed({"documents", "completions", "fish"}));
        const Outcome outcome = tool(
            "fish",
            {"--no-config", "-c", "cd $argv[2]; source $argv[1]; complete -C $argv[3]", script, folder_.path(), line},
            {"HOME=" + folder_.path(), "XDG_CONFIG_HOME=" + folder_.path(), "XDG_DATA_HOME=" + folder_.path()});
        QCOMPARE(outcome.code, 0);
        QStringList offered;
        for (const QByteArray& row : outcome.out.split('\n'))
            offered << QString::fromUtf8(row.split('\t').front()).section('=', row.contains("name=") ? 1 : 0);
        for (QString word : there) {
            const bool found = std::any_of(offered.begin(), offered.end(),
                                           [&](const QString& other) { return other == word || other == word + "/"; });
            QVERIFY2(found, qPrintable(word + ": " + offered.join(' ') + outcome.err));
        }
        for (const QString& word : missing) QVERIFY2(!offered.contains(word), qPrintable(offered.join(' ')));
    }

    void whatIsNotThereIsSaid() {
        const Outcome page = call({"documents", "man", "palimpsest-gui"});
        QCOMPARE(page.code, 2);
        QVERIFY2(page.err.contains("There is no manual page \"palimpsest-gui\""), page.err.constData());
        const Outcome shell = call({"documents", "completions", "bsh"});
        QCOMPARE(shell.code, 2);
        QVERIFY2(shell.err.contains("Did you mean bash?"), shell.err.constData());
        const Outcome other = call({"documents", "completions", "tcsh"});
        QVERIFY2(other.code == 2 && other.err.contains("bash, zsh and fish"), other.err.constData());
    }

    void theDesktopKnowsTheProgram() {
        QFile desktop(source() + "/app/palimpsest.desktop");
        QVERIFY(desktop.open(QIODevice::ReadOnly));
        const QByteArray entry = desktop.readAll();
        // The types of files that the desktop file opens are those that are declared.
        QFile types(source() + "/resources/packaging/palimpsest-mime.xml");
        QVERIFY(types.open(QIODevice::ReadOnly));
        QXmlStreamReader reader(&types);
        QStringList declared, patterns;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement) continue;
            if (reader.name() == QStringLiteral("mime-type")) declared << reader.attributes().value("type").toString();
            if (reader.name() == QStringLiteral("glob")) patterns << reader.attributes().value("pattern").toString();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(!declared.isEmpty());
        for (const QString& type : declared) QVERIFY2(entry.contains((type + ";").toUtf8()), qPrintable(type));
        QCOMPARE(patterns, (QStringList{"experiment.toml", "*.palimpsest.toml"}));
        if (!isInstalled("desktop-file-validate")) QSKIP("desktop-file-validate is not installed");
        const Outcome outcome = tool("desktop-file-validate", {desktop.fileName()});
        QVERIFY2(outcome.code == 0 && outcome.out.isEmpty(), outcome.out.constData());
    }

    void softwareCentresCanReadWhatItIs_data() {
        QTest::addColumn<QByteArray>("more");
        QTest::newRow("without a site") << QByteArray();
        QTest::newRow("with screenshots") << QByteArray(
            "<url type=\"homepage\">https://www.example.org</url>\n<screenshots><screenshot "
            "type=\"default\"><image>https://www.example.org/main-dark.png</image></screenshot>"
            "</screenshots>");
    }
    void softwareCentresCanReadWhatItIs() {
        QFETCH(QByteArray, more);
        QFile file(source() + "/resources/packaging/palimpsest.metainfo.xml.in");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        text.replace("@PROJECT_VERSION@", "0.1.0").replace("@PALIMPSEST_RELEASE_DATE@", "2026-11-29");
        text.replace("@PALIMPSEST_SCREENSHOTS@", more);
        QVERIFY(!text.contains('@'));
        QXmlStreamReader reader(text);
        while (!reader.atEnd()) reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        if (!isInstalled("appstreamcli")) QSKIP("appstreamcli is not installed");
        // A name in the order of domains needs a domain, which the program does not have.
        const Outcome outcome =
            tool("appstreamcli", {"validate", "--no-net", "--override=cid-desktopapp-is-not-rdns=info",
                                  written("palimpsest.metainfo.xml", text)});
        QVERIFY2(outcome.code == 0, outcome.out.constData());
    }
};

PALIMPSEST_GUILESS_TEST(TestCliDocuments)

}  // namespace tst_cli_documents

#include "tst_cli_documents.moc"
