// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/import_run.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include "engine/config/experiment_file.h"
#include "engine/metrics/metrics.h"
#include "engine/record/run_documents.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_writer.h"
#include "engine/support/append_file.h"
#include "engine/support/clock.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/support/npy_header.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// Anytime accuracies that another program measured. Accuracies are fractions.
struct ForeignCurve {
    std::vector<AnytimePoint> points;  ///< in order of images seen, at least one
    std::vector<double> session_ends;  ///< accuracies at the ends of sessions; may be empty
    std::optional<std::int64_t> seed;  ///< as the file's name says
    std::vector<fs::path> files;       ///< that were read
};

constexpr std::uintmax_t kLargestFile = 64 << 20;
constexpr std::size_t kMostPoints = 1'000'000;

std::string ending(const fs::path& file) {
    std::string text = file.extension().string();
    for (char& c : text) c = asciiLower(c);
    return text;
}

bool isCsv(const fs::path& file) {
    return ending(file) == ".csv" || ending(file) == ".tsv";
}

/// The whole file as text. Throws Error(Input) for one that is larger than any curve.
std::string readCurveFile(const fs::path& file) {
    std::error_code error;
    if (const auto size = fs::file_size(file, error); !error && fs::is_regular_file(file, error) && size > kLargestFile)
        throw inputError("The file " + file.string() + " is larger than any curve.",
                         "Give the accuracies alone; 64 MB is the most that is read.");
    return readTextFile(file, FilePlace::Named, kLargestFile);
}

/// Checks what both kinds have in common: accuracies from 0 to 1 (or to 100, which are divided), images that grow.
/// `where[i]`: "line 7" or "entry 7" of point i.
void normaliseCurve(ForeignCurve& curve, const fs::path& file, const std::vector<std::string>& where) {
    const auto bad = [&](std::size_t i, const std::string& why) {
        return inputError(file.string() + " " + where[i] + ": " + why, "Nothing was imported; mend the file.");
    };
    std::vector<AnytimePoint>& points = curve.points;
    if (points.empty())
        throw inputError(file.string() + " holds no accuracy.", "Give a file with at least one evaluation.");
    if (points.size() > kMostPoints)
        throw inputError(file.string() + " holds more than a million evaluations.", "Thin them out first.");
    double largest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double accuracy = points[i].accuracy;
        if (!std::isfinite(accuracy) || accuracy < 0 || accuracy > 100)
            throw bad(i, "the accuracy is neither a fraction nor a percentage.");
        if (points[i].samples_seen <= 0) throw bad(i, "the number of images seen is not above 0.");
        if (i > 0 && points[i].samples_seen <= points[i - 1].samples_seen)
            throw bad(i, "the number of images seen does not grow (" + std::to_string(points[i].samples_seen) +
                             " after " + std::to_string(points[i - 1].samples_seen) + ").");
        largest = std::max(largest, accuracy);
    }
    for (const double accuracy : curve.session_ends) {
        if (!std::isfinite(accuracy) || accuracy < 0 || accuracy > 100)
            throw inputError("An accuracy at the end of a session in " + curve.files.back().string() +
                                 " is neither a fraction nor a percentage.",
                             "Nothing was imported; move that file away to do without it.");
        largest = std::max(largest, accuracy);
    }
    if (largest <= 1) return;
    for (AnytimePoint& point : points) point.accuracy /= 100;
    for (double& accuracy : curve.session_ends) accuracy /= 100;
}

constexpr const char* kSamples[] = {"samplesseen", "samples", "imagesseen", "images", "datacnt", "steps", "step"};
constexpr const char* kAccuracy[] = {"accuracy", "anytimeaccuracy", "testaccuracy", "testacc", "acc"};
constexpr const char* kSession[] = {"session"};
constexpr const char* kLoss[] = {"loss", "testloss"};

/// "Samples seen" and samples_seen are the same name; "accuracy (%)" is one, too.
std::string plainName(std::string_view cell) {
    std::string name;
    for (const char each : cell)
        if (const char c = asciiLower(each); c >= 'a' && c <= 'z') name += c;
    return name;
}

std::string_view trimmed(std::string_view cell) {
    constexpr std::string_view kAround = " \t\r\"";
    const std::size_t first = cell.find_first_not_of(kAround);
    if (first == std::string_view::npos) return {};
    return cell.substr(first, cell.find_last_not_of(kAround) - first + 1);
}

std::vector<std::string_view> cellsOf(std::string_view line, char between) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t end = line.find(between);
        cells.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos) return cells;
        line.remove_prefix(end + 1);
    }
}

char separatorOf(std::string_view header) {
    for (const char c : {'\t', ';'})
        if (header.find(c) != std::string_view::npos) return c;
    return ',';
}

std::optional<std::size_t> columnOf(const std::vector<std::string_view>& header, std::span<const char* const> names) {
    for (const char* name : names)
        for (std::size_t i = 0; i < header.size(); ++i)
            if (plainName(header[i]) == name) return i;
    return std::nullopt;
}

std::optional<double> numberIn(std::string_view cell, bool decimalComma) {
    std::string text(cell);
    if (decimalComma) std::replace(text.begin(), text.end(), ',', '.');
    if (text.ends_with('%')) text.pop_back();
    while (text.ends_with(' ')) text.pop_back();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Reads a table whose header names the columns, in any order: samples_seen, images or step; accuracy or acc; session
/// and loss if there are such. Between them commas, semicolons or tabs; with the latter two a comma in a number is a
/// decimal point. Accuracies above 1 are per cent.
ForeignCurve readCsvCurve(const fs::path& file) {
    const std::string text = readCurveFile(file);
    std::string_view rest = text;
    if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);  // as spreadsheets write it
    std::size_t number = 0;
    const auto nextLine = [&] {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        return line;
    };
    const std::string_view first = nextLine();
    const char between = separatorOf(first);
    const std::vector<std::string_view> header = cellsOf(first, between);
    const auto samples = columnOf(header, kSamples), accuracy = columnOf(header, kAccuracy);
    if (!samples || !accuracy)
        throw inputError(
            file.string() + " line 1: there is no column for " + (samples ? "the accuracy" : "the images seen") + ".",
            "Name the columns samples_seen and accuracy in the first line.");
    const auto session = columnOf(header, kSession), loss = columnOf(header, kLoss);
    ForeignCurve curve;
    curve.files = {file};
    std::vector<std::string> where;
    while (!rest.empty()) {
        const std::string_view line = nextLine();
        if (trimmed(line).empty()) continue;
        const std::vector<std::string_view> cells = cellsOf(line, between);
        const auto cell = [&](std::optional<std::size_t> column) -> std::optional<double> {
            if (!column || *column >= cells.size()) return std::nullopt;
            return numberIn(cells[*column], between != ',');
        };
        const std::optional<double> seen = cell(samples), share = cell(accuracy);
        if (!seen || !share || std::abs(*seen) >= 9e15)
            throw inputError(file.string() + " line " + std::to_string(number) + ": \"" + shortLine(trimmed(line)) +
                                 "\" is not a number of images and an accuracy.",
                             "Nothing was imported; mend the line or take it out.");
        AnytimePoint& point = curve.points.emplace_back();
        point.samples_seen = std::llround(*seen);
        point.accuracy = *share;
        const double home = cell(session).value_or(0);
        point.session = std::abs(home) < 1e9 ? std::max<std::int64_t>(0, std::llround(home)) : 0;
        point.loss = cell(loss).value_or(std::nan(""));
        where.push_back("line " + std::to_string(number));
    }
    normaliseCurve(curve, file, where);
    return curve;
}

constexpr const char* kRemedy =
    "Give the lists that the official code saves: seed_N_eval.npy, with seed_N_eval_time.npy beside it.";

template <class Number>
std::vector<double> numbersOf(std::string_view bytes) {
    static_assert(std::endian::native == std::endian::little);
    std::vector<double> values(bytes.size() / sizeof(Number));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Number value;
        std::memcpy(&value, bytes.data() + i * sizeof(Number), sizeof(Number));
        values[i] = static_cast<double>(value);
    }
    return values;
}

/// A plain list of numbers.
std::vector<double> readList(const fs::path& file) {
    const std::string bytes = readCurveFile(file);
    const NpyComplaint bad = [&](const std::string& why) {
        return inputError("The file " + file.string() + " " + why + ".", kRemedy);
    };
    const NpyHeader header = readNpyHeader(bytes, bad);
    const std::string& type = header.type;
    const bool known = type == "<f8" || type == "<f4" || type == "<i8" || type == "<i4";
    if (!known) throw unknownNpyType(type, bad);
    if (header.shape.size() != 1) {
        std::string shape;
        for (const std::int64_t size : header.shape) shape += (shape.empty() ? "" : " × ") + std::to_string(size);
        throw bad("is no list of numbers but has the shape (" + shape + ")");
    }
    const bool wide = type.ends_with('8');
    checkNpySize(bytes, header, wide ? 8 : 4, bad);
    const std::string_view data = std::string_view(bytes).substr(header.data);
    if (type == "<f8") return numbersOf<double>(data);
    if (type == "<f4") return numbersOf<float>(data);
    return wide ? numbersOf<std::int64_t>(data) : numbersOf<std::int32_t>(data);
}

/// Common beginning of the three files of one run: ".../seed_3".
fs::path stemOf(const fs::path& file) {
    std::string name = file.stem().string();
    for (const std::string_view ending : {"_eval_time", "_eval"}) {
        if (!name.ends_with(ending)) continue;
        name.resize(name.size() - ending.size());
        break;
    }
    return file.parent_path() / name;
}

std::optional<std::int64_t> seedOf(const fs::path& stem) {
    const std::string name = stem.filename().string();
    const std::size_t at = name.rfind("seed_");
    if (at == std::string::npos) return std::nullopt;
    std::int64_t seed = 0;
    const auto [end, error] = std::from_chars(name.data() + at + 5, name.data() + name.size(), seed);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(seed) : std::nullopt;
}

fs::path beside(fs::path stem, const char* ending) {
    return stem += ending;
}

/// Reads seed_N_eval.npy (accuracies) with seed_N_eval_time.npy (images seen) and seed_N.npy (accuracies at the ends of
/// sessions), any of which may be named; the first must be there. `every`: images between two evaluations, for a file
/// without their times; 0: not known.
ForeignCurve readNpyCurve(const fs::path& file, std::int64_t every) {
    std::error_code ignored;
    const fs::path stem = stemOf(file);
    const fs::path times = beside(stem, "_eval_time.npy"), ends = beside(stem, ".npy");
    const fs::path named = beside(stem, "_eval.npy");
    // A list whose name says nothing is taken for the accuracies.
    const bool plain = file == ends && !seedOf(stem) && !fs::exists(named, ignored);
    const fs::path accuracies = plain ? file : named;
    if (!fs::exists(accuracies, ignored))
        throw inputError("There is no " + accuracies.filename().string() + " beside " + file.string() +
                             ", which holds the accuracies.",
                         kRemedy);
    ForeignCurve curve;
    curve.seed = seedOf(stem);
    const std::vector<double> shares = readList(accuracies);
    curve.files = {accuracies};
    std::vector<double> seen;
    if (fs::exists(times, ignored)) {
        seen = readList(times);
        curve.files.push_back(times);
    } else if (every > 0) {
        for (std::size_t i = 0; i < shares.size(); ++i)
            seen.push_back(static_cast<double>(every) * static_cast<double>(i + 1));
    } else {
        throw inputError("There is no " + times.filename().string() + " beside " + accuracies.string() +
                             ", so nobody can say how many images each accuracy belongs to.",
                         "Put that file there, or say with --every how many images lie between two evaluations.");
    }
    if (seen.size() != shares.size())
        throw inputError(accuracies.string() + " holds " + std::to_string(shares.size()) + " accuracies, but " +
                             times.filename().string() + " holds " + std::to_string(seen.size()) +
                             " numbers of images.",
                         kRemedy);
    if (accuracies != ends && fs::exists(ends, ignored)) {
        curve.session_ends = readList(ends);
        curve.files.push_back(ends);
    }
    std::vector<std::string> where;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        AnytimePoint& point = curve.points.emplace_back();
        point.samples_seen = std::abs(seen[i]) < 9e15 ? std::llround(seen[i]) : 0;
        point.accuracy = shares[i];
        point.loss = std::nan("");
        where.push_back("entry " + std::to_string(i + 1));
    }
    normaliseCurve(curve, accuracies, where);
    return curve;
}

/// Throws Error(Input) that says what is wrong with the file and where.
ForeignCurve readForeignCurve(const fs::path& file, std::int64_t every) {
    if (isCsv(file)) return readCsvCurve(file);
    if (ending(file) == ".npy") return readNpyCurve(file, every);
    throw inputError(file.string() + " is neither a .csv nor a .npy file.",
                     "Give a table with columns samples_seen and accuracy, or a seed_N_eval.npy of the official code.");
}

/// "results/cifar100/misa/seed_1_eval.npy" is a run of "misa"; "l2p.csv" one of "l2p".
std::string nameOf(const fs::path& file, const ForeignCurve& curve) {
    const fs::path whole = fs::absolute(file).lexically_normal();
    const std::string name = (curve.seed ? whole.parent_path().filename() : whole.stem()).string();
    return name.empty() ? "Imported" : name;
}

/// The usual distance between evaluations.
std::int64_t periodOf(const std::vector<AnytimePoint>& points) {
    if (points.size() < 2) return points.front().samples_seen;
    std::vector<std::int64_t> steps;
    for (std::size_t i = 1; i < points.size(); ++i)
        steps.push_back(points[i].samples_seen - points[i - 1].samples_seen);
    std::nth_element(steps.begin(), steps.begin() + std::ssize(steps) / 2, steps.end());
    return steps[steps.size() / 2];
}

Json sessionStarts(const std::vector<AnytimePoint>& points) {
    Json starts = Json::array();
    starts.push_back(0);
    // An evaluation is the first that is known to belong to the next session; where that began lies before it.
    for (std::size_t i = 1; i < points.size(); ++i)
        if (points[i].session > points[i - 1].session) starts.push_back(points[i - 1].samples_seen);
    return starts;
}

void writePoints(const fs::path& folder, const std::vector<AnytimePoint>& points) {
    AppendFile file(folder / "anytime.csv", "samples_seen,session,accuracy,loss,classes_seen,updates");
    for (const AnytimePoint& point : points)
        file.row({csvCell(point.samples_seen), csvCell(point.session), csvCell(point.accuracy),
                  std::isfinite(point.loss) ? csvCell(point.loss) : std::string(), "", ""});
    file.sync();
    AppendFile sessions(folder / "sessions.csv", "after_session,session,accuracy,samples");
    sessions.sync();
    for (const AppendFile* written : {&file, &sessions})
        if (!written->failure().empty())
            throw inputError(written->failure() + ".", "Choose a folder you may write to, with space left.");
}

Json summaryOf(const ForeignCurve& curve) {
    std::vector<double> accuracies;
    for (const AnytimePoint& point : curve.points) accuracies.push_back(point.accuracy);
    Json summary;
    summary["a_auc"] = orNull(areaUnderCurve(accuracies));
    summary["a_last"] = nullptr;
    summary["f_last"] = nullptr;
    summary["a_avg"] = orNull(averageAccuracy(curve.session_ends));
    summary["a_last_overall"] = curve.session_ends.empty() ? Json(nullptr) : Json(curve.session_ends.back());
    summary["f_last_classwise"] = nullptr;
    summary["bwt_last"] = nullptr;
    summary["sessions_ended"] = curve.session_ends.size();
    return summary;
}

void writeRun(const OptionTable& table, const fs::path& folder, const Experiment& experiment,
              const ForeignCurve& curve) {
    writePoints(folder, curve.points);
    writeExperiment(table, experiment, folder / "experiment.toml", FilePlace::InFolder);
    replaceTextFile(folder / "summary.json", documentText(summaryOf(curve)), Keep::OnDisk);
    Json files = Json::array();
    for (const fs::path& file : curve.files) files.push_back(file.filename().string());
    const std::string now = utcNow();
    const Json run = {{"format", 1},
                      {"state", toText(RecordedState::Imported)},
                      {"name", experiment.name},
                      {"seed", experiment.seed},
                      {"started", now},
                      {"ended", now},
                      {"source", files},
                      {"total_samples", curve.points.back().samples_seen},
                      {"session_starts", sessionStarts(curve.points)},
                      {"error", nullptr}};
    // run.json, which makes the folder a run, comes last.
    replaceTextFile(folder / "run.json", documentText(run), Keep::OnDiskWithName);
}

}  // namespace

bool isForeignCurve(const fs::path& file) {
    return isCsv(file) || ending(file) == ".npy";
}

fs::path importRun(const OptionTable& table, const ImportRequest& request) {
    const ForeignCurve curve = readForeignCurve(request.file, request.every);
    Experiment experiment = table.defaults();
    experiment.name = plainLine(request.name.empty() ? nameOf(request.file, curve) : request.name);
    // What the file says may be more than an experiment allows, which could not be read back then.
    const auto assign = [&](const char* key, std::int64_t value) {
        try {
            table.set(experiment, *table.find(key), value);
        } catch (const Error&) {
            // The default stands.
        }
    };
    assign("seed", curve.seed.value_or(1));
    assign("evaluation.every_samples", periodOf(curve.points));
    if (!curve.session_ends.empty()) assign("stream.sessions", std::ssize(curve.session_ends));
    if (request.seed) table.set(experiment, *table.find("seed"), *request.seed);
    const fs::path folder = makeRunFolder(request.out, experiment.name, experiment.seed, "imported");
    try {
        writeRun(table, folder, experiment, curve);
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        throw;
    }
    return folder;
}

}  // namespace palimpsest
