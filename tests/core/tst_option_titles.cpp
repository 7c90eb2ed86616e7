// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <map>
#include <string>
#include <utility>

#include "engine/config/method_declaration.h"
#include "engine/config/option_table.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_option_titles {

class TestOptionTitles : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

private Q_SLOTS:
    void aSentenceCallsOptionsByTheirTitles_data() {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("told");
        QTest::newRow("a word for 0") << "memory.size is 0, so nothing is replayed."
                                      << "Memory is none, so nothing is replayed.";
        QTest::newRow("another number") << "memory.size is 05, memory.size is 40."
                                        << "Memory is 05, Memory is 40.";
        QTest::newRow("at the end") << "Nothing is kept: memory.size is 0."
                                    << "Nothing is kept: Memory is none.";
        QTest::newRow("a fraction") << "memory.size is 0.5."
                                    << "Memory is 0.5.";
        QTest::newRow("evaluation") << "evaluation.every_samples is 60, but only 60 images come."
                                    << "Evaluate every is 60, but only 60 images come.";
        QTest::newRow("two of them") << "stream.partition is imported, but stream.index_list names no file."
                                     << "Partition is imported, but Index list names no file.";
        QTest::newRow("behind its title") << "Sessions (stream.sessions) was 2 and is 3."
                                          << "Sessions was 2 and is 3.";
        QTest::newRow("behind its word") << "There are only 5 sessions (stream.sessions); make it 5."
                                         << "There are only 5 sessions; make it 5.";
        QTest::newRow("behind other words") << "Pass over at most 5 (stream.first_class), or take fewer."
                                            << "Pass over at most 5 (Classes passed over), or take fewer.";
        QTest::newRow("another memory") << "Raise method.external_memory, or set it to 0 for no limit."
                                        << "Raise Memory limit, or set it to 0 for no limit.";
        QTest::newRow("part of another word") << "substream.sessions, stream.sessions_of and stream.sessionses"
                                              << "substream.sessions, stream.sessions_of and stream.sessionses";
        QTest::newRow("a file") << "/data/stream.cache cannot be read; see stream.cache/list."
                                << "/data/stream.cache cannot be read; see stream.cache/list.";
        QTest::newRow("a command") << "Take them with --set initial_session.prompts=FILE."
                                   << "Take them with --set initial_session.prompts=FILE.";
        QTest::newRow("a common word") << "name is empty … give it a name."
                                       << "name is empty … give it a name.";
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("dots alone") << "... and so on..."
                                    << "... and so on...";
    }
    void aSentenceCallsOptionsByTheirTitles() {
        QFETCH(QString, sentence);
        QFETCH(QString, told);
        QCOMPARE(QString::fromStdString(inTitles(sentence.toStdString())), told);
    }

    void everyOptionInASectionHasATitle() {
        for (const Option& option : table_.options()) {
            if (option.section().empty()) continue;
            QVERIFY2(!option.title.empty(), option.key.c_str());
            QCOMPARE(inTitles("Make " + option.key + " smaller."), "Make " + option.title + " smaller.");
        }
    }

    void noMethodHasTwoOptionsOfOneTitle() {
        std::map<std::pair<std::string, std::string>, std::string> seen;
        for (const Option& option : table_.options()) {
            if (option.section().empty()) continue;
            for (const MethodDeclaration& method : methodDeclarations()) {
                const std::string& name = method.choice.value;
                if (!option.isReadBy(name)) continue;
                const auto [other, fresh] = seen.try_emplace({name, option.title}, option.key);
                QVERIFY2(fresh, (name + ": " + option.key + " and " + other->second).c_str());
            }
        }
    }

    void noNoteNamesAKey() {
        Experiment experiment = table_.defaults();
        experiment.memory.size = 0;
        experiment.memory.kind = "uncertainty";
        experiment.stream.train_limit = 3;
        experiment.method.name = "clib";
        experiment.initial_session.prompts.clear();
        const std::vector<std::string> problems = table_.problems(experiment), notes = table_.idleNotes(experiment);
        QVERIFY(problems.size() > 3);
        QVERIFY(!notes.empty());
        for (const auto* sentences : {&problems, &notes})
            for (const std::string& sentence : *sentences)
                for (const Option& option : table_.options())
                    if (!option.section().empty())
                        QVERIFY2(inTitles(sentence).find(option.key) == std::string::npos, sentence.c_str());
    }
};

PALIMPSEST_APPLESS_TEST(TestOptionTitles)

}  // namespace tst_option_titles

#include "tst_option_titles.moc"
