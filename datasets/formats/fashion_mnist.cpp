// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/idx_dataset.h"

namespace palimpsest {

DatasetSource fashionMnistSource() {
    DatasetInfo info;
    info.name = "fashion-mnist";
    info.title = "Fashion-MNIST";
    info.summary = "Grey pictures of clothes, shoes and bags, 28 by 28 pixels, 10 classes.";
    info.origin = "Zalando Research (Xiao, Rasul and Vollgraf, 2017), also as Debian's package dataset-fashion-mnist";
    info.licence = "MIT";
    info.classes = 10;
    info.train = 60000;
    info.test = 10000;
    info.citation =
        "H. Xiao, K. Rasul and R. Vollgraf. Fashion-MNIST: a novel image dataset for benchmarking machine learning "
        "algorithms. arXiv:1708.07747, 2017.";
    info.homepage = "https://github.com/zalandoresearch/fashion-mnist";
    // Names from the official README, in its order.
    info.class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                        "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
    info.files = idxFiles({"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"},
                          {{26421880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
                           {29515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
                           {4422102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
                           {5148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"}});
    return idxSource({.info = info,
                      // Measured over all pixels of the 60,000 training images: 0.28604, 0.35302.
                      .mean = 0.2860F,
                      .deviation = 0.3530F,
                      .folders = {"FashionMNIST/raw"},
                      .system_folder = "/usr/share/datasets/fashion-mnist",
                      .package = "dataset-fashion-mnist"});
}

}  // namespace palimpsest
