// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/config/option_table.h"
#include "engine/config/prompt_lengths.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_prompt_lengths {

class TestPromptLengths : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lengthsAreSaidByTheirKinds() {
        const auto text = [](const PromptLengths& lengths) { return promptLengthsText(lengths); };
        QCOMPARE(text({{"method.e_length", 7}, {"method.g_length", 3}}),
                 std::string("prompts of 3 general and 7 expert tokens"));
        QCOMPARE(text({{"method.g_length", 1}}), std::string("prompts of 1 general token"));
        QCOMPARE(text({{"method.prompt_length", 5}}), std::string("prompts of 5 tokens"));
        QCOMPARE(text({}), std::string());
    }

    void everyLengthIsAnOptionThatMayBeLeftToTheNetwork() {
        const OptionTable table(testCatalogue());
        for (const char* key : kPromptLengthOptions) {
            const Option* option = table.find(key);
            QVERIFY2(option && option->minimum == 0 && !option->special.empty(), key);
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestPromptLengths)

}  // namespace tst_prompt_lengths

#include "tst_prompt_lengths.moc"
