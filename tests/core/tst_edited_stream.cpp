// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <array>
#include <functional>

#include "engine/config/experiment_file.h"
#include "engine/stream/experiment_stream.h"
#include "engine/stream/index_list.h"
#include "engine/stream/stream_export.h"
#include "engine/support/error.h"
#include "engine/support/random.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_edited_stream {

using Labels = std::vector<std::int32_t>;
using List = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t kClasses = 12, kSessions = 4;

Labels someLabels(Random& random, std::int64_t samples = 600) {
    Labels labels(static_cast<std::size_t>(samples));
    for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(kClasses));
    return labels;
}

StreamPlan drawn(const Labels& labels, std::uint64_t seed, Partition partition = Partition::Stochastic) {
    return planStream(labels, {kClasses, kSessions, 50, 30, partition, seed});
}

List sorted(List list) {
    std::sort(list.begin(), list.end());
    return list;
}

List all(const StreamPlan& plan) {
    List samples;
    for (const List& session : plan.sessions) samples.insert(samples.end(), session.begin(), session.end());
    return sorted(samples);
}

/// The session's samples of classes that are not edited, in order.
List others(const List& session, const Labels& labels, const std::vector<StreamEdit>& edits) {
    List rest;
    for (const std::int64_t sample : session)
        if (std::none_of(edits.begin(), edits.end(), [&](const StreamEdit& edit) {
                return edit.label == labels[static_cast<std::size_t>(sample)];
            }))
            rest.push_back(sample);
    return rest;
}

std::vector<StreamEdit> someEdits(Random& random) {
    std::vector<StreamEdit> edits(1 + random.below(4));
    for (StreamEdit& edit : edits) {
        edit.label = static_cast<std::int64_t>(random.below(kClasses));
        edit.from = static_cast<std::int64_t>(random.below(kSessions + 1)) - 1;
        edit.to = static_cast<std::int64_t>(random.below(kSessions));
    }
    return edits;
}

Partition somePartition(int round) {
    constexpr std::array kPartitions{Partition::Stochastic, Partition::Uniform, Partition::Ordered,
                                     Partition::OneClass};
    return kPartitions[static_cast<std::size_t>(round) % kPartitions.size()];
}

QString refusalOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

}  // namespace

class TestEditedStream : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

private Q_SLOTS:
    void onlyTheEditedClassesChangeTheirSession() {
        Random random(7);
        int changed = 0;
        for (int round = 0; round < 100; ++round) {
            const Labels labels = someLabels(random);
            const StreamPlan before = drawn(labels, static_cast<std::uint64_t>(round), somePartition(round));
            const std::vector<StreamEdit> edits = someEdits(random);
            const StreamPlan after = editedStream(before, labels, edits);
            QCOMPARE(all(after), all(before));
            QCOMPARE(after.edits.size(), edits.size());
            std::int64_t moved = 0;
            for (std::size_t j = 0; j < before.sessions.size(); ++j) {
                QCOMPARE(others(after.sessions[j], labels, edits), others(before.sessions[j], labels, edits));
                List came;
                const List now = sorted(after.sessions[j]), then = sorted(before.sessions[j]);
                std::set_difference(now.begin(), now.end(), then.begin(), then.end(), std::back_inserter(came));
                moved += std::ssize(came);
            }
            QCOMPARE(after.moved, moved);
            QCOMPARE(after.fingerprint() != before.fingerprint(), moved > 0);
            changed += moved > 0;
        }
        QVERIFY(changed > 50);
    }

    void everySampleIsWhereTheEditsSendIt() {
        Random random(8);
        for (int round = 0; round < 100; ++round) {
            const Labels labels = someLabels(random);
            const StreamPlan before = drawn(labels, static_cast<std::uint64_t>(round), somePartition(round));
            const std::vector<StreamEdit> edits = someEdits(random);
            const StreamPlan after = editedStream(before, labels, edits);
            // The simplest implementation: sample by sample, edit by edit.
            std::vector<std::int64_t> session(labels.size(), -1);
            for (std::size_t j = 0; j < before.sessions.size(); ++j)
                for (const std::int64_t sample : before.sessions[j])
                    session[static_cast<std::size_t>(sample)] = static_cast<std::int64_t>(j);
            for (const StreamEdit& edit : edits)
                for (std::size_t i = 0; i < labels.size(); ++i)
                    if (session[i] >= 0 && labels[i] == edit.label &&
                        (edit.from == StreamEdit::kEverySession || session[i] == edit.from))
                        session[i] = edit.to;
            for (std::size_t j = 0; j < after.sessions.size(); ++j)
                for (const std::int64_t sample : after.sessions[j])
                    QCOMPARE(session[static_cast<std::size_t>(sample)], static_cast<std::int64_t>(j));
        }
    }

    void anEditThatIsMadeTwiceChangesNothingMore() {
        Random random(9);
        for (int round = 0; round < 100; ++round) {
            const Labels labels = someLabels(random);
            const StreamPlan before = drawn(labels, static_cast<std::uint64_t>(round));
            const std::vector<StreamEdit> edits{someEdits(random).front()};
            const StreamPlan once = editedStream(before, labels, edits);
            const StreamPlan twice = editedStream(once, labels, edits);
            QCOMPARE(twice.sessions, once.sessions);
            QCOMPARE(twice.disjoint_classes, once.disjoint_classes);
            QCOMPARE(twice.blurry_classes, once.blurry_classes);
            QCOMPARE(twice.edits.back().moved, std::int64_t{0});
            // The same holds within one list.
            QCOMPARE(editedStream(before, labels, {edits[0], edits[0]}).sessions, once.sessions);
        }
    }

    void theSameEditsGiveTheSameStreamAndAnotherSeedOtherPlaces() {
        Random random(10);
        const Labels labels = someLabels(random);
        StreamPlan plan = drawn(labels, 3);
        // The target is the longest session, so that there is enough to mix with.
        const auto longest = std::max_element(plan.sessions.begin(), plan.sessions.end(),
                                              [](const List& a, const List& b) { return a.size() < b.size(); });
        const auto target = static_cast<std::size_t>(longest - plan.sessions.begin());
        const std::vector<ClassHome> homes = classHomes(plan);
        const auto away = std::find_if(homes.begin(), homes.end(), [&](const ClassHome& home) {
            return home.session != static_cast<std::int64_t>(target);
        });
        const std::vector<StreamEdit> edits{
            {away - homes.begin(), StreamEdit::kEverySession, static_cast<std::int64_t>(target)}};
        const StreamPlan first = editedStream(plan, labels, edits);
        QVERIFY(first.moved > 10);
        QCOMPARE(editedStream(plan, labels, edits).fingerprint(), first.fingerprint());
        plan.settings.seed = 4;
        const StreamPlan second = editedStream(plan, labels, edits);
        QVERIFY(second.fingerprint() != first.fingerprint());
        QCOMPARE(sorted(second.sessions[target]), sorted(first.sessions[target]));
        // The session is mixed: new samples are not in one block.
        const List& session = first.sessions[target];
        std::size_t runs = 0;
        for (std::size_t i = 0; i < session.size(); ++i) {
            const auto isMoved = [&](std::size_t k) {
                return labels[static_cast<std::size_t>(session[k])] == edits[0].label;
            };
            runs += isMoved(i) && (i == 0 || !isMoved(i - 1));
        }
        QVERIFY(runs > 5);
    }

    void aClassIsAtHomeWhereItsHomeSamplesGo() {
        Random random(11);
        const Labels labels = someLabels(random);
        const StreamPlan plan = drawn(labels, 1);
        const std::vector<ClassHome> homes = classHomes(plan);
        for (std::int64_t label = 0; label < kClasses; ++label) {
            const ClassHome home = homes[static_cast<std::size_t>(label)];
            const std::int64_t other = (home.session + 1) % kSessions, third = (home.session + 2) % kSessions;
            const auto homeAfter = [&](const StreamEdit& edit) {
                return classHomes(editedStream(plan, labels, {edit}))[static_cast<std::size_t>(label)];
            };
            for (const StreamEdit& edit :
                 {StreamEdit{label, home.session, other}, StreamEdit{label, StreamEdit::kEverySession, other}}) {
                QCOMPARE(homeAfter(edit).session, other);
                QCOMPARE(homeAfter(edit).blurry, home.blurry);
            }
            QCOMPARE(homeAfter({label, other, third}).session, home.session);
        }
    }

    void anEditedStreamCanBeExportedAndImported() {
        Random random(12);
        for (int round = 0; round < 40; ++round) {
            const Labels labels = someLabels(random);
            const StreamPlan plan = editedStream(drawn(labels, static_cast<std::uint64_t>(round), somePartition(round)),
                                                 labels, someEdits(random));
            const std::string json = formatStream({plan, labels, {}, {}, false}, StreamFormat::Json);
            QVERIFY(json.find("\"edits\":[\"" + toText(plan.edits.front().edit)) != std::string::npos);
            const StreamPlan again = importStream(parseIndexList(json, "plan.json"), labels, plan.settings);
            QCOMPARE(again.fingerprint(), plan.fingerprint());
            QCOMPARE(again.disjoint_classes, plan.disjoint_classes);
            QVERIFY(again.notes.empty());
            QVERIFY(again.edits.empty());
        }
    }

    void theNotesSayThatItIsNoLongerDrawn() {
        Random random(13);
        const Labels labels = someLabels(random);
        const StreamPlan plan = drawn(labels, 1);
        const auto contains = [&](const StreamPlan& of, const std::string& words) {
            const auto sentences = lintStream(of, labels);
            return std::any_of(sentences.begin(), sentences.end(),
                               [&](const std::string& one) { return one.find(words) != std::string::npos; });
        };
        const auto full = std::find_if(plan.sessions.begin(), plan.sessions.end(),
                                       [](const List& samples) { return !samples.empty(); });
        const std::int64_t session = full - plan.sessions.begin();
        const std::int64_t label = labels[static_cast<std::size_t>(full->front())];
        const StreamPlan edited = editedStream(plan, labels, {{label, session, (session + 1) % kSessions}});
        QVERIFY(!contains(plan, "Edited"));
        QVERIFY(contains(edited, "Edited: 1 edit takes"));
        QVERIFY(contains(edited, "no longer the stream that the seed drew at random."));
        QVERIFY(!contains(edited, "Without effect"));
        const StreamPlan idle = editedStream(plan, labels, {{label, session, session}});
        QVERIFY(!contains(idle, "Edited"));
        QVERIFY(contains(idle, "Without effect"));
        const std::string text = formatStream({edited, labels, {}, {}, false}, StreamFormat::Text);
        QVERIFY(text.find("seed 1, edited\n") != std::string::npos);
        QVERIFY(text.find("Edit: class " + std::to_string(label) + " from session") != std::string::npos);
    }

    void whatDoesNotExistIsRefused_data() {
        QTest::addColumn<QString>("edits");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("class")
            << "class 12 to session 2"
            << R"(stream.edits has "class 12 to session 2", but there are only 12 classes, counted from 0.)";
        QTest::newRow("session") << "class 1 to session 5"
                                 << R"(stream.edits has "class 1 to session 5", but there are only 4 sessions.)";
        QTest::newRow("from")
            << "class 1 from session 9 to session 1"
            << R"(stream.edits has "class 1 from session 9 to session 1", but there are only 4 sessions.)";
        QTest::newRow("words") << "class 1 to session 2; move it"
                               << R"(stream.edits has " move it", which is no edit.)";
        QTest::newRow("session 0") << "class 1 to session 0"
                                   << R"(stream.edits has "class 1 to session 0", which is no edit.)";
        QTest::newRow("negative") << "class -1 to session 1"
                                  << R"(stream.edits has "class -1 to session 1", which is no edit.)";
        QTest::newRow("huge") << "class 99999999999999999999 to session 1"
                              << R"(stream.edits has "class 99999999999999999999 to session 1", which is no edit.)";
        QTest::newRow("nothing between") << "class 1 to session 2;;class 2 to session 1"
                                         << R"(stream.edits has "", which is no edit.)";
    }
    void whatDoesNotExistIsRefused() {
        QFETCH(QString, edits);
        QFETCH(QString, sentence);
        Random random(14);
        const Labels labels = someLabels(random);
        Experiment experiment = table_.defaults();
        experiment.stream.sessions = kSessions;
        experiment.stream.edits = edits.toStdString();
        QCOMPARE(refusalOf([&] { planExperimentStream(experiment, labels, kClasses); }), sentence);
    }

    void editsAreWrittenAsTheyAreRead_data() {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("again");
        QTest::newRow("none") << ""
                              << "";
        QTest::newRow("spaces alone") << "  "
                                      << "";
        QTest::newRow("one") << "class 3 to session 2"
                             << "class 3 to session 2";
        QTest::newRow("cell") << "class 0 from session 1 to session 4"
                              << "class 0 from session 1 to session 4";
        QTest::newRow("many, with spaces") << " class 3  to session 2;class 5 from session 2 to session 1 ; "
                                           << "class 3 to session 2; class 5 from session 2 to session 1";
    }
    void editsAreWrittenAsTheyAreRead() {
        QFETCH(QString, written);
        QFETCH(QString, again);
        const std::string text = toText(editList(written.toStdString()));
        QCOMPARE(QString::fromStdString(text), again);
        // The edits pass through the file, through --set, and through the schema's key.
        Experiment experiment = table_.defaults();
        table_.setText(experiment, "stream.edits", text);
        const Experiment read = parseExperiment(table_, formatExperiment(table_, experiment), "a.toml");
        QCOMPARE(read.stream.edits, text);
        QCOMPARE(editList(read.stream.edits), editList(text));
        QVERIFY(table_.jsonSchema().find("\"edits\"") != std::string::npos);
    }

    void problemsAreToldBeforeTheDataAreRead() {
        Experiment experiment = table_.defaults();
        experiment.stream.edits = "class 3 to session 5";
        QVERIFY(table_.problems(experiment).empty());
        experiment.stream.sessions = 4;
        QCOMPARE(table_.problems(experiment).size(), std::size_t{1});
        QVERIFY(table_.problems(experiment).front().find("there are only 4 sessions") != std::string::npos);
        experiment.stream.edits = "class three to session 1";
        QVERIFY(table_.problems(experiment).front().find("which is no edit") != std::string::npos);
    }

    void anEditOfTheWholeClassReplacesItsEarlierOnes() {
        const std::vector<StreamEdit> edits = editList("class 3 from session 1 to session 2; class 4 to session 1");
        QCOMPARE(toText(withEdit(edits, {3, StreamEdit::kEverySession, 4})),
                 std::string("class 4 to session 1; class 3 to session 5"));
        QCOMPARE(toText(withEdit(edits, {3, 1, 4})), toText(edits) + "; class 3 from session 2 to session 5");
        // A class that is back in its original session needs no edit.
        QCOMPARE(toText(withEdit(edits, {4, StreamEdit::kEverySession, 2}, 2)),
                 std::string("class 3 from session 1 to session 2"));
    }

    void anImportedStreamCanBeEdited() {
        const Labels labels{0, 0, 1, 1, 2, 2};
        const IndexList list = parseIndexList("[[0,1,2,3],[4,5]]", "plan.json");
        const StreamPlan plan = importStream(list, labels, {3, 2, 0, 0, Partition::Imported, 1});
        StreamPlan edited = editedStream(plan, labels, editList("class 1 to session 2"));
        QCOMPARE(edited.sessions[0], (List{0, 1}));
        QCOMPARE(sorted(edited.sessions[1]), (List{2, 3, 4, 5}));
        StreamPlan other = plan;
        other.settings.seed = 99;  // an imported list has no seed
        QCOMPARE(editedStream(other, labels, editList("class 1 to session 2")).sessions, edited.sessions);
    }
};

PALIMPSEST_APPLESS_TEST(TestEditedStream)

}  // namespace tst_edited_stream

#include "tst_edited_stream.moc"
