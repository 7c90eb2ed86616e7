// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <iostream>

#include "app/cli/output.h"
#include "app/cli/value_checks.h"
#include "app/commands/commands.h"
#include "engine/verify/verify_golden.h"

namespace palimpsest {
namespace {

struct Tally {
    std::int64_t passed = 0;
    std::int64_t failed = 0;
    std::int64_t todo = 0;
};

const char* wordFor(CaseResult result) {
    return result == CaseResult::Ok ? "ok" : result == CaseResult::Todo ? "todo" : "FAIL";
}

std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

void count(Tally& tally, CaseResult result) {
    ++(result == CaseResult::Ok ? tally.passed : result == CaseResult::Todo ? tally.todo : tally.failed);
}

void printCase(const VerifiedCase& verified, bool json) {
    const bool compared = verified.result != CaseResult::Todo;
    if (json) {
        printLine({{"name", verified.name},
                   {"result", wordFor(verified.result)},
                   {"max_abs_error", compared ? Json(verified.max_abs_error) : Json(nullptr)},
                   {"max_rel_error", compared ? Json(verified.max_rel_error) : Json(nullptr)},
                   {"of_tolerance", compared ? Json(verified.of_tolerance) : Json(nullptr)},
                   {"detail", verified.detail}});
        return;
    }
    std::cout << wordFor(verified.result) << ' ' << verified.name << ' '
              << (compared ? shortNumber(verified.max_abs_error) : "-") << ' '
              << (compared ? shortNumber(verified.max_rel_error) : "-") << ' '
              << (compared ? shortNumber(verified.of_tolerance) : "-") << std::endl;
    if (verified.result == CaseResult::Fail && !verified.detail.empty())
        std::cerr << verified.name << ": " << verified.detail << std::endl;
}

int verifyCommand(const std::string& folder, const VerifyPlace& place, bool json) {
    Tally tally;
    verifyGolden(
        folder,
        [&](const VerifiedCase& verified) {
            count(tally, verified.result);
            printCase(verified, json);
        },
        place);
    if (json) {
        printLine({{"passed", tally.passed}, {"failed", tally.failed}, {"todo", tally.todo}});
    } else {
        std::cout << tally.passed << " passed, " << tally.failed << " failed";
        if (tally.todo > 0) std::cout << ", " << tally.todo << " todo";
        std::cout << std::endl;
    }
    return tally.failed > 0 ? 1 : 0;
}

}  // namespace

void addVerify(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::string folder;
        VerifyPlace place;
        bool json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("verify", "Compare with the official code, number for number");
    command->add_option("folder", given->folder, "Folder of golden files")->type_name("DIR")->required();
    command->add_option("--device", given->place.device, "cpu, cuda:0, ...; the numbers were recorded on a processor")
        ->type_name("DEVICE");
    takesNumberFrom(
        command->add_option("--slack", given->place.slack, "Factor of every tolerance, for a GPU, which sums otherwise")
            ->type_name("FACTOR"),
        1, 1e6);
    command->add_flag("--json", given->json, "Print one JSON object a line");
    command->footer(
        "A line a case: ok, FAIL or todo (a method still to come), its name, the largest absolute and relative error, "
        "and the largest error as a share of its tolerance: above 1 the case fails.");
    shell.onChosen(*command, [given] { return verifyCommand(given->folder, given->place, given->json); });
}

}  // namespace palimpsest
