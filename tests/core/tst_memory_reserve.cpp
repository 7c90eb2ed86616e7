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
    void whatIsFreeIsGivenBackWhereItIsMuch() {
#if defined(PALIMPSEST_SANITIZED) || !defined(__GLIBC__)
        QSKIP("Another allocator keeps the memory.");
#endif
        // Blocks that the C library takes from one piece, which the last of them keeps from being given back.
        constexpr std::size_t kBlock = 64 * 1024, kBlocks = 4096;
        const qint64 before = Footprint::now().resident_kb;
        std::vector<std::unique_ptr<char[]>> blocks;
        for (std::size_t i = 0; i < kBlocks; ++i) {
            blocks.push_back(std::make_unique<char[]>(kBlock));
            std::memset(blocks.back().get(), 1, kBlock);
        }
        const auto last = std::move(blocks.back());
        blocks.clear();
        QVERIFY(Footprint::now().resident_kb > before + 200 * 1024);
        giveMemoryBack();
        QVERIFY(Footprint::now().resident_kb < before + 50 * 1024);
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
