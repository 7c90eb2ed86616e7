// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <optional>

#include "app/cli/output.h"
#include "app/cli/value_checks.h"
#include "app/commands/commands.h"
#include "engine/inputs/replay_stream.h"
#include "engine/report/report.h"
#include "engine/support/text.h"

namespace palimpsest {

void addReport(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::vector<std::string> runs;
        std::string out;
        std::vector<std::string> formats;
        std::string style = "screen";
        std::optional<std::int64_t> moment;
        bool each_run = false;
        bool no_story = false;
        bool json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("report", "Make a page and figures from one or several runs");
    command->add_option("runs", given->runs, "Run folders, or folders that hold run folders")
        ->type_name("RUN...")
        ->required();
    command->add_option("--out", given->out, "Folder to write to")->type_name("DIR")->required();
    command
        ->add_option(
            "--format", given->formats,
            "Any of html,pdf,svg,png,gif,pgfplots,latex,markdown,csv, and replay: one page that plays one run, or "
            "two side by side")
        ->type_name("FORMAT,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command
        ->add_option("--style", given->style,
                     "Width and type of the figures: screen, single-column, double-column, slide")
        ->type_name("STYLE");
    takesAtLeast(command
                     ->add_option("--at", given->moment,
                                  "Of one run: the confusion matrix, and what captions tell, after so many images, "
                                  "instead of the last; of a replay: where it opens")
                     ->type_name("IMAGES"),
                 0);
    command->add_flag("--each-run", given->each_run,
                      "Of several runs also the figures of each: classes, confusion matrix, loss, prompts, memory");
    command->add_flag("--no-story", given->no_story,
                      "Leave the sentences on what a run's last evaluation found out of captions and page");
    command->add_flag("--json", given->json, "Print one JSON object a file");
    shell.onChosen(*command, [&shell, given] {
        const ReportRequest request{{given->runs.begin(), given->runs.end()},
                                    given->out,
                                    given->formats,
                                    given->style,
                                    given->moment,
                                    given->each_run,
                                    !given->no_story,
                                    replayStream};
        std::vector<std::string> left_out, unread;
        const std::vector<std::filesystem::path> files = writeReport(shell.table(), request, &left_out, &unread);
        for (const std::string& sentence : left_out) std::cerr << sentence << " It is left out.\n";
        for (const std::string& sentence : unread) std::cerr << plainSentence(sentence) << "\n";
        printFiles(files, given->json);
        return 0;
    });
}

}  // namespace palimpsest
