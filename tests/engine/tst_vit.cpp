// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <cstddef>
#include <span>

#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/network/weights.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_vit {

namespace {

VitShape tiny() {
    return {16, 4, 3, 32, 5, 2, 2};
}

Vit initialised(std::uint64_t seed) {
    Vit vit(tiny());
    vit.initialise(Random(seed));
    return vit;
}

}  // namespace

class TestVit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesAndShapesAreTimms() {
        const Vit vit(VitShape{224, 16, 3, 768, 12, 12, 4});
        std::int64_t count = 0;
        for (const auto& [name, tensor] : vit.parameters()) count += tensor.numel();
        QCOMPARE(count, std::int64_t{85'798'656});  // ViT-B/16 without a head
        QCOMPARE(vit.parameters().front().name, std::string("cls_token"));
        QCOMPARE(vit.parameters()[4].name, std::string("blocks.0.norm1.weight"));
        QCOMPARE(vit.parameters().back().name, std::string("norm.bias"));
    }

    void sameSeedSameWeightsOtherSeedOthers() {
        QVERIFY(initialised(1).parameters()[4 + 2].tensor.equal(initialised(1).parameters()[4 + 2].tensor));
        QVERIFY(!initialised(1).parameters()[4 + 2].tensor.equal(initialised(2).parameters()[4 + 2].tensor));
    }

    void randomWeightsAreThoseOfEarlierVersions_data() {
        QTest::addColumn<int>("threads");
        QTest::newRow("one thread") << 1;
        QTest::newRow("three threads") << 3;
    }

    void randomWeightsAreThoseOfEarlierVersions() {
        QFETCH(int, threads);
        const int before = at::get_num_threads();
        at::set_num_threads(threads);
        Vit vit(VitShape{224, 16, 3, 192, 12, 3, 4});  // ViT-Ti/16
        vit.initialise(Random(1));
        at::set_num_threads(before);
        Sha256 digest;
        for (const auto& [name, tensor] : vit.parameters())
            digest.add(std::as_bytes(std::span(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel()))));
        QCOMPARE(digest.hex(), std::string("4ed3014c940d02f93cebb19929496242b072183be9310eeb03964ad42581ca82"));
    }

    void patchEmbeddingEqualsTheStridedConvolution() {
        const Vit vit = initialised(3);
        const Tensor images = at::arange(0, 2 * 3 * 16 * 16).reshape({2, 3, 16, 16}).to(at::kFloat) / 500.0;
        const auto& p = vit.parameters();
        const Tensor expected =
            at::conv2d(images, p[2].tensor, p[3].tensor, 4).flatten(2).transpose(1, 2) + p[1].tensor.narrow(1, 1, 16);
        QVERIFY((vit.embed(images).narrow(1, 1, 16) - expected).abs().max().item<float>() < 1e-5f);
    }

    void bfloat16StaysNearFloat32() {
        prepareCompute("cpu", "float32", 1);
        Vit vit = initialised(4);
        vit.setTrainable(false);
        const Tensor images = at::arange(0, 4 * 3 * 16 * 16).reshape({4, 3, 16, 16}).to(at::kFloat).sin();
        const Tensor exact = vit.features(images);
        vit.setComputeType(at::kBFloat16);
        const Tensor rough = vit.features(images);
        QVERIFY((exact - rough).abs().max().item<float>() < 0.15f);
        QVERIFY(!exact.equal(rough));
        // Where nothing learns, LibTorch may compute attention in another way.
        NoGradGuard guard;
        QVERIFY((exact - vit.features(images)).abs().max().item<float>() < 0.15f);
    }

    void shapeIsToldFromTheTensors() {
        const Vit vit = initialised(5);
        const VitShape shape = inferShape(vit.parameters(), {{"vit", R"({"num_heads": 2})"}}, "here");
        QCOMPARE(shape.image_size, std::int64_t{16});
        QCOMPARE(shape.patch_size, std::int64_t{4});
        QCOMPARE(shape.width, std::int64_t{32});
        QCOMPARE(shape.depth, std::int64_t{5});
        QCOMPARE(shape.heads, std::int64_t{2});
        QCOMPARE(shape.mlp_ratio, std::int64_t{2});
    }

    void aStemIsSavedAndToldFromTheTensors() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("vit.safetensors").toStdString();
        VitShape shape{16, 4, 3, 32, 2, 2, 2};
        shape.stem = {16, 32, 32};
        Vit vit(shape);
        vit.initialise(Random(8));
        saveBackbone(file, vit, {});
        Vit loaded = loadBackbone({"palimpsest-vit", file.string()}, 1, Compute{});
        QVERIFY(loaded.shape().stem == shape.stem);
        QCOMPARE(loaded.shape().patch_size, shape.patch_size);
        QCOMPARE(loaded.shape().image_size, shape.image_size);
        const Tensor images = at::arange(2 * 3 * 16 * 16, at::kFloat).reshape({2, 3, 16, 16}).sin();
        vit.setTrainable(false);
        QVERIFY((vit.features(images) - loaded.features(images)).abs().max().item<float>() < 0.02f);
    }

    void weightsOfAnotherShapeAreRefusedByName() {
        Vit other(VitShape{16, 4, 3, 64, 5, 2, 2});
        Vit vit = initialised(6);
        try {
            vit.load(other.parameters(), "other.safetensors");
            QFAIL("accepted");
        } catch (const Error& error) {
            const std::string text = error.what();
            QVERIFY(text.find("other.safetensors") != std::string::npos);
            QVERIFY(text.find("cls_token") != std::string::npos);
        }
    }

    void weightsThatCouldNotBeLoadedAreNotSaved_data() {
        QTest::addColumn<double>("value");
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("beyond half precision") << 1e6;
    }
    void weightsThatCouldNotBeLoadedAreNotSaved() {
        QFETCH(double, value);
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("vit.safetensors").toStdString();
        Vit vit = initialised(7);
        saveBackbone(file, vit, {});
        Tensor(vit.parameters().back().tensor).data().fill_(value);
        QVERIFY_EXCEPTION_THROWN(saveBackbone(file, vit, {}), Error);
        loadBackbone({"palimpsest-vit", file.string()}, 1, Compute{});
    }

    void savedBackboneLoadsAgainInHalfPrecision() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("vit.safetensors").toStdString();
        const Vit vit = initialised(7);
        saveBackbone(file, vit, {{"command", "made here"}});
        Vit loaded = loadBackbone({"palimpsest-vit", file.string()}, 1, Compute{});
        QCOMPARE(loaded.shape().heads, std::int64_t{2});
        for (std::size_t i = 0; i < vit.parameters().size(); ++i)
            QVERIFY((loaded.parameters()[i].tensor - vit.parameters()[i].tensor).abs().max().item<float>() < 1e-4f);
        QVERIFY(!loaded.parameters()[0].tensor.requires_grad());
        QCOMPARE(readSafetensors(file).metadata.at("command"), std::string("made here"));
    }

    void embeddedWeightsAreThere() {
        const Vit vit = loadBackbone({"palimpsest-vit", "embedded"}, 1, Compute{});
        QVERIFY(vit.shape().depth >= 5);
        for (const char* name : {"palimpsest-vit", "palimpsest-stem-vit"})
            QVERIFY(std::filesystem::file_size(embeddedBackboneFile(name)) <= 10'000'000);
        const Vit stem = loadBackbone({"palimpsest-stem-vit", "embedded"}, 1, Compute{});
        QCOMPARE(stem.shape().width, std::int64_t{192});
        QVERIFY(!stem.shape().stem.empty());
    }

    void unknownDeviceIsRefused() {
        QVERIFY_EXCEPTION_THROWN(prepareCompute("gpu7", "float32", 1), Error);
        QVERIFY_EXCEPTION_THROWN(prepareCompute("cuda:99", "float32", 1), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestVit)

}  // namespace tst_vit

#include "tst_vit.moc"
