// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cstring>
#include <memory>
#include <vector>

#include "engine/support/memory_reserve.h"
#include "tests/support/footprint.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_memory_reserve {

class TestMemoryReserve : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsFreeIsGivenBackWhereItIsMuch_data() {
        QTest::addColumn<int>("megabytes");
        QTest::addColumn<bool>("given");
        QTest::newRow("much") << 256 << true;
        QTest::newRow("little") << 64 << false;
    }
    void whatIsFreeIsGivenBackWhereItIsMuch() {
        QFETCH(int, megabytes);
        QFETCH(bool, given);
#if defined(PALIMPSEST_SANITIZED) || !defined(__GLIBC__)
        QSKIP("Another allocator keeps the memory.");
#endif
        // Blocks that the C library takes from one piece, which the last of them keeps from being given back.
        constexpr std::size_t kBlock = 64 * 1024;
        const qint64 before = Footprint::now().resident_kb;
        std::vector<std::unique_ptr<char[]>> blocks;
        for (std::size_t i = 0; i < static_cast<std::size_t>(megabytes) * 16; ++i) {
            blocks.push_back(std::make_unique<char[]>(kBlock));
            std::memset(blocks.back().get(), 1, kBlock);
        }
        const auto last = std::move(blocks.back());
        blocks.clear();
        QVERIFY(Footprint::now().resident_kb > before + megabytes * 800);
        giveMemoryBack();
        QCOMPARE(Footprint::now().resident_kb < before + megabytes * 200, given);
        QVERIFY(last[0] == 1);
    }

    void memoryIsHeldBackForTheEnd() {
        QVERIFY(holdMemoryBack());
        QVERIFY(holdMemoryBack());
        giveMemoryBack();
        QVERIFY(holdMemoryBack());
    }
};

PALIMPSEST_APPLESS_TEST(TestMemoryReserve)

}  // namespace tst_memory_reserve

#include "tst_memory_reserve.moc"
