// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>
#include <utility>

#include "engine/config/option_table.h"

namespace palimpsest::option_row {

/// One row under construction.
class Row {
public:
    template <class Field>
    Row(const char* key, const char* title, OptionType type, OptionValue standard, Field field) {
        using Value = std::remove_cvref_t<decltype(field(std::declval<Experiment&>()))>;
        option_.key = key;
        option_.title = title;
        option_.type = type;
        option_.standard = std::move(standard);
        option_.get = [field](const Experiment& e) -> OptionValue { return field(e); };
        option_.assign = [field](Experiment& e, const OptionValue& value) { field(e) = std::get<Value>(value); };
    }
    Row&& range(double minimum, double maximum) && {
        option_.minimum = minimum;
        option_.maximum = maximum;
        return std::move(*this);
    }
    Row&& special(const char* word) && {
        option_.special = word;
        return std::move(*this);
    }
    Row&& choices(std::vector<Choice> choices) && {
        option_.choices = std::move(choices);
        return std::move(*this);
    }
    Row&& unit(const char* unit) && {
        option_.unit = unit;
        return std::move(*this);
    }
    Row&& help(const char* help) && {
        option_.help = help;
        return std::move(*this);
    }
    Row&& source(const char* source) && {
        option_.source = source;
        return std::move(*this);
    }
    /// Can be changed during a run.
    Row&& live() && {
        option_.effect = OptionEffect::NextBatch;
        return std::move(*this);
    }
    Row&& expert() && {
        option_.level = OptionLevel::Expert;
        return std::move(*this);
    }
    /// Methods that read it. Rows of a method or of a SharedOptions get theirs when the table is made.
    Row&& onlyFor(std::vector<std::string> methods) && {
        option_.only_methods = std::move(methods);
        return std::move(*this);
    }
    operator Option() && { return std::move(option_); }

private:
    Option option_;
};

template <class Field>
Row boolean(const char* key, const char* title, bool standard, Field field) {
    return Row(key, title, OptionType::Boolean, standard, field);
}
template <class Field>
Row integer(const char* key, const char* title, std::int64_t standard, Field field) {
    return Row(key, title, OptionType::Integer, standard, field);
}
template <class Field>
Row real(const char* key, const char* title, double standard, Field field) {
    return Row(key, title, OptionType::Real, standard, field);
}
template <class Field>
Row text(const char* key, const char* title, const char* standard, Field field) {
    return Row(key, title, OptionType::Text, std::string(standard), field);
}
template <class Field>
Row choice(const char* key, const char* title, const char* standard, Field field) {
    return Row(key, title, OptionType::Choice, std::string(standard), field);
}

}  // namespace palimpsest::option_row

/// One lambda for reading and for writing a field.
#define FIELD(path)        \
    [](auto& e) -> auto& { \
        return e.path;     \
    }
/// The same of a method's options.
#define OPTION_OF(Options, field)                     \
    [](auto& e) -> auto& {                            \
        return e.method.template of<Options>().field; \
    }
