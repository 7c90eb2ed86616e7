// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report.h"

#include <algorithm>
#include <set>

#include "engine/report/publication.h"
#include "engine/report/replay_page.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

using report::Piece;

constexpr const char* kReplay = "replay";

/// The formats asked for, checked.
std::vector<std::string> checkedFormats(const std::vector<std::string>& asked) {
    if (asked.empty()) return {"html", "png", "svg", "pdf"};
    const std::vector<std::string> known = reportFormats();
    for (const std::string& format : asked) {
        if (std::find(known.begin(), known.end(), format) == known.end()) {
            std::string all;
            for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
            throw inputError("A report cannot be written as “" + format + "”.", "Known formats: " + all + ".");
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

/// A hundred classes have their files, but would be most of the page.
bool fitsPage(const report::Figure& figure) {
    constexpr std::size_t kMost = 30;
    const auto* heat = std::get_if<report::HeatFigure>(&figure.content);
    return !heat || std::max(heat->rows.size(), heat->columns.size()) <= kMost;
}

}  // namespace

std::vector<std::string> reportFormats() {
    std::vector<std::string> names{"html"};
    for (const report::PieceFormatRow& row : report::pieceFormats())
        if (row.report != names.back()) names.emplace_back(row.report);
    names.emplace_back(kReplay);
    return names;
}

std::vector<fs::path> writeReport(const OptionTable& table, const ReportRequest& request,
                                  std::vector<std::string>* leftOut, std::vector<std::string>* unread) {
    const std::vector<std::string> asked = checkedFormats(request.formats);
    const auto wanted = [&](const char* format) {
        return std::find(asked.begin(), asked.end(), format) != asked.end();
    };
    const report::FigureStyle& style = report::findFigureStyle(request.style);
    std::vector<fs::path> files;
    std::set<std::string> made;
    const auto write = [&](const std::string& name, const std::string& bytes) {
        const fs::path file = request.out / name;
        if (std::find(files.begin(), files.end(), file) != files.end()) return;
        if (files.empty()) makeFolder(request.out);
        files.push_back(file);
        replaceTextFile(file, bytes);
    };
    // Made first: where the runs cannot be replayed, nothing is written.
    std::vector<std::string> unread_replay;
    const std::string replay =
        wanted(kReplay) ? report::replayPage(table, request.inputs,
                                             {request.moment, request.story, request.replay_stream}, &unread_replay)
                        : std::string();
    if (asked == std::vector<std::string>{kReplay}) {
        write("replay.html", replay);
        if (unread) *unread = unread_replay;
        return files;
    }
    const report::Publication all = report::readPublication(table, request.inputs, request.moment, request.story);
    if (leftOut) *leftOut = all.left_out;
    if (unread) {
        *unread = all.runs.unread;
        for (const std::string& sentence : unread_replay)
            if (std::ranges::find(*unread, sentence) == unread->end()) unread->push_back(sentence);
    }
    if (wanted("html")) {
        std::vector<report::Figure> figures;
        for (const Piece& piece : all.pieces)
            if (piece.figure && fitsPage(*piece.figure)) figures.push_back(*piece.figure);
        write("report.html", report::htmlPage(table, all.runs, figures, all.story));
        made.insert("html");
    }
    if (!replay.empty()) {
        write("replay.html", replay);
        made.insert(kReplay);
    }
    std::string captions;
    bool captioned = false;
    const auto writeAll = [&](const std::vector<Piece>& pieces) {
        for (const Piece& piece : pieces) {
            for (const report::PieceFormatRow& row : report::pieceFormats()) {
                if (!wanted(row.report) || !report::offers(piece, row.format)) continue;
                write(report::pieceFile(piece, row.format), report::pieceBytes(piece, row.format, style));
                made.insert(row.report);
                captioned = captioned || row.format != report::PieceFormat::Csv;
            }
            captions += (captions.empty() ? "" : "\n") + piece.file + "\n" + piece.caption + "\n";
        }
    };
    writeAll(all.pieces);
    if (request.each_run && all.runs.runCount() > 1) {
        std::set<std::string> taken;
        for (const report::RunGroup& group : all.runs.groups)
            for (const RunRecord& run : group.runs)
                writeAll(report::piecesOfRun(table, group, run, taken, request.moment));
    }
    for (const std::string& format : request.formats) {
        if (made.contains(format)) continue;
        const std::string sentence = "Nothing of these runs can be written as " + format + ".";
        if (files.empty()) throw inputError(sentence, "Choose another format, or runs that measured more.");
        if (unread) unread->push_back(sentence);
    }
    if (captioned) write("captions.txt", captions);
    return files;
}

}  // namespace palimpsest
