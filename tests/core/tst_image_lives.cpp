// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <filesystem>

#include "engine/record/image_lives.h"
#include "engine/record/predictions.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/measured_run.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_image_lives {

namespace {

using List = std::vector<std::int32_t>;

TestClasses list(List values) {
    return std::make_shared<const List>(std::move(values));
}

}  // namespace

class TestImageLives : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private Q_SLOTS:
    void theNewestLossComesFirst() {
        ImageLives lives;
        lives.truth = list({0, 1, 2, 0, 1});
        lives.moments = {100, 200, 300, 400};
        lives.answers = {list({0, 1, kNotTested, 1, kNotTested}), list({0, 2, 2, 1, 1}), list({0, kNotTested, 2, 1, 1}),
                         list({1, 2, 2, kNoClassYet, 0})};
        using Images = std::vector<ForgottenImage>;
        // Image 1 was not tested at 300; image 3 was never right.
        QCOMPARE(forgottenImages(lives, 3), (Images{{0, 0, 300, 400, 1}, {4, 1, 300, 400, 0}, {1, 1, 100, 200, 2}}));
        QCOMPARE(forgottenImages(lives, 1), (Images{{1, 1, 100, 200, 2}}));
        QVERIFY2(forgottenImages(lives, 2).empty(), "what is not tested is not wrong");
        QVERIFY(forgottenImages(lives, 0).empty());
        QVERIFY(forgottenImages(lives, 4).empty());
        QVERIFY(forgottenImages({}, 0).empty());
    }

    void aMomentIsTheLastOneUpToIt() {
        ImageLives lives;
        lives.moments = {100, 200};
        QCOMPARE(lives.momentUpTo(99), std::size_t(2));
        QCOMPARE(lives.momentUpTo(100), std::size_t(0));
        QCOMPARE(lives.momentUpTo(199), std::size_t(0));
        QCOMPARE(lives.momentUpTo(5000), std::size_t(1));
    }

    void aListThatIsTooShortTestedTheRestNot() {
        ImageLives lives;
        lives.truth = list({0, 1});
        lives.moments = {100, 200};
        lives.answers = {list({0}), list({1})};
        QCOMPARE(lives.answer(0, 1), kNotTested);
        QCOMPARE(forgottenImages(lives, 1).size(), std::size_t(1));
    }

    void aFolderIsReadAndOnlyWhatIsNewIsReadAgain() {
        const MeasuredRun run = measureRun(folder_.path().toStdString(), true);
        const ImageLives lives = readImageLives(run.folder);
        QCOMPARE(lives.images(), std::size_t(kTestImages));
        QCOMPARE(lives.moments, run.history.predicted);
        for (std::size_t i = 0; i < lives.moments.size(); ++i)
            QCOMPARE(*lives.answers[i], *predictionsAt(lives.moments[i]));

        std::filesystem::remove(predictionsFile(run.folder, lives.moments[3]));
        const ImageLives fewer = readImageLives(run.folder, lives);
        QCOMPARE(fewer.moments.size(), lives.moments.size() - 1);
        QVERIFY2(fewer.answers.back() == lives.answers.back(), "it was read again");
        QVERIFY(fewer.truth == lives.truth);
    }

    void whatCannotBeReadIsASentence() {
        const MeasuredRun run = measureRun(folder_.path().toStdString(), true);
        replaceTextFile(predictionsFile(run.folder, 1000), "no list");
        QCOMPARE(readImageLives(run.folder).moments.size(), std::size_t(11));
        QCOMPARE(readImageLives(run.folder).left_out, std::size_t(1));
        for (const std::int64_t moment : run.history.predicted)
            replaceTextFile(predictionsFile(run.folder, moment), "no list");
        QVERIFY_THROWS_EXCEPTION(Error, readImageLives(run.folder));
        std::filesystem::remove_all(predictionsFolder(run.folder));
        try {
            readImageLives(run.folder);
            QFAIL("there is nothing to read");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("no predictions"), error.what());
            QVERIFY(!error.hint().empty());
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestImageLives)

}  // namespace tst_image_lives

#include "tst_image_lives.moc"
