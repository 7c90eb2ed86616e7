// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/state/run_bridge.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/unreadable_images_note.h"

using namespace palimpsest;

namespace tst_unreadable_images_note {

class TestUnreadableImagesNote : public QObject {
    Q_OBJECT
private:
    static void begin(RunBridge& bridge, std::int64_t run) {
        bridge.setCurrentRun(run);
        RunStarted started;
        started.run = run;
        QSignalSpy begun(&bridge, &RunBridge::started);
        bridge.onStarted(started);
        QTRY_COMPARE(begun.count(), 1);
    }
    static void end(RunBridge& bridge, std::int64_t run) {
        RunEnded ended;
        ended.run = run;
        QSignalSpy over(&bridge, &RunBridge::ended);
        bridge.onEnded(ended);
        QTRY_COMPARE(over.count(), 1);
    }
    static ImageLeftOut leftOut(std::int64_t count) {
        ImageLeftOut event;
        event.run = 1;
        event.text = "cats/1.jpg cannot be decoded.";
        event.unreadable_images = count;
        return event;
    }

private Q_SLOTS:
    void theFirstIsNamedAndTheEndCountsThem_data() {
        QTest::addColumn<int>("images");
        QTest::newRow("one") << 1;
        QTest::newRow("many") << 1200;
    }
    void theFirstIsNamedAndTheEndCountsThem() {
        QFETCH(int, images);
        RunBridge bridge;
        MessageBar messages;
        const UnreadableImagesNote note(&bridge, &messages, nullptr);
        begin(bridge, 1);
        bridge.onImageLeftOut(leftOut(1));
        QTRY_COMPARE(messages.text(), QString("cats/1.jpg cannot be decoded."));
        for (int i = 2; i <= images; ++i) bridge.onImageLeftOut(leftOut(i));
        QVERIFY(messages.hint().startsWith("The run goes on"));
        end(bridge, 1);
        QCOMPARE(messages.count(), 1);
        QCOMPARE(messages.text(), images > 1 ? QString("1,200 images could not be read and were left out.")
                                             : QString("cats/1.jpg cannot be decoded."));
        QVERIFY2(messages.hint().contains("run.json"), qPrintable(messages.hint()));
        // The next run says for itself what it leaves out.
        begin(bridge, 2);
        QCOMPARE(messages.count(), 0);
    }

    void oneImageThatWasDismissedIsNotToldAgain() {
        RunBridge bridge;
        MessageBar messages;
        const UnreadableImagesNote note(&bridge, &messages, nullptr);
        begin(bridge, 1);
        bridge.onImageLeftOut(leftOut(1));
        QTRY_COMPARE(messages.count(), 1);
        messages.dismiss();
        end(bridge, 1);
        QCOMPARE(messages.count(), 0);
    }

    void ofTwoLanesEachHasItsOwn() {
        RunBridge first, second;
        MessageBar messages;
        const UnreadableImagesNote one(&first, &messages, nullptr), other(&second, &messages, nullptr);
        begin(first, 1);
        begin(second, 1);
        first.onImageLeftOut(leftOut(1));
        ImageLeftOut another = leftOut(1);
        another.text = "dogs/2.jpg cannot be decoded.";
        second.onImageLeftOut(another);
        QTRY_COMPARE(messages.count(), 2);
        begin(second, 2);
        QCOMPARE(messages.count(), 1);
        QCOMPARE(messages.text(), QString("cats/1.jpg cannot be decoded."));
    }
};

PALIMPSEST_TEST(TestUnreadableImagesNote)

}  // namespace tst_unreadable_images_note

#include "tst_unreadable_images_note.moc"
