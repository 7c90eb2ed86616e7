// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <bit>
#include <cstring>
#include <map>

#include "engine/record/run_folder.h"
#include "engine/report/export_runs.h"
#include "engine/report/run_scalars.h"
#include "engine/report/tensorboard_events.h"
#include "tests/datasets/errors.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;

namespace tst_export_runs {

namespace fs = std::filesystem;

struct Scalar {
    std::int64_t step;
    double value;
};
using Scalars = std::map<std::string, std::vector<Scalar>>;

/// Reads protobuf fields one by one, by its wire format alone.
class Message {
public:
    explicit Message(std::string_view bytes) : rest_(bytes) {}
    /// Number of the next field; 0 at the end. `bytes` or `number` holds what it is.
    int next() {
        if (rest_.empty()) return 0;
        const std::uint64_t key = varint();
        const int wire = key & 7;
        if (wire == 0) {
            number = varint();
        } else {
            const std::size_t size = wire == 1 ? 8 : wire == 5 ? 4 : varint();
            if (size > rest_.size()) qFatal("a field that is longer than its message");
            bytes = rest_.substr(0, size);
            rest_.remove_prefix(size);
        }
        return static_cast<int>(key >> 3);
    }
    template <class Number>
    Number fixed() const {
        Number value;
        if (bytes.size() != sizeof value) qFatal("a number of another width");
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    std::string_view bytes;
    std::uint64_t number = 0;

private:
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            if (rest_.empty() || shift > 63) qFatal("a torn number");
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) return value;
        }
    }
    std::string_view rest_;
};

/// CRC-32C bit by bit.
std::uint32_t slowMaskedCrc(std::string_view bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78U : 0U);
    }
    crc = ~crc;
    return (crc >> 15 | crc << 17) + 0xa282ead8U;
}

class TestExportRuns : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};
    QTemporaryDir folder_;

    static QByteArray bytesOf(const fs::path& file) {
        QFile in(QString::fromStdString(file.string()));
        if (!in.open(QIODevice::ReadOnly)) qFatal("%s", file.c_str());
        return in.readAll();
    }
    static void write(const fs::path& file, const QByteArray& bytes) {
        fs::create_directories(file.parent_path());
        QFile out(QString::fromStdString(file.string()));
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) qFatal("%s", file.c_str());
    }
    fs::path path() const { return folder_.path().toStdString(); }

    fs::path run(const char* name, const QByteArray& runName = "Mine") const {
        const fs::path folder = path() / "runs" / name;
        write(folder / "run.json", "{\"format\": 1, \"state\": \"stopped\", \"name\": \"" + runName +
                                       "\", \"seed\": 4, \"started\": \"2026-03-01T10:00:00.250Z\", \"ended\": "
                                       "\"2026-03-01T11:00:00Z\", \"total_samples\": 400, \"session_starts\": "
                                       "[0, 200]}");
        write(folder / "experiment.toml", "name = \"" + runName + "\"\nseed = 4\n[stream]\nsessions = 2\n");
        write(folder / "anytime.csv",
              "samples_seen,session,accuracy,loss,classes_seen,updates\n100,0,0.5,1.5,2,10\n300,1,0.25,,4,30\n");
        write(folder / "sessions.csv",
              "after_session,session,accuracy,samples\n0,0,0.75,10\n1,0,0.5,10\n1,1,0.875,10\n");
        write(folder / "training.csv",
              "samples_seen,update,loss,batch_accuracy,learning_rate\n32,1,2.5,0.1,0.005\n"
              "64,2,nan,0.2,0.005\n96,3,2.0,0.3,0.005\n");
        write(folder / "summary.json", "{\"a_auc\": 0.375, \"a_last\": null, \"sessions_ended\": 2}");
        return folder;
    }
    std::vector<fs::path> exported(const std::vector<fs::path>& runs, const char* format) const {
        return exportRuns(table_, {runs, path() / "out", format});
    }

    static Scalars scalarsIn(const fs::path& file, double* time = nullptr) {
        const std::string all = bytesOf(file).toStdString();
        std::string_view rest = all;
        Scalars scalars;
        for (bool first = true; !rest.empty(); first = false) {
            std::uint64_t length = 0;
            std::uint32_t crc = 0;
            std::memcpy(&length, rest.data(), 8);
            std::memcpy(&crc, rest.data() + 8, 4);
            if (crc != slowMaskedCrc(rest.substr(0, 8)) || length + 16 > rest.size()) qFatal("a damaged length");
            const std::string_view event = rest.substr(12, length);
            std::memcpy(&crc, rest.data() + 12 + length, 4);
            if (crc != slowMaskedCrc(event)) qFatal("a damaged record");
            rest.remove_prefix(length + 16);
            Message message(event);
            std::int64_t step = 0;
            while (const int field = message.next()) {
                if (field == 1 && time) *time = message.fixed<double>();
                if (field == 2) step = static_cast<std::int64_t>(message.number);
                if (field == 3 && (!first || message.bytes != "brain.Event:2")) qFatal("another version");
                if (field != 5) continue;
                Message summary(message.bytes);
                if (summary.next() != 1) qFatal("no value");
                Message value(summary.bytes);
                std::string tag;
                float number = 0;
                while (const int part = value.next()) {
                    if (part == 1) tag = value.bytes;
                    if (part == 2) number = value.fixed<float>();
                }
                scalars[tag].push_back({step, number});
            }
        }
        return scalars;
    }

private Q_SLOTS:
    void init() { QDir(folder_.path()).removeRecursively(), QDir().mkpath(folder_.path()); }

    void theChecksumIsThatOfTheStandard() {
        // RFC 3720, B.4.
        QCOMPARE(crc32c(std::string(32, '\0')), 0x8a9136aaU);
        QCOMPARE(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
        std::string rising;
        for (int i = 0; i < 32; ++i) rising += static_cast<char>(i);
        QCOMPARE(crc32c(rising), 0x46dd794eU);
        QCOMPARE(crc32c("123456789"), 0xe3069283U);
        QCOMPARE(crc32c(""), 0U);
    }

    void anEventFileHoldsEveryNumberOfTheRun() {
        const std::vector<fs::path> written = exported({run("a")}, "tensorboard");
        QCOMPARE(written, std::vector<fs::path>({path() / "out" / "a"}));
        double time = 0;
        const Scalars scalars = scalarsIn(written[0] / "events.out.tfevents.1772359200.palimpsest", &time);
        QCOMPARE(time, 1772359200.25);
        const auto same = [&](const char* name, const std::vector<Scalar>& wanted) {
            const auto found = scalars.find(name);
            if (found == scalars.end() || found->second.size() != wanted.size()) return false;
            for (std::size_t i = 0; i < wanted.size(); ++i)
                if (found->second[i].step != wanted[i].step || found->second[i].value != wanted[i].value) return false;
            return true;
        };
        QVERIFY(same("test/accuracy", {{100, 0.5}, {300, 0.25}}));
        QVERIFY(same("test/loss", {{100, 1.5}}));
        QVERIFY(same("test/classes_seen", {{100, 2}, {300, 4}}));
        QVERIFY(same("train/loss", {{32, 2.5}, {96, 2.0}}));
        QVERIFY(same("sessions/accuracy_on_session_1", {{200, 0.75}, {400, 0.5}}));
        QVERIFY(same("sessions/accuracy_on_session_2", {{400, 0.875}}));
        QVERIFY(same("summary/a_auc", {{300, 0.375}}));
        QVERIFY(!scalars.contains("summary/a_last"));
    }

    void theSameRunGivesTheSameBytesAndReplacesWhatWasThere() {
        const fs::path folder = run("a");
        const fs::path file = exported({folder}, "tensorboard")[0] / "events.out.tfevents.1772359200.palimpsest";
        const QByteArray first = bytesOf(file);
        write(file.parent_path() / "events.out.tfevents.1.palimpsest", "of an earlier export");
        write(file.parent_path() / "events.out.tfevents.1.host", "somebody else's");
        exported({folder}, "tensorboard");
        QCOMPARE(bytesOf(file), first);
        QVERIFY(!fs::exists(file.parent_path() / "events.out.tfevents.1.palimpsest"));
        QVERIFY(fs::exists(file.parent_path() / "events.out.tfevents.1.host"));
    }

    void linesThatCannotBeReadAreTold() {
        const fs::path folder = run("a");
        write(folder / "training.csv",
              "samples_seen,update,loss,batch_accuracy,learning_rate\n32,1,2.5,0.1,0.005\n64,2,oops,0.2\n"
              "96,3,2.0,0.3,0.005\n");
        for (const char* format : {"tensorboard", "mlflow"}) {
            std::vector<std::string> leftOut;
            exportRuns(table_, {{folder}, path() / "out", format}, &leftOut);
            QCOMPARE(leftOut.size(), std::size_t(1));
            QVERIFY2(QString::fromStdString(leftOut[0]).startsWith("a: training.csv line 3"), leftOut[0].c_str());
            QVERIFY(leftOut[0].ends_with('.'));
        }
    }

    void anExportThatFailsLeavesTheOlderOne() {
        const fs::path folder = run("a");
        const fs::path older = path() / "out" / "a" / "events.out.tfevents.1.palimpsest";
        write(older, "of an earlier export");
        const fs::path stored = exported({folder}, "mlflow")[0];
        const QByteArray accuracy = bytesOf(stored / "metrics/test/accuracy");
        for (const char* format : {"tensorboard", "mlflow"}) {
            const std::string said = test::onSmallDisk(4, [&] { exported({folder}, format); });
            QVERIFY2(said.starts_with("input: ") || said.starts_with("run: "), said.c_str());
        }
        QCOMPARE(bytesOf(older), QByteArray("of an earlier export"));
        QCOMPARE(bytesOf(stored / "metrics/test/accuracy"), accuracy);
        QCOMPARE(bytesOf(stored / "params/stream.sessions"), QByteArray("2"));
        // The next one replaces all, and leaves nothing beside.
        write(stored / "metrics/gone", "1 1 1\n");
        exported({folder}, "mlflow");
        QVERIFY(!fs::exists(stored / "metrics/gone"));
        for (const fs::directory_entry& entry : fs::directory_iterator(stored))
            QVERIFY2(!entry.path().filename().string().starts_with('.'), entry.path().c_str());
    }

    void runsOfOneNameHaveFoldersOfTheirOwn() {
        const fs::path a = run("a/x"), b = run("b/x");
        QCOMPARE(exported({a, b}, "tensorboard"),
                 std::vector<fs::path>({path() / "out" / "x", path() / "out" / "x-2"}));
    }

    void anMlflowFolderHasItsLayout() {
        const std::vector<fs::path> written = exported({run("a")}, "mlflow");
        QCOMPARE(written.size(), std::size_t(1));
        const fs::path folder = written[0], experiment = folder.parent_path();
        QCOMPARE(experiment.parent_path(), path() / "out");
        QVERIFY(bytesOf(experiment / "meta.yaml").contains("name: Palimpsest\n"));
        const QByteArray meta = bytesOf(folder / "meta.yaml");
        QVERIFY(meta.contains("run_id: '" + QByteArray::fromStdString(folder.filename().string()) + "'\n"));
        QVERIFY(meta.contains("status: 5\n"));  // stopped
        QVERIFY(meta.contains("start_time: 1772359200250\n"));
        QCOMPARE(bytesOf(folder / "metrics/test/accuracy"),
                 QByteArray("1772359200250 0.5 100\n1772359200250 0.25 300\n"));
        QCOMPARE(bytesOf(folder / "params/stream.sessions"), QByteArray("2"));
        QCOMPARE(bytesOf(folder / "tags/mlflow.runName"), QByteArray("Mine"));
        QVERIFY(fs::is_directory(folder / "artifacts"));
        // Exported again, it is the same run.
        QCOMPARE(exported({path() / "runs" / "a"}, "mlflow"), written);
    }

    void namesOfStrangersStayInTheirFolder() {
        const fs::path folder = run("odd", "it's \\u001b[2J \\u202e: #");
        write(folder / "run.json",
              "{\"format\": 1, \"state\": \"imported\", \"name\": \"it's \\u001b[2J\", \"seed\": 1, \"settings\": "
              "{\"../../escaped\": \"1\", \"..\": \"2\", \"a/b\": \"3\", \"\": \"4\", \"x\\u0000y\": \"5\"}}");
        const fs::path made = exported({folder}, "mlflow")[0];
        QVERIFY(!fs::exists(made.parent_path() / "escaped"));
        QCOMPARE(bytesOf(made / "params/.._.._escaped"), QByteArray("1"));
        QCOMPARE(bytesOf(made / "params/_.."), QByteArray("2"));
        QCOMPARE(bytesOf(made / "params/a_b"), QByteArray("3"));
        const QByteArray meta = bytesOf(made / "meta.yaml");
        QVERIFY(!meta.contains('\x1b'));
        QVERIFY(meta.contains("run_name: '"));
    }

    void whatCannotBeExportedIsRefused() {
        const auto refusal = [&](const fs::path& input, const char* format) {
            return test::inputErrorOf([&] { exported({input}, format); });
        };
        QVERIFY(refusal(run("a"), "parquet").contains("There is no format"));
        QVERIFY(refusal(path() / "gone", "mlflow").contains("There is no run"));
        write(path() / "empty" / "file", "x");
        QVERIFY(refusal(path() / "empty", "mlflow").contains("neither a run nor a folder of runs"));
        write(path() / "out", "a file");
        QVERIFY(refusal(path() / "runs" / "a", "tensorboard").contains("cannot be made"));
        QVERIFY(refusal(path() / "runs" / "a", "mlflow").contains("cannot be made"));
    }

    void momentsAreRead() {
        QCOMPARE(unixMilliseconds("1970-01-01T00:00:01Z"), 1'000);
        QCOMPARE(unixMilliseconds("2026-11-28T00:00:00.125Z"), 1'795'824'000'125);
        QCOMPARE(unixMilliseconds("2026-02-30T00:00:00Z"), 0);
        QCOMPARE(unixMilliseconds("yesterday"), 0);
        QCOMPARE(unixMilliseconds(""), 0);
    }
};

PALIMPSEST_GUILESS_TEST(TestExportRuns)

}  // namespace tst_export_runs

#include "tst_export_runs.moc"
