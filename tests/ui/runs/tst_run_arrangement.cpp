// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/support/test_program.h"
#include "ui/runs/run_arrangement.h"

using namespace palimpsest;

namespace tst_run_arrangement {

using Kind = RunListChange::Kind;

class TestRunArrangement : public QObject {
    Q_OBJECT
private:
    static RunArrangement list(const std::vector<int>& numbers) {
        RunArrangement made;
        for (const int number : numbers) {
            auto row = std::make_shared<RunRow>();
            row->folder = "/runs/" + std::to_string(number);
            made.rows.push_back(row);
        }
        for (std::size_t i = 0; i < made.rows.size(); ++i)
            made.lines.push_back({static_cast<int>(i), -1, made.rows[i]->folder.native()});
        return made;
    }

    /// As a model does it: lines go, those that stay change places, lines come.
    static std::vector<int> changed(std::vector<int> numbers, const std::vector<int>& after,
                                    const RunListChange& change) {
        for (auto gone = change.gone.rbegin(); gone != change.gone.rend(); ++gone)
            numbers.erase(numbers.begin() + *gone);
        std::vector<int> stay(numbers.size(), -1);
        for (std::size_t i = 0; i < numbers.size(); ++i) stay[static_cast<std::size_t>(change.places[i])] = numbers[i];
        for (const int came : change.came) stay.insert(stay.begin() + came, after[static_cast<std::size_t>(came)]);
        return stay;
    }

private Q_SLOTS:
    void anEmptyListIsFilledAtOnce() {
        QCOMPARE(changeOf(list({}), list({1, 2})).kind, Kind::All);
        QCOMPARE(changeOf(list({}), list({})).kind, Kind::Same);
    }

    void ofTheSameLinesThoseThatSayNewThingsAreTold() {
        RunArrangement before = list({1, 2, 3, 4}), after = list({1, 2, 3, 4});
        const auto take = [&after](std::size_t place, RunRowPtr row) {
            after.lines[place].key = row->folder.native();
            after.rows[place] = std::move(row);
        };
        for (std::size_t i = 0; i < 4; ++i) take(i, before.rows[i]);
        QCOMPARE(changeOf(before, after).first, -1);
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
            take(i, std::make_shared<const RunRow>(*before.rows[i]));
        const RunListChange change = changeOf(before, after);
        QCOMPARE(change.kind, Kind::Same);
        QCOMPARE(change.first, 1);
        QCOMPARE(change.last, 2);
    }

    void linesThatOnlyComeMoveNoOther() {
        const RunListChange change = changeOf(list({1, 2, 3}), list({9, 1, 2, 8, 3}));
        QCOMPARE(change.kind, Kind::Few);
        QVERIFY(!change.moved && change.gone.empty());
        QCOMPARE(change.came, (std::vector{0, 3}));
    }

    void manyLinesAreChangedAtOnce() {
        std::vector<int> before, after;
        for (int i = 0; i < 100; ++i) {
            before.push_back(i);
            after.push_back(i + static_cast<int>(RunListChange::kFew) / 2 + 1);
        }
        QCOMPARE(changeOf(list(before), list(after)).kind, Kind::All);
        after.resize(40);
        QCOMPARE(changeOf(list(before), list(after)).kind, Kind::All);
    }

    void whateverChangesTheListComesOutAsWanted() {
        std::mt19937 random(3);
        for (int turn = 0; turn < 300; ++turn) {
            std::vector<int> numbers(60), before, after;
            for (int i = 0; i < 60; ++i) numbers[static_cast<std::size_t>(i)] = i;
            std::shuffle(numbers.begin(), numbers.end(), random);
            for (const int number : numbers)
                if (random() % 8 > 0) before.push_back(number);
            if (turn % 2) std::shuffle(numbers.begin(), numbers.end(), random);
            for (const int number : numbers)
                if (random() % 8 > 0) after.push_back(number);
            const RunListChange change = changeOf(list(before), list(after));
            QCOMPARE(change.kind, before == after ? Kind::Same : Kind::Few);
            if (change.kind == Kind::Few) QCOMPARE(changed(before, after, change), after);
        }
    }
};

PALIMPSEST_GUILESS_TEST(TestRunArrangement)

}  // namespace tst_run_arrangement

#include "tst_run_arrangement.moc"
