// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/cifar_info.h"

namespace palimpsest {
namespace {

/// An archive. The binary one is fetched; the python one has the same pictures, and is read if the user has it.
DatasetFile archive(const std::string& name, std::int64_t size, const std::string& sha256, const std::string& folder,
                    const std::string& form) {
    return {.name = name,
            .size = size,
            .checksum = "sha256:" + sha256,
            .urls = {"https://www.cs.toronto.edu/~kriz/" + name, "https://cave.cs.toronto.edu/kriz/" + name},
            .archive = true,
            .unpacked = folder,
            .optional = form == "python",
            .form = form};
}

DatasetInfo common() {
    DatasetInfo info;
    info.origin = "Alex Krizhevsky, Vinod Nair and Geoffrey Hinton, University of Toronto (2009)";
    info.licence = "None stated; its makers ask for a citation";
    info.train = 50000;
    info.test = 10000;
    info.citation =
        "A. Krizhevsky. Learning multiple layers of features from tiny images. Technical report, University of "
        "Toronto, 2009.";
    info.homepage = "https://www.cs.toronto.edu/~kriz/cifar.html";
    return info;
}

}  // namespace

DatasetInfo cifar10Info() {
    DatasetInfo info = common();
    info.name = "cifar10";
    info.title = "CIFAR-10";
    info.summary = "Colour photographs of animals and vehicles, 32 by 32 pixels, 10 classes.";
    info.classes = 10;
    info.class_names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
    info.files = {
        archive("cifar-10-binary.tar.gz", 170052171, "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
                "cifar-10-batches-bin", "binary"),
        archive("cifar-10-python.tar.gz", 170498071, "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
                "cifar-10-batches-py", "python")};
    return info;
}

DatasetInfo cifar100Info() {
    DatasetInfo info = common();
    info.name = "cifar100";
    info.title = "CIFAR-100";
    info.summary = "Colour photographs of animals, plants, things and people, 32 by 32 pixels, 100 classes.";
    info.classes = 100;
    info.class_names = {
        "apple",      "aquarium fish", "baby",         "bear",       "beaver",      "bed",         "bee",
        "beetle",     "bicycle",       "bottle",       "bowl",       "boy",         "bridge",      "bus",
        "butterfly",  "camel",         "can",          "castle",     "caterpillar", "cattle",      "chair",
        "chimpanzee", "clock",         "cloud",        "cockroach",  "couch",       "crab",        "crocodile",
        "cup",        "dinosaur",      "dolphin",      "elephant",   "flatfish",    "forest",      "fox",
        "girl",       "hamster",       "house",        "kangaroo",   "keyboard",    "lamp",        "lawn mower",
        "leopard",    "lion",          "lizard",       "lobster",    "man",         "maple tree",  "motorcycle",
        "mountain",   "mouse",         "mushroom",     "oak tree",   "orange",      "orchid",      "otter",
        "palm tree",  "pear",          "pickup truck", "pine tree",  "plain",       "plate",       "poppy",
        "porcupine",  "possum",        "rabbit",       "raccoon",    "ray",         "road",        "rocket",
        "rose",       "sea",           "seal",         "shark",      "shrew",       "skunk",       "skyscraper",
        "snail",      "snake",         "spider",       "squirrel",   "streetcar",   "sunflower",   "sweet pepper",
        "table",      "tank",          "telephone",    "television", "tiger",       "tractor",     "train",
        "trout",      "tulip",         "turtle",       "wardrobe",   "whale",       "willow tree", "wolf",
        "woman",      "worm"};
    info.files = {
        archive("cifar-100-binary.tar.gz", 168513733,
                "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec", "cifar-100-binary", "binary"),
        archive("cifar-100-python.tar.gz", 169001437,
                "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7", "cifar-100-python", "python")};
    return info;
}

}  // namespace palimpsest
