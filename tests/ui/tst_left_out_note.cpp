// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "ui/left_out_note.h"
#include "ui/message_bar.h"
#include "ui/run_bridge.h"

using namespace palimpsest;

class TestLeftOutNote : public QObject {
    Q_OBJECT
private:
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
        const LeftOutNote note(&bridge, &messages, nullptr);
        bridge.setCurrentRun(1);
        RunStarted started;
        started.run = 1;
        bridge.onStarted(started);
        bridge.onImageLeftOut(leftOut(1));
        QTRY_COMPARE(messages.text(), QString("cats/1.jpg cannot be decoded."));
        for (int i = 2; i <= images; ++i) bridge.onImageLeftOut(leftOut(i));
        RunEnded ended;
        ended.run = 1;
        QSignalSpy end(&bridge, &RunBridge::ended);
        bridge.onEnded(ended);
        QTRY_COMPARE(end.count(), 1);
        QCOMPARE(messages.count(), images > 1 ? 2 : 1);
        if (images > 1) QCOMPARE(messages.text(), QString("1,200 images could not be read and were left out."));
    }
};

QTEST_MAIN(TestLeftOutNote)
#include "tst_left_out_note.moc"
