// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/torch_pickle_values.h"

#include <map>
#include <tuple>
#include <utility>

#include "engine/network/storage_reach.h"
#include "engine/network/torch_names.h"
#include "engine/network/torch_pickle_opcodes.h"
#include "engine/support/error.h"
#include "engine/support/utf8.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostExtents = 16;

using Value = PickleValue;
using ValueKind = PickleValue::Kind;

/// Resolves the names and calls of a pickle, as far as tensors and the plain holders around them need it.
class Machine : private TorchPickleOpcodes {
public:
    Machine(std::span<const std::uint8_t> bytes, const std::string& origin)
        : TorchPickleOpcodes(bytes), origin_(origin) {}

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
    [[noreturn]] void damaged(const std::string& reason) const override { damagedTorchPickle(origin_, reason, at()); }

    [[noreturn]] void refuse(const char* verb, std::string_view name) const override {
        throw inputError("The file " + origin_ + " asks Python to " + verb + " " + shortLine(name) +
                             ", which weights never need; nothing of it was run.",
                         "If you trust its makers, save the state dict alone with torch.save.");
    }

    void pushName(const std::string& name) override {
        if (!isHarmless(name)) refuse("use", name);
        pushNew({.kind = ValueKind::Name, .text = out_.names.emplace_back(name)});
    }

    const Value& argument(const std::vector<Ref>& arguments, std::size_t i, ValueKind kind) const {
        if (i >= arguments.size() || values_[arguments[i]].kind != kind)
            damaged("something is called with arguments that it does not take");
        return values_[arguments[i]];
    }

    /// Pushes a storage from the tuple ("storage", type, key, device, elements) on top.
    void pushStorage() override {
        const std::vector<Ref>& said = values_[pop()].items;
        if (argument(said, 0, ValueKind::Text).text != "storage") damaged("it refers to something that is no storage");
        const std::string_view name = argument(said, 1, ValueKind::Name).text;
        const auto type = storageType(name);
        if (!type) damaged("the class " + shortLine(name) + " is no storage");
        const std::string_view key = argument(said, 2, ValueKind::Text).text;
        const std::int64_t count = argument(said, 4, ValueKind::Integer).integer;
        if (key.size() > kLongestPickleName || !isPlainLine(key)) damaged("a storage has no plain name");
        if (count < 0) damaged("a storage has a negative size");
        const auto [found, fresh] =
            storages_.try_emplace({std::string(key), static_cast<int>(*type), count}, out_.storages.size());
        if (fresh) out_.storages.push_back({std::string(key), *type, count});
        pushNew({.kind = ValueKind::Storage, .integer = static_cast<std::int64_t>(found->second)});
    }

    void call() override {
        const Ref argumentsRef = pop();
        const Ref functionRef = pop();
        if (values_[functionRef].kind != ValueKind::Name || values_[argumentsRef].kind != ValueKind::List)
            damaged("something is called that cannot be");
        const std::string_view function = values_[functionRef].text;
        const std::vector<Ref> arguments = values_[argumentsRef].items;
        copied_ += arguments.size();
        if (function == kRebuildTensor) {
            rebuildTensor(arguments);
        } else if (function == kRebuildParameter) {
            argument(arguments, 0, ValueKind::Tensor);
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
            const std::vector<Ref>& entries = argument(arguments, 0, ValueKind::List).items;
            copied_ += 2 * entries.size();
            if (copied_ > kMostPickleValues) damaged(holdsMoreThan(kMostPickleValues, "values"));
            for (const Ref entry : entries) {
                const Value& pair = values_[entry];
                if (pair.kind != ValueKind::List || pair.items.size() != 2) damaged("a key has no value");
                items.insert(items.end(), pair.items.begin(), pair.items.end());
            }
        }
        pushNew({.kind = ValueKind::Dict, .items = std::move(items)});
    }

    std::vector<std::int64_t> numbersOf(const Value& list) const {
        if (list.items.size() > kMostExtents) damaged("a tensor has more than 16 extents");
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            numbers.push_back(argument(list.items, i, ValueKind::Integer).integer);
            if (numbers.back() < 0) damaged("a tensor has a negative extent or stride");
        }
        return numbers;
    }

    /// Makes a tensor of (storage, offset, sizes, strides, ...). It must lie inside its storage and have no more
    /// elements.
    void rebuildTensor(const std::vector<Ref>& arguments) {
        TorchPickle::Place place;
        place.storage = static_cast<std::size_t>(argument(arguments, 0, ValueKind::Storage).integer);
        place.offset = argument(arguments, 1, ValueKind::Integer).integer;
        place.sizes = numbersOf(argument(arguments, 2, ValueKind::List));
        place.strides = numbersOf(argument(arguments, 3, ValueKind::List));
        if (place.sizes.size() != place.strides.size()) damaged("a tensor has another number of extents than strides");
        if (!liesInside(place, out_.storages[place.storage].count))
            damaged("a tensor lies outside its storage, or repeats parts of it");
        if (out_.tensors.size() >= kMostPickleTensors) damaged(holdsMoreThan(kMostPickleTensors, "tensors"));
        out_.tensors.push_back(std::move(place));
        pushNew({.kind = ValueKind::Tensor, .integer = static_cast<std::int64_t>(out_.tensors.size() - 1)});
    }

    void makeObject() override {
        const Ref arguments = pop();
        const Value& type = values_[pop()];
        if (type.kind != ValueKind::Name || !isPlainObject(type.text) || values_[arguments].kind != ValueKind::List)
            damaged("an object is made of something that is no plain class");
        pushNew({.kind = ValueKind::Object});
    }

    /// Sets attributes: those of an object are its content; those of a dictionary do not matter to its tensors.
    void build() override {
        const Ref state = pop();
        Value& target = values_[top()];
        if (target.kind == ValueKind::Dict) return;
        if (target.kind != ValueKind::Object || values_[state].kind != ValueKind::Dict)
            damaged("something is filled that cannot be");
        target.items = {state};
    }

    const std::string& origin_;
    std::size_t copied_ = 0;  // references copied so far; a value may occur in many places
    std::map<std::tuple<std::string, int, std::int64_t>, std::size_t> storages_;
    TorchPickleValues out_;
};

}  // namespace

TorchPickleValues readTorchPickleValues(std::span<const std::uint8_t> bytes, const std::string& origin) {
    return Machine(bytes, origin).read();
}

void damagedTorchPickle(const std::string& origin, const std::string& reason, std::size_t at) {
    throw inputError("The file " + origin + " is not a sound PyTorch file: " + reason + ", at byte " +
                         std::to_string(at) + " of its pickle.",
                     "Download or make the file again.");
}

std::string holdsMoreThan(std::size_t most, const char* what) {
    return "it holds more than " + std::to_string(most) + " " + what;
}

}  // namespace palimpsest
