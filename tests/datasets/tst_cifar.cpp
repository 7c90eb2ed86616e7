// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/pickle_files.h"
#include "tests/datasets/picture_files.h"
#include "tests/datasets/pictures.h"
#include "tests/support/archive_maker.h"
#include "tests/support/file_content.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_cifar {

namespace {

constexpr int kPixels = 32 * 32;

/// Picture n in the files' layout: all red, then all green, then all blue. Red encodes the column, green the row, blue
/// the picture.
QByteArray planes(int n) {
    QByteArray bytes;
    for (int p = 0; p < kPixels; ++p) bytes.append(static_cast<char>(p % 32 * 3));
    for (int p = 0; p < kPixels; ++p) bytes.append(static_cast<char>(p / 32 * 5));
    return bytes + QByteArray(kPixels, static_cast<char>(n));
}

/// Content of a file: picture numbers from `first` on.
struct Part {
    QString name;
    int first, count;
};

/// A distribution in one of its forms.
struct Form {
    QString dataset, folder, archive;
    bool python = false;
    std::vector<Part> parts;  ///< training files in order, then the test file

    int classes() const { return dataset == "cifar10" ? 10 : 100; }
    int label(int n) const { return n * 7 % classes(); }
    QByteArray bytes(const Part& part) const {
        QByteArray file;
        std::vector<int> labels;
        for (int n = part.first; n < part.first + part.count; ++n) {
            labels.push_back(label(n));
            if (!python && dataset == "cifar100") file.append(static_cast<char>(label(n) / 5));  // the coarse label
            if (!python) file.append(static_cast<char>(label(n)));
            file += planes(n);
        }
        return python ? cifarPickle(dataset == "cifar10" ? "labels" : "fine_labels", labels, file) : file;
    }
};

Form form(const QString& dataset, bool python) {
    Form form{dataset, {}, {}, python, {}};
    const QString number = dataset.mid(5);
    form.archive = "cifar-" + number + (python ? "-python.tar.gz" : "-binary.tar.gz");
    form.folder = "cifar-" + number +
                  (dataset == "cifar10" ? (python ? "-batches-py" : "-batches-bin") : (python ? "-python" : "-binary"));
    const QString ending = python ? "" : ".bin";
    if (dataset == "cifar10") {
        // Parts have different sizes, so that mixing them up shows.
        for (int i = 1; i <= 5; ++i) form.parts.push_back({QString("data_batch_%1").arg(i) + ending, 10 * i, 2 + i});
        form.parts.push_back({"test_batch" + ending, 100, 6});
    } else {
        form.parts.push_back({"train" + ending, 10, 12});
        form.parts.push_back({"test" + ending, 100, 6});
    }
    return form;
}

}  // namespace

class TestCifar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qunsetenv("PALIMPSEST_DATA");
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void picturesAndLabelsAreThoseOfTheFiles_data() { addForms(); }
    void picturesAndLabelsAreThoseOfTheFiles() {
        const Form form = fetched();
        QFETCH(bool, packed);
        write(form, packed);
        const auto data = openDataset(request(form));
        QCOMPARE(static_cast<int>(data.class_names.size()), form.classes());
        QCOMPARE(data.load_shape, LoadShape::Native);
        QCOMPARE(data.augment_policy, std::string("cifar10"));
        QVERIFY(data.train->identity().empty());
        std::vector<int> train;
        for (const Part& part : form.parts)
            for (int n = part.first; n < part.first + part.count; ++n) train.push_back(n);
        const std::vector<int> test(train.end() - 6, train.end());
        train.resize(train.size() - 6);
        check(form, *data.train, train);
        check(form, *data.test, test);
        const auto labels = openLabels(request(form));
        QVERIFY(std::equal(labels.train.begin(), labels.train.end(), data.train->labels().begin(),
                           data.train->labels().end()));
        QVERIFY(
            std::equal(labels.test.begin(), labels.test.end(), data.test->labels().begin(), data.test->labels().end()));
        QCOMPARE(labels.class_names, data.class_names);
    }

    void filesAreFoundInTheUsualPlaces_data() {
        QTest::addColumn<QString>("below");
        QTest::addColumn<QString>("root");
        QTest::newRow("the folder itself") << ""
                                           << "";
        QTest::newRow("unpacked beside the archive") << "/cifar-10-batches-bin"
                                                     << "";
        QTest::newRow("where a fetch puts it") << "/cifar10/cifar-10-batches-bin"
                                               << "";
        QTest::newRow("the fetch's folder") << "/cifar10/cifar-10-batches-bin"
                                            << "/cifar10";
    }
    void filesAreFoundInTheUsualPlaces() {
        QFETCH(QString, below);
        QFETCH(QString, root);
        const Form binary = form("cifar10", false);
        for (const Part& part : binary.parts) writeDeep(folder_->path() + below + "/" + part.name, binary.bytes(part));
        QCOMPARE(openDataset({.name = "cifar10", .root = (folder_->path() + root).toStdString()}).train->size(), 25);
        qputenv("PALIMPSEST_DATA", (folder_->path() + root).toUtf8());
        QCOMPARE(openLabels({.name = "cifar10"}).test.size(), std::size_t{6});
    }

    void theArchiveItselfMayBeNamed() {
        const Form python = form("cifar100", true);
        write(python, true);
        const auto data = openDataset({.name = "cifar100", .root = folder_->filePath(python.archive).toStdString()});
        QCOMPARE(data.train->size(), 12);
    }

    void python3PicklesAreReadAlike() {
        const Form python = form("cifar10", true);
        for (const Part& part : python.parts) {
            std::vector<int> labels;
            QByteArray rows;
            for (int n = part.first; n < part.first + part.count; ++n) {
                labels.push_back(python.label(n));
                rows += planes(n);
            }
            writeDeep(folder_->filePath(python.folder + "/" + part.name), cifarPickle("labels", labels, rows, true));
        }
        const auto data = openDataset(request(python));
        check(python, *data.test, {100, 101, 102, 103, 104, 105});
    }

    void limitsKeepTheFirstSamplesAcrossFiles() {
        const Form binary = form("cifar10", false);
        write(binary, false);
        auto limited = request(binary);
        limited.train_limit = 5;
        limited.test_limit = 1000;
        const auto data = openDataset(limited);
        check(binary, *data.train, {10, 11, 12, 20, 21});
        QCOMPARE(data.test->size(), 6);
        QVERIFY(inputErrorOf([&] { data.train->image(5); }).contains("no image 5"));
        QCOMPARE(openLabels(limited).train.size(), std::size_t{5});
    }

    void changingAPictureLeavesTheDataSetAlone() {
        const Form binary = form("cifar10", false);
        write(binary, false);
        const auto data = openDataset(request(binary));
        data.train->image(0).setTo(cv::Scalar(0));
        check(binary, *data.train,
              {10, 11, 12, 20, 21, 22, 23, 30, 31, 32, 33, 34, 40, 41, 42, 43, 44, 45, 50, 51, 52, 53, 54, 55, 56});
    }

    void missingFilesAreNamed_data() { addForms(); }
    void missingFilesAreNamed() {
        const Form form = fetched();
        QFETCH(bool, packed);
        const QString nothing = inputErrorOf([&] { openDataset(request(form)); });
        QVERIFY2(nothing.contains(folder_->path()) &&
                     nothing.contains("palimpsest-cli dataset fetch " + form.dataset) &&
                     nothing.contains("stream.root"),
                 qPrintable(nothing));
        QCOMPARE(inputErrorOf([&] { openLabels(request(form)); }), nothing);
        write(form, packed, 1);
        const QString missing = inputErrorOf([&] { openDataset(request(form)); });
        QVERIFY2(missing.contains("is incomplete: it lacks " + form.parts[1].name + ".") &&
                     missing.contains(packed ? form.archive : form.folder),
                 qPrintable(missing));
    }

    void cutFilesAreRefused_data() { addForms(); }
    void cutFilesAreRefused() {
        const Form form = fetched();
        QFETCH(bool, packed);
        write(form, packed);
        const QString path = folder_->filePath(packed ? form.archive : form.folder + "/" + form.parts[0].name);
        const QByteArray whole = QByteArray::fromStdString(contentOf(path.toStdString()));
        QVERIFY(!whole.isEmpty());
        for (const qsizetype length : cuts(whole.size(), form, packed)) {
            writeFile(path, whole.left(length));
            QVERIFY2(refused([&] { openDataset(request(form)); }), qPrintable(QString::number(length)));
            QVERIFY2(refused([&] { openLabels(request(form)); }), qPrintable(QString::number(length)));
        }
        if (packed) return;
        writeFile(path, whole.left(3000));
        const QString sentence = inputErrorOf([&] { openDataset(request(form)); });
        QVERIFY2(sentence.contains(path) && sentence.contains("3000"), qPrintable(sentence));
    }

    void damagedFilesAreReadOrRefusedAndNothingElse_data() { addForms(); }
    void damagedFilesAreReadOrRefusedAndNothingElse() {
        const Form form = fetched();
        QFETCH(bool, packed);
        write(form, packed);
        const QString path = folder_->filePath(packed ? form.archive : form.folder + "/" + form.parts[0].name);
        const QByteArray whole = QByteArray::fromStdString(contentOf(path.toStdString()));
        QVERIFY(!whole.isEmpty());
        for (unsigned round = 0; round < 200; ++round) {
            writeFile(path, damaged(whole, round));
            try {
                const auto data = openDataset(request(form));
                QCOMPARE(data.train->image(0).size(), cv::Size(32, 32));
                for (const auto label : data.train->labels()) QVERIFY(label >= 0 && label < form.classes());
            } catch (const Error&) {
            }
        }
    }

    void anArchiveThatPromisesTooMuchIsRefusedBeforeItIsRead() {
        const QString made = folder_->filePath("made.tar");
        makeArchive(made, {{"cifar-10-batches-bin/data_batch_1.bin", "x"}});
        QFile file(made);
        QVERIFY(file.open(QIODevice::ReadWrite));
        // A tar header has, both octal, the size at 124 and at 148 the sum of its 512 bytes, in which the sum itself
        // counts as spaces.
        QByteArray header = file.read(512);
        header.replace(124, 11, "10000000000");  // 1 GiB
        header.replace(148, 8, "        ");
        int sum = 0;
        for (const char byte : header) sum += static_cast<unsigned char>(byte);
        header.replace(148, 7, QByteArray::number(sum, 8).rightJustified(6, '0') + '\0');
        QVERIFY(file.seek(0) && file.write(header) == 512);
        // The file is so large that the general limit of 100 times the archive would not apply.
        QVERIFY(file.resize(20 << 20));
        file.close();
        QVERIFY(QFile::rename(made, folder_->filePath("cifar-10-binary.tar.gz")));
        const QString sentence = inputErrorOf([&] { openDataset(request(form("cifar10", false))); });
        QVERIFY2(
            sentence.contains("unpacks to more than 536,870,912 bytes at \"cifar-10-batches-bin/data_batch_1.bin\""),
            qPrintable(sentence));
    }

    void labelsBeyondTheClassesAreRefused_data() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<bool>("python");
        QTest::addColumn<int>("label");
        QTest::newRow("CIFAR-10, binary") << "cifar10" << false << 10;
        QTest::newRow("CIFAR-10, python") << "cifar10" << true << 10;
        QTest::newRow("CIFAR-100, binary") << "cifar100" << false << 100;
        QTest::newRow("CIFAR-100, python, negative") << "cifar100" << true << -1;
    }
    void labelsBeyondTheClassesAreRefused() {
        QFETCH(QString, dataset);
        QFETCH(bool, python);
        QFETCH(int, label);
        const Form one = form(dataset, python);
        write(one, false);
        QByteArray bytes = one.bytes(one.parts.back());
        if (python) {
            std::vector<int> labels(6, 3);
            labels[4] = label;
            bytes =
                cifarPickle(dataset == "cifar10" ? "labels" : "fine_labels", labels, QByteArray(6 * 3 * kPixels, 'x'));
        } else {
            const qsizetype front = dataset == "cifar10" ? 1 : 2;
            bytes[4 * (3 * kPixels + front) + front - 1] = static_cast<char>(label);
        }
        writeDeep(folder_->filePath(one.folder + "/" + one.parts.back().name), bytes);
        const QString sentence = inputErrorOf([&] { openLabels(request(one)); });
        QVERIFY2(
            sentence.contains(QString("gives picture 4 the label %1, where 0 to %2").arg(label).arg(one.classes() - 1)),
            qPrintable(sentence));
    }

    void otherPicklesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("a list") << QByteArray("].") << "should hold an array \"data\" and a list \"labels\"";
        QTest::newRow("fine labels only")
            << cifarPickle("fine_labels", {1}, QByteArray(3072, 'x')) << "a list \"labels\"";
        QTest::newRow("more labels than rows")
            << cifarPickle("labels", {1, 2}, QByteArray(2 * 3072, 'x')).replace("K\1K\2e", "K\1K\2K\3e")
            << "3 labels and as many rows of 3072 bytes";
        QTest::newRow("narrow rows") << cifarPickle("labels", {1, 2}, QByteArray(2 * 1024, 'x'))
                                     << "as many rows of 3072 bytes are expected, but the array has 2048 bytes";
        QTest::newRow("labels that are texts")
            << cifarPickle("labels", {1}, QByteArray(3072, 'x')).replace("K\1e", "U\1xe")
            << "label 0 is not a whole number";
        QTest::newRow("a program") << QByteArray("cos\nsystem\n(S'true'\ntR.") << "asks Python to use os.system";
    }
    void otherPicklesAreRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const Form python = form("cifar10", true);
        write(python, false);
        const QString path = folder_->filePath(python.folder + "/data_batch_3");
        writeFile(path, bytes);
        const QString sentence = inputErrorOf([&] { openDataset(request(python)); });
        QVERIFY2(sentence.contains(says) && sentence.contains(path), qPrintable(sentence));
    }

    void severalThreadsReadTheSamePictures() {
        const Form binary = form("cifar10", false);
        write(binary, false);
        QCOMPARE(differencesAcrossThreads(*openDataset(request(binary)).train), 0);
    }

private:
    static void addForms() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<bool>("python");
        QTest::addColumn<bool>("packed");
        for (const char* dataset : {"cifar10", "cifar100"})
            for (const bool python : {false, true})
                for (const bool packed : {false, true})
                    QTest::addRow("%s, %s, %s", dataset, python ? "python" : "binary", packed ? "archive" : "folder")
                        << dataset << python << packed;
    }
    static Form fetched() {
        QFETCH(QString, dataset);
        QFETCH(bool, python);
        return form(dataset, python);
    }

    /// Positions to cut at: everywhere near both ends and some in between; not between whole pictures of a binary file,
    /// where a cut cannot be detected.
    static std::vector<qsizetype> cuts(qsizetype size, const Form& form, bool packed) {
        std::vector<qsizetype> all;
        const qsizetype step = std::max<qsizetype>(1, size / 40);
        for (qsizetype at = 0; at < size; at += at < 40 || at > size - 40 ? 1 : step) all.push_back(at);
        const qsizetype record = 3 * kPixels + (form.dataset == "cifar10" ? 1 : 2);
        if (!form.python && !packed) std::erase_if(all, [&](qsizetype at) { return at > 0 && at % record == 0; });
        // An archive ends with padding.
        if (packed) std::erase_if(all, [&](qsizetype at) { return at > size - 200; });
        return all;
    }

    /// Writes the distribution. `leftOut`: the part that is not written.
    void write(const Form& form, bool packed, int leftOut = -1) {
        std::vector<std::pair<QString, QByteArray>> files;
        for (std::size_t i = 0; i < form.parts.size(); ++i)
            if (static_cast<int>(i) != leftOut)
                files.emplace_back(form.folder + "/" + form.parts[i].name, form.bytes(form.parts[i]));
        // The order is mixed, with other files in between, as in the real archives.
        std::rotate(files.begin(), files.begin() + 1, files.end());
        files.insert(files.begin() + 1, {form.folder + "/readme.html", "<html>"});
        files.insert(files.begin(),
                     {form.folder + "/" + (form.python ? "batches.meta" : "batches.meta.txt"), "airplane\n"});
        if (packed) {
            std::vector<MadeEntry> entries{{.name = form.folder.toStdString() + "/", .kind = MadeEntry::Kind::Folder}};
            for (const auto& [name, bytes] : files) entries.push_back({name.toStdString(), bytes.toStdString()});
            makeArchive(folder_->filePath(form.archive), entries);
            return;
        }
        for (const auto& [name, bytes] : files) writeDeep(folder_->filePath(name), bytes);
    }

    DatasetRequest request(const Form& form) const {
        return {.name = form.dataset.toStdString(), .root = folder_->path().toStdString()};
    }

    static void check(const Form& form, const ImageTable& table, const std::vector<int>& numbers) {
        QCOMPARE(table.size(), static_cast<std::int64_t>(numbers.size()));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            QCOMPARE(table.labels()[i], form.label(numbers[i]));
            const cv::Mat picture = table.image(static_cast<std::int64_t>(i));
            QCOMPARE(picture.type(), CV_8UC3);
            QCOMPARE(picture.size(), cv::Size(32, 32));
            for (const auto& [row, column] : {std::pair{0, 0}, std::pair{7, 21}, std::pair{31, 31}})
                QCOMPARE(picture.at<cv::Vec3b>(row, column),
                         cv::Vec3b(static_cast<std::uint8_t>(column * 3), static_cast<std::uint8_t>(row * 5),
                                   static_cast<std::uint8_t>(numbers[i])));
        }
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestCifar)

}  // namespace tst_cifar

#include "tst_cifar.moc"
