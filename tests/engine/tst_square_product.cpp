// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ATen/ATen.h>

#include "engine/kernels/square_product.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_square_product {

class TestSquareProduct : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsTheProductOfItsFactorsForAnyNumberOfThreads_data() {
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("threads");
        QTest::newRow("one block, one thread") << 16 << 1;
        QTest::newRow("a last block that is smaller") << 304 << 1;
        QTest::newRow("more threads than blocks") << 304 << 3;
    }
    void itIsTheProductOfItsFactorsForAnyNumberOfThreads() {
        QFETCH(int, side);
        QFETCH(int, threads);
        SquareProduct square(side);
        square.run(threads);
        const auto matrix = [&](std::span<const float> floats) {
            return at::from_blob(const_cast<float*>(floats.data()), {side, side}, at::kFloat).to(at::kDouble);
        };
        const at::Tensor expected = at::mm(matrix(square.left()), matrix(square.right()));
        QVERIFY(expected.abs().max().item<double>() > 1);
        QVERIFY((matrix(square.product()) - expected).abs().max().item<double>() < 1e-4);
    }
};

PALIMPSEST_APPLESS_TEST(TestSquareProduct)

}  // namespace tst_square_product

#include "tst_square_product.moc"
