// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/report/export_runs.h"
#include "engine/support/text.h"

namespace palimpsest {

void addExport(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::vector<std::string> runs;
        std::string out, format;
        bool json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("export", "Write the numbers of runs for TensorBoard or MLflow");
    command->add_option("runs", given->runs, "Run folders, or folders that hold run folders")
        ->type_name("RUN...")
        ->required();
    command->add_option("--format", given->format, "tensorboard or mlflow")->type_name("FORMAT")->required();
    command->add_option("--out,--output", given->out, "Folder to write to; for MLflow its `mlruns`")
        ->type_name("DIR")
        ->required();
    command->add_flag("--json", given->json, "Print one JSON object a run");
    shell.onChosen(*command, [&shell, given] {
        std::vector<std::string> left_out;
        const ExportRequest request{{given->runs.begin(), given->runs.end()}, given->out, given->format};
        const std::vector<std::filesystem::path> written = exportRuns(shell.table(), request, &left_out);
        for (const std::string& sentence : left_out) std::cerr << plainSentence(sentence) << " It is left out.\n";
        for (const std::filesystem::path& folder : written) {
            if (given->json)
                printLine({{"folder", folder.string()}});
            else
                std::cout << plainSentence(folder.string()) << "\n";
        }
        return 0;
    });
}

}  // namespace palimpsest
