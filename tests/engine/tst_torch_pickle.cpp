// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/torch_pickle.h"

#include <QtTest>
#include <limits>

#include "engine/support/error.h"
#include "tests/support/test_program.h"
#include "tests/support/torch_maker.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_torch_pickle {

namespace {

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
using Kind = PickleValue::Kind;

std::span<const std::uint8_t> bytesOfText(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

class TestTorchPickle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTensorLiesInsideItsStorageOrDoesNot_data() {
        QTest::addColumn<QList<qint64>>("sizes");
        QTest::addColumn<QList<qint64>>("strides");
        QTest::addColumn<qint64>("offset");
        QTest::addColumn<bool>("inside");
        using List = QList<qint64>;
        QTest::newRow("the whole storage") << List{2, 3} << List{3, 1} << qint64{0} << true;
        QTest::newRow("its last element") << List{} << List{} << qint64{5} << true;
        QTest::newRow("one behind the end") << List{} << List{} << qint64{6} << false;
        QTest::newRow("a stride too far") << List{2, 2} << List{5, 1} << qint64{0} << false;
        QTest::newRow("before the beginning") << List{2} << List{1} << qint64{-1} << false;
        QTest::newRow("more elements than there are") << List{7} << List{0} << qint64{0} << false;
        QTest::newRow("the same element often, but not too often") << List{6} << List{0} << qint64{5} << true;
        QTest::newRow("nothing, at the end") << List{0} << List{1} << qint64{6} << true;
        QTest::newRow("nothing, behind the end") << List{0} << List{1} << qint64{7} << false;
        QTest::newRow("a reach beyond 64 bits") << List{kHuge, 3} << List{kHuge, 1} << qint64{0} << false;
        QTest::newRow("more elements than 64 bits count") << List{kHuge, 3} << List{0, 0} << qint64{0} << false;
        QTest::newRow("nothing, with extents beyond 64 bits")
            << List{0, kHuge, 3} << List{1, 0, 0} << qint64{0} << false;
    }
    void aTensorLiesInsideItsStorageOrDoesNot() {
        QFETCH(QList<qint64>, sizes);
        QFETCH(QList<qint64>, strides);
        QFETCH(qint64, offset);
        TorchPickle::Place place;
        place.offset = offset;
        place.sizes.assign(sizes.begin(), sizes.end());
        place.strides.assign(strides.begin(), strides.end());
        QTEST(liesInside(place, 6), "inside");
    }

    void onlyNamesThatRebuildTensorsAreHarmless() {
        QVERIFY(torchStorageType("torch.HalfStorage") == at::kHalf);
        QVERIFY(!torchStorageType("torch.ComplexFloatStorage"));
        QVERIFY(!torchStorageType("HalfStorage"));
        for (const char* name : {"torch.LongStorage", "torch._utils._rebuild_tensor_v2", "collections.OrderedDict",
                                 "torch.jit._pickle.build_intlist", "__torch__.net.Block", "argparse.Namespace"})
            QVERIFY2(isHarmlessTorchName(name), name);
        for (const char* name : {"os.system", "builtins.eval", "torch.load", "argparse.Namespace2",
                                 "torch._utils._rebuild_tensor_v2.x", "x__torch__.net", ""})
            QVERIFY2(!isHarmlessTorchName(name), name);
    }

    void valuesReferToEachOther() {
        const std::string pickle =
            wholePickle("}(" + pickled(std::string("epoch")) + pickled(7) + pickled(std::string("sizes")) +
                        pickled(std::vector<std::int64_t>{2, -3}) + "u");
        const TorchPickleValues read = readTorchPickleValues(bytesOfText(pickle), "a file");
        QCOMPARE(read.end, pickle.size());
        const PickleValue& root = read.values.at(read.root);
        QVERIFY(root.kind == Kind::Dict);
        QCOMPARE(root.items.size(), std::size_t{4});
        QCOMPARE(read.values.at(root.items[0]).text, std::string_view("epoch"));
        QCOMPARE(read.values.at(root.items[1]).integer, std::int64_t{7});
        const PickleValue& sizes = read.values.at(root.items[3]);
        QVERIFY(sizes.kind == Kind::List);
        QCOMPARE(read.values.at(sizes.items.at(1)).integer, std::int64_t{-3});
    }

    void tensorsOfOneStorageAreNamedByTheKeysOnTheWayToThem() {
        const StoragePart storage{"0", at::kFloat, 6};
        const std::string pickle = wholePickle("}(" + pickled(std::string("block")) + "}(" + pickled(std::string("a")) +
                                               pickledTensor(storage, 0, {3}, {1}) + "u" + pickled(std::string("b")) +
                                               pickledTensor(storage, 3, {3}, {1}) + "u");
        const TorchPickle read = readTorchPickle(bytesOfText(pickle), "a file");
        QCOMPARE(read.storages.size(), std::size_t{1});
        QCOMPARE(read.storages[0].key, std::string("0"));
        QCOMPARE(read.tensors.size(), std::size_t{2});
        QCOMPARE(read.tensors[0].name, std::string("block.a"));
        QCOMPARE(read.tensors[1].name, std::string("b"));
        QCOMPARE(read.tensors[1].offset, std::int64_t{3});
    }

    void damageIsToldWithItsPlace() {
        const std::string pickle = wholePickle(pickled(std::string("weights")) + "\x8a");
        try {
            readTorchPickleValues(bytesOfText(pickle), "some.pt");
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            // The last byte, the end of the pickle, is read as the length of a number.
            QCOMPARE(QString(error.what()), QString("The file some.pt is not a sound PyTorch file: it ends too early, "
                                                    "at byte 16 of its pickle."));
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestTorchPickle)

}  // namespace tst_torch_pickle

#include "tst_torch_pickle.moc"
