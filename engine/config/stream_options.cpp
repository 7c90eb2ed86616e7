// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_row.h"
#include "engine/config/option_sections.h"

namespace palimpsest::option_sections {

using namespace option_row;

std::vector<Option> stream(const Catalogue& catalogue) {
    return {
        choice("stream.dataset", "Data set", "fashion-mnist", FIELD(stream.dataset))
            .choices(catalogue.datasets)
            .help("Where the images of the stream come from."),
        text("stream.root", "Data folder", "", FIELD(stream.root))
            .expert()
            .help("Folder that holds the data set's files; empty looks in the usual places."),
        integer("stream.classes", "Classes", 0, FIELD(stream.classes))
            .range(0, 100000)
            .special("its own number")
            .unit("classes")
            .expert()
            .help("How many classes a procedural data set makes, or how many of the other data set's classes own "
                  "drawings are added to; 0 takes its own number, and other data sets made of files ignore it."),
        integer("stream.first_class", "Classes passed over", 0, FIELD(stream.first_class))
            .range(0, 100000)
            .special("none")
            .unit("classes")
            .expert()
            .help("Drawn data sets alone: the stream's classes are those that come after so many others, such as those "
                  "that backbone and prompts have learned already."),
        integer("stream.sessions", "Sessions", 5, FIELD(stream.sessions))
            .range(1, 1000)
            .help("Parts the stream is cut into; the learner is never told where one ends.")
            .source("The paper's T; MISA, scripts: 5"),
        integer("stream.disjoint_percent", "Disjoint classes", 50, FIELD(stream.disjoint_percent))
            .range(0, 101)
            .unit("%")
            .help("Share of the classes that appear in one session only; 101 deals all classes out in their numbered "
                  "order, the same number to each session.")
            .source("The paper's m; MISA, utils/onlinesampler.py: n"),
        integer("stream.blurry_percent", "Blurry samples", 10, FIELD(stream.blurry_percent))
            .range(0, 101)
            .unit("%")
            .help("Share of the other classes' images that are scattered over all sessions; 101 brings one new class a "
                  "session and scatters the last quarter of it over the later ones.")
            .source("The paper's n; MISA, utils/onlinesampler.py: m"),
        choice("stream.partition", "Partition", "stochastic", FIELD(stream.partition))
            .choices({{"stochastic", "Stochastic", "Sessions differ in classes and size, as in the paper"},
                      {"uniform", "Uniform", "Every session gets the same number of classes"},
                      {"ordered", "Ordered", "All classes disjoint, in their numbered order, equally many a session"},
                      {"one-class", "One class at a time",
                       "Each session brings one new class; the last quarter of it is scattered over the later ones"},
                      {"imported", "Imported", "The sessions of an index list"}})
            .help("How classes and scattered images are divided among the sessions.")
            .source("MISA, utils/onlinesampler.py: varying N and M (--rnd_NM); ordered is n > 100, one class m > 100"),
        choice("stream.sampler", "Sampler", "current", FIELD(stream.sampler))
            .expert()
            .choices({{"current", "Current", "MISA's, which keeps every class"},
                      {"older", "Older",
                       "Si-Blurry's, which leaves out classes so that T divides the number of blurry ones"}})
            .help("Which official code's stream to make, to compare with numbers published with it.")
            .source("MISA and Si-Blurry, utils/onlinesampler.py"),
        text("stream.index_list", "Index list", "", FIELD(stream.index_list))
            .expert()
            .help("JSON file with the sessions of an imported stream, as `palimpsest-cli stream` writes it; a relative "
                  "path starts at the experiment file's folder."),
        text("stream.edits", "Edits", "", FIELD(stream.edits))
            .expert()
            .help("Classes taken to another session by hand once the stream is planned, such as class 3 to session 2; "
                  "class 5 from session 1 to session 4. Classes count from 0, sessions from 1; empty leaves the stream "
                  "as it was drawn."),
        integer("stream.train_limit", "Training images", 0, FIELD(stream.train_limit))
            .range(0, 100000000)
            .special("all")
            .unit("images")
            .help("Stream only so many training images of the data set: its first, or so many of each class in turn "
                  "where its files lie sorted by class. 0 streams all."),
        integer("stream.test_limit", "Test images", 0, FIELD(stream.test_limit))
            .range(0, 100000000)
            .special("all")
            .unit("images")
            .help("Evaluate on only so many test images, chosen likewise; 0 takes all."),
        choice("stream.test_crop", "Crop of test images", "centre", FIELD(stream.test_crop))
            .expert()
            .choices({{"centre", "Centre", "The middle of the picture, the same for every seed"},
                      {"published", "As published",
                       "A random part of it, drawn by the seed, so that another seed measures on other pixels"}})
            .help("Which square is cut out of a test image once its short side is 256 pixels; only ImageNet-R, "
                  "GTSRB and WikiArt are cropped, other data sets are shown whole.")
            .source("MISA, datasets/*.py: a random crop, for test images too"),
        text("stream.normalise", "Normalisation", "data-set", FIELD(stream.normalise))
            .expert()
            .help("Mean and deviation that images are normalised with, those of an initial session too: data-set takes "
                  "the numbers of the published code for each data set (birds have CIFAR-100's there), imagenet and "
                  "cifar100 those of these two, half 0.5 and 0.5, which many checkpoints were trained with, and none "
                  "leaves 0 to 1; numbers are written as 0.5 0.5 0.5 / 0.2 0.2 0.2, or 0.5 / 0.5 for all channels.")
            .source("MISA, datasets/*.py: each data set's own"),
        integer("stream.cache", "Picture cache", 4096, FIELD(stream.cache))
            .range(0, 10000000)
            .special("none")
            .unit("MB")
            .expert()
            .help("Room on the disk for pictures that were read from image files once, so that later runs are faster; "
                  "it changes no number, and 0 keeps none.")};
}

}  // namespace palimpsest::option_sections
