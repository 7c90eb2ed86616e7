// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <cmath>
#include <limits>

#include "engine/adaptation/prompt_adapter.h"
#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/optim/output_units.h"
#include "engine/support/error.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_prompt_adapter {

namespace {

using Kind = AdapterSettings::Kind;
using Perturbs = AdapterSettings::Perturbs;
using Batch = PromptAdapter::Batch;

constexpr std::int64_t kWidth = 32, kLength = 2, kPool = 3, kUnits = 6, kImages = 5;

/// Five blocks, each with a prompt; weights large enough for gradients well above rounding.
const Vit& network() {
    static const Vit vit = [] {
        prepareCompute("cpu", "float32", 1);
        Vit made(VitShape{16, 4, 3, kWidth, 5, 2, 2});
        made.initialise(Random(1));
        NoGradGuard guard;
        for (const auto& [name, tensor] : made.parameters())
            if (tensor.dim() >= 2) tensor.mul_(5);
        return made;
    }();
    return vit;
}

PromptLayout layout() {
    PromptLayout small;
    small.general_length = small.expert_length = kLength;
    small.pool_size = kPool;
    return small;
}

AdapterSettings settingsOf(Kind kind) {
    AdapterSettings settings;
    settings.kind = kind;
    settings.rho = 0.5;
    settings.learning_rate = 1e-2;
    return settings;
}

Tensor parameter(const PromptAdapter& adapter, const std::string& name) {
    for (const auto& entry : adapter.trainable())
        if (entry.name == name) return entry.tensor;
    return {};
}

/// An adapter with a larger initial head than usual, so that prompts affect the loss.
PromptAdapter adapterOf(const AdapterSettings& settings, std::uint64_t seed = 1) {
    PromptAdapter adapter(network(), layout(), settings, kUnits, seed);
    NoGradGuard guard;
    parameter(adapter, "backbone.fc.weight").mul_(20);
    return adapter;
}

/// Noise of a different shade for each of the units first..first + 2; units below `seen` compete.
Batch batchOf(std::int64_t first, std::int64_t seen, std::uint64_t seed) {
    Batch batch;
    batch.images = at::zeros({kImages, 3, 16, 16});
    Random random(seed);
    fillUniform(batch.images, random, -2, 2);
    batch.units = first + at::arange(kImages, at::kLong) % 3;
    batch.images += 1.5 * batch.units.to(at::kFloat).reshape({kImages, 1, 1, 1});
    batch.mask = seenMask(seen, kUnits, at::kCPU);
    return batch;
}
Batch own(std::uint64_t seed = 1) {
    return batchOf(0, 5, seed);
}
Batch others(std::uint64_t seed = 2) {
    return batchOf(2, 5, seed);
}

TensorsByName copies(const PromptAdapter& adapter) {
    TensorsByName values;
    for (const auto& [name, tensor] : adapter.trainable()) values[name] = tensor.detach().clone();
    return values;
}

bool same(const TensorsByName& a, const TensorsByName& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first && x.second.equal(y.second); });
}

/// p + MLP(p) if there is an augmenter, else p.
Tensor augmented(const TensorsByName& w, const std::string& prefix, const Tensor& p) {
    if (!w.contains(prefix + "fc1.weight")) return p;
    const auto at = [&](const char* name) { return w.at(prefix + name); };
    const Tensor h = p.matmul(at("fc1.weight").t()) + at("fc1.bias");
    const Tensor centred = h - h.mean(-1, true);
    const Tensor normed = centred / (centred.square().mean(-1, true) + 1e-5).sqrt();
    const Tensor active = (normed * at("ln1.weight") + at("ln1.bias")).clamp_min(0);
    return p + active.matmul(at("fc2.weight").t()) + at("fc2.bias");
}

/// The loss as the official code computes it: prompts are chosen, then augmented; their tokens are appended to the
/// image's, the block runs over all of them and the rest is cut off.
Tensor directLoss(const TensorsByName& w, const Batch& batch) {
    const Vit& vit = network();
    const Tensor query = vit.features(batch.images).detach(), keys = w.at("e_prompt.key");
    const Tensor distance = 1 - (query / query.norm(2, 1, true)).matmul((keys / keys.square().sum(1, true).sqrt()).t());
    const Tensor index = distance.detach().argmin(1);
    const Tensor general = augmented(w, "proj_g_pt.", w.at("g_prompt.prompts")).expand({kImages, -1, -1});
    const Tensor expert = augmented(w, "proj_e_pt.", w.at("e_prompt.prompts").index_select(0, index));
    Tensor x = vit.embed(batch.images);
    const std::int64_t tokens = x.size(1);
    for (std::int64_t i = 0; i < 5; ++i) {
        const Tensor prompt =
            i < 2 ? general.narrow(1, i * kLength, kLength) : expert.narrow(1, (i - 2) * kLength, kLength);
        x = vit.block(i, at::cat({x, prompt + vit.classPosition()}, 1)).narrow(1, 0, tokens);
    }
    const TensorsByName frozen = byTimmName(vit.parameters());
    const Tensor feature =
        at::layer_norm(x.select(1, 0), {kWidth}, frozen.at("norm.weight"), frozen.at("norm.bias"), 1e-6);
    const Tensor logits = feature.matmul(w.at("backbone.fc.weight").t()) + w.at("backbone.fc.bias") + batch.mask;
    const Tensor entropy = logits.logsumexp(1) - logits.gather(1, batch.units.unsqueeze(1)).squeeze(1);
    return entropy.mean() + distance.gather(1, index.unsqueeze(1)).mean();
}

struct Slope {
    double loss = 0;
    TensorsByName gradients;
};

Slope slopeAt(const TensorsByName& values, const Batch& batch) {
    TensorsByName leaves;
    for (const auto& [name, tensor] : values) leaves[name] = tensor.detach().clone().set_requires_grad(true);
    const Tensor loss = directLoss(leaves, batch);
    loss.backward();
    Slope slope{loss.item<double>(), {}};
    for (const auto& [name, tensor] : leaves)
        slope.gradients[name] = tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor.detach());
    return slope;
}

bool isPrompt(const std::string& name) {
    return name.ends_with("_prompt.prompts");
}

TensorsByName shifted(const TensorsByName& values, const TensorsByName& gradients, const AdapterSettings& settings,
                      double* norm = nullptr) {
    const auto moves = [&](const std::string& name) { return settings.perturbs == Perturbs::All || isPrompt(name); };
    double squares = 0;
    for (const auto& [name, g] : gradients)
        if (moves(name)) squares += g.to(at::kDouble).square().sum().item<double>();
    if (norm) *norm = std::sqrt(squares);
    TensorsByName result;
    for (const auto& [name, value] : values)
        result[name] = moves(name)
                           ? value + gradients.at(name) * (settings.sign * settings.rho / (std::sqrt(squares) + 1e-12))
                           : value;
    return result;
}

/// The same steps computed directly, Adam in double.
class Direct {
public:
    Direct(const AdapterSettings& settings, TensorsByName values) : settings_(settings), values_(std::move(values)) {}

    PromptAdapter::Step step(const Batch& batch, const Batch& other) {
        PromptAdapter::Step step;
        TensorsByName there = values_;
        if (settings_.kind != Kind::Naive) {
            const Slope first = slopeAt(values_, settings_.kind == Kind::Fam ? other : batch);
            step.first_loss = first.loss;
            there = shifted(values_, first.gradients, settings_, &step.gradient_norm);
        }
        const Slope second = slopeAt(there, batch);
        step.loss = second.loss;
        ++steps_;
        for (auto& [name, value] : values_) {
            const Tensor g = second.gradients.at(name).to(at::kDouble);
            Tensor &mean = means_[name], &square = squares_[name];
            mean = mean.defined() ? mean * 0.9 + g * 0.1 : g * 0.1;
            square = square.defined() ? square * 0.999 + g * g * 0.001 : g * g * 0.001;
            const Tensor m = mean / (1 - std::pow(0.9, steps_)), s = square / (1 - std::pow(0.999, steps_));
            value = (value.to(at::kDouble) - settings_.learning_rate * m / (s.sqrt() + 1e-8)).to(at::kFloat);
        }
        return step;
    }
    const TensorsByName& values() const { return values_; }

private:
    AdapterSettings settings_;
    TensorsByName values_, means_, squares_;
    int steps_ = 0;
};

bool near(double a, double b, double bound) {
    return std::abs(a - b) <= bound;
}

void addKinds() {
    QTest::addColumn<int>("kind");
    QTest::newRow("naive") << static_cast<int>(Kind::Naive);
    QTest::newRow("SAM") << static_cast<int>(Kind::Sam);
    QTest::newRow("FAM") << static_cast<int>(Kind::Fam);
}

}  // namespace

class TestPromptAdapter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void stepsAreThoseOfADirectComputation_data() {
        QTest::addColumn<AdapterSettings>("settings");
        const auto row = [](const char* name, Kind kind, double sign, Perturbs perturbs, bool general, bool expert) {
            AdapterSettings settings = settingsOf(kind);
            settings.sign = sign;
            settings.perturbs = perturbs;
            settings.augment_general = general;
            settings.augment_expert = expert;
            QTest::newRow(name) << settings;
        };
        row("naive", Kind::Naive, 1, Perturbs::All, true, true);
        row("naive, not augmented", Kind::Naive, 1, Perturbs::All, false, false);
        row("SAM", Kind::Sam, 1, Perturbs::All, true, true);
        row("SAM, prompts only", Kind::Sam, 1, Perturbs::Prompts, true, true);
        row("FAM", Kind::Fam, 1, Perturbs::All, true, true);
        row("FAM, minus", Kind::Fam, -1, Perturbs::All, true, true);
        row("FAM, prompts only", Kind::Fam, 1, Perturbs::Prompts, true, true);
        row("FAM, minus, prompts only, not augmented", Kind::Fam, -1, Perturbs::Prompts, false, false);
        row("FAM, expert augmented", Kind::Fam, 1, Perturbs::All, false, true);
        row("FAM, general augmented", Kind::Fam, 1, Perturbs::All, true, false);
    }
    void stepsAreThoseOfADirectComputation() {
        QFETCH(AdapterSettings, settings);
        PromptAdapter adapter = adapterOf(settings);
        QCOMPARE(parameter(adapter, "proj_g_pt.fc1.weight").defined(), settings.augment_general);
        QCOMPARE(parameter(adapter, "proj_e_pt.fc1.weight").defined(), settings.augment_expert);
        Direct direct(settings, copies(adapter));
        const TensorsByName start = copies(adapter);
        for (std::uint64_t i = 0; i < 3; ++i) {
            const bool fam = settings.kind == Kind::Fam;
            const auto step = adapter.step(own(10 + i), fam ? std::optional(others(20 + i)) : std::nullopt);
            const auto expected = direct.step(own(10 + i), others(20 + i));
            QVERIFY2(near(step.loss, expected.loss, 1e-4),
                     qPrintable(QString("%1 %2").arg(step.loss).arg(expected.loss)));
            QVERIFY(near(step.first_loss, expected.first_loss, 1e-4));
            QVERIFY(near(step.gradient_norm, expected.gradient_norm, 1e-3 * expected.gradient_norm));
            QCOMPARE(step.first_selected.defined(), settings.kind != Kind::Naive);
        }
        for (const auto& [name, value] : copies(adapter)) {
            QVERIFY2((value - direct.values().at(name)).abs().max().item<double>() < 1e-3, name.c_str());
            QVERIFY2((value - start.at(name)).abs().max().item<double>() > 5e-3, name.c_str());
        }
    }

    void savedValuesComeBackBitForBit_data() { addKinds(); }
    void savedValuesComeBackBitForBit() {
        QFETCH(int, kind);
        PromptAdapter adapter = adapterOf(settingsOf(static_cast<Kind>(kind)));
        adapter.optimizer().setLearningRate(0);
        const TensorsByName before = copies(adapter);
        for (int i = 0; i < 3; ++i) adapter.step(own(), others());
        QVERIFY(same(copies(adapter), before));
        for (const auto& [name, tensor] : adapter.trainable()) QVERIFY2(!tensor.grad().defined(), name.c_str());
    }

    void perturbingPromptsAloneLeavesHeadAndKeysWhereTheyAre() {
        AdapterSettings settings = settingsOf(Kind::Fam);
        settings.perturbs = Perturbs::Prompts;
        settings.rho = 5;
        PromptAdapter adapter = adapterOf(settings);
        const TensorsByName start = copies(adapter);
        const auto step = adapter.step(own(), others());
        const TensorsByName gradients = slopeAt(start, others()).gradients;
        const double promptsMoved = slopeAt(shifted(start, gradients, settings), own()).loss;
        settings.perturbs = Perturbs::All;
        const double allMoved = slopeAt(shifted(start, gradients, settings), own()).loss;
        QVERIFY(near(step.loss, promptsMoved, 1e-4));
        QVERIFY(std::abs(promptsMoved - allMoved) > 1e-2);
        QVERIFY(std::abs(promptsMoved - slopeAt(start, own()).loss) > 1e-3);
    }

    void theSignDecidesWhichWayTheLossGoes() {
        for (const double sign : {1.0, -1.0}) {
            AdapterSettings settings = settingsOf(Kind::Sam);
            settings.sign = sign;
            settings.rho = 0.01;
            PromptAdapter adapter = adapterOf(settings);
            const auto step = adapter.step(own(), {});
            QVERIFY(sign * (step.loss - step.first_loss) > 0);
            // To first order the loss changes by the radius times the norm.
            QVERIFY(near(step.loss - step.first_loss, sign * settings.rho * step.gradient_norm,
                         0.3 * settings.rho * step.gradient_norm));
        }
    }

    void everyKindLearnsABatch_data() { addKinds(); }
    void everyKindLearnsABatch() {
        QFETCH(int, kind);
        AdapterSettings settings = settingsOf(static_cast<Kind>(kind));
        settings.rho = 0.05;
        PromptAdapter adapter = adapterOf(settings);
        const double first = adapter.step(own(), others()).loss;
        PromptAdapter::Step last;
        for (int i = 0; i < 60; ++i) last = adapter.step(own(), others());
        QVERIFY2(last.loss < first, qPrintable(QString("%1 to %2").arg(first).arg(last.loss)));
        QCOMPARE(last.accuracy, 1.0);
    }

    void theBackboneStaysAsItWas() {
        TensorsByName before;
        for (const auto& [name, tensor] : network().parameters()) before[name] = tensor.clone();
        PromptAdapter adapter = adapterOf(settingsOf(Kind::Fam));
        adapter.step(own(), others());
        for (const auto& [name, tensor] : network().parameters()) {
            QVERIFY2(tensor.equal(before.at(name)), name.c_str());
            QVERIFY2(!tensor.grad().defined(), name.c_str());
        }
    }

    void promptsOfOneKindAloneAdaptToo_data() {
        QTest::addColumn<bool>("general");
        QTest::newRow("general") << true;
        QTest::newRow("expert") << false;
    }
    void promptsOfOneKindAloneAdaptToo() {
        QFETCH(bool, general);
        PromptLayout alone = layout();
        (general ? alone.expert_blocks : alone.general_blocks).clear();
        PromptAdapter adapter(network(), alone, settingsOf(Kind::Fam), kUnits, 1);
        const auto before = adapter.learnedPrompts();
        QCOMPARE(before.size(), std::size_t{1});
        QCOMPARE(before[0].name, std::string(general ? "g_prompt.prompts" : "e_prompt.prompts"));
        const auto step = adapter.step(own(), others());
        QVERIFY(std::isfinite(step.loss) && step.gradient_norm > 0);
        QCOMPARE(step.selected.defined(), !general);
        QVERIFY(!adapter.learnedPrompts()[0].tensor.equal(before[0].tensor));
        QVERIFY(!parameter(adapter, general ? "proj_e_pt.fc1.weight" : "proj_g_pt.fc1.weight").defined());
    }

    void learnedPromptsAreAsTheyAct_data() {
        QTest::addColumn<bool>("augmented");
        QTest::newRow("augmented") << true;
        QTest::newRow("as they are") << false;
    }
    void learnedPromptsAreAsTheyAct() {
        QFETCH(bool, augmented);
        AdapterSettings settings = settingsOf(Kind::Naive);
        settings.augment_general = settings.augment_expert = augmented;
        PromptAdapter adapter = adapterOf(settings);
        adapter.step(own(), {});
        const TensorsByName w = copies(adapter), learned = byTimmName(adapter.learnedPrompts());
        QCOMPARE(learned.size(), std::size_t{2});
        const std::pair<std::string, std::string> both[] = {{"g_prompt.prompts", "proj_g_pt."},
                                                            {"e_prompt.prompts", "proj_e_pt."}};
        for (const auto& [name, prefix] : both) {
            QVERIFY(!learned.at(name).requires_grad());
            QVERIFY(learned.at(name).allclose(tst_prompt_adapter::augmented(w, prefix, w.at(name)), 1e-5, 1e-5));
            QCOMPARE(learned.at(name).equal(w.at(name)), !augmented);
        }
    }

    void aRestoredAdaptationGoesOnBitForBit_data() { addKinds(); }
    void aRestoredAdaptationGoesOnBitForBit() {
        QFETCH(int, kind);
        const AdapterSettings settings = settingsOf(static_cast<Kind>(kind));
        PromptAdapter first = adapterOf(settings), second = adapterOf(settings, 2);
        for (std::uint64_t i = 0; i < 3; ++i) first.step(own(i), others(i));
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
        writeSafetensors(file, first.state());
        second.step(own(), others());
        second.restore(byTimmName(readSafetensors(file).tensors));
        QVERIFY(same(copies(first), copies(second)));
        for (std::uint64_t i = 3; i < 6; ++i) {
            const auto a = first.step(own(i), others(i)), b = second.step(own(i), others(i));
            QVERIFY(a.loss == b.loss && a.first_loss == b.first_loss);
        }
        QVERIFY(same(copies(first), copies(second)));
    }

    void aStateIsACopy() {
        PromptAdapter adapter = adapterOf(settingsOf(Kind::Naive));
        adapter.step(own(), {});
        TensorsByName kept, before;
        for (const auto& [name, tensor] : adapter.state()) {
            kept[name] = tensor;
            before[name] = tensor.clone();
        }
        adapter.step(own(), {});
        QVERIFY(same(kept, before));
    }

    void anUnfitStateIsRefusedAndChangesNothing_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("missing");
        for (const char* name : {"fc.weight", "e_prompt.prompts", "proj_e_pt.fc2.bias", "adam.mean.g_prompt.prompts",
                                 "adam.square.e_prompt.key", "adam.steps.backbone.fc.bias"}) {
            QTest::addRow("without %s", name) << name << true;
            QTest::addRow("another shape of %s", name) << name << false;
        }
    }
    void anUnfitStateIsRefusedAndChangesNothing() {
        QFETCH(QString, name);
        QFETCH(bool, missing);
        PromptAdapter donor = adapterOf(settingsOf(Kind::Sam)), adapter = adapterOf(settingsOf(Kind::Sam), 2);
        donor.step(own(), {});
        TensorsByName state = byTimmName(donor.state());
        QVERIFY(state.contains(name.toStdString()));
        if (missing)
            state.erase(name.toStdString());
        else
            state[name.toStdString()] = at::zeros({9, 9, 9});
        adapter.step(own(), {});
        const TensorsByName before = byTimmName(adapter.state());
        try {
            adapter.restore(state);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            QVERIFY2(QString(error.what()).contains(name), error.what());
        }
        QVERIFY(same(byTimmName(adapter.state()), before));
    }

    void famNeedsOtherImages() {
        PromptAdapter adapter = adapterOf(settingsOf(Kind::Fam));
        QVERIFY_EXCEPTION_THROWN(adapter.step(own(), {}), Error);
    }

    void aLossThatIsNoNumberChangesNothing_data() {
        QTest::addColumn<bool>("first");
        QTest::newRow("of the other images") << true;
        QTest::newRow("of the images themselves") << false;
    }
    void aLossThatIsNoNumberChangesNothing() {
        QFETCH(bool, first);
        PromptAdapter adapter = adapterOf(settingsOf(Kind::Fam));
        adapter.step(own(), others());
        Batch good = own(), other = others();
        (first ? other : good).images.fill_(std::numeric_limits<float>::quiet_NaN());
        const TensorsByName before = byTimmName(adapter.state());
        try {
            adapter.step(good, other);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Run);
        }
        QVERIFY(same(byTimmName(adapter.state()), before));
    }

    void optionsBecomeSettings_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<AdapterSettings>("expected");
        const auto row = [](const char* name, const QStringList& options, const auto& change) {
            AdapterSettings settings;
            change(settings);
            QTest::newRow(name) << options << settings;
        };
        row("defaults", {}, [](auto&) {});
        row("a file of prompts", {"prompts=/somewhere/prompts.safetensors"}, [](auto&) {});
        row("naive", {"prompts=naive"}, [](auto& s) { s.kind = Kind::Naive; });
        row("SAM", {"prompts=sam"}, [](auto& s) {
            s.kind = Kind::Sam;
            s.rho = 0.05;
        });
        row("FAM", {"prompts=fam"}, [](auto&) {});
        row("SAM with a radius", {"prompts=sam", "rho=0.3"}, [](auto& s) {
            s.kind = Kind::Sam;
            s.rho = 0.3;
        });
        row("minus", {"sign=minus"}, [](auto& s) { s.sign = -1; });
        row("prompts only", {"perturb=prompts"}, [](auto& s) { s.perturbs = Perturbs::Prompts; });
        row("as the published script", {"augment_prompts=expert"}, [](auto& s) { s.augment_general = false; });
        row("general only", {"augment_prompts=general"}, [](auto& s) { s.augment_expert = false; });
        row("not augmented", {"augment_prompts=none"}, [](auto& s) { s.augment_general = s.augment_expert = false; });
        row("another rate", {"learning_rate=0.001"}, [](auto& s) { s.learning_rate = 0.001; });
    }
    void optionsBecomeSettings() {
        QFETCH(QStringList, options);
        QFETCH(AdapterSettings, expected);
        const OptionTable table(testCatalogue());
        Experiment experiment = table.defaults();
        for (const QString& option : options)
            table.setText(experiment, "initial_session." + option.section('=', 0, 0).toStdString(),
                          option.section('=', 1).toStdString());
        const AdapterSettings got = adapterSettings(experiment.initial_session);
        QVERIFY(got.kind == expected.kind && got.perturbs == expected.perturbs);
        QCOMPARE(got.rho, expected.rho);
        QCOMPARE(got.sign, expected.sign);
        QCOMPARE(got.augment_general, expected.augment_general);
        QCOMPARE(got.augment_expert, expected.augment_expert);
        QCOMPARE(got.learning_rate, expected.learning_rate);
    }

    void optionsOutOfRangeAreRefused() {
        InitialSessionOptions good = OptionTable(testCatalogue()).defaults().initial_session;
        const auto refused = [&](const char* key, const auto& change) {
            InitialSessionOptions bad = good;
            change(bad);
            try {
                adapterSettings(bad);
            } catch (const Error& error) {
                return error.kind() == ErrorKind::Input && QString(error.what()).contains(key);
            }
            return false;
        };
        QVERIFY(refused("initial_session.rho", [](auto& o) { o.rho = -0.1; }));
        QVERIFY(refused("initial_session.sign", [](auto& o) { o.sign = "up"; }));
        QVERIFY(refused("initial_session.perturb", [](auto& o) { o.perturb = "keys"; }));
        QVERIFY(refused("initial_session.augment_prompts", [](auto& o) { o.augment_prompts = "some"; }));
        QVERIFY(refused("initial_session.learning_rate", [](auto& o) { o.learning_rate = 0; }));
    }
};

PALIMPSEST_APPLESS_TEST(TestPromptAdapter)

}  // namespace tst_prompt_adapter

#include "tst_prompt_adapter.moc"
