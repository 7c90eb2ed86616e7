// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor_file.h"

#include <c10/util/accumulate.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "datasets/files/archive.h"
#include "engine/network/torch_pickle.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kLargestPickle = 64 << 20;
/// Largest ratio of elements used to elements stored. Tensors may share a storage, but far more sharing is a bomb.
constexpr std::int64_t kMostSharing = 16;
constexpr std::string_view kPickle = "data.pkl", kByteOrder = "byteorder";

std::string textOf(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

/// Limits for unpacking: torch.save compresses nothing, so an archive that unpacks to much more than its size is not
/// its work.
ArchiveSettings bounds(const std::filesystem::path& file) {
    std::error_code ignored;
    ArchiveSettings settings;
    settings.most_bytes = 2 * static_cast<std::int64_t>(std::filesystem::file_size(file, ignored)) + (1 << 20);
    return settings;
}

class Reader {
public:
    explicit Reader(const std::filesystem::path& file) : file_(file), origin_(file.string()) {}

    TensorFile read() {
        const std::vector<std::uint8_t> pickle = readPickle();
        pickle_ = readTorchPickle(pickle, origin_);
        // Storages of the optimizer's tensors, which a training checkpoint also holds, are not read.
        for (const auto& place : pickle_.tensors) used_.insert(place.storage);
        checkSharing();
        readStorages();
        TensorFile result;
        result.origin = origin_;
        result.format = "PyTorch";
        for (const auto& place : pickle_.tensors) {
            const Tensor& storage = storages_[place.storage];
            if (!storage.defined())
                throw inputError("The file " + origin_ + " lacks the data of the tensor " + place.name + ".",
                                 kDamagedFileHint);
            result.tensors.push_back(
                {place.name, storage.as_strided(place.sizes, place.strides, place.offset).contiguous()});
        }
        return result;
    }

private:
    /// Reads data.pkl and finds the folder that torch.save puts everything into.
    std::vector<std::uint8_t> readPickle() {
        std::optional<std::vector<std::uint8_t>> pickle;
        std::string order;
        visitArchive(
            file_,
            [&](const ArchiveMember& member) {
                StopScope::check();
                const std::size_t slash = member.name.find('/');
                const std::string_view leaf =
                    std::string_view(member.name).substr(slash == std::string::npos ? 0 : slash + 1);
                if (leaf == kPickle && !pickle) {
                    if (member.size > kLargestPickle)
                        throw inputError("The file " + origin_ + " describes its tensors in more than 64 MiB.",
                                         kDamagedFileHint);
                    folder_ = member.name.substr(0, member.name.size() - kPickle.size());
                    pickle = member.read();
                } else if (leaf == kByteOrder && member.size < 16) {
                    order = textOf(member.read());
                }
                return true;
            },
            bounds(file_));
        if (!pickle)
            throw inputError("The archive " + origin_ + " is no file of PyTorch: it holds no data.pkl.",
                             "Give a file that torch.save made.");
        if (order == "big")
            throw inputError("The file " + origin_ + " was written on a big-endian machine.",
                             "Load and save it with PyTorch on a usual one.");
        return std::move(*pickle);
    }

    void checkSharing() const {
        std::int64_t stored = 1 << 20, taken = 0;
        for (const std::size_t i : used_)
            stored += std::min<std::int64_t>(pickle_.storages[i].count, std::int64_t{1} << 40);
        for (const auto& place : pickle_.tensors) {
            taken += c10::multiply_integers(place.sizes);
            if (taken / kMostSharing > stored)
                throw inputError("The tensors of " + origin_ + " repeat the same data too often.", kDamagedFileHint);
        }
    }

    void readStorages() {
        storages_.resize(pickle_.storages.size());
        std::multimap<std::string, std::size_t> wanted;
        for (const std::size_t i : used_) wanted.emplace(folder_ + "data/" + pickle_.storages[i].key, i);
        visitArchive(
            file_,
            [&](const ArchiveMember& member) {
                StopScope::check();
                const auto [first, last] = wanted.equal_range(member.name);
                if (first == last) return true;
                for (auto it = first; it != last; ++it) checkSize(pickle_.storages[it->second], member.size);
                const std::vector<std::uint8_t> bytes = member.read();
                for (auto it = first; it != last; ++it)
                    storages_[it->second] = filled(pickle_.storages[it->second], bytes);
                wanted.erase(first, last);
                return !wanted.empty();
            },
            bounds(file_));
    }

    void checkSize(const TorchPickle::Storage& storage, std::int64_t bytes) const {
        std::int64_t needed = 0;
        if (__builtin_mul_overflow(storage.count, static_cast<std::int64_t>(c10::elementSize(storage.type)), &needed) ||
            needed != bytes)
            throw inputError("The storage " + storage.key + " of " + origin_ + " has " + std::to_string(bytes) +
                                 " bytes, not those of its " + std::to_string(storage.count) + " numbers.",
                             kDamagedFileHint);
    }

    Tensor filled(const TorchPickle::Storage& storage, const std::vector<std::uint8_t>& bytes) const {
        checkSize(storage, static_cast<std::int64_t>(bytes.size()));
        return filledTensor({storage.count}, storage.type, [&](void* out) {
            if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
        });
    }

    const std::filesystem::path& file_;
    const std::string origin_;
    std::string folder_;
    TorchPickle pickle_;
    std::set<std::size_t> used_;  // storages that hold a wanted tensor
    std::vector<Tensor> storages_;
};

}  // namespace

TensorFile readTorchFile(const std::filesystem::path& file) {
    return Reader(file).read();
}

}  // namespace palimpsest
