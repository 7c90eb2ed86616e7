// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/online_loop.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace palimpsest;

namespace tst_loop_settings {

namespace {

Experiment plain() {
    Experiment experiment;
    experiment.mask.name = "batch";
    experiment.mask.form = "additive";
    return experiment;
}

}  // namespace

class TestLoopSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizesComeFromTheExperimentAndTheMemoryFromTheMethod() {
        Experiment experiment = plain();
        experiment.training.batch_size = 11;
        experiment.training.updates_per_batch = 4;
        experiment.evaluation.every_samples = 77;
        // The method's own settings count, in which defaults are resolved.
        experiment.memory.size = 1;
        MethodSetup setup;
        setup.classes = 9;
        setup.seed = 5;
        setup.memory.size = 50;
        setup.memory.batch_size = 6;
        setup.memory.kind = "balanced";
        const LoopSettings settings = loopSettings(experiment, setup);
        QCOMPARE(settings.batch_size, std::int64_t{11});
        QCOMPARE(settings.updates_per_batch, std::int64_t{4});
        QCOMPARE(settings.every_samples, std::int64_t{77});
        QCOMPARE(settings.classes, std::int64_t{9});
        QCOMPARE(settings.seed, std::uint64_t{5});
        QCOMPARE(settings.memory_size, std::int64_t{50});
        QCOMPARE(settings.memory_batch, std::int64_t{6});
        QCOMPARE(settings.memory_kind, std::string("balanced"));
    }

    void wordsBecomeChoices() {
        Experiment experiment = plain();
        experiment.mask.name = "session";
        experiment.mask.form = "multiplicative";
        experiment.mask.session_scope = "whole";
        experiment.training.cutmix = true;
        experiment.training.augment_scope = "image";
        const LoopSettings asked = loopSettings(experiment, {});
        QVERIFY(asked.mask == MaskKind::Session);
        QVERIFY(asked.mask_form == MaskForm::Multiplicative);
        QVERIFY(asked.whole_session && asked.cutmix && asked.cutmix_each);
        const LoopSettings usual = loopSettings(plain(), {});
        QVERIFY(usual.mask == MaskKind::Batch);
        QVERIFY(usual.mask_form == MaskForm::Additive);
        QVERIFY(!usual.whole_session && !usual.cutmix && !usual.cutmix_each);
    }
};

PALIMPSEST_APPLESS_TEST(TestLoopSettings)

}  // namespace tst_loop_settings

#include "tst_loop_settings.moc"
