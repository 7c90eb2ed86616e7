// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <iostream>

#include "app/cli/output.h"
#include "app/cli/value_checks.h"
#include "app/commands/bench_suite.h"
#include "app/commands/commands.h"
#include "engine/bench/speed_page.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

constexpr double kGiga = 1e9;
constexpr double kBusy = 0.5;  ///< load above which a page may tell of others' work

std::string roofText(const Roof& roof) {
    char text[160];
    std::snprintf(text, sizeof text, "  %-9s %8.1f GFLOP/s", roof.precision.c_str(), roof.best() / kGiga);
    std::string all = text;
    if (roof.own > 0) {
        const bool ours = roof.own > roof.libtorch;
        all += ours ? " by the program's own kernels; LibTorch reaches "
                    : " by LibTorch; the program's own kernels reach ";
        all += fixedText((ours ? roof.libtorch : roof.own) / kGiga, 1);
    } else {
        all += " by LibTorch";
    }
    return all;
}

/// Two decimals where one would say little.
std::string rateText(double rate) {
    return fixedText(rate, rate < 10 ? 2 : 1);
}

std::string stageText(const StageSpeed& stage, const Roof& roof) {
    const double images = static_cast<double>(stage.images);
    char text[160];
    std::snprintf(text, sizeof text, "  %-10s %10s  %9s to %-9s %12.4f %10.1f %8.0f %%", stage.stage.c_str(),
                  rateText(stage.imagesPerSecond()).c_str(), rateText(images / stage.most).c_str(),
                  rateText(images / stage.least).c_str(), static_cast<double>(stage.operations) / images / kGiga,
                  stage.operationsPerSecond() / kGiga, 100 * stage.operationsPerSecond() / roof.best());
    return text;
}

constexpr const char* kColumns = "               images/s     least to most      GFLOP/image    GFLOP/s  of the roof";
constexpr const char* kLegend = R"(
query       the pass without prompts, which chooses them
forward     the pass with prompts, kept for the way back
backward    the gradients of the prompts, through the frozen network
evaluation  test images whose query is known
update      all of it once: query, forward, backward, head and optimiser. A run learns each
            batch in training.updates_per_batch updates, usually 3.
roof        the fastest product of two square matrices that this program can do here
GFLOP       10^9 operations of the matrix products by formula, a multiplication with its addition as two
)";

Json machineJson(const SpeedMachine& machine) {
    return {{"kind", "machine"},          {"processor", machine.processor}, {"device", machine.device},
            {"threads", machine.threads}, {"libtorch", machine.libtorch},   {"version", PALIMPSEST_VERSION}};
}

Json roofJson(const Roof& roof) {
    return {{"kind", "roof"},
            {"precision", roof.precision},
            {"gflops", roof.best() / kGiga},
            {"gflops_libtorch", roof.libtorch / kGiga},
            {"gflops_own", roof.own > 0 ? Json(roof.own / kGiga) : Json(nullptr)}};
}

Json stageJson(const StageSpeed& stage, const std::string& backbone, const Roof& roof) {
    return {{"kind", "stage"},
            {"backbone", backbone},
            {"precision", roof.precision},
            {"stage", stage.stage},
            {"images", stage.images},
            {"median_ms", 1e3 * stage.median},
            {"least_ms", 1e3 * stage.least},
            {"most_ms", 1e3 * stage.most},
            {"images_per_second", stage.imagesPerSecond()},
            {"gflop_per_image", static_cast<double>(stage.operations) / static_cast<double>(stage.images) / kGiga},
            {"gflops", stage.operationsPerSecond() / kGiga},
            {"of_roof", stage.operationsPerSecond() / roof.best()},
            {"repetitions", stage.repetitions}};
}

struct PageArguments {
    SpeedSettings settings;
    std::vector<std::string> backbones{std::string(kEmbeddedBackbones[0])}, precisions;
};

int benchPage(const PageArguments& given, bool json) {
    for (const std::string& backbone : given.backbones) requireBackbone(backbone);
    const SpeedMachine machine = speedMachine(given.settings);
    if (json) {
        printLine(machineJson(machine));
    } else {
        std::cout << "palimpsest-cli " PALIMPSEST_VERSION " on " << machine.device << ", "
                  << counted(machine.threads, "thread", "threads") << ", LibTorch " << machine.libtorch
                  << (machine.processor.empty() ? "" : "; " + machine.processor) << "\n";
        if (machine.load > kBusy)
            std::cout << "Others use the processor too (load " << fixedText(machine.load, 1)
                      << "): alone the machine may be faster than this page says.\n";
        std::cout << "\nThe roof" << std::endl;
    }
    std::vector<Roof> roofs;
    for (const std::string& precision : given.precisions.empty() ? usualPrecisions(given.settings) : given.precisions) {
        roofs.push_back(measuredRoof(given.settings, precision));
        if (json)
            printLine(roofJson(roofs.back()));
        else
            std::cout << roofText(roofs.back()) << std::endl;
    }
    for (const std::string& backbone : given.backbones)
        for (const Roof& roof : roofs) {
            bool first = true;
            measureStages(given.settings, backbone, roof.precision, [&](const StageSpeed& stage) {
                if (json) return printLine(stageJson(stage, backbone, roof));
                if (first)
                    std::cout << "\n"
                              << backbone << ", " << roof.precision << ": DualPrompt, batches of " << stage.images
                              << " images\n"
                              << kColumns << std::endl;
                first = false;
                std::cout << stageText(stage, roof) << std::endl;
            });
        }
    if (!json) std::cout << kLegend << std::flush;
    return 0;
}

}  // namespace

void addBench(CLI::App& app, Shell& shell) {
    struct Arguments {
        PageArguments page;
        std::string filter;
        bool suite = false, list = false, json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("bench", "Measure how fast this machine learns, and what it could do");
    SpeedSettings& settings = given->page.settings;
    const std::vector<CLI::Option*> ofPage = {
        command->add_option("--backbone", given->page.backbones, "palimpsest-stem-vit, vit-b16, ...; may be repeated")
            ->type_name("NAME"),
        takesOneOf(
            command->add_option("--precision", given->page.precisions, "float32, tf32 or bfloat16; those that pay off")
                ->type_name("NAME"),
            {"float32", "tf32", "bfloat16"}),
        command->add_option("--device", settings.device, "auto, cpu, cuda:0, ...")->type_name("DEVICE"),
        takesFrom(
            command->add_option("--threads", settings.threads, "Threads of the processor; 0: all")->type_name("N"), 0,
            1024),
        takesFrom(
            command->add_option("--batch", settings.batch, "Images of a batch; 0: 32, or fewer for a large backbone")
                ->type_name("N"),
            0, 4096),
        command->add_flag("--graph", settings.graph, "On a GPU: record an update and replay it, as gpu.graph does"),
        takesOneOf(command->add_option("--adam", settings.adam, "On a GPU: fused, foreach or plain, as gpu.adam")
                       ->type_name("NAME"),
                   {"fused", "foreach", "plain"}),
        command->add_flag("--quick", settings.quick, "Two repetitions, to see that it works")};
    const CLI::Option* filter =
        command->add_option("--filter", given->filter, "Measure single cases whose name contains this")
            ->type_name("TEXT");
    command->add_flag("--suite", given->suite, "Measure all single cases, which takes minutes");
    command->add_flag("--list", given->list, "List the names of the single cases");
    command->add_flag("--json", given->json, "Print one JSON object a line");
    shell.onChosen(*command, [given, filter, ofPage] {
        if (!given->list && !given->suite && filter->count() == 0) return benchPage(given->page, given->json);
        for (const CLI::Option* option : ofPage)
            if (option->count() > 0)
                throw inputError(option->get_name() + " has no effect on single cases.",
                                 "Leave it out, or --filter, --suite and --list.");
        return given->list ? listBenchmarks(given->json) : benchSuite(given->filter, given->json);
    });
}

}  // namespace palimpsest
