// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <iostream>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
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
    command->add_option("--classes", settings.classes, "Fractal classes")->check(CLI::Range(0, 100000));
    command->add_option("--contours", settings.contour_classes, "Contour classes")->check(CLI::Range(0, 100000));
    command->add_option("--instances", settings.instances, "Rendered images a class")->check(CLI::Range(1, 100000));
    command->add_option("--fonts", given->fonts, "Folder of fonts whose glyphs are drawn too")->type_name("FOLDER");
    command->add_option("--pictures", given->pictures, "Folder with a folder of pictures for each class")
        ->type_name("FOLDER");
    command->add_option("--width", settings.width, "Numbers a token, and of the feature")->check(CLI::Range(16, 4096));
    command->add_option("--depth", settings.depth, "Blocks")->check(CLI::Range(1, 100));
    command->add_option("--heads", settings.heads, "Heads of an attention")->check(CLI::Range(1, 256));
    command->add_option("--mlp-ratio", settings.mlp_ratio, "Hidden units a number of the width")
        ->check(CLI::Range(1, 16));
    command->add_option("--stem", settings.stem, "Channels of the convolutions before the patches; 0: none")
        ->delimiter(',');
    command
        ->add_option("--shares", settings.shares,
                     "How often a fractal, a contour, a glyph, a picture is shown, in proportion")
        ->delimiter(',')
        ->expected(4);
    command->add_option("--shapes", settings.shape_weight, "Weight of the regression of shapes")
        ->check(CLI::Range(0.0, 1000.0));
    command->add_option("--steps", settings.steps, "Training steps")->check(CLI::Range(1, 100000000));
    command->add_option("--batch-size", settings.batch_size, "Images a step")->check(CLI::Range(1, 65536));
    command->add_option("--learning-rate", settings.learning_rate, "Peak of the one-cycle schedule")
        ->check(CLI::Range(1e-8, 10.0));
    command->add_option("--seed", settings.seed, "Seed")->check(CLI::NonNegativeNumber);
    command->add_option("--precision", settings.precision, "auto, float32 or bfloat16")
        ->check(CLI::IsMember({"auto", "float32", "bfloat16"}));
    command->add_option("--threads", settings.threads, "Processor threads; 0 takes all cores")
        ->check(CLI::Range(0, 1024));
    command->add_option("--patch-keep", settings.patch_keep, "Share of patches kept in each training image")
        ->check(CLI::Range(0.05, 1.0));
    command->add_option("--augmentation", settings.augmentation, "Strength of turning, scaling and shifting")
        ->check(CLI::Range(0.0, 2.0));
    command->add_option("--from", given->from, "Weights to go on from; else from scratch")
        ->type_name("FILE.safetensors");
    command
        ->add_option("--probe-every", settings.probe_every,
                     "Steps between writing the weights and their linear probe; 0: at the end only")
        ->check(CLI::Range(0, 100000000));
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
