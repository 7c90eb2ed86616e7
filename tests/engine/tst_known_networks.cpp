// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <functional>

#include "engine/network/backbone_file_service.h"
#include "engine/network/tensor_file.h"
#include "engine/network/vit.h"
#include "engine/network/weights.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_vit.h"

// Numbers of tests/data/backbones/make_backbones.py, which follows the networks' descriptions part by part.

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_known_networks {

namespace {

std::filesystem::path madeFile(const QString& name) {
    return (QString(PALIMPSEST_TEST_DATA) + "/backbones/" + name + ".safetensors").toStdString();
}

Vit loaded(const std::filesystem::path& file) {
    BackboneOptions options{"any", file.string()};
    options.heads = 2;
    return loadBackbone(options, 1, Compute{});
}

double away(const Tensor& got, const Tensor& expected) {
    return (got.to(at::kDouble) - expected.to(at::kDouble)).abs().max().item<double>();
}

/// The message of an error; "accepted" without one.
std::string refusalOf(const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata = {}) {
    TensorFile file;
    file.tensors = tensors;
    file.metadata = metadata;
    file.origin = "here.bin";
    try {
        const NamedWeights named = withTimmNames(file);
        const VitShape shape = inferShape(named.tensors, named.metadata, file.origin, named.own);
        Vit vit(shape);
        vit.load(named.tensors, file.origin, named.own);
        vit.features(at::zeros({1, 3, shape.image_size, shape.image_size}));
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input && !error.hint().empty() ? error.what() : "of the wrong kind";
    }
    return "accepted";
}

}  // namespace

/// DINOv2, distilled DeiT, MAE and SigLIP, by the names of their makers, of timm and of Hugging Face.
class TestKnownNetworks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void featuresAreThoseOfTheirDescription_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("layout");
        QTest::addColumn<bool>("plain");
        QTest::addColumn<int>("extra");
        QTest::addColumn<QString>("readout");
        const auto row = [](const char* name, const char* layout, bool plain, int extra, const char* readout) {
            QTest::newRow(name) << name << layout << plain << extra << readout;
        };
        row("dinov2", "timm", true, 0, "class-token");
        row("dinov2-registers", "timm", false, 3, "class-token");
        row("dinov2-registers-timm", "timm", false, 4, "class-token");
        row("dinov2-registers-hf", "DINOv2 (Hugging Face)", false, 3, "class-token");
        row("deit-distilled", "timm", false, 1, "two-tokens");
        row("deit-distilled-hf", "Hugging Face", false, 1, "two-tokens");
        row("mae", "timm", true, 0, "class-token");
        row("mae-hf", "Hugging Face", true, 0, "class-token");
        row("mae-mean", "timm", false, 0, "mean-then-norm");
        row("siglip", "timm", false, 0, "attention");
        row("siglip-hf", "SigLIP (Hugging Face)", false, 0, "attention");
        row("mean-of-patches", "timm", false, 0, "norm-then-mean");
    }
    void featuresAreThoseOfTheirDescription() {
        QFETCH(QString, name);
        QFETCH(QString, layout);
        QFETCH(bool, plain);
        QFETCH(int, extra);
        QFETCH(QString, readout);
        const TensorFile expected = readSafetensors(madeFile("features"));
        const BackboneFile read = readBackbone(madeFile(name));
        QCOMPARE(QString::fromStdString(read.weights.layout), layout);
        QCOMPARE(read.shape.image_size, std::int64_t{12});
        QCOMPARE(read.shape.isPlain(), plain);
        QCOMPARE(read.shape.extra_tokens, std::int64_t{extra});
        QCOMPARE(QString(readoutName(read.shape.readout)), readout);
        Vit vit = loaded(madeFile(name));
        const Tensor images = expected.at("images"), wanted = expected.at(name.toStdString());
        const Tensor features = vit.features(images);
        QVERIFY2(away(features, wanted) < 2e-5 * wanted.abs().max().item<double>(),
                 qPrintable(QString::number(away(features, wanted))));
        // Operator by operator, as where something learns: the same.
        vit.setPlain(true);
        QVERIFY(away(vit.features(images), wanted) < 2e-5 * wanted.abs().max().item<double>());
        QCOMPARE(vit.embed(images).size(1), read.shape.tokens());
        QCOMPARE(vit.classTokens(images).sizes().vec(), (std::vector<std::int64_t>{2, 2, 8}));
        QCOMPARE(vit.classPosition().sizes().vec(), (std::vector<std::int64_t>{1, 1, 8}));
    }

    /// What DualPrompt does with any backbone: further keys and values, and a gradient.
    void promptsReachEveryReadOut_data() { featuresAreThoseOfTheirDescription_data(); }
    void promptsReachEveryReadOut() {
        QFETCH(QString, name);
        const Vit vit = loaded(madeFile(name));
        const Tensor images = readSafetensors(madeFile("features")).at("images");
        const Tensor prompt = at::ones({1, 2, 8}).mul(0.3).requires_grad_(true);
        const std::vector<Tensor> extra{vit.keysValues(0, prompt + vit.classPosition()),
                                        vit.keysValues(1, prompt + vit.classPosition())};
        const Tensor features = vit.features(images, extra);
        QVERIFY(away(features.detach(), vit.features(images)) > 1e-4);
        features.sum().backward();
        QVERIFY(prompt.grad().abs().sum().item<double>() > 0);
    }

    void aSavedNetworkIsTheSame_data() { featuresAreThoseOfTheirDescription_data(); }
    void aSavedNetworkIsTheSame() {
        QFETCH(QString, name);
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("saved.safetensors").toStdString();
        const Vit vit = loaded(madeFile(name));
        saveBackbone(file, vit, {});
        const VitShape before = vit.shape(), after = readBackbone(file).shape;
        QCOMPARE(after.extra_tokens, before.extra_tokens);
        QCOMPARE(after.class_token, before.class_token);
        QCOMPARE(readoutName(after.readout), readoutName(before.readout));
        QCOMPARE(after.tanh_gelu, before.tanh_gelu);
        const Tensor images = readSafetensors(madeFile("features")).at("images"), features = vit.features(images);
        // It is kept in half precision.
        QVERIFY(away(loaded(file).features(images), features) < 0.02 * features.abs().max().item<double>());
    }

    void anotherImageSizeResizesPositionsWithoutAClassToken() {
        BackboneOptions options{"any", madeFile("siglip").string()};
        options.heads = 2;
        options.image_size = 20;
        const Vit vit = loadBackbone(options, 1, Compute{});
        QCOMPARE(vit.shape().tokens(), std::int64_t{25});
        QCOMPARE(vit.features(at::ones({2, 3, 20, 20})).sizes().vec(), (std::vector<std::int64_t>{2, 8}));
    }

    void theActivationOfTheOptionCounts() {
        BackboneOptions options{"any", madeFile("siglip").string()};
        QVERIFY(readBackbone(options.weights).shape.tanh_gelu);
        options.activation = "gelu";
        QVERIFY(!readBackbone(options.weights, options).shape.tanh_gelu);
    }

    void whatIsSpecialIsSaid() {
        const auto notesOf = [](const QString& name) {
            std::string all;
            for (const std::string& note : makeBackboneService()->facts(madeFile(name)).notes) all += note + "\n";
            return QString::fromStdString(all);
        };
        QVERIFY(notesOf("dinov2").contains("Layer scale"));
        QVERIFY(notesOf("dinov2-registers").contains("3 register tokens"));
        QVERIFY(notesOf("deit-distilled").contains("distillation token"));
        QVERIFY(notesOf("mae-mean").contains("mean of the patches"));
        QVERIFY(notesOf("siglip-hf").contains("text_model"));
        QVERIFY(notesOf("siglip").contains("learned query"));
    }

    /// A named backbone is a plain network; one with other parts is "any".
    void networksWithOtherPartsAreOfNoNamedKind() {
        QCOMPARE(makeBackboneService()->facts(madeFile("siglip")).backbone, std::string("any"));
        BackboneOptions options{"vit-b16", madeFile("siglip").string()};
        QVERIFY_EXCEPTION_THROWN(loadBackbone(options, 1, Compute{}), Error);
    }

    void partsThatDoNotFitAreRefusedInASentence_data() {
        QTest::addColumn<QString>("of");
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QList<int>>("sizes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* title, const char* of, const char* tensor, QList<int> sizes, const char* says) {
            QTest::newRow(title) << of << tensor << sizes << says;
        };
        row("layer scale of another width", "dinov2", "blocks.0.ls1.gamma", {4}, "blocks.0.ls1.gamma of shape [4]");
        row("layer scale without extents", "dinov2", "blocks.1.ls2.gamma", {}, "blocks.1.ls2.gamma");
        row("a matrix without extents under a layer scale", "dinov2", "blocks.0.attn.proj.weight", {}, "ls1.gamma");
        row("registers of another width", "dinov2-registers", "register_tokens", {1, 3, 4}, "of shape [1, 3, 4]");
        row("registers without tokens", "dinov2-registers", "register_tokens", {1, 0, 8}, "[1, 0, 8]");
        row("too many registers", "dinov2-registers", "register_tokens", {1, 65, 8}, "65 tokens");
        row("a flat distillation token", "deit-distilled", "dist_token", {8}, "distillation token");
        row("two distillation tokens", "deit-distilled", "dist_token", {1, 2, 8}, "distillation token");
        row("distilled without positions for it", "deit-distilled", "pos_embed", {1, 2, 8}, "distillation token");
        row("positions of a plain network for a distilled one", "deit-distilled", "pos_embed", {1, 10, 8}, "positions");
        row("a query of another width", "siglip", "attn_pool.latent", {1, 1, 4}, "attn_pool.latent");
        row("keys of another width", "siglip", "attn_pool.kv.weight", {8, 8}, "attn_pool.kv.weight");
        row("an attention that is no three", "siglip-hf", "vision_model.head.attention.in_proj_weight", {16, 8},
            "[16, 8]");
        row("an attention without extents", "siglip-hf", "vision_model.head.attention.in_proj_bias", {}, "[]");
        row("positions that are no square", "siglip", "pos_embed", {1, 8, 8}, "8 positions");
    }
    void partsThatDoNotFitAreRefusedInASentence() {
        QFETCH(QString, of);
        QFETCH(QString, tensor);
        QFETCH(QList<int>, sizes);
        QFETCH(QString, says);
        std::vector<NamedTensor> tensors = readSafetensors(madeFile(of)).tensors;
        bool changed = false;
        for (auto& [name, each] : tensors) {
            if (name != tensor.toStdString()) continue;
            each = at::ones(std::vector<std::int64_t>(sizes.begin(), sizes.end()));
            changed = true;
        }
        QVERIFY2(changed, "the test names a tensor that is there");
        const std::string sentence = refusalOf(tensors);
        QVERIFY2(sentence.find(says.toStdString()) != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("here.bin") != std::string::npos, sentence.c_str());
    }

    void aReadOutThatTheTokensDoNotAllowIsRefused() {
        const std::vector<NamedTensor> plain = tinyWeights(tinyShape());
        for (const char* readout : {"two-tokens", "attention", "sideways"}) {
            const std::string vit = std::string(R"({"num_heads": 2, "readout": ")") + readout + "\"}";
            const std::string sentence = refusalOf(plain, {{"vit", vit}});
            QVERIFY2(sentence.find("read") != std::string::npos, sentence.c_str());
        }
        QCOMPARE(refusalOf(plain, {{"vit", R"({"num_heads": 2, "readout": "norm-then-mean"})"}}),
                 std::string("accepted"));
        QVERIFY(refusalOf(plain, {{"vit", R"({"num_heads": 2, "readout": 3})"}}) != "accepted");
        QVERIFY(refusalOf(plain, {{"vit", R"({"num_heads": 2, "tanh_gelu": "yes"})"}}) != "accepted");
    }

    void aClassTokenThatIsMissingIsStillSaidByName() {
        std::vector<NamedTensor> weights = tinyWeights(tinyShape());
        std::erase_if(weights, [](const NamedTensor& each) { return each.name == "cls_token"; });
        const std::string sentence = refusalOf(weights);
        QVERIFY2(sentence.find("lack the tensor cls_token") != std::string::npos, sentence.c_str());
    }
};

PALIMPSEST_APPLESS_TEST(TestKnownNetworks)

}  // namespace tst_known_networks

#include "tst_known_networks.moc"
