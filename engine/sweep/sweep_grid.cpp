// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_grid.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/config/toml_values.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace {

/// True for what only an experiment has: otherwise each of its keys would be called unknown.
bool isExperiment(const OptionTable& table, const toml::table& file) {
    for (const char* key : {"seeds", "base", "set", "row", "vary"})
        if (file.contains(key)) return false;
    return file.contains("name") || std::ranges::any_of(table.options(), [&](const Option& option) {
               // Both have an initial session.
               return option.section() != "initial_session" && !option.section().empty() &&
                      file[option.section()].is_table();
           });
}

std::uint32_t lineOf(const toml::key& key) {
    return key.source().begin.line;
}

/// Reads one parsed file into a grid and gathers every problem instead of stopping at the first.
class GridReader {
public:
    GridReader(const OptionTable& table, std::span<const std::string> metrics, std::vector<TomlProblem>& problems)
        : table_(table), metrics_(metrics), problems_(problems), scratch_(table.defaults()) {}

    SweepGrid read(const toml::table& file) {
        static const std::vector<std::string> kKeys = {
            "title", "base", "seeds", "metrics", "published_in", "set", "initial_session", "row", "vary"};
        for (const auto& [key, node] : file) {
            const std::string name(key.str());
            const std::uint32_t line = lineOf(key);
            if (name == "title")
                readText(name, node, line, grid_.title);
            else if (name == "base")
                readText(name, node, line, grid_.base);
            else if (name == "seeds")
                readSeeds(node, line);
            else if (name == "metrics")
                readMetrics(node, line);
            else if (name == "published_in")
                readText(name, node, line, grid_.published_in);
            else if (name == "set")
                readSettings(name, node, line, "", grid_.settings);
            else if (name == "initial_session")
                readSessions(node, line);
            else if (name == "row")
                readRows(node, line);
            else if (name == "vary")
                readAxes(node, line);
            else
                problem(line, "unknown key " + name + didYouMean(nearestWord(name, kKeys)));
        }
        if (!file.contains("seeds")) problem(1, "there is no list of seeds, such as seeds = [1, 2, 3, 4, 5]");
        if (grid_.metrics.empty() && !file.contains("metrics"))
            grid_.metrics = {"a_auc", "a_last_overall", "f_last_classwise", "a_last", "f_last"};
        requireOnePlaceEach();
        requireKnownNames();
        return std::move(grid_);
    }

private:
    void problem(std::uint32_t line, std::string sentence) { addProblem(problems_, line, std::move(sentence)); }

    void readText(const std::string& name, const toml::node& node, std::uint32_t line, std::string& text) {
        const auto* given = node.as_string();
        if (!given || given->get().find_first_not_of(' ') == std::string::npos || !isPlainLine(given->get())) {
            problem(line, name + " must be a line of text");
            return;
        }
        text = given->get();
    }

    /// Null, and a problem, when it is not a list with something in it.
    const toml::array* filledList(const std::string& name, const toml::node& node, std::uint32_t line,
                                  const std::string& example) {
        const toml::array* list = node.as_array();
        if (list && !list->empty()) return list;
        problem(line, name + " must be a list with at least one entry, such as " + example);
        return nullptr;
    }

    /// False, and a problem, for a list that is longer than any that can be run: each entry is compared with all
    /// others.
    bool fits(const toml::array& list, const std::string& what, std::uint32_t line) {
        if (list.size() <= static_cast<std::size_t>(kMostSweepRuns)) return true;
        problem(line, "there are more than " + grouped(kMostSweepRuns) + " " + what);
        return false;
    }

    void readSeeds(const toml::node& node, std::uint32_t line) {
        const toml::array* list = filledList("seeds", node, line, "[1, 2, 3]");
        if (!list || !fits(*list, "seeds", line)) return;
        for (const toml::node& entry : *list) {
            const std::optional<OptionValue> value = optionValue(entry);
            if (!value) {
                problem(line, "seeds must be whole numbers");
                continue;
            }
            try {
                table_.set(scratch_, *table_.find("seed"), *value);
            } catch (const Error& error) {
                problem(line, "seeds: " + withoutStop(error.sentence()));
                continue;
            }
            const std::int64_t seed = std::get<std::int64_t>(*value);
            if (std::find(grid_.seeds.begin(), grid_.seeds.end(), seed) != grid_.seeds.end())
                problem(line, "seeds holds " + std::to_string(seed) + " twice");
            grid_.seeds.push_back(seed);
        }
    }

    void readMetrics(const toml::node& node, std::uint32_t line) {
        const toml::array* list = filledList("metrics", node, line, "[\"a_auc\"]");
        if (!list) return;
        for (const toml::node& entry : *list) {
            const std::string name = entry.value_or(std::string());
            if (std::find(metrics_.begin(), metrics_.end(), name) == metrics_.end()) {
                std::string known;
                for (const std::string& metric : metrics_) known += (known.empty() ? "" : ", ") + metric;
                const std::string near = nearestWord(name, metrics_);
                problem(line, "metrics: there is no number \"" + name + "\"" + didYouMean(near) +
                                  (near.empty() ? "; there are " + known : ""));
            } else if (std::find(grid_.metrics.begin(), grid_.metrics.end(), name) != grid_.metrics.end()) {
                problem(line, "metrics holds " + name + " twice");
            } else {
                grid_.metrics.push_back(name);
            }
        }
    }

    void readSessions(const toml::node& node, std::uint32_t line) {
        static const std::vector<std::string> kKeys = {"name", "seed", "set"};
        const auto* list = node.as_array();
        if (!list || !std::all_of(list->begin(), list->end(), [](const toml::node& one) { return one.is_table(); })) {
            problem(line, "an initial session is written [[initial_session]]");
            return;
        }
        if (!fits(*list, "initial sessions", line)) return;
        for (const toml::node& one : *list) {
            const toml::table& table = *one.as_table();
            const std::uint32_t begin = table.source().begin.line;
            SweepSession session;
            if (const toml::node* name = table.get("name"))
                readText("the name of an initial session", *name, begin, session.name);
            else
                problem(begin, "an initial session has no name");
            const std::string where = "initial session \"" + session.name + "\": ";
            for (const auto& [key, value] : table) {
                const std::string name(key.str());
                if (name == "set") {
                    readSettings(name, value, lineOf(key), where, session.settings);
                } else if (name == "seed") {
                    if (accepts(*table_.find("seed"), value, lineOf(key), where)) session.seed = scratch_.seed;
                } else if (name != "name") {
                    problem(lineOf(key), where + "unknown key " + name + didYouMean(nearestWord(name, kKeys)));
                }
            }
            if (!session.name.empty() && sessionNamed(session.name))
                problem(begin, "two initial sessions are called \"" + session.name + "\"");
            grid_.sessions.push_back(std::move(session));
        }
    }

    bool sessionNamed(const std::string& name) const {
        return std::any_of(grid_.sessions.begin(), grid_.sessions.end(),
                           [&](const SweepSession& session) { return session.name == name; });
    }

    /// A mean, or a mean and a deviation, in per cent.
    void readPublished(const toml::node& node, std::uint32_t line, const std::string& where,
                       std::vector<PublishedNumber>& published) {
        const auto* table = node.as_table();
        if (!table) {
            problem(line, where + "published must be a table such as { a_auc = [80.55, 2.17] }");
            return;
        }
        for (const auto& [key, value] : *table) {
            PublishedNumber number{std::string(key.str())};
            if (std::find(metrics_.begin(), metrics_.end(), number.metric) == metrics_.end()) {
                problem(lineOf(key), where + "published: there is no number \"" + number.metric + "\"" +
                                         didYouMean(nearestWord(number.metric, {metrics_.begin(), metrics_.end()})));
                continue;
            }
            std::vector<double> numbers;
            if (const auto alone = value.value<double>()) numbers = {*alone};
            if (const auto* pair = value.as_array())
                for (const toml::node& entry : *pair)
                    if (const auto one = entry.value<double>()) numbers.push_back(*one);
            const bool whole = !value.is_array() || value.as_array()->size() == numbers.size();
            if (!whole || numbers.empty() || numbers.size() > 2) {
                problem(lineOf(key),
                        where + "published: " + number.metric +
                            " must be a mean in per cent, or a mean and a deviation such as [80.55, 2.17]");
                continue;
            }
            number.mean = numbers[0] / 100;
            if (numbers.size() == 2) number.deviation = numbers[1] / 100;
            published.push_back(std::move(number));
        }
    }

    void readRows(const toml::node& node, std::uint32_t line) {
        const toml::array* list = node.as_array();
        if (!list || !std::all_of(list->begin(), list->end(), [](const toml::node& row) { return row.is_table(); })) {
            problem(line, "a row is written [[row]]");
            return;
        }
        if (!fits(*list, "rows", line)) return;
        for (const toml::node& row : *list) readRow(*row.as_table());
    }

    void readRow(const toml::table& table) {
        static const std::vector<std::string> kKeys = {"name", "set", "initial_session", "baseline", "published"};
        const std::uint32_t begin = table.source().begin.line;
        SweepRow row;
        if (const toml::node* name = table.get("name"))
            readText("the name of a row", *name, begin, row.name);
        else
            problem(begin, "a row has no name");
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            if (name == "set")
                readSettings(name, node, lineOf(key), rowNamed(row.name), row.settings);
            else if (name == "initial_session")
                readText(rowNamed(row.name) + name, node, lineOf(key), row.initial_session);
            else if (name == "baseline")
                readText(rowNamed(row.name) + name, node, lineOf(key), row.baseline);
            else if (name == "published")
                readPublished(node, lineOf(key), rowNamed(row.name), row.published);
            else if (name != "name")
                problem(lineOf(key), rowNamed(row.name) + "unknown key " + name + didYouMean(nearestWord(name, kKeys)));
        }
        const bool known = std::any_of(grid_.rows.begin(), grid_.rows.end(),
                                       [&](const SweepRow& other) { return other.name == row.name; });
        if (known && !row.name.empty()) problem(begin, "two rows are called \"" + row.name + "\"");
        row_lines_.push_back(begin);
        grid_.rows.push_back(std::move(row));
    }

    static std::string rowNamed(const std::string& name) { return "row \"" + name + "\": "; }

    void readSettings(const std::string& name, const toml::node& node, std::uint32_t line, const std::string& where,
                      std::vector<SweepSetting>& settings) {
        const toml::table* table = node.as_table();
        if (!table) {
            problem(line, where + name + " must be a table of options");
            return;
        }
        std::set<std::string> met;
        for (const auto& [key, value, place] : optionsOf(*table)) {
            requireOnce(met, key, place.line, where);
            const Option* option = knownOption(key, place.line, where);
            if (option && accepts(*option, *value, place.line, where)) settings.push_back({key, *optionValue(*value)});
        }
    }

    void readAxes(const toml::node& node, std::uint32_t line) {
        const toml::table* table = node.as_table();
        if (!table) {
            problem(line, "vary must be a table of options with a list of values each");
            return;
        }
        std::set<std::string> met;
        for (const auto& [key, values, place] : optionsOf(*table)) {
            const std::uint32_t at = place.line;
            requireOnce(met, key, at, "vary: ");
            const Option* option = knownOption(key, at, "vary: ");
            const toml::array* list = option ? filledList("vary: " + key, *values, at, "[1, 32, 64]") : nullptr;
            if (!list) continue;
            SweepAxis axis{key, {}};
            std::set<std::string> known;
            for (const toml::node& value : *list) {
                if (!accepts(*option, value, at, "vary: ")) continue;
                axis.values.push_back(*optionValue(value));
                const std::string text = table_.text(scratch_, *option);
                if (!known.insert(text).second) problem(at, "vary: " + key + " holds " + text + " twice");
            }
            axis_lines_.push_back(at);
            grid_.axes.push_back(std::move(axis));
        }
    }

    /// TOML refuses a key that stands twice in the same form, but not in the two forms that gather() takes for one.
    void requireOnce(std::set<std::string>& met, const std::string& key, std::uint32_t line, const std::string& where) {
        if (!met.insert(key).second) problem(line, where + key + " is given twice");
    }

    struct Entry {
        std::string key;
        const toml::node* node = nullptr;
        toml::source_position place;
    };

    /// `"stream.sessions" = 3` and `stream.sessions = 3` mean the same, though not in TOML.
    static void gather(const toml::table& table, const std::string& before, std::vector<Entry>& entries) {
        for (const auto& [key, node] : table) {
            const std::string name = before + std::string(key.str());
            if (const toml::table* inner = node.as_table())
                gather(*inner, name + ".", entries);
            else
                entries.push_back({name, &node, key.source().begin});
        }
    }

    /// Options of a table in the order of the file; TOML's tables have none.
    static std::vector<Entry> optionsOf(const toml::table& table) {
        std::vector<Entry> entries;
        gather(table, "", entries);
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
        });
        return entries;
    }

    const Option* knownOption(const std::string& key, std::uint32_t line, const std::string& where) {
        if (key == "seed" || key == "name") {
            problem(line, where + (key == "seed" ? "seed stands in the list seeds" : "name is that of the row"));
            return nullptr;
        }
        const Option* option = table_.find(key);
        if (!option) problem(line, where + "unknown option " + key + didYouMean(table_.nearest(key)));
        return option;
    }

    bool accepts(const Option& option, const toml::node& node, std::uint32_t line, const std::string& where) {
        const std::optional<OptionValue> value = optionValue(node);
        if (!value) {
            problem(line, where + option.key + " must be a single value, not a list, a table or a date");
            return false;
        }
        try {
            table_.set(scratch_, option, *value);
        } catch (const Error& error) {
            problem(line, where + withoutStop(error.sentence()));
            return false;
        }
        return true;
    }

    /// A value that another one silently replaces is a mistake.
    void requireOnePlaceEach() {
        const auto holds = [](const std::vector<SweepSetting>& settings, const std::string& key) {
            return std::any_of(settings.begin(), settings.end(),
                               [&](const SweepSetting& setting) { return setting.key == key; });
        };
        for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
            const std::string& key = grid_.axes[i].key;
            if (holds(grid_.settings, key)) problem(axis_lines_[i], key + " stands in [vary] and in [set]");
            for (const SweepRow& row : grid_.rows)
                if (holds(row.settings, key))
                    problem(axis_lines_[i], key + " stands in [vary] and in row \"" + row.name + "\"");
        }
    }

    /// Rows may name initial sessions and rows that stand anywhere in the file.
    void requireKnownNames() {
        std::vector<std::string> sessions, rows;
        for (const SweepSession& session : grid_.sessions) sessions.push_back(session.name);
        for (const SweepRow& row : grid_.rows) rows.push_back(row.name);
        for (std::size_t i = 0; i < grid_.rows.size(); ++i) {
            const SweepRow& row = grid_.rows[i];
            const auto require = [&](const std::string& name, const std::vector<std::string>& known,
                                     const std::string& what) {
                if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
                constexpr std::size_t kMostCompared = 200;
                const std::string near = known.size() <= kMostCompared ? nearestWord(name, known) : std::string();
                problem(row_lines_[i],
                        rowNamed(row.name) + "there is no " + what + " \"" + name + "\"" + didYouMean(near));
            };
            require(row.initial_session, sessions, "initial session");
            require(row.baseline, rows, "row");
            const auto sets = [&](const std::vector<SweepSetting>& settings) {
                return std::any_of(settings.begin(), settings.end(), [](const SweepSetting& setting) {
                    return setting.key == "initial_session.prompts";
                });
            };
            if (!row.initial_session.empty() && sets(row.settings))
                problem(row_lines_[i],
                        rowNamed(row.name) + "its initial session already says what initial_session.prompts is");
            for (const PublishedNumber& number : row.published)
                if (std::find(grid_.metrics.begin(), grid_.metrics.end(), number.metric) == grid_.metrics.end())
                    problem(row_lines_[i],
                            rowNamed(row.name) + "published has " + number.metric + ", which is not among metrics");
            if (!row.published.empty() && !grid_.axes.empty())
                problem(row_lines_[i],
                        rowNamed(row.name) + "published numbers are of one line, but [vary] makes several of the row");
        }
    }

    const OptionTable& table_;
    const std::span<const std::string> metrics_;
    std::vector<TomlProblem>& problems_;
    Experiment scratch_;
    SweepGrid grid_;
    std::vector<std::uint32_t> axis_lines_, row_lines_;
};

using GridFacts = std::vector<std::pair<std::string, std::string>>;

/// Texts of the entries with commas between them.
template <class List, class Text>
std::string commaList(const List& list, const Text& text) {
    std::string all;
    for (const auto& entry : list) all += (all.empty() ? "" : ", ") + text(entry);
    return all;
}

/// Everything that a grid says, in its order: name and value.
GridFacts factsOf(const SweepGrid& grid) {
    const auto same = [](const std::string& text) { return text; };
    GridFacts facts = {{"title", grid.title},
                       {"base", grid.base},
                       {"seeds", commaList(grid.seeds, [](std::int64_t seed) { return std::to_string(seed); })},
                       {"metrics", commaList(grid.metrics, same)}};
    for (const SweepSetting& setting : grid.settings) facts.emplace_back("set, " + setting.key, toText(setting.value));
    facts.emplace_back("rows", commaList(grid.rows, [](const SweepRow& row) { return row.name; }));
    for (const SweepRow& row : grid.rows) {
        const std::string which = "row \"" + row.name + "\", ";
        if (!row.initial_session.empty()) facts.emplace_back(which + "initial_session", row.initial_session);
        for (const SweepSetting& setting : row.settings) facts.emplace_back(which + setting.key, toText(setting.value));
    }
    for (const SweepSession& session : grid.sessions) {
        const std::string which = "initial session \"" + session.name + "\", ";
        facts.emplace_back(which + "seed", std::to_string(session.seed));
        for (const SweepSetting& setting : session.settings)
            facts.emplace_back(which + setting.key, toText(setting.value));
    }
    for (const SweepAxis& axis : grid.axes)
        facts.emplace_back("vary, " + axis.key, commaList(axis.values, [](const OptionValue& v) { return toText(v); }));
    return facts;
}

std::string valueOf(const GridFacts& facts, const std::string& what) {
    const auto found = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == what; });
    return found == facts.end() || found->second.empty() ? "nothing" : found->second;
}

}  // namespace

SweepGrid parseSweepGrid(const OptionTable& table, std::string_view toml, const std::string& origin,
                         std::span<const std::string> metrics) {
    const toml::table file = parsedToml(toml, origin);
    if (isExperiment(table, file))
        throw inputError(origin + " is an experiment, not a grid of runs.",
                         "`palimpsest-cli run` runs it once; a grid names it as its base.");
    std::vector<TomlProblem> problems;
    SweepGrid grid;
    try {
        grid = GridReader(table, metrics, problems).read(file);
    } catch (const TooManyProblems&) {
        // The first ones are said.
    }
    throwProblems(origin, std::move(problems),
                  "The guide's page on sweeps shows a grid; `palimpsest-cli options` lists every option.");
    return grid;
}

namespace fs = std::filesystem;

std::string sweepDifference(const SweepGrid& there, const SweepGrid& here) {
    const GridFacts old = factsOf(there);
    const GridFacts now = factsOf(here);
    for (const GridFacts* facts : {&old, &now}) {
        for (const auto& [what, value] : *facts) {
            const std::string before = valueOf(old, what);
            const std::string after = valueOf(now, what);
            if (before != after) return what + ": " + before + " there, " + after + " here";
        }
    }
    return {};
}

std::string SweepAddition::text() const {
    constexpr std::size_t kMostNamed = 5;
    const auto part = [](const char* one, const char* several, const std::vector<std::string>& names) {
        if (names.size() == 1) return one + (" " + names.front());
        if (names.size() > kMostNamed) return counted(std::ssize(names), one, several);
        return several + (" " + enumeration(names));
    };
    std::vector<std::string> parts, words;
    for (const std::int64_t seed : seeds) words.push_back(std::to_string(seed));
    if (!words.empty()) parts.push_back(part("seed", "seeds", words));
    words.clear();
    for (const std::string& row : rows) words.push_back('"' + row + '"');
    if (!words.empty()) parts.push_back(part("row", "rows", words));
    return enumeration(parts);
}

std::optional<SweepAddition> sweepAddition(const SweepGrid& there, const SweepGrid& here) {
    SweepAddition added;
    SweepGrid common = here;
    const std::set<std::int64_t> seeds(there.seeds.begin(), there.seeds.end());
    std::erase_if(common.seeds, [&](std::int64_t seed) {
        const bool more = !seeds.contains(seed);
        if (more) added.seeds.push_back(seed);
        return more;
    });
    const auto namesOf = [](const auto& list) {
        std::set<std::string> names;
        for (const auto& one : list) names.insert(one.name);
        return names;
    };
    // Without rows the base itself is the only one, under its own name.
    if (!there.rows.empty())
        std::erase_if(common.rows, [&, rows = namesOf(there.rows)](const SweepRow& row) {
            const bool more = !rows.contains(row.name);
            if (more) added.rows.push_back(row.name);
            return more;
        });
    std::erase_if(common.sessions, [sessions = namesOf(there.sessions)](const SweepSession& session) {
        return !sessions.contains(session.name);
    });
    if ((added.seeds.empty() && added.rows.empty()) || !sweepDifference(there, common).empty()) return std::nullopt;
    return added;
}

std::string withMoreSeeds(std::string_view toml, const std::string& origin, std::span<const std::int64_t> seeds) {
    const toml::table file = parsedToml(toml, origin);
    const toml::array* list = file["seeds"].as_array();
    if (!list) throw inputError(origin + " has no list of seeds.", "Write one, such as seeds = [1, 2, 3].");
    std::set<std::int64_t> known;
    for (const toml::node& seed : *list) known.insert(seed.value_or(std::int64_t{-1}));
    std::string more;
    for (const std::int64_t seed : seeds)
        if (known.insert(seed).second) more += (known.size() > 1 ? ", " : "") + std::to_string(seed);
    if (more.empty()) return std::string(toml);
    // Behind the last seed; a comma may stand behind it already.
    const toml::source_position at = list->empty() ? list->source().begin : list->back().source().end;
    std::size_t place = 0;
    for (std::uint32_t line = 1; line < at.line; ++line) place = toml.find('\n', place) + 1;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (at.line == 1 && toml.starts_with(kByteOrderMark)) place += kByteOrderMark.size();
    place += at.column - (list->empty() ? 0 : 1);
    return std::string(toml.substr(0, place)) + more + std::string(toml.substr(place));
}

std::vector<std::string> sweepNames() {
    std::vector<std::string> names;
    std::error_code ignored;
    const fs::path folder = resourceFolder() / "sweeps";
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, ignored))
        if (entry.path().extension() == ".toml")
            names.push_back(entry.path().lexically_relative(folder).replace_extension().generic_string());
    std::sort(names.begin(), names.end());
    return names;
}

fs::path findSweepGrid(const std::string& fileOrName) {
    std::error_code ignored;
    if (fs::is_regular_file(fileOrName, ignored)) return fileOrName;
    const std::vector<std::string> names = sweepNames();
    std::string all;
    bool in_group = false;  // "paper/tabel-1"
    for (const std::string& name : names) {
        if (name == fileOrName) return resourceFolder() / "sweeps" / (name + ".toml");
        all += (all.empty() ? "" : ", ") + name;
        const std::size_t slash = name.rfind('/');
        in_group = in_group || (slash != std::string::npos && fileOrName.starts_with(name.substr(0, slash + 1)));
    }
    if (fs::is_directory(fileOrName, ignored))
        throw inputError(fileOrName + " is a folder.",
                         "Name a grid file; of a folder of runs it is sweep.toml in that folder.");
    if (isPath(fileOrName) && !(in_group && !fileOrName.ends_with(".toml")))
        throw inputError("There is no file " + fileOrName + ".",
                         "Name a grid file, or a grid that comes with the program.");
    const std::string near = nearestWord(fileOrName, names);
    throw inputError("There is no grid or file called \"" + fileOrName + "\".",
                     (near.empty() ? "" : "Did you mean " + near + "? ") + ("The grids are " + all + "."));
}

}  // namespace palimpsest
