// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "engine/record/talk.h"
#include "engine/support/file_io.h"
#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;
using namespace palimpsest::testing;

namespace tst_cli_talk {

class TestCliTalk : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString written(const char* name, const std::string& text) const {
        const QString file = folder_.filePath(name);
        replaceTextFile(file.toStdString(), text);
        return file;
    }

private Q_SLOTS:
    void theShippedTalkIsWell() {
        const QString file = QString::fromStdString(shippedTalks().at(0).file.string());
        const Outcome checked = call({"talk", "check", file, "--runs", folder_.path()});
        QVERIFY2(checked.code == 0 && checked.err.isEmpty(), checked.err.constData());
        QVERIFY(checked.out.startsWith("Forgetting in ten minutes\n"));
        QVERIFY2(checked.out.contains("Over the whole way 31.5 % are right with it, 27.2 % without"),
                 checked.out.constData());
        QVERIFY(checked.out.contains("so far") && checked.out.endsWith("; all is well\n"));
    }

    void mistakesAndMissingRunsAreNamed() {
        const std::string run = "title = \"A\"\n[[run]]\nname = \"mine\"\nfolder = \"nowhere\"\n[[scene]]\n";
        const Outcome missing =
            call({"talk", "check", written("missing.toml", run + "caption = \"{accuracy}\"\nruns = [\"mine\"]\n"),
                  "--runs", folder_.path()});
        QCOMPARE(missing.code, 1);
        QVERIFY2(missing.out.contains("The run mine is not here: "), missing.out.constData());
        const Outcome wrong = call({"talk", "check", written("wrong.toml", run + "caption = \"{acuracy}\"\n")});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("line 6: unknown placeholder {acuracy}. Did you mean {accuracy}"),
                 wrong.err.constData());
        const Outcome option = call({"talk", "check",
                                     written("option.toml",
                                             "title = \"A\"\n[[run]]\nname = \"a\"\nexperiment = \"demo\"\nset = { sed "
                                             "= 2 }\n[[scene]]\ncaption = \"B\"\n")});
        QCOMPARE(option.code, 2);
        QVERIFY2(option.err.contains("The talk's run a: ") && option.err.contains("seed"), option.err.constData());
    }
};

PALIMPSEST_GUILESS_TEST(TestCliTalk)

}  // namespace tst_cli_talk

#include "tst_cli_talk.moc"
