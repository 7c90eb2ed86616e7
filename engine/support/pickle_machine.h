// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace palimpsest {

/// Opcodes of Python's pickles that some reader knows. Source: Python, Lib/pickletools.py, in its spelling.
enum class PickleOpcode : std::uint8_t {
    Mark = '(',
    Stop = '.',
    Pop = '0',
    PopMark = '1',
    Dup = '2',
    BinBytes = 'B',
    ShortBinBytes = 'C',
    BinFloat = 'G',
    Int = 'I',
    BinInt = 'J',
    BinInt1 = 'K',
    Long = 'L',
    BinInt2 = 'M',
    None = 'N',
    BinPersId = 'Q',
    Reduce = 'R',
    String = 'S',
    BinString = 'T',
    ShortBinString = 'U',
    Unicode = 'V',
    BinUnicode = 'X',
    Append = 'a',
    Build = 'b',
    Global = 'c',
    Dict = 'd',
    Appends = 'e',
    Get = 'g',
    BinGet = 'h',
    Inst = 'i',
    LongBinGet = 'j',
    List = 'l',
    Put = 'p',
    BinPut = 'q',
    LongBinPut = 'r',
    SetItem = 's',
    Tuple = 't',
    SetItems = 'u',
    EmptyDict = '}',
    EmptyList = ']',
    EmptyTuple = ')',
    Proto = 0x80,
    NewObj = 0x81,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    Long4 = 0x8b,
    ShortBinUnicode = 0x8c,
    BinUnicode8 = 0x8d,
    BinBytes8 = 0x8e,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95
};

/// Common part of all readers of Python pickles: the bytes, a stack of values with marks on it, and a memo. The values
/// themselves are in a list of the reader's; here they are numbers. Reading or popping more than there is throws: such
/// a file is damaged.
class PickleMachine {
public:
    using Ref = std::uint32_t;

    PickleMachine(const PickleMachine&) = delete;
    PickleMachine& operator=(const PickleMachine&) = delete;

protected:
    /// `bytes` must outlive this.
    explicit PickleMachine(std::span<const std::uint8_t> bytes)
        : bytes_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}
    virtual ~PickleMachine() = default;

    /// Throws Error(Input) that names the file and the reason.
    [[noreturn]] virtual void damaged(const std::string& reason) const = 0;

    /// Number of bytes read so far, and of all bytes.
    std::size_t at() const { return at_; }
    std::size_t size() const { return bytes_.size(); }
    /// Unreads the last byte.
    void unread() { --at_; }
    std::string_view readBytes(std::uint64_t count);
    /// An unsigned number of up to eight bytes, little-endian.
    std::uint64_t number(std::size_t length);
    /// The next line without its end.
    std::string_view line();

    PickleOpcode nextOpcode() { return static_cast<PickleOpcode>(number(1)); }
    /// Carries out an opcode that makes no value: marks, pops, copies, and the memo of binary pickles. False for any
    /// other.
    bool manageStack(PickleOpcode opcode);
    /// Size of the largest of stack, marks and memo.
    std::size_t mostHeld() const;

    void push(Ref value) { stack_.push_back(value); }
    Ref top() const;
    Ref pop();
    /// The last values, in the order in which they were pushed.
    std::vector<Ref> popSome(std::size_t count);
    std::vector<Ref> popToMark();
    /// Returns `values`, which must be key, value, key, value, ...
    std::vector<Ref> pairs(std::vector<Ref> values) const;
    void remember(std::uint64_t place) { memo_[place] = top(); }
    /// Stores the top in the memo under the next free number, as newer pickles do.
    void rememberNext() { remember(memo_.size()); }
    void recall(std::uint64_t place);

private:
    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
    void dropTop();

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::vector<Ref> stack_;
    std::vector<std::size_t> marks_;  ///< sizes of the stack when they were set
    std::unordered_map<std::uint64_t, Ref> memo_;
};

/// Number in two's complement of up to eight bytes, little-endian; 0 for no bytes.
std::int64_t signedNumber(std::string_view bytes);

/// Adds the list of values and the opcodes of plain ones: whole numbers, lists, tuples and dictionaries. A `Value` has
/// `kind` (an enum with Integer, List and Dict), `integer` and `items`, and is None by default; tuples become lists.
template <class Value>
class PickleValueMachine : public PickleMachine {
protected:
    using Kind = decltype(Value::kind);
    using PickleMachine::PickleMachine;

    void pushNew(Value value) {
        values_.push_back(std::move(value));
        push(static_cast<Ref>(values_.size() - 1));
    }
    void pushInteger(std::int64_t value) { pushNew({.kind = Kind::Integer, .integer = value}); }
    void pushList(std::vector<Ref> items) { pushNew({.kind = Kind::List, .items = std::move(items)}); }
    void pushDict(std::vector<Ref> items) { pushNew({.kind = Kind::Dict, .items = std::move(items)}); }

    /// Pushes None or a whole number of fixed size. False for any other opcode.
    bool pushNumber(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::None:
                pushNew({});
                return true;
            case PickleOpcode::BinInt:
                pushInteger(static_cast<std::int32_t>(number(4)));
                return true;
            case PickleOpcode::BinInt1:
                pushInteger(static_cast<std::int64_t>(number(1)));
                return true;
            case PickleOpcode::BinInt2:
                pushInteger(static_cast<std::int64_t>(number(2)));
                return true;
            default:
                return false;
        }
    }

    /// Pushes a list, tuple or dictionary. False for any other opcode.
    bool pushContainer(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::EmptyList:
            case PickleOpcode::EmptyTuple:
                pushList({});
                return true;
            case PickleOpcode::List:
            case PickleOpcode::Tuple:
                pushList(popToMark());
                return true;
            case PickleOpcode::Tuple1:
            case PickleOpcode::Tuple2:
            case PickleOpcode::Tuple3:
                pushList(
                    popSome(1 + static_cast<std::size_t>(opcode) - static_cast<std::size_t>(PickleOpcode::Tuple1)));
                return true;
            case PickleOpcode::EmptyDict:
                pushDict({});
                return true;
            case PickleOpcode::Dict:
                pushDict(pairs(popToMark()));
                return true;
            default:
                return false;
        }
    }

    /// Adds values to the list or dictionary below them. False for any other opcode.
    bool fillContainer(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::Append:
                extend(Kind::List, popSome(1));
                return true;
            case PickleOpcode::Appends:
                extend(Kind::List, popToMark());
                return true;
            case PickleOpcode::SetItem:
                extend(Kind::Dict, popSome(2));
                return true;
            case PickleOpcode::SetItems:
                extend(Kind::Dict, pairs(popToMark()));
                return true;
            default:
                return false;
        }
    }

    std::vector<Value> values_;

private:
    void extend(Kind kind, const std::vector<Ref>& by) {
        Value& value = values_[top()];
        if (value.kind != kind) damaged("something is put into what is neither list nor dictionary");
        value.items.insert(value.items.end(), by.begin(), by.end());
    }
};

}  // namespace palimpsest
