// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include "engine/data/cache_folder.h"
#include "engine/data/picture_cache.h"
#include "engine/support/stop_scope.h"
#include "tests/support/shade_table.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_picture_cache {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kRows = 40, kBudget = std::int64_t{1} << 24;

PictureCacheKey key(const std::string& identity = "pictures") {
    return {identity, kRows, LoadShape::Native, 16, true};
}

std::vector<std::uint8_t> pictureOf(std::int64_t row) {
    std::vector<std::uint8_t> bytes(16 * 16 * 3);
    std::mt19937 random(static_cast<std::uint32_t>(row));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
}

/// 1 for the right picture, 0 for none, -1 for a wrong one.
int found(const PictureCache& cache, std::int64_t row) {
    std::vector<std::uint8_t> bytes(16 * 16 * 3);
    if (!cache.read(row, bytes)) return 0;
    return bytes == pictureOf(row) ? 1 : -1;
}

void fill(PictureCache& cache) {
    for (std::int64_t row = 0; row < kRows; ++row) cache.write(row, pictureOf(row));
}

std::vector<fs::path> cachesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == CacheFolder::kEnding) files.push_back(entry.path());
    return files;
}

void setUsed(const fs::path& file, int hoursAgo) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hoursAgo));
}

}  // namespace

class TestPictureCache : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    fs::path place() const {
        return fs::path(folder_.path().toStdString()) / QTest::currentTestFunction() /
               (QTest::currentDataTag() ? QTest::currentDataTag() : "-");
    }

private Q_SLOTS:
    void aRowIsThereOnceItWasWritten() {
        const auto cache = PictureCache::open(place(), key(), kBudget);
        QVERIFY(cache);
        QCOMPARE(cache->pictureBytes(), std::int64_t{768});
        QCOMPARE(found(*cache, 3), 0);
        cache->write(3, pictureOf(3));
        QCOMPARE(found(*cache, 3), 1);
        QCOMPARE(found(*cache, 2), 0);
        QCOMPARE(found(*cache, 4), 0);
    }

    void whatIsNoRowIsNeitherReadNorWritten() {
        const auto cache = PictureCache::open(place(), key(), kBudget);
        std::vector<std::uint8_t> small(5), right(768);
        for (const std::int64_t row : {std::int64_t{-1}, kRows, std::int64_t{1} << 60}) {
            cache->write(row, right);
            QVERIFY(!cache->read(row, right));
        }
        cache->write(1, small);
        QVERIFY(!cache->read(1, small));
        QVERIFY(!cache->read(1, right));
    }

    void blackPicturesAreRowsToo() {
        const auto cache = PictureCache::open(place(), key(), kBudget);
        std::vector<std::uint8_t> black(768, 0), bytes(768, 1);
        cache->write(0, black);
        QVERIFY(cache->read(0, bytes));
        QCOMPARE(bytes, black);
    }

    void theNextRunFindsTheRows() {
        {
            const auto cache = PictureCache::open(place(), key(), kBudget);
            fill(*cache);
        }
        const auto cache = PictureCache::open(place(), key(), kBudget);
        for (std::int64_t row = 0; row < kRows; ++row) QCOMPARE(found(*cache, row), 1);
    }

    void otherPicturesAreAnotherCache_data() {
        QTest::addColumn<int>("what");
        for (const auto& [name, what] : {std::pair("identity", 0), {"rows", 1}, {"shape", 2}, {"side", 3}, {"part", 4}})
            QTest::newRow(name) << what;
    }
    void otherPicturesAreAnotherCache() {
        QFETCH(int, what);
        const auto cache = PictureCache::open(place(), key(), kBudget);
        fill(*cache);
        PictureCacheKey other = key();
        if (what == 0) other.identity = "pictures, one of them changed";
        if (what == 1) other.rows = kRows + 1;
        if (what == 2) other.shape = LoadShape::Square;
        if (what == 3) other.side = 17;
        if (what == 4) other.train = false;
        const auto second = PictureCache::open(place(), other, kBudget);
        QVERIFY(second);
        QVERIFY(second->file() != cache->file());
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(second->pictureBytes()));
        for (std::int64_t row = 0; row < kRows; ++row) QVERIFY(!second->read(row, bytes));
    }

    void processesShareTheRows() {
        const auto cache = PictureCache::open(place(), key(), kBudget);
        const pid_t child = fork();
        if (child == 0) {
            const auto mine = PictureCache::open(place(), key(), kBudget);
            for (int round = 0; mine && round < 200; ++round) fill(*mine);
            _exit(mine ? 0 : 1);
        }
        // Reading a row while it is written gives all of it or nothing.
        int status = 0, wrong = 0;
        while (waitpid(child, &status, WNOHANG) == 0)
            for (std::int64_t row = 0; row < kRows; ++row) wrong += found(*cache, row) < 0;
        QCOMPARE(status, 0);
        QCOMPARE(wrong, 0);
        for (std::int64_t row = 0; row < kRows; ++row) QCOMPARE(found(*cache, row), 1);
    }

    void aProcessThatDiesLeavesAGoodCache() {
        const pid_t child = fork();
        if (child == 0) {
            const auto mine = PictureCache::open(place(), key(), kBudget);
            mine->write(7, pictureOf(7));
            raise(SIGKILL);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status));
        const auto cache = PictureCache::open(place(), key(), kBudget);
        QCOMPARE(found(*cache, 7), 1);
        QCOMPARE(found(*cache, 8), 0);
    }

    void aDamagedFileIsNeverTrusted_data() {
        QTest::addColumn<QString>("damage");
        for (const char* damage : {"cut", "longer", "head", "rows", "zeros", "noise"}) QTest::newRow(damage) << damage;
    }
    void aDamagedFileIsNeverTrusted() {
        QFETCH(QString, damage);
        std::mt19937 random(1);
        for (int trial = 0; trial < 60; ++trial) {
            fs::path file;
            {
                const auto cache = PictureCache::open(place(), key(), kBudget);
                QVERIFY(cache);
                fill(*cache);
                file = cache->file();
            }
            const auto size = fs::file_size(file);
            const auto below = [&](std::uintmax_t bound) { return random() % bound; };
            if (damage == "cut") fs::resize_file(file, trial == 0 ? 0 : below(size));
            if (damage == "longer") fs::resize_file(file, size + 1 + below(10'000));
            std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
            const auto spoil = [&](std::uintmax_t at, char with) {
                bytes.seekp(static_cast<std::streamoff>(at));
                bytes.put(with);
            };
            if (damage == "head" || damage == "rows") {
                const auto at = damage == "head" ? below(4096) : 4096 + below(size - 4096);
                bytes.seekg(static_cast<std::streamoff>(at));
                spoil(at, static_cast<char>(bytes.get() ^ (1 << below(8))));
            }
            if (damage == "zeros" || damage == "noise") {
                const auto from = below(size), to = from + below(size - from);
                for (auto at = from; at < to; ++at) spoil(at, damage == "zeros" ? '\0' : static_cast<char>(random()));
            }
            bytes.close();
            const auto cache = PictureCache::open(place(), key(), kBudget);
            QVERIFY(cache);
            int there = 0;
            for (std::int64_t row = 0; row < kRows; ++row) {
                QVERIFY(found(*cache, row) >= 0);
                there += found(*cache, row);
            }
            if (damage == "cut" || damage == "longer" || damage == "head") QCOMPARE(there, 0);
            if (damage == "rows") QCOMPARE(there, static_cast<int>(kRows) - 1);
            cache->write(5, pictureOf(5));
            QCOMPARE(found(*cache, 5), 1);
        }
    }

    void aFileThatIsCutOffOrRemovedInUseDoesNoHarm() {
        const auto cache = PictureCache::open(place(), key(), kBudget);
        fill(*cache);
        fs::resize_file(cache->file(), 5000);
        for (std::int64_t row = 1; row < kRows; ++row) QCOMPARE(found(*cache, row), 0);
        fs::remove(cache->file());
        cache->write(9, pictureOf(9));
        QCOMPARE(found(*cache, 9), 1);
    }

    void withoutRoomThereIsNoCacheAndNoFile() {
        QVERIFY(!PictureCache::open(place(), key(), 4096 + kRows * 776 - 1));
        QVERIFY(!PictureCache::open(place(), key(), 0));
        QVERIFY(!fs::exists(place()) || cachesIn(place()).empty());
        QVERIFY(PictureCache::open(place(), key(), 4096 + kRows * 776));
        PictureCacheKey vast = key();
        vast.rows = std::int64_t{1} << 32;  // three terabytes
        QVERIFY(!PictureCache::open(place(), vast, std::numeric_limits<std::int64_t>::max()));
        QCOMPARE(cachesIn(place()).size(), std::size_t{1});
    }

    void theOldestUnusedCacheMakesRoom() {
        constexpr std::int64_t kOne = 4096 + kRows * 776;
        const fs::path oldest = PictureCache::open(place(), key("oldest"), kBudget)->file();
        const fs::path older = PictureCache::open(place(), key("older"), kBudget)->file();
        const auto used = PictureCache::open(place(), key("used"), kBudget);
        setUsed(oldest, 3);
        setUsed(older, 2);
        setUsed(used->file(), 4);
        QVERIFY(PictureCache::open(place(), key("new"), 3 * kOne));
        QVERIFY(!fs::exists(oldest));
        QVERIFY(fs::exists(older));
        QVERIFY(fs::exists(used->file()));
    }

    void nothingIsRemovedInVain() {
        constexpr std::int64_t kOne = 4096 + kRows * 776;
        const auto used = PictureCache::open(place(), key("used"), kBudget);
        const fs::path old = PictureCache::open(place(), key("old"), kBudget)->file();
        QVERIFY(!PictureCache::open(place(), key("new"), 2 * kOne - 1));
        QVERIFY(fs::exists(old));
        QCOMPARE(cachesIn(place()).size(), std::size_t{2});
    }

    void aCacheThatIsOpenedStaysYoung() {
        constexpr std::int64_t kOne = 4096 + kRows * 776;
        const fs::path first = PictureCache::open(place(), key("first"), kBudget)->file();
        const fs::path second = PictureCache::open(place(), key("second"), kBudget)->file();
        setUsed(first, 3);
        setUsed(second, 2);
        PictureCache::open(place(), key("first"), kBudget);
        QVERIFY(PictureCache::open(place(), key("new"), 2 * kOne));
        QVERIFY(fs::exists(first));
        QVERIFY(!fs::exists(second));
    }

    void aDiskThatIsFullStopsTheStoring() {
        const auto cache = PictureCache::open(place(), key(), kBudget);
        cache->write(0, pictureOf(0));
        // A limit on the size of files simulates the full disk: it fails the same system call.
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const auto handler = signal(SIGXFSZ, SIG_IGN);
        {
            const auto back = qScopeGuard([&] {
                setrlimit(RLIMIT_FSIZE, &before);
                signal(SIGXFSZ, handler);
            });
            const rlimit limit{4096 + 10 * 776 + 50, before.rlim_max};
            setrlimit(RLIMIT_FSIZE, &limit);
            for (std::int64_t row = 1; row < kRows; ++row) cache->write(row, pictureOf(row));
            // A cache that could not be filled is not created.
            QVERIFY(!PictureCache::open(place(), key("another"), kBudget));
        }
        for (std::int64_t row = 0; row < kRows; ++row) QCOMPARE(found(*cache, row), row < 10 ? 1 : 0);
    }

    void aStrangerInItsPlaceIsNoCache_data() {
        QTest::addColumn<QString>("what");
        for (const char* what : {"folder", "link", "pipe"}) QTest::newRow(what) << what;
    }
    void aStrangerInItsPlaceIsNoCache() {
        QFETCH(QString, what);
        const fs::path file = PictureCache::open(place(), key(), kBudget)->file();
        const fs::path elsewhere = place() / "elsewhere";
        fs::remove(file);
        if (what == "folder") fs::create_directories(file / "full");
        if (what == "link") {
            std::ofstream(elsewhere) << "mine";
            fs::create_symlink(elsewhere, file);
        }
        if (what == "pipe") QCOMPARE(mkfifo(file.c_str(), 0600), 0);
        QVERIFY(!PictureCache::open(place(), key(), kBudget));
        if (what == "link") QCOMPARE(fs::file_size(elsewhere), std::uintmax_t{4});
        // It does not block others either.
        QVERIFY(PictureCache::open(place(), key("another"), kBudget));
    }

    void aFolderThatCannotBeUsedIsNoCache() {
        fs::create_directories(place().parent_path());
        std::ofstream(place()) << "in the way";
        QVERIFY(!PictureCache::open(place(), key(), kBudget));
        QVERIFY(!PictureCache::open(place() / "below", key(), kBudget));
    }

    void aProcessThatHoldsTheFolderIsNotWaitedForWithoutEnd() {
        const CacheFolder first(place());
        QVERIFY(first.usable());
        QVERIFY(!CacheFolder(place(), std::chrono::milliseconds(30)).usable());
        std::stop_source stop;
        stop.request_stop();
        const StopScope scope(stop.get_token());
        QVERIFY_EXCEPTION_THROWN(PictureCache::open(place(), key(), kBudget), GivenUp);
    }

    void aFolderIsFreeAgainWhenItsUserIsDone() {
        auto first = std::make_unique<CacheFolder>(place());
        std::jthread other([&] { first.reset(); });
        QVERIFY(CacheFolder(place(), std::chrono::minutes(1)).usable());
    }

    void theFolderFollowsTheEnvironment_data() {
        QTest::addColumn<QString>("own");
        QTest::addColumn<QString>("xdg");
        QTest::addColumn<QString>("expected");
        QTest::newRow("own") << "/a"
                             << "/b"
                             << "/a/pictures";
        QTest::newRow("xdg") << ""
                             << "/b"
                             << "/b/palimpsest/pictures";
        QTest::newRow("home") << ""
                              << ""
                              << "/h/.cache/palimpsest/pictures";
    }
    void theFolderFollowsTheEnvironment() {
        QFETCH(QString, own);
        QFETCH(QString, xdg);
        std::vector<std::pair<const char*, QByteArray>> before;
        for (const char* name : {"PALIMPSEST_CACHE", "XDG_CACHE_HOME", "HOME"})
            before.emplace_back(name, qgetenv(name));
        const auto back = qScopeGuard([&] {
            for (const auto& [name, value] : before) value.isNull() ? qunsetenv(name) : qputenv(name, value);
        });
        qputenv("PALIMPSEST_CACHE", own.toUtf8());
        qputenv("XDG_CACHE_HOME", xdg.toUtf8());
        qputenv("HOME", "/h");
        QTEST(QString::fromStdString(pictureCacheFolder().string()), "expected");
    }

    void onlyFilesThatAreAlwaysTheSamePictureAreCached_data() {
        QTest::addColumn<QString>("identity");
        QTest::addColumn<int>("shape");
        QTest::addColumn<qint64>("budget");
        QTest::addColumn<bool>("expected");
        QTest::newRow("files") << "files" << static_cast<int>(LoadShape::Native) << qint64{kBudget} << true;
        QTest::newRow("square files") << "files" << static_cast<int>(LoadShape::Square) << qint64{kBudget} << true;
        QTest::newRow("random crops") << "files" << static_cast<int>(LoadShape::ShortSideCrop) << qint64{kBudget}
                                      << false;
        QTest::newRow("centre crops") << "files" << static_cast<int>(LoadShape::ShortSideCentre) << qint64{kBudget}
                                      << true;
        QTest::newRow("in memory") << "" << static_cast<int>(LoadShape::Native) << qint64{kBudget} << false;
        QTest::newRow("no budget") << "files" << static_cast<int>(LoadShape::Native) << qint64{0} << false;
    }
    void onlyFilesThatAreAlwaysTheSamePictureAreCached() {
        QFETCH(QString, identity);
        QFETCH(int, shape);
        QFETCH(qint64, budget);
        const QByteArray before = qgetenv("PALIMPSEST_CACHE");
        const auto back =
            qScopeGuard([&] { before.isNull() ? qunsetenv("PALIMPSEST_CACHE") : qputenv("PALIMPSEST_CACHE", before); });
        qputenv("PALIMPSEST_CACHE", place().c_str());
        const testing::ShadeTable table(10, {}, identity.toStdString());
        QTEST(pictureCacheOf(table, static_cast<LoadShape>(shape), 16, true, budget) != nullptr, "expected");
    }
};

PALIMPSEST_APPLESS_TEST(TestPictureCache)

}  // namespace tst_picture_cache

#include "tst_picture_cache.moc"
