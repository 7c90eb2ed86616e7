// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/prompt_files.h"

#include "engine/network/tensor_file.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBareTensor = "tensor";  // as readTensorFile() calls one without a name

bool isBare(const TensorFile& file) {
    return file.tensors.size() == 1 && file.tensors[0].name == kBareTensor;
}

/// The prompts a file with a bare tensor must be, by the file's own name; null when that does not say.
const char* kindOf(const fs::path& file) {
    const std::string name = file.filename().string();
    if (name.starts_with("g_prompt")) return kGeneralPrompts;
    return name.starts_with("e_prompt") ? kExpertPrompts : nullptr;
}

Tensor asPrompts(const Tensor& tensor, const std::string& name, const fs::path& file) {
    if (!tensor.is_floating_point() || tensor.dim() != 3 || tensor.numel() == 0)
        throw inputError("The prompts " + name + " of " + file.string() +
                             " are no table of numbers with three extents (prompts, blocks x rows, width).",
                         "Give a file of prompts, such as `palimpsest-cli isa` makes.");
    return tensor.to(at::kFloat).contiguous();
}

/// Adds the bare tensor of a file.
void addBare(TensorFile& all, const fs::path& path, const TensorFile& file) {
    if (!isBare(file))
        throw inputError("The file " + path.string() + " holds no bare tensor of prompts.",
                         "Give the files as they were published, or a .safetensors file with both prompts.");
    const char* name = kindOf(path);
    all.tensors.push_back({name, asPrompts(file.tensors[0].tensor, name, path)});
}

TensorFile fromFolder(const fs::path& folder, TensorFile all) {
    std::error_code unreadable;
    for (const char* name : {"g_prompt.pt", "e_prompt.pt"})
        if (fs::exists(folder / name, unreadable)) addBare(all, folder / name, readTensorFile(folder / name));
    if (all.tensors.empty())
        throw inputError("The folder " + folder.string() + " holds neither g_prompt.pt nor e_prompt.pt.",
                         "Give the folder of the published prompts, or a .safetensors file.");
    return all;
}

}  // namespace

TensorFile readPrompts(const fs::path& path) {
    std::error_code unreadable;
    TensorFile all;
    all.origin = path.string();
    if (!fs::exists(path, unreadable))
        throw inputError("There are no prompts " + path.string() + ".",
                         "Check the path; `palimpsest-cli isa` makes prompts.");
    if (fs::is_directory(path, unreadable)) return fromFolder(path, std::move(all));
    const TensorFile file = readTensorFile(path);
    if (isBare(file) && kindOf(path)) {
        addBare(all, path, file);
        std::string other = path.filename().string();
        other[0] = other[0] == 'g' ? 'e' : 'g';
        const fs::path beside = path.parent_path() / other;
        if (fs::exists(beside, unreadable)) addBare(all, beside, readTensorFile(beside));
        return all;
    }
    all.metadata = file.metadata;
    for (const char* name : {kGeneralPrompts, kExpertPrompts})
        if (const Tensor* tensor = file.find(name)) all.tensors.push_back({name, asPrompts(*tensor, name, path)});
    if (all.tensors.empty())
        throw inputError("The file " + path.string() + " holds neither g_prompt.prompts nor e_prompt.prompts.",
                         isBare(file) ? "Give the file its published name, g_prompt.pt or e_prompt.pt."
                                      : "Give a file of prompts, such as `palimpsest-cli isa` makes.");
    return all;
}

}  // namespace palimpsest
