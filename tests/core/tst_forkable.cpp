// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>

#include "engine/record/checkpoints.h"
#include "tests/datasets/errors.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/no_more_files.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_forkable {

namespace {

constexpr std::int64_t kLeftOut = 7;

}  // namespace

class TestForkable : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    /// A run that left some of its images out.
    struct Run {
        Run(const OptionTable& table, const QTemporaryDir& parent)
            : writer(RunFolderWriter::create(table, madeUpExperiment("batch"), parent.path().toStdString())) {
            writer->onStarted(madeUpStart(1, writer->folder().string(), "batch"));
            for (std::int64_t i = 1; i <= kLeftOut; ++i)
                writer->onImageLeftOut({1, "cats/1.jpg is cut short.", true, i});
        }
        CheckpointRecord keep(std::int64_t samples, std::int64_t session) const {
            std::filesystem::create_directories(checkpointsFolder(writer->folder()));
            CheckpointRecord record;
            record.samples_seen = samples;
            record.session = session;
            record.mark = writer->mark();
            writeCheckpointRecord(writer->folder(), record);
            return record;
        }
        std::unique_ptr<RunFolderWriter> writer;
    };

private Q_SLOTS:
    void checkpointsThatCannotBeListedAreNotTakenForNone() {
        QTemporaryDir parent;
        const Run run(table_, parent);
        run.keep(0, 0);
        run.keep(10, 0);
        const std::filesystem::path folder = run.writer->folder();
        const auto complaint = [](const auto& work) {
            const NoMoreFiles none;
            return test::inputErrorOf(work);
        };
        QVERIFY(complaint([&] { listCheckpoints(folder); }).startsWith("Cannot read the folder "));
        QVERIFY(complaint([&] { dropCheckpointsAfter(folder, 0); }).startsWith("Cannot read the folder "));
        {
            const NoMoreFiles none;
            thinCheckpoints(folder, 0);
        }
        QCOMPARE(listCheckpoints(folder), (std::vector<std::int64_t>{10, 0}));
        QVERIFY(listCheckpoints(folder / "nowhere").empty());
    }

    void aCheckpointEndsTheStreamWhenAllThatCouldBeReadWasLearned_data() {
        QTest::addColumn<qlonglong>("samples");
        QTest::addColumn<qlonglong>("session");
        QTest::addColumn<bool>("ends");
        QTest::newRow("every image of the plan") << qlonglong{kImages} << qlonglong{kSessions} << true;
        QTest::newRow("every image but those left out")
            << qlonglong{kImages - kLeftOut} << qlonglong{kSessions} << true;
        QTest::newRow("as many, and more to come")
            << qlonglong{kImages - kLeftOut} << qlonglong{kSessions - 1} << false;
        QTest::newRow("before the last batch") << qlonglong{kImages - 40} << qlonglong{kSessions - 1} << false;
        QTest::newRow("at the beginning") << 0LL << 0LL << false;
    }
    void aCheckpointEndsTheStreamWhenAllThatCouldBeReadWasLearned() {
        QFETCH(qlonglong, samples);
        QFETCH(qlonglong, session);
        QFETCH(bool, ends);
        const QTemporaryDir parent;
        const Run run(table_, parent);
        QCOMPARE(endsStream(run.keep(samples, session)), ends);
        QCOMPARE(forkableCheckpoints(run.writer->folder()).empty(), ends);
    }

    void theNewestOfARunThatLeftImagesOutIsTheOneBeforeItsEnd() {
        const QTemporaryDir parent;
        const Run run(table_, parent);
        run.keep(4000, 3);
        run.keep(5900, kSessions - 1);
        run.keep(kImages - kLeftOut, kSessions);
        const std::filesystem::path folder = run.writer->folder();
        QCOMPARE(forkableCheckpoints(folder), (std::vector<std::int64_t>{5900, 4000}));
    }
};

PALIMPSEST_APPLESS_TEST(TestForkable)

}  // namespace tst_forkable

#include "tst_forkable.moc"
