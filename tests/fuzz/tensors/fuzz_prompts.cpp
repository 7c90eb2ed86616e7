// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/prompt_files.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_prompts {

/// A file of prompts, and a folder of published ones.
FUZZ_TARGET(prompts, 800) {
    const auto read = [](const std::filesystem::path& path) {
        fuzz::answers([&] {
            const TensorFile file = readPrompts(path);
            for (const NamedTensor& entry : file.tensors)
                fuzz::require(entry.tensor.dim() == 3 && entry.tensor.numel() > 0, "prompts of another shape");
        });
    };
    read(fuzz::fileWith(input, "prompts.safetensors"));
    read(fuzz::fileWith(input, "g_prompt.pt"));
    static fuzz::InputFolder folder({"g_prompt.pt", "e_prompt.pt"});
    folder.fill(input);
    read(folder.path());
}

}  // namespace palimpsest::fuzz_prompts
