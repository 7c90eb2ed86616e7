// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/download.h"
#include "datasets/fetching/transfer.h"
#include "engine/support/error.h"
#include "tests/datasets/idx_files.h"
#include "tests/support/file_content.h"
#include "tests/support/http_server.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>
#include <thread>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_download {

namespace {

constexpr std::int64_t kSize = 400'000;

std::string pattern(char shift = 0) {
    std::string text(kSize, '\0');
    for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<char>(i * 7 + i / 251 + static_cast<std::size_t>(shift));
    return text;
}

Answer whole() {
    Answer answer;
    answer.body = pattern();
    return answer;
}

Answer cutAfter(std::int64_t bytes) {
    Answer answer = whole();
    answer.cut_after = bytes;
    return answer;
}

Answer shorter() {
    Answer answer = whole();
    answer.body.resize(1000);
    return answer;
}

Answer longer() {
    Answer answer = whole();
    answer.body += "more";
    return answer;
}

/// Longer than allowed, without a declared length.
Answer endless() {
    Answer answer = longer();
    answer.tells_length = false;
    return answer;
}

Answer status(int number) {
    Answer answer;
    answer.status = number;
    answer.body = "an error page";
    return answer;
}

}  // namespace

class TestDownload : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        for (const char* name :
             {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"})
            qunsetenv(name);
    }

    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        server_ = std::make_unique<HttpServer>();
        job_ = {};
        job_.name = "data.bin";
        job_.urls = {server_->url("/data.bin")};
        job_.part = folder_->filePath("data.bin.part").toStdString();
        job_.patience.first_pause = job_.patience.longest_pause = std::chrono::milliseconds(0);
    }

    void aFileArrivesWhole_data() {
        QTest::addColumn<bool>("size_known");
        QTest::addColumn<Answer>("answer");
        Answer slow = whole();
        slow.piece = 40'000;
        Answer without_length = whole();
        without_length.tells_length = false;
        for (const bool known : {true, false}) {
            const char* const words = known ? "size known" : "size unknown";
            QTest::addRow("%s", words) << known << whole();
            QTest::addRow("%s, in pieces", words) << known << slow;
            QTest::addRow("%s, no Content-Length", words) << known << without_length;
        }
    }
    void aFileArrivesWhole() {
        QFETCH(bool, size_known);
        QFETCH(Answer, answer);
        if (size_known) job_.expected_bytes = kSize;
        server_->serve("/data.bin", {answer});
        std::vector<DownloadProgress> seen;
        job_.progress = [&](const DownloadProgress& now) { seen.push_back(now); };
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QVERIFY(!seen.empty());
        QCOMPARE(seen.back().bytes, kSize);
        QVERIFY(seen.back().total == kSize || seen.back().total == 0);
        QCOMPARE(server_->requests().size(), std::size_t{1});
        QVERIFY(!std::filesystem::exists(PartRecord::fileOf(job_.part)));
    }

    void aCutConnectionIsGoneOnFrom() {
        server_->serve("/data.bin", {cutAfter(150'000), cutAfter(100'000), whole()});
        job_.expected_bytes = kSize;
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-", "bytes=250000-"}));
        QCOMPARE(server_->requests()[1].headers.at("if-range"), std::string("\"one\""));
    }

    void aDateWillDoWhereThereIsNoStrongTag() {
        Answer cut = cutAfter(150'000);
        cut.etag = "W/\"weak\"";
        cut.last_modified = "Wed, 21 Oct 2015 07:28:00 GMT";
        Answer rest = cut;
        rest.cut_after = -1;
        server_->serve("/data.bin", {cut, rest});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-"}));
        QCOMPARE(server_->requests()[1].headers.at("if-range"), cut.last_modified);
    }

    void aTagThatIsNoPlainTextIsNotSentBack_data() {
        QTest::addColumn<QByteArray>("tag");
        QTest::newRow("control characters") << QByteArray("\"a\x01\033[2Jb\"");
        QTest::newRow("endless") << '"' + QByteArray(5000, 'a') + '"';
    }
    void aTagThatIsNoPlainTextIsNotSentBack() {
        QFETCH(QByteArray, tag);
        Answer cut = cutAfter(150'000);
        cut.etag = tag.toStdString();
        Answer rest = cut;
        rest.cut_after = -1;
        server_->serve("/data.bin", {cut, rest});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", ""}));
    }

    void withoutTagOrChecksumItStartsOver() {
        Answer cut = cutAfter(150'000);
        cut.etag = "";
        Answer rest = whole();
        rest.etag = "";
        server_->serve("/data.bin", {cut, rest});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", ""}));
    }

    void withAChecksumItGoesOnWithoutATag() {
        Answer cut = cutAfter(150'000);
        cut.etag = "";
        Answer rest = whole();
        rest.etag = "";
        server_->serve("/data.bin", {cut, rest});
        checkContent();
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-"}));
    }

    void aServerThatIgnoresRangesStartsOver() {
        Answer all = whole();
        all.ranges = false;
        server_->serve("/data.bin", {cutAfter(150'000), all});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-"}));
    }

    void aFileThatChangedMeanwhileStartsOver() {
        Answer changed = whole();
        changed.body = pattern(5);
        changed.etag = "\"two\"";
        server_->serve("/data.bin", {cutAfter(150'000), changed});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern(5));
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-"}));
    }

    void anotherRangeThanAskedForIsNotGluedOn() {
        Answer shifted = whole();
        shifted.shift_range = 10;
        server_->serve("/data.bin", {cutAfter(150'000), shifted, whole()});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-", ""}));
    }

    void aPartLongerThanTheServersFileStartsOver() {
        writeFile(QString::fromStdString(job_.part.string()), QByteArray(500'000, 'x'));
        PartRecord{job_.urls[0], "\"one\"", 600'000}.save(job_.part);
        server_->serve("/data.bin", {whole()});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"bytes=500000-", ""}));
    }

    void aPartThatIsWholeNeedsNoRequest() {
        writeFile(QString::fromStdString(job_.part.string()), QByteArray::fromStdString(pattern()));
        PartRecord{job_.urls[0], "\"one\"", kSize}.save(job_.part);
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QVERIFY(server_->requests().empty());
    }

    void aDamagedRecordStartsOver_data() {
        QTest::addColumn<QByteArray>("record");
        QTest::newRow("none") << QByteArray();
        QTest::newRow("cut short") << QByteArray("http://x/\n\"one\"\n");
        QTest::newRow("no number") << QByteArray("http://x/\n\"one\"\nmany\nend\n");
        QTest::newRow("another address") << QByteArray("http://x/\n\"one\"\n400000\nend\n");
    }
    void aDamagedRecordStartsOver() {
        QFETCH(QByteArray, record);
        writeFile(QString::fromStdString(job_.part.string()), QByteArray(1000, 'x'));
        if (!record.isEmpty()) writeFile(QString::fromStdString(PartRecord::fileOf(job_.part).string()), record);
        server_->serve("/data.bin", {whole()});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), QStringList{""});
    }

    void aTornRecordIsNotBelieved() {
        // The disk stored "1000" of "400000", which happens to be the part's size.
        writeFile(QString::fromStdString(job_.part.string()), QByteArray(1000, 'x'));
        writeFile(QString::fromStdString(PartRecord::fileOf(job_.part).string()),
                  QByteArray::fromStdString(job_.urls[0]) + "\n\"one\"\n1000\n");
        server_->serve("/data.bin", {whole()});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), QStringList{""});
    }

    void wrongContentDoesNotStay() {
        Answer wrong = whole();
        wrong.body = pattern(3);
        server_->serve("/data.bin", {wrong});
        checkContent();
        const QString sentence = failure();
        QVERIFY2(sentence.contains(address("/data.bin") + " sent a file that has other bytes"), qPrintable(sentence));
        QVERIFY(!std::filesystem::exists(job_.part));
        QCOMPARE(server_->requests().size(), std::size_t{1});
    }

    void aWrongPartIsThrownAwayAndFetchedAnew() {
        writeFile(QString::fromStdString(job_.part.string()), QByteArray(1000, 'x'));
        server_->serve("/data.bin", {whole()});
        checkContent();
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"bytes=1000-", ""}));
    }

    void anotherMirrorGoesOnFromTheFirst() {
        server_->serve("/dying", {cutAfter(150'000), status(503)});
        server_->serve("/data.bin", {whole()});
        job_.urls = {server_->url("/dying"), server_->url("/data.bin")};
        job_.expected_bytes = kSize;
        checkContent();
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-", "bytes=150000-"}));
        QVERIFY(!server_->requests()[2].headers.contains("if-range"));
    }

    void aWrongMirrorDoesNotCostThePart_data() {
        QTest::addColumn<Answer>("wrong");
        QTest::addColumn<QString>("says");
        Answer page = whole();
        page.body = "<html>Please log in.</html>";
        page.type = "text/html; charset=utf-8";
        page.ranges = false;
        page.tells_length = false;
        QTest::newRow("a page to log in") << page << "sent a web page instead of the file";
        QTest::newRow("a shorter file") << shorter() << "offers 1,000 bytes where 400,000 are expected";
    }
    void aWrongMirrorDoesNotCostThePart() {
        QFETCH(Answer, wrong);
        QFETCH(QString, says);
        server_->serve("/wrong", {wrong});
        server_->serve("/data.bin", {cutAfter(150'000), status(503), status(404), whole()});
        job_.urls = {server_->url("/data.bin"), server_->url("/wrong")};
        job_.expected_bytes = kSize;
        checkContent();
        const QString sentence = failure();
        QVERIFY2(sentence.contains(address("/wrong") + " " + says), qPrintable(sentence));
        QVERIFY(content() == pattern().substr(0, 150'000));
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges().last(), QString("bytes=150000-"));
    }

    void aWebPageIsNoFileOfUnknownSize() {
        Answer page = whole();
        page.body = "<html>Please log in.</html>";
        page.type = "text/html";
        server_->serve("/data.bin", {page});
        QVERIFY2(failure().contains("sent a web page instead of the file"), "taken for the file");
        QVERIFY(!std::filesystem::exists(job_.part));
        // Nor under another type; what was asked for is said, not what the check finds in it.
        page.type = "application/octet-stream";
        page.body = "\xEF\xBB\xBF\n <!DOCTYPE HTML><p>Please log in.";
        server_->serve("/data.bin", {page});
        checkContent();
        QVERIFY2(failure().contains("sent a web page (37 bytes) instead of the file"), qPrintable(failure()));
        QVERIFY(!std::filesystem::exists(job_.part));
        // A server that declares everything a page is accepted if the size is right.
        page.type = "text/html";
        page.body = pattern();
        server_->serve("/data.bin", {page});
        job_.expected_bytes = kSize;
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
    }

    void theNextMirrorHelps_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<Answer>("answer");
        Answer wrong = whole();
        wrong.body = pattern(3);
        Answer circle = status(302);
        circle.location = "/first";
        Answer elsewhere = status(302);
        elsewhere.location = "file:///etc/passwd";
        QTest::newRow("nobody there") << "http://127.0.0.1:1/first" << whole();
        QTest::newRow("no such host") << "http://nowhere.invalid/first" << whole();
        QTest::newRow("another protocol") << "file:///etc/passwd" << whole();
        QTest::newRow("no address at all") << "http://" << whole();
        QTest::newRow("404") << "" << status(404);
        QTest::newRow("403") << "" << status(403);
        QTest::newRow("500") << "" << status(500);
        QTest::newRow("too short") << "" << shorter();
        QTest::newRow("too long") << "" << longer();
        QTest::newRow("too long without saying so") << "" << endless();
        QTest::newRow("wrong content") << "" << wrong;
        QTest::newRow("redirect in a circle") << "" << circle;
        QTest::newRow("redirect to a file of this machine") << "" << elsewhere;
        QTest::newRow("nothing but cuts") << "" << cutAfter(0);
    }
    void theNextMirrorHelps() {
        QFETCH(QString, first);
        QFETCH(Answer, answer);
        server_->serve("/first", {answer});
        server_->serve("/data.bin", {whole()});
        job_.urls = {first.isEmpty() ? server_->url("/first") : first.toStdString(), server_->url("/data.bin")};
        job_.expected_bytes = kSize;
        checkContent();
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        int useful = 0;
        for (const Request& request : server_->requests()) useful += request.target == "/data.bin";
        QCOMPARE(useful, 1);
    }

    void busyServersAreAskedAgain_data() {
        QTest::addColumn<int>("number");
        for (const int number : {408, 429, 500, 502, 503}) QTest::addRow("%d", number) << number;
    }
    void busyServersAreAskedAgain() {
        QFETCH(int, number);
        server_->serve("/data.bin", {status(number), status(number), whole()});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(server_->requests().size(), std::size_t{3});
    }

    void patienceHasAnEnd() {
        server_->serve("/data.bin", {status(503)});
        job_.patience.rounds = 4;
        const QString sentence = failure();
        QVERIFY2(
            sentence.contains("data.bin could not be fetched: " + address("/data.bin") + " answered 503 (too busy)."),
            qPrintable(sentence));
        QCOMPARE(server_->requests().size(), std::size_t{4});
    }

    void aFewBytesAtATimeAreNoReasonForEndlessTries() {
        // Each connection brings one byte, which is no good progress, so the rounds run out.
        server_->serve("/data.bin", {cutAfter(1)});
        job_.expected_bytes = kSize;
        job_.patience.rounds = 3;
        const QString sentence = failure();
        QVERIFY2(sentence.contains("cut the connection after 3 of 400,000 bytes"), qPrintable(sentence));
        QVERIFY2(sentence.contains("goes on from what is there"), qPrintable(sentence));
        QCOMPARE(server_->requests().size(), std::size_t{3});
    }

    void failuresAreNamed_data() {
        QTest::addColumn<Answer>("answer");
        QTest::addColumn<QString>("says");
        Answer lie = whole();
        lie.claimed_length = kSize + 5;
        Answer other_lie = whole();
        other_lie.claimed_length = 1000;
        Answer cut = cutAfter(1000);
        cut.etag = "";
        Answer stalled = whole();
        stalled.hang_after = 1000;
        QTest::newRow("missing") << status(404) << "answered 404 (not found)";
        QTest::newRow("forbidden") << status(403) << "answered 403 (forbidden)";
        QTest::newRow("teapot") << status(418) << "answered 418";
        QTest::newRow("too short") << shorter() << "offers 1,000 bytes where 400,000 are expected";
        QTest::newRow("too long") << longer() << "offers 400,004 bytes where 400,000 are expected";
        QTest::newRow("too long without saying so") << endless() << "sent more than 400,000 bytes";
        QTest::newRow("says more than it has") << lie << "offers 400,005 bytes where 400,000 are expected";
        QTest::newRow("says less than it has") << other_lie << "offers 1,000 bytes where 400,000 are expected";
        QTest::newRow("always cut") << cut << "cut the connection after 1,000 of 400,000 bytes";
        QTest::newRow("stalled") << stalled << "sent hardly anything";
    }
    void failuresAreNamed() {
        QFETCH(Answer, answer);
        QFETCH(QString, says);
        server_->serve("/data.bin", {answer});
        job_.expected_bytes = kSize;
        job_.patience.rounds = 2;
        if (answer.hang_after >= 0) job_.patience.stall = std::chrono::milliseconds(50);
        const QString sentence = failure();
        QVERIFY2(sentence.contains(address("/data.bin") + " " + says), qPrintable(sentence));
        QVERIFY2(!sentence.contains('\n'), qPrintable(sentence));
    }

    void aServerThatHidesTheEndIsLimited() {
        Answer endless = whole();
        endless.tells_length = false;
        server_->serve("/data.bin", {endless});
        job_.most_bytes = kSize - 1;
        QVERIFY2(failure().contains("sent more than 399,999 bytes"), "no limit");
        QVERIFY(!std::filesystem::exists(job_.part));
        server_->serve("/data.bin", {whole()});
        QVERIFY2(failure().contains("offers 400,000 bytes, more than the 399,999 allowed"), "no limit");
    }

    void aStalledServerIsLeftAndAskedAgain() {
        Answer stalled = whole();
        stalled.hang_after = 150'000;
        server_->serve("/data.bin", {stalled, whole()});
        job_.patience.stall = std::chrono::milliseconds(100);
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-"}));
    }

    void aServerThatKeepsStallingYieldsToTheNextMirror() {
        Answer stalled = whole();
        stalled.hang_after = 20'000;
        server_->serve("/stalling", {stalled});
        server_->serve("/data.bin", {whole()});
        job_.urls = {server_->url("/stalling"), server_->url("/data.bin")};
        job_.expected_bytes = kSize;
        job_.patience.stall = std::chrono::milliseconds(200);
        checkContent();
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=20000-", "bytes=40000-"}));
        QCOMPARE(server_->requests()[2].target, std::string("/data.bin"));
    }

    void aStallAfterMuchOfTheFileIsForgiven() {
        Answer stalled = whole();
        stalled.hang_after = 150'000;
        server_->serve("/stalling", {stalled});
        job_.urls = {server_->url("/stalling"), server_->url("/data.bin")};
        job_.expected_bytes = kSize;
        job_.patience.stall = std::chrono::milliseconds(500);
        checkContent();
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        for (const Request& request : server_->requests()) QCOMPARE(request.target, std::string("/stalling"));
    }

    void withoutANetworkItDoesNotWait() {
        job_.urls = {"http://127.0.0.1:1/a", "http://nowhere.invalid/b"};
        job_.patience.first_pause = job_.patience.longest_pause = std::chrono::hours(1);
        const QString sentence = failure();
        QVERIFY2(sentence.contains("http://127.0.0.1:1/a could not be reached") &&
                     sentence.contains("http://nowhere.invalid/b could not be reached"),
                 qPrintable(sentence));
        QVERIFY2(sentence.contains("Check the network connection") && !sentence.contains("goes on"),
                 qPrintable(sentence));
        // A part of an earlier try does not hide that nobody answers.
        writeFile(QString::fromStdString(job_.part.string()), "begun");
        const QString again = failure();
        QVERIFY2(again.contains("Check the network connection") && again.contains("goes on from what is there"),
                 qPrintable(again));
    }

    void redirectsAreFollowed() {
        Answer redirect = status(302);
        redirect.location = server_->url("/elsewhere");
        server_->serve("/data.bin", {redirect});
        server_->serve("/elsewhere", {cutAfter(150'000), whole()});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "", "bytes=150000-", "bytes=150000-"}));
    }

    void namesAndPasswordsStayOutOfSentences() {
        job_.urls = {"http://me:secret@127.0.0.1:1/a@b"};
        const QString sentence = failure();
        QVERIFY2(sentence.contains("http://127.0.0.1:1/a@b") && !sentence.contains("secret"), qPrintable(sentence));
    }

    void theProxyOfTheEnvironmentIsUsed() {
        server_->serve("http://far.invalid/data.bin", {whole()});
        qputenv("http_proxy", QByteArray::fromStdString(server_->url("")));
        job_.urls = {"http://far.invalid/data.bin"};
        const bool arrived = download(job_);
        qunsetenv("http_proxy");
        QVERIFY(arrived);
        QVERIFY(content() == pattern());
    }

    void stoppingKeepsThePart_data() {
        QTest::addColumn<bool>("checked");
        QTest::newRow("with a checksum") << true;
        QTest::newRow("with the server's tag") << false;
    }
    void stoppingKeepsThePart() {
        QFETCH(bool, checked);
        if (checked) checkContent();
        Answer stalled = whole();
        stalled.hang_after = 150'000;
        server_->serve("/data.bin", {stalled, whole()});
        std::stop_source stop;
        job_.stop = stop.get_token();
        job_.progress = [&](const DownloadProgress& now) {
            if (now.bytes == 150'000) stop.request_stop();
        };
        QVERIFY(!download(job_));
        QVERIFY(content() == pattern().substr(0, 150'000));
        job_.stop = {};
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=150000-"}));
    }

    void stoppingEndsAPauseAndASilence_data() {
        QTest::addColumn<Answer>("answer");
        Answer silent = whole();
        silent.hang_after = 0;
        QTest::newRow("a pause") << status(503);
        QTest::newRow("a silence") << silent;
    }
    void stoppingEndsAPauseAndASilence() {
        QFETCH(Answer, answer);
        server_->serve("/data.bin", {answer});
        job_.patience.first_pause = job_.patience.longest_pause = std::chrono::hours(1);
        std::stop_source stop;
        job_.stop = stop.get_token();
        bool arrived = true;
        std::thread thread([&] { arrived = download(job_); });
        QTRY_COMPARE(server_->requests().size(), std::size_t{1});
        stop.request_stop();
        thread.join();
        QVERIFY(!arrived);
    }

    void aStopBeforeTheStartAsksNobody() {
        std::stop_source stop;
        stop.request_stop();
        job_.stop = stop.get_token();
        server_->serve("/data.bin", {whole()});
        QVERIFY(!download(job_));
        QVERIFY(server_->requests().empty());
    }

    void aFullDiskIsSaidAndThePartStays() {
        server_->serve("/data.bin", {whole()});
        job_.expected_bytes = kSize;
        const auto outcome = QString::fromStdString(onSmallDisk(100'000, [&] { download(job_); }));
        QVERIFY2(
            outcome.startsWith("run: There is no room on the disk for " + QString::fromStdString(job_.part.string())),
            qPrintable(outcome));
        QCOMPARE(content().size(), std::size_t{100'000});
        QVERIFY(download(job_));
        QVERIFY(content() == pattern());
        QCOMPARE(ranges(), (QStringList{"", "bytes=100000-"}));
    }

    void aFolderThatCannotBeMadeIsNamed() {
        job_.part = "/dev/null/data.bin.part";
        const QString sentence = failure();
        QVERIFY2(sentence.contains("/dev/null"), qPrintable(sentence));
        QVERIFY(server_->requests().empty());
    }

    void anObserverThatThrowsEndsTheDownload() {
        server_->serve("/data.bin", {whole()});
        job_.progress = [](const DownloadProgress&) { throw runError("No more.", "Stop."); };
        QCOMPARE(failure(), QString("No more. Stop."));
    }

private:
    std::string content() const { return contentOf(job_.part); }
    QString address(const std::string& path) const { return QString::fromStdString(server_->url(path)); }
    QStringList ranges() const {
        QStringList all;
        for (const Request& request : server_->requests()) {
            const auto found = request.headers.find("range");
            all.append(found == request.headers.end() ? QString("") : QString::fromStdString(found->second));
        }
        return all;
    }
    /// Replaces a checksum.
    void checkContent() {
        job_.wrong = [this](const std::filesystem::path&) { return content() == pattern() ? "" : "has other bytes"; };
    }
    /// Sentence of the run error that the download ends with.
    QString failure() {
        try {
            download(job_);
        } catch (const Error& error) {
            return error.kind() == ErrorKind::Run && !error.hint().empty() ? QString::fromStdString(error.sentence())
                                                                           : "";
        }
        return "no failure";
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<HttpServer> server_;
    DownloadJob job_;
};

PALIMPSEST_APPLESS_TEST(TestDownload)

}  // namespace tst_download

#include "tst_download.moc"
