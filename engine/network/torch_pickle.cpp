// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/torch_pickle.h"

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/network/torch_pickle_values.h"
#include "engine/support/error.h"
#include "engine/support/utf8.h"

namespace palimpsest {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::array<std::string_view, 3> kDictsOfInterest{"model", "state_dict", "model_state_dict"};

using Ref = PickleValue::Ref;
using Value = PickleValue;
using Kind = PickleValue::Kind;

/// Finds the weights among the values of a pickle, and names them.
class Weights {
public:
    Weights(TorchPickleValues values, const std::string& origin) : values_(std::move(values)), origin_(origin) {}

    TorchPickle find() {
        collect(interesting(values_.root));
        if (out_.tensors.empty())
            throw inputError("The file " + origin_ + " holds no tensors.",
                             "Give a file that torch.save made of weights.");
        out_.storages = std::move(values_.storages);
        return std::move(out_);
    }

private:
    [[noreturn]] void damaged(const std::string& reason) const { damagedTorchPickle(origin_, reason, values_.end); }
    const Value& at(Ref value) const { return values_.values[value]; }

    /// Value of a dictionary's key; the last of equal keys counts, as in Python.
    std::optional<Ref> lookUp(const Value& dict, std::string_view key) const {
        for (std::size_t i = dict.items.size(); i >= 2; i -= 2) {
            const Value& name = at(dict.items[i - 2]);
            if (name.kind == Kind::Text && name.text == key) return dict.items[i - 1];
        }
        return std::nullopt;
    }

    bool holdsValues(Ref value) const { return at(value).kind == Kind::Dict || at(value).kind == Kind::Object; }

    /// The dictionary that holds the weights: a training checkpoint keeps them beside other things.
    Ref interesting(Ref root) const {
        for (std::size_t depth = 0; depth < kDeepest && at(root).kind == Kind::Dict; ++depth) {
            std::optional<Ref> inner;
            for (const std::string_view key : kDictsOfInterest) {
                const auto found = lookUp(at(root), key);
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
        if (levels.size() >= kDeepest) damaged("it is nested too deeply");
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

TorchPickle readTorchPickle(std::span<const std::uint8_t> bytes, const std::string& origin) {
    return Weights(readTorchPickleValues(bytes, origin), origin).find();
}

}  // namespace palimpsest
