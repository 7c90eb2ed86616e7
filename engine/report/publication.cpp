// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/publication.h"

#include <algorithm>
#include <array>

#include "engine/record/moment_story.h"
#include "engine/report/captions.h"
#include "engine/report/figure_drawing.h"
#include "engine/report/report_figures.h"
#include "engine/report/report_inputs.h"
#include "engine/report/result_tables.h"
#include "engine/support/clock.h"
#include "engine/support/error.h"

namespace palimpsest::report {
namespace {

constexpr std::array<PieceFormatRow, 9> kFormats{{
    {PieceFormat::Pdf, "PDF", "pdf", ".pdf", true},
    {PieceFormat::Svg, "SVG", "svg", ".svg", true},
    {PieceFormat::Png, "PNG", "png", ".png", true},
    {PieceFormat::Gif, "GIF, animated", "gif", ".gif", true, true},
    {PieceFormat::Tikz, "PGFPlots picture", "pgfplots", ".tikz", true},
    {PieceFormat::Tex, "PGFPlots document", "pgfplots", ".tex", true},
    {PieceFormat::Latex, "LaTeX", "latex", ".tex", false},
    {PieceFormat::Markdown, "Markdown", "markdown", ".md", false},
    {PieceFormat::Csv, "CSV", "csv", ".csv", false},
}};

/// The newest start among the runs: a date that belongs to the figures and is the same each time.
std::string newestStart(const ReportedRuns& runs) {
    std::string newest = "2000-01-01T00:00:00Z";
    for (const RunGroup& group : runs.groups)
        for (const RunRecord& run : group.runs) newest = std::max(newest, run.started);
    return withoutFraction(newest);
}

/// The one group whose figure this is, or all of them.
ReportedRuns shownIn(const ReportedRuns& runs, std::size_t figure) {
    // Order for several groups: anytime accuracy and session 1 of all, then the retention of each; the loss of all.
    if (runs.groups.size() == 1 || figure < 2 || figure >= 2 + runs.groups.size()) return runs;
    return {{runs.groups[figure - 2]}, {}, runs.same_stream};
}

Piece pieceOf(Figure figure, std::string csv, const std::string& csv_file, const std::string& created) {
    Piece piece;
    piece.file = figure.file;
    piece.title = figure.title;
    piece.created = created;
    piece.csv = std::move(csv);
    piece.csv_file = csv_file;
    piece.figure = std::move(figure);
    return piece;
}

/// "name", or "name-2", ... where others have that already.
std::string unlike(const std::string& name, std::set<std::string>& taken) {
    std::string own = name;
    for (int number = 2; !taken.insert(own).second; ++number) own = name + "-" + std::to_string(number);
    return own;
}

}  // namespace

std::span<const PieceFormatRow> pieceFormats() {
    return kFormats;
}

const PieceFormatRow& formatRow(PieceFormat format) {
    return *std::find_if(kFormats.begin(), kFormats.end(),
                         [&](const PieceFormatRow& row) { return row.format == format; });
}

bool offers(const Piece& piece, PieceFormat format) {
    if (format == PieceFormat::Csv) return !piece.csv.empty();
    const PieceFormatRow& row = formatRow(format);
    if (row.animated && piece.figure) {
        const auto* curves = std::get_if<CurveFigure>(&piece.figure->content);
        const std::optional<Extent> extent = curves ? extentOf(*curves) : std::nullopt;
        return extent && extent->first < extent->last;
    }
    return row.drawn == piece.figure.has_value();
}

std::string pieceFile(const Piece& piece, PieceFormat format) {
    return (format == PieceFormat::Csv ? piece.csv_file : piece.file) + formatRow(format).ending;
}

std::string pieceBytes(const Piece& piece, PieceFormat format, const FigureStyle& style) {
    switch (format) {
        case PieceFormat::Pdf:
            return figurePdf(*piece.figure, style, piece.created);
        case PieceFormat::Svg:
            return figureSvg(*piece.figure, style);
        case PieceFormat::Png:
            return figurePng(*piece.figure, style);
        case PieceFormat::Gif:
            return figureGif(*piece.figure, style);
        case PieceFormat::Tikz:
            return figureTikz(*piece.figure, style, piece.caption);
        case PieceFormat::Tex:
            return figureTex(*piece.figure, style, piece.caption);
        case PieceFormat::Latex:
            return piece.latex;
        case PieceFormat::Markdown:
            return piece.markdown;
        case PieceFormat::Csv:
            break;
    }
    return piece.csv;
}

Publication readPublication(const OptionTable& table, const std::vector<std::filesystem::path>& inputs,
                            std::optional<std::int64_t> moment, bool story) {
    std::vector<RunRecord> records;
    std::vector<std::string> left_out;
    const std::vector<std::filesystem::path> folders = collectRunFolders(inputs);
    for (const std::filesystem::path& folder : folders) {
        try {
            records.push_back(readRun(table, folder));
        } catch (const Error& error) {
            // One of many must not keep the others from being reported; one that was named alone is the report.
            if (folders.size() == 1 || std::find(inputs.begin(), inputs.end(), folder) != inputs.end()) throw;
            left_out.emplace_back(error.what());
        }
    }
    if (records.empty())
        throw inputError("There is no run to report on: " + left_out.front(),
                         "Name at least one run that can be read.");
    Publication all{groupRuns(table, std::move(records)), {}, std::move(left_out), {}};
    // Read once: what is told of a single run and what is drawn of it are of the same files.
    std::optional<RunHistory> history;
    if (all.runs.runCount() == 1) {
        const RunRecord& only = all.runs.groups.front().runs.front();
        history = readHistory(only.folder, only.class_names.size());
        if (story) all.story = momentStory(table, only, *history, moment);
    }
    const std::string created = newestStart(all.runs);
    const auto add = [&](Figure figure, std::string csv, const std::string& csv_file) {
        std::string caption = figureCaption(table, shownIn(all.runs, all.pieces.size()), figure);
        Piece& piece = all.pieces.emplace_back(pieceOf(std::move(figure), std::move(csv), csv_file, created));
        piece.caption = std::move(caption);
    };
    for (Figure& figure : makeFigures(all.runs)) {
        // Anytime accuracy and retention; the R matrix has numbers of its own to say.
        const bool curves = std::holds_alternative<CurveFigure>(figure.content);
        const bool first = all.pieces.empty();
        add(std::move(figure), first ? anytimeCsv(all.runs) : retentionCsv(all.runs), first ? "anytime" : "retention");
        if (curves && !all.story.empty()) all.pieces.back().caption += " " + all.story;
    }
    if (history) {
        const RunGroup& group = all.runs.groups.front();
        std::vector<std::string> unread;
        for (MeasuredFigure& measured : measuredFigures(group.runs.front(), *history, moment, &unread)) {
            const std::string file = measured.figure.file;
            measured.figure.title += " of " + group.name;
            add(std::move(measured.figure), std::move(measured.csv), file);
        }
        noteUnread(all.runs, group.runs.front().folder, unread);
    } else if (auto losses = lossFigure(all.runs)) {
        add(std::move(losses->figure), std::move(losses->csv), "loss");
    }
    Piece& numbers = all.pieces.emplace_back();
    numbers.file = numbers.csv_file = "metrics";
    numbers.title = "Table of the numbers";
    numbers.caption = resultCaption(table, all.runs);
    numbers.created = created;
    numbers.csv = metricsCsv(all.runs);
    numbers.latex = resultLatex(table, all.runs);
    numbers.markdown = resultMarkdown(table, all.runs);
    return all;
}

std::vector<Piece> piecesOfRun(const OptionTable& table, const RunGroup& group, const RunRecord& run,
                               std::set<std::string>& taken, std::optional<std::int64_t> moment) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::weakly_canonical(run.folder, error);
    const std::string own = unlike((error ? run.folder : folder).filename().string(), taken);
    const ReportedRuns alone{{{group.name, {run}, group.complete}}, {}, true};
    std::vector<Piece> pieces;
    for (MeasuredFigure& measured : measuredFigures(run, moment)) {
        Figure& figure = measured.figure;
        figure.file += "-" + own;
        figure.title += " of " + group.name;
        if (group.runs.size() > 1) figure.title += ", seed " + std::to_string(run.experiment.seed);
        const std::string file = figure.file;
        std::string caption = figureCaption(table, alone, figure);
        Piece& piece =
            pieces.emplace_back(pieceOf(std::move(figure), std::move(measured.csv), file, newestStart(alone)));
        piece.caption = std::move(caption);
    }
    return pieces;
}

}  // namespace palimpsest::report
