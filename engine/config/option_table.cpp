// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

#include "engine/config/nearest_word.h"
#include "engine/support/error.h"
#include "engine/support/utf8.h"

namespace palimpsest {

namespace {

/// One row under construction.
class Row {
public:
    template <class Field>
    Row(const char* key, const char* title, OptionType type, OptionValue standard, Field field) {
        using Value = std::remove_cvref_t<decltype(field(std::declval<Experiment&>()))>;
        option_.key = key;
        option_.title = title;
        option_.type = type;
        option_.standard = std::move(standard);
        option_.get = [field](const Experiment& e) -> OptionValue { return field(e); };
        option_.assign = [field](Experiment& e, const OptionValue& value) { field(e) = std::get<Value>(value); };
    }
    Row&& range(double minimum, double maximum) && {
        option_.minimum = minimum;
        option_.maximum = maximum;
        return std::move(*this);
    }
    Row&& special(const char* word) && {
        option_.special = word;
        return std::move(*this);
    }
    Row&& choices(std::vector<Choice> choices) && {
        option_.choices = std::move(choices);
        return std::move(*this);
    }
    Row&& unit(const char* unit) && {
        option_.unit = unit;
        return std::move(*this);
    }
    Row&& help(const char* help) && {
        option_.help = help;
        return std::move(*this);
    }
    Row&& source(const char* source) && {
        option_.source = source;
        return std::move(*this);
    }
    /// May be changed while a run goes on.
    Row&& live() && {
        option_.effect = OptionEffect::NextBatch;
        return std::move(*this);
    }
    Row&& expert() && {
        option_.level = OptionLevel::Expert;
        return std::move(*this);
    }
    Row&& onlyFor(std::vector<std::string> methods) && {
        option_.only_methods = std::move(methods);
        return std::move(*this);
    }
    operator Option() && { return std::move(option_); }

private:
    Option option_;
};

template <class Field>
Row boolean(const char* key, const char* title, bool standard, Field field) {
    return Row(key, title, OptionType::Boolean, standard, field);
}
template <class Field>
Row integer(const char* key, const char* title, std::int64_t standard, Field field) {
    return Row(key, title, OptionType::Integer, standard, field);
}
template <class Field>
Row real(const char* key, const char* title, double standard, Field field) {
    return Row(key, title, OptionType::Real, standard, field);
}
template <class Field>
Row text(const char* key, const char* title, const char* standard, Field field) {
    return Row(key, title, OptionType::Text, std::string(standard), field);
}
template <class Field>
Row choice(const char* key, const char* title, const char* standard, Field field) {
    return Row(key, title, OptionType::Choice, std::string(standard), field);
}

// One lambda for reading and for writing a field.
#define FIELD(path)        \
    [](auto& e) -> auto& { \
        return e.path;     \
    }

std::vector<Option> declareOptions(const Catalogue& catalogue) {
    const std::vector<std::string> initialPromptMethods = {"dualprompt", "l2p", "mvp"};
    const std::vector<std::string> poolMethods = {"dualprompt", "l2p", "mvp", "coda-prompt"};
    const std::vector<std::string> calibratedMethods = {"dualprompt", "l2p", "mvp", "coda-prompt"};
    const std::vector<std::string> firstBlockMethods = {"single-prompt", "fly-prompt", "coda-prompt"};
    const std::vector<Choice> augmentations = {
        {"auto", "Automatic",
         "As the official scripts: crop and flip, and AutoAugment for data sets that have a policy "
         "(CIFAR and those named after ImageNet)"},
        {"none", "None", "Images as they are"},
        {"crop-flip", "Crop and flip", "Random shift by up to 4 pixels of 224 (at least 1) and mirroring"},
        {"autoaugment", "AutoAugment",
         "Crop and flip, then AutoAugment with the data set's policy, or ImageNet's where it has "
         "none"}};
    std::vector<Option> rows;

    rows.push_back(text("name", "Name", "Untitled experiment", FIELD(name))
                       .help("What you call the experiment; run folders and figures carry it."));
    rows.push_back(
        integer("seed", "Seed", 1, FIELD(seed))
            .range(0, 2147483647)
            .help("Fixes the stream, the initial weights, the augmentation and the replay; the same seed gives "
                  "the same numbers.")
            .source("MISA, main.py: seeds 1 to 5"));
    rows.push_back(
        text("device", "Device", "auto", FIELD(device))
            .expert()
            .help("Where to compute: auto takes a GPU if there is one; cpu, cuda or cuda:N asks for a certain "
                  "one."));
    rows.push_back(choice("precision", "Precision", "auto", FIELD(precision))
                       .expert()
                       .choices({{"auto", "Automatic",
                                  "bfloat16 on a processor that multiplies it, float32 elsewhere; the run says which"},
                                 {"float32", "float32", "The reference: what published numbers use"},
                                 {"bfloat16", "bfloat16", "Half the bits in the network's large products"}})
                       .help("Number format of the network's large products; weights and losses stay float32.")
                       .source("MISA, scripts: float32"));
    rows.push_back(integer("threads", "Threads", 0, FIELD(threads))
                       .range(0, 1024)
                       .special("all cores")
                       .expert()
                       .help("Processor threads to compute with; 0 takes all cores."));

    rows.push_back(choice("stream.dataset", "Data set", "fashion-mnist", FIELD(stream.dataset))
                       .choices(catalogue.datasets)
                       .help("Where the images of the stream come from."));
    rows.push_back(text("stream.root", "Data folder", "", FIELD(stream.root))
                       .expert()
                       .help("Folder that holds the data set's files; empty looks in the usual places."));
    rows.push_back(
        integer("stream.classes", "Classes", 0, FIELD(stream.classes))
            .range(0, 100000)
            .special("its own number")
            .unit("classes")
            .expert()
            .help("How many classes a procedural data set makes; 0 takes its own number, and data sets made of "
                  "files ignore it."));
    rows.push_back(
        integer("stream.first_class", "Classes passed over", 0, FIELD(stream.first_class))
            .range(0, 100000)
            .special("none")
            .unit("classes")
            .expert()
            .help("Drawn data sets alone: the stream's classes are those that come after so many others, such "
                  "as those that backbone and prompts have learned already."));
    rows.push_back(integer("stream.sessions", "Sessions", 5, FIELD(stream.sessions))
                       .range(1, 1000)
                       .help("Parts the stream is cut into; the learner is never told where one ends.")
                       .source("The paper's T; MISA, scripts: 5"));
    rows.push_back(integer("stream.disjoint_percent", "Disjoint classes", 50, FIELD(stream.disjoint_percent))
                       .range(0, 101)
                       .unit("%")
                       .help("Share of the classes that appear in one session only; 101 deals all classes out in their "
                             "numbered order, the same number to each session.")
                       .source("The paper's m; MISA, utils/onlinesampler.py: n"));
    rows.push_back(
        integer("stream.blurry_percent", "Blurry samples", 10, FIELD(stream.blurry_percent))
            .range(0, 101)
            .unit("%")
            .help("Share of the other classes' images that are scattered over all sessions; 101 brings one new "
                  "class a session and scatters the last quarter of it over the later ones.")
            .source("The paper's n; MISA, utils/onlinesampler.py: m"));
    rows.push_back(
        choice("stream.partition", "Partition", "stochastic", FIELD(stream.partition))
            .choices({{"stochastic", "Stochastic", "Sessions differ in classes and size, as in the paper"},
                      {"uniform", "Uniform", "Every session gets the same number of classes"},
                      {"ordered", "Ordered", "All classes disjoint, in their numbered order, equally many a session"},
                      {"one-class", "One class at a time",
                       "Each session brings one new class; the last quarter of it is scattered over the later ones"},
                      {"imported", "Imported", "The sessions of an index list"}})
            .help("How classes and scattered images are divided among the sessions.")
            .source("MISA, utils/onlinesampler.py: varying N and M (--rnd_NM); ordered is n > 100, one class m > 100"));
    rows.push_back(choice("stream.sampler", "Sampler", "current", FIELD(stream.sampler))
                       .expert()
                       .choices({{"current", "Current", "MISA's, which keeps every class"},
                                 {"older", "Older",
                                  "Si-Blurry's, which leaves out classes so that T divides the number of blurry ones"}})
                       .help("Which official code's stream to make, to compare with numbers published with it.")
                       .source("MISA and Si-Blurry, utils/onlinesampler.py"));
    rows.push_back(text("stream.index_list", "Index list", "", FIELD(stream.index_list))
                       .expert()
                       .help("JSON file with the sessions of an imported stream, as `palimpsest-cli stream` writes it; "
                             "a relative path starts at the experiment file's folder."));
    rows.push_back(text("stream.edits", "Edits", "", FIELD(stream.edits))
                       .expert()
                       .help("Classes taken to another session by hand once the stream is planned, such as class 3 to "
                             "session 2; class 5 from session 1 to session 4. Classes count from 0, sessions from 1; "
                             "empty leaves the stream as it was drawn."));
    rows.push_back(
        integer("stream.train_limit", "Training images", 0, FIELD(stream.train_limit))
            .range(0, 100000000)
            .special("all")
            .unit("images")
            .help("Stream only so many training images of the data set: its first, or so many of each class in turn "
                  "where its files lie sorted by class. 0 streams all."));
    rows.push_back(integer("stream.test_limit", "Test images", 0, FIELD(stream.test_limit))
                       .range(0, 100000000)
                       .special("all")
                       .unit("images")
                       .help("Evaluate on only so many test images, chosen likewise; 0 takes all."));
    rows.push_back(integer("stream.cache", "Picture cache", 4096, FIELD(stream.cache))
                       .range(0, 10000000)
                       .special("none")
                       .unit("MB")
                       .expert()
                       .help("Room on the disk for pictures that were read from image files once, so that later runs "
                             "are faster; it changes no number, and 0 keeps none."));

    rows.push_back(choice("backbone.name", "Backbone", "palimpsest-vit", FIELD(backbone.name))
                       .choices(catalogue.backbones)
                       .help("The vision transformer that turns an image into features."));
    rows.push_back(text("backbone.weights", "Weights", "embedded", FIELD(backbone.weights))
                       .expert()
                       .help("embedded takes the pretrained weights that come with the program, random takes none; "
                             "anything else is the path of a .safetensors, Google .npz or PyTorch file."));
    rows.push_back(
        integer("backbone.image_size", "Image size", 0, FIELD(backbone.image_size))
            .range(0, 1024)
            .special("the weights' own")
            .unit("pixels")
            .expert()
            .help("Side of the images that the backbone sees, a multiple of its patches; its table of positions "
                  "is resized to it, and 0 takes the weights' own size.")
            .source("timm, resize_pos_embed; MISA, models/vit.py"));
    rows.push_back(
        integer("backbone.heads", "Heads", 0, FIELD(backbone.heads))
            .range(0, 1024)
            .special("as the weights say")
            .expert()
            .help("Heads of the backbone's attention, where its weights do not tell them; 0 takes what they say, "
                  "or one for every 64 of its width."));
    rows.push_back(
        choice("backbone.activation", "Activation", "auto", FIELD(backbone.activation))
            .expert()
            .choices({{"auto", "Automatic", "Quick GELU for CLIP, unless its file says otherwise; GELU for all others"},
                      {"gelu", "GELU", "The exact one; also of CLIP networks that LAION trained"},
                      {"quick-gelu", "Quick GELU", "x sigmoid(1.702 x), of OpenAI's CLIP"}})
            .help("Activation of the backbone's hidden layers, which no file of weights shows.")
            .source("OpenAI, CLIP, clip/model.py"));

    rows.push_back(choice("method.name", "Method", "dualprompt", FIELD(method.name))
                       .choices(catalogue.methods)
                       .help("How the learner changes itself with every batch."));
    rows.push_back(
        choice("method.prompt_selection", "Prompt selection", "full-pool", FIELD(method.prompt_selection))
            .expert()
            .onlyFor({"dualprompt"})
            .choices({{"full-pool", "Full pool", "Each image takes the prompt whose key is nearest"},
                      {"session-slice", "Session slice",
                       "In session t all images take prompt t, and only its key is trained"},
                      {"as-published", "As published",
                       "The official code with its defect: in session t key t is trained, but prompt 0 is taken"}})
            .help("Which prompts of the pool an image may choose from while training.")
            .source("Wang et al., DualPrompt (ECCV 2022): the nearest key, the default; MISA, models/dualprompt.py: as "
                    "published"));
    rows.push_back(
        integer("method.pool_size", "Prompt pool", 10, FIELD(method.pool_size))
            .range(1, 1000)
            .unit("prompts")
            .expert()
            .onlyFor(poolMethods)
            .help("Prompts to choose from, each with a key of its own. CODA-Prompt needs one or more for each "
                  "session, and has no more than its backbone is wide.")
            .source("MISA, models/dualprompt.py, L2P.py and mvp.py: 10; FlyGCL, CODA-Prompt: 10"));
    rows.push_back(choice("method.prompt_form", "Prompt form", "tuning", FIELD(method.prompt_form))
                       .expert()
                       .onlyFor({"dualprompt"})
                       .choices({{"tuning", "Prompt tuning", "Tokens that a block attends to, as it does to its own"},
                                 {"prefix", "Prefix tuning",
                                  "Inputs of a block's key and value matrices alone, with rows of their own for each"}})
                       .help("How prompts act on the blocks that carry them.")
                       .source("MISA, models/dualprompt.py: prompt tuning, prefix tuning"));
    rows.push_back(text("method.g_blocks", "General prompt's blocks", "0,1", FIELD(method.g_blocks))
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("Blocks that carry the prompt all images share, counted from 0, with commas between them; "
                             "none: there is no such prompt.")
                       .source("MISA, models/dualprompt.py: 0 and 1"));
    rows.push_back(integer("method.g_length", "General prompt length", 10, FIELD(method.g_length))
                       .range(1, 256)
                       .unit("tokens")
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("Tokens of the prompt that all images share, in each of its blocks.")
                       .source("MISA, DualPrompt: 10"));
    rows.push_back(
        text("method.e_blocks", "Expert prompt's blocks", "2,3,4", FIELD(method.e_blocks))
            .expert()
            .onlyFor(initialPromptMethods)
            .help("Blocks that carry the chosen prompt, counted from 0, with commas between them; none: there "
                  "is no pool. L2P itself takes no such prompt; prompts that are adapted for it may have it.")
            .source("MISA, models/dualprompt.py: 2, 3 and 4"));
    rows.push_back(
        integer("method.e_length", "Expert prompt length", 20, FIELD(method.e_length))
            .range(1, 256)
            .unit("tokens")
            .expert()
            .onlyFor(initialPromptMethods)
            .help("Tokens of the chosen prompt, in each of its blocks. L2P itself takes no such prompt; prompts that "
                  "are adapted for it may have it.")
            .source("MISA, DualPrompt: 20"));
    rows.push_back(boolean("method.shift_and_scale", "Shift and scale", false, FIELD(method.shift_and_scale))
                       .expert()
                       .onlyFor({"dualprompt"})
                       .help("A scale and a shift, learned beside the prompts, fit the general one to the stream.")
                       .source("The paper's appendix on domain adaptation, which does not say whether the prompts "
                               "themselves still learn; Lian et al., SSF (NeurIPS 2022)"));

    rows.push_back(integer("method.l2p_length", "Prompt length", 5, FIELD(method.l2p_length))
                       .range(1, 256)
                       .unit("tokens")
                       .expert()
                       .onlyFor({"l2p"})
                       .help("Tokens of each prompt of the pool.")
                       .source("Si-Blurry, L2P: 5; MISA, models/L2P.py: 10"));
    rows.push_back(integer("method.l2p_selected", "Prompts of an image", 5, FIELD(method.l2p_selected))
                       .range(1, 1000)
                       .unit("prompts")
                       .expert()
                       .onlyFor({"l2p"})
                       .help("How many prompts of the pool an image takes: those with the nearest keys.")
                       .source("MISA, models/L2P.py: 5"));
    rows.push_back(
        real("method.l2p_key_weight", "Weight of the key distance", 0.5, FIELD(method.l2p_key_weight))
            .range(0, 100)
            .expert()
            .onlyFor({"l2p"})
            .help("How strongly the loss pulls the keys of the chosen prompts towards the image; with 0 keys do "
                  "not learn, as in the published code.")
            .source("Si-Blurry, L2P: 0.5; MISA, methods/L2P.py: the term never reaches the loss"));
    rows.push_back(
        boolean("method.mvp_mask", "Learned mask", true, FIELD(method.mvp_mask))
            .expert()
            .onlyFor({"mvp"})
            .help("Each prompt of the pool learns a weight for every class, by which logits are multiplied.")
            .source("Moon et al., MVP (ICCV 2023), instance-wise logit masking; --use_mask, which in the published "
                    "code changes the reported accuracy but not the loss"));
    rows.push_back(
        boolean("method.mvp_contrastive", "Contrastive keys", true, FIELD(method.mvp_contrastive))
            .expert()
            .onlyFor({"mvp"})
            .help("Keys are pushed apart from each other, and prompts that were chosen often are chosen less.")
            .source("Moon et al., MVP (ICCV 2023), contrastive visual prompt tuning; --use_contrastiv"));
    rows.push_back(
        boolean("method.mvp_scaling", "Adaptive feature scaling", true, FIELD(method.mvp_scaling))
            .expert()
            .onlyFor({"mvp"})
            .help("Features that already point towards their class are enlarged in the loss, others made smaller.")
            .source("Moon et al., MVP (ICCV 2023), adaptive feature scaling; --use_afs"));
    rows.push_back(
        choice("method.mvp_reinforcement", "Minor-class reinforcement", "batch", FIELD(method.mvp_reinforcement))
            .expert()
            .onlyFor({"mvp"})
            .choices(
                {{"none", "Off", "Every image counts the same"},
                 {"batch", "Of the batch", "The batch's mean weight multiplies its mean loss, as the published code"},
                 {"sample", "Of each image", "Each image's weight multiplies its own loss, as the paper means it"}})
            .help("Images whose gradient the rest of the batch drowns count more.")
            .source("Moon et al., MVP (ICCV 2023), gradient-similarity focal loss: of each image; the published code "
                    "(--use_mcr, --use_gsf) and so the default: of the batch"));
    rows.push_back(real("method.mvp_alpha", "Share of the reinforcement", 0.5, FIELD(method.mvp_alpha))
                       .range(0, 1)
                       .expert()
                       .onlyFor({"mvp"})
                       .help("Share of the loss that minor-class reinforcement weighs.")
                       .source("MISA, configuration: alpha 0.5"));
    rows.push_back(real("method.mvp_gamma", "Exponent of the reinforcement", 2, FIELD(method.mvp_gamma))
                       .range(0, 20)
                       .expert()
                       .onlyFor({"mvp"})
                       .help("How sharply minor-class reinforcement tells images apart.")
                       .source("MISA, scripts, and Si-Blurry: gamma 2"));
    rows.push_back(real("method.mvp_margin", "Margin of the scaling", 0.5, FIELD(method.mvp_margin))
                       .range(0.001, 10)
                       .expert()
                       .onlyFor({"mvp"})
                       .help("Added to the angle term that adaptive feature scaling divides by.")
                       .source("MISA, configuration: margin 0.5"));
    rows.push_back(integer("method.prompt_blocks", "Prompted blocks", 5, FIELD(method.prompt_blocks))
                       .range(1, 1000)
                       .unit("blocks")
                       .expert()
                       .onlyFor(firstBlockMethods)
                       .help("How many blocks carry prompts, from the first on.")
                       .source("SinglePrompt, scripts: 5; FlyGCL, FlyPrompt and CODA-Prompt: 5"));
    rows.push_back(integer("method.prompt_length", "Prompt length", 20, FIELD(method.prompt_length))
                       .range(1, 256)
                       .unit("tokens")
                       .expert()
                       .onlyFor(firstBlockMethods)
                       .help("Tokens of a prompt in each of its blocks.")
                       .source("SinglePrompt, scripts: 20; FlyGCL, FlyPrompt and CODA-Prompt: 20"));
    rows.push_back(
        choice("method.single_head", "Head", "cosine", FIELD(method.single_head))
            .expert()
            .onlyFor({"single-prompt"})
            .choices({{"cosine", "Cosine", "The angle between feature and class decides, divided by the temperature"},
                      {"linear", "Linear", "One linear layer, as in the other methods"}})
            .help("What turns features into logits.")
            .source("SinglePrompt, scripts: cos_sim"));
    rows.push_back(real("method.single_temperature", "Temperature", 0.1, FIELD(method.single_temperature))
                       .range(0.001, 100)
                       .expert()
                       .onlyFor({"single-prompt"})
                       .help("What cosine logits are divided by; smaller makes decisions sharper.")
                       .source("SinglePrompt: 0.1"));
    rows.push_back(
        integer("method.random_features", "Random features", 10000, FIELD(method.random_features))
            .range(0, 20000)
            .special("none")
            .unit("features")
            .expert()
            .onlyFor({"fly-prompt", "analytic-head"})
            .help(
                "Into how many random features the frozen network's output is expanded before the regression; "
                "0 takes it as it is. Memory grows with the square, the time to solve with the cube: 10000 take 400 MB "
                "and some seconds for each evaluation on a processor, 1000 take 8 MB and hardly any time.")
            .source("FlyGCL, FlyPrompt and RanPAC: 10000"));
    rows.push_back(
        integer("method.fly_experts", "Experts", 5, FIELD(method.fly_experts))
            .range(1, 1000)
            .unit("experts")
            .expert()
            .onlyFor({"fly-prompt"})
            .help("Prompts that learn one after the other, each for the same share of the stream, so no more than "
                  "it has images.")
            .source("FlyGCL: step_num 5"));
    rows.push_back(real("method.fly_ridge", "Ridge of the router", 1e4, FIELD(method.fly_ridge))
                       .range(1e-8, 1e12)
                       .expert()
                       .onlyFor({"fly-prompt"})
                       .help("How strongly the regression that chooses the expert is held back.")
                       .source("FlyGCL, FlyPrompt: 10000"));
    rows.push_back(
        choice("method.fly_ensemble", "Ensemble", "max", FIELD(method.fly_ensemble))
            .expert()
            .onlyFor({"fly-prompt"})
            .choices({{"max", "Maximum", "The highest probability that one of the three heads gives a class"},
                      {"mean", "Mean", "The mean of the three heads' probabilities"},
                      {"entropy", "Surest head", "The probabilities of the head with the least entropy"},
                      {"online", "Online head", "The head that learns, alone"}})
            .help("How the learning head and its two slow copies decide together.")
            .source("FlyPrompt: maximum of the softmax"));
    rows.push_back(
        boolean("method.coda_published", "As published", false, FIELD(method.coda_published))
            .expert()
            .onlyFor({"coda-prompt"})
            .help("Repeats a defect of the published code: from the second session on only the head learns.")
            .source("FlyGCL: the optimiser keeps the prompts of the first session; Smith et al., CODA-Prompt (CVPR "
                    "2023), and so the default: those of each session learn"));
    rows.push_back(
        choice("method.analytic_readout", "Read-out", "ridge", FIELD(method.analytic_readout))
            .expert()
            .onlyFor({"analytic-head"})
            .choices({{"ridge", "Ridge regression", "Random features, regressed on the classes (RanPAC)"},
                      {"ncm", "Nearest class mean", "The class whose mean feature points the same way"},
                      {"lda", "Linear discriminant", "Class means, and the covariance all classes share (SLDA)"}})
            .help("How the gathered statistics decide on a class.")
            .source("McDonnell et al., RanPAC (NeurIPS 2023); Hayes and Kanan, SLDA (CVPRW 2020)"));
    rows.push_back(real("method.analytic_ridge", "Ridge", 1e5, FIELD(method.analytic_ridge))
                       .range(1e-8, 1e12)
                       .expert()
                       .onlyFor({"analytic-head"})
                       .help("How strongly the regression on the classes is held back.")
                       .source("FlyGCL, RanPAC: 100000"));
    rows.push_back(choice("method.calibration", "Calibration", "none", FIELD(method.calibration))
                       .expert()
                       .onlyFor(calibratedMethods)
                       .choices({{"none", "None", "Features go to the head as they are"},
                                 {"exact", "Exact",
                                  "Features get the covariance they were pretrained with; the statistics run along"},
                                 {"as-published", "As published",
                                  "With the published transform, and the statistics of each batch by itself"}})
                       .help("Brings the covariance of the features back to that of the pretraining data.")
                       .source("MePo (arXiv 2602.07940)"));
    rows.push_back(
        text("method.calibration_file", "Covariance", "", FIELD(method.calibration_file))
            .expert()
            .onlyFor(calibratedMethods)
            .help("A .safetensors file with the tensor covariance, width x width: of the pretraining classes' "
                  "mean features."));
    rows.push_back(real("method.calibration_share", "Share of the calibration", 0.5, FIELD(method.calibration_share))
                       .range(0, 1)
                       .expert()
                       .onlyFor(calibratedMethods)
                       .help("How much of the feature that the head gets is calibrated.")
                       .source("MePo: 0.5 for ImageNet-21k weights, 0.7 for others"));

    const std::vector<std::string> ewc = {"ewcpp", "online-ewc"};
    rows.push_back(
        boolean("method.ewc_train_backbone", "Train the backbone", true, FIELD(method.ewc_train_backbone))
            .expert()
            .onlyFor(ewc)
            .help("Whether the backbone learns too, as the paper has it; without it there is nothing to hold "
                  "back, and only the head learns.")
            .source("The paper, section 4: full tuning; Si-Blurry, methods/_trainer.py: frozen"));
    rows.push_back(real("method.ewcpp_strength", "Strength", 100, FIELD(method.ewcpp_strength))
                       .range(0, 1e9)
                       .expert()
                       .onlyFor({"ewcpp"})
                       .help("Weight of what holds parameters back that mattered before.")
                       .source("Si-Blurry, configuration: --reg_coef 100"));
    rows.push_back(choice("method.ewcpp_gradients", "Gradients", "separate", FIELD(method.ewcpp_gradients))
                       .expert()
                       .onlyFor({"ewcpp"})
                       .choices({{"separate", "Separate", "Each of an update's two steps follows its own gradient"},
                                 {"added-up", "Added up",
                                  "The published code: the second step follows the sum of both gradients"}})
                       .help("What the second of an update's two steps follows.")
                       .source("Si-Blurry, methods/ewcpp.py: added up, since the first gradient is not cleared"));
    rows.push_back(real("method.ewc_strength", "Strength", 25, FIELD(method.ewc_strength))
                       .range(0, 1e9)
                       .expert()
                       .onlyFor({"online-ewc"})
                       .help("Weight of what holds parameters back that mattered before.")
                       .source("MISA, module ewcinit: e_lambda 25"));
    rows.push_back(real("method.ewc_decay", "Decay", 1, FIELD(method.ewc_decay))
                       .range(0, 1)
                       .expert()
                       .onlyFor({"online-ewc"})
                       .help("Share of the importance found before that a new session leaves.")
                       .source("MISA, module ewcinit: gamma 1"));
    rows.push_back(real("method.lwf_weight", "Distillation", 0.2, FIELD(method.lwf_weight))
                       .range(0, 1000)
                       .expert()
                       .onlyFor({"lwf"})
                       .help("Weight of keeping to what the network said one batch ago.")
                       .source("MISA, methods/lwf.py: 0.2"));
    rows.push_back(real("method.lwf_temperature", "Temperature", 2, FIELD(method.lwf_temperature))
                       .range(0.01, 1000)
                       .expert()
                       .onlyFor({"lwf"})
                       .help("Divides the logits that are compared; above 1 the less likely classes count for more.")
                       .source("MISA, methods/lwf.py: 2"));
    rows.push_back(real("method.derpp_logit_weight", "Logits", 0.2, FIELD(method.derpp_logit_weight))
                       .range(0, 1000)
                       .expert()
                       .onlyFor({"derpp"})
                       .help("Weight of keeping to the logits that were stored with an image.")
                       .source("MISA, methods/derpp.py: alpha 0.2"));
    rows.push_back(real("method.derpp_replay_weight", "Replay", 0.5, FIELD(method.derpp_replay_weight))
                       .range(0, 1000)
                       .expert()
                       .onlyFor({"derpp"})
                       .help("Weight of the cross-entropy of replayed images.")
                       .source("MISA, methods/derpp.py: beta 0.5"));
    rows.push_back(
        integer("method.rainbow_epochs", "Epochs on the memory", 256, FIELD(method.rainbow_epochs))
            .range(0, 100000)
            .special("none")
            .unit("epochs")
            .expert()
            .onlyFor({"rainbow-memory"})
            .help("Training on the memory alone after each session: so many epochs, each as many passes as whole "
                  "batches fit into the memory; it takes most of the run's time.")
            .source("MISA, configuration: memory_epoch 256; the scripts mostly 100"));
    rows.push_back(
        choice("method.rainbow_evaluation", "Session ends are measured", "after", FIELD(method.rainbow_evaluation))
            .expert()
            .onlyFor({"rainbow-memory"})
            .choices({{"after", "After it", "As Si-Blurry's code: what was learned from the memory counts"},
                      {"before", "Before it", "As MISA's code"}})
            .help("Whether the evaluation at the end of a session comes after or before training on the memory.")
            .source("Si-Blurry and MISA, methods/_trainer.py"));
    rows.push_back(
        choice("method.clib_importance", "Importance", "as-published", FIELD(method.clib_importance))
            .expert()
            .onlyFor({"clib"})
            .choices(
                {{"as-published", "As published", "Always 0: the first image of the largest class leaves the memory"},
                 {"measured", "Measured", "As the paper has it: the image whose replay helped the others least"}})
            .help("What decides which image of the largest class leaves the memory.")
            .source("Koh et al., CLIB (ICLR 2022): measured; MISA, methods/clib.py, and so the default: as published"));
    rows.push_back(real("method.clib_rate_step", "Step of the learning rate", 0.95, FIELD(method.clib_rate_step))
                       .range(0.01, 0.9999)
                       .expert()
                       .onlyFor({"clib"})
                       .help("Ratio of the two learning rates that are tried in turn.")
                       .source("MISA, configuration: lr_step 0.95"));
    rows.push_back(integer("method.clib_rate_period", "Turn", 10, FIELD(method.clib_rate_period))
                       .range(1, 100000)
                       .unit("updates")
                       .expert()
                       .onlyFor({"clib"})
                       .help("Updates at one learning rate before the other is tried.")
                       .source("MISA, configuration: lr_period 10"));
    rows.push_back(integer("method.clib_rate_length", "Turns compared", 10, FIELD(method.clib_rate_length))
                       .range(2, 100000)
                       .expert()
                       .onlyFor({"clib"})
                       .help("Turns of each learning rate that are compared before both move.")
                       .source("MISA, configuration: lr_length 10"));

    rows.push_back(choice("mask.name", "Logit mask", "batch", FIELD(mask.name))
                       .live()
                       .choices(catalogue.masks)
                       .help("Which classes may compete in a training step; the others are hidden from its loss.")
                       .source("MISA, non-parametric logit masking, and its published code"));
    rows.push_back(
        choice("mask.session_scope", "Session mask shows", "so-far", FIELD(mask.session_scope))
            .expert()
            .choices({{"so-far", "Classes so far", "Those that came since the session began, as the official code"},
                      {"whole", "The whole session",
                       "All classes of the session, as the paper says; those never met before, once they come"}})
            .help("Which classes belong to a session for the session mask.")
            .source("MISA, eq. of the non-parametric mask; methods/dualprompt.py, online_step: so far"));
    rows.push_back(
        choice("mask.form", "Mask form", "additive", FIELD(mask.form))
            .live()
            .expert()
            .choices({{"additive", "Additive", "A hidden class does not compete: minus infinity"},
                      {"multiplicative", "Multiplicative",
                       "A hidden class keeps the logit 0 and competes: the paper's product, read literally"}})
            .help("What hiding a class from a training step does to its logit.")
            .source("MISA, eq. of logit masking: product; methods/dualprompt.py: additive"));
    rows.push_back(choice("mask.evaluation", "Mask while evaluating", "auto", FIELD(mask.evaluation))
                       .expert()
                       .choices({{"auto", "Automatic", "As the method's official code does"},
                                 {"none", "None", "Classes that never appeared compete too"},
                                 {"seen", "Seen classes", "Only classes that have appeared compete"}})
                       .help("Which classes compete when test images are classified.")
                       .source("MISA: DualPrompt evaluates without a mask, the other methods with the seen mask"));

    rows.push_back(text("initial_session.prompts", "Initial prompts", "none", FIELD(initial_session.prompts))
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("none starts from random prompts; naive, sam and fam take those that initial session "
                             "adaptation made in that way, and `palimpsest-cli isa` makes them (fam where none is "
                             "said); anything else is the path of a file with g_prompt and e_prompt.")
                       .source("MISA, initial session adaptation; --load_pt"));
    rows.push_back(choice("initial_session.load", "Prompts to load", "both", FIELD(initial_session.load))
                       .expert()
                       .onlyFor({"dualprompt", "mvp"})
                       .choices({{"both", "Both", "General and expert prompts"},
                                 {"general", "General", "The expert prompts begin as random numbers"},
                                 {"expert", "Expert", "The general prompt begins as random numbers"}})
                       .help("Which of the initial prompts the stream begins with; both learn from it in any case.")
                       .source("The paper, Table 9: both; MISA, models/mvp.py: general"));
    rows.push_back(text("initial_session.dataset", "Images to adapt to", "fractals", FIELD(initial_session.dataset))
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("What initial session adaptation learns from: a data set by its name, or the path of a "
                             "folder with a folder of images for each class.")
                       .source("The paper, section 3.1: the data the backbone was pretrained on"));
    rows.push_back(integer("initial_session.classes", "Classes to adapt to", 900, FIELD(initial_session.classes))
                       .range(1, 100000)
                       .unit("classes")
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("In-distribution classes, the first ones of the data set: what the prompts learn to tell "
                             "apart.")
                       .source("The paper's appendix: the first 900 of ImageNet-1k (the published class keeps 100)"));
    rows.push_back(
        integer("initial_session.other_classes", "Other classes", 100, FIELD(initial_session.other_classes))
            .range(0, 100000)
            .special("none")
            .unit("classes")
            .expert()
            .onlyFor(initialPromptMethods)
            .help("Out-of-distribution classes, the ones after: FAM takes its perturbation from them; 0 keeps none "
                  "apart, which FAM cannot do with.")
            .source("The paper's appendix: the last 100 of ImageNet-1k"));
    rows.push_back(
        integer("initial_session.images_per_class", "Images of a class", 20, FIELD(initial_session.images_per_class))
            .range(1, 100000)
            .unit("images")
            .expert()
            .onlyFor(initialPromptMethods)
            .help("How many images of each class a procedural data set draws; data sets made of files give all they "
                  "have."));
    rows.push_back(integer("initial_session.epochs", "Epochs of adaptation", 3, FIELD(initial_session.epochs))
                       .range(1, 10000)
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("How often the adaptation sees every image.")
                       .source("The paper's appendix: 3"));
    rows.push_back(integer("initial_session.batch_size", "Batch of adaptation", 128, FIELD(initial_session.batch_size))
                       .range(1, 4096)
                       .unit("images")
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("Images of one step of the adaptation; FAM takes as many of other classes besides.")
                       .source("The paper's appendix: 128 (scripts/misa_fam.sh: 65)"));
    rows.push_back(integer("initial_session.updates_per_batch", "Updates per batch of adaptation", 1,
                           FIELD(initial_session.updates_per_batch))
                       .range(1, 1000)
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("Optimiser steps on each batch of the adaptation, every one on newly augmented images.")
                       .source("The paper: 1; scripts/misa_fam.sh: --online_iter 3"));
    rows.push_back(
        real("initial_session.learning_rate", "Learning rate of adaptation", 1e-4, FIELD(initial_session.learning_rate))
            .range(1e-8, 10)
            .expert()
            .onlyFor(initialPromptMethods)
            .help("Size of Adam's steps in the adaptation; stays the same throughout.")
            .source("The paper's appendix and scripts/misa_fam.sh: 0.0001"));
    rows.push_back(real("initial_session.rho", "Radius of the perturbation", 0, FIELD(initial_session.rho))
                       .range(0, 1000)
                       .special("automatic")
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("How far SAM and FAM move the parameters before they take the gradient; 0 takes 0.05 for "
                             "SAM and 0.1 for FAM.")
                       .source("The paper's rho; MISA: 0.05 and 0.1"));
    rows.push_back(
        choice("initial_session.sign", "Sign of the perturbation", "plus", FIELD(initial_session.sign))
            .expert()
            .onlyFor(initialPromptMethods)
            .choices(
                {{"plus", "Plus", "Up the slope: to where the other images are told apart worse, as published"},
                 {"minus", "Minus", "Down the slope: as if the other images were learned, as in the paper's formula"}})
            .help("Which way SAM and FAM move the parameters.")
            .source("The paper's equation for delta: minus; MISA, methods/dualprompt_fam.py: plus"));
    rows.push_back(choice("initial_session.perturb", "What is perturbed", "all", FIELD(initial_session.perturb))
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .choices({{"all", "All that learns", "Prompts, keys, head and augmentation, as published"},
                                 {"prompts", "Prompts only", "The rest stays where it is"}})
                       .help("What SAM and FAM move before they take the gradient.")
                       .source("The paper's theta; MISA, methods/dualprompt_fam.py: all"));
    rows.push_back(
        integer("initial_session.other_drawn", "Other classes at a time", 10, FIELD(initial_session.other_drawn))
            .range(1, 100000)
            .unit("classes")
            .expert()
            .onlyFor(initialPromptMethods)
            .help("How many of the other classes FAM draws at once; it goes through all their images before "
                  "it draws again.")
            .source("The paper's appendix: 10"));
    rows.push_back(real("initial_session.resample", "New other classes", 0.67, FIELD(initial_session.resample))
                       .range(0, 1)
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("Chance that FAM draws new classes when it has gone through the present ones; else it "
                             "goes through them again.")
                       .source("The paper's appendix: 1; MISA, methods/dualprompt_fam.py: 0.67"));
    rows.push_back(choice("initial_session.other_units", "Outputs of other classes", "separate",
                          FIELD(initial_session.other_units))
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .choices({{"separate", "Their own", "Every other class has an output of its own"},
                                 {"shared", "Shared",
                                  "The classes drawn use the outputs of the first classes to adapt to, as published"}})
                       .help("Which outputs of the head stand for FAM's other classes.")
                       .source("MISA, methods/dualprompt_fam.py: labels 0 to 9"));
    rows.push_back(integer("initial_session.sessions", "Sessions of adaptation", 1, FIELD(initial_session.sessions))
                       .range(1, 1000)
                       .expert()
                       .onlyFor(initialPromptMethods)
                       .help("1 mixes all classes; more take them in so many blocks, in their numbered order, each for "
                             "all epochs.")
                       .source("The paper: 1; scripts/misa_fam.sh: 10"));
    rows.push_back(
        choice("initial_session.augment_prompts", "Augmented prompts", "both", FIELD(initial_session.augment_prompts))
            .expert()
            .onlyFor(initialPromptMethods)
            .choices({{"both", "Both", "General and expert prompts, as the published prompts"},
                      {"expert", "Expert", "The expert prompts alone, as the published script"},
                      {"general", "General", "The general prompt alone"},
                      {"none", "None", "Prompts learn as they are"}})
            .help("Which prompts act as p + MLP(p) while they adapt; that sum is what is kept.")
            .source("The paper, prompt augmentation; MISA, --e_proj and --g_proj"));
    rows.push_back(
        choice("initial_session.augment", "Augmentation of adaptation", "auto", FIELD(initial_session.augment))
            .expert()
            .onlyFor(initialPromptMethods)
            .choices(augmentations)
            .help("How the images of the adaptation are varied, anew for every update.")
            .source("MISA, scripts/misa_fam.sh: autoaug"));

    rows.push_back(integer("memory.size", "Memory", 0, FIELD(memory.size))
                       .range(0, 10000000)
                       .special("none")
                       .unit("images")
                       .help("Past images that are kept for replay; 0 keeps none.")
                       .source("MISA, scripts: 0, 500 or 2000"));
    rows.push_back(integer("memory.batch_size", "Replayed images", 0, FIELD(memory.batch_size))
                       .range(0, 4096)
                       .special("as many as arrive")
                       .unit("images")
                       .expert()
                       .help("Images drawn from the memory for every update, which in most methods join the stream's "
                             "batch; 0 draws as many as a batch has (training.batch_size).")
                       .source("MISA, scripts: 32, as many as arrive"));

    rows.push_back(choice("memory.kind", "Kept images", "auto", FIELD(memory.kind))
                       .expert()
                       .choices({{"auto", "As the method", "What the method's official code does"},
                                 {"reservoir", "Reservoir", "Every image of the stream has the same chance to stay"},
                                 {"balanced", "Balanced", "As many of each class as of any other, chosen by chance"},
                                 {"uncertainty", "By uncertainty",
                                  "Rainbow Memory only: balanced, and at the end of each session chosen anew, from "
                                  "images the network is sure of to such it is not"}})
                       .help("Which images stay in the memory.")
                       .source("MISA, methods/er_baseline.py and rainbow_memory.py; Bang et al., Rainbow Memory (CVPR "
                               "2021)"));

    rows.push_back(integer("training.batch_size", "Batch", 32, FIELD(training.batch_size))
                       .range(1, 4096)
                       .unit("images")
                       .help("Images that arrive together; each is seen in one batch only.")
                       .source("MISA, scripts: 32"));
    rows.push_back(
        integer("training.updates_per_batch", "Updates per batch", 3, FIELD(training.updates_per_batch))
            .range(1, 1000)
            .help("Optimiser steps on each batch, every one on newly augmented images.")
            .source("MISA, scripts: --online_iter 3, by which the code of fine-tuning, Rainbow Memory and CLIB "
                    "means 96; 3 for all, so that methods are compared at the same number of steps"));
    rows.push_back(choice("training.optimizer", "Optimiser", "adam", FIELD(training.optimizer))
                       .expert()
                       .choices({{"adam", "Adam", "Betas 0.9 and 0.999, no weight decay"},
                                 {"sgd", "SGD", "Nesterov momentum 0.9, weight decay 0.0001"}})
                       .help("The rule that turns gradients into steps.")
                       .source("MISA, scripts: adam"));
    rows.push_back(real("training.learning_rate", "Learning rate", 0.005, FIELD(training.learning_rate))
                       .live()
                       .range(1e-8, 10)
                       .help("Size of the optimiser's steps; stays the same throughout.")
                       .source("MISA, scripts: 0.005"));
    rows.push_back(choice("training.augment", "Augmentation", "auto", FIELD(training.augment))
                       .expert()
                       .choices(augmentations)
                       .help("How training images are varied, anew for every update.")
                       .source("MISA, training transform: pad 4, crop, flip; --transforms autoaug"));
    rows.push_back(
        choice("training.augment_scope", "Augmentation of", "batch", FIELD(training.augment_scope))
            .expert()
            .choices({{"batch", "The whole batch", "One draw for all images of an update, as the official code"},
                      {"image", "Each image", "A draw for every image"}})
            .help("Whether the images of an update are all varied alike or each in its own way.")
            .source("MISA, training transform: applied to the batch as one tensor"));
    rows.push_back(
        boolean("training.cutmix", "CutMix", false, FIELD(training.cutmix))
            .expert()
            .onlyFor({"finetune", "linear-probe", "er", "rainbow-memory", "clib", "ewcpp", "online-ewc"})
            .help("In half of the updates each image gets a box cut from another one, and both classes count; "
                  "no official script of these methods says whether to, the code's own default is to.")
            .source("Yun et al., CutMix (ICCV 2019); MISA, methods/Finetuning.py; --transforms cutmix"));

    rows.push_back(integer("evaluation.every_samples", "Evaluate every", 1000, FIELD(evaluation.every_samples))
                       .live()
                       .range(0, 100000000)
                       .special("only at session ends")
                       .unit("images")
                       .help("Distance between the points of the anytime curve; 0 evaluates only at the end of each "
                             "session.")
                       .source("MISA, scripts: eval_period 1000"));
    rows.push_back(
        choice("evaluation.session_data", "Test data of a session", "first-exposed", FIELD(evaluation.session_data))
            .expert()
            .choices({{"first-exposed", "First exposed", "Every class counts for the session it first came in"},
                      {"disjoint", "Disjoint only", "Only disjoint classes count, as the official code prints"}})
            .help("Which test images belong to a session in the retention curves and the R matrix.")
            .source("The paper's R matrix; MISA, end-of-session report of ER"));
    rows.push_back(integer("evaluation.checkpoints", "Room for checkpoints", 256, FIELD(evaluation.checkpoints))
                       .range(0, 10000000)
                       .special("none are kept")
                       .unit("MB")
                       .expert()
                       .help("Room in the run's folder for its state at each evaluation, from which it can be gone on "
                             "with exactly; older ones are thinned out, the newest two always stay. It changes no "
                             "number."));
    return rows;
}

#undef FIELD

std::string bound(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? std::to_string(static_cast<std::int64_t>(value))
                                                                : toText(OptionValue(value));
}

std::string listed(const std::vector<Choice>& choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i].value;
    }
    return text;
}

std::string quoted(const OptionValue& value) {
    const std::string* text = std::get_if<std::string>(&value);
    return text ? "\"" + *text + "\"" : toText(value);
}

Error refusal(const Option& option, const std::string& shown) {
    std::string hint;
    if (option.type == OptionType::Choice) {
        std::vector<std::string> values;
        for (const Choice& choice : option.choices) values.push_back(choice.value);
        std::string bare = shown;
        std::erase(bare, '"');
        const std::string near = nearestWord(bare, values);
        if (!near.empty()) hint = "Did you mean " + near + "?";
    }
    return inputError(option.key + " is " + shown + ", but must be " + allowedText(option) + ".", hint);
}

bool accepts(const Option& option, const OptionValue& value) {
    switch (option.type) {
        case OptionType::Boolean:
            return std::holds_alternative<bool>(value);
        case OptionType::Integer: {
            const std::int64_t* number = std::get_if<std::int64_t>(&value);
            return number && *number >= static_cast<std::int64_t>(option.minimum) &&
                   *number <= static_cast<std::int64_t>(option.maximum);
        }
        case OptionType::Real: {
            const double* number = std::get_if<double>(&value);
            return number && std::isfinite(*number) && *number >= option.minimum && *number <= option.maximum;
        }
        case OptionType::Choice: {
            const std::string* word = std::get_if<std::string>(&value);
            return word && (option.choices.empty() ? isPlainLine(*word)
                                                   : std::any_of(option.choices.begin(), option.choices.end(),
                                                                 [&](const Choice& c) { return c.value == *word; }));
        }
        case OptionType::Text: {
            const std::string* line = std::get_if<std::string>(&value);
            return line && isPlainLine(*line);
        }
    }
    return false;
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// The key whose last part begins with the words typed, the typed section's first: "stream.disjoint" begins
/// stream.disjoint_percent. Empty when there is none.
std::string begunWith(const std::vector<Option>& options, std::string_view key, std::string_view leaf) {
    std::string elsewhere;
    for (const Option& option : options) {
        if (!option.leaf().starts_with(std::string(leaf) + "_")) continue;
        if (std::string_view(option.key).starts_with(key)) return option.key;
        if (elsewhere.empty()) elsewhere = option.key;
    }
    return elsewhere;
}

/// The value a text stands for; a text when it does not fit the type, so that the check can quote it.
OptionValue interpreted(const Option& option, std::string_view text) {
    if (option.type == OptionType::Boolean && (text == "true" || text == "false")) return text == "true";
    if (option.type == OptionType::Integer) {
        if (const auto number = parsed<std::int64_t>(text)) return *number;
    }
    if (option.type == OptionType::Real) {
        if (const auto number = parsed<double>(text)) return *number;
    }
    return std::string(text);
}

}  // namespace

std::string allowedText(const Option& option) {
    const std::string range = " from " + bound(option.minimum) + " to " + bound(option.maximum);
    switch (option.type) {
        case OptionType::Boolean:
            return "true or false";
        case OptionType::Integer:
            return "a whole number" + range;
        case OptionType::Real:
            return "a number" + range;
        case OptionType::Choice:
            return option.choices.empty() ? "a word" : "one of " + listed(option.choices);
        case OptionType::Text:
            break;
    }
    return "a line of text";
}

std::string Option::section() const {
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

std::string Option::leaf() const {
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

bool Option::isReadBy(const std::string& method) const {
    return only_methods.empty() || std::find(only_methods.begin(), only_methods.end(), method) != only_methods.end();
}

OptionTable::OptionTable(Catalogue catalogue)
    : catalogue_(std::move(catalogue)), options_(declareOptions(catalogue_)) {}

const Option* OptionTable::find(std::string_view key) const {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.key == key; });
    return found == options_.end() ? nullptr : &*found;
}

std::string OptionTable::nearest(std::string_view key) const {
    std::vector<std::string> keys;
    std::vector<std::string> leaves;
    for (const Option& option : options_) {
        keys.push_back(option.key);
        leaves.push_back(option.leaf());
    }
    // The right leaf in the wrong section, or without one, is the commonest slip.
    const std::string_view leaf = key.substr(key.rfind('.') == std::string_view::npos ? 0 : key.rfind('.') + 1);
    const std::string near = nearestWord(key, keys);
    if (!near.empty() && editDistance(key, near) <= 2) return near;
    // Of several such, the one that everybody uses.
    const Option* same = nullptr;
    for (const Option& option : options_)
        if (option.leaf() == leaf && (!same || (same->level > option.level))) same = &option;
    if (same) return same->key;
    if (const std::string whole = begunWith(options_, key, leaf); !whole.empty()) return whole;
    if (!near.empty()) return near;
    const auto like = std::find(leaves.begin(), leaves.end(), nearestWord(leaf, leaves));
    return like == leaves.end() ? std::string() : keys[static_cast<std::size_t>(like - leaves.begin())];
}

Experiment OptionTable::defaults() const {
    Experiment experiment;
    for (const Option& option : options_) option.assign(experiment, option.standard);
    return experiment;
}

void OptionTable::set(Experiment& experiment, const Option& option, const OptionValue& value) const {
    OptionValue converted = value;
    const std::int64_t* whole = std::get_if<std::int64_t>(&value);
    if (option.type == OptionType::Real && whole) converted = static_cast<double>(*whole);
    if (!accepts(option, converted)) throw refusal(option, quoted(value));
    option.assign(experiment, converted);
}

void OptionTable::setText(Experiment& experiment, std::string_view key, std::string_view text) const {
    const Option* option = find(key);
    if (!option) {
        const std::string near = nearest(key);
        throw inputError("There is no option \"" + std::string(key) + "\".",
                         near.empty() ? "`palimpsest-cli options` lists all of them." : "Did you mean " + near + "?");
    }
    set(experiment, *option, interpreted(*option, text));
}

std::string OptionTable::text(const Experiment& experiment, const Option& option) const {
    return toText(option.get(experiment));
}

std::string toText(const OptionValue& value) {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const std::string* text = std::get_if<std::string>(&value)) return *text;
    char buffer[64];
    const double real = std::get<double>(value);
    // 0.0001 reads better than 1e-04, though that is shorter.
    const bool plain = std::abs(real) >= 1e-4 && std::abs(real) < 1e6;
    const auto [end, error] = plain ? std::to_chars(buffer, buffer + sizeof buffer, real, std::chars_format::fixed)
                                    : std::to_chars(buffer, buffer + sizeof buffer, real);
    std::string shortest(buffer, end);
    // A real number keeps looking like one, so that a file reads back with the same types.
    if (shortest.find_first_not_of("-0123456789") == std::string::npos) shortest += ".0";
    return shortest;
}

const char* toText(OptionEffect effect) {
    switch (effect) {
        case OptionEffect::NextBatch:
            return "at the next batch";
        case OptionEffect::NextSession:
            return "at the next session";
        case OptionEffect::NextRun:
            break;
    }
    return "at the next run";
}

}  // namespace palimpsest
