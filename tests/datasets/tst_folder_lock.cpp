// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/folder_lock.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "engine/support/error.h"

using namespace palimpsest;

namespace tst_folder_lock {

namespace fs = std::filesystem;

class TestFolderLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isThereWhileItIsHeld() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        {
            const FolderLock lock(place, {}, {}, ".lock");
            QVERIFY(lock.held());
            QVERIFY(fs::exists(place / ".lock"));
        }
        QVERIFY(!fs::exists(place / ".lock"));
    }

    void aFolderThatWasTakenAwayIsMadeAgain() {
        const QTemporaryDir folder;
        const fs::path place = fs::path(folder.path().toStdString()) / "gone";
        const FolderLock lock(place, {}, {});
        QVERIFY(lock.held());
        QVERIFY(fs::exists(place / ".fetching"));
    }

    void aNameThatLeadsNowhereIsNotTriedForever() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        fs::create_symlink(place / "missing" / "lock", place / ".lock");
        QVERIFY_THROWS_EXCEPTION(Error, FolderLock(place, {}, {}, ".lock"));
    }

    void aFolderThatTakesNoFileIsNotTriedForever() {
        if (!fs::is_directory("/proc/self")) QSKIP("There is no /proc.");
        QVERIFY_THROWS_EXCEPTION(Error, FolderLock("/proc", {}, {}, ".lock"));
    }
};

PALIMPSEST_APPLESS_TEST(TestFolderLock)

}  // namespace tst_folder_lock

#include "tst_folder_lock.moc"
