// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report.h"

#include <algorithm>
#include <array>

#include "engine/config/text_file.h"
#include "engine/report/csv_tables.h"
#include "engine/report/figure_files.h"
#include "engine/report/html_page.h"
#include "engine/report/report_figures.h"
#include "engine/run/utc_time.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFormats{"html", "png", "svg", "pdf", "csv"};

/// The formats asked for, checked.
std::vector<std::string> checkedFormats(const std::vector<std::string>& asked) {
    if (asked.empty()) {
        return {"html", "png", "svg", "pdf"};
    }
    for (const std::string& format : asked) {
        if (std::find(kFormats.begin(), kFormats.end(), format) == kFormats.end()) {
            throw inputError("A report cannot be written as “" + format + "”.",
                             "Known formats: html, png, svg, pdf, csv.");
        }
    }
    return asked;
}

void makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    std::error_code unreadable;
    if (error || !fs::is_directory(folder, unreadable)) {
        throw inputError("The report folder " + folder.string() +
                             " cannot be made: " + (error ? error.message() : "there is a file of that name") + ".",
                         "Choose a folder you may write to.");
    }
}

/// The newest start among the runs: a date that belongs to the figures and is the same each time.
std::string newestStart(const report::RunSet& runs) {
    std::string newest = "2000-01-01T00:00:00Z";
    for (const report::RunGroup& group : runs.groups) {
        for (const RunRecord& run : group.runs) {
            newest = std::max(newest, run.started);
        }
    }
    return withoutFraction(newest);
}

}  // namespace

std::vector<fs::path> writeReport(const OptionTable& table, const ReportRequest& request) {
    const std::vector<std::string> formats = checkedFormats(request.formats);
    const auto wanted = [&](const char* format) {
        return std::find(formats.begin(), formats.end(), format) != formats.end();
    };
    std::vector<RunRecord> records;
    for (const fs::path& folder : report::collectRunFolders(request.inputs)) {
        records.push_back(readRun(table, folder));
    }
    const report::RunSet runs = report::groupRuns(table, std::move(records));
    const std::vector<report::Figure> figures = report::makeFigures(runs);

    makeFolder(request.out);
    std::vector<fs::path> files;
    const auto write = [&](const std::string& name, const std::string& bytes) {
        files.push_back(request.out / name);
        replaceTextFile(files.back(), bytes);
    };
    if (wanted("html")) {
        write("report.html", report::htmlPage(table, runs, figures));
    }
    for (const report::Figure& figure : figures) {
        if (wanted("png")) {
            write(figure.file + ".png", report::figurePng(figure));
        }
        if (wanted("svg")) {
            write(figure.file + ".svg", report::figureSvg(figure));
        }
        if (wanted("pdf")) {
            write(figure.file + ".pdf", report::figurePdf(figure, newestStart(runs)));
        }
    }
    if (wanted("csv")) {
        write("anytime.csv", report::anytimeCsv(runs));
        write("retention.csv", report::retentionCsv(runs));
        write("metrics.csv", report::metricsCsv(runs));
    }
    return files;
}

}  // namespace palimpsest
