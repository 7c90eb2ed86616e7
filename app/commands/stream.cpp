// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>

#include "app/commands/commands.h"
#include "datasets/formats/idx.h"
#include "engine/config/experiment_file.h"
#include "engine/inputs/experiment_choices.h"
#include "engine/stream/experiment_stream.h"
#include "engine/stream/index_list.h"
#include "engine/stream/stream_export.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

/// Refuses an empty value: an unset variable of a script must not pass for "not given".
std::string notEmpty(const std::string& text) {
    return text.empty() ? "The value is empty" : "";
}

struct StreamArguments {
    ExperimentArguments experiment;
    std::string labels;
    // Kept as typed, so that our own messages explain mistakes. Empty: not given.
    std::string classes;
    std::string sessions;
    std::string disjoint;
    std::string blurry;
    std::string seed;
    std::string partition;
    std::string sampler;
    std::string index_list;
    std::string edits;
    std::string compare;
    std::string format;
    std::string out;
    bool statistics = false;
};

constexpr std::int64_t kMostClasses = 10'000'000;

/// A stream with the data it was made for.
struct Stream {
    std::string data;
    std::vector<std::int32_t> labels;
    std::optional<std::vector<std::int32_t>> test_labels;
    std::vector<std::string> class_names;
    StreamPlan plan;
    std::optional<Experiment> experiment;  ///< absent for a label file
};

template <class Number>
Number wholeNumber(const char* flag, const std::string& text, Number low, Number high) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < low || number > high) {
        throw inputError(std::string(flag) + " is \"" + text + "\", but must be a whole number from " +
                         std::to_string(low) + " to " + std::to_string(high) + ".");
    }
    return number;
}

bool isBinary(std::string_view content) {
    return content.starts_with("\x1f\x8b") || content.starts_with(std::string_view("\0\0", 2));
}

std::string_view trimmedLine(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// Checks a label. `place`: "line" or "label", which count from 1.
void requireClass(const std::filesystem::path& file, const char* place, std::int64_t number, std::int32_t label,
                  std::optional<std::int64_t> classes) {
    if (!classes || label < *classes) return;
    throw inputError(file.string() + ", " + place + " " + std::to_string(number) + ": there is no class " +
                         std::to_string(label) + " among " + std::to_string(*classes) +
                         (*classes == 1 ? " class" : " classes") + ", which count from 0.",
                     "Correct the label or --classes.");
}

/// Reads labels, one whole number a line, or an IDX label file, gzipped or not; the content decides. Throws
/// Error(Input), which names the line, also for a label beyond the number of classes if that is given.
std::vector<std::int32_t> readLabelFile(const std::filesystem::path& file, std::optional<std::int64_t> classes) {
    const std::string content = readTextFile(file);
    if (isBinary(content)) {
        const std::vector<std::uint8_t> bytes = readIdxLabels(file);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            requireClass(file, "label", static_cast<std::int64_t>(i) + 1, bytes[i], classes);
        return {bytes.begin(), bytes.end()};
    }
    std::vector<std::int32_t> labels;
    std::size_t from = 0;
    for (std::int64_t number = 1; from < content.size(); ++number) {
        const std::size_t end = std::min(content.find('\n', from), content.size());
        const std::string_view line = trimmedLine(std::string_view(content).substr(from, end - from));
        from = end + 1;
        if (line.empty()) continue;
        std::int32_t label = 0;
        const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), label);
        if (error != std::errc() || stop != line.data() + line.size() || label < 0) {
            throw inputError(file.string() + ", line " + std::to_string(number) + ": \"" +
                                 std::string(line.substr(0, 40)) + "\" is not a label.",
                             "Write one whole number from 0 on a line, or give an IDX label file.");
        }
        requireClass(file, "line", number, label, classes);
        labels.push_back(label);
    }
    if (labels.empty()) throw inputError(file.string() + " holds no labels.", "Write one whole number on a line.");
    return labels;
}

/// Sets an option from a flag; an error names the flag, not the option's key.
void setOption(const OptionTable& table, Experiment& experiment, const char* flag, const std::string& key,
               const std::string& text) {
    if (text.empty()) return;
    try {
        table.setText(experiment, key, text);
    } catch (const Error& error) {
        std::string sentence = error.what();
        if (sentence.starts_with(key)) sentence.replace(0, key.size(), flag);
        throw inputError(sentence, error.hint());
    }
}

/// Refuses options that the partition would silently ignore.
void checkIdle(const StreamArguments& given, const OptionTable& table, const std::string& partition) {
    Experiment experiment = table.defaults();
    experiment.stream.partition = partition;
    const auto check = [&](const std::string& text, const char* flag, const char* key) {
        const std::string reason = table.idleReason(experiment, *table.find(key));
        if (!text.empty() && !reason.empty()) throw inputError(std::string(flag) + " has no effect here.", reason);
    };
    check(given.sessions, "--sessions", "stream.sessions");
    check(given.disjoint, "--disjoint", "stream.disjoint_percent");
    check(given.blurry, "--blurry", "stream.blurry_percent");
    check(given.sampler, "--sampler", "stream.sampler");
    check(given.index_list, "--index-list", "stream.index_list");
    if (!given.seed.empty() && partition == "imported")
        throw inputError("--seed has no effect here.",
                         "The imported list already says which image comes in which session.");
}

/// The experiment's settings, changed by the other arguments.
Experiment changed(const StreamArguments& given, const OptionTable& table, Experiment experiment) {
    StreamOptions& stream = experiment.stream;
    if (!given.partition.empty())
        setOption(table, experiment, "--partition", "stream.partition", given.partition);
    else if (!given.index_list.empty())
        stream.partition = "imported";
    checkIdle(given, table, stream.partition);
    setOption(table, experiment, "--sampler", "stream.sampler", given.sampler);
    setOption(table, experiment, "--index-list", "stream.index_list", given.index_list);
    setOption(table, experiment, "--edits", "stream.edits", given.edits);
    setOption(table, experiment, "--sessions", "stream.sessions", given.sessions);
    setOption(table, experiment, "--disjoint", "stream.disjoint_percent", given.disjoint);
    setOption(table, experiment, "--blurry", "stream.blurry_percent", given.blurry);
    return experiment;
}

StreamPlan plannedFor(const StreamArguments& given, const Experiment& experiment, std::span<const std::int32_t> labels,
                      std::int64_t classes) {
    StreamSettings settings = streamSettings(experiment, classes);
    // The range is wider than the option's, whose seeds are also used by other generators.
    if (!given.seed.empty())
        settings.seed = wholeNumber<std::uint64_t>("--seed", given.seed, 0, std::numeric_limits<std::uint64_t>::max());
    return planExperimentStream(experiment, labels, settings);
}

std::string dataOf(const StreamOptions& stream) {
    return stream.dataset + (stream.root.empty() ? "" : " in " + stream.root);
}

Stream streamOf(const Experiment& experiment) {
    const auto data = experimentLabels(experiment);
    Stream stream{dataOf(experiment.stream), data->train, data->test, data->class_names, {}, experiment};
    return stream;
}

Stream streamOf(const StreamArguments& given, const OptionTable& table) {
    const bool fromLabels = !given.labels.empty();
    if (!fromLabels && given.experiment.experiment.empty()) {
        throw inputError("stream needs either an experiment or --labels FILE.",
                         "`palimpsest-cli stream --help` shows both.");
    }
    if (fromLabels && !given.experiment.experiment.empty()) {
        throw inputError("Both the experiment " + given.experiment.experiment + " and --labels are given.",
                         "Leave one of them out: labels come from the experiment's data set or from the file.");
    }
    std::optional<std::int64_t> askedClasses;
    if (!given.classes.empty()) askedClasses = wholeNumber<std::int64_t>("--classes", given.classes, 1, kMostClasses);
    Stream stream;
    Experiment experiment = table.defaults();
    if (!fromLabels) {
        experiment = changed(given, table, given.experiment.resolve(table));
        stream = streamOf(experiment);
    } else {
        if (!given.experiment.settings.empty()) {
            throw inputError("--set belongs to an experiment, not to --labels.",
                             "Use --sessions, --disjoint, --blurry and --seed.");
        }
        experiment = changed(given, table, experiment);
        stream.labels = readLabelFile(given.labels, askedClasses);
    }
    const auto named = static_cast<std::int64_t>(stream.class_names.size());
    const std::int64_t classes = askedClasses.value_or(
        named > 0 ? named : std::int64_t{*std::max_element(stream.labels.begin(), stream.labels.end())} + 1);
    stream.plan = plannedFor(given, experiment, stream.labels, classes);
    return stream;
}

/// The other stream of a comparison: an index list over the same labels, or an experiment with its own.
Stream otherStream(const std::string& name, const Stream& first, const OptionTable& table) {
    if (name.ends_with(".json")) {
        Stream second{first.data, first.labels, first.test_labels, first.class_names, {}, {}};
        second.plan = importStream(readIndexList(name), second.labels, first.plan.settings);
        return second;
    }
    const Experiment experiment = loadExperiment(table, name);
    Stream second = streamOf(experiment);
    second.plan = planExperimentStream(experiment, second.labels, static_cast<std::int64_t>(second.class_names.size()));
    return second;
}

std::string comparisonOf(const StreamArguments& given, const Stream& first, StreamFormat format,
                         const OptionTable& table) {
    if (format == StreamFormat::Csv)
        throw inputError("A comparison is written as text or JSON, not as CSV.", "Use --format text or json.");
    if (given.statistics)
        throw inputError("--statistics belongs to one stream, not to a comparison.", "Leave one of them out.");
    const Stream second = otherStream(given.compare, first, table);
    // A label file has no name, so only its labels tell if the data are the same.
    const std::string& data = first.data.empty() ? second.data : first.data;
    const StreamComparison comparison =
        compareStreams({data, first.labels, first.plan}, {second.data, second.labels, second.plan});
    return format == StreamFormat::Text ? formatComparisonText(comparison, first.class_names)
                                        : formatComparisonJson(comparison, first.class_names);
}

StreamFormat formatOf(const StreamArguments& given) {
    if (given.format.empty()) return streamFormatOf(given.out);
    if (given.format == "text") return StreamFormat::Text;
    if (given.format == "csv") return StreamFormat::Csv;
    if (given.format == "json") return StreamFormat::Json;
    throw inputError("A stream cannot be written as \"" + given.format + "\".", "Use --format json, text or csv.");
}

std::vector<std::string> warningsOf(const Stream& stream) {
    std::optional<std::span<const std::int32_t>> test;
    if (stream.test_labels) test = *stream.test_labels;
    return stream.experiment
               ? lintExperimentStream(*stream.experiment, stream.plan, stream.labels, test, stream.class_names)
               : lintStream(stream.plan, stream.labels, test, stream.class_names);
}

int streamCommand(const StreamArguments& given, const OptionTable& table) {
    const StreamFormat format = formatOf(given);
    const Stream stream = streamOf(given, table);
    if (given.statistics && format == StreamFormat::Csv)
        throw inputError("CSV holds a line a sample and no statistics.", "Use --format text or json.");
    const std::string text =
        given.compare.empty()
            ? formatStream({stream.plan, stream.labels, stream.class_names, warningsOf(stream), given.statistics},
                           format)
            : comparisonOf(given, stream, format, table);
    if (given.out.empty()) {
        std::cout << text << std::flush;
        return 0;
    }
    replaceTextFile(given.out, text, Keep::OnDiskWithName);
    std::cout << "Written: " << given.out << " (" << counted(stream.plan.totalSamples(), "sample", "samples") << " in "
              << counted(std::ssize(stream.plan.sessions), "session", "sessions") << ", fingerprint "
              << stream.plan.fingerprint() << ")\n";
    return 0;
}

}  // namespace

void addStream(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<StreamArguments>();
    CLI::App* command = app.add_subcommand("stream", "Show which samples come in which session");
    given->experiment.addTo(*command);
    command
        ->add_option("--labels", given->labels,
                     "Labels instead of an experiment: a number a line, or IDX, gzipped or not")
        ->type_name("FILE");
    command->add_option("--classes", given->classes, "Length of the class list [largest label + 1]")->type_name("C");
    command->add_option("--sessions", given->sessions, "Sessions [5]")->type_name("T");
    command
        ->add_option("--disjoint", given->disjoint, "Per cent of disjoint classes [50]; above 100: in numbered order")
        ->type_name("N");
    command
        ->add_option("--blurry", given->blurry, "Per cent of blurry samples [10]; above 100: one new class a session")
        ->type_name("M");
    command->add_option("--seed", given->seed, "Seed [1]")->type_name("S");
    command
        ->add_option("--partition", given->partition,
                     "stochastic, uniform, ordered, one-class or imported [stochastic]")
        ->type_name("KIND");
    command->add_option("--sampler", given->sampler, "current or older, which leaves out classes [current]")
        ->type_name("WHICH");
    command
        ->add_option("--index-list", given->index_list,
                     "JSON file with the sessions of an imported stream, as this command writes it")
        ->type_name("FILE");
    command
        ->add_option("--edits", given->edits,
                     "Take classes to other sessions: \"class 3 to session 2; class 5 from session 1 to session 4\"")
        ->type_name("LIST");
    command
        ->add_option("--compare", given->compare,
                     "Compare with another stream: an experiment, a run folder, a preset or an index list (.json)")
        ->type_name("OTHER");
    command->add_flag("--statistics", given->statistics, "Add how even the classes are and when each comes");
    command
        ->add_option("--format", given->format,
                     "json, text, or csv with a line a sample [json, or what the ending of --out says]")
        ->type_name("FORMAT");
    command->add_option("--out", given->out, "Write to a file")->type_name("FILE");
    for (const char* flag : {"--labels", "--classes", "--sessions", "--disjoint", "--blurry", "--seed", "--partition",
                             "--sampler", "--index-list", "--edits", "--compare", "--format", "--out"})
        command->get_option(flag)->check(notEmpty);
    command->add_flag_callback(
        "--json", [given] { given->format = "json"; }, "The same as --format json");
    command->footer(
        "With an experiment, --sessions and the others change its settings for this once; with --compare, those of the "
        "first stream alone: `stream default --seed 2 --compare default` shows what another seed does.");
    shell.onChosen(*command, [&shell, given] { return streamCommand(*given, shell.table()); });
}

}  // namespace palimpsest
