// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/test_program.h"
#include "ui/pretrained/prompt_file.h"

using namespace palimpsest;

namespace tst_prompt_file {

class TestPromptFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsTypedBecomesAnAbsolutePathWithItsEnding_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("file");
        QTest::newRow("home") << "~/mine" << QDir::homePath() + "/mine.safetensors";
        QTest::newRow("a folder below") << " first/mine "
                                        << "/prompts/first/mine.safetensors";
        QTest::newRow("with its ending") << "mine.safetensors"
                                         << "/prompts/mine.safetensors";
        QTest::newRow("absolute") << "/tmp/a/../mine"
                                  << "/tmp/mine.safetensors";
    }
    void whatIsTypedBecomesAnAbsolutePathWithItsEnding() {
        QFETCH(QString, text);
        QFETCH(QString, file);
        QCOMPARE(promptFile(text, "/prompts"), file);
    }

    void theUsualPlaceNamesKindAndExperiment() {
        QCOMPARE(usualPromptFile("/prompts", "fam", "My clothes"),
                 QString("/prompts/fam-my-clothes-prompts.safetensors"));
    }

    void aFreeFileCountsOnFromWhatIsThere_data() {
        QTest::addColumn<QStringList>("there");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("free");
        QTest::newRow("nothing") << QStringList{} << "a.safetensors"
                                 << "a.safetensors";
        QTest::newRow("prompts") << QStringList{"a.safetensors"} << "a.safetensors"
                                 << "a-2.safetensors";
        QTest::newRow("a state alone") << QStringList{"a.safetensors.state"} << "a.safetensors"
                                       << "a-2.safetensors";
        QTest::newRow("a second one") << QStringList{"a.safetensors", "a-2.safetensors.state"} << "a.safetensors"
                                      << "a-3.safetensors";
        QTest::newRow("a numbered one") << QStringList{"a-7.safetensors"} << "a-7.safetensors"
                                        << "a-8.safetensors";
    }
    void aFreeFileCountsOnFromWhatIsThere() {
        QFETCH(QStringList, there);
        QFETCH(QString, wanted);
        QFETCH(QString, free);
        QTemporaryDir folder;
        for (const QString& name : there) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        QCOMPARE(freeFile(folder.filePath(wanted)), folder.filePath(free));
    }
};

PALIMPSEST_GUILESS_TEST(TestPromptFile)

}  // namespace tst_prompt_file

#include "tst_prompt_file.moc"
