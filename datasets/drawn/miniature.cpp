// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/miniature.h"

#include <cstdio>
#include <functional>
#include <opencv2/core.hpp>
#include <system_error>
#include <vector>

#include "datasets/files/picture_codecs.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/random.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// One picture of a class: its own colour, with noise, so that pictures of a class are alike and not the same.
cv::Mat picture(int label, int number, int width, int height) {
    Random random(static_cast<std::uint64_t>(label) + 1, static_cast<std::uint64_t>(number));
    cv::Mat image(height, width, CV_8UC3);
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            for (int channel = 0; channel < 3; ++channel) {
                const int own = (label * (37 + 24 * channel) + 16 * ((row + column * label) % 5)) % 224;
                image.at<cv::Vec3b>(row, column)[channel] =
                    static_cast<std::uint8_t>(own + static_cast<int>(random.below(32)));
            }
    return image;
}

std::string numbered(const char* pattern, int number) {
    char text[80];
    std::snprintf(text, sizeof text, pattern, number);
    return text;
}

void writeBytes(const fs::path& file, const std::vector<std::uint8_t>& bytes) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    replaceTextFile(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void writeText(const fs::path& file, const std::string& text) {
    writeBytes(file, {text.begin(), text.end()});
}

/// `ending`: the format; the file may be called otherwise (ImageNet's JPEG files end in capitals).
void writePicture(const fs::path& file, const cv::Mat& image, const char* ending) {
    std::vector<std::uint8_t> bytes;
    pictureCodecs().encode(ending, image, bytes, {});
    writeBytes(file, bytes);
}

/// A class folder with pictures.
void writeClass(const fs::path& folder, int label, int first, int count, const char* pattern, const char* ending,
                int width, int height) {
    for (int i = first; i < first + count; ++i)
        writePicture(folder / numbered(pattern, i), picture(label, i, width + i % 3, height), ending);
}

std::string wordnetNumber(int rank, int first = 1440764) {
    return numbered("n%08d", first + 1013 * rank);
}

void makeCifar100(const fs::path& folder) {
    constexpr int kClasses = 100, kSide = 32;
    for (const auto& [name, each, from] : {std::tuple{"train.bin", 4, 0}, std::tuple{"test.bin", 1, 4}}) {
        std::vector<std::uint8_t> bytes;
        // Classes in turn, so that the first pictures are of many.
        for (int number = from; number < from + each; ++number)
            for (int i = 0; i < kClasses; ++i) {
                const int label = (i * 37) % kClasses;
                const cv::Mat image = picture(label, number, kSide, kSide);
                bytes.push_back(static_cast<std::uint8_t>(label / 5));
                bytes.push_back(static_cast<std::uint8_t>(label));
                for (int channel = 0; channel < 3; ++channel)
                    for (int row = 0; row < kSide; ++row)
                        for (int column = 0; column < kSide; ++column)
                            bytes.push_back(image.at<cv::Vec3b>(row, column)[channel]);
            }
        writeBytes(folder / "cifar-100-binary" / name, bytes);
    }
}

void makeTinyImageNet(const fs::path& folder) {
    const fs::path base = folder / "tiny-imagenet-200";
    std::string wnids, annotations;
    for (int i = 0; i < 200; ++i) {
        const int label = (i * 77) % 200;  // wnids.txt is not sorted
        const std::string wnid = wordnetNumber(label);
        wnids += wnid + "\n";
        writeClass(base / "train" / wnid / "images", label, 0, 2, (wnid + "_%d.JPEG").c_str(), ".jpg", 64, 64);
        const std::string name = numbered("val_%d.JPEG", i);
        writePicture(base / "val" / "images" / name, picture(label, 2, 64, 64), ".jpg");
        annotations += name + "\t" + wnid + "\t0\t0\t62\t62\n";
    }
    writeText(base / "val" / "val_annotations.txt", annotations);
    writeText(base / "wnids.txt", wnids);
}

void makeImageNetR(const fs::path& folder) {
    for (int label = 0; label < 200; ++label)
        writeClass(folder / "imagenet-r" / (label == 0 ? "n01443537" : wordnetNumber(label, 1443537)), label, 0, 6,
                   "art_%d.jpg", ".jpg", 40, 36);
}

void makeCub(const fs::path& folder) {
    for (int label = 0; label < 200; ++label) {
        const std::string name = label == 0 ? "001.Black_footed_Albatross" : numbered("%03d.Some_Bird", label + 1);
        writeClass(folder / "CUB_200_2011" / "images" / name, label, 0, 6, "Bird_%04d.jpg", ".jpg", 40, 36);
    }
}

void makeNch(const fs::path& folder) {
    const char* const classes[] = {"ADI", "BACK", "DEB", "LYM", "MUC", "MUS", "NORM", "STR", "TUM"};
    for (int label = 0; label < 9; ++label) {
        const std::string pattern = std::string(classes[label]) + "-%04d.tif";
        for (int i = 0; i < 12; ++i)
            writePicture(folder / "NCT-CRC-HE-100K" / classes[label] / numbered(pattern.c_str(), i),
                         picture(label, i, 32, 32), ".tif");
        for (int i = 12; i < 16; ++i)
            writePicture(folder / "CRC-VAL-HE-7K" / classes[label] / numbered(pattern.c_str(), i),
                         picture(label, i, 32, 32), ".tif");
    }
}

void makeImageNet(const fs::path& folder) {
    for (int label = 0; label < 1000; ++label) {
        // The reader of ImageNet's parts checks where they begin and end by these numbers.
        const std::string wnid = label == 99    ? "n01855672"
                                 : label == 899 ? "n04560804"
                                 : label == 900 ? "n04562935"
                                 : label < 99   ? wordnetNumber(label)
                                 : label < 899  ? numbered("n%08d", 1855672 + 3000 * (label - 99))
                                                : numbered("n%08d", 4562935 + 3000 * (label - 900));
        writeClass(folder / "train" / wnid, label, 0, 2, (wnid + "_%d.JPEG").c_str(), ".jpg", 18, 16);
        writeClass(folder / "val" / wnid, label, 2, 1, "ILSVRC2012_val_%08d.JPEG", ".jpg", 18, 16);
    }
}

void makeGtsrb(const fs::path& folder) {
    for (int label = 0; label < 43; ++label)
        writeClass(folder / "GTSRB" / "Final_Training" / "Images" / numbered("%05d", label), label, 0, 5,
                   "00000_%05d.ppm", ".ppm", 30, 28);
}

void makeWikiArt(const fs::path& folder) {
    for (int label = 0; label < 27; ++label)
        writeClass(folder / "wikiart" / (label == 0 ? "Abstract_Expressionism" : numbered("Style_%02d", label)), label,
                   0, 5, "painter_work-%d.jpg", ".jpg", 40, 30);
}

struct Maker {
    const char* name;
    std::vector<const char*> parts;
    void (*make)(const fs::path&);
};

const std::vector<Maker>& makers() {
    static const std::vector<Maker> all = {
        {"cifar100", {}, makeCifar100},
        {"tinyimagenet", {}, makeTinyImageNet},
        {"imagenet-r", {}, makeImageNetR},
        {"nch", {}, makeNch},
        {"cub200", {"cub175", "cub25"}, makeCub},
        {"imagenet",
         {"imagenet100", "imagenet900", "imagenet900-code", "imagenet-last100", "imagenet611", "imagenet-random100"},
         makeImageNet},
        {"gtsrb", {}, makeGtsrb},
        {"wikiart", {"wikiart-code"}, makeWikiArt}};
    return all;
}

}  // namespace

void makeMiniature(const std::string& dataset, const fs::path& root) {
    for (const char* drawn : {"shapes", "glyphs", "fractals", "formulas"})
        if (dataset == drawn) return;
    std::string known;
    for (const Maker& maker : makers()) {
        bool wanted = dataset == maker.name;
        for (const char* part : maker.parts) wanted = wanted || dataset == part;
        known += (known.empty() ? "" : ", ") + std::string(maker.name);
        if (!wanted) continue;
        // The mark comes last: what was interrupted is made anew.
        const fs::path folder = root / maker.name, mark = folder / "miniature.txt";
        std::error_code ignored;
        if (fs::exists(mark, ignored)) return;
        maker.make(folder);
        writeText(mark, "A few drawn pictures in the format of " + std::string(maker.name) + ".\n");
        return;
    }
    throw inputError("There is no miniature of the data set \"" + plainLine(dataset) + "\".",
                     "There are miniatures of " + known + ".");
}

}  // namespace palimpsest
