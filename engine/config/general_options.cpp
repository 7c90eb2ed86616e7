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
                 {"tf32", "TF32",
                  "float32 whose products a GPU from the Ampere generation on computes with the precision of 10 bits; "
                  "two "
                  "runs on GPUs at a time must agree about it"},
                 {"bfloat16", "bfloat16", "Half the bits in the network's large products"}})
            .help("Number format of the network's large products; weights and losses stay float32.")
            .source("MISA, scripts: float32"),
        integer("threads", "Threads", 0, FIELD(threads))
            .range(0, 1024)
            .special("all cores")
            .expert()
            .help("Processor threads to compute with; 0 takes all cores.")};
}

std::vector<Option> gpu() {
    return {boolean("gpu.graph", "Record updates", false, FIELD(gpu.graph))
                .expert()
                .help("On a GPU, updates of full batches are recorded once as a CUDA graph and replayed, where the "
                      "method allows it and the program was built with CUDA's headers; off, since no GPU has tried it "
                      "yet."),
            choice("gpu.adam", "Adam on a GPU", "fused", FIELD(gpu.adam))
                .expert()
                .choices({{"fused", "Fused", "One kernel for all parameters, where LibTorch has it (from 2.0 on)"},
                          {"foreach", "Lists", "LibTorch's operators for lists of tensors"},
                          {"plain", "Plain", "Tensor by tensor, as on the processor"}})
                .help("How a GPU computes the steps of Adam; the formula is the same, last digits are not."),
            boolean("gpu.read_late", "Read losses late", true, FIELD(gpu.read_late))
                .expert()
                .help("On a GPU, the loss of an update is read when the next one of its batch has been launched, so "
                      "that the GPU need not wait; changes no number.")};
}

std::vector<Option> backbone(const Catalogue& catalogue) {
    return {
        choice("backbone.name", "Backbone", kEmbeddedBackbones[0], FIELD(backbone.name))
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
