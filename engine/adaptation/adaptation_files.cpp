// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_files.h"

#include <stop_token>
#include <system_error>
#include <utility>

#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

/// Also removes the saved state: an adaptation whose prompts are written elsewhere cannot be resumed here.
WritePrompts withoutState(WritePrompts write, std::filesystem::path state) {
    return [write = std::move(write), state = std::move(state)](const std::filesystem::path& file) {
        write(file);
        std::error_code gone;
        std::filesystem::remove(state, gone);
    };
}

/// Lock on a file of prompts for one adaptation, released with its holder, also when the process is killed. Null if no
/// lock could be made, whose cause is not reported here. Throws Error(Input) if another adaptation holds it.
std::unique_ptr<FolderLock> lockPrompts(const std::filesystem::path& file) {
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    std::error_code unreadable;
    // checkWritable() reports why a file cannot be written.
    if (!std::filesystem::is_directory(folder, unreadable)) return nullptr;
    std::stop_source unavailable;
    std::unique_ptr<FolderLock> lock;
    try {
        lock = std::make_unique<FolderLock>(
            folder, [&] { unavailable.request_stop(); }, unavailable.get_token(),
            "." + file.filename().string() + ".lock");
    } catch (const Error&) {
        return nullptr;
    }
    if (!lock->held())
        throw inputError("Another adaptation is writing to " + file.string() + ".",
                         "Wait for its end, or name another file.");
    return lock;
}

}  // namespace

WritePrompts promptsWriter(std::vector<NamedTensor> prompts, std::map<std::string, std::string> metadata,
                           std::int64_t step, const std::filesystem::path& place) {
    metadata["steps"] = std::to_string(step);
    metadata["version"] = PALIMPSEST_VERSION;
    metadata["libtorch"] = libtorchVersion();
    for (auto& [name, tensor] : prompts) {
        tensor = tensor.to(at::kCPU);
        if (!at::isfinite(tensor).all().item<bool>())
            throw runError("The adaptation diverged: " + name + " is no longer finite after step " + grouped(step) +
                               ", so " + place.string() + " was left as it was.",
                           "Lower the learning rate (initial_session.learning_rate) and start again.");
    }
    return [prompts = std::move(prompts), metadata = std::move(metadata)](const std::filesystem::path& file) {
        writeSafetensors(file, prompts, metadata);
    };
}

AdaptationFiles::AdaptationFiles(const AdaptationPlace& place, AdaptationObserver& observer)
    : place_(place), observer_(observer) {
    if (place_.file.extension() != ".safetensors")
        throw inputError("The prompts cannot be written as \"" + plainLine(place_.file.string()) + "\".",
                         "Give the file a name that ends in .safetensors.");
    // The lock comes first: even the check for writability would disturb another adaptation that is writing.
    lock_ = lockPrompts(place_.file);
    checkWritable(place_.file);
    std::filesystem::path state = place_.file;
    state += ".state";
    state_.emplace(state);
}

std::vector<std::string> AdaptationFiles::replaced() const {
    std::vector<std::string> sentences;
    std::error_code unreadable;
    if (!place_.resume && std::filesystem::exists(place_.file, unreadable))
        sentences.push_back(place_.file.string() +
                            " is there already and will be replaced, also when this adaptation is stopped.");
    if (!place_.resume && state_->existed())
        sentences.push_back(stateFile().string() +
                            " holds an adaptation that was stopped; this one starts anew and will replace it.");
    return sentences;
}

void AdaptationFiles::save(const MakeState& state) {
    try {
        const AdaptationState made = state();
        state_->write(made);
        state_step_ = made.step;
        warned_ = false;
    } catch (const Error& error) {
        if (!std::exchange(warned_, true))
            observer_.onWarning(std::string(error.what()) +
                                " The adaptation itself is not harmed, but cannot be resumed from here. " +
                                error.hint());
    }
}

void AdaptationFiles::keep(const WritePrompts& write, const MakeState& state, AdaptationEnded& ended) {
    const bool finished = ended.how == AdaptationEnded::How::Finished;
    try {
        write(place_.file);
    } catch (const Error& error) {
        // The state may still fit on the disk.
        if (!finished) save(state);
        // A state left by another adaptation is not removed.
        ended.keep_at = finished && state_step_ != 0 ? withoutState(write, stateFile()) : write;
        if (state_step_ == 0) throw;
        throw Error(error.kind(), error.what(), error.hint() + " Then go on from " + stateFile().string() + ".");
    }
    ended.file = place_.file;
    // Prompts come first: they are smaller, and worth more than the state.
    if (!finished) return save(state);
    state_->remove();
    state_step_ = 0;
}

void AdaptationFiles::restorePrevious() {
    state_->restorePrevious();
    state_step_ = first_step_;
}

}  // namespace palimpsest
