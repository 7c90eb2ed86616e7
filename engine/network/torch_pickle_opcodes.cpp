// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/torch_pickle_opcodes.h"

#include <utility>

namespace palimpsest {
namespace {

constexpr std::uint32_t kHighestProtocol = 5;

}  // namespace

bool TorchPickleOpcodes::step() {
    const std::uint64_t opcode = number(1);
    if (moves(opcode)) return true;
    switch (opcode) {
        case '.':
            return false;
        case 0x80:
            if (const auto protocol = number(1); protocol < 2 || protocol > kHighestProtocol)
                damaged("it has protocol " + std::to_string(protocol) + ", where 2 to 5 are read");
            return true;
        case 0x95:
            number(8);
            return true;  // a frame: only says how much may be read at once
        case 'N':
            pushNew({});
            return true;
        case 0x88:
        case 0x89:
            pushInteger(opcode == 0x88 ? 1 : 0);
            return true;
        case 'J':
            pushInteger(static_cast<std::int32_t>(number(4)));
            return true;
        case 'K':
            pushInteger(static_cast<std::int64_t>(number(1)));
            return true;
        case 'M':
            pushInteger(static_cast<std::int64_t>(number(2)));
            return true;
        case 0x8a:
            pushLong(number(1));
            return true;
        case 0x8b:
            pushLong(number(4));
            return true;
        case 'G':
            number(8);
            pushNew({});
            return true;
        case 'X':
            pushText(take(number(4)));
            return true;
        case 0x8c:
            pushText(take(number(1)));
            return true;
        case 0x8d:
            pushText(take(number(8)));
            return true;
        case 'C':
        case 'U':
            take(number(1));
            pushNew({});
            return true;
        case 'B':
        case 'T':
            take(number(4));
            pushNew({});
            return true;
        case 0x8e:
            take(number(8));
            pushNew({});
            return true;
        case ']':
        case ')':
            pushNew({.kind = Kind::List});
            return true;
        case '}':
            pushNew({.kind = Kind::Dict});
            return true;
        case 'l':
        case 't':
            pushNew({.kind = Kind::List, .items = popToMark()});
            return true;
        case 'd':
            pushNew({.kind = Kind::Dict, .items = pairs(popToMark())});
            return true;
        case 0x85:
            pushNew({.kind = Kind::List, .items = popSome(1)});
            return true;
        case 0x86:
            pushNew({.kind = Kind::List, .items = popSome(2)});
            return true;
        case 0x87:
            pushNew({.kind = Kind::List, .items = popSome(3)});
            return true;
        case 'a':
            extend(Kind::List, popSome(1));
            return true;
        case 'e':
            extend(Kind::List, popToMark());
            return true;
        case 's':
            extend(Kind::Dict, popSome(2));
            return true;
        case 'u':
            extend(Kind::Dict, pairs(popToMark()));
            return true;
        case 0x94:
            rememberNext();
            return true;
        case 'c': {
            const std::string module(line());
            pushName(module + "." + std::string(line()));
            return true;
        }
        case 0x93: {
            const std::vector<Ref> names = popSome(2);
            pushName(std::string(textOf(names[0])) + "." + std::string(textOf(names[1])));
            return true;
        }
        case 'Q':
            pushStorage();
            return true;
        case 'R':
            call();
            return true;
        case 0x81:
            makeObject();
            return true;
        case 'i': {
            // Old pickles name and call in one.
            const std::string module(line());
            refuse("call", module + "." + std::string(line()));
        }
        case 'b':
            build();
            return true;
        default:
            break;
    }
    putBack();
    damaged("the opcode " + std::to_string(opcode) + " is none that torch.save writes for tensors");
}

void TorchPickleOpcodes::pushNew(PickleValue value) {
    values_.push_back(std::move(value));
    push(static_cast<Ref>(values_.size() - 1));
}

/// Numbers beyond 64 bits are no extents, so their value does not matter.
void TorchPickleOpcodes::pushLong(std::uint64_t length) {
    const std::string_view bytes = take(length);
    if (length > 8) return pushNew({});
    pushInteger(signedNumber(bytes));
}

void TorchPickleOpcodes::extend(Kind kind, const std::vector<Ref>& by) {
    PickleValue& value = values_[top()];
    if (value.kind != kind) damaged("something is put into what is neither list nor dictionary");
    value.items.insert(value.items.end(), by.begin(), by.end());
}

std::string_view TorchPickleOpcodes::textOf(Ref value) const {
    if (values_[value].kind != Kind::Text) damaged("a text is missing");
    return values_[value].text;
}

}  // namespace palimpsest
