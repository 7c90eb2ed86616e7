// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/run/mask_lens.h"
#include "engine/support/append_file.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "engine/train/mask_lens.h"

namespace palimpsest {
namespace {

constexpr std::size_t kLensNamed = 3;  // classes of a line

struct LensArguments {
    std::string run;
    std::optional<std::int64_t> at;
    bool csv = false, json = false;
};

std::string lensClass(const MaskLens& lens, std::int32_t label) {
    return plainLine(lens.class_names.at(static_cast<std::size_t>(label)));
}

std::string maskWord(MaskKind mask) {
    return std::string(kMaskKinds.words.at(static_cast<std::size_t>(mask)));
}

std::string signedPush(double push) {
    return (push < 0 ? "" : "+") + fixedText(push, 1);
}

/// The strongest pushes of a view in one direction: "Bag +4.1, Boot +2.9 and 3 more".
std::string strongest(const MaskLens& lens, const MaskView& view, bool up) {
    std::vector<ClassPush> pushes;
    for (const ClassPush& push : view.pushes)
        if (push.push && (up ? *push.push >= kLeastPush : *push.push <= -kLeastPush)) pushes.push_back(push);
    std::ranges::stable_sort(
        pushes, [up](const ClassPush& a, const ClassPush& b) { return up ? *a.push > *b.push : *a.push < *b.push; });
    std::string text;
    for (std::size_t i = 0; i < std::min(pushes.size(), kLensNamed); ++i)
        text += (i > 0 ? ", " : "") + lensClass(lens, pushes[i].label) + " " + signedPush(*pushes[i].push);
    if (pushes.size() > kLensNamed) text += " and " + std::to_string(pushes.size() - kLensNamed) + " more";
    return text.empty() ? "none" : text;
}

std::string lensPadded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

void printLensTable(const MaskLens& lens) {
    const std::string replayed =
        lens.replayed == 0 ? std::string()
                           : (lens.images > 0 ? " and " : "") + counted(lens.replayed, "past image", "past images");
    std::cout << "After " << counted(lens.samples_seen, "image", "images") << ", before the next batch of session "
              << lens.session + 1 << ": " << (lens.images > 0 ? counted(lens.images, "image", "images") : std::string())
              << replayed << " of " << counted(std::ssize(lens.batch), "class", "classes") << "\n";
    std::cout << lensSentence(lens) << "\n\n";
    std::cout << lensPadded("Mask", 11) << lensPadded("Loss", 9) << lensPadded("Accuracy", 11)
              << "Pulled up, pushed down\n";
    for (const MaskView& view : lens.views) {
        const std::string name = maskWord(view.mask) + (view.mask == lens.used ? " *" : "");
        std::cout << lensPadded(name, 11) << lensPadded(fixedText(view.loss, 3), 9)
                  << lensPadded(perCent(view.accuracy) + " %", 11) << "up: " << strongest(lens, view, true) << "\n"
                  << std::string(31, ' ') << "down: " << strongest(lens, view, false);
        if (view.unnamed > 0)
            std::cout << "; " << counted(view.unnamed, "output", "outputs") << " without a class "
                      << signedPush(view.unnamed_push);
        std::cout << "\n";
    }
    std::cout << (lens.used ? "* the mask of the run\n"
                            : "None is the run's: its method hides classes in a way of its own.\n");
    if (const std::string sentence = inferenceSentence(lens); !sentence.empty()) std::cout << "\n" << sentence << "\n";
}

/// One row for each mask and class; an empty class: all outputs without one; an empty push: hidden.
void printLensCsv(const MaskLens& lens) {
    std::cout << "samples_seen,mask,used,loss,accuracy,class,in_batch,push\n";
    for (const MaskView& view : lens.views) {
        const std::string start = std::to_string(lens.samples_seen) + "," + maskWord(view.mask) + "," +
                                  (view.mask == lens.used ? "1" : "0") + "," + shortestText(view.loss) + "," +
                                  shortestText(view.accuracy) + ",";
        for (const ClassPush& push : view.pushes)
            std::cout << start << tableCell(lensClass(lens, push.label)) << ","
                      << (std::ranges::find(lens.batch, push.label) == lens.batch.end() ? "0" : "1") << ","
                      << (push.push ? shortestText(*push.push) : std::string()) << "\n";
        if (view.unnamed > 0) std::cout << start << ",0," << shortestText(view.unnamed_push) << "\n";
    }
}

void printLensJson(const MaskLens& lens) {
    Json batch = Json::array(), views = Json::array();
    for (const std::int32_t label : lens.batch) batch.push_back(lensClass(lens, label));
    for (const MaskView& view : lens.views) {
        Json pushes = Json::array();
        for (const ClassPush& push : view.pushes)
            pushes.push_back({{"class", lensClass(lens, push.label)}, {"push", push.push ? Json(*push.push) : Json()}});
        views.push_back({{"mask", maskWord(view.mask)},
                         {"used", view.mask == lens.used},
                         {"loss", view.loss},
                         {"accuracy", view.accuracy},
                         {"pushes", pushes},
                         {"outputs_without_class", view.unnamed},
                         {"push_on_these", view.unnamed_push}});
    }
    Json inference;
    if (lens.inference)
        inference = {{"images", lens.inference->images},
                     {"right", lens.inference->right},
                     {"right_among_seen", lens.inference->right_among_seen}};
    printLine({{"samples_seen", lens.samples_seen},
               {"session", lens.session + 1},
               {"images", lens.images},
               {"replayed", lens.replayed},
               {"classes_seen", lens.classes_seen},
               {"batch", batch},
               {"masks", views},
               {"inference", inference},
               {"sentence", lensSentence(lens)}});
}

int lookThrough(const OptionTable& table, const LensArguments& given) {
    std::stop_source stop;
    const InterruptGuard guard([&](Interrupt) { stop.request_stop(); });
    const StopScope scope(stop.get_token());
    MaskLens lens;
    try {
        lens = maskLens(table, given.run, given.at);
    } catch (const GivenUp&) {
        std::cerr << "Stopped before anything was shown." << std::endl;
        return 1;
    }
    if (given.json)
        printLensJson(lens);
    else if (given.csv)
        printLensCsv(lens);
    else
        printLensTable(lens);
    return 0;
}

}  // namespace

void addLens(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<LensArguments>();
    CLI::App* command =
        app.add_subcommand("lens", "Show what a run's next batch would do under every mask, with the same weights");
    addAllowLearner(*command);
    command->add_option("run", given->run, "A run folder")->type_name("RUN")->required();
    command
        ->add_option("--at", given->at,
                     "Images seen: the checkpoint there or before it; else the newest with something left to learn")
        ->type_name("IMAGES");
    CLI::Option* csv = command->add_flag("--csv", given->csv, "Print a table with every push");
    command->add_flag("--json", given->json, "Print one JSON object")->excludes(csv);
    command->footer(
        "Loss: plain cross-entropy under the mask, whatever the method adds to it. Push: sum over the images of\n"
        "y - p, what a step of learning does to the score of a class: up where it is above 0.\n"
        "The run is only read, and goes on to the same numbers, looked at or not.\n"
        "Exit codes: 0 shown; 1 stopped, or it failed; 2 wrong input. docs/masks.md explains the masks.");
    shell.onChosen(*command, [&shell, given] { return lookThrough(shell.table(), *given); });
}

}  // namespace palimpsest
