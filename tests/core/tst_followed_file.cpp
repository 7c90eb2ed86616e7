// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/remote/followed_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_followed_file {

namespace {

const std::vector<Followed> kList = {{false, "ssh://me@lab:2222/~/runs/one", "/runs/one", ""},
                                     {true, "ssh://lab/data/masks", "/sweeps/masks", "/opt/palimpsest-cli"}};

QString refusal(const std::string& text) {
    try {
        parseFollowed(text, "list.json");
    } catch (const Error& error) {
        return QString::fromStdString(error.sentence());
    }
    return {};
}

}  // namespace

class TestFollowedFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aListComesBack() { QCOMPARE(parseFollowed(formatFollowed(kList), "list.json"), kList); }

    void whatIsDamagedIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("no JSON") << QByteArray("{") << "is damaged";
        QTest::newRow("a list") << QByteArray("[]") << "is damaged";
        QTest::newRow("no version") << QByteArray(R"({"followed": []})") << "no version";
        QTest::newRow("newer") << QByteArray(R"({"version": 2, "followed": {}})") << "newer version";
        QTest::newRow("nothing") << QByteArray(R"({"version": 1, "followed": {}})") << "lists nothing";
        QTest::newRow("kind") << QByteArray(R"({"version": 1, "followed": [{"kind": "x"}]})") << "no kind x";
        const auto entry = [](const char* place, const char* folder) {
            return QByteArray("{\"version\": 1, \"followed\": [{\"kind\": \"run\", \"place\": \"") + place +
                   "\", \"folder\": \"" + folder + "\", \"program\": \"\"}]}";
        };
        QTest::newRow("an option of ssh") << entry("ssh://-oProxyCommand=x/y", "/x") << "names no folder";
        QTest::newRow("a relative folder") << entry("ssh://lab/x", "x") << "no whole path";
        QByteArray many = "{\"version\": 1, \"followed\": [0";
        for (int i = 0; i < 100; ++i) many += ", 0";
        QTest::newRow("too many") << many + "]}"
                                  << "more than 100";
    }
    void whatIsDamagedIsRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        QVERIFY2(refusal(text.toStdString()).contains(sentence), qPrintable(refusal(text.toStdString())));
    }

    void oneAtATimeHasIt() {
        const QTemporaryDir folder;
        const std::filesystem::path runs = folder.path().toStdString();
        {
            FollowedFile first(runs);
            QVERIFY(first.open().list.empty());
            first.write(kList);
            FollowedFile second(runs);
            QVERIFY_EXCEPTION_THROWN(second.open(), Error);
            QVERIFY_EXCEPTION_THROWN(second.write({}), Error);
        }
        QCOMPARE(FollowedFile(runs).open().list, kList);
    }

    // One window opens while the other has the list, and notes something when the other has ended.
    void whatAnotherWindowFollowedStays() {
        const QTemporaryDir folder;
        const std::filesystem::path runs = folder.path().toStdString();
        FollowedFile second(runs);
        {
            FollowedFile first(runs);
            first.write(kList);
            QVERIFY_EXCEPTION_THROWN(second.open(), Error);
        }
        const Followed own = {false, "ssh://lab/~/runs/two", "/runs/two", ""};
        const Followed newer = {false, "ssh://me@lab:2222/~/runs/other", "/runs/one", ""};
        second.write({own});
        QCOMPARE(parseFollowed(readTextFile(runs / ".followed.json"), "list.json"),
                 (std::vector<Followed>{own, kList[0], kList[1]}));
        second.write({own, newer});
        QCOMPARE(parseFollowed(readTextFile(runs / ".followed.json"), "list.json"),
                 (std::vector<Followed>{own, newer, kList[1]}));
        second.write({});
        QCOMPARE(parseFollowed(readTextFile(runs / ".followed.json"), "list.json"), std::vector<Followed>{kList[1]});
    }

    void whatANewerWindowWroteMeanwhileStays() {
        const QTemporaryDir folder;
        const std::filesystem::path runs = folder.path().toStdString();
        FollowedFile file(runs);
        QVERIFY(file.open().list.empty());
        const std::string newer = R"({"version": 2, "followed": {}})";
        replaceTextFile(runs / ".followed.json", newer);
        for (int i = 0; i < 2; ++i) QVERIFY_EXCEPTION_THROWN(file.write(kList), Error);
        QCOMPARE(readTextFile(runs / ".followed.json"), newer);
    }

    void whatOthersMayChangeIsNotTakenUp_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("added");
        QTest::newRow("the folder, for all") << "." << 0002;
        QTest::newRow("the file, for all") << ".followed.json" << 0002;
        QTest::newRow("the folder, for a group") << "." << 0020;
    }
    void whatOthersMayChangeIsNotTakenUp() {
        QFETCH(QString, name);
        QFETCH(int, added);
        const QTemporaryDir folder;
        const std::filesystem::path runs = folder.path().toStdString();
        replaceTextFile(runs / ".followed.json", formatFollowed(kList));
        const std::filesystem::path place = name == "." ? runs : runs / name.toStdString();
        // A group of more than the user.
        if (added == 0020 && chown(place.c_str(), static_cast<uid_t>(-1), 1) != 0) QSKIP("Only root gives files away.");
        std::filesystem::permissions(place, std::filesystem::perms(added), std::filesystem::perm_options::add);
        QString said;
        try {
            FollowedFile(runs).open();
        } catch (const Error& error) {
            said = QString::fromStdString(error.sentence());
        }
        QVERIFY2(said.contains("may be changed by others") && said.contains("chmod go-w"), qPrintable(said));
        QVERIFY_EXCEPTION_THROWN(FollowedFile(runs).write({}), Error);
        QCOMPARE(readTextFile(runs / ".followed.json"), formatFollowed(kList));
        std::filesystem::permissions(place, std::filesystem::perms(added), std::filesystem::perm_options::remove);
        QCOMPARE(FollowedFile(runs).open().list, kList);
    }

    void whatSomebodyElseOwnsIsNotTakenUp() {
        if (geteuid() != 0) QSKIP("Only root gives files away.");
        const QTemporaryDir folder;
        const std::filesystem::path runs = folder.path().toStdString();
        replaceTextFile(runs / ".followed.json", formatFollowed(kList));
        QCOMPARE(chown((runs / ".followed.json").c_str(), 1, 1), 0);
        QVERIFY_EXCEPTION_THROWN(FollowedFile(runs).open(), Error);
    }

    void damagedOnesAreKeptEach() {
        const QTemporaryDir folder;
        const std::filesystem::path runs = folder.path().toStdString();
        for (const char* name : {".followed.damaged.json", ".followed.damaged.2.json"}) {
            replaceTextFile(runs / ".followed.json", name);
            QCOMPARE(FollowedFile(runs).open().aside, runs / name);
            QCOMPARE(readTextFile(runs / name), std::string(name));
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestFollowedFile)

}  // namespace tst_followed_file

#include "tst_followed_file.moc"
