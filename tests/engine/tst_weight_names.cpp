// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <functional>

#include "engine/support/error.h"
#include "tests/support/npz_maker.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_vit.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_weight_names {

namespace {

using Names = std::vector<std::pair<std::string, std::string>>;  // timm's part of a name, and theirs

std::string renamed(std::string name, const Names& names) {
    for (const auto& [ours, theirs] : names)
        if (const std::size_t at = name.find(ours); at != std::string::npos) name.replace(at, ours.size(), theirs);
    return name;
}

/// Query, key and value as separate tensors, under the three names for "attn.qkv".
std::vector<NamedTensor> apart(const std::vector<NamedTensor>& weights, const Names& names,
                               const std::array<std::string, 3>& parts, const std::string& prefix) {
    std::vector<NamedTensor> result;
    for (const auto& [name, tensor] : weights) {
        const std::size_t at = name.find("attn.qkv");
        if (at == std::string::npos) {
            result.push_back({prefix + renamed(name, names), tensor});
            continue;
        }
        const std::int64_t width = tensor.size(0) / 3;
        for (std::size_t k = 0; k < 3; ++k)
            result.push_back({prefix + renamed(std::string(name).replace(at, 8, parts[k]), names),
                              tensor.narrow(0, static_cast<std::int64_t>(k) * width, width)});
    }
    return result;
}

std::vector<NamedTensor> huggingFace(const std::vector<NamedTensor>& weights, const std::string& prefix) {
    return apart(weights,
                 {{"cls_token", "embeddings.cls_token"},
                  {"pos_embed", "embeddings.position_embeddings"},
                  {"patch_embed.proj", "embeddings.patch_embeddings.projection"},
                  {"blocks.", "encoder.layer."},
                  {"norm1", "layernorm_before"},
                  {"norm2", "layernorm_after"},
                  {"attn.proj", "attention.output.dense"},
                  {"mlp.fc1", "intermediate.dense"},
                  {"mlp.fc2", "output.dense"},
                  {"norm.weight", "layernorm.weight"},
                  {"norm.bias", "layernorm.bias"}},
                 {"attention.attention.query", "attention.attention.key", "attention.attention.value"}, prefix);
}

void flattenTokens(std::vector<NamedTensor>& named, const std::string& token, const std::string& table) {
    for (auto& [name, tensor] : named) {
        if (name.ends_with(token)) tensor = tensor.flatten();
        if (name.ends_with(table)) tensor = tensor[0];
    }
}

std::vector<NamedTensor> openAi(const std::vector<NamedTensor>& weights, const std::string& prefix) {
    const Names names = {{"cls_token", "class_embedding"},
                         {"pos_embed", "positional_embedding"},
                         {"patch_embed.proj", "conv1"},
                         {"norm_pre", "ln_pre"},
                         {"blocks.", "transformer.resblocks."},
                         {"norm1", "ln_1"},
                         {"norm2", "ln_2"},
                         {"attn.qkv.weight", "attn.in_proj_weight"},
                         {"attn.qkv.bias", "attn.in_proj_bias"},
                         {"attn.proj", "attn.out_proj"},
                         {"mlp.fc1", "mlp.c_fc"},
                         {"mlp.fc2", "mlp.c_proj"},
                         {"norm.weight", "ln_post.weight"},
                         {"norm.bias", "ln_post.bias"}};
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : weights) named.push_back({prefix + renamed(name, names), tensor});
    flattenTokens(named, "class_embedding", "positional_embedding");
    return named;
}

std::vector<NamedTensor> huggingFaceClip(const std::vector<NamedTensor>& weights, const std::string& prefix) {
    auto named = apart(weights,
                       {{"norm.weight", "post_layernorm.weight"},
                        {"norm.bias", "post_layernorm.bias"},
                        {"cls_token", "embeddings.class_embedding"},
                        {"pos_embed", "embeddings.position_embedding.weight"},
                        {"patch_embed.proj", "embeddings.patch_embedding"},
                        {"norm_pre", "pre_layrnorm"},
                        {"blocks.", "encoder.layers."},
                        {"norm1", "layer_norm1"},
                        {"norm2", "layer_norm2"},
                        {"attn.proj", "self_attn.out_proj"}},
                       {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}, prefix);
    flattenTokens(named, "class_embedding", "position_embedding.weight");
    return named;
}

VitShape withEpsilon(VitShape shape, double epsilon) {
    shape.norm_epsilon = epsilon;
    return shape;
}

std::string complaint(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input && !error.hint().empty() ? error.what() : "of the wrong kind";
    }
    return "nothing was thrown";
}

TensorFile fileOf(std::vector<NamedTensor> tensors) {
    TensorFile file;
    file.tensors = std::move(tensors);
    file.origin = "here.bin";
    return file;
}

}  // namespace

class TestWeightNames : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::filesystem::path written(const std::vector<NamedTensor>& tensors) const {
        const std::filesystem::path file = folder_.filePath("weights.safetensors").toStdString();
        writeSafetensors(file, tensors);
        return file;
    }

private Q_SLOTS:
    void everyLayoutGivesTheSameNetwork_data() {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("prefix");
        const auto row = [](const char* name, const char* layout, const char* prefix) {
            QTest::newRow(name) << layout << prefix;
        };
        row("timm", "timm", "");
        row("timm, wrapped twice", "timm", "module.model.");
        row("Hugging Face", "Hugging Face", "vit.");
        row("Hugging Face, DeiT", "Hugging Face", "deit.");
        row("Hugging Face, the model alone", "Hugging Face", "");
        row("CLIP of OpenAI", "CLIP (OpenAI)", "visual.");
        row("CLIP of OpenAI, the image network alone", "CLIP (OpenAI)", "");
        row("CLIP of Hugging Face", "CLIP (Hugging Face)", "vision_model.");
        row("CLIP of Hugging Face, the image network alone", "CLIP (Hugging Face)", "");
        row("CLIP of timm", "CLIP (timm)", "");
    }
    void everyLayoutGivesTheSameNetwork() {
        QFETCH(QString, layout);
        QFETCH(QString, prefix);
        const std::string before = prefix.toStdString();
        const bool clip = layout.startsWith("CLIP");
        const VitShape shape = clip                       ? tinyClip()
                               : layout == "Hugging Face" ? withEpsilon(tinyShape(), 1e-12)
                                                          : tinyShape();
        const auto weights = tinyWeights(shape);
        std::vector<NamedTensor> named;
        if (layout == "Hugging Face") {
            named = huggingFace(weights, before);
        } else if (layout == "CLIP (OpenAI)") {
            named = openAi(weights, before);
        } else if (layout == "CLIP (Hugging Face)") {
            named = huggingFaceClip(weights, before);
        } else {
            for (const auto& [name, tensor] : weights) named.push_back({before + name, tensor});
        }
        const auto file = written(named);
        QCOMPARE(QString::fromStdString(readBackbone(file).weights.layout), layout);
        QVERIFY(featuresOf(file).equal(featuresOf(shape, weights)));
    }

    void clipsTextNetworkIsLeftOut() {
        const auto weights = tinyWeights(tinyClip());
        auto named = openAi(weights, "visual.");
        named.push_back({"visual.proj", at::ones({8, 4})});
        named.push_back({"transformer.resblocks.0.attn.in_proj_weight", at::ones({12, 4})});
        named.push_back({"token_embedding.weight", at::ones({9, 4})});
        const auto file = written(named);
        QVERIFY(featuresOf(file).equal(featuresOf(tinyClip(), weights)));
        std::string notes;
        for (const std::string& note : readBackbone(file).weights.notes) notes += note;
        for (const char* part : {"transformer", "token_embedding", "visual", "quick GELU"})
            QVERIFY2(notes.find(part) != std::string::npos, notes.c_str());
    }

    void headsAreLeftOutAndCounted_data() {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("head");
        QTest::newRow("timm") << "timm"
                              << "head";
        QTest::newRow("MISA") << "timm"
                              << "fc";
        QTest::newRow("Hugging Face") << "Hugging Face"
                                      << "classifier";
    }
    void headsAreLeftOutAndCounted() {
        QFETCH(QString, layout);
        QFETCH(QString, head);
        auto weights = tinyWeights(tinyShape());
        if (layout != "timm") weights = huggingFace(weights, "vit.");
        weights.push_back({head.toStdString() + ".weight", at::ones({611, 8})});
        weights.push_back({head.toStdString() + ".bias", at::ones({611})});
        const BackboneFile read = readBackbone(written(weights));
        QCOMPARE(read.weights.head_classes, std::int64_t{611});
        // head_classes reports the head, so a note would repeat it.
        QVERIFY(read.weights.notes.empty());
    }

    void whatTheFileSaysOfItselfCountsMoreThanItsNames() {
        TensorFile file = fileOf(tinyWeights(tinyClip()));
        file.metadata["vit"] = R"({"quick_gelu": false, "num_heads": 4})";
        const NamedWeights named = withTimmNames(file);
        const VitShape shape = inferShape(named.tensors, named.metadata, file.origin);
        QVERIFY(!shape.quick_gelu);
        QCOMPARE(shape.heads, std::int64_t{4});
        QCOMPARE(shape.norm_epsilon, 1e-5);
        QVERIFY(named.notes.empty());
    }

    void clipSurvivesBeingSaved() {
        const std::filesystem::path file = folder_.filePath("saved.safetensors").toStdString();
        for (const bool quick : {true, false}) {
            VitShape shape = tinyClip();
            shape.quick_gelu = quick;
            saveBackbone(file, Vit(shape), {});
            const VitShape read = readBackbone(file).shape;
            QCOMPARE(read.quick_gelu, quick);
            QVERIFY(read.pre_norm && !read.patch_bias);
            QCOMPARE(read.norm_epsilon, 1e-5);
            QCOMPARE(read.heads, std::int64_t{2});
        }
    }

    void networksWithOtherPartsAreRefusedByName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        QTest::newRow("a gated MLP") << "blocks.0.mlp.w12.weight"
                                     << "blocks.0.mlp.w12.weight";
        QTest::newRow("norms of query and key") << "blocks.1.attn.q_norm.weight"
                                                << "blocks.1.attn.q_norm.weight";
        QTest::newRow("a distilled DeiT without a position for its token") << "dist_token"
                                                                           << "distillation token";
        QTest::newRow("a block without a number") << "blocks.x"
                                                  << "blocks.x";
    }
    void networksWithOtherPartsAreRefusedByName() {
        QFETCH(QString, name);
        QFETCH(QString, says);
        auto weights = tinyWeights(tinyShape());
        weights.push_back({name.toStdString(), at::ones({8})});
        const std::string sentence = complaint([&] { withTimmNames(fileOf(weights)); });
        QVERIFY2(
            sentence.find(says.toStdString()) != std::string::npos && sentence.find("here.bin") != std::string::npos,
            sentence.c_str());
    }

    void filesOfOtherNetworksAreRecognisedAsSuch() {
        const std::string sentence = complaint([] {
            withTimmNames(fileOf({{"layer1.0.conv1.weight", at::ones({2})}}));
        });
        QVERIFY2(sentence.find("layer1.0.conv1.weight") != std::string::npos, sentence.c_str());
        QVERIFY(complaint([] { withTimmNames(fileOf({})); }).find("hold no tensor") != std::string::npos);
    }

    void partsThatDoNotFitTogetherAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QList<int>>("sizes");
        QTest::addColumn<QString>("says");
        QTest::newRow("keys of another width")
            << "vit.encoder.layer.1.attention.attention.key.weight" << QList<int>{4, 8}
            << "query.weight of shape [8, 8] but vit.encoder.layer.1.attention.attention.key.weight of shape [4, 8]";
        QTest::newRow("a number for a matrix") << "vit.encoder.layer.0.attention.attention.query.bias" << QList<int>{}
                                               << "vit.encoder.layer.0.attention.attention.query.bias of shape []";
        QTest::newRow("an MLP of another width")
            << "vit.encoder.layer.1.output.dense.weight" << QList<int>{8, 4}
            << "hold vit.encoder.layer.1.output.dense.weight of shape [8, 4] where [8, 16]";
    }
    void partsThatDoNotFitTogetherAreRefused() {
        QFETCH(QString, name);
        QFETCH(QList<int>, sizes);
        QFETCH(QString, says);
        auto named = huggingFace(tinyWeights(tinyShape()), "vit.");
        for (auto& [known, tensor] : named)
            if (known == name.toStdString()) tensor = at::ones(std::vector<std::int64_t>(sizes.begin(), sizes.end()));
        const auto file = written(named);
        const std::string sentence = complaint([&] { readBackbone(file); });
        QVERIFY2(sentence.find(says.toStdString()) != std::string::npos, sentence.c_str());
    }

    void whatIsMissingIsSaidByName() {
        auto named = huggingFace(tinyWeights(tinyShape()), "vit.");
        std::erase_if(named, [](const NamedTensor& entry) {
            return entry.name.find("layer.1.attention.attention.key") != std::string::npos;
        });
        const auto file = written(named);
        const std::string sentence = complaint([&] { readBackbone(file); });
        QVERIFY2(
            sentence.find("lack the tensor vit.encoder.layer.1.attention.attention.key.weight.") != std::string::npos,
            sentence.c_str());
    }

    void axesAreThoseOfTheFile() {
        const VitShape shape = tinyShape();
        auto named = googleNames(tinyWeights(shape), shape.width, shape.heads);
        for (auto& [name, tensor] : named)
            if (name.ends_with("encoderblock_1/MlpBlock_3/Dense_0/kernel")) tensor = at::ones({8, 17});
        const auto file = written(named);
        const std::string sentence = complaint([&] { readBackbone(file); });
        QVERIFY2(sentence.find("Transformer/encoderblock_1/MlpBlock_3/Dense_0/kernel of shape [8, 17] where [8, 16]") !=
                     std::string::npos,
                 sentence.c_str());
    }

    void aTableOfIntegersIsRefused() {
        auto named = huggingFace(tinyWeights(tinyShape()), "vit.");
        for (auto& [name, tensor] : named)
            if (name.ends_with("position_embeddings")) tensor = tensor.to(at::kLong);
        const auto file = written(named);
        const std::string sentence = complaint([&] { readBackbone(file); });
        QVERIFY2(sentence.find("vit.embeddings.position_embeddings as integers") != std::string::npos,
                 sentence.c_str());
    }
};

PALIMPSEST_APPLESS_TEST(TestWeightNames)

}  // namespace tst_weight_names

#include "tst_weight_names.moc"
