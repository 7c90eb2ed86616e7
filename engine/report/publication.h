// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/report/figure.h"
#include "engine/report/figure_style.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// A figure or a table that can be written to a file, with its caption.
struct Piece {
    std::string file;  ///< file name without ending
    std::string title;
    std::string caption;
    std::string created;           ///< ISO 8601: date in a PDF, the same each time
    std::optional<Figure> figure;  ///< absent: a table
    std::string csv;               ///< the numbers; empty: none
    std::string csv_file;          ///< without ending: several figures may share their numbers
    std::string latex, markdown;   ///< of a table
};

enum class PieceFormat { Pdf, Svg, Png, Gif, Tikz, Tex, Csv, Latex, Markdown };

struct PieceFormatRow {
    PieceFormat format;
    const char* name;       ///< as the user knows it: "PDF"
    const char* report;     ///< as the command line calls it: "pdf"
    const char* ending;     ///< with its dot
    bool drawn;             ///< of figures alone, in a style
    bool animated = false;  ///< curves that grow; of figures of curves alone
};
std::span<const PieceFormatRow> pieceFormats();
const PieceFormatRow& formatRow(PieceFormat format);
/// True when the piece can be written in the format.
bool offers(const Piece& piece, PieceFormat format);
/// Name of the file that holds it.
std::string pieceFile(const Piece& piece, PieceFormat format);
/// The bytes of a file. The same piece gives the same bytes. Throws Error when a figure cannot be drawn.
std::string pieceBytes(const Piece& piece, PieceFormat format, const FigureStyle& style);

/// Pieces that can be published of some runs: their figures in the order of makeFigures(), those of measuredFigures()
/// where there is but one run, then the table of their numbers.
struct Publication {
    ReportedRuns runs;
    std::vector<Piece> pieces;
    std::vector<std::string> left_out;  ///< a sentence on each run of a named folder that cannot be read
    std::string story;                  ///< what the only run's last evaluation found; empty: not wanted or not known
};
/// Reads the folders. `moment`: see measuredFigures(). `story`: the captions of the curves of the only run tell what
/// happened, see momentStory(). Throws Error(Input); see collectRunFolders() and readRun().
Publication readPublication(const OptionTable& table, const std::vector<std::filesystem::path>& inputs,
                            std::optional<std::int64_t> moment = {}, bool story = true);

/// Pieces that one of several runs has of its own: those of measuredFigures(), each with the run's folder in its file
/// name and caption, unlike `taken` file names, to which it is added.
std::vector<Piece> piecesOfRun(const OptionTable& table, const RunGroup& group, const RunRecord& run,
                               std::set<std::string>& taken, std::optional<std::int64_t> moment = {});

/// Custom properties of a page's style sheet: the colours of the inks by name, and those of pages alone.
std::string pageColours(bool dark);

/// The page of a report: one file that needs no network and no other file, with the numbers, figures with their tables,
/// what the numbers mean and where they come from. `story`: stands below the first of them; may be empty.
std::string htmlPage(const OptionTable& table, const ReportedRuns& runs, const std::vector<Figure>& figures,
                     const std::string& story = {});

}  // namespace palimpsest::report
