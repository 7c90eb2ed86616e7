// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/import.h"

#include <iostream>

#include "app/cli/output.h"
#include "app/cli/value_checks.h"
#include "app/commands/commands.h"
#include "engine/library/import_run.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

std::shared_ptr<ImportArguments> addImportArguments(CLI::App& command) {
    auto given = std::make_shared<ImportArguments>();
    command
        .add_option("files", given->files,
                    "Tables with samples_seen and accuracy, seed_N_eval.npy of the official code, and logs: Mammoth's "
                    "logs.pyd, Avalanche's eval_results.csv, those of LAMDA-PILOT, PyCIL, MISA and FlyGCL")
        ->type_name("FILE...")
        ->required();
    command.add_option("--name", given->name, "Name of the runs; without it, from the log or the file's name")
        ->type_name("NAME");
    command.add_option("--out,--output", given->out, "Folder of runs; without it, that of the window")
        ->type_name("DIR");
    takesAtLeast(
        command.add_option("--seed", given->seed, "Seed of the run; without it, from the log or the file's name, or 1")
            ->type_name("S"),
        0);
    takesAtLeast(
        command
            .add_option("--every", given->every,
                        "Images between two evaluations, for a .npy without their times and a log of session ends")
            ->type_name("N"),
        1);
    command.add_flag("--json", given->json, "Print one JSON object a run");
    command.footer("Exit codes: 0 all files were imported; 2 one could not be, or wrong input.");
    return given;
}

int importFiles(const OptionTable& table, const ImportArguments& given) {
    ImportRequest request;
    request.name = given.name;
    request.out = given.out.empty() ? defaultRunsFolder() : std::filesystem::path(given.out);
    request.seed = given.seed;
    request.every = given.every;
    bool failed = false;
    for (const std::string& file : given.files) {
        request.file = file;
        ImportedRuns imported;
        try {
            imported = importRuns(table, request);
        } catch (const Error& error) {
            if (given.files.size() == 1) throw;
            std::cerr << "palimpsest-cli: " << error.sentence() << "\n";
            failed = true;
        }
        for (const std::filesystem::path& folder : imported.folders) {
            if (given.json)
                printLine({{"folder", folder.string()}});
            else
                std::cout << plainSentence(folder.string()) << "\n";
        }
        for (const std::string& note : imported.notes) std::cerr << note << "\n";
    }
    return failed ? 2 : 0;
}

void addImport(CLI::App& app, Shell& shell) {
    CLI::App* command = app.add_subcommand(
        "import", "Make runs of tables and logs that other programs wrote, to compare with own ones");
    const std::shared_ptr<ImportArguments> given = addImportArguments(*command);
    shell.onChosen(*command, [&shell, given] { return importFiles(shell.table(), *given); });
}

}  // namespace palimpsest
