// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/prompt_options.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_coda_prompt {

namespace {

MethodSetup codaSetup(bool published = false) {
    MethodSetup setup = smallSetup("coda-prompt");
    setup.method.of<PromptPoolOptions>().size = 6;
    setup.sessions = 3;  // two components each
    setup.method.of<BlockPromptOptions>().blocks = 3;
    setup.method.of<CodaPromptOptions>().published = published;
    return setup;
}

double cosine(const Tensor& a, const Tensor& b) {
    double product = 0, first = 0, second = 0;
    for (std::int64_t d = 0; d < a.numel(); ++d) {
        const double x = a[d].item<double>(), y = b[d].item<double>();
        product += x * y;
        first += x * x;
        second += y * y;
    }
    return product / std::sqrt(first * second);
}

struct Parts {
    Tensor prompts, keys, attention;
    explicit Parts(const Method& method)
        : prompts(named(method.trainable(), "prompts").detach().clone()),
          keys(named(method.trainable(), "keys").detach().clone()),
          attention(named(method.trainable(), "attention").detach().clone()) {}
};

bool sameRows(const Tensor& a, const Tensor& b, std::int64_t first, std::int64_t count) {
    return a.narrow(1, first, count).equal(b.narrow(1, first, count));
}

}  // namespace

class TestCodaPrompt : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePromptIsTheSumOfComponentsWeightedByAttention_data() {
        QTest::addColumn<int>("session");
        QTest::newRow("first session: two components") << 0;
        QTest::newRow("second session: four") << 1;
        QTest::newRow("third session: six") << 2;
    }
    void thePromptIsTheSumOfComponentsWeightedByAttention() {
        QFETCH(int, session);
        const MethodSetup setup = codaSetup();
        const auto method = makeMethod(setup);
        for (int s = 0; s <= session; ++s) {
            if (s > 0) method->endSession();
            for (std::uint64_t step = 0; step < 2; ++step) method->update(noiseBatch(5, step));
        }
        NoGradGuard guard;
        const Tensor images = noiseImages(2, 8), queries = setup.vit->features(images);
        const Tensor logits = method->logits(images, queries);
        const Parts parts(*method);
        for (std::int64_t i = 0; i < 2; ++i) {
            std::vector<Tensor> prompts;
            for (std::int64_t block = 0; block < 3; ++block) {
                Tensor sum = at::zeros({setup.method.of<BlockPromptOptions>().length, 32});
                for (std::int64_t k = 0; k < 2 * (session + 1); ++k)
                    sum = sum + cosine(queries[i] * parts.attention[block][k], parts.keys[block][k]) *
                                    parts.prompts[block][k];
                prompts.push_back((sum + setup.vit->classPosition()[0]).unsqueeze(0));
            }
            const Tensor feature = appendedFeature(*setup.vit, images.narrow(0, i, 1), prompts);
            const Tensor expected =
                at::linear(feature, named(method->trainable(), "fc.weight"), named(method->trainable(), "fc.bias"))[0];
            QVERIFY(largestDifference(expected, logits[i]) < 1e-5);
        }
    }

    void newComponentsAreOrthogonalToAllBefore() {
        const auto method = makeMethod(codaSetup());
        method->update(noiseBatch(5, 1));
        method->endSession();
        const Parts parts(*method);
        for (const Tensor& part : {parts.prompts, parts.keys, parts.attention})
            for (std::int64_t block = 0; block < 3; ++block)
                for (std::int64_t fresh = 2; fresh < 4; ++fresh) {
                    const Tensor row = part[block][fresh].flatten();
                    QVERIFY(std::abs(row.norm().item<double>() - 1) < 1e-5);
                    for (std::int64_t other = 0; other < fresh; ++other)
                        QVERIFY(std::abs(cosine(row, part[block][other].flatten())) < 1e-5);
                }
        QCOMPARE(parts.keys.narrow(1, 4, 2).abs().max().item<double>(), 0.0);  // of the next session
    }

    void componentsOfEarlierSessionsStayAsTheyAre() {
        const auto method = makeMethod(codaSetup());
        for (std::uint64_t step = 0; step < 3; ++step) method->update(noiseBatch(5, step));
        method->endSession();
        const Parts before(*method);
        for (std::uint64_t step = 0; step < 3; ++step) method->update(noiseBatch(5, step));
        const Parts after(*method);
        QVERIFY(sameRows(before.prompts, after.prompts, 0, 2) && sameRows(before.keys, after.keys, 0, 2) &&
                sameRows(before.attention, after.attention, 0, 2));
        QVERIFY(!sameRows(before.prompts, after.prompts, 2, 2));
        QVERIFY(!sameRows(before.keys, after.keys, 2, 2));
        QVERIFY(!sameRows(before.attention, after.attention, 2, 2));
    }

    void asPublishedOnlyTheHeadLearnsFromTheSecondSessionOn() {
        const auto method = makeMethod(codaSetup(true));
        const Parts first(*method);
        method->update(noiseBatch(5, 1));
        QVERIFY(!sameRows(first.prompts, Parts(*method).prompts, 0, 2));
        method->endSession();
        const Parts before(*method);
        const Tensor head = named(method->trainable(), "fc.weight").detach().clone();
        method->update(noiseBatch(5, 2));
        const Parts after(*method);
        QVERIFY(before.prompts.equal(after.prompts) && before.keys.equal(after.keys) &&
                before.attention.equal(after.attention));
        QVERIFY(!head.equal(named(method->trainable(), "fc.weight")));
    }

    void sessionsBeyondThePoolChangeNoComponentByThemselves() {
        const auto method = makeMethod(codaSetup());
        for (int s = 0; s < 2; ++s) method->endSession();
        const Parts before(*method);
        method->endSession();
        QVERIFY(before.prompts.equal(Parts(*method).prompts));
        method->update(noiseBatch(5, 1));
        QVERIFY(!sameRows(before.prompts, Parts(*method).prompts, 4, 2));
    }

    void aPoolThatCannotBeDrawnOrSharedOutIsRefused_data() {
        QTest::addColumn<int>("pool");
        QTest::addColumn<int>("sessions");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("as many as the backbone is wide") << 32 << 3 << "";
        QTest::newRow("wider than the backbone")
            << 33 << 3
            << "method.pool_size is 33, but CODA-Prompt draws the components of its pool orthogonal to each other, and "
               "a backbone 32 wide has room for 32. Set method.pool_size to at most 32.";
        QTest::newRow("one for each session") << 7 << 7 << "";
        QTest::newRow("a session without one")
            << 6 << 7
            << "method.pool_size is 6, but CODA-Prompt opens new components of its pool in each of 7 sessions. Set "
               "method.pool_size to at least 7.";
    }
    void aPoolThatCannotBeDrawnOrSharedOutIsRefused() {
        QFETCH(int, pool);
        QFETCH(int, sessions);
        QFETCH(QString, sentence);
        MethodSetup setup = codaSetup();
        setup.method.of<PromptPoolOptions>().size = pool;
        setup.sessions = sessions;
        QString message;
        try {
            makeMethod(setup);
        } catch (const Error& error) {
            QVERIFY(error.kind() == ErrorKind::Input);
            message = QString::fromStdString(error.sentence());
        }
        QCOMPARE(message, sentence);
    }

    void trainableCountOfThePaperIsReached() {
        MethodSetup setup = codaSetup();
        setup.vit = std::make_shared<Vit>(VitShape{32, 16, 3, 768, 5, 12, 4});
        setup.classes = 100;
        setup.sessions = 5;
        setup.method.of<PromptPoolOptions>().size = 10;
        setup.method.of<BlockPromptOptions>().blocks = 5;
        setup.method.of<BlockPromptOptions>().length = 20;
        std::int64_t count = 0;
        const auto method = makeMethod(setup);
        for (const auto& entry : method->trainable()) count += entry.tensor.numel();
        QCOMPARE(count, std::int64_t{921'700});
    }
};

PALIMPSEST_APPLESS_TEST(TestCodaPrompt)

}  // namespace tst_coda_prompt

#include "tst_coda_prompt.moc"
