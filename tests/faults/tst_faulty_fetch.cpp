// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>

#include "datasets/fetching/fetch.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "tests/faults/faulty_program.h"
#include "tests/support/archive_maker.h"
#include "tests/support/file_content.h"
#include "tests/support/http_server.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_faulty_fetch {

namespace {

namespace fs = std::filesystem;

/// Set for the process that fetches: the server's address, the folder of data and the archive that is served.
constexpr const char* kServer = "PALIMPSEST_TEST_SERVER";
constexpr const char* kRoot = "PALIMPSEST_TEST_ROOT";
constexpr const char* kArchive = "PALIMPSEST_TEST_ARCHIVE";

const std::string kLarge(100'000, '1');

DatasetFile described(const std::string& server, const std::string& name, const std::string& content) {
    DatasetFile file;
    file.name = name;
    file.size = static_cast<std::int64_t>(content.size());
    Sha256 hash;
    hash.add(std::as_bytes(std::span(content)));
    file.checksum = "sha256:" + hash.hex();
    file.urls = {server + "/" + name};
    return file;
}

/// A plain file and an archive.
DatasetInfo pets(const std::string& server, const std::string& archive) {
    DatasetInfo info;
    info.name = "pets";
    info.title = "Pets";
    info.homepage = "https://pets.example/";
    info.files = {described(server, "names.bin", kLarge), described(server, "images.tar.gz", archive)};
    info.files[1].archive = true;
    info.files[1].unpacked = "images";
    return info;
}

/// What the process with the faults does. Its output is the sentence of an error.
int fetchHere() {
    FetchSettings settings;
    settings.root = qgetenv(kRoot).toStdString();
    settings.patience.first_pause = settings.patience.longest_pause = std::chrono::milliseconds(0);
    settings.patience.rounds = 2;
    try {
        const std::string archive = contentOf(fs::path(qgetenv(kArchive).toStdString()));
        fetchDataset(pets(qgetenv(kServer).toStdString(), archive), settings);
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "palimpsest-cli: %s\n", error.sentence().c_str());
        return error.kind() == ErrorKind::Input ? 2 : 1;
    }
}

struct Kind {
    const char* call;
    int error;
};
constexpr Kind kKinds[] = {{"open", EMFILE},     {"open", EACCES},  {"write", ENOSPC},   {"write", EIO},
                           {"write", kHalfDone}, {"read", EIO},     {"read", kHalfDone}, {"sync", EIO},
                           {"rename", ENOSPC},   {"mkdir", ENOSPC}, {"remove", EACCES},  {"cut", EIO},
                           {"close", EIO},       {"link", EIO}};

}  // namespace

/// Goes over the calls of a fetch, one of which fails each time; the next fetch then has everything. Every call is
/// tried.
class TestFaultyFetch : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    HttpServer server_;
    std::string archive_;
    QMap<QString, qint64> calls_;

    QString below() const { return folder_.filePath("below"); }
    DatasetInfo info() const {
        std::string server = server_.url("");
        return pets(server, archive_);
    }

    FaultyEnd fetch(const Fault& fault) const {
        qputenv(kServer, QByteArray::fromStdString(server_.url("")));
        qputenv(kRoot, below().toLocal8Bit());
        qputenv(kArchive, folder_.filePath("images.tar.gz").toLocal8Bit());
        const FaultyEnd end = faultyCall(QCoreApplication::applicationFilePath(), {"tst_faulty_fetch"}, below(), fault);
        for (const char* name : {kServer, kRoot, kArchive}) qunsetenv(name);
        return end;
    }

private Q_SLOTS:
    void initTestCase() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer must be loaded first.");
#endif
        for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) qunsetenv(name);
        archive_ = contentOf(makeArchive(folder_.filePath("images.tar.gz"),
                                         {{"images/a.png", "picture a"}, {"images/b.png", "picture b"}}));
        Answer names, images;
        names.body = kLarge;
        images.body = archive_;
        server_.serve("/names.bin", {names});
        server_.serve("/images.tar.gz", {images});
    }
    void init() {
        fs::remove_all(below().toStdString());
        QVERIFY(QDir().mkpath(below()));
    }

    void theNextFetchHasEverything_data() {
        QTest::addColumn<Fault>("fault");
        QDir().mkpath(below());
        const FaultyEnd end = fetch({"open", 1 << 30});
        QVERIFY2(end.code == 0 && end.calls["write"] > 0, end.err.constData());
        for (const Kind& kind : kKinds)
            for (const qint64 at : placesOf(end.calls[kind.call], 12)) {
                const Fault fault{kind.call, at, kind.error};
                QTest::newRow(qPrintable(fault.text())) << fault;
            }
    }
    void theNextFetchHasEverything() {
        QFETCH(Fault, fault);
        const FaultyEnd end = fetch(fault);
        QVERIFY(end.struck);
        QCOMPARE(faultOf(end), QString());
        QVERIFY2(fault.error != kHalfDone || end.code == 0, end.err.constData());
        const fs::path root = below().toStdString(), folder = root / "pets";
        const DatasetInfo all = info();
        // A file that has its name is whole.
        for (const auto& [name, content] : {std::pair<const char*, std::string>("names.bin", kLarge),
                                            {"images.tar.gz", archive_},
                                            {"images/a.png", "picture a"},
                                            {"images/b.png", "picture b"}})
            if (fs::exists(folder / name)) QVERIFY2(contentOf(folder / name) == content, name);
        if (end.code == 0) QVERIFY(datasetStatus(all, root, true).complete);
        FetchSettings settings;
        settings.root = root;
        try {
            fetchDataset(all, settings);
        } catch (const Error& error) {
            QFAIL(error.sentence().c_str());
        }
        QVERIFY(datasetStatus(all, root, true).complete);
        QCOMPARE(contentOf(folder / "images/b.png"), std::string("picture b"));
        for (const auto& entry : fs::recursive_directory_iterator(root))
            QVERIFY2(!entry.path().string().ends_with(".part"), entry.path().c_str());
    }
};

PALIMPSEST_TEST_RUN(TestFaultyFetch, if (qEnvironmentVariableIsSet(kServer)) return fetchHere();
                    QCoreApplication application(argc, argv))

}  // namespace tst_faulty_fetch

#include "tst_faulty_fetch.moc"
