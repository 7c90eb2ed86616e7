// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/torch_pickle.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "engine/support/error.h"
#include "engine/support/pickle_machine.h"
#include "engine/support/utf8.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostValues = 1'000'000;
constexpr std::size_t kMostTensors = 100'000;
constexpr std::size_t kMostExtents = 16, kDeepest = 32, kLongestName = 1000;
constexpr std::uint32_t kHighestProtocol = 5;
const char* const kRemedy = "Download or make the file again.";

struct StorageName {
    std::string_view name;
    at::ScalarType type;
};
constexpr std::array<StorageName, 10> kStorages{{{"torch.FloatStorage", at::kFloat},
                                                 {"torch.DoubleStorage", at::kDouble},
                                                 {"torch.HalfStorage", at::kHalf},
                                                 {"torch.BFloat16Storage", at::kBFloat16},
                                                 {"torch.LongStorage", at::kLong},
                                                 {"torch.IntStorage", at::kInt},
                                                 {"torch.ShortStorage", at::kShort},
                                                 {"torch.CharStorage", at::kChar},
                                                 {"torch.ByteStorage", at::kByte},
                                                 {"torch.BoolStorage", at::kBool}}};
constexpr std::string_view kRebuildTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils._rebuild_parameter";
constexpr std::string_view kOrderedDict = "collections.OrderedDict";
/// What TorchScript writes around lists and dictionaries; their content is the first argument.
constexpr std::array<std::string_view, 5> kWrappers{
    "torch.jit._pickle.build_intlist", "torch.jit._pickle.build_tensorlist", "torch.jit._pickle.build_doublelist",
    "torch.jit._pickle.build_boollist", "torch.jit._pickle.restore_type_tag"};
/// Classes of a TorchScript program, and what checkpoints keep the command line in: here no more than the names of
/// their attributes.
constexpr std::string_view kScriptClass = "__torch__.", kArguments = "argparse.Namespace";
constexpr std::array<std::string_view, 3> kDictsOfInterest{"model", "state_dict", "model_state_dict"};

std::optional<at::ScalarType> storageType(std::string_view name) {
    const auto found = std::ranges::find(kStorages, name, &StorageName::name);
    return found == kStorages.end() ? std::nullopt : std::optional(found->type);
}

bool isWrapper(std::string_view name) {
    return std::ranges::find(kWrappers, name) != kWrappers.end();
}

bool isPlainObject(std::string_view name) {
    return name == kArguments || name.starts_with(kScriptClass);
}

bool isHarmless(std::string_view name) {
    return name == kRebuildTensor || name == kRebuildParameter || name == kOrderedDict || storageType(name) ||
           isWrapper(name) || isPlainObject(name);
}

enum class Kind { Other, Integer, Text, List, Dict, Name, Storage, Tensor, Object };
using Ref = PickleMachine::Ref;

struct Value {
    Kind kind = Kind::Other;
    std::int64_t integer = 0;  ///< of numbers and truth values; index of a Storage or a Tensor
    std::string_view text{};   ///< of Text; "module.name" of Name
    std::vector<Ref> items{};  ///< List: elements; Dict: key, value, ...; Object: the dictionary of its attributes
};

/// What tensors and the plain holders around them need.
class Machine : private PickleMachine {
public:
    Machine(std::span<const std::uint8_t> bytes, const std::string& origin) : PickleMachine(bytes), origin_(origin) {}

    TorchPickle read() {
        while (step()) {
            if (values_.size() > kMostValues || mostHeld() > kMostValues || copied_ > kMostValues)
                damaged("it holds more than " + std::to_string(kMostValues) + " values");
        }
        collect(interesting(pop()));
        if (out_.tensors.empty())
            throw inputError("The file " + origin_ + " holds no tensors.",
                             "Give a file that torch.save made of weights.");
        return std::move(out_);
    }

private:
    [[noreturn]] void damaged(const std::string& reason) const override {
        throw inputError("The file " + origin_ + " is not a sound PyTorch file: " + reason + ", at byte " +
                             std::to_string(at()) + " of its pickle.",
                         kRemedy);
    }

    /// False at the end of the pickle.
    bool step() {
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

    void pushNew(Value value) {
        values_.push_back(std::move(value));
        push(static_cast<Ref>(values_.size() - 1));
    }
    void pushInteger(std::int64_t value) { pushNew({.kind = Kind::Integer, .integer = value}); }
    void pushText(std::string_view text) { pushNew({.kind = Kind::Text, .text = text}); }
    /// Numbers beyond 64 bits are no extents, so their value does not matter.
    void pushLong(std::uint64_t length) {
        const std::string_view bytes = take(length);
        if (length > 8) return pushNew({});
        pushInteger(signedNumber(bytes));
    }

    void extend(Kind kind, const std::vector<Ref>& by) {
        Value& value = values_[top()];
        if (value.kind != kind) damaged("something is put into what is neither list nor dictionary");
        value.items.insert(value.items.end(), by.begin(), by.end());
    }

    [[noreturn]] void refuse(const char* verb, std::string_view name) const {
        throw inputError("The file " + origin_ + " asks Python to " + verb + " " + shortLine(name) +
                             ", which weights never need; nothing of it was run.",
                         "If you trust its makers, save the state dict alone with torch.save.");
    }

    void pushName(const std::string& name) {
        if (!isHarmless(name)) refuse("use", name);
        pushNew({.kind = Kind::Name, .text = names_.emplace_back(name)});
    }

    std::string_view textOf(Ref value) const {
        if (values_[value].kind != Kind::Text) damaged("a text is missing");
        return values_[value].text;
    }
    const Value& argument(const std::vector<Ref>& arguments, std::size_t i, Kind kind) const {
        if (i >= arguments.size() || values_[arguments[i]].kind != kind)
            damaged("something is called with arguments that it does not take");
        return values_[arguments[i]];
    }

    /// ("storage", type, key, device, elements)
    void pushStorage() {
        const std::vector<Ref>& said = values_[pop()].items;
        if (argument(said, 0, Kind::Text).text != "storage") damaged("it refers to something that is no storage");
        const std::string_view name = argument(said, 1, Kind::Name).text;
        const auto type = storageType(name);
        if (!type) damaged("the class " + shortLine(name) + " is no storage");
        const std::string_view key = argument(said, 2, Kind::Text).text;
        const std::int64_t count = argument(said, 4, Kind::Integer).integer;
        if (key.size() > kLongestName || !isPlainLine(key)) damaged("a storage has no plain name");
        if (count < 0) damaged("a storage has a negative size");
        const auto [found, fresh] =
            storages_.try_emplace({std::string(key), static_cast<int>(*type), count}, out_.storages.size());
        if (fresh) out_.storages.push_back({std::string(key), *type, count});
        pushNew({.kind = Kind::Storage, .integer = static_cast<std::int64_t>(found->second)});
    }

    void call() {
        const Ref argumentsRef = pop();
        const Ref functionRef = pop();
        if (values_[functionRef].kind != Kind::Name || values_[argumentsRef].kind != Kind::List)
            damaged("something is called that cannot be");
        const std::string_view function = values_[functionRef].text;
        const std::vector<Ref> arguments = values_[argumentsRef].items;
        copied_ += arguments.size();
        if (function == kRebuildTensor) {
            rebuildTensor(arguments);
        } else if (function == kRebuildParameter) {
            argument(arguments, 0, Kind::Tensor);
            push(arguments[0]);
        } else if (function == kOrderedDict) {
            orderedDict(arguments);
        } else if (isWrapper(function)) {
            if (arguments.empty()) damaged("something is called with arguments that it does not take");
            push(arguments[0]);
        } else {
            refuse("call", function);
        }
    }

    /// Python before 3.7 wrote some as a list of pairs.
    void orderedDict(const std::vector<Ref>& arguments) {
        std::vector<Ref> items;
        if (!arguments.empty()) {
            const std::vector<Ref>& entries = argument(arguments, 0, Kind::List).items;
            copied_ += 2 * entries.size();
            if (copied_ > kMostValues) damaged("it holds more than " + std::to_string(kMostValues) + " values");
            for (const Ref entry : entries) {
                const Value& pair = values_[entry];
                if (pair.kind != Kind::List || pair.items.size() != 2) damaged("a key has no value");
                items.insert(items.end(), pair.items.begin(), pair.items.end());
            }
        }
        pushNew({.kind = Kind::Dict, .items = std::move(items)});
    }

    std::vector<std::int64_t> numbersOf(const Value& list) const {
        if (list.items.size() > kMostExtents) damaged("a tensor has more than 16 extents");
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            numbers.push_back(argument(list.items, i, Kind::Integer).integer);
            if (numbers.back() < 0) damaged("a tensor has a negative extent or stride");
        }
        return numbers;
    }

    /// (storage, offset, sizes, strides, ...): a tensor must lie inside its storage and have no more elements.
    void rebuildTensor(const std::vector<Ref>& arguments) {
        TorchPickle::Place place;
        place.storage = static_cast<std::size_t>(argument(arguments, 0, Kind::Storage).integer);
        place.offset = argument(arguments, 1, Kind::Integer).integer;
        place.sizes = numbersOf(argument(arguments, 2, Kind::List));
        place.strides = numbersOf(argument(arguments, 3, Kind::List));
        if (place.sizes.size() != place.strides.size()) damaged("a tensor has another number of extents than strides");
        const std::int64_t count = out_.storages[place.storage].count;
        std::int64_t last = place.offset, elements = 1, span = 1;
        bool empty = false, fits = place.offset >= 0;
        for (std::size_t i = 0; i < place.sizes.size(); ++i) {
            std::int64_t reach = 0;
            empty = empty || place.sizes[i] == 0;
            // An empty tensor's other extents must not overflow either.
            const std::int64_t extent = std::max<std::int64_t>(place.sizes[i], 1);
            fits = fits && !__builtin_mul_overflow(extent - 1, place.strides[i], &reach) &&
                   !__builtin_add_overflow(last, reach, &last) && !__builtin_mul_overflow(span, extent, &span);
            elements *= fits && !empty ? extent : 1;
        }
        if (!fits || (!empty && (last >= count || elements > count)) || place.offset > count)
            damaged("a tensor lies outside its storage, or repeats parts of it");
        if (places_.size() >= kMostTensors) damaged("it holds more than " + std::to_string(kMostTensors) + " tensors");
        places_.push_back(std::move(place));
        pushNew({.kind = Kind::Tensor, .integer = static_cast<std::int64_t>(places_.size() - 1)});
    }

    void makeObject() {
        const Ref arguments = pop();
        const Value& type = values_[pop()];
        if (type.kind != Kind::Name || !isPlainObject(type.text) || values_[arguments].kind != Kind::List)
            damaged("an object is made of something that is no plain class");
        pushNew({.kind = Kind::Object});
    }

    /// Attributes: those of an object are its content; those of a dictionary say nothing about its tensors.
    void build() {
        const Ref state = pop();
        Value& target = values_[top()];
        if (target.kind == Kind::Dict) return;
        if (target.kind != Kind::Object || values_[state].kind != Kind::Dict)
            damaged("something is filled that cannot be");
        target.items = {state};
    }

    /// The value of a dictionary's key, as Python finds it: the last of equal keys stays.
    std::optional<Ref> find(const Value& dict, std::string_view key) const {
        for (std::size_t i = dict.items.size(); i >= 2; i -= 2) {
            const Value& name = values_[dict.items[i - 2]];
            if (name.kind == Kind::Text && name.text == key) return dict.items[i - 1];
        }
        return std::nullopt;
    }

    bool holdsValues(Ref value) const {
        return values_[value].kind == Kind::Dict || values_[value].kind == Kind::Object;
    }

    /// Where the weights lie: a training's checkpoint holds them beside other things.
    Ref interesting(Ref root) const {
        for (std::size_t depth = 0; depth < kDeepest && values_[root].kind == Kind::Dict; ++depth) {
            std::optional<Ref> inner;
            for (const std::string_view key : kDictsOfInterest) {
                const auto found = find(values_[root], key);
                if (!inner && found && holdsValues(*found)) inner = found;
            }
            if (!inner) break;
            root = *inner;
        }
        return root;
    }

    struct Level {
        Ref dict;
        std::size_t next;
        std::string prefix;
    };

    /// All tensors below, with the keys on the way to them joined by dots; lists hold none of a network.
    void collect(Ref root) {
        if (values_[root].kind == Kind::Tensor) return emit("tensor", root);
        std::vector<Level> levels;
        enter(levels, root, {});
        for (std::size_t visited = 0; !levels.empty(); ++visited) {
            // One dictionary in many places is read in each: without an end, if they are nested so.
            if (visited > kMostValues) damaged("it holds more than " + std::to_string(kMostValues) + " values");
            Level& level = levels.back();
            const std::vector<Ref>& items = values_[level.dict].items;
            if (level.next + 1 >= items.size()) {
                levels.pop_back();
                continue;
            }
            const Value& key = values_[items[level.next]];
            const Ref value = items[level.next + 1];
            level.next += 2;
            if (key.kind != Kind::Text) continue;
            const std::string name = level.prefix + std::string(key.text.substr(0, kLongestName + 1));
            if (name.size() > kLongestName || !isPlainLine(name))
                damaged("it holds a name that is not a short line of text");
            if (values_[value].kind == Kind::Tensor)
                emit(name, value);
            else if (holdsValues(value))
                enter(levels, value, name + ".");
        }
    }

    void enter(std::vector<Level>& levels, Ref value, std::string prefix) {
        if (levels.size() >= kDeepest) damaged("it is nested too deeply");
        const Value& object = values_[value];
        if (object.kind == Kind::Object && !object.items.empty()) value = object.items[0];
        if (values_[value].kind == Kind::Dict) levels.push_back({value, 0, std::move(prefix)});
    }

    void emit(const std::string& name, Ref value) {
        TorchPickle::Place place = places_[static_cast<std::size_t>(values_[value].integer)];
        place.name = name;
        const auto [found, fresh] = named_.try_emplace(name, out_.tensors.size());
        if (!fresh) {
            out_.tensors[found->second] = std::move(place);
            return;
        }
        if (out_.tensors.size() >= kMostTensors)
            damaged("it holds more than " + std::to_string(kMostTensors) + " tensors");
        out_.tensors.push_back(std::move(place));
    }

    const std::string& origin_;
    std::size_t copied_ = 0;  // references that were copied: a value may stand in many places
    std::vector<Value> values_;
    std::deque<std::string> names_;
    std::map<std::tuple<std::string, int, std::int64_t>, std::size_t> storages_;
    std::vector<TorchPickle::Place> places_;
    std::map<std::string, std::size_t> named_;
    TorchPickle out_;
};

}  // namespace

TorchPickle readTorchPickle(std::span<const std::uint8_t> bytes, const std::string& origin) {
    return Machine(bytes, origin).read();
}

}  // namespace palimpsest
