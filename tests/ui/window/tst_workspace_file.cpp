// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <sys/stat.h>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include "engine/support/error.h"
#include "tests/support/test_program.h"
#include "ui/window/workspace_file.h"

using namespace palimpsest;

namespace tst_workspace_file {

class TestWorkspaceFile : public QObject {
    Q_OBJECT
private:
    static void put(const QString& name, const QByteArray& content) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    static QByteArray contentOf(const QString& name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static WorkspaceState example() {
        WorkspaceState state;
        state.layouts["1920x1080"] = {QByteArray("\0g\xff", 3), "panels", QRect(2, 0, 1280, 800)};
        state.layouts["3840x2160"] = {"other", "more", {}};
        state.draft = "name = \"Größe\"\n";
        state.file = "/home/someone/a.toml";
        state.saved = "name = \"a\"\n";
        state.runs = {"/runs/a", "/runs/b"};
        state.selected = "/runs/b";
        state.baseline = "/runs/c";
        state.grouped = true;
        state.styles = {{"/runs/a", 0}, {"/runs/b", 19}};
        state.hues = {{"/runs/b", 5}};
        state.page = 3;
        state.tables = {"anytimePlot"};
        state.folded = {"runSection"};
        state.recent = {{"A", "/home/someone/a.toml"}, {"B", "/runs/b"}};
        return state;
    }

private Q_SLOTS:
    void whatWasWrittenIsReadAgain() {
        QTemporaryDir folder;
        const QString place = folder.filePath("made/when/needed");
        writeWorkspace(place, example());
        QStringList told;
        QVERIFY(readWorkspace(place, &told) == example());
        QVERIFY(told.isEmpty());
    }

    void aFolderWithoutOneGivesAnEmptyState() {
        QTemporaryDir folder;
        QStringList told;
        QVERIFY(readWorkspace(folder.path(), &told) == WorkspaceState());
        QVERIFY(told.isEmpty());
    }

    void whatIsDamagedIsSetAsideWithOneSentence_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("why");
        QTest::newRow("no JSON") << QByteArray("{\"version\": 1, \"runs\": [") << "damaged";
        QTest::newRow("not an object") << QByteArray("[1, 2]") << "damaged";
        QTest::newRow("empty") << QByteArray() << "damaged";
        QTest::newRow("without a version") << QByteArray("{\"runs\": []}") << "damaged";
        QTest::newRow("huge") << QByteArray((1 << 20) + 1, ' ') << "damaged";
        QTest::newRow("of another version") << QByteArray("{\"version\": 99}") << "another version";
    }
    void whatIsDamagedIsSetAsideWithOneSentence() {
        QFETCH(QByteArray, content);
        QFETCH(QString, why);
        QTemporaryDir folder;
        const QString name = folder.filePath("workspace.json");
        put(name, content);
        QStringList told;
        QVERIFY(readWorkspace(folder.path(), &told) == WorkspaceState());
        QCOMPARE(told.size(), 1);
        QVERIFY2(told[0].contains(name) && told[0].contains(why), qPrintable(told[0]));
        QVERIFY(!QFile::exists(name));
        QCOMPARE(contentOf(name + ".damaged"), content);
        // A second one overwrites nothing.
        put(name, "again");
        readWorkspace(folder.path(), &told);
        QCOMPARE(contentOf(name + ".damaged"), content);
        QCOMPARE(contentOf(name + ".damaged-2"), QByteArray("again"));
    }

    /// Nothing but a file is read: a pipe without a writer would let the window wait for ever at its start.
    void whatIsNoFileIsSetAside() {
        for (const char* name : {"workspace.json", "draft.toml"}) {
            QTemporaryDir folder;
            const QString pipe = folder.filePath(name);
            QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
            QStringList told;
            QVERIFY(readWorkspace(folder.path(), &told) == WorkspaceState());
            QCOMPARE(told.size(), 1);
            QVERIFY2(told[0].contains(pipe) && told[0].contains(".damaged"), qPrintable(told[0]));
            QVERIFY(QFileInfo::exists(pipe + ".damaged") && !QFileInfo::exists(pipe));
        }
    }

    void aDraftThatIsTooLargeIsSetAside() {
        QTemporaryDir folder;
        put(draftFile(folder.path()), QByteArray((1 << 20) + 1, '#'));
        QStringList told;
        QVERIFY(readWorkspace(folder.path(), &told).draft.isEmpty());
        QCOMPARE(told.size(), 1);
        QCOMPARE(QFileInfo(draftFile(folder.path()) + ".damaged").size(), qint64((1 << 20) + 1));
    }

    /// Whatever stands in the file, it is read or set aside, and what was read is written and read again as it is.
    void noBytesBreakTheReader() {
        QTemporaryDir folder;
        writeWorkspace(folder.path(), example());
        const QString name = folder.filePath("workspace.json");
        const QByteArray whole = contentOf(name);
        const QList<QByteArray> pieces{"null",
                                       "-1",
                                       "1e999",
                                       "\"\"",
                                       "[]",
                                       "{}",
                                       "\\ud800",
                                       "\xff",
                                       "[[[[",
                                       "9223372036854775808",
                                       QByteArray(100'000, '['),
                                       "\"version\"",
                                       "true",
                                       ","};
        QRandomGenerator random(1);
        int read = 0;
        for (int i = 0; i < 3000; ++i) {
            QByteArray content = whole;
            for (int change = 0; change <= random.bounded(4); ++change) {
                const qsizetype at = random.bounded(content.size() + 1);
                const qsizetype length = random.bounded(24);
                switch (random.bounded(3)) {
                    case 0:
                        content.replace(at, length, pieces[random.bounded(pieces.size())]);
                        break;
                    case 1:
                        content.insert(at, content.mid(random.bounded(content.size() + 1), length));
                        break;
                    default:
                        content.remove(at, length);
                }
            }
            put(name, content);
            QStringList told;
            const WorkspaceState state = readWorkspace(folder.path(), &told);
            if (!told.isEmpty()) {
                QVERIFY(state == WorkspaceState() || !state.draft.isEmpty());
                QVERIFY(QFile::remove(name + ".damaged"));
                continue;
            }
            ++read;
            writeWorkspace(folder.path(), state);
            QVERIFY(readWorkspace(folder.path(), &told) == state);
            QVERIFY(told.isEmpty());
        }
        QVERIFY2(read > 100 && read < 2900, qPrintable(QString::number(read)));
    }

    void valuesOfTheWrongKindAreLeftOut() {
        QTemporaryDir folder;
        put(folder.filePath("workspace.json"),
            R"({"version": 1, "runs": [1, "/runs/a", null], "file": 7, "layouts": "no", "recent": [{"title": "x"}, 3],
                "tables": {"a": 1}, "looks": {"/runs/a": "x", "/runs/b": -2}, "hues": [2]})");
        QStringList told;
        const WorkspaceState state = readWorkspace(folder.path(), &told);
        QVERIFY(told.isEmpty());
        QCOMPARE(state.runs, QStringList{"/runs/a"});
        QVERIFY(state.file.isEmpty() && state.layouts.isEmpty() && state.recent.isEmpty() && state.tables.isEmpty() &&
                state.styles.isEmpty() && state.hues.isEmpty());
    }

    void aPlaceThatCannotBeWrittenIsAnError() {
        QTemporaryDir folder;
        put(folder.filePath("file"), "in the way");
        QVERIFY_EXCEPTION_THROWN(writeWorkspace(folder.filePath("file/workspace"), example()), Error);
    }
};

PALIMPSEST_TEST(TestWorkspaceFile)

}  // namespace tst_workspace_file

#include "tst_workspace_file.moc"
