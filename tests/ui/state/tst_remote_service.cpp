// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/support/file_io.h"
#include "engine/support/stop_scope.h"
#include "tests/support/made_up_sweep.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_program.h"
#include "ui/state/remote_service.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_remote_service {

namespace fs = std::filesystem;
using std::chrono::seconds;

class TestRemoteService : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};
    SshServer server_;
    QString missing_;

private Q_SLOTS:
    void initTestCase() {
        missing_ = server_.start();
        if (missing_.isEmpty()) qputenv("PALIMPSEST_SSH_CONFIG", server_.path("client").toLocal8Bit());
    }
    void cleanupTestCase() { qunsetenv("PALIMPSEST_SSH_CONFIG"); }

    void aComplaintOfSlurmGoesWhenItAnswers() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        const QTemporaryDir dir;
        const fs::path base = dir.path().toStdString(), worker = base / "worker";
        makeSweepFolder(table_, base / "sweep", "1-3");
        replaceTextFile(base / "sweep" / "sweep.sbatch", "#!/bin/sh\n");
        replaceTextFile(base / "sick", "");
        replaceTextFile(worker,
                        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo palimpsest-cli 0; exit; fi\n"
                        "[ -e \"${0%/*}/sick\" ] || exit 0\necho 'palimpsest-cli: Slurm is away.' >&2\nexit 1\n");
        fs::permissions(worker, fs::perms::owner_all);
        fs::create_directory(base / "sweep.job");
        const auto service = makeRemoteService(&table_, "0", worker, {seconds(1), seconds(1)});
        std::mutex mutex;
        std::vector<std::string> notes;
        RemoteService::Teller teller;
        teller.arrived = [] {};
        teller.broken = [](const std::string&) {};
        teller.back = [] {};
        teller.noted = [&](const std::string& message) {
            const std::lock_guard lock(mutex);
            notes.push_back(message);
        };
        std::jthread following([&](const std::stop_token& stop) {
            const StopScope scope(stop);
            try {
                service->follow({true, "ssh://lab" + (base / "sweep").string(), base / "copy", worker.string()},
                                teller);
            } catch (const std::exception&) {
                // It is given up in the end.
            }
        });
        const auto noted = [&](std::size_t count) {
            const std::lock_guard lock(mutex);
            return notes.size() == count;
        };
        QTRY_VERIFY_WITH_TIMEOUT(noted(1), 120'000);
        QVERIFY2(notes[0].find("Slurm is away.") != std::string::npos, notes[0].c_str());
        fs::remove(base / "sick");
        QTRY_VERIFY_WITH_TIMEOUT(noted(2), 120'000);
        QCOMPARE(notes[1], std::string());
    }
};

PALIMPSEST_GUILESS_TEST(TestRemoteService)

}  // namespace tst_remote_service

#include "tst_remote_service.moc"
