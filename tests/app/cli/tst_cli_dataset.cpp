// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>

#include "tests/datasets/idx_files.h"
#include "tests/support/cli_program.h"
#include "tests/support/http_server.h"
#include "tests/support/raw_server.h"
#include "tests/support/test_program.h"
#include "tests/support/tls_server.h"

using namespace palimpsest::test;

namespace tst_cli_dataset {

namespace {

constexpr std::int64_t kCifarBytes = 170'052'171;
const char* const kCifarFile = "/cifar-10-binary.tar.gz";

}  // namespace

/// Fetches from a server on this machine; every other address leads to a proxy that does not exist.
class TestCliDataset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        server_ = std::make_unique<HttpServer>();
        environment_ = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"http_proxy", "https_proxy"}) environment_.insert(name, "http://127.0.0.1:1");
        for (const char* name : {"HTTPS_PROXY", "all_proxy", "ALL_PROXY", "NO_PROXY"}) environment_.remove(name);
        environment_.insert("no_proxy", "127.0.0.1");
        environment_.insert("PALIMPSEST_DATA", folder_->filePath("data"));
    }

    void theListNamesEveryDataSet() {
        const Outcome plain = call({"dataset", "list"});
        QVERIFY2(plain.code == 0, plain.err.constData());
        const Outcome json = call({"dataset", "list", "--json"});
        QCOMPARE(json.code, 0);
        const auto catalogue = jsonLines(call({"datasets", "--json"}).out);
        const auto lines = jsonLines(json.out);
        QVERIFY(lines.size() >= 5);
        QCOMPARE(lines.size(), catalogue.size());
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QString name = lines[i]["name"].toString();
            QCOMPARE(name, catalogue[i]["name"].toString());
            QVERIFY2(plain.out.contains(name.toUtf8()), qPrintable(name));
            for (const char* key : {"title", "bytes", "present", "fetchable", "folder", "homepage", "missing"})
                QVERIFY2(lines[i].contains(key), key);
            if (name == "cifar10") {
                QVERIFY(!lines[i]["present"].toBool() && lines[i]["fetchable"].toBool());
                QCOMPARE(lines[i]["bytes"].toDouble(), double(kCifarBytes));
                QVERIFY2(plain.out.contains("CIFAR-10: to fetch, 170 MB"), plain.out.constData());
            }
            if (name == "cub175") {
                QCOMPARE(lines[i]["part_of"].toString(), QString("cub200"));
                QVERIFY2(plain.out.contains("CUB-175: part of cub200"), plain.out.constData());
            }
            if (name == "icons") QVERIFY(!lines[i]["fetchable"].toBool() && !lines[i]["packages"].toString().isEmpty());
            if (name == "shapes") QVERIFY(lines[i]["present"].toBool() && lines[i]["procedural"].toBool());
        }
    }

    void badInputIsOneSentenceAndExitCodeTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("part");
        QTest::newRow("no verb") << QStringList{"dataset"} << "dataset --help";
        QTest::newRow("no name") << QStringList{"dataset", "fetch"} << "fetch needs NAME: name of the data set";
        QTest::newRow("unknown name") << QStringList{"dataset", "fetch", "petz"}
                                      << "There is no data set called \"petz\". Choose one of: ";
        QTest::newRow("offline") << QStringList{"dataset", "fetch", "cifar10", "--offline"}
                                 << "cifar-10-binary.tar.gz is missing in ";
        QTest::newRow("nothing there") << QStringList{"dataset", "fetch", "cifar10", "--have", "/nowhere"}
                                       << "There is no file or folder /nowhere.";
        QTest::newRow("something else") << QStringList{"dataset", "fetch", "cifar10", "--have", "/dev/null/x"}
                                        << "/dev/null/x";
        QTest::newRow("a part") << QStringList{"dataset", "fetch", "cub25"}
                                << "Fetch it with \"palimpsest-cli dataset fetch cub200\"";
        QTest::newRow("themes of packages") << QStringList{"dataset", "fetch", "icons", "--root", "/nowhere"}
                                            << "Install it with \"sudo apt install tango-icon-theme ";
        QTest::newRow("a root without the themes")
            << QStringList{"dataset", "check", "icons", "--root", "/nowhere"} << "Without --root what is installed in ";
        QTest::newRow("not there") << QStringList{"dataset", "check", "cifar10"} << "CIFAR-10";
        QTest::newRow("option of this command")
            << QStringList{"dataset", "check", "cifar10"} << "holds it in --root or in the";
        QTest::newRow("unknown name, shown")
            << QStringList{"dataset", "show", "petz"} << "There is no data set called \"petz\". Choose one of: ";
        QTest::newRow("not there, quick") << QStringList{"dataset", "check", "cifar10", "--quick"} << "CIFAR-10";
    }
    void badInputIsOneSentenceAndExitCodeTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, part);
        const Outcome outcome = call(arguments);
        QVERIFY2(QString(outcome.err).contains(part), outcome.err.constData());
        QVERIFY2(outcome.err.startsWith("palimpsest-cli: ") && outcome.err.count('\n') == 1, outcome.err.constData());
        QVERIFY2(outcome.out.isEmpty(), outcome.out.constData());
        QCOMPARE(outcome.code, 2);
    }

    void whatTheProgramMakesNeedsNoFetch() {
        const Outcome outcome = call({"dataset", "fetch", "shapes"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY2(outcome.out.contains("there is nothing to fetch"), outcome.out.constData());
    }

    void whatAPersonHasIsTakenOnce() {
        QVERIFY(QDir(folder_->path()).mkpath("mine/cifar-10-batches-bin"));
        writeFile(folder_->filePath("mine/cifar-10-batches-bin/data_batch_1.bin"), "picture");
        const QStringList arguments = {"dataset", "fetch", "cifar10", "--root", folder_->filePath("root")};
        const Outcome outcome = call(arguments + QStringList{"--have", folder_->filePath("mine"), "--json"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const auto events = jsonLines(outcome.out);
        QCOMPARE(events.last()["event"].toString(), QString("fetched"));
        QCOMPARE(events.last()["folder"].toString(), folder_->filePath("root/cifar10"));
        QVERIFY2(!events.last()["note"].toString().isEmpty(), "One batch of five with seven bytes deserves a note.");
        QVERIFY(QFile::exists(folder_->filePath("root/cifar10/cifar-10-batches-bin/data_batch_1.bin")));
        const Outcome again = call(arguments);
        QVERIFY2(again.code == 0, again.err.constData());
        QCOMPARE(again.out, "CIFAR-10 is complete in " + folder_->filePath("root/cifar10").toUtf8() + "\n");
        QVERIFY2(again.err.isEmpty(), again.err.constData());
    }

    void whatIsHereInAnotherPlaceNeedsNoFetch() {
        const QString place = folder_->filePath("data/FashionMNIST/raw");
        QVERIFY(QDir(folder_->path()).mkpath("data/FashionMNIST/raw"));
        for (const char* part : {"train", "t10k"}) {
            writeFile(place + "/" + part + "-images-idx3-ubyte", idxImages(20, 28, 28));
            writeFile(place + "/" + part + "-labels-idx1-ubyte", idxLabels(QByteArray(20, '\3')));
        }
        const QStringList arguments = {"dataset", "fetch", "fashion-mnist", "--offline"};
        const Outcome here = call(arguments);
        QVERIFY2(here.code == 0, here.err.constData());
        QVERIFY2(here.out.startsWith("Fashion-MNIST is here already, in " + place.toUtf8() + ";"),
                 here.out.constData());
        const Outcome asked = call(arguments + QStringList{"--root", folder_->filePath("data")});
        QVERIFY2(asked.code == 2 && asked.err.contains("are missing in"), asked.err.constData());
    }

    void aDamagedFileIsNamedOffline() {
        QVERIFY(QDir(folder_->path()).mkpath("data/fashion-mnist"));
        writeFile(folder_->filePath("data/fashion-mnist/t10k-labels-idx1-ubyte.gz"), QByteArray(5148, 'x'));
        const Outcome outcome =
            call({"dataset", "fetch", "fashion-mnist", "--offline", "--root", folder_->filePath("data")});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("t10k-labels-idx1-ubyte.gz has the SHA-256 ") &&
                     outcome.err.contains("or fetch with a network"),
                 outcome.err.constData());
        QVERIFY2(outcome.out.contains("Checking t10k-labels-idx1-ubyte.gz (5.15 kB)\n"), outcome.out.constData());
    }

    void theCatalogueIsShownForWhatIsNotHere() {
        const Outcome plain = call({"dataset", "show", "cifar10"});
        QVERIFY2(plain.code == 0, plain.err.constData());
        const QJsonObject json = jsonLines(call({"dataset", "show", "cifar10", "--json"}).out).last();
        for (const char* key : {"title", "summary", "origin", "licence", "citation", "homepage", "folder", "state"}) {
            QVERIFY2(!json[key].toString().isEmpty(), key);
            QVERIFY2(plain.out.contains(json[key].toString().toUtf8()), key);
        }
        QVERIFY(!json["present"].toBool());
        QCOMPARE(json["folder"].toString(), folder_->filePath("data/cifar10"));
        QCOMPARE(json["classes"].toInt(), 10);
        QCOMPARE(json["train"].toInt(), 50'000);
        QCOMPARE(json["class_names"].toArray().size(), qsizetype(10));
        QVERIFY2(plain.out.contains("50,000 training and 10,000 test images") && plain.out.contains("  9  truck\n"),
                 plain.out.constData());
        const QJsonObject file = json["files"].toArray()[0].toObject();
        QCOMPARE(file["bytes"].toDouble(), double(kCifarBytes));
        for (const QString& part : {file["file"].toString(), file["checksum"].toString(),
                                    file["urls"].toArray()[0].toString(), QString("170,052,171 bytes")})
            QVERIFY2(!part.isEmpty() && plain.out.contains(part.toUtf8()), qPrintable(part));
    }

    void aPartIsShownWithTheFilesOfTheWhole() {
        const QJsonObject json = jsonLines(call({"dataset", "show", "cub175", "--json"}).out).last();
        QCOMPARE(json["part_of"].toString(), QString("cub200"));
        QVERIFY(!json["files"].toArray().isEmpty());
        const Outcome made = call({"dataset", "show", "shapes"});
        QVERIFY2(made.code == 0 && made.out.contains("made by the program"), made.out + made.err);
    }

    void aFailureNamesEveryAddress() {
        Answer page;
        page.body = "<html>Please log in.</html>";
        server_->serve(kCifarFile, {page});
        const Outcome outcome =
            call({"dataset", "fetch", "cifar10", "--mirror", QString::fromStdString(server_->url("")), "--mirror",
                  QString::fromStdString(server_->url("/none"))});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.startsWith("palimpsest-cli: cifar-10-binary.tar.gz could not be fetched: ") &&
                     outcome.err.count('\n') == 1,
                 outcome.err.constData());
        for (const QByteArray& part :
             {QByteArray::fromStdString(server_->url(kCifarFile)) + " offers 27 bytes where 170,052,171 are expected",
              QByteArray::fromStdString(server_->url("/none")) + kCifarFile + " answered 404 (not found)",
              QByteArray("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz could not be reached")})
            QVERIFY2(outcome.err.contains(part), outcome.err.constData());
    }

    void aServerThatMeansNoGoodIsNamedAndTheNextHelps_data() {
        QTest::addColumn<QByteArray>("begin");
        QTest::addColumn<QByteArray>("more");  // sent for ever
        QTest::addColumn<QByteArray>("says");
        const QByteArray ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n", redirect = "HTTP/1.1 302 Found\r\nLocation: ";
        QTest::newRow("noise") << QByteArray("\x16\x03\x01\033]0;mine\007\xe2\x80\xae\n") << QByteArray()
                               << QByteArray("does not answer as a web server does");
        QTest::newRow("a redirect to a file") << redirect + "file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"
                                              << QByteArray() << QByteArray("leads to an address that is not fetched");
        QTest::newRow("redirects in a circle")
            << redirect + "/again\r\nContent-Length: 0\r\n\r\n"
            << QByteArray() << QByteArray("sends from one address to the next without end");
        QTest::newRow("headers without an end")
            << ok << ("X-Header: " + QByteArray("\033[2J").repeated(80) + "\r\n").repeated(1000)
            << QByteArray("sent more than 196,608 bytes of headers");
        QTest::newRow("a body without an end") << ok + "\r\n"
                                               << QByteArray(1 << 16, 'x') << QByteArray("sent more than ");
        QTest::newRow("packed for the way") << ok + "Transfer-Encoding: gzip\r\n\r\n" + gzipped("little")
                                            << QByteArray() << QByteArray("sends the file packed for the way");
    }
    void aServerThatMeansNoGoodIsNamedAndTheNextHelps() {
        QFETCH(QByteArray, begin);
        QFETCH(QByteArray, more);
        QFETCH(QByteArray, says);
        RawServer bad([&](RawConnection& connection) {
            bool listens = connection.readRequest() && connection.send(begin.toStdString());
            while (listens && !more.isEmpty()) listens = connection.send(more.toStdString());
        });
        // The next one has the beginning of the file, and then no more of it.
        Answer cut;
        cut.body = std::string(100'000, 'x');
        cut.claimed_length = kCifarBytes;
        cut.cut_after = 100'000;
        server_->serve(kCifarFile, {cut, Answer{.status = 404}});
        const QString from_bad = QString::fromStdString(bad.url("")),
                      from_next = QString::fromStdString(server_->url(""));
        const QDir kept(folder_->filePath("data/cifar10"));
        const QStringList arguments = {"dataset", "fetch", "cifar10", "--mirror", from_bad};
        const QByteArray sentence = (from_bad + kCifarFile).toUtf8() + " " + says;
        const Outcome alone = call(arguments);
        checkSentence(alone, sentence);
        QVERIFY2(!kept.exists(), "something of it was kept");
        const Outcome both = call(arguments + QStringList{"--mirror", from_next});
        checkSentence(both, sentence);
        checkSentence(both, (from_next + kCifarFile).toUtf8() + " answered 404 (not found)");
        QCOMPARE(kept.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name),
                 (QStringList{"cifar-10-binary.tar.gz.part", "cifar-10-binary.tar.gz.part.source"}));
        QVERIFY(contentOf(kept.filePath("cifar-10-binary.tar.gz.part")) == QByteArray(100'000, 'x'));
    }

    void aServerThatDoesNotProveWhoItIsGetsNoRequest_data() {
        QTest::addColumn<int>("last_day");
        QTest::addColumn<bool>("known");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("known") << 30 << true << QByteArray("offers 6 bytes where 170,052,171 are expected");
        QTest::newRow("unknown") << 30 << false << QByteArray("could not prove who it is");
        QTest::newRow("expired") << -1 << true << QByteArray("could not prove who it is");
    }
    void aServerThatDoesNotProveWhoItIsGetsNoRequest() {
        QFETCH(int, last_day);
        QFETCH(bool, known);
        QFETCH(QByteArray, says);
        TlsServer server(Certificate{"127.0.0.1", -30, last_day}, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nlittle");
        const QString authority = folder_->filePath("authority.pem");
        writeFile(authority, QByteArray::fromStdString(server.authority()));
        for (const char* name : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"}) environment_.remove(name);
        if (known) environment_.insert("SSL_CERT_FILE", authority);
        const Outcome outcome =
            call({"dataset", "fetch", "cifar10", "--mirror", QString::fromStdString(server.url(""))});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains(QByteArray::fromStdString(server.url(kCifarFile)) + " " + says),
                 outcome.err.constData());
        const bool trusted = known && last_day > 0;
        QVERIFY2(trusted || outcome.err.contains("SSL_CERT_FILE"), outcome.err.constData());
        QCOMPARE(server.requests() > 0, trusted);
        QVERIFY(!QFile::exists(folder_->filePath("data/cifar10")));
    }

    void ctrlCEndsTheWaitForAServerThatIsSilent_data() {
        QTest::addColumn<QString>("scheme");
        QTest::newRow("http") << "http";
        QTest::newRow("https") << "https";
    }
    void ctrlCEndsTheWaitForAServerThatIsSilent() {
        QFETCH(QString, scheme);
        RawServer silent([](RawConnection& connection) { connection.hang(); });
        QProcess process;
        process.setProcessEnvironment(environment_);
        process.start(program(), {"dataset", "fetch", "cifar10", "--mirror",
                                  QString::fromStdString(silent.url("", scheme.toStdString()))});
        QTRY_VERIFY_WITH_TIMEOUT(silent.connections() > 0, kPatience);
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        // Its own patience would end after 20 and 30 seconds, with another sentence.
        const Outcome outcome = outcomeOf(process);
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.endsWith("Stopped. What has come is kept, and the next call goes on from there.\n"),
                 outcome.out + outcome.err);
        QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
        QCOMPARE(silent.connections(), 1);
    }

    void ctrlCStopsAndTheNextCallGoesOnFromThere() {
        Answer slow;
        slow.body = std::string(100'000, 'x');
        slow.claimed_length = kCifarBytes;
        slow.hang_after = 100'000;
        server_->serve(kCifarFile, {slow, Answer{.status = 404}});
        const QStringList arguments = {"dataset", "fetch", "cifar10", "--mirror",
                                       QString::fromStdString(server_->url(""))};
        QProcess process;
        process.setProcessEnvironment(environment_);
        process.start(program(), arguments);
        const QString part = folder_->filePath("data/cifar10/cifar-10-binary.tar.gz.part");
        QTRY_VERIFY_WITH_TIMEOUT(QFile(part).size() == 100'000, kPatience);
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY2(out.contains("Downloading cifar-10-binary.tar.gz (170 MB)\n"), out.constData());
        QVERIFY2(out.endsWith("Stopped. What has come is kept, and the next call goes on from there.\n"),
                 out.constData());
        QVERIFY2(process.readAllStandardError().isEmpty(), "there is no progress bar outside a terminal");

        const Outcome quick = call({"dataset", "list", "--json"});
        QVERIFY2(quick.out.contains("has been fetched in part (100,000 of 170,052,171 bytes)"), quick.out.constData());
        QCOMPARE(call(arguments).code, 1);
        QCOMPARE(server_->requests().size(), std::size_t{2});
        QCOMPARE(server_->requests()[1].headers.at("range"), std::string("bytes=100000-"));
        QCOMPARE(QFile(part).size(), 100'000);
    }

    void aCheckTellsAWrongChecksum() {
        QVERIFY(QDir(folder_->path()).mkpath("data/fashion-mnist"));
        writeFile(folder_->filePath("data/fashion-mnist/t10k-labels-idx1-ubyte.gz"), QByteArray(5148, 'x'));
        const Outcome outcome = call({"dataset", "check", "fashion-mnist"});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(
            outcome.err.contains("t10k-labels-idx1-ubyte.gz has the SHA-256 ") && outcome.err.contains(" is expected"),
            outcome.err.constData());
    }

    void aCheckReadsEverything_data() {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("thorough") << QStringList{}
                                  << QByteArray("20 test images; every label is valid, 60 images were decoded");
        QTest::newRow("quick") << QStringList{"--quick"} << QByteArray("20 test images; every label is valid\n");
    }
    void aCheckReadsEverything() {
        QFETCH(QStringList, flags);
        QFETCH(QByteArray, says);
        const QByteArray labels(40, '\3');
        writeFile(folder_->filePath("train-images-idx3-ubyte.gz"), gzipped(idxImages(40, 28, 28)));
        writeFile(folder_->filePath("train-labels-idx1-ubyte.gz"), gzipped(idxLabels(labels)));
        writeFile(folder_->filePath("t10k-images-idx3-ubyte"), idxImages(20, 28, 28));
        writeFile(folder_->filePath("t10k-labels-idx1-ubyte"), idxLabels(labels.left(20)));
        const Outcome outcome =
            call(QStringList{"dataset", "check", "fashion-mnist", "--root", folder_->path()} + flags);
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY2(outcome.out.contains("ok: Fashion-MNIST, 10 classes, 40 training and " + says),
                 outcome.out.constData());
        QVERIFY2(
            outcome.out.contains("Note: Fashion-MNIST has 60,000 training and 10,000 test images as its makers hand "
                                 "it out."),
            outcome.out.constData());
        const QJsonObject json =
            jsonLines(
                call(QStringList{"dataset", "check", "fashion-mnist", "--root", folder_->path(), "--json"} + flags).out)
                .last();
        QCOMPARE(json["expected_train"].toInt(), 60'000);
        QCOMPARE(json["train"].toInt(), 40);
        // Files of another size than published are named, and the loader decides.
        QVERIFY2(outcome.out.contains("Note: ") && outcome.out.contains("26,421,880 are expected"),
                 outcome.out.constData());
    }

    void aCheckNamesWhatCannotBeRead_data() {
        QTest::addColumn<int>("broken");
        QTest::addColumn<int>("code");
        QTest::newRow("one") << 1 << 0;
        QTest::newRow("many") << 25 << 0;
        QTest::newRow("all of a class") << 30 << 2;
    }
    void aCheckNamesWhatCannotBeRead() {
        QFETCH(int, broken);
        QFETCH(int, code);
        const QByteArray picture = "P5 4 4 255\n" + QByteArray(16, '\7');
        for (const QString place : {"train/apples", "train/pears", "test/apples", "test/pears"}) {
            QVERIFY(QDir(folder_->path()).mkpath(place));
            for (int i = 10; i < 40; ++i) {
                const bool bad = place == "train/pears" && i < 10 + broken;
                writeFile(folder_->filePath(place + QString("/%1.pgm").arg(i)),
                          bad ? QByteArray("no picture") : picture);
            }
        }
        const QStringList arguments = {"dataset", "check", "folder", "--root", folder_->path()};
        const Outcome outcome = call(arguments);
        QVERIFY2(outcome.code == code, outcome.out + outcome.err);
        QVERIFY2(outcome.out.contains("Note: " + QByteArray::number(broken) + (broken == 1 ? " image " : " images ") +
                                      "cannot be read"),
                 outcome.out.constData());
        QCOMPARE(int(outcome.out.count("  pears/")), std::min(broken, 20));
        QCOMPARE(outcome.out.contains("  and " + QByteArray::number(broken - 20) + " more\n"), broken > 20);
        QCOMPARE(outcome.out.contains(QByteArray::number(120 - broken) + " images were decoded"), code == 0);
        QCOMPARE(outcome.err.contains("None of the training images of the class pears"), code == 2);
        if (code != 0) return;
        const QJsonObject json = jsonLines(call(arguments + QStringList{"--json"}).out).last();
        QCOMPARE(json["unreadable"].toInt(), broken);
        QCOMPARE(json["unreadable_images"].toArray()[0].toString(), QString("pears/10.pgm"));
    }

    void aCheckOfWhatIsWholeHasNoNote() {
        const Outcome outcome = call({"dataset", "check", "shapes"});
        QVERIFY2(outcome.code == 0 && outcome.out.startsWith("ok: Shapes, 10 classes, 600 training"),
                 outcome.out + outcome.err);
    }

private:
    /// Checks that the call has failed with one plain line that holds these words.
    static void checkSentence(const Outcome& outcome, const QByteArray& says) {
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.startsWith("palimpsest-cli: ") && outcome.err.contains(says), outcome.err.constData());
        QVERIFY2(outcome.err.count('\n') == 1 && outcome.err.size() < 2000, outcome.err.constData());
        for (const QChar character : QString::fromUtf8(outcome.err.trimmed()))
            QVERIFY2(character.isPrint() && character.unicode() != 0x202e, outcome.err.constData());
    }
    Outcome call(const QStringList& arguments) const { return palimpsest::test::call(arguments, environment_); }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<HttpServer> server_;
    QProcessEnvironment environment_;
};

PALIMPSEST_GUILESS_TEST(TestCliDataset)

}  // namespace tst_cli_dataset

#include "tst_cli_dataset.moc"
