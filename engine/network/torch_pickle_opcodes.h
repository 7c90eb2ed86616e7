// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/network/torch_pickle_values.h"
#include "engine/support/pickle_machine.h"

namespace palimpsest {

/// The opcodes that torch.save writes for tensors, protocol 2 and up. Plain values are made here; what a pickle names,
/// refers to, calls and fills is left to the one who knows PyTorch. Source: Python, Lib/pickletools.py.
class TorchPickleOpcodes : protected PickleMachine {
protected:
    using Kind = PickleValue::Kind;
    using PickleMachine::PickleMachine;

    /// Carries out one opcode. False at the end of the pickle.
    bool step();
    void pushNew(PickleValue value);

    /// Pushes "module.name".
    virtual void pushName(const std::string& name) = 0;
    /// What stands outside of the pickle, by the tuple on top (BINPERSID).
    virtual void pushStorage() = 0;
    /// A function and its arguments (REDUCE), a class and those of its maker (NEWOBJ), an object and its state (BUILD).
    virtual void call() = 0;
    virtual void makeObject() = 0;
    virtual void build() = 0;
    /// Throws Error(Input): the pickle asks Python to do something with that name.
    [[noreturn]] virtual void refuse(const char* verb, std::string_view name) const = 0;

    std::vector<PickleValue> values_;

private:
    void pushInteger(std::int64_t value) { pushNew({.kind = Kind::Integer, .integer = value}); }
    void pushText(std::string_view text) { pushNew({.kind = Kind::Text, .text = text}); }
    void pushLong(std::uint64_t length);
    void extend(Kind kind, const std::vector<Ref>& by);
    std::string_view textOf(Ref value) const;
};

}  // namespace palimpsest
