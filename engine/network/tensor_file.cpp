// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor_file.h"

#include <string_view>

#include "datasets/files/archive.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {
namespace {

constexpr std::string_view kZip = "PK\x03\x04";
/// First bytes of every torch.save file before 1.6: protocol 2 and torch.serialization.MAGIC_NUMBER.
constexpr std::string_view kOldTorch = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
constexpr std::string_view kFormats = ".safetensors, NumPy's .npz or PyTorch's torch.save";

std::string beginningOf(const std::filesystem::path& file) {
    std::string bytes(16, '\0');
    try {
        InputFile in(file);
        in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.resize(static_cast<std::size_t>(in.gcount()));
        return bytes;
    } catch (const Error&) {
        // The reader of the whole file says why it cannot be read.
        return {};
    }
}

/// True if a JSON header follows its length in eight bytes. Another format may begin with the same bytes.
bool hasJsonHeader(const std::string& beginning, const std::filesystem::path& file) {
    if (beginning.size() < 9 || beginning[8] != '{') return false;
    std::uint64_t length = 0;
    for (std::size_t k = 8; k-- > 0;) length = length << 8U | static_cast<unsigned char>(beginning[k]);
    std::error_code unreadable;
    const auto size = std::filesystem::file_size(file, unreadable);
    return !unreadable && length <= size - 8;
}

enum class ZipKind { Torch, Npz, Other };

/// Kind by the first entry that is decisive; torch.save writes data.pkl before all numbers.
ZipKind kindOfZip(const std::filesystem::path& file) {
    ZipKind kind = ZipKind::Other;
    try {
        visitArchive(file, [&](const ArchiveMember& member) {
            if (member.name == "data.pkl" || member.name.ends_with("/data.pkl")) kind = ZipKind::Torch;
            if (member.name.ends_with(".npy")) kind = ZipKind::Npz;
            return kind == ZipKind::Other;
        });
    } catch (const Error&) {
        throw inputError(
            "The file " + file.string() + " begins like one of torch.save or NumPy's .npz, but is cut off or damaged.",
            kDamagedFileHint);
    }
    return kind;
}

/// Refuses anything but a regular file: a pipe would block for ever, a folder be reported as damaged.
void requireFile(const std::filesystem::path& file) {
    namespace fs = std::filesystem;
    std::error_code unreadable;
    const std::string name = "The file " + file.string();
    if (fs::is_symlink(fs::symlink_status(file, unreadable)) && !fs::exists(file, unreadable))
        throw inputError(name + " is a link to a file that is not there.", "Name the file itself.");
    if (fs::is_directory(file, unreadable)) throw inputError(name + " is a folder.", "Name the file in it.");
    const fs::file_status status = fs::status(file, unreadable);
    if (status.type() == fs::file_type::not_found) throw inputError(name + " is not there.", "Check the path.");
    // Permission errors show when the file is read.
    if (!fs::status_known(status) || fs::is_regular_file(status)) {
        if (fs::file_size(file, unreadable) == 0 && !unreadable)
            throw inputError(name + " is empty.", kDamagedFileHint);
        return;
    }
    throw inputError(name + " is no file of bytes, but a pipe or a device.", "Name a file.");
}

}  // namespace

const Tensor* TensorFile::find(const std::string& name) const {
    for (const auto& entry : tensors)
        if (entry.name == name) return &entry.tensor;
    return nullptr;
}

const Tensor& TensorFile::at(const std::string& name) const {
    if (const Tensor* tensor = find(name)) return *tensor;
    throw inputError("The file " + origin + " lacks the tensor " + name + ".", "Give a file that holds it.");
}

TensorFile readTensorFile(const std::filesystem::path& file) {
    requireFile(file);
    const std::string beginning = beginningOf(file);
    if (hasJsonHeader(beginning, file)) return readSafetensors(file);
    if (beginning.starts_with(kZip)) {
        switch (kindOfZip(file)) {
            case ZipKind::Torch:
                return readTorchFile(file);
            case ZipKind::Npz:
                return readNpz(file);
            case ZipKind::Other:
                break;
        }
        throw inputError("The archive " + file.string() + " holds no weights: neither a data.pkl nor arrays.",
                         "Give a file of " + std::string(kFormats) + ".");
    }
    if (beginning.starts_with(kOldTorch))
        throw inputError(
            "The file " + file.string() + " has PyTorch's form from before version 1.6.",
            "Save it again with a newer PyTorch: torch.save(torch.load(name, map_location=\"cpu\"), name).");
    if (beginning.starts_with('\x80'))
        throw inputError("The file " + file.string() + " is a Python pickle, not a file of weights.",
                         "Save its tensors with torch.save.");
    // A file with that ending, or with such a header, gets the detailed errors of the safetensors reader.
    if (file.extension() == ".safetensors" || beginning.empty() || (beginning.size() > 8 && beginning[8] == '{'))
        return readSafetensors(file);
    throw inputError("The file " + file.string() + " is no file of weights.",
                     "Give a file of " + std::string(kFormats) + ".");
}

}  // namespace palimpsest
