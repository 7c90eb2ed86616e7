// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/torch_names.h"

#include <algorithm>
#include <array>

namespace palimpsest {
namespace {

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

}  // namespace

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

}  // namespace palimpsest
