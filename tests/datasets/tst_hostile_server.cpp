// SPDX-License-Identifier: GPL-3.0-or-later
#include <zlib.h>
#include <QDeadlineTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <cstring>
#include <functional>
#include <future>
#include <sstream>

#include "datasets/fetching/download.h"
#include "datasets/fetching/fetch.h"
#include "datasets/fetching/transfer.h"
#include "engine/support/error.h"
#include "tests/datasets/idx_files.h"
#include "tests/support/archive_maker.h"
#include "tests/support/file_content.h"
#include "tests/support/http_server.h"
#include "tests/support/raw_server.h"
#include "tests/support/test_program.h"
#include "tests/support/tls_server.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_hostile_server {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Serve = std::function<void(RawConnection&)>;
/// Says on the way that the moment has come that a test waits for.
using ServeUntil = std::function<void(RawConnection&, const std::function<void()>&)>;

const std::string kContent(300'000, 'c');
/// So many that even a server which a busy machine makes slow has sent the file by then.
constexpr int kManyRounds = 50;
constexpr const char* kOk = "HTTP/1.1 200 OK\r\nConnection: close\r\n";

std::string lengthOf(std::size_t bytes) {
    return "Content-Length: " + std::to_string(bytes) + "\r\n\r\n";
}

/// Answers every request with these bytes.
Serve answering(const std::string& bytes) {
    return [bytes](RawConnection& connection) {
        if (connection.readRequest()) connection.send(bytes);
    };
}

/// The same, and then sends `more` for ever.
Serve endless(const std::string& begin, const std::string& more) {
    return [begin, more](RawConnection& connection) {
        if (!connection.readRequest() || !connection.send(begin)) return;
        while (connection.send(more)) {
        }
    };
}

std::string redirectTo(const std::string& address) {
    return "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: " + address + "\r\nContent-Length: 0\r\n\r\n";
}

std::string gzip(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

}  // namespace

/// A download from a server that means no good ends in one sentence, keeps nothing of it, and the next mirror is asked.
class TestHostileServer : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    HttpServer good_;
    DownloadJob job_;

    std::string content() const { return fs::exists(job_.part) ? contentOf(job_.part) : std::string(); }
    QString failure() const {
        try {
            if (!download(job_)) return "stopped";
        } catch (const Error& error) {
            return error.kind() == ErrorKind::Run && !error.hint().empty() ? QString::fromStdString(error.sentence())
                                                                           : "without a hint";
        }
        return "no failure";
    }
    static void clearEnvironment() {
        for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
                                 "NO_PROXY", "SSL_CERT_FILE", "CURL_CA_BUNDLE"})
            qunsetenv(name);
    }
    /// Writes the certificate of the server's authority and returns the file.
    QByteArray authorityOf(const TlsServer& server) const {
        const QString path = folder_->filePath("authority.pem");
        writeFile(path, QByteArray::fromStdString(server.authority()));
        return path.toLocal8Bit();
    }
    static QString address(const RawServer& server) {
        return "http://127.0.0.1:" + QString::number(server.port()) + "/bad ";
    }
    /// What the job ends with when the user stops it as soon as `ready` says so. Where it does not end, the server is
    /// closed, so that the test does.
    QString endAfterStop(const std::function<bool()>& ready, const std::function<void()>& closeServer) {
        std::stop_source stop;
        job_.stop = stop.get_token();
        auto ended = std::async(std::launch::async, [this] { return failure(); });
        const QDeadlineTimer patience(60'000);
        while (!ready() && !patience.hasExpired()) QThread::msleep(1);
        const bool was_ready = ready();
        stop.request_stop();
        const bool in_time = ended.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
        if (!in_time) closeServer();
        const QString end = ended.get();
        job_.stop = {};
        return !was_ready ? "never came so far: " + end : !in_time ? "too late" : end;
    }
    static void checkWords(const QString& sentence, const QString& says) {
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY2(sentence.size() < 1000, qPrintable(sentence));
        for (const QChar character : sentence)
            QVERIFY2(character.isPrint() && character.unicode() != 0x202e, qPrintable(sentence));
    }

private Q_SLOTS:
    void initTestCase() {
        clearEnvironment();
        Answer answer;
        answer.body = kContent;
        good_.serve("/data.bin", {answer});
    }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        job_ = {};
        job_.name = "data.bin";
        job_.part = folder_->filePath("data.bin.part").toStdString();
        job_.expected_bytes = static_cast<std::int64_t>(kContent.size());
        job_.wrong = [this](const fs::path&) { return content() == kContent ? "" : "has other bytes"; };
        job_.patience.first_pause = job_.patience.longest_pause = milliseconds(0);
        job_.patience.rounds = 1;
        job_.patience.stall = milliseconds(3000);
    }
    void cleanup() { clearEnvironment(); }

    void anAnswerThatIsNoneIsRefused_data() {
        QTest::addColumn<Serve>("serve");
        QTest::addColumn<QString>("says");
        const auto add = [](const char* name, Serve serve, const char* says) {
            QTest::newRow(name) << std::move(serve) << QString(says);
        };
        const std::string size = lengthOf(kContent.size()), escape = "\033]0;mine\007\xe2\x80\xae";
        add(
            "closes at once", [](RawConnection&) {}, "cut the connection after 0");
        add(
            "closes after the request", [](RawConnection& c) { c.readRequest(); }, "cut the connection after 0");
        add("noise", answering(std::string("\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", 11) + escape + "\n"),
            "does not answer as a web server does");
        add("the first HTTP", answering("<html>old</html>"), "does not answer as a web server does");
        add("half a first line", answering("HTTP/1."), "");
        add("no number", answering("HTTP/1.1 abc\r\n\r\n"), "does not answer as a web server does");
        // What curl makes of it depends on its version.
        add("a number of four digits", answering("HTTP/1.1 2000 OK\r\n" + size), "");
        add("control characters in a header",
            answering("HTTP/1.1 404 " + escape + "\r\nServer: " + escape + "\r\nContent-Length: 0\r\n\r\n"),
            "answered 404");
        add("a header of a megabyte", answering(kOk + ("X: " + std::string(1 << 20, 'x')) + "\r\n" + size), "");
        add("a length that is no number", answering(std::string(kOk) + "Content-Length: many\r\n\r\nabc"), "");
        add("a length below zero", answering(std::string(kOk) + "Content-Length: -5\r\n\r\nabc"), "");
        add("a length beyond all numbers",
            answering(std::string(kOk) + "Content-Length: 99999999999999999999999\r\n\r\nabc"), "");
        add("two lengths", answering(std::string(kOk) + "Content-Length: 300000\r\nContent-Length: 3\r\n\r\nabc"), "");
        add("part of a file that nobody asked for",
            answering("HTTP/1.1 206 Partial\r\nConnection: close\r\nContent-Range: bytes 5-9/300000\r\n" + lengthOf(5) +
                      "abcde"),
            "answered 206");
        add("a chunk beyond all numbers",
            answering(std::string(kOk) + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc"), "");
        add("a chunk that is no number", answering(std::string(kOk) + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc"),
            "");
        for (const char* way : {"gzip", "deflate", "no-such-thing"})
            add(qPrintable(QString("packed for the way: ") + way),
                answering(kOk + ("Transfer-Encoding: " + std::string(way)) + "\r\n\r\n" + gzip(kContent)),
                "sends the file packed for the way");
        std::ostringstream chunk;
        chunk << std::hex << gzip(kContent).size() << "\r\n" << gzip(kContent) << "\r\n0\r\n\r\n";
        add("packed for the way, in chunks",
            answering(std::string(kOk) + "Transfer-Encoding: GZIP, chunked\r\n\r\n" + chunk.str()),
            "sends the file packed for the way");
        add("packed",
            answering(std::string(kOk) + "Content-Encoding: gzip\r\n" + lengthOf(gzip(kContent).size()) +
                      gzip(kContent)),
            "offers ");
        add("a body without an end", endless(std::string(kOk) + "\r\n", std::string(1 << 16, 'c')),
            "sent more than 300,000 bytes");
        add("chunks without an end",
            endless(std::string(kOk) + "Transfer-Encoding: chunked\r\n\r\n",
                    "1000\r\n" + std::string(4096, 'c') + "\r\n"),
            "sent more than 300,000 bytes");
        add("extensions of a chunk without an end",
            endless(std::string(kOk) + "Transfer-Encoding: chunked\r\n\r\n5;", std::string(1 << 16, 'x')), "");
        add("a page of a redirect without an end",
            endless("HTTP/1.1 302 Found\r\nContent-Length: 9999999999999\r\nLocation: /elsewhere\r\n\r\n",
                    std::string(1 << 16, 'x')),
            "sent more than 1,048,576 bytes before the file");
        add("a redirect without a place", answering("HTTP/1.1 302 Found\r\nConnection: close\r\n" + lengthOf(0)),
            "answered 302");
        add("redirect to a port that is none", answering(redirectTo("http://127.0.0.1:99999/b")),
            "is not an address to fetch from");
        add("redirect to a file in capitals", answering(redirectTo("FILE:///etc/passwd")),
            "leads to an address that is not fetched from");
        add("redirect to a directory service", answering(redirectTo("ldap://127.0.0.1:1/b")),
            "leads to an address that is not fetched from");
        add("redirect with an escape", answering(redirectTo("ftp://a" + escape + "/b")),
            "is not an address to fetch from");
        add("redirect to ftp", answering(redirectTo("ftp://127.0.0.1:1/b")),
            "leads to an address that is not fetched from");
        add("redirect to gopher", answering(redirectTo("gopher://127.0.0.1:1/_x")),
            "leads to an address that is not fetched from");
        add("redirect to a file", answering(redirectTo("file:///etc/passwd")),
            "leads to an address that is not fetched from");
        add("redirect without end", answering(redirectTo("/again?" + std::string(3000, 'y'))),
            "sends from one address to the next without end");
    }
    void anAnswerThatIsNoneIsRefused() {
        QFETCH(Serve, serve);
        QFETCH(QString, says);
        RawServer bad(serve);
        job_.urls = {bad.url("/bad")};
        const QString sentence = failure();
        checkWords(sentence, address(bad) + says);
        QVERIFY2(!sentence.contains("failed ("), qPrintable(sentence));
        QVERIFY2(fs::exists(job_.part) ? fs::file_size(job_.part) <= kContent.size() : true, qPrintable(sentence));
        // Nothing of it stands in the way of a good one.
        job_.urls.push_back(good_.url("/data.bin"));
        QVERIFY(download(job_));
        QVERIFY(content() == kContent);
    }

    void headersWithoutAnEndAreLeft_data() {
        QTest::addColumn<QByteArray>("begin");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<QString>("says");
        // Newer versions of libcurl refuse more than 5,000 lines by themselves.
        const QByteArray line = "X-Header: " + QByteArray(300, 'y') + "\r\n", first = "HTTP/1.1 200 OK\r\n";
        const QString limit = "sent more than 196,608 bytes of headers";
        QTest::newRow("many headers") << first << line.repeated(1000) << limit;
        QTest::newRow("many answers") << QByteArray() << ("HTTP/1.1 100 Continue\r\n" + line + "\r\n").repeated(1000)
                                      << limit;
        QTest::newRow("behind the body") << first + "Transfer-Encoding: chunked\r\n\r\n0\r\n"
                                         << line.repeated(1000) << limit;
        QTest::newRow("a header without its end")
            << first + "X: " << QByteArray(1 << 16, 'x') << QString("sent headers that there is no room for");
    }
    void headersWithoutAnEndAreLeft() {
        QFETCH(QByteArray, begin);
        QFETCH(QByteArray, more);
        QFETCH(QString, says);
        RawServer bad(endless(begin.toStdString(), more.toStdString()));
        job_.urls = {bad.url("/bad")};
        // Not the pace ends it, which at full speed would be too late for the memory.
        job_.patience.stall = milliseconds(60'000);
        checkWords(failure(), address(bad) + says);
        QVERIFY(content().empty());
    }

    void aRangeThatLiesIsNotGluedOn_data() {
        QTest::addColumn<QByteArray>("range");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<bool>("sized");
        const QByteArray rest(200'000, 'x'), length = "Content-Length: 200000\r\n";
        for (const bool sized : {true, false}) {
            const auto add = [sized](const char* name, const QByteArray& range, const QByteArray& more) {
                QTest::addRow("%s, size %s", name, sized ? "known" : "unknown") << range << more << sized;
            };
            add("none", "", length + "\r\n" + rest);
            add("from elsewhere", "bytes 0-199999/300000", length + "\r\n" + rest);
            add("backwards", "bytes 100000-5/300000", "\r\n" + rest);
            add("beyond its file", "bytes 100000-299999/200000", length + "\r\n" + rest);
            add("of a file shorter than the part", "bytes 100000-100000/50", "Content-Length: 0\r\n\r\n");
            add("of a file below zero", "bytes 100000-299999/-300000", length + "\r\n" + rest);
            add("below zero", "bytes -100000-299999/300000", length + "\r\n" + rest);
            add("beyond all numbers", "bytes 100000-99999999999999999999/99999999999999999999", "\r\n" + rest);
            add("in another unit", "pages 100000-299999/300000", length + "\r\n" + rest);
            add("with an appendix", "bytes 100000-299999/300000, 0-5/300000", length + "\r\n" + rest);
            add("of another length", "bytes 100000-299999/300000", "Content-Length: 200005\r\n\r\n" + rest + "xxxxx");
            add("longer than it says", "bytes 100000-299999/300000", "\r\n" + rest + "xxxxx");
            add("longer than it says, of a file of unknown length", "bytes 100000-299999/*", "\r\n" + rest + "xxxxx");
            add("packed for the way", "bytes 100000-299999/300000",
                "Transfer-Encoding: gzip\r\n\r\n" + QByteArray::fromStdString(gzip(rest.toStdString())));
            add("in several parts", "",
                "Content-Type: multipart/byteranges; boundary=b\r\n\r\n--b\r\nContent-Range: bytes "
                "100000-299999/300000\r\n\r\n" +
                    rest + "\r\n--b--\r\n");
        }
    }
    void aRangeThatLiesIsNotGluedOn() {
        QFETCH(QByteArray, range);
        QFETCH(QByteArray, more);
        QFETCH(bool, sized);
        const std::string head = "HTTP/1.1 206 Partial Content\r\nConnection: close\r\n" +
                                 (range.isEmpty() ? std::string() : "Content-Range: " + range.toStdString() + "\r\n");
        RawServer bad(answering(head + more.toStdString()));
        job_.urls = {bad.url("/bad")};
        if (!sized) {
            job_.expected_bytes = 0;
            job_.wrong = nullptr;
        }
        writeFile(QString::fromStdString(job_.part.string()), QByteArray::fromStdString(kContent.substr(0, 100'000)));
        PartRecord{job_.urls[0], "\"one\"", 0}.save(job_.part);
        checkWords(failure(), address(bad));
        QVERIFY2(content().find('x') == std::string::npos, "glued on");
        job_.urls.push_back(good_.url("/data.bin"));
        QVERIFY(download(job_));
        QVERIFY(content() == kContent);
    }

    void aRangeThatEndsTooEarlyIsNoWholeFile_data() {
        QTest::addColumn<QByteArray>("range");
        QTest::addColumn<bool>("sized");
        QTest::newRow("size unknown") << QByteArray("bytes 100000-299999/*") << false;
        QTest::newRow("size told by the server") << QByteArray("bytes 100000-299999/300000") << false;
        QTest::newRow("size known") << QByteArray("bytes 100000-299999/*") << true;
        QTest::newRow("size known, part of the rest") << QByteArray("bytes 100000-150000/*") << true;
    }
    void aRangeThatEndsTooEarlyIsNoWholeFile() {
        QFETCH(QByteArray, range);
        QFETCH(bool, sized);
        RawServer bad(
            answering("HTTP/1.1 206 Partial Content\r\nConnection: close\r\nETag: \"one\"\r\nContent-Range: " +
                      range.toStdString() + "\r\n\r\nccccc"));
        job_.urls = {bad.url("/bad")};
        if (!sized) job_.expected_bytes = 0;
        job_.wrong = nullptr;
        writeFile(QString::fromStdString(job_.part.string()), QByteArray(100'000, 'c'));
        PartRecord{job_.urls[0], "\"one\"", 0}.save(job_.part);
        checkWords(failure(), address(bad) + "ended after 100,005 of 300,000 bytes");
        QCOMPARE(content().size(), std::size_t{100'005});
    }

    void silenceIsLeft_data() {
        QTest::addColumn<QString>("scheme");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("after the connection") << "http" << QByteArray();
        QTest::newRow("in the first line") << "http" << QByteArray("HTTP/1.1 2");
        QTest::newRow("in TLS") << "https" << QByteArray();
        QTest::newRow("in the body") << "http" << QByteArray(kOk) + "\r\nabc";
    }
    void silenceIsLeft() {
        QFETCH(QString, scheme);
        QFETCH(QByteArray, begin);
        RawServer bad([&](RawConnection& connection) {
            if (begin.isEmpty() || (connection.readRequest() && connection.send(begin.toStdString())))
                connection.hang();
        });
        job_.urls = {bad.url("/bad", scheme.toStdString())};
        job_.patience.stall = milliseconds(300);
        checkWords(failure(), "sent hardly anything");
    }

    void aServerThatDoesNotAcceptIsLeft_data() {
        QTest::addColumn<bool>("full");
        QTest::addColumn<QString>("says");
        QTest::newRow("it waits in the queue") << false << "sent hardly anything";
        QTest::newRow("the queue is full") << true << "did not answer";
    }
    void aServerThatDoesNotAcceptIsLeft() {
        QFETCH(bool, full);
        QFETCH(QString, says);
        auto deaf = std::make_unique<DeafServer>(full ? DeafServer::Queue::Full : DeafServer::Queue::Open);
        job_.urls = {deaf->url("/bad")};
        job_.patience.connect = job_.patience.stall = milliseconds(60'000);
        QCOMPARE(endAfterStop([&] { return deaf->isAsked(); }, [&] { deaf.reset(); }), QString("stopped"));
        job_.patience.connect = milliseconds(300);
        if (!full) job_.patience.stall = milliseconds(300);
        checkWords(failure(), says);
        job_.urls.push_back(good_.url("/data.bin"));
        job_.patience.rounds = kManyRounds;
        QVERIFY(download(job_));
        QVERIFY(content() == kContent);
    }

    void aStopEndsEverything_data() {
        QTest::addColumn<QString>("scheme");
        QTest::addColumn<bool>("proxy");
        QTest::addColumn<ServeUntil>("serve");  // after the request, or at once with TLS
        const auto add = [](const char* name, const char* scheme, ServeUntil serve, bool proxy = false) {
            QTest::newRow(name) << QString(scheme) << proxy << std::move(serve);
        };
        const auto then = [](const std::string& begin, const std::string& piece) -> ServeUntil {
            return [begin, piece](RawConnection& connection, const std::function<void()>& there) {
                if (!connection.send(begin) || !connection.send(piece)) return;
                there();
                while (connection.send(piece)) QThread::msleep(20);
            };
        };
        const auto silent = [](const std::string& begin) -> ServeUntil {
            return [begin](RawConnection& connection, const std::function<void()>& there) {
                if (!connection.send(begin)) return;
                there();
                connection.hang();
            };
        };
        add("silence", "http", silent(""));
        add("silence in TLS", "https", silent(""));
        add("silence in the first line", "http", silent("HTTP/1.1 2"));
        add("silence in the body", "http", silent(std::string(kOk) + "\r\nabc"));
        add("a header at a time", "http", then("HTTP/1.1 200 OK\r\n", "X: y\r\n"));
        add("an answer at a time", "http", then("", "HTTP/1.1 100 Continue\r\n\r\n"));
        add("a byte at a time", "http", then(kOk + lengthOf(kContent.size()), "c"));
        add("a byte of a redirect's page at a time", "http",
            then("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /bad\r\n\r\n", "c"));
        add("silence of a proxy", "https", silent(""), true);
        add("a proxy that leads to silence", "https", silent("HTTP/1.1 200 OK\r\n\r\n"), true);
        add("a page of a proxy without an end", "https",
            then("HTTP/1.1 407 No\r\nContent-Length: 9999999999999\r\n\r\n", std::string(1 << 20, 'x')), true);
    }
    void aStopEndsEverything() {
        QFETCH(QString, scheme);
        QFETCH(bool, proxy);
        QFETCH(ServeUntil, serve);
        std::atomic<bool> there = false;
        auto bad = std::make_unique<RawServer>([&](RawConnection& connection) {
            const bool in_tls = scheme == "https" && !proxy;
            if (!in_tls && !connection.readRequest()) return;
            serve(connection, [&] { there = true; });
        });
        if (proxy) qputenv("https_proxy", QByteArray::fromStdString(bad->url("")));
        job_.urls = {proxy ? "https://far.invalid/bad" : bad->url("/bad", scheme.toStdString())};
        job_.patience.connect = job_.patience.stall = milliseconds(600'000);
        QCOMPARE(endAfterStop([&] { return there.load(); }, [&] { bad.reset(); }), QString("stopped"));
    }

    void aProxyThatMeansNoGoodIsNamed_data() {
        QTest::addColumn<Serve>("serve");
        QTest::addColumn<QString>("says");
        const std::string line = "X-Header: " + std::string(300, 'y') + "\r\n";
        std::string lines;
        for (int i = 0; i < 1000; ++i) lines += line;
        QTest::newRow("closes") << Serve([](RawConnection&) {}) << QString();
        QTest::newRow("noise") << answering("\x16\x03\x01 noise \033[2J\r\n\r\n") << QString();
        QTest::newRow("wants a password") << answering("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
                                          << QString("could not be reached, since the proxy answered 407 (a password");
        QTest::newRow("leads elsewhere") << answering(redirectTo("http://127.0.0.1:1/"))
                                         << QString("could not be reached, since the proxy answered 302");
        QTest::newRow("headers without an end")
            << endless("HTTP/1.1 200 OK\r\n", lines) << QString("sent more than 196,608 bytes of headers");
        QTest::newRow("a page without an end")
            << endless("HTTP/1.1 407 No\r\nContent-Length: 9999999999999\r\n\r\n", std::string(1 << 20, 'x'))
            << QString("sent hardly anything");
        QTest::newRow("another server") << answering("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
                                        << QString("could not agree on a secure connection");
    }
    void aProxyThatMeansNoGoodIsNamed() {
        QFETCH(Serve, serve);
        QFETCH(QString, says);
        RawServer bad(serve);
        qputenv("https_proxy", "http://me:secret@127.0.0.1:" + QByteArray::number(bad.port()));
        job_.urls = {"https://far.invalid/bad"};
        job_.patience.stall = milliseconds(500);
        const QString sentence = failure();
        checkWords(sentence, "https://far.invalid/bad " + says);
        QVERIFY2(!sentence.contains("secret") && !sentence.contains("failed ("), qPrintable(sentence));
        job_.urls.push_back(good_.url("/data.bin"));
        job_.patience.rounds = kManyRounds;
        QVERIFY(download(job_));
    }

    void whatIsNoTlsIsNamed_data() {
        QTest::addColumn<Serve>("serve");
        QTest::newRow("closes") << Serve([](RawConnection&) {});
        QTest::newRow("speaks plainly") << Serve([](RawConnection& connection) {
            connection.send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
            connection.hang();
        });
        QTest::newRow("sends noise for ever") << Serve([](RawConnection& connection) {
            while (connection.send(std::string(1 << 16, '\x17'))) {
            }
        });
        QTest::newRow("sends a record without an end") << Serve([](RawConnection& connection) {
            connection.send(std::string("\x16\x03\x03\x3f\xff\x02\xff\xff\xff", 9));
            while (connection.send(std::string(1 << 16, '\0'))) {
            }
        });
    }
    void whatIsNoTlsIsNamed() {
        QFETCH(Serve, serve);
        RawServer bad(serve);
        job_.urls = {bad.url("/bad", "https")};
        const QString sentence = failure();
        checkWords(sentence, "/bad could not agree on a secure connection (");
        QVERIFY2(!sentence.contains(" )"), qPrintable(sentence));
        job_.urls.push_back(good_.url("/data.bin"));
        QVERIFY(download(job_));
    }

    void theLastByteIsEnoughThoughTheServerStays() {
        RawServer bad([](RawConnection& connection) {
            if (connection.readRequest() && connection.send("HTTP/1.1 200 OK\r\n\r\n" + kContent)) connection.hang();
        });
        job_.urls = {bad.url("/bad")};
        job_.patience.stall = milliseconds(300);
        job_.patience.rounds = kManyRounds;
        QVERIFY(download(job_));
        QVERIFY(content() == kContent);
    }

    void oneByteAtATimeForEverIsLeft() {
        RawServer bad([](RawConnection& connection) {
            if (!connection.readRequest() || !connection.send(kOk + lengthOf(kContent.size()))) return;
            while (connection.send("c")) QThread::msleep(20);
        });
        job_.urls = {bad.url("/bad"), good_.url("/data.bin")};
        job_.patience.stall = milliseconds(400);
        job_.patience.rounds = kManyRounds;
        QVERIFY(download(job_));
        QVERIFY(content() == kContent);
    }

    void whatIsPackedStaysPacked() {
        const std::string bomb = gzip(std::string(20 << 20, '\0'));
        RawServer bad(answering(std::string(kOk) + "Content-Encoding: gzip\r\n" + lengthOf(bomb.size()) + bomb));
        job_.urls = {bad.url("/bad")};
        job_.expected_bytes = 0;
        job_.wrong = nullptr;
        QVERIFY(download(job_));
        QVERIFY(content() == bomb);
    }

    void anArchiveThatIsABombIsNotUnpacked_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("says");
        for (const char* ending : {".tar.gz", ".tar.bz2", ".zip"})
            QTest::addRow("much, %s", ending) << ending << "much"
                                              << "unpacks to more than";
        for (const char* ending : {".tar.gz", ".tar.bz2"})
            QTest::addRow("many, %s", ending) << ending << "many"
                                              << "holds more than";
        QTest::newRow("a false size, .zip") << ".zip"
                                            << "false size"
                                            << "";
        QTest::newRow("much behind the end, .tar.gz") << ".tar.gz"
                                                      << "behind"
                                                      << "there is much behind its end";
    }
    void anArchiveThatIsABombIsNotUnpacked() {
        QFETCH(QString, ending);
        QFETCH(QString, kind);
        QFETCH(QString, says);
        constexpr std::uint32_t kMuch = (96 << 20) + 0x12345;  // as a number in the archive found nowhere else
        std::vector<MadeEntry> entries = {{"images/a.png", "picture"}};
        if (kind == "many")
            entries.resize(80'000, {"images/more", "", MadeEntry::Kind::Folder});
        else if (kind != "behind")
            entries.push_back({"images/b.png", std::string(kMuch, '\0')});
        std::string packed = contentOf(makeArchive(folder_->filePath("made" + ending), entries));
        if (kind == "false size") {
            const std::uint32_t little = 10;
            std::string told(4, '\0'), lie(4, '\0');
            std::memcpy(told.data(), &kMuch, 4);
            std::memcpy(lie.data(), &little, 4);
            int places = 0;
            for (auto at = packed.find(told); at != std::string::npos; at = packed.find(told, at)) {
                packed.replace(at, 4, lie);
                ++places;
            }
            QVERIFY(places > 0);
        }
        if (kind == "behind") packed += gzip(std::string(kMuch, '\0'));
        const std::string name = "images" + ending.toStdString();
        Answer answer;
        answer.body = packed;
        good_.serve("/" + name, {answer});
        DatasetInfo info;
        info.name = "pets";
        info.title = "Pets";
        info.homepage = "https://pets.example/";
        DatasetFile file;
        file.name = name;
        file.size = static_cast<std::int64_t>(packed.size());
        file.urls = {good_.url("/" + name)};
        file.archive = true;
        file.unpacked = "images";
        info.files = {file};
        FetchSettings settings;
        settings.root = folder_->filePath("data").toStdString();
        QString sentence;
        try {
            fetchDataset(info, settings);
        } catch (const Error& error) {
            sentence = QString::fromStdString(error.sentence());
        }
        checkWords(sentence, QString::fromStdString(name));
        checkWords(sentence, says);
        QCOMPARE(QDir(QString::fromStdString(settings.root.string()) + "/pets")
                     .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{QString::fromStdString(name) + ".damaged"});
        // A later one that is honest is taken.
        answer.body = contentOf(makeArchive(folder_->filePath("honest" + ending), {{"images/a.png", "picture"}}));
        good_.serve("/" + name, {answer});
        info.files[0].size = static_cast<std::int64_t>(answer.body.size());
        fetchDataset(info, settings);
        QCOMPARE(contentOf(settings.root / "pets" / "images" / "a.png"), std::string("picture"));
    }

    void aPasswordInARedirectIsNotRepeated_data() {
        QTest::addColumn<QString>("to");
        QTest::newRow("to nobody") << "http://me:secret@127.0.0.1:1/";
        QTest::newRow("to no name") << "http://me:secret@nowhere.invalid/";
        QTest::newRow("to no TLS") << "https://me:secret@127.0.0.1:1/";
        QTest::newRow("to no port") << "http://me:secret@127.0.0.1:99999/";
        QTest::newRow("to no number") << "http://me:secret@[::secret/";
        QTest::newRow("to ftp") << "ftp://me:secret@127.0.0.1:1/";
        QTest::newRow("to a blank") << "http://me:sec ret@127.0.0.1:1/";
        QTest::newRow("to an escape") << QString("http://me:secret\033[1m@127.0.0.1:1/");
        QTest::newRow("to two hosts") << "http://me:secret@secret@127.0.0.1:1/";
        QTest::newRow("round and round") << "http://me:secret@127.0.0.1:%1/bad";
    }
    void aPasswordInARedirectIsNotRepeated() {
        QFETCH(QString, to);
        RawServer bad([&](RawConnection& connection) {
            const QString place = to.contains("%1") ? to.arg(bad_port_) : to;
            if (connection.readRequest()) connection.send(redirectTo(place.toStdString()));
        });
        bad_port_ = bad.port();
        job_.urls = {bad.url("/bad")};
        const QString sentence = failure();
        checkWords(sentence, address(bad));
        QVERIFY2(!sentence.contains("secret") && !sentence.contains("sec ret") && !sentence.contains("failed ("),
                 qPrintable(sentence));
        job_.urls.push_back(good_.url("/data.bin"));
        QVERIFY(download(job_));
        QVERIFY(content() == kContent);
    }

    void ourPasswordIsNotSentElsewhereNorKept() {
        RawServer first(answering(redirectTo(good_.url("/cut.bin"))));
        Answer cut, gone;
        cut.body = kContent;
        cut.cut_after = 100'000;
        gone.status = 404;
        good_.serve("/cut.bin", {cut, gone});
        job_.urls = {"http://me:secret@127.0.0.1:" + std::to_string(first.port()) + "/data.bin"};
        checkWords(failure(), "/data.bin answered 404");
        QCOMPARE(content().size(), std::size_t{100'000});
        const Request last = good_.requests().back();
        QCOMPARE(last.target, std::string("/cut.bin"));
        QVERIFY(!last.headers.contains("authorization"));
        QCOMPARE(PartRecord::load(job_.part).url, "http://127.0.0.1:" + std::to_string(first.port()) + "/data.bin");
        // What is there is still known to be from that address.
        cut.cut_after = -1;
        good_.serve("/cut.bin", {cut});
        job_.wrong = nullptr;
        QVERIFY(download(job_));
        QVERIFY(content() == kContent);
        QCOMPARE(good_.requests().back().headers.at("range"), std::string("bytes=100000-"));
    }

    void aServerProvesWhoItIs_data() {
        QTest::addColumn<Certificate>("certificate");
        QTest::addColumn<QByteArray>("variable");  // that names the authority
        QTest::addColumn<QString>("says");
        const QByteArray known = "SSL_CERT_FILE";
        QTest::newRow("as it should") << Certificate{} << known << QString();
        QTest::newRow("as it should, by the other variable")
            << Certificate{} << QByteArray("CURL_CA_BUNDLE") << QString();
        QTest::newRow("another name") << Certificate{"elsewhere.example"} << known << QString("match");
        QTest::newRow("another number") << Certificate{"127.0.0.2"} << known << QString("match");
        QTest::newRow("expired") << Certificate{"127.0.0.1", -30, -1} << known << QString("expired");
        QTest::newRow("not yet") << Certificate{"127.0.0.1", 2, 30} << known << QString("not yet valid");
        QTest::newRow("by itself") << Certificate{"127.0.0.1", -1, 30, true} << known << QString("self");
        QTest::newRow("by an authority that nobody knows") << Certificate{} << QByteArray() << QString("issuer");
    }
    void aServerProvesWhoItIs() {
        QFETCH(Certificate, certificate);
        QFETCH(QByteArray, variable);
        QFETCH(QString, says);
        TlsServer server(certificate, kOk + lengthOf(kContent.size()) + kContent);
        if (!variable.isEmpty()) qputenv(variable.constData(), authorityOf(server));
        job_.urls = {server.url("/data.bin")};
        if (says.isEmpty()) {
            QVERIFY(download(job_));
            QVERIFY(content() == kContent);
            return;
        }
        const QString sentence = failure();
        checkWords(sentence, "could not prove who it is");
        QVERIFY2(sentence.contains(says) && sentence.contains("SSL_CERT_FILE"), qPrintable(sentence));
        QCOMPARE(server.requests(), 0);
        QVERIFY(!fs::exists(job_.part));
        job_.urls.push_back(good_.url("/data.bin"));
        QVERIFY(download(job_));
    }

    void http2IsNotSpoken() {
        TlsServer server(Certificate{}, kOk + lengthOf(kContent.size()) + kContent);
        qputenv("SSL_CERT_FILE", authorityOf(server));
        job_.urls = {server.url("/data.bin")};
        QVERIFY(download(job_));
        QCOMPARE(server.offered(), std::string("http/1.1"));
    }

    void anAuthorityThatCannotBeReadIsNamed_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no file") << QByteArray();
        QTest::newRow("noise") << QByteArray("-----BEGIN CERTIFICATE-----\nnoise\n-----END CERTIFICATE-----\n");
    }
    void anAuthorityThatCannotBeReadIsNamed() {
        QFETCH(QByteArray, content);
        TlsServer server(Certificate{}, kOk + lengthOf(kContent.size()) + kContent);
        const QString path = folder_->filePath("authority.pem");
        if (!content.isEmpty()) writeFile(path, content);
        qputenv("SSL_CERT_FILE", path.toLocal8Bit());
        job_.urls = {server.url("/data.bin")};
        checkWords(failure(), "could not be asked who it is");
        QCOMPARE(server.requests(), 0);
    }

    void aRedirectLeadsToNobodyWhoDoesNotProveWhoHeIs() {
        TlsServer unknown(Certificate{"127.0.0.1", -1, 30, true}, kOk + lengthOf(kContent.size()) + kContent);
        RawServer first(answering(redirectTo(unknown.url("/data.bin"))));
        job_.urls = {first.url("/bad")};
        checkWords(failure(), address(first) + "could not prove who it is");
        QCOMPARE(unknown.requests(), 0);
    }

    void whatWasAskedForInSecretIsNotSentElsewhereInPlain_data() {
        QTest::addColumn<QString>("scheme");
        QTest::newRow("as usual") << "https";
        QTest::newRow("in capitals") << "HTTPS";
    }
    void whatWasAskedForInSecretIsNotSentElsewhereInPlain() {
        QFETCH(QString, scheme);
        TlsServer server(Certificate{}, redirectTo(good_.url("/data.bin")));
        qputenv("SSL_CERT_FILE", authorityOf(server));
        const std::size_t before = good_.requests().size();
        job_.urls = {scheme.toStdString() + server.url("/data.bin").substr(5)};
        checkWords(failure(), "leads to an address that is not fetched from");
        QCOMPARE(server.requests(), 1);
        QCOMPARE(good_.requests().size(), before);
    }

private:
    int bad_port_ = 0;
};

PALIMPSEST_APPLESS_TEST(TestHostileServer)

}  // namespace tst_hostile_server

#include "tst_hostile_server.moc"
