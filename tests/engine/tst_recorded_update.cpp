// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <stdexcept>
#include <utility>

#include "engine/method/recorded_update.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_recorded_update {

namespace {

struct Counts {
    int records = 0, replays = 0;
};

/// Stands in for a GPU's graph: does the work while it is recorded, in place of the replay that follows at once, and
/// again at each later replay.
class KeptWork : public DeviceGraph {
public:
    KeptWork(Counts& counts, bool fails) : counts_(counts), fails_(fails) {}
    void record(const std::function<void()>& work) override {
        if (fails_) throw std::runtime_error("operation not permitted when stream is capturing");
        ++counts_.records;
        work_ = work;
        work_();
        done_ = true;
    }
    void replay() override {
        ++counts_.replays;
        if (!std::exchange(done_, false)) work_();
    }

private:
    Counts& counts_;
    bool fails_, done_ = false;
    std::function<void()> work_;
};

RecordedUpdate::MakeGraph keptWork(Counts& counts, bool fails = false) {
    return [&counts, fails] { return std::make_unique<KeptWork>(counts, fails); };
}

/// Sums the input's images, so that it shows on which input it was called.
ForwardResult sumOf(const UpdateInput& input) {
    ForwardResult result;
    result.loss = input.images.sum() + input.units.sum() + (input.form == MaskForm::Additive ? 0 : 1000);
    result.accuracy = at::zeros({});
    return result;
}

UpdateInput inputOf(std::int64_t count, double value) {
    return {at::full({count, 3, 2, 2}, value), at::arange(0, count), at::zeros({4})};
}

MethodSetup setupOf(const std::string& name) {
    MethodSetup setup = smallSetup(name);
    setup.optimizer = "sgd";  // the steps of plain Adam cannot be recorded
    setup.sessions = 2;
    setup.method.of<DualPromptOptions>().selection = "session-slice";
    return setup;
}

}  // namespace

class TestRecordedUpdate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anUpdateIsRecordedAfterAFewAndReplayedOnEachInput() {
        Counts counts;
        RecordedUpdate updates(keptWork(counts));
        for (int i = 0; i < 10; ++i) {
            const UpdateInput input = inputOf(4, i);
            QCOMPARE(updates.run(input, {1}, sumOf).loss.item<double>(), sumOf(input).loss.item<double>());
            QCOMPARE(counts.replays, std::max(0, i + 1 - RecordedUpdate::kBefore));
        }
        QCOMPARE(counts.records, 1);
    }

    void othersInBetweenAreCarriedOutAsUsual_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("state");
        QTest::addColumn<bool>("multiplicative");
        QTest::newRow("a short batch") << 3 << 1.0 << false;
        QTest::newRow("another state") << 4 << 2.0 << false;
        QTest::newRow("another form of the mask") << 4 << 1.0 << true;
    }
    void othersInBetweenAreCarriedOutAsUsual() {
        QFETCH(int, count);
        QFETCH(double, state);
        QFETCH(bool, multiplicative);
        Counts counts;
        RecordedUpdate updates(keptWork(counts));
        for (int i = 0; i < 6; ++i) updates.run(inputOf(4, i), {1}, sumOf);
        UpdateInput other = inputOf(count, 7);
        if (multiplicative) other.form = MaskForm::Multiplicative;
        const int before = counts.replays;
        for (int i = 0; i < RecordedUpdate::kBefore; ++i)
            QCOMPARE(updates.run(other, {state}, sumOf).loss.item<double>(), sumOf(other).loss.item<double>());
        QCOMPARE(counts.replays, before);
        // What was recorded still holds.
        QCOMPARE(updates.run(inputOf(4, 5), {1}, sumOf).loss.item<double>(), sumOf(inputOf(4, 5)).loss.item<double>());
        QCOMPARE(counts.replays, before + 1);
        QCOMPARE(counts.records, 1);
        // A kind that comes to stay takes its place.
        for (int i = 0; i <= RecordedUpdate::kBefore; ++i)
            QCOMPARE(updates.run(other, {state}, sumOf).loss.item<double>(), sumOf(other).loss.item<double>());
        QCOMPARE(counts.records, 2);
        QCOMPARE(counts.replays, before + 2);
    }

    void whereNothingCanBeRecordedUpdatesGoOn_data() {
        QTest::addColumn<bool>("fails");
        QTest::newRow("no graphs") << false;
        QTest::newRow("refused") << true;
    }
    void whereNothingCanBeRecordedUpdatesGoOn() {
        QFETCH(bool, fails);
        Counts counts;
        RecordedUpdate updates(fails ? keptWork(counts, true) : [] { return std::unique_ptr<DeviceGraph>(); });
        for (int i = 0; i < 8; ++i)
            QCOMPARE(updates.run(inputOf(4, i), {}, sumOf).loss.item<double>(),
                     sumOf(inputOf(4, i)).loss.item<double>());
        QCOMPARE(counts.records + counts.replays, 0);
    }

    void theProcessorHasNoGraphs() { QVERIFY(!makeDeviceGraph(at::kCPU)); }

    void methodsLearnTheSame_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"dualprompt", "l2p", "mvp", "linear-probe", "er", "single-prompt", "fly-prompt", "coda-prompt"})
            QTest::newRow(name) << QString(name);
    }
    void methodsLearnTheSame() {
        QFETCH(QString, name);
        const auto plain = makeMethod(setupOf(name.toStdString()));
        const auto recorded = makeMethod(setupOf(name.toStdString()));
        Counts counts;
        recorded->recordUpdates(keptWork(counts));
        int expected = 0;
        for (std::uint64_t i = 0; i < 24; ++i) {
            if (i == 12)
                for (Method* method : {plain.get(), recorded.get()}) {
                    method->endSession();
                    method->optimizer().setLearningRate(1e-3);
                }
            const UpdateInput input = noiseBatch(i % 12 == 9 ? 3 : 6, i);
            const UpdateResult a = plain->update(input), b = recorded->update(input);
            QCOMPARE(a.loss, b.loss);
            QCOMPARE(a.accuracy, b.accuracy);
            QCOMPARE(a.selected, b.selected);
            expected += i % 12 >= RecordedUpdate::kBefore && i % 12 != 9;
        }
        QCOMPARE(counts.replays, expected);
        // The learning rate is another, so the step is recorded anew.
        QCOMPARE(counts.records, 2);
        const auto ours = plain->trainable(), theirs = recorded->trainable();
        for (std::size_t i = 0; i < ours.size(); ++i) QVERIFY(ours[i].tensor.equal(theirs[i].tensor));
    }

    void whatReadsFromTheDeviceIsNotRecorded_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"ewcpp", "derpp", "er-ace", "lwf", "clib"}) QTest::newRow(name) << QString(name);
    }
    void whatReadsFromTheDeviceIsNotRecorded() {
        QFETCH(QString, name);
        QVERIFY(!makeMethod(setupOf(name.toStdString()))->launchState());
    }

    void mixedImagesAndPlainAdamAreNotRecorded() {
        Counts counts;
        MethodSetup setup = setupOf("linear-probe");
        const auto method = makeMethod(setup);
        setup.optimizer = "adam";
        const auto adam = makeMethod(setup);
        for (Method* each : {method.get(), adam.get()}) each->recordUpdates(keptWork(counts));
        for (std::uint64_t i = 0; i < 8; ++i) {
            UpdateInput input = noiseBatch(6, i);
            adam->update(input);
            input.mix = UpdateMix{input.units.flip(0), 0.5};
            method->update(input);
        }
        QCOMPARE(counts.records, 0);
    }

    void whatChangesTheLaunchesIsAnotherKind_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("a session opens other prompts") << "dualprompt";
        QTest::newRow("a session opens other components") << "coda-prompt";
        QTest::newRow("another expert begins") << "fly-prompt";
    }
    void whatChangesTheLaunchesIsAnotherKind() {
        QFETCH(QString, name);
        MethodSetup setup = setupOf(name.toStdString());
        setup.stream_samples = 20;
        const auto method = makeMethod(setup);
        const auto before = method->launchState();
        QVERIFY(before && before == method->launchState());
        if (name == "fly-prompt") {
            const std::vector<std::int64_t> samples{0, 1, 2, 3};  // a fifth of the stream
            method->beginBatch({samples, samples, [](const std::vector<std::int64_t>&) { return ShownImages(); }});
            method->endBatch();
        } else {
            method->endSession();
        }
        QVERIFY(method->launchState() && before != method->launchState());
    }
};

PALIMPSEST_APPLESS_TEST(TestRecordedUpdate)

}  // namespace tst_recorded_update

#include "tst_recorded_update.moc"
