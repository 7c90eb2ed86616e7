// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/test_program.h"
#include "ui/state/file_worker.h"

using namespace palimpsest;

namespace tst_folder_kind {

class TestFolderLook : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void toldFromTheNames_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("images");
        QTest::addColumn<bool>("run");
        QTest::addColumn<bool>("sweep");
        QTest::newRow("nothing") << "" << false << false << false;
        QTest::newRow("a class folder") << "cat/1.png" << true << false << false;
        QTest::newRow("train and test") << "train/cat/1.JPEG" << true << false << false;
        QTest::newRow("texts") << "notes/one.txt" << false << false << false;
        QTest::newRow("a run") << "run.json" << false << true << false;
        QTest::newRow("a sweep") << "sweep.toml" << false << false << true;
        QTest::newRow("too deep") << "a/b/c/d/e/f/1.png" << false << false << false;
    }
    void toldFromTheNames() {
        QFETCH(QString, file);
        QFETCH(bool, images);
        QFETCH(bool, run);
        QFETCH(bool, sweep);
        QTemporaryDir folder;
        if (!file.isEmpty()) {
            QVERIFY(QDir(folder.path()).mkpath(QFileInfo(file).path()));
            QFile made(folder.filePath(file));
            QVERIFY(made.open(QIODevice::WriteOnly));
        }
        QCOMPARE(looksLikeImages(folder.path().toStdString()), images);
        QCOMPARE(looksLikeRun(folder.path().toStdString()), run);
        QCOMPARE(looksLikeSweep(folder.path().toStdString()), sweep);
    }

    void whatIsNotThereHoldsNothing() {
        QVERIFY(!looksLikeImages("/nowhere/at/all"));
        QVERIFY(!looksLikeRun("/nowhere/at/all"));
    }

    void aLinkBackDoesNotLeadInCircles() {
        QTemporaryDir folder;
        QVERIFY(QFile::link(folder.path(), folder.filePath("self")));
        QVERIFY(!looksLikeImages(folder.path().toStdString()));
    }
};

PALIMPSEST_APPLESS_TEST(TestFolderLook)

}  // namespace tst_folder_kind

#include "tst_folder_kind.moc"
