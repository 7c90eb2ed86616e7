// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "engine/library/run_notes.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_notes {

namespace fs = std::filesystem;

class TestRunNotes : public QObject {
    Q_OBJECT
private:
    static void write(const fs::path& file, const QByteArray& text) {
        QFile out(QString::fromStdString(file.string()));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }
    static QByteArray read(const fs::path& file) {
        QFile in(QString::fromStdString(file.string()));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    struct Run {
        Run() { write(path() / "run.json", "{}"); }
        fs::path path() const { return folder.path().toStdString(); }
        QTemporaryDir folder;
    };

private Q_SLOTS:
    void notesComeBackAsTheyWereWritten() {
        Run run;
        const RunNotes notes{{"paper", "größer"}, "two\nlines, \"quoted\"", "#0072b2", true};
        writeNotes(run.path(), notes);
        QVERIFY(readNotes(run.path()) == notes);
    }

    void aRunThatIsLeftAloneStaysSoUntilAPersonSaysOtherwise() {
        Run run;
        writeNotes(run.path(), {});
        QVERIFY(!read(run.path() / "library.json").contains("left_alone"));
        RunNotes notes;
        notes.left_alone = true;
        writeNotes(run.path(), notes);
        QVERIFY(readNotes(run.path()).left_alone);
        writeNotes(run.path(), {});
        QVERIFY(!readNotes(run.path()).left_alone);
    }

    void withoutAFileNothingWasSaid() {
        Run run;
        QVERIFY(readNotes(run.path()) == RunNotes{});
    }

    void tagsAreWordsEachOnce() {
        QCOMPARE(tagsText(tagsIn(" good, slow;good  paper\n")), std::string("good slow paper"));
        QVERIFY(tagsIn(" ,; ").empty());
    }

    void aDamagedFileIsSetAsideAndNotOverwritten() {
        Run run;
        write(run.path() / "library.json", "not JSON {");
        QVERIFY(readNotes(run.path()) == RunNotes{});
        writeNotes(run.path(), {{}, "new", {}, false});
        QCOMPARE(read(run.path() / "library.json.damaged"), QByteArray("not JSON {"));
        QCOMPARE(readNotes(run.path()).note, std::string("new"));
    }

    void entriesOfTheWrongKindAreLeftOut() {
        Run run;
        write(run.path() / "library.json", R"({"tags": [1, "a", null], "note": 7, "colour": "red", "hidden": "yes"})");
        QVERIFY(readNotes(run.path()) == (RunNotes{{"a"}, {}, {}, false}));
    }

    void whatALaterVersionAddedIsKept() {
        Run run;
        write(run.path() / "library.json", R"({"stars": 5, "note": "old"})");
        writeNotes(run.path(), {{}, "new", {}, false});
        QVERIFY(read(run.path() / "library.json").contains("\"stars\": 5"));
    }

    void aRunThatIsGoneIsNamed() { QVERIFY_EXCEPTION_THROWN(writeNotes("/no/such/run", {}), Error); }

    void aFolderThatCannotBeWrittenSaysSo() {
        Run run;
        // Folders are in the way of the file and of the place for what is damaged: no permissions can overcome that.
        fs::create_directories(run.path() / "library.json" / "taken");
        fs::create_directories(run.path() / "library.json.damaged" / "taken");
        try {
            writeNotes(run.path(), {{}, "lost", {}, false});
            QFAIL("It was written.");
        } catch (const Error& error) {
            QVERIFY(QString(error.what()).contains("is not kept"));
            QVERIFY(!error.hint().empty());
        }
        QVERIFY(readNotes(run.path()) == RunNotes{});
    }
};

PALIMPSEST_GUILESS_TEST(TestRunNotes)

}  // namespace tst_run_notes

#include "tst_run_notes.moc"
