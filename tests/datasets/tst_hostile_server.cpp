// SPDX-License-Identifier: GPL-3.0-or-later
#include <zlib.h>
#include <QTemporaryDir>
#include <QtTest>
#include <future>

#include "datasets/fetching/download.h"
#include "datasets/fetching/fetch.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
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

const std::string kContent(300'000, 'c');
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
    static void checkWords(const QString& sentence, const QString& says) {
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY2(sentence.size() < 1000, qPrintable(sentence));
        for (const QChar character : sentence)
            QVERIFY2(character.isPrint() && character.unicode() != 0x202e, qPrintable(sentence));
    }

private Q_SLOTS:
    void initTestCase() {
        for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
                                 "NO_PROXY", "SSL_CERT_FILE", "CURL_CA_BUNDLE"})
            qunsetenv(name);
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
    void cleanup() { qunsetenv("SSL_CERT_FILE"); }

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
        add("no number", answering("HTTP/1.1 abc\r\n\r\n"), "");
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
        checkWords(sentence, "http://127.0.0.1:" + QString::number(bad.port()) + "/bad " + says);
        QVERIFY2(fs::exists(job_.part) ? fs::file_size(job_.part) <= kContent.size() : true, qPrintable(sentence));
        // Nothing of it stands in the way of a good one.
        job_.urls.push_back(good_.url("/data.bin"));
        QVERIFY(download(job_));
        QVERIFY(content() == kContent);
    }

    void headersWithoutAnEndAreLeft_data() {
        QTest::addColumn<QByteArray>("more");
        QTest::newRow("many headers") << QByteArray("X-Header: something or other\r\n").repeated(1000);
        QTest::newRow("many answers") << QByteArray("HTTP/1.1 100 Continue\r\n\r\n").repeated(1000);
        QTest::newRow("a header without its end") << QByteArray(1 << 16, 'x');
    }
    void headersWithoutAnEndAreLeft() {
        QFETCH(QByteArray, more);
        RawServer bad(endless("HTTP/1.1 100 Continue\r\n\r\n", more.toStdString()));
        job_.urls = {bad.url("/bad")};
        job_.patience.stall = milliseconds(1000);
        checkWords(failure(), "http://127.0.0.1:" + QString::number(bad.port()) + "/bad ");
        QVERIFY(content().empty());
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
        std::promise<void> there;
        std::atomic<bool> told = false;
        RawServer bad([&](RawConnection& connection) {
            if (!told.exchange(true)) there.set_value();
            if (begin.isEmpty() || (connection.readRequest() && connection.send(begin.toStdString())))
                connection.hang();
        });
        job_.urls = {bad.url("/bad", scheme.toStdString())};
        // A person who stops it does not wait for the server.
        std::stop_source stop;
        job_.stop = stop.get_token();
        auto ended = std::async(std::launch::async, [this] { return failure(); });
        there.get_future().wait();
        stop.request_stop();
        QCOMPARE(ended.get(), QString("stopped"));
        // One who does not is told in the end.
        job_.stop = {};
        job_.patience.stall = milliseconds(300);
        checkWords(failure(), "sent hardly anything");
    }

    void oneByteAtATimeForEverIsLeft() {
        RawServer bad([](RawConnection& connection) {
            if (!connection.readRequest() || !connection.send(kOk + lengthOf(kContent.size()))) return;
            while (connection.send("c")) QThread::msleep(20);
        });
        job_.urls = {bad.url("/bad"), good_.url("/data.bin")};
        job_.patience.stall = milliseconds(400);
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

    void anArchiveThatIsABombIsNotUnpacked() {
        const fs::path archive =
            makeArchive(folder_->filePath("images.tar.gz"), {{"images/a.png", std::string(300 << 20, '\0')}});
        const std::string packed = contentOf(archive);
        Answer answer;
        answer.body = packed;
        good_.serve("/images.tar.gz", {answer});
        DatasetInfo info;
        info.name = "pets";
        info.title = "Pets";
        info.homepage = "https://pets.example/";
        DatasetFile file;
        file.name = "images.tar.gz";
        file.size = static_cast<std::int64_t>(packed.size());
        file.urls = {good_.url("/images.tar.gz")};
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
        checkWords(sentence, "images.tar.gz");
        for (const auto& entry : fs::recursive_directory_iterator(settings.root))
            QVERIFY2(!entry.is_regular_file() || entry.file_size() < (1U << 20), entry.path().c_str());
    }

    void aPasswordInARedirectIsNotRepeated() {
        RawServer bad(answering(redirectTo("http://me:secret@127.0.0.1:1/")));
        job_.urls = {bad.url("/bad")};
        const QString sentence = failure();
        checkWords(sentence, "could not be reached");
        QVERIFY2(!sentence.contains("secret"), qPrintable(sentence));
    }

    void aServerProvesWhoItIs_data() {
        QTest::addColumn<Certificate>("certificate");
        QTest::addColumn<bool>("known");
        QTest::addColumn<QString>("says");
        QTest::newRow("as it should") << Certificate{} << true << QString();
        QTest::newRow("another name") << Certificate{"elsewhere.example"} << true << QString("match");
        QTest::newRow("another number") << Certificate{"127.0.0.2"} << true << QString("match");
        QTest::newRow("expired") << Certificate{"127.0.0.1", -30, -1} << true << QString("expired");
        QTest::newRow("not yet") << Certificate{"127.0.0.1", 2, 30} << true << QString("not yet valid");
        QTest::newRow("by itself") << Certificate{"127.0.0.1", -1, 30, true} << true << QString("self");
        QTest::newRow("by an authority that nobody knows") << Certificate{} << false << QString("issuer");
    }
    void aServerProvesWhoItIs() {
        QFETCH(Certificate, certificate);
        QFETCH(bool, known);
        QFETCH(QString, says);
        TlsServer server(certificate, kOk + lengthOf(kContent.size()) + kContent);
        const QString authority = folder_->filePath("authority.pem");
        QFile file(authority);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(server.authority()));
        file.close();
        if (known) qputenv("SSL_CERT_FILE", authority.toLocal8Bit());
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

    void anAuthorityThatCannotBeReadIsNamed() {
        TlsServer server(Certificate{}, kOk + lengthOf(kContent.size()) + kContent);
        qputenv("SSL_CERT_FILE", folder_->filePath("none.pem").toLocal8Bit());
        job_.urls = {server.url("/data.bin")};
        checkWords(failure(), "could not be asked who it is");
        QCOMPARE(server.requests(), 0);
    }

    void whatWasAskedForInSecretIsNotSentElsewhereInPlain_data() {
        QTest::addColumn<QString>("scheme");
        QTest::newRow("as usual") << "https";
        QTest::newRow("in capitals") << "HTTPS";
    }
    void whatWasAskedForInSecretIsNotSentElsewhereInPlain() {
        QFETCH(QString, scheme);
        TlsServer server(Certificate{}, redirectTo(good_.url("/data.bin")));
        QFile file(folder_->filePath("authority.pem"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(server.authority()));
        file.close();
        qputenv("SSL_CERT_FILE", file.fileName().toLocal8Bit());
        const std::size_t before = good_.requests().size();
        job_.urls = {scheme.toStdString() + server.url("/data.bin").substr(5)};
        checkWords(failure(), "leads to an address that is not fetched from");
        QCOMPARE(server.requests(), 1);
        QCOMPARE(good_.requests().size(), before);
    }
};

PALIMPSEST_APPLESS_TEST(TestHostileServer)

}  // namespace tst_hostile_server

#include "tst_hostile_server.moc"
