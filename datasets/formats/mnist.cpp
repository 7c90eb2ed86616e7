// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/idx_dataset.h"

namespace palimpsest {

DatasetSource mnistSource() {
    DatasetInfo info;
    info.name = "mnist";
    info.title = "MNIST";
    info.summary = "Handwritten digits, grey, 28 by 28 pixels, 10 classes.";
    info.origin = "Yann LeCun, Corinna Cortes and Christopher Burges (1998), from handwriting collected by NIST";
    info.licence = "CC BY-SA 3.0";
    info.classes = 10;
    info.train = 60000;
    info.test = 10000;
    info.citation =
        "Y. LeCun, L. Bottou, Y. Bengio and P. Haffner. Gradient-based learning applied to document recognition. "
        "Proceedings of the IEEE 86(11), 1998.";
    info.homepage = "http://yann.lecun.com/exdb/mnist/";
    info.class_names = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    info.files = idxFiles(
        {"https://storage.googleapis.com/cvdf-datasets/mnist/", "https://ossci-datasets.s3.amazonaws.com/mnist/"},
        {{9912422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
         {28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
         {1648877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
         {4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}});
    // Measured over all pixels of the 60,000 training images.
    return idxSource({.info = info, .mean = 0.1307F, .deviation = 0.3081F, .folders = {"MNIST/raw"}});
}

}  // namespace palimpsest
