// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest::test {

inline std::string littleEndian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

inline std::uint32_t crc32Of(const std::string& bytes) {
    std::uint32_t crc = ~0U;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int i = 0; i < 8; ++i) crc = crc >> 1U ^ (crc & 1U ? 0xedb88320U : 0U);
    }
    return ~crc;
}

using ZipEntries = std::vector<std::pair<std::string, std::string>>;

/// A zip archive as torch.save writes it: uncompressed, sizes after each entry and in the directory.
inline std::string zipOf(const ZipEntries& entries) {
    constexpr std::uint64_t kFlags = 0x0808;  // UTF-8 names, lengths at the end
    std::string archive, directory;
    for (const auto& [name, content] : entries) {
        const std::size_t offset = archive.size();
        const std::string sums =
            littleEndian(crc32Of(content), 4) + littleEndian(content.size(), 4) + littleEndian(content.size(), 4);
        const std::string versionTo = littleEndian(20, 2) + littleEndian(kFlags, 2) + littleEndian(0, 2) +
                                      littleEndian(0, 2) + littleEndian(0x21, 2);
        archive += littleEndian(0x04034b50, 4) + versionTo + std::string(12, '\0') + littleEndian(name.size(), 2) +
                   littleEndian(0, 2) + name + content + littleEndian(0x08074b50, 4) + sums;
        directory += littleEndian(0x02014b50, 4) + littleEndian(20, 2) + versionTo + sums +
                     littleEndian(name.size(), 2) + std::string(12, '\0') + littleEndian(offset, 4) + name;
    }
    return archive + directory + littleEndian(0x06054b50, 4) + littleEndian(0, 4) + littleEndian(entries.size(), 2) +
           littleEndian(entries.size(), 2) + littleEndian(directory.size(), 4) + littleEndian(archive.size(), 4) +
           littleEndian(0, 2);
}

// Parts of a pickle, as torch.save writes them.

inline std::string pickled(const std::string& text) {
    return "X" + littleEndian(text.size(), 4) + text;
}
inline std::string pickled(std::int64_t number) {
    if (number >= 0 && number < 256) return "K" + littleEndian(static_cast<std::uint64_t>(number), 1);
    if (number >= INT32_MIN && number <= INT32_MAX) return "J" + littleEndian(static_cast<std::uint64_t>(number), 4);
    return "\x8a\x08" + littleEndian(static_cast<std::uint64_t>(number), 8);
}
inline std::string pickled(const std::vector<std::int64_t>& numbers) {
    std::string tuple = "(";
    for (const std::int64_t number : numbers) tuple += pickled(number);
    return tuple + "t";
}
inline std::string global(const std::string& module, const std::string& name) {
    return "c" + module + "\n" + name + "\n";
}
inline std::string wholePickle(const std::string& content) {
    return "\x80\x02" + content + ".";
}
inline std::string emptyOrderedDict() {
    return global("collections", "OrderedDict") + ")R";
}

inline const char* storageClass(at::ScalarType type) {
    switch (type) {
        case at::kDouble:
            return "DoubleStorage";
        case at::kHalf:
            return "HalfStorage";
        case at::kBFloat16:
            return "BFloat16Storage";
        case at::kLong:
            return "LongStorage";
        case at::kInt:
            return "IntStorage";
        case at::kByte:
            return "ByteStorage";
        case at::kBool:
            return "BoolStorage";
        default:
            return "FloatStorage";
    }
}

struct StoragePart {
    std::string key;
    at::ScalarType type = at::kFloat;
    std::int64_t count = 0;
    std::string device = "cuda:0";  ///< as in the official prompts
};

inline std::string pickledTensor(const StoragePart& storage, std::int64_t offset,
                                 const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides) {
    return global("torch._utils", "_rebuild_tensor_v2") + "((" + pickled(std::string("storage")) +
           global("torch", storageClass(storage.type)) + pickled(storage.key) + pickled(storage.device) +
           pickled(storage.count) + "tQ" + pickled(offset) + pickled(sizes) + pickled(strides) + "\x89" +
           emptyOrderedDict() + "tR";
}

inline std::string bytesOf(const Tensor& tensor) {
    const Tensor whole = tensor.contiguous();
    return {static_cast<const char*>(whole.data_ptr()), whole.nbytes()};
}

/// An OrderedDict with the attribute that a state dict has, and the entries that hold its numbers.
inline std::pair<std::string, ZipEntries> stateDict(const std::vector<NamedTensor>& tensors,
                                                    const std::string& folder) {
    std::string pickle = emptyOrderedDict() + "(";
    ZipEntries entries;
    for (const auto& [name, tensor] : tensors) {
        const std::string key = std::to_string(entries.size());
        const Tensor whole = tensor.contiguous();
        pickle += pickled(name) + pickledTensor({key, whole.scalar_type(), whole.numel()}, 0, whole.sizes().vec(),
                                                whole.strides().vec());
        entries.emplace_back(folder + "/data/" + key, bytesOf(whole));
    }
    return {pickle + "u}" + pickled(std::string("_metadata")) + emptyOrderedDict() + "sb", entries};
}

inline std::filesystem::path writeBytes(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    return file;
}

/// Writes a file of torch.save: its pickle (without protocol and end), then the entries with the numbers.
inline std::filesystem::path writeTorch(const std::filesystem::path& file, const std::string& pickle,
                                        const ZipEntries& data, const std::string& folder = "archive") {
    ZipEntries entries = {{folder + "/data.pkl", wholePickle(pickle)}};
    entries.insert(entries.end(), data.begin(), data.end());
    entries.emplace_back(folder + "/version", "3\n");
    return writeBytes(file, zipOf(entries));
}

}  // namespace palimpsest::test
