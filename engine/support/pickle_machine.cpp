// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/pickle_machine.h"

#include <algorithm>

namespace palimpsest {

std::string_view PickleMachine::readBytes(std::uint64_t count) {
    if (count > bytes_.size() - at_) damaged("it ends too early");
    const std::string_view bytes = bytes_.substr(at_, count);
    at_ += count;
    return bytes;
}

std::uint64_t PickleMachine::number(std::size_t length) {
    const std::string_view bytes = readBytes(length);
    std::uint64_t value = 0;
    for (std::size_t k = length; k-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[k]);
    return value;
}

std::string_view PickleMachine::line() {
    const std::string_view rest = bytes_.substr(at_);
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) damaged("it ends too early");
    at_ += end + 1;
    return rest.substr(0, end);
}

bool PickleMachine::manageStack(PickleOpcode opcode) {
    switch (opcode) {
        case PickleOpcode::Mark:
            marks_.push_back(stack_.size());
            return true;
        case PickleOpcode::Pop:
            dropTop();
            return true;
        case PickleOpcode::PopMark:
            popToMark();
            return true;
        case PickleOpcode::Dup:
            push(top());
            return true;
        case PickleOpcode::BinPut:
            remember(number(1));
            return true;
        case PickleOpcode::LongBinPut:
            remember(number(4));
            return true;
        case PickleOpcode::BinGet:
            recall(number(1));
            return true;
        case PickleOpcode::LongBinGet:
            recall(number(4));
            return true;
        default:
            return false;
    }
}

std::size_t PickleMachine::mostHeld() const {
    return std::max({stack_.size(), marks_.size(), memo_.size()});
}

PickleMachine::Ref PickleMachine::top() const {
    if (stack_.size() <= floor()) damaged("a value is missing");
    return stack_.back();
}

PickleMachine::Ref PickleMachine::pop() {
    const Ref value = top();
    stack_.pop_back();
    return value;
}

/// Drops the mark on top, if there is one, else the value.
void PickleMachine::dropTop() {
    if (!marks_.empty() && marks_.back() == stack_.size())
        marks_.pop_back();
    else
        pop();
}

std::vector<PickleMachine::Ref> PickleMachine::popSome(std::size_t count) {
    if (stack_.size() < floor() + count) damaged("a value is missing");
    std::vector<Ref> values(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return values;
}

std::vector<PickleMachine::Ref> PickleMachine::popToMark() {
    if (marks_.empty()) damaged("a mark is missing");
    std::vector<Ref> values = popSome(stack_.size() - marks_.back());
    marks_.pop_back();
    return values;
}

std::vector<PickleMachine::Ref> PickleMachine::pairs(std::vector<Ref> values) const {
    if (values.size() % 2 != 0) damaged("a key has no value");
    return values;
}

void PickleMachine::recall(std::uint64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) damaged("it refers to a value that it has not stored");
    push(found->second);
}

std::int64_t signedNumber(std::string_view bytes) {
    const bool negative = !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0;
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[k]);
    return static_cast<std::int64_t>(value);
}

}  // namespace palimpsest
