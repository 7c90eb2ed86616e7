// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <atomic>
#include <latch>
#include <thread>

#include "engine/inputs/dataset_opening.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_dataset_opening {

namespace {

ImageDataset named(const std::string& name) {
    ImageDataset data;
    data.name = name;
    return data;
}

}  // namespace

class TestDatasetOpening : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allWhoWaitGetTheSameDataSet() {
        std::latch gate(1);
        std::atomic<int> opened{0};
        DatasetOpening opening([&] {
            gate.wait();
            ++opened;
            return named("birds");
        });
        std::vector<std::shared_ptr<const ImageDataset>> got(4);
        {
            std::vector<std::jthread> people;
            for (auto& mine : got) people.emplace_back([&] { mine = opening.wait({}); });
            gate.count_down();
        }
        for (const auto& mine : got) QVERIFY(mine && mine == got[0]);
        QCOMPARE(got[0]->name, std::string("birds"));
        QCOMPARE(opening.wait({}), got[0]);
        QCOMPARE(opened.load(), 1);
    }

    void whoeverWaitsMayLeaveWhileItGoesOn() {
        std::latch gate(1);
        DatasetOpening opening([&] {
            gate.wait();
            return named("birds");
        });
        std::stop_source stop;
        std::jthread impatient([&] { stop.request_stop(); });
        QVERIFY(!opening.wait(stop.get_token()));
        gate.count_down();
        QVERIFY(opening.wait({}));
        // An open data set is also returned to callers that would not wait.
        QVERIFY(opening.wait(stop.get_token()));
    }

    void anOpeningThatNobodyWantsIsGivenUp() {
        std::latch begun(1);
        std::atomic<bool> given_up{false};
        {
            const DatasetOpening opening([&]() -> ImageDataset {
                begun.count_down();
                try {
                    for (;;) {
                        StopScope::check();
                        std::this_thread::yield();
                    }
                } catch (const GivenUp&) {
                    given_up = true;
                    throw;
                }
            });
            begun.wait();
        }
        QVERIFY(given_up);
    }

    void whatGoesWrongReachesEveryoneWhoWaits() {
        DatasetOpening opening([]() -> ImageDataset { throw inputError("The folder is empty."); });
        for (int i = 0; i < 2; ++i) QVERIFY_EXCEPTION_THROWN(opening.wait({}), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestDatasetOpening)

}  // namespace tst_dataset_opening

#include "tst_dataset_opening.moc"
