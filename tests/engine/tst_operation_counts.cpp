// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>

#include "engine/bench/operation_counts.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_operation_counts {

namespace {

/// Images of 4 x 4 pixels in 4 patches of 2 x 2, so 5 tokens; 2 wide, 2 blocks, 4 outputs of fc1.
VitShape smallShape() {
    VitShape shape;
    shape.image_size = 4;
    shape.patch_size = 2;
    shape.channels = 1;
    shape.width = 2;
    shape.depth = 2;
    shape.heads = 1;
    shape.mlp_ratio = 2;
    return shape;
}

using Parts = std::array<std::int64_t, 5>;

Parts parts(const PassOperations& all) {
    return {all.patches, all.qkv, all.attention, all.proj, all.mlp};
}

}  // namespace

class TestOperationCounts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aForwardPassIsCountedByHand() {
        // Patches: 4 of 4 numbers to 2. The last block computes keys and values of all tokens, the rest for one.
        const Parts expected = {
            2 * 4 * 4 * 2,                                // patches
            2 * 5 * 2 * 6 + (2 * 5 * 2 * 4 + 2 * 2 * 2),  // qkv, then kv and one q
            2 * 2 * 5 * 5 * 2 + 2 * 2 * 1 * 5 * 2,        // scores and mixing
            2 * 5 * 2 * 2 + 2 * 2 * 2,                    // proj
            2 * 2 * 5 * 2 * 4 + 2 * 2 * 2 * 4,            // fc1 and fc2
        };
        const PassOperations counted = forwardOperations(smallShape());
        QCOMPARE(parts(counted), expected);
        QCOMPARE(counted.total(), std::int64_t{752});
    }

    void aStemIsCountedLayerByLayer() {
        VitShape shape = smallShape();
        shape.stem = {16, 32};
        // 16 pixels of 9 numbers to 16, then 4 pixels of 9 times 16 numbers to 32, each of which is a patch.
        const std::int64_t patches = 2 * 16 * 9 * 16 + 2 * 4 * 144 * 32 + 2 * 4 * 32 * 2;
        const PassOperations plain = forwardOperations(smallShape()), counted = forwardOperations(shape);
        QCOMPARE(counted.patches, patches);
        QCOMPARE(counted.total() - counted.patches, plain.total() - plain.patches);
    }

    void promptsAreFurtherKeysAndValues() {
        const std::array<std::int64_t, 2> extras = {3, 2};
        const PassOperations plain = forwardOperations(smallShape()),
                             prompted = forwardOperations(smallShape(), extras);
        QCOMPARE(prompted.attention, std::int64_t{2 * 2 * 5 * 8 * 2 + 2 * 2 * 1 * 7 * 2});
        QCOMPARE(prompted.total() - prompted.attention, plain.total() - plain.attention);
    }

    void theWayBackEndsAtTheLowestPrompts() {
        // Block 1 (one query, 7 keys): values, scores, keys and the query, and its qkv. Block 0 (5 queries, 8 keys):
        // scores; of values and keys only those of the 3 prompts.
        const std::array<std::int64_t, 2> both = {3, 2};
        const Parts down = {0, 2 * 5 * 2 * 4 + 2 * 2 * 2, 4 * (2 * 1 * 7 * 2) + (2 * 5 * 8 * 2 + 2 * (2 * 5 * 3 * 2)),
                            2 * 2 * 2 + 2 * 5 * 2 * 2, 2 * 2 * 2 * 4 + 2 * 2 * 5 * 2 * 4};
        QCOMPARE(parts(backwardOperations(smallShape(), both)), down);

        const std::array<std::int64_t, 2> last = {0, 2};
        const Parts short_way = {0, 0, 2 * 1 * 7 * 2 + 2 * (2 * 1 * 2 * 2), 2 * 2 * 2, 2 * 2 * 2 * 4};
        QCOMPARE(parts(backwardOperations(smallShape(), last)), short_way);
    }

    void withoutPromptsThereIsNoWayBack() { QCOMPARE(backwardOperations(smallShape(), {}).total(), std::int64_t{0}); }

    void theHeadAndThePromptsKeysAreSingleProducts() {
        QCOMPARE(headOperations(smallShape(), 10), std::int64_t{2 * 2 * 10});
        QCOMPARE(keysValuesOperations(smallShape(), 3), std::int64_t{2 * 3 * 2 * 4});
    }

    // 17.56 billion multiplications and additions is what is published for ViT-B/16 with all tokens in the last block:
    // here that block computes 196 tokens less, without queries, projection and MLP.
    void vitB16HasThePublishedSizeButForTheLastBlock() {
        const VitShape shape{224, 16, 3, 768, 12, 12, 4};
        const std::int64_t spared = std::int64_t{196} * (2 * 768 * 768 * 2 + 2 * 2 * 768 * 3072 + 2 * 2 * 768 * 197);
        QCOMPARE(qRound(static_cast<double>(forwardOperations(shape).total() + spared) / 2e7), 1756);
    }
};

PALIMPSEST_APPLESS_TEST(TestOperationCounts)

}  // namespace tst_operation_counts

#include "tst_operation_counts.moc"
