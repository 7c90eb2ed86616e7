// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/python_pickle.h"

#include "engine/support/error.h"
#include "engine/support/pickle_machine.h"
#include "engine/support/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace palimpsest {
namespace {

constexpr std::size_t kMostValues = 4'000'000;
constexpr std::size_t kMostDimensions = 8;
constexpr std::int64_t kLargestDimension = 1'000'000'000;
constexpr unsigned char kHighestProtocol = 2;
/// Bound on the bytes of decoded texts: a text is decoded at most twice, to UTF-8 of twice its length and back; more is
/// a bomb.
constexpr std::size_t kMostGrowth = 4;

/// Functions that rebuild an array of bytes, under the names that numpy has had for them.
constexpr std::string_view kEncode = "_codecs encode";
constexpr std::string_view kType = "numpy dtype";
constexpr std::string_view kArray = "numpy ndarray";
constexpr std::array<std::string_view, 2> kRebuild{"numpy.core.multiarray _reconstruct",
                                                   "numpy._core.multiarray _reconstruct"};

bool rebuildsArrays(std::string_view name) {
    return std::find(kRebuild.begin(), kRebuild.end(), name) != kRebuild.end();
}

std::optional<std::uint32_t> digits(std::string_view text, std::size_t count, int base) {
    std::uint32_t value = 0;
    if (count == 0 || text.size() < count) return std::nullopt;
    const auto [end, failure] = std::from_chars(text.begin(), text.begin() + count, value, base);
    if (failure != std::errc() || end != text.begin() + count) return std::nullopt;
    return value;
}

void addUtf8(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0U | code >> 6U);
        add(0x80U | (code & 0x3fU));
    } else {
        add(0xe0U | code >> 12U);
        add(0x80U | (code >> 6U & 0x3fU));
        add(0x80U | (code & 0x3fU));
    }
}

/// Decodes a Python string literal without its quotes ("\n", "\x00", "\017"); absent for a broken sequence.
std::optional<std::string> unescapedString(std::string_view text) {
    static constexpr std::string_view kLetters = "abfnrtv\\'\"";
    static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        const char first = text.front();
        text.remove_prefix(1);
        if (first != '\\') {
            plain += first;
            continue;
        }
        if (text.empty()) return std::nullopt;
        const char letter = text.front();
        if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
            plain += kMeanings[known];
            text.remove_prefix(1);
            continue;
        }
        const bool hex = letter == 'x';
        if (hex) text.remove_prefix(1);
        const std::size_t octal = std::min({text.find_first_not_of("01234567"), text.size(), std::size_t{3}});
        const std::size_t length = hex ? 2 : octal;
        const auto code = digits(text, length, hex ? 16 : 8);
        if (!code || *code > 0xff) return std::nullopt;
        plain += static_cast<char>(*code);
        text.remove_prefix(length);
    }
    return plain;
}

/// Decodes Python's raw-unicode-escape ("\u2028", other bytes are Latin-1) to UTF-8; absent for a broken sequence.
std::optional<std::string> unescapedUnicode(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        std::uint32_t code = static_cast<unsigned char>(text.front());
        std::size_t length = 1;
        if (text.starts_with("\\u")) {
            const auto escaped = digits(text.substr(2), 4, 16);
            if (!escaped) return std::nullopt;
            code = *escaped;
            length = 6;
        }
        addUtf8(plain, code);
        text.remove_prefix(length);
    }
    return plain;
}

/// Converts UTF-8 back to one byte a character; absent for characters beyond Latin-1.
std::optional<std::string> latin1Bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            bytes += text[i];
            continue;
        }
        if ((lead != 0xc2 && lead != 0xc3) || i + 1 == text.size()) return std::nullopt;
        const auto next = static_cast<unsigned char>(text[++i]);
        if (next >> 6U != 2) return std::nullopt;
        bytes += static_cast<char>((lead & 3U) << 6U | (next & 0x3fU));
    }
    return bytes;
}

}  // namespace

/// Reads the opcodes that plain data and arrays of bytes need.
class PickleReader final : private PickleValueMachine<Pickle::Value> {
public:
    PickleReader(std::span<const std::uint8_t> bytes, const std::string& origin, Pickle& out)
        : PickleValueMachine(bytes), origin_(origin), out_(out) {}

    void read() {
        while (step()) {
            if (values_.size() > kMostValues || mostHeld() > kMostValues)
                damaged("it holds more than " + std::to_string(kMostValues) + " values");
        }
        out_.root_ = pop();
        out_.values_ = std::move(values_);
    }

private:
    using Value = Pickle::Value;

    [[noreturn]] void damaged(const std::string& reason) const override {
        throw inputError("The file " + origin_ + " is not a sound Python pickle: " + reason + ", at byte " +
                             std::to_string(at()) + " of " + std::to_string(size()) + ".",
                         "Get the data set again.");
    }

    /// Carries out one opcode. False at the end of the pickle.
    bool step() {
        const PickleOpcode opcode = nextOpcode();
        if (opcode == PickleOpcode::Stop) return false;
        const bool known = manageStack(opcode) || pushNumber(opcode) || pushVariableNumber(opcode) ||
                           pushText(opcode) || pushContainer(opcode) || fillContainer(opcode) || doOther(opcode);
        if (!known) {
            unread();
            damaged("the opcode " + std::to_string(static_cast<unsigned>(opcode)) +
                    " is none that plain data of protocol 0 to 2 needs");
        }
        return true;
    }

    /// Pushes a truth value, or a whole number of variable length. False for any other opcode.
    bool pushVariableNumber(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::NewTrue:
                pushNew({.kind = Kind::Bool, .integer = 1});
                return true;
            case PickleOpcode::NewFalse:
                pushNew({.kind = Kind::Bool});
                return true;
            case PickleOpcode::Int:
            case PickleOpcode::Long:
                pushTextInteger(line());
                return true;
            case PickleOpcode::Long1:
                pushLong(number(1));
                return true;
            case PickleOpcode::Long4:
                pushLong(number(4));
                return true;
            default:
                return false;
        }
    }

    bool pushText(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::String:
                pushOwned(unescapedString(quoted(line())));
                return true;
            case PickleOpcode::Unicode:
                pushOwned(unescapedUnicode(line()));
                return true;
            case PickleOpcode::ShortBinString:
                pushBytes(readBytes(number(1)));
                return true;
            case PickleOpcode::BinString:
            case PickleOpcode::BinUnicode:
                pushBytes(readBytes(number(4)));
                return true;
            default:
                return false;
        }
    }

    /// Carries out the protocol, the memo of text pickles, and names with their calls. False for any other opcode.
    bool doOther(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::Proto:
                checkProtocol(number(1));
                return true;
            case PickleOpcode::Put:
                remember(memoNumber(line()));
                return true;
            case PickleOpcode::Get:
                recall(memoNumber(line()));
                return true;
            case PickleOpcode::Global:
                pushName();
                return true;
            case PickleOpcode::Reduce:
                call();
                return true;
            case PickleOpcode::Build:
                build();
                return true;
            default:
                return false;
        }
    }

    void checkProtocol(std::uint64_t protocol) const {
        if (protocol > kHighestProtocol)
            damaged("it has protocol " + std::to_string(protocol) + ", where 0 to 2 are read");
    }

    std::string_view quoted(std::string_view text) const {
        if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') || text.front() != text.back())
            damaged("a text has no quotes");
        return text.substr(1, text.size() - 2);
    }

    void pushBytes(std::string_view bytes) { pushNew({.kind = Kind::Bytes, .bytes = bytes}); }
    void pushOwned(std::optional<std::string> text) {
        if (!text) damaged("a text has a broken escape sequence");
        owned_bytes_ += text->size();
        if (owned_bytes_ > kMostGrowth * size()) damaged("it repeats its texts");
        pushBytes(out_.texts_.emplace_back(std::move(*text)));
    }
    void pushTextInteger(std::string_view text) {
        const bool truth = text == "00" || text == "01";
        if (text.ends_with('L')) text.remove_suffix(1);
        std::int64_t value = 0;
        const auto [end, failure] = std::from_chars(text.begin(), text.end(), value);
        if (failure != std::errc() || end != text.end()) damaged("\"" + shortLine(text) + "\" is no whole number");
        pushNew({.kind = truth ? Kind::Bool : Kind::Integer, .integer = value});
    }
    void pushLong(std::uint64_t length) {
        if (length > 8) damaged("a number of " + std::to_string(length) + " bytes is too large");
        pushInteger(signedNumber(readBytes(length)));
    }

    std::uint32_t memoNumber(std::string_view text) const {
        std::uint32_t value = 0;
        const auto [end, failure] = std::from_chars(text.begin(), text.end(), value);
        if (failure != std::errc() || end != text.end()) damaged("a memo number is broken");
        return value;
    }

    void pushName() {
        const std::string_view module = line();
        const std::string_view function = line();
        const std::string name = std::string(module) + " " + std::string(function);
        if (name != kEncode && name != kType && name != kArray && !rebuildsArrays(name))
            throw inputError("The file " + origin_ + " asks Python to use " +
                                 shortLine(std::string(module) + "." + std::string(function)) +
                                 ", which pictures never need; nothing of it was run.",
                             "Do not trust this file; get the data set from its makers.");
        pushNew({.kind = Kind::Name, .bytes = out_.texts_.emplace_back(name)});
    }

    const Value& argument(const Value& arguments, std::size_t i, Kind kind) const {
        if (i >= arguments.items.size() || values_[arguments.items[i]].kind != kind)
            damaged("a function is called with arguments it does not take");
        return values_[arguments.items[i]];
    }

    void call() {
        const Value& arguments = values_[pop()];
        const Value& function = values_[pop()];
        if (function.kind != Kind::Name || arguments.kind != Kind::List) damaged("something is called that cannot be");
        if (function.bytes == kEncode) {
            const auto encoding = argument(arguments, 1, Kind::Bytes).bytes;
            if (encoding != "latin1" && encoding != "latin-1") damaged("bytes are coded in an unknown way");
            pushOwned(latin1Bytes(argument(arguments, 0, Kind::Bytes).bytes));
        } else if (function.bytes == kType) {
            pushNew({.kind = Kind::ArrayType, .bytes = argument(arguments, 0, Kind::Bytes).bytes});
        } else if (rebuildsArrays(function.bytes)) {
            if (argument(arguments, 0, Kind::Name).bytes != kArray) damaged("an array of an unknown kind is rebuilt");
            pushNew({.kind = Kind::Array});
        } else {
            damaged("something is called that cannot be");
        }
    }

    /// Fills the array, or the type, below the state on top of the stack.
    void build() {
        const Value& state = values_[pop()];
        Value& target = values_[top()];
        // The state of a type is its byte order, which bytes do not have.
        if (target.kind == Kind::ArrayType) return;
        if (target.kind != Kind::Array || state.kind != Kind::List) damaged("something is filled that cannot be");
        // State of an array: version, shape, type, Fortran order, elements.
        const Value& shape = argument(state, 1, Kind::List);
        const auto type = argument(state, 2, Kind::ArrayType).bytes;
        if (type != "u1" && type != "|u1") damaged("an array holds elements of type " + shortLine(type) + ", not u1");
        const Value& fortran = values_[state.items.size() > 3 ? state.items[3] : state.items[1]];
        const std::string_view elements = argument(state, 4, Kind::Bytes).bytes;
        const bool said = fortran.kind == Kind::Bool || fortran.kind == Kind::Integer;
        if (!said || (fortran.integer != 0 && shape.items.size() > 1)) damaged("an array is not in C order");
        std::vector<std::int64_t> sides;
        std::int64_t count = 1;
        if (shape.items.size() > kMostDimensions) damaged("an array has too many dimensions");
        for (std::size_t i = 0; i < shape.items.size(); ++i) {
            const std::int64_t side = argument(shape, i, Kind::Integer).integer;
            if (side < 0 || side > kLargestDimension || (side > 0 && count > kLargestDimension / side))
                damaged("an array has an impossible shape");
            sides.push_back(side);
            count *= side;
        }
        if (count != static_cast<std::int64_t>(elements.size()))
            damaged("an array should have " + std::to_string(count) + " elements but has " +
                    std::to_string(elements.size()));
        target.bytes = elements;
        target.shape = std::move(sides);
    }

    const std::string& origin_;
    Pickle& out_;
    std::size_t owned_bytes_ = 0;
};

Pickle::Pickle(std::span<const std::uint8_t> bytes, const std::string& origin) {
    PickleReader(bytes, origin, *this).read();
}

const Pickle::Value* Pickle::find(const Value& dict, std::string_view key) const {
    // The last of equal keys counts, as in Python.
    for (std::size_t i = dict.items.size(); dict.kind == Kind::Dict && i >= 2; i -= 2) {
        const Value& name = values_[dict.items[i - 2]];
        if (name.kind == Kind::Bytes && name.bytes == key) return &values_[dict.items[i - 1]];
    }
    return nullptr;
}

}  // namespace palimpsest
