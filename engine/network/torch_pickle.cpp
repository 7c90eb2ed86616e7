// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/torch_pickle.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

// Limits; a file that exceeds one of them is damaged.
constexpr std::size_t kMostPickleValues = 1'000'000;
constexpr std::size_t kMostPickleTensors = 100'000;
constexpr std::size_t kLongestPickleName = 1000;
constexpr std::size_t kMostTensorExtents = 16;
constexpr std::size_t kDeepestPickle = 32;

constexpr std::uint32_t kLowestTorchProtocol = 2, kHighestTorchProtocol = 5;
constexpr std::array<std::string_view, 3> kDictsOfInterest{"model", "state_dict", "model_state_dict"};

constexpr std::string_view kRebuildTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils._rebuild_parameter";
constexpr std::string_view kOrderedDict = "collections.OrderedDict";

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
constexpr std::array<std::string_view, 5> kWrappers{
    "torch.jit._pickle.build_intlist", "torch.jit._pickle.build_tensorlist", "torch.jit._pickle.build_doublelist",
    "torch.jit._pickle.build_boollist", "torch.jit._pickle.restore_type_tag"};
constexpr std::string_view kScriptClass = "__torch__.", kArguments = "argparse.Namespace";

/// True for the functions that TorchScript wraps around lists and dictionaries; their first argument is the content.
bool isWrapper(std::string_view name) {
    return std::ranges::find(kWrappers, name) != kWrappers.end();
}

/// True for classes of a TorchScript program and for argparse.Namespace, in which checkpoints keep the command line:
/// both are read as mere holders of attributes.
bool isPlainObject(std::string_view name) {
    return name == kArguments || name.starts_with(kScriptClass);
}

/// `at`: bytes of the pickle read so far.
[[noreturn]] void damagedTorchPickle(const std::string& origin, const std::string& reason, std::size_t at) {
    throw inputError("The file " + origin + " is not a sound PyTorch file: " + reason + ", at byte " +
                         std::to_string(at) + " of its pickle.",
                     "Download or make the file again.");
}

/// A reason for damagedTorchPickle(), such as "it holds more than 100000 tensors".
std::string holdsMoreThan(std::size_t most, const char* what) {
    return "it holds more than " + std::to_string(most) + " " + what;
}

/// Carries out the opcodes that torch.save writes for tensors and the plain holders around them.
class TorchUnpickler : private PickleValueMachine<PickleValue> {
public:
    TorchUnpickler(std::span<const std::uint8_t> bytes, const std::string& origin)
        : PickleValueMachine(bytes), origin_(origin) {}

    TorchPickleValues read() {
        while (step()) {
            if (values_.size() > kMostPickleValues || mostHeld() > kMostPickleValues || copied_ > kMostPickleValues)
                damaged(holdsMoreThan(kMostPickleValues, "values"));
        }
        out_.root = pop();
        out_.end = at();
        out_.values = std::move(values_);
        return std::move(out_);
    }

private:
    using Value = PickleValue;

    [[noreturn]] void damaged(const std::string& reason) const override { damagedTorchPickle(origin_, reason, at()); }

    /// Throws Error(Input): the pickle asks Python to do something with that name.
    [[noreturn]] void refuse(const char* verb, std::string_view name) const {
        throw inputError("The file " + origin_ + " asks Python to " + verb + " " + shortLine(name) +
                             ", which weights never need; nothing of it was run.",
                         "If you trust its makers, save the state dict alone with torch.save.");
    }

    /// Carries out one opcode. False at the end of the pickle.
    bool step() {
        const PickleOpcode opcode = nextOpcode();
        if (opcode == PickleOpcode::Stop) return false;
        const bool known = manageStack(opcode) || pushNumber(opcode) || pushVariableNumber(opcode) ||
                           pushText(opcode) || skipBytes(opcode) || pushContainer(opcode) || fillContainer(opcode) ||
                           arrange(opcode) || construct(opcode);
        if (!known) {
            unread();
            damaged("the opcode " + std::to_string(static_cast<unsigned>(opcode)) +
                    " is none that torch.save writes for tensors");
        }
        return true;
    }

    /// Pushes a truth value as a number, or a whole number of variable length. False for any other opcode.
    bool pushVariableNumber(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::NewTrue:
            case PickleOpcode::NewFalse:
                pushInteger(opcode == PickleOpcode::NewTrue ? 1 : 0);
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

    /// Numbers beyond 64 bits are no extents, so their value does not matter.
    void pushLong(std::uint64_t length) {
        const std::string_view bytes = readBytes(length);
        if (length > 8) return pushNew({});
        pushInteger(signedNumber(bytes));
    }

    bool pushText(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::ShortBinUnicode:
                pushNew({.kind = Kind::Text, .text = readBytes(number(1))});
                return true;
            case PickleOpcode::BinUnicode:
                pushNew({.kind = Kind::Text, .text = readBytes(number(4))});
                return true;
            case PickleOpcode::BinUnicode8:
                pushNew({.kind = Kind::Text, .text = readBytes(number(8))});
                return true;
            default:
                return false;
        }
    }

    /// Pushes a placeholder for bytes or a floating point number, which tensors do not need. False for any other
    /// opcode.
    bool skipBytes(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::BinFloat:
                readBytes(8);
                break;
            case PickleOpcode::ShortBinBytes:
            case PickleOpcode::ShortBinString:
                readBytes(number(1));
                break;
            case PickleOpcode::BinBytes:
            case PickleOpcode::BinString:
                readBytes(number(4));
                break;
            case PickleOpcode::BinBytes8:
                readBytes(number(8));
                break;
            default:
                return false;
        }
        pushNew({});
        return true;
    }

    /// Carries out the opcodes of the protocol itself. False for any other opcode.
    bool arrange(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::Proto:
                checkProtocol(number(1));
                return true;
            case PickleOpcode::Frame:
                number(8);  // only says how much may be read at once
                return true;
            case PickleOpcode::Memoize:
                rememberNext();
                return true;
            default:
                return false;
        }
    }

    void checkProtocol(std::uint64_t protocol) const {
        if (protocol < kLowestTorchProtocol || protocol > kHighestTorchProtocol)
            damaged("it has protocol " + std::to_string(protocol) + ", where 2 to 5 are read");
    }

    /// Pushes what a name, a reference out of the pickle or a call stands for. False for any other opcode.
    bool construct(PickleOpcode opcode) {
        switch (opcode) {
            case PickleOpcode::Global:
                pushName(nameInLines());
                return true;
            case PickleOpcode::StackGlobal:
                pushName(nameOnStack());
                return true;
            case PickleOpcode::BinPersId:
                pushStorage();
                return true;
            case PickleOpcode::Reduce:
                call();
                return true;
            case PickleOpcode::NewObj:
                makeObject();
                return true;
            case PickleOpcode::Build:
                build();
                return true;
            case PickleOpcode::Inst:
                refuse("call", nameInLines());  // old pickles name and call in one
            default:
                return false;
        }
    }

    /// "module.name" of two lines.
    std::string nameInLines() {
        const std::string module(line());
        return module + "." + std::string(line());
    }

    /// "module.name" of the two texts on top.
    std::string nameOnStack() {
        const std::vector<Ref> names = popSome(2);
        return std::string(textOf(names[0])) + "." + std::string(textOf(names[1]));
    }

    std::string_view textOf(Ref value) const {
        if (values_[value].kind != Kind::Text) damaged("a text is missing");
        return values_[value].text;
    }

    void pushName(const std::string& name) {
        if (!isHarmlessTorchName(name)) refuse("use", name);
        pushNew({.kind = Kind::Name, .text = out_.names.emplace_back(name)});
    }

    const Value& argument(const std::vector<Ref>& arguments, std::size_t i, Kind kind) const {
        if (i >= arguments.size() || values_[arguments[i]].kind != kind)
            damaged("something is called with arguments that it does not take");
        return values_[arguments[i]];
    }

    /// Pushes a storage from the tuple ("storage", type, key, device, elements) on top.
    void pushStorage() {
        const std::vector<Ref>& said = values_[pop()].items;
        if (argument(said, 0, Kind::Text).text != "storage") damaged("it refers to something that is no storage");
        const std::string_view name = argument(said, 1, Kind::Name).text;
        const auto type = torchStorageType(name);
        if (!type) damaged("the class " + shortLine(name) + " is no storage");
        const std::string_view key = argument(said, 2, Kind::Text).text;
        const std::int64_t count = argument(said, 4, Kind::Integer).integer;
        if (key.size() > kLongestPickleName || !isPlainLine(key)) damaged("a storage has no plain name");
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

    /// Makes a dictionary. Python before 3.7 passed its content as a list of pairs.
    void orderedDict(const std::vector<Ref>& arguments) {
        std::vector<Ref> items;
        if (!arguments.empty()) {
            const std::vector<Ref>& entries = argument(arguments, 0, Kind::List).items;
            copied_ += 2 * entries.size();
            if (copied_ > kMostPickleValues) damaged(holdsMoreThan(kMostPickleValues, "values"));
            for (const Ref entry : entries) {
                const Value& pair = values_[entry];
                if (pair.kind != Kind::List || pair.items.size() != 2) damaged("a key has no value");
                items.insert(items.end(), pair.items.begin(), pair.items.end());
            }
        }
        pushNew({.kind = Kind::Dict, .items = std::move(items)});
    }

    std::vector<std::int64_t> numbersOf(const Value& list) const {
        if (list.items.size() > kMostTensorExtents) damaged("a tensor has more than 16 extents");
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            numbers.push_back(argument(list.items, i, Kind::Integer).integer);
            if (numbers.back() < 0) damaged("a tensor has a negative extent or stride");
        }
        return numbers;
    }

    /// Makes a tensor of (storage, offset, sizes, strides, ...). It must lie inside its storage and have no more
    /// elements.
    void rebuildTensor(const std::vector<Ref>& arguments) {
        TorchPickle::Place place;
        place.storage = static_cast<std::size_t>(argument(arguments, 0, Kind::Storage).integer);
        place.offset = argument(arguments, 1, Kind::Integer).integer;
        place.sizes = numbersOf(argument(arguments, 2, Kind::List));
        place.strides = numbersOf(argument(arguments, 3, Kind::List));
        if (place.sizes.size() != place.strides.size()) damaged("a tensor has another number of extents than strides");
        if (!liesInside(place, out_.storages[place.storage].count))
            damaged("a tensor lies outside its storage, or repeats parts of it");
        if (out_.tensors.size() >= kMostPickleTensors) damaged(holdsMoreThan(kMostPickleTensors, "tensors"));
        out_.tensors.push_back(std::move(place));
        pushNew({.kind = Kind::Tensor, .integer = static_cast<std::int64_t>(out_.tensors.size() - 1)});
    }

    void makeObject() {
        const Ref arguments = pop();
        const Value& type = values_[pop()];
        if (type.kind != Kind::Name || !isPlainObject(type.text) || values_[arguments].kind != Kind::List)
            damaged("an object is made of something that is no plain class");
        pushNew({.kind = Kind::Object});
    }

    /// Sets attributes: those of an object are its content; those of a dictionary do not matter to its tensors.
    void build() {
        const Ref state = pop();
        Value& target = values_[top()];
        if (target.kind == Kind::Dict) return;
        if (target.kind != Kind::Object || values_[state].kind != Kind::Dict)
            damaged("something is filled that cannot be");
        target.items = {state};
    }

    const std::string& origin_;
    std::size_t copied_ = 0;  // references copied so far; a value may occur in many places
    std::map<std::tuple<std::string, int, std::int64_t>, std::size_t> storages_;
    TorchPickleValues out_;
};

/// Finds the weights among the values of a pickle, and names them.
class TorchWeightFinder {
public:
    TorchWeightFinder(TorchPickleValues values, const std::string& origin)
        : values_(std::move(values)), origin_(origin) {}

    TorchPickle find() {
        collect(interesting(values_.root));
        if (out_.tensors.empty())
            throw inputError("The file " + origin_ + " holds no tensors.",
                             "Give a file that torch.save made of weights.");
        out_.storages = std::move(values_.storages);
        return std::move(out_);
    }

private:
    using Ref = PickleValue::Ref;
    using Value = PickleValue;
    using Kind = PickleValue::Kind;

    [[noreturn]] void damaged(const std::string& reason) const { damagedTorchPickle(origin_, reason, values_.end); }
    const Value& at(Ref value) const { return values_.values[value]; }

    /// Value of a dictionary's key; the last of equal keys counts, as in Python.
    std::optional<Ref> valueOf(const Value& dict, std::string_view key) const {
        for (std::size_t i = dict.items.size(); i >= 2; i -= 2) {
            const Value& name = at(dict.items[i - 2]);
            if (name.kind == Kind::Text && name.text == key) return dict.items[i - 1];
        }
        return std::nullopt;
    }

    bool holdsValues(Ref value) const { return at(value).kind == Kind::Dict || at(value).kind == Kind::Object; }

    /// The dictionary that holds the weights: a training checkpoint keeps them beside other things.
    Ref interesting(Ref root) const {
        for (std::size_t depth = 0; depth < kDeepestPickle && at(root).kind == Kind::Dict; ++depth) {
            std::optional<Ref> inner;
            for (const std::string_view key : kDictsOfInterest) {
                const auto found = valueOf(at(root), key);
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

    /// Collects all tensors below `root` under the keys on their path, joined by dots. Lists hold no weights.
    void collect(Ref root) {
        if (at(root).kind == Kind::Tensor) return emit("tensor", root);
        std::vector<Level> levels;
        enter(levels, root, {});
        for (std::size_t visited = 0; !levels.empty(); ++visited) {
            // A dictionary that occurs in several places is read in each, which could take for ever when nested, hence
            // the limit.
            if (visited > kMostPickleValues) damaged(holdsMoreThan(kMostPickleValues, "values"));
            Level& level = levels.back();
            const std::vector<Ref>& items = at(level.dict).items;
            if (level.next + 1 >= items.size()) {
                levels.pop_back();
                continue;
            }
            const Value& key = at(items[level.next]);
            const Ref value = items[level.next + 1];
            level.next += 2;
            if (key.kind != Kind::Text) continue;
            const std::string name = level.prefix + std::string(key.text.substr(0, kLongestPickleName + 1));
            if (name.size() > kLongestPickleName || !isPlainLine(name))
                damaged("it holds a name that is not a short line of text");
            if (at(value).kind == Kind::Tensor)
                emit(name, value);
            else if (holdsValues(value))
                enter(levels, value, name + ".");
        }
    }

    void enter(std::vector<Level>& levels, Ref value, std::string prefix) {
        if (levels.size() >= kDeepestPickle) damaged("it is nested too deeply");
        const Value& object = at(value);
        if (object.kind == Kind::Object && !object.items.empty()) value = object.items[0];
        if (at(value).kind == Kind::Dict) levels.push_back({value, 0, std::move(prefix)});
    }

    void emit(const std::string& name, Ref value) {
        TorchPickle::Place place = values_.tensors[static_cast<std::size_t>(at(value).integer)];
        place.name = name;
        const auto [found, fresh] = named_.try_emplace(name, out_.tensors.size());
        if (!fresh) {
            out_.tensors[found->second] = std::move(place);
            return;
        }
        if (out_.tensors.size() >= kMostPickleTensors) damaged(holdsMoreThan(kMostPickleTensors, "tensors"));
        out_.tensors.push_back(std::move(place));
    }

    TorchPickleValues values_;
    const std::string& origin_;
    std::map<std::string, std::size_t> named_;
    TorchPickle out_;
};

}  // namespace

std::optional<at::ScalarType> torchStorageType(std::string_view name) {
    const auto found = std::ranges::find(kStorages, name, &StorageName::name);
    return found == kStorages.end() ? std::nullopt : std::optional(found->type);
}

bool isHarmlessTorchName(std::string_view name) {
    return name == kRebuildTensor || name == kRebuildParameter || name == kOrderedDict || torchStorageType(name) ||
           isWrapper(name) || isPlainObject(name);
}

bool liesInside(const TorchPickle::Place& place, std::int64_t count) {
    std::int64_t last = place.offset, elements = 1, span = 1;
    bool empty = false, fits = place.offset >= 0;
    for (std::size_t i = 0; i < place.sizes.size(); ++i) {
        std::int64_t reach = 0;
        empty = empty || place.sizes[i] == 0;
        // The other extents of an empty tensor must not overflow either.
        const std::int64_t extent = std::max<std::int64_t>(place.sizes[i], 1);
        fits = fits && !__builtin_mul_overflow(extent - 1, place.strides[i], &reach) &&
               !__builtin_add_overflow(last, reach, &last) && !__builtin_mul_overflow(span, extent, &span);
        elements *= fits && !empty ? extent : 1;
    }
    return fits && (empty || (last < count && elements <= count)) && place.offset <= count;
}

TorchPickleValues readTorchPickleValues(std::span<const std::uint8_t> bytes, const std::string& origin) {
    return TorchUnpickler(bytes, origin).read();
}

TorchPickle readTorchPickle(std::span<const std::uint8_t> bytes, const std::string& origin) {
    return TorchWeightFinder(readTorchPickleValues(bytes, origin), origin).find();
}

}  // namespace palimpsest
