// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/drawn_classes.h"

#include <QBuffer>
#include <QFile>
#include <QImageReader>
#include <QRandomGenerator>
#include <algorithm>
#include <system_error>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestDrawing = 1U << 20U;   // bytes of a drawing's file
constexpr std::uint64_t kLargestPicture = 64U << 20U;  // bytes of a picture that is pasted or dropped
constexpr qint64 kMostPictureDots = 60'000'000;

const QList<QByteArray>& pictureFormats() {
    // Without those that are programs, such as SVG.
    static const QList<QByteArray> all{"png", "jpeg", "jpg", "bmp", "gif", "webp", "ppm", "pgm", "pbm", "tiff"};
    return all;
}

std::string fileName(qsizetype number) {
    return (number < 10 ? "0" : "") + std::to_string(number) + ".png";
}

std::string pngOf(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.convertToFormat(QImage::Format_RGB888).save(&buffer, "PNG"))
        throw runError("A drawing cannot be turned into a PNG file.", "Draw it again.");
    return bytes.toStdString();
}

QImage decoded(const std::string& bytes, const fs::path& file) {
    const QByteArray all = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
    QBuffer buffer(const_cast<QByteArray*>(&all));
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    reader.setAutoTransform(true);
    const QSize size = reader.size();
    const std::string name = plainLine(file.filename().string());
    if (!pictureFormats().contains(reader.format()) || size.isEmpty())
        throw inputError(name + " is no picture that can be read.", "Take a PNG, JPEG, WebP, GIF, BMP or TIFF file.");
    if (qint64{size.width()} * size.height() > kMostPictureDots)
        throw inputError(name + " has " + std::to_string(size.width()) + " by " + std::to_string(size.height()) +
                             " pixels, more than 60 million.",
                         "Make it smaller first.");
    // JPEG decodes a small one much faster.
    if (const int side = std::min(size.width(), size.height()); side > 1024)
        reader.setScaledSize(size.scaled(512, 512, Qt::KeepAspectRatioByExpanding));
    const QImage image = reader.read();
    if (image.isNull())
        throw inputError(name + " cannot be decoded: " + reader.errorString().toStdString() + ".",
                         "Take another picture.");
    return image;
}

fs::path classFolder(const fs::path& part, const QString& name) {
    const std::string text = name.toStdString();
    if (text.empty() || text == "." || text == ".." || text.find('/') != std::string::npos)
        throw inputError("There can be no class of this name.", "Give it another one.");
    return part / text;
}

void makeFolder(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure)
        throw inputError("Cannot make the folder " + plainLine(folder.string()) + ": " + failure.message() + ".",
                         "Make room on the disk, or see to it that you may write there.");
    requirePlainFolder(folder);
}

/// Numbered drawings of a folder, in their order.
std::vector<fs::path> drawingFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& entry : folderEntries(folder))
        if (const std::string name = entry.filename().string(); name.ends_with(".png") && !name.starts_with('.'))
            files.push_back(entry);
    std::ranges::sort(files);
    return files;
}

/// Writes numbered drawings; older ones with higher numbers go.
void writeDrawings(const fs::path& folder, const QList<QImage>& drawings) {
    for (qsizetype i = 0; i < drawings.size(); ++i)
        replaceTextFile(folder / fileName(i + 1), pngOf(drawings[i]), Keep::OnDisk, FilePlace::InFolder);
    for (qsizetype i = drawings.size(); i < DrawnClass::kDrawings; ++i) {
        std::error_code ignored;
        if (const fs::path file = folder / fileName(i + 1); isPlainFile(file)) fs::remove(file, ignored);
    }
    syncNames(folder);
}

/// A hidden name, which readers of folders pass over, for what is not whole yet.
fs::path asideFolder(const fs::path& part) {
    return part / (".drawing-" + std::to_string(QRandomGenerator::system()->generate64()));
}

void moveFolder(const fs::path& from, const fs::path& to) {
    std::error_code failure;
    // A rename onto a folder that is there would take an empty one's place.
    if (fs::exists(fs::symlink_status(to, failure)))
        throw inputError("There is a folder " + plainLine(to.string()) + " already.", "Give the class another name.");
    fs::rename(from, to, failure);
    if (failure)
        throw inputError("Cannot make the folder " + plainLine(to.string()) + ": " + failure.message() + ".",
                         "Make room on the disk, or see to it that you may write there.");
}

/// A new class folder, whole when it gets its name.
void writeNewFolder(const fs::path& part, const QString& name, const QList<QImage>& drawings) {
    makeFolder(part);
    const fs::path aside = asideFolder(part);
    try {
        makeFolder(aside);
        writeDrawings(aside, drawings);
        moveFolder(aside, classFolder(part, name));
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(aside, ignored);
        throw;
    }
    syncNames(part);
}

}  // namespace

QString DrawnClass::plainName(const QString& name) {
    QString plain = QString::fromStdString(plainLine(name.toStdString()));
    plain.replace('/', ' ').replace('\\', ' ');
    plain = plain.simplified();
    while (plain.startsWith('.') || plain.startsWith(' ')) plain.remove(0, 1);
    plain = plain.left(kLongestName).trimmed();
    return plain == "__MACOSX" ? QString() : plain;
}

QStringList DrawnClasses::names(const std::string& dataset) const {
    QStringList names;
    std::error_code ignored;
    const fs::path part = folder(dataset) / kDrawingsTrain;
    if (!fs::is_directory(fs::symlink_status(part, ignored))) return names;
    for (const fs::path& entry : plainFoldersIn(part))
        if (const QString name = QString::fromStdString(entry.filename().string());
            !name.startsWith('.') && DrawnClass::plainName(name) == name)
            names.append(name);
    names.sort();
    return names.mid(0, static_cast<qsizetype>(kMostDrawnClasses));
}

DrawnClass DrawnClasses::read(const std::string& dataset, const QString& name) const {
    const fs::path root = folder(dataset);
    DrawnClass drawn;
    drawn.name = name;
    for (const fs::path& file : drawingFiles(classFolder(root / kDrawingsTrain, name))) {
        if (drawn.drawings.size() == DrawnClass::kDrawings) break;
        drawn.drawings.append(decoded(readTextFile(file, FilePlace::InFolder, kLargestDrawing), file));
    }
    for (const fs::path& file : drawingFiles(classFolder(root / kDrawingsTest, name))) {
        drawn.test = decoded(readTextFile(file, FilePlace::InFolder, kLargestDrawing), file);
        break;
    }
    return drawn;
}

void DrawnClasses::save(const DrawingsBase& base, const DrawnClass& drawn, const QString& former) const {
    if (drawn.drawings.isEmpty() || drawn.test.isNull())
        throw inputError("A class needs a drawing to learn from and one to test with.", "Draw them first.");
    const QString name = DrawnClass::plainName(drawn.name);
    if (name.isEmpty() || name != drawn.name)
        throw inputError("There can be no class of this name.", "Give it another one.");
    const fs::path root = folder(base.dataset), train = root / kDrawingsTrain, test = root / kDrawingsTest;
    makeFolder(root);
    // Where the files of the base are may have been said when another class was drawn.
    DrawingsBase written = base;
    if (base.root.empty() && isPlainFile(root / kDrawingsBase)) {
        try {
            if (const DrawingsBase before = readDrawingsBase(root); before.dataset == base.dataset) written = before;
        } catch (const Error&) {
            // A file that makes no sense is written anew.
        }
    }
    writeDrawingsBase(root, written);
    const QStringList known = names(base.dataset);
    if (name != former && known.contains(name))
        throw inputError("You have drawn a class " + name.toStdString() + " before.",
                         "Choose it in the list to change it, or give this one another name.");
    if (former.isEmpty() && known.size() >= static_cast<qsizetype>(kMostDrawnClasses))
        throw inputError("There are " + std::to_string(known.size()) + " own classes already.",
                         "Delete one that you no longer need.");
    if (!former.isEmpty() && name != former) {
        std::error_code ignored;
        if (fs::exists(classFolder(test, former), ignored))
            moveFolder(classFolder(test, former), classFolder(test, name));
        moveFolder(classFolder(train, former), classFolder(train, name));
    }
    // A class is there as soon as its training part is, so that comes last.
    const auto write = [&](const fs::path& part, const QList<QImage>& drawings) {
        const fs::path folder = classFolder(part, name);
        std::error_code ignored;
        if (!fs::is_directory(fs::symlink_status(folder, ignored))) return writeNewFolder(part, name, drawings);
        writeDrawings(folder, drawings);
    };
    write(test, {drawn.test});
    write(train, drawn.drawings);
    syncNames(root);
}

void DrawnClasses::remove(const std::string& dataset, const QString& name) const {
    const fs::path root = folder(dataset);
    // Without its training part it is no class any more.
    for (const char* part : {kDrawingsTrain, kDrawingsTest}) {
        const fs::path folder = classFolder(root / part, name);
        std::error_code ignored;
        if (!fs::is_directory(fs::symlink_status(folder, ignored))) continue;
        if (QFile::moveToTrash(QString::fromStdString(folder.string()))) continue;
        std::error_code failure;
        fs::remove_all(folder, failure);
        if (failure)
            throw inputError("Cannot delete the folder " + plainLine(folder.string()) + ": " + failure.message() + ".",
                             "Delete it in a file manager.");
    }
}

QImage DrawnClasses::readPicture(const fs::path& file) {
    return decoded(readTextFile(file, FilePlace::Named, kLargestPicture), file);
}

}  // namespace palimpsest
