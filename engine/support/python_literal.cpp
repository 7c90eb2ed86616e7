// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/python_literal.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace palimpsest {
namespace {

using Value = nlohmann::json;

constexpr int kDeepestLiteral = 32;
constexpr std::size_t kMostLiterals = 1'000'000;
constexpr std::size_t kLongestObject = 10'000;  ///< bytes of "<an object>"

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool beginsName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void appendUtf8(std::string& text, std::uint32_t code) {
    const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(bits); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xc0 | code >> 6);
        byte(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        byte(0xe0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    } else {
        byte(0xf0 | (code >> 18 & 0x07));
        byte(0x80 | (code >> 12 & 0x3f));
        byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    }
}

class LiteralReading {
public:
    explicit LiteralReading(std::string_view text) : text_(text) {}

    std::optional<PythonLiteral> read() {
        PythonLiteral literal;
        if (!value(literal.value, 0)) return std::nullopt;
        literal.length = at_;
        return literal;
    }
    std::size_t place() const { return at_; }

private:
    bool done() const { return at_ >= text_.size(); }
    char next() const { return done() ? '\0' : text_[at_]; }
    void skipBlanks() {
        while (!done() && (next() == ' ' || next() == '\t' || next() == '\n' || next() == '\r')) ++at_;
    }
    bool take(char c) {
        skipBlanks();
        if (done() || next() != c) return false;
        ++at_;
        return true;
    }

    bool value(Value& out, int depth) {
        skipBlanks();
        if (done() || depth > kDeepestLiteral || ++count_ > kMostLiterals) return false;
        const char c = next();
        if (c == '{') return braces(out, depth);
        if (c == '[') return list(out, '[', ']', depth);
        if (c == '(') return list(out, '(', ')', depth);
        if (c == '<') return object(out);
        if (c == '\'' || c == '"') return text(out, false);
        if (isDigit(c) || c == '-' || c == '+' || c == '.') return number(out);
        return beginsName(c) && named(out, depth);
    }

    bool list(Value& out, char open, char close, int depth) {
        out = Value::array();
        if (!take(open)) return false;
        while (!take(close)) {
            if (!out.empty() && !take(',')) return false;
            if (!out.empty() && take(close)) return true;
            Value entry;
            if (!value(entry, depth + 1)) return false;
            out.push_back(std::move(entry));
        }
        return true;
    }

    /// A dict, or a set.
    bool braces(Value& out, int depth) {
        out = Value::object();
        if (!take('{')) return false;
        for (bool first = true; !take('}'); first = false) {
            if (!first && !take(',')) return false;
            if (!first && take('}')) return true;
            Value key;
            if (!value(key, depth + 1)) return false;
            if (first && !(skipBlanks(), next() == ':')) out = Value::array();
            if (out.is_array()) {
                out.push_back(std::move(key));
                continue;
            }
            Value entry;
            if (!take(':') || !value(entry, depth + 1)) return false;
            out[keyText(key)] = std::move(entry);
        }
        return true;
    }

    static std::string keyText(const Value& key) {
        return key.is_string() ? key.get<std::string>() : key.dump(-1, ' ', false, Value::error_handler_t::replace);
    }

    bool object(Value& out) {
        const std::size_t from = at_;
        int open = 0;
        for (; !done() && at_ - from < kLongestObject; ++at_) {
            if (next() == '\n') return false;
            if (next() == '<') ++open;
            if (next() == '>' && --open == 0) {
                out = std::string(text_.substr(from, ++at_ - from));
                return true;
            }
        }
        return false;
    }

    std::optional<std::uint32_t> hexadecimal(std::size_t digits) {
        std::uint32_t code = 0;
        const char* const from = text_.data() + at_;
        if (text_.size() - at_ < digits) return std::nullopt;
        const auto [end, error] = std::from_chars(from, from + digits, code, 16);
        if (error != std::errc() || end != from + digits) return std::nullopt;
        at_ += digits;
        return code;
    }

    bool text(Value& out, bool raw) {
        const char quote = text_[at_++];
        std::string words;
        while (!done()) {
            const char c = text_[at_++];
            if (c == quote) {
                out = std::move(words);
                return true;
            }
            if (c == '\n') return false;
            if (c != '\\' || raw) {
                words += c;
            } else if (done() || !escaped(words)) {
                return false;
            }
        }
        return false;
    }

    bool escaped(std::string& words) {
        const char c = text_[at_++];
        const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits > 0) {
            const std::optional<std::uint32_t> code = hexadecimal(digits);
            if (!code || *code > 0x10ffff) return false;
            appendUtf8(words, *code);
            return true;
        }
        words += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
        return true;
    }

    bool number(Value& out) {
        const bool negative = next() == '-';
        if (negative || next() == '+') ++at_;
        if (beginsName(next())) {
            Value word;
            if (!named(word, kDeepestLiteral) || !word.is_number_float()) return false;
            out = negative ? -word.get<double>() : word.get<double>();
            return true;
        }
        const char* const from = text_.data() + at_;
        const char* const end = text_.data() + text_.size();
        std::int64_t whole = 0;
        const auto read = std::from_chars(from, end, whole);
        const bool real = read.ptr != end && (*read.ptr == '.' || *read.ptr == 'e' || *read.ptr == 'E');
        if (isDigit(next()) && read.ec == std::errc() && !real) {
            out = negative ? -whole : whole;
            at_ += static_cast<std::size_t>(read.ptr - from);
            return true;
        }
        double value = 0;
        const auto all = std::from_chars(from, end, value);
        if (all.ec != std::errc() || !(isDigit(next()) || next() == '.')) return false;
        out = negative ? -value : value;
        at_ += static_cast<std::size_t>(all.ptr - from);
        return true;
    }

    std::string_view name() {
        const std::size_t from = at_;
        while (!done() && (beginsName(next()) || isDigit(next()) || next() == '.')) ++at_;
        return text_.substr(from, at_ - from);
    }

    bool named(Value& out, int depth) {
        const std::string_view word = name();
        const char after = next();
        if ((after == '\'' || after == '"') && word.size() <= 2) {
            const bool raw = word.find_first_of("rR") != std::string_view::npos;
            return text(out, raw);
        }
        if (after == '(') return call(out, depth);
        if (word == "None") {
            out = nullptr;
        } else if (word == "True" || word == "False") {
            out = word == "True";
        } else if (word == "nan") {
            out = std::numeric_limits<double>::quiet_NaN();
        } else if (word == "inf") {
            out = std::numeric_limits<double>::infinity();
        } else {
            out = std::string(word);
        }
        return true;
    }

    bool call(Value& out, int depth) {
        if (depth >= kDeepestLiteral || !take('(')) return false;
        Value first, names = Value::object();
        bool any = false;
        for (std::size_t argument = 0; !take(')'); ++argument) {
            if (argument > 0 && !take(',')) return false;
            if (argument > 0 && take(')')) break;
            skipBlanks();
            const std::size_t from = at_;
            const std::string_view key = beginsName(next()) ? name() : std::string_view();
            Value entry;
            if (!key.empty() && take('=')) {
                if (!value(entry, depth + 1)) return false;
                names[std::string(key)] = std::move(entry);
                continue;
            }
            at_ = from;
            if (!value(entry, depth + 1)) return false;
            if (!any) first = std::move(entry);
            any = true;
        }
        out = any ? std::move(first) : std::move(names);
        return true;
    }

    const std::string_view text_;
    std::size_t at_ = 0;
    std::size_t count_ = 0;
};

}  // namespace

std::optional<PythonLiteral> readPythonLiteral(std::string_view text) {
    return LiteralReading(text).read();
}

std::size_t pythonLiteralEnd(std::string_view text) {
    LiteralReading reading(text);
    reading.read();
    return reading.place();
}

}  // namespace palimpsest
