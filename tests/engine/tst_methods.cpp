// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <cmath>
#include <map>
#include <set>

#include "engine/memory/reservoir_memory.h"
#include "engine/method/method.h"
#include "engine/method_options/prompt_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/optim/output_units.h"
#include "engine/support/error.h"
#include "tests/support/own_methods.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_methods {

namespace {

constexpr std::int64_t kClasses = 4;

MethodSetup setupOf(const std::string& name, const std::string& selection = "full-pool") {
    prepareCompute("cpu", "float32", 1);
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(VitShape{16, 4, 3, 32, 5, 2, 2});
    setup.vit->initialise(Random(1));
    setup.classes = kClasses;
    makeSmall(setup.method);
    setup.method.name = name;
    setup.method.of<DualPromptOptions>().selection = selection;
    setup.initial_session.prompts = "none";
    setup.initial_session.load = "both";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    return setup;
}

UpdateInput easyBatch() {
    UpdateInput input;
    input.units = at::arange(0, 8) % 2;
    const Tensor shade = input.units.to(at::kFloat).reshape({8, 1, 1, 1}) * 2 - 1;
    input.images = shade.expand({8, 3, 16, 16}).contiguous();
    input.mask = seenMask(2, kClasses, at::kCPU);
    return input;
}

ReservoirMemory filled(std::int64_t count) {
    ReservoirMemory memory(count);
    std::vector<std::int64_t> samples(static_cast<std::size_t>(count));
    std::iota(samples.begin(), samples.end(), std::int64_t{0});
    memory.offer(samples, [](std::int64_t) { return 0; });
    return memory;
}

Tensor parameter(const Method& method, const std::string& name) {
    for (const auto& entry : method.trainable())
        if (entry.name == name) return entry.tensor;
    return {};
}

}  // namespace

class TestMethods : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyMethodLearnsAnEasyBatch_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : test::ownMethods())
            QTest::newRow(entry.choice.value.c_str()) << QString::fromStdString(entry.choice.value);
    }
    void everyMethodLearnsAnEasyBatch() {
        QFETCH(QString, name);
        const auto method = makeMethod(setupOf(name.toStdString()));
        const UpdateInput input = easyBatch();
        const double first = method->update(input).loss;
        UpdateResult last;
        for (int i = 0; i < 60; ++i) last = method->update(input);
        QVERIFY2(last.loss < first, qPrintable(QString("%1 to %2").arg(first).arg(last.loss)));
        QCOMPARE(last.accuracy, 1.0);
    }

    void lengthsThatNobodyGaveAreToldAsTheNetworkHasThem_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::newRow("DualPrompt") << "dualprompt"
                                    << "prompts of 1 general and 2 expert tokens";
        QTest::newRow("MVP") << "mvp"
                             << "prompts of 1 general and 2 expert tokens";
        QTest::newRow("L2P") << "l2p"
                             << "prompts of 1 token";
        for (const char* name : {"single-prompt", "coda-prompt", "fly-prompt"})
            QTest::newRow(name) << name << "prompts of 2 tokens";
        QTest::newRow("no prompts") << "er"
                                    << "";
    }
    void lengthsThatNobodyGaveAreToldAsTheNetworkHasThem() {
        QFETCH(QString, name);
        MethodSetup setup = setupOf(name.toStdString());
        setup.method.of<PromptOptions>().g_length = setup.method.of<PromptOptions>().e_length = 0;
        setup.method.of<L2pOptions>().length = setup.method.of<BlockPromptOptions>().length = 0;
        QTEST(QString::fromStdString(promptLengthsText(makeMethod(setup)->promptLengths())), "text");
    }

    void everyMethodSaysWhatItIsStoresAndCosts() {
        std::vector<std::string> families;
        for (const auto& [choice, make] : methodList()) {
            for (const std::string& sentence : {choice.help, choice.stores, choice.costs})
                QVERIFY2(sentence.ends_with('.'), choice.value.c_str());
            QVERIFY2(choice.paper.find("20") != std::string::npos, choice.value.c_str());
            if (families.empty() || families.back() != choice.family) families.push_back(choice.family);
        }
        // Methods of a family are adjacent.
        QCOMPARE(families.size(), std::size_t{5});
        QCOMPARE(std::set<std::string>(families.begin(), families.end()).size(), std::size_t{5});
    }

    void aSlowBackboneMovesLessAndTheHeadAsBefore_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("optimizer");
        for (const char* name : {"finetune", "ewcpp", "online-ewc"})
            for (const char* optimizer : {"sgd", "adam"})
                QTest::addRow("%s, %s", name, optimizer) << QString(name) << QString(optimizer);
    }
    void aSlowBackboneMovesLessAndTheHeadAsBefore() {
        QFETCH(QString, name);
        QFETCH(QString, optimizer);
        // EWC++ takes two steps an update, and the second one follows another gradient.
        const bool once = name != "ewcpp";
        constexpr double kRate = 5e-3, kShare = 0.25;
        const auto moved = [&](double own) {
            MethodSetup setup = setupOf(name.toStdString());
            setup.optimizer = optimizer.toStdString();
            setup.learning_rate = kRate;
            setup.method.of<BackboneRateOptions>().learning_rate = own;
            std::map<std::string, Tensor> before;
            const auto method = makeMethod(setup);
            for (const auto& [key, tensor] : method->trainable()) before[key] = tensor.detach().to(at::kDouble);
            method->update(easyBatch());
            for (const auto& [key, tensor] : method->trainable())
                before[key] = tensor.detach().to(at::kDouble) - before[key];
            return before;
        };
        const auto usual = moved(0), same = moved(kRate), slow = moved(kShare * kRate);
        QCOMPARE(slow.size(), usual.size());
        double backbone = 0, head = 0;
        for (const auto& [key, way] : usual) {
            QVERIFY2(same.at(key).equal(way), key.c_str());  // the same rate, set or not, gives the same bits
            if (key.starts_with("fc.")) {
                if (once) QVERIFY2(slow.at(key).equal(way), key.c_str());
                head += way.abs().sum().item<double>();
            } else if (once) {
                QVERIFY2(slow.at(key).allclose(way * kShare, 1e-3, 1e-6), key.c_str());
                backbone += way.abs().sum().item<double>();
            } else {
                backbone += way.abs().sum().item<double>();
                QVERIFY2(slow.at(key).abs().sum().item<double>() <= 0.5 * way.abs().sum().item<double>(), key.c_str());
            }
        }
        QVERIFY(backbone > 0 && head > 0);
    }

    void whatLearnsInABackboneIsAPartOfAllThatLearns() {
        for (const auto& entry : test::ownMethods()) {
            const auto method = makeMethod(setupOf(entry.choice.value));
            std::set<std::string> all;
            for (const auto& [name, tensor] : method->trainable()) all.insert(name);
            for (const auto& [name, tensor] : method->trainedBackbone()) QVERIFY2(all.contains(name), name.c_str());
            QCOMPARE(method->trainedBackbone().empty(), entry.choice.family != "The backbone itself");
        }
    }

    void everyMethodRepeatsItselfFromTheSameSeed_data() { everyMethodLearnsAnEasyBatch_data(); }
    void everyMethodRepeatsItselfFromTheSameSeed() {
        QFETCH(QString, name);
        const auto a = makeMethod(setupOf(name.toStdString())), b = makeMethod(setupOf(name.toStdString()));
        for (int i = 0; i < 3; ++i) QCOMPARE(a->update(easyBatch()).loss, b->update(easyBatch()).loss);
    }

    void frozenBackboneStaysAsItWas() {
        const MethodSetup setup = setupOf("dualprompt");
        std::vector<Tensor> before;
        for (const auto& entry : setup.vit->parameters()) before.push_back(entry.tensor.clone());
        const auto method = makeMethod(setup);
        method->update(easyBatch());
        for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(before[i].equal(setup.vit->parameters()[i].tensor));
    }

    void aSliceTrainsThePromptOfItsSession_data() {
        QTest::addColumn<QString>("selection");
        QTest::addColumn<qint64>("prompt");
        QTest::newRow("session slice") << "session-slice" << qint64{1};
        QTest::newRow("as published, prompt 0 instead") << "as-published" << qint64{0};
    }
    void aSliceTrainsThePromptOfItsSession() {
        QFETCH(QString, selection);
        QFETCH(qint64, prompt);
        const auto method = makeMethod(setupOf("dualprompt", selection.toStdString()));
        method->endSession();
        const Tensor prompts = parameter(*method, "e_prompt.prompts").clone();
        const Tensor keys = parameter(*method, "e_prompt.key").clone();
        const UpdateResult result = method->update(easyBatch());
        for (const std::int64_t index : result.selected) QCOMPARE(index, std::int64_t{prompt});
        const auto moved = [&](const Tensor& old, const char* name, std::int64_t row) {
            return !old[row].equal(parameter(*method, name)[row]);
        };
        for (std::int64_t row = 0; row < 3; ++row) {
            QCOMPARE(moved(prompts, "e_prompt.prompts", row), row == prompt);
            QCOMPARE(moved(keys, "e_prompt.key", row), row == 1);
        }
    }

    void afterTheLastPromptASliceIsTheWholePool_data() {
        QTest::addColumn<QString>("selection");
        QTest::newRow("session slice") << "session-slice";
        QTest::newRow("as published") << "as-published";
    }
    void afterTheLastPromptASliceIsTheWholePool() {
        QFETCH(QString, selection);
        const auto slice = makeMethod(setupOf("dualprompt", selection.toStdString()));
        const auto pool = makeMethod(setupOf("dualprompt"));
        for (int session = 0; session < 3; ++session) slice->endSession();
        const UpdateResult a = slice->update(easyBatch()), b = pool->update(easyBatch());
        QCOMPARE(a.selected, b.selected);
        QCOMPARE(a.loss, b.loss);
    }

    void thePublishedSliceEndsWithLoadedPromptsAndAMemory() {
        QTemporaryDir folder;
        const std::string file = folder.filePath("prompts.safetensors").toStdString();
        const auto pool = makeMethod(setupOf("dualprompt"));
        std::vector<NamedTensor> prompts;
        for (const auto& entry : pool->trainable())
            if (entry.name.ends_with("prompts")) prompts.push_back(entry);
        writeSafetensors(file, prompts);
        // A key opposite to the query is never the nearest, so the whole pool chooses another prompt.
        const auto selectedWith = [&](bool load, std::int64_t memory) {
            MethodSetup setup = setupOf("dualprompt", "as-published");
            if (load) setup.initial_session.prompts = file;
            setup.memory.size = memory;
            const auto method = makeMethod(setup);
            NoGradGuard guard;
            const UpdateInput input = easyBatch();
            parameter(*method, "e_prompt.key")[0].copy_(-method->frozenFeatures(input.images)[0]);
            parameter(*method, "e_prompt.key")[2].copy_(method->frozenFeatures(input.images)[0]);
            return indexVector(method->forward(input).selected)[0];
        };
        QCOMPARE(selectedWith(false, 0), std::int64_t{0});
        QCOMPARE(selectedWith(true, 0), std::int64_t{0});
        QCOMPARE(selectedWith(false, 500), std::int64_t{0});
        QCOMPARE(selectedWith(true, 500), std::int64_t{2});
    }

    void aGeneralPromptAloneNeedsNoPool() {
        MethodSetup setup = setupOf("dualprompt");
        setup.method.of<PromptOptions>().e_blocks = "none";
        const auto method = makeMethod(setup);
        QCOMPARE(method->poolSize(), std::int64_t{0});
        QVERIFY(!method->usesFrozenFeatures());
        QVERIFY(!parameter(*method, "e_prompt.prompts").defined() && !parameter(*method, "e_prompt.key").defined());
        const Tensor before = parameter(*method, "g_prompt.prompts").clone();
        const UpdateInput input = easyBatch();
        const double first = method->update(input).loss;
        UpdateResult last;
        for (int i = 0; i < 60; ++i) last = method->update(input);
        QVERIFY(last.loss < first && last.selected.empty());
        QVERIFY(!parameter(*method, "g_prompt.prompts").equal(before));
        NoGradGuard guard;
        QCOMPARE(method->logits(input.images, {}).size(1), kClasses);
        QVERIFY(method->lastSelection().empty());
        QVERIFY(!method->lastPenalty().defined());
    }

    void expertPromptsAloneLearnToo() {
        MethodSetup setup = setupOf("dualprompt");
        setup.method.of<PromptOptions>().g_blocks = "none";
        const auto method = makeMethod(setup);
        QVERIFY(!parameter(*method, "g_prompt.prompts").defined());
        const Tensor before = parameter(*method, "e_prompt.prompts").clone();
        const UpdateResult result = method->update(easyBatch());
        const std::set<std::int64_t> chosen(result.selected.begin(), result.selected.end());
        for (std::int64_t row = 0; row < 3; ++row)
            QCOMPARE(!parameter(*method, "e_prompt.prompts")[row].equal(before[row]), chosen.contains(row));
    }

    void theLearnableMaskWeighsLogitsByTheSelectedPromptsRow() {
        MethodSetup setup = setupOf("dualprompt");
        const auto plain = makeMethod(setup);
        setup.learnable_mask = true;
        const auto masked = makeMethod(setup);
        Tensor weights = parameter(*masked, "e_prompt.mask");
        QCOMPARE(weights.sizes().vec(), (std::vector<std::int64_t>{3, kClasses}));
        QVERIFY(weights.eq(-1).all().item<bool>());
        {
            NoGradGuard guard;
            for (std::int64_t row = 0; row < 3; ++row)
                for (std::int64_t unit = 0; unit < kClasses; ++unit) weights[row][unit] = row - 0.5 * unit;
        }
        const UpdateInput input = easyBatch();
        const ForwardResult expected = plain->forward(input), result = masked->forward(input);
        const Tensor evaluated = masked->logits(input.images, masked->frozenFeatures(input.images));
        for (std::int64_t b = 0; b < input.units.size(0); ++b)
            for (std::int64_t unit = 0; unit < kClasses; ++unit) {
                const double row = static_cast<double>(result.selected[b].item<std::int64_t>());
                const double factor = 2 / (1 + std::exp(-(row - 0.5 * static_cast<double>(unit))));
                const double logit = factor * expected.logits[b][unit].item<double>();
                QVERIFY(std::abs(result.logits[b][unit].item<double>() - logit) < 1e-6);
                QVERIFY(std::abs(evaluated[b][unit].item<double>() - logit) < 1e-6);
            }
        result.loss.backward();
        // Hidden classes learn no weight, and neither do the rows of prompts that were not chosen.
        QVERIFY(weights.grad().narrow(1, 2, 2).eq(0).all().item<bool>());
        const std::vector<std::int64_t> chosen = indexVector(result.selected);
        for (std::int64_t row = 0; row < 3; ++row)
            QCOMPARE(weights.grad()[row].ne(0).any().item<bool>(),
                     std::find(chosen.begin(), chosen.end(), row) != chosen.end());
    }

    void theLearnableMaskNeedsAPool() {
        MethodSetup setup = setupOf("dualprompt");
        setup.method.of<PromptOptions>().e_blocks = "none";
        setup.learnable_mask = true;
        QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
    }

    void shiftAndScaleLearnBesideThePrompts() {
        MethodSetup setup = setupOf("dualprompt");
        setup.method.of<DualPromptOptions>().shift_and_scale = true;
        const auto method = makeMethod(setup);
        std::vector<std::string> names;
        for (const auto& entry : method->trainable()) names.push_back(entry.name);
        QCOMPARE(names, (std::vector<std::string>{"backbone.fc.weight", "backbone.fc.bias", "g_prompt.prompts",
                                                  "e_prompt.key", "e_prompt.prompts", "scale", "translation"}));
        const Tensor general = parameter(*method, "g_prompt.prompts").detach().clone();
        const UpdateInput input = easyBatch();
        const double first = method->update(input).loss;
        UpdateResult last;
        for (int i = 0; i < 60; ++i) last = method->update(input);
        QVERIFY(last.loss < first);
        QVERIFY(!parameter(*method, "scale").eq(1).any().item<bool>());
        QVERIFY(!parameter(*method, "g_prompt.prompts").equal(general));
    }

    void unknownPromptSelectionIsRefused() {
        QVERIFY_EXCEPTION_THROWN(makeMethod(setupOf("dualprompt", "some")), Error);
    }

    void trainableCountOfThePaperIsReached() {
        // The published number of DualPrompt's trainable parameters with ViT-B/16 and 100 classes is 560,740.
        MethodSetup setup = setupOf("dualprompt");
        setup.vit = std::make_shared<Vit>(VitShape{32, 16, 3, 768, 5, 12, 4});
        setup.classes = 100;
        setup.method.name = "dualprompt";
        setup.method.of<DualPromptOptions>().selection = "full-pool";
        setup.method.of<PromptPoolOptions>().size = 10;
        setup.method.of<PromptOptions>().g_length = 10;
        setup.method.of<PromptOptions>().e_length = 20;
        std::int64_t count = 0;
        const auto method = makeMethod(setup);
        for (const auto& entry : method->trainable()) count += entry.tensor.numel();
        QCOMPARE(count, std::int64_t{560'740});
    }

    void shallowBackboneIsRefused() {
        MethodSetup setup = setupOf("dualprompt");
        setup.vit = std::make_shared<Vit>(VitShape{16, 4, 3, 32, 4, 2, 2});
        QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
    }

    void unknownMethodNamesTheKnownOnes() {
        try {
            makeMethod(setupOf("dualpromt"));
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY(error.hint().find("dualprompt") != std::string::npos);
        }
    }

    void reservoirNeverHoldsMoreThanItsCapacity() {
        ReservoirMemory memory(7);
        Random random(1);
        std::int64_t next = 0;
        for (int batch = 0; batch < 20; ++batch) {
            std::vector<std::int64_t> samples;
            for (int i = 0; i < 5; ++i) samples.push_back(next++);
            memory.offer(samples, [&](std::int64_t n) {
                return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
            });
            QVERIFY(memory.samples().size() <= 7);
        }
        QCOMPARE(memory.samples().size(), std::size_t{7});
        const auto drawn = memory.draw(4, random);
        QCOMPARE(drawn.size(), std::size_t{4});
        QCOMPARE(std::set<std::int64_t>(drawn.begin(), drawn.end()).size(), std::size_t{4});
    }

    void drawingFromTheMemoryCostsADrawASample() {
        const ReservoirMemory memory = filled(1000);
        Random random(3), counted(3);
        memory.draw(4, random);
        for (std::uint64_t i = 0; i < 4; ++i) counted.below(1000 - i);
        QCOMPARE(random.state(), counted.state());
    }

    void drawnSamplesAreDifferentAndTheSameForTheSameSeed() {
        const ReservoirMemory memory = filled(50);
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            Random a(seed), b(seed);
            const auto drawn = memory.draw(20, a);
            QCOMPARE(drawn, memory.draw(20, b));
            QCOMPARE(std::set<std::int64_t>(drawn.begin(), drawn.end()).size(), std::size_t{20});
        }
        Random random(1);
        auto all = memory.draw(80, random);
        std::sort(all.begin(), all.end());
        QCOMPARE(all, memory.samples());
        QVERIFY(memory.draw(-1, random).empty());
    }

    void everySampleIsDrawnAboutAsOftenAtEveryPlace() {
        constexpr int kDraws = 20'000;
        const ReservoirMemory memory = filled(5);
        std::array<std::array<int, 5>, 3> counts{};
        Random random(7);
        for (int i = 0; i < kDraws; ++i) {
            const auto drawn = memory.draw(3, random);
            for (std::size_t place = 0; place < 3; ++place) ++counts[place][static_cast<std::size_t>(drawn[place])];
        }
        for (const auto& place : counts)
            for (const int count : place) QVERIFY(std::abs(count - kDraws / 5) < 5 * 57);  // 5 standard deviations
    }
};

PALIMPSEST_APPLESS_TEST(TestMethods)

}  // namespace tst_methods

#include "tst_methods.moc"
