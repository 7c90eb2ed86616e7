// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <iostream>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/cli/value_checks.h"
#include "app/commands/commands.h"
#include "engine/pretrain/pretrain.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

void printReport(const PretrainReport& report, bool json) {
    const bool probed = report.probe_accuracy >= 0;
    if (json) {
        printLine({{"step", report.step},
                   {"loss", report.loss},
                   {"accuracy", report.accuracy},
                   {"shape_error", report.shape_error},
                   {"images_per_second", report.images_per_second},
                   {"probe_accuracy", probed ? Json(report.probe_accuracy) : Json(nullptr)}});
        return;
    }
    std::cout << "step " << grouped(report.step) << "  loss " << fixedText(report.loss, 3) << "  accuracy "
              << perCentColumn(report.accuracy) << "  shapes " << fixedText(report.shape_error, 3) << "  "
              << fixedText(report.images_per_second, 0) << " images/s"
              << (probed ? "  linear probe " + perCentColumn(report.probe_accuracy) : std::string()) << std::endl;
}

int pretrainCommand(const PretrainSettings& settings, bool json) {
    std::atomic<bool> stopped{false};
    const InterruptGuard guard([&](Interrupt) { stopped = true; });
    const std::int64_t steps = pretrain(
        settings, [&](const PretrainReport& report) { printReport(report, json); }, [&] { return stopped.load(); });
    if (!json && steps > 0) std::cout << "Wrote " << settings.out.string() << std::endl;
    if (!json && steps == 0) std::cout << "Stopped before anything was learned; nothing was written." << std::endl;
    return 0;
}

void printProbeJson(const ProbeRow& row) {
    Json line{{"features", row.features}};
    for (const auto& [name, scores] : row.sets)
        line[name] = {
            {"linear", scores.linear}, {"nearest_mean", scores.nearest_mean}, {"five_shot", scores.five_shot}};
    printLine(line);
}

void printProbe(const ProbeRow& row) {
    std::cout << row.features << std::endl;
    for (const auto& [name, scores] : row.sets)
        std::cout << "  " << name << ": linear " << perCentColumn(scores.linear) << ", nearest class mean "
                  << perCentColumn(scores.nearest_mean) << ", 5 images a class " << perCentColumn(scores.five_shot)
                  << std::endl;
}

}  // namespace

void addPretrain(CLI::App& app, Shell& shell) {
    struct Arguments {
        PretrainSettings settings;
        std::string out, from, fonts, pictures;
        bool no_probe = false, json = false;
    };
    auto given = std::make_shared<Arguments>();
    PretrainSettings& settings = given->settings;
    CLI::App* command =
        app.add_subcommand("pretrain", "Make a backbone from formula-drawn images, glyphs and pictures");
    command->option_defaults()->always_capture_default();
    command->add_option("--out", given->out, "Where to write the weights")->type_name("FILE.safetensors")->required();
    const auto count = [&](const char* flag, std::int64_t& value, const char* help, std::int64_t least,
                           std::int64_t most) {
        takesFrom(command->add_option(flag, value, help)->type_name("N"), least, most);
    };
    const auto number = [&](const char* flag, double& value, const char* help, double least, double most) {
        takesNumberFrom(command->add_option(flag, value, help)->type_name("X"), least, most);
    };
    count("--classes", settings.classes, "Fractal classes", 0, 100'000);
    count("--contours", settings.contour_classes, "Contour classes", 0, 100'000);
    count("--instances", settings.instances, "Rendered images a class", 1, 100'000);
    command->add_option("--fonts", given->fonts, "Folder of fonts whose glyphs are drawn too")->type_name("FOLDER");
    command->add_option("--pictures", given->pictures, "Folder with a folder of pictures for each class")
        ->type_name("FOLDER");
    count("--width", settings.width, "Numbers a token, and of the feature", 16, 4096);
    count("--depth", settings.depth, "Blocks", 1, 100);
    count("--heads", settings.heads, "Heads of an attention", 1, 256);
    count("--mlp-ratio", settings.mlp_ratio, "Hidden units a number of the width", 1, 16);
    command->add_option("--stem", settings.stem, "Channels of the convolutions before the patches; 0: none")
        ->type_name("N,...")
        ->delimiter(',');
    command
        ->add_option("--shares", settings.shares,
                     "How often a fractal, a contour, a glyph, a picture is shown, in proportion")
        ->type_name("X,X,X,X")
        ->delimiter(',')
        ->expected(4);
    number("--shapes", settings.shape_weight, "Weight of the regression of shapes", 0, 1000);
    count("--steps", settings.steps, "Training steps", 1, 100'000'000);
    count("--batch-size", settings.batch_size, "Images a step", 1, 65'536);
    number("--learning-rate", settings.learning_rate, "Peak of the one-cycle schedule", 1e-8, 10);
    takesAtLeast(command->add_option("--seed", settings.seed, "Seed")->type_name("N"), 0);
    takesOneOf(command->add_option("--precision", settings.precision, "auto, float32 or bfloat16")->type_name("NAME"),
               {"auto", "float32", "bfloat16"});
    count("--threads", settings.threads, "Processor threads; 0 takes all cores", 0, 1024);
    number("--patch-keep", settings.patch_keep, "Share of patches kept in each training image", 0.05, 1);
    number("--augmentation", settings.augmentation, "Strength of turning, scaling and shifting", 0, 2);
    command->add_option("--from", given->from, "Weights to go on from; else from scratch")
        ->type_name("FILE.safetensors");
    count("--probe-every", settings.probe_every,
          "Steps between writing the weights and their linear probe; 0: at the end only", 0, 100'000'000);
    command->add_flag("--no-probe", given->no_probe, "Write the weights without a probe; needs no Fashion-MNIST");
    command->add_flag("--json", given->json, "Print one JSON object a line");
    command->footer("Ctrl-C stops early and writes what was learned.");
    shell.onChosen(*command, [given] {
        given->settings.out = given->out;
        given->settings.from = given->from;
        given->settings.fonts = given->fonts;
        given->settings.pictures = given->pictures;
        if (given->settings.stem == std::vector<std::int64_t>{0}) given->settings.stem.clear();
        if (given->no_probe) given->settings.probe_train = 0;
        return pretrainCommand(given->settings, given->json);
    });
}

void addProbe(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::vector<std::string> weights{"embedded"};
        bool test = false, json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("probe", "Measure how well backbone weights tell images apart");
    command->add_option("weights", given->weights, "embedded, palimpsest-vit, random or .safetensors files [embedded]")
        ->type_name("WEIGHTS");
    command->add_flag("--test", given->test,
                      "Judge by Fashion-MNIST's test images, not by a part of its training images");
    command->add_flag("--json", given->json, "Print a JSON object a line");
    command->footer("Choose networks and recipes without --test, so that the test images stay unseen.");
    shell.onChosen(*command, [given] {
        for (const ProbeRow& row : probeBackbones(given->weights, given->test))
            given->json ? printProbeJson(row) : printProbe(row);
        return 0;
    });
}

}  // namespace palimpsest
