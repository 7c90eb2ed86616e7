// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_row.h"
#include "engine/config/option_sections.h"

namespace palimpsest::option_sections {

using namespace option_row;

std::vector<Option> general() {
    return {
        text("name", "Name", "Untitled experiment", FIELD(name))
            .help("What you call the experiment; run folders and figures carry it."),
        integer("seed", "Seed", 1, FIELD(seed))
            .range(0, 2147483647)
            .help("Fixes the stream, the initial weights, the augmentation and the replay; the same seed gives the "
                  "same numbers.")
            .source("MISA, main.py: seeds 1 to 5"),
        text("device", "Device", "auto", FIELD(device))
            .expert()
            .help("Where to compute: auto takes a GPU if there is one; cpu, cuda or cuda:N asks for a certain one."),
        choice("precision", "Precision", "auto", FIELD(precision))
            .expert()
            .choices(
                {{"auto", "Automatic",
                  "bfloat16 on a processor with tiles for it (AMX) and on a GPU from the Ampere generation on, float32 "
                  "elsewhere; the run says which"},
                 {"float32", "float32", "The reference: what published numbers use"},
                 {"bfloat16", "bfloat16", "Half the bits in the network's large products"}})
            .help("Number format of the network's large products; weights and losses stay float32.")
            .source("MISA, scripts: float32"),
        integer("threads", "Threads", 0, FIELD(threads))
            .range(0, 1024)
            .special("all cores")
            .expert()
            .help("Processor threads to compute with; 0 takes all cores.")};
}

std::vector<Option> backbone(const Catalogue& catalogue) {
    return {
        choice("backbone.name", "Backbone", "palimpsest-vit", FIELD(backbone.name))
            .choices(catalogue.backbones)
            .help("The vision transformer that turns an image into features."),
        text("backbone.weights", "Weights", "embedded", FIELD(backbone.weights))
            .expert()
            .help("embedded takes the pretrained weights that come with the program, random takes none; a name that "
                  "`palimpsest-cli backbones` lists takes that file from the folder backbones of the data folder, and "
                  "anything else is the path of a .safetensors, Google .npz or PyTorch file."),
        integer("backbone.image_size", "Image size", 0, FIELD(backbone.image_size))
            .range(0, 1024)
            .special("the weights' own")
            .unit("pixels")
            .expert()
            .help("Side of the images that the backbone sees, a multiple of its patches; its table of positions is "
                  "resized to it, and 0 takes the weights' own size.")
            .source("timm, resize_pos_embed; MISA, models/vit.py"),
        integer("backbone.heads", "Heads", 0, FIELD(backbone.heads))
            .range(0, 1024)
            .special("as the weights say")
            .expert()
            .help("Heads of the backbone's attention, where its weights do not tell them; 0 takes what they say, or "
                  "one for every 64 of its width."),
        choice("backbone.activation", "Activation", "auto", FIELD(backbone.activation))
            .expert()
            .choices({{"auto", "Automatic", "Quick GELU for CLIP, unless its file says otherwise; GELU for all others"},
                      {"gelu", "GELU", "The exact one; also of CLIP networks that LAION trained"},
                      {"quick-gelu", "Quick GELU", "x sigmoid(1.702 x), of OpenAI's CLIP"}})
            .help("Activation of the backbone's hidden layers, which no file of weights shows.")
            .source("OpenAI, CLIP, clip/model.py")};
}

}  // namespace palimpsest::option_sections
