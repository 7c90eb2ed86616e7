// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/config/experiment.h"

namespace palimpsest {

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

enum class OptionType { Boolean, Integer, Real, Text, Choice };
enum class OptionLevel { Basic, Expert };
/// The moment from which a change during a run acts.
enum class OptionEffect { NextBatch, NextSession, NextRun };

struct Choice {
    std::string value;  ///< as written in the experiment file
    std::string title;  ///< as shown to the user
    std::string help;
    // For methods only: their family, neighbours in the list, and what matters in choosing one.
    std::string family{};
    std::string stores{};  ///< data that it keeps, in a sentence
    std::string costs{};   ///< likewise, its computation
    std::string paper{};   ///< who, where and when
    /// For data sets only: the program draws the images, in any number of classes.
    bool drawn = false;
    /// For data sets only: the published code crops test images, too.
    bool crops_test = false;
};

/// One row of the table: everything that is known about one key of the experiment file.
struct Option {
    std::string key;    ///< dotted path, e.g. "stream.sessions"
    std::string title;  ///< short label of the form, e.g. "Sessions"
    OptionType type = OptionType::Text;
    OptionValue standard;  ///< the default
    double minimum = 0;    ///< Integer and Real only
    double maximum = 0;
    std::string special;  ///< meaning of the minimum where it is no mere number, e.g. "all"; may be empty
    std::string unit;     ///< "%", "images", ...; may be empty
    std::string help;     ///< one sentence; says what special values mean
    std::string source;   ///< paper equation or file of the official code; may be empty
    OptionLevel level = OptionLevel::Basic;
    OptionEffect effect = OptionEffect::NextRun;
    std::vector<Choice> choices;            ///< Choice only; empty (no catalogue at hand): any word is accepted
    std::vector<std::string> only_methods;  ///< methods that read it; empty: all
    bool isReadBy(const std::string& method) const;
    std::function<OptionValue(const Experiment&)> get;
    std::function<void(Experiment&, const OptionValue&)> assign;  ///< unchecked; use OptionTable::set

    std::string section() const;  ///< "stream" of "stream.sessions"; empty for top-level keys
    std::string leaf() const;     ///< "sessions" of "stream.sessions"
};

/// The choices of methods, masks, data sets and backbones, given by the engine (see engine/api.h) or made up by a test.
struct Catalogue {
    std::vector<Choice> methods;
    std::vector<Choice> masks;
    std::vector<Choice> datasets;
    std::vector<Choice> backbones;
};

/// Title of the experiment's method; of a program of somebody else's its own name, where a run has recorded it.
std::string methodTitle(const Catalogue& catalogue, const Experiment& experiment);

struct MethodDeclaration;
const std::vector<MethodDeclaration>& methodDeclarations();

/// The one declaration of the configuration: experiment files, --set, --help, the window's form, the JSON Schema
/// and the reference page are all made from it.
class OptionTable {
public:
    /// `methods` must outlive the table. Without the catalogue's methods their options are known all the same.
    explicit OptionTable(Catalogue catalogue, const std::vector<MethodDeclaration>& methods = methodDeclarations());

    const std::vector<Option>& options() const { return options_; }
    const Catalogue& catalogue() const { return catalogue_; }
    const Option* find(std::string_view key) const;
    /// An empty declaration where there is no such method.
    const MethodDeclaration& method(const std::string& name) const;
    /// The known key nearest to a mistyped one; empty when nothing is near.
    std::string nearest(std::string_view key) const;

    /// An experiment with every default.
    Experiment defaults() const;
    /// Checks type, range and choice, then assigns. Throws Error(Input) with key, value and what is allowed.
    void set(Experiment& experiment, const Option& option, const OptionValue& value) const;
    /// The same from text, as in `--set stream.sessions=5`. An unknown key is an error that names the nearest one.
    void setText(Experiment& experiment, std::string_view key, std::string_view text) const;
    /// Value as text, the way the experiment file writes it (strings without quotes).
    std::string text(const Experiment& experiment, const Option& option) const;
    /// Checks that need more than one field. Returns one sentence a problem; empty: all well.
    std::vector<std::string> problems(const Experiment& experiment) const;
    /// A sentence for each option of method, memory, mask or training, and for stream.first_class and
    /// stream.test_crop, that was changed but changes nothing.
    std::vector<std::string> idleNotes(const Experiment& experiment) const;
    /// Facts on the method with the other options as they are, in a sentence each.
    std::vector<std::string> methodNotes(const Experiment& experiment) const;
    /// The option concerns a run of this method, and not only the adaptation of its initial prompts.
    bool concernsRun(const std::string& method, const Option& option) const;
    /// The reason, in one sentence, that an option changes nothing with the others as they are; empty: it matters.
    std::string idleReason(const Experiment& experiment, const Option& option) const;

    /// JSON Schema (draft 2020-12) of an experiment file.
    std::string jsonSchema() const;
    /// The reference page (Markdown).
    std::string markdown() const;

private:
    Catalogue catalogue_;
    const std::vector<MethodDeclaration>* methods_;
    std::vector<Option> options_;
};

std::string toText(const OptionValue& value);
std::string allowedText(const Option& option);  ///< "a whole number from 1 to 1000", "one of none, seen or batch"
const char* toText(OptionEffect effect);        ///< "at the next batch", "at the next session", "at the next run"

/// A sentence with options called by their titles, as in the form: "Memory is none" of "memory.size is 0". The command
/// line and files are written in keys, and keep theirs; the window and reports show titles. A key in brackets behind
/// its own title goes: "5 sessions" of "5 sessions (stream.sessions)". Paths and "--set memory.size=5" stay.
std::string inTitles(std::string_view sentence);

/// Blocks of a network as an experiment lists them, counted from 0: "0,1", "4", or "none" for no block. They rise, and
/// none comes twice. Throws Error(Input), one sentence that names the option `key`, for anything else.
std::vector<std::int64_t> blockList(const std::string& key, const std::string& text);

}  // namespace palimpsest
