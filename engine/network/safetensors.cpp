// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor_file.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::uint64_t kLargestHeader = 100'000'000;
constexpr int kDeepestHeader = 8;  // a tensor's extents lie at 3
constexpr std::size_t kLongestName = 1000, kMostExtents = 16;

struct TypeName {
    const char* name;
    at::ScalarType type;
};
constexpr TypeName kTypes[] = {{"F32", at::kFloat}, {"F64", at::kDouble}, {"F16", at::kHalf}, {"BF16", at::kBFloat16},
                               {"I64", at::kLong},  {"I32", at::kInt},    {"U8", at::kByte},  {"BOOL", at::kBool}};

std::optional<at::ScalarType> typeOf(const std::string& name) {
    for (const auto& entry : kTypes)
        if (name == entry.name) return entry.type;
    return std::nullopt;
}

const char* nameOf(at::ScalarType type) {
    for (const auto& entry : kTypes)
        if (type == entry.type) return entry.name;
    throw runError("A tensor has a type that .safetensors files cannot hold.");
}

struct Entry {
    std::string name;
    at::ScalarType type;
    std::vector<std::int64_t> shape;
    std::uint64_t begin, end;
};

/// JSON of a header. Repeated names and deep nesting are refused while it is read.
nlohmann::json parseHeader(const std::string& text, const std::string& origin) {
    std::set<std::string> names;
    const auto check = [&](int depth, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
        if (depth > kDeepestHeader)
            throw inputError("The header of " + origin + " is nested too deeply.", kDamagedFileHint);
        if (depth == 1 && event == nlohmann::json::parse_event_t::key) {
            const std::string name = parsed.get<std::string>();
            if (name.size() > kLongestName || !isPlainLine(name))
                throw inputError("The header of " + origin + " holds a name that is not a short line of text.",
                                 kDamagedFileHint);
            if (!names.insert(name).second)
                throw inputError("The header of " + origin + " names " + name + " twice.", kDamagedFileHint);
        }
        return true;
    };
    nlohmann::json header = nlohmann::json::parse(text, check, false);
    if (!header.is_object()) throw inputError("The header of " + origin + " is not valid JSON.", kDamagedFileHint);
    return header;
}

Entry parseEntry(const std::string& name, const nlohmann::json& value, std::uint64_t dataBytes,
                 const std::string& origin) {
    const auto bad = [&](const std::string& why) {
        return inputError("The tensor " + name + " of " + origin + " " + why + ".", kDamagedFileHint);
    };
    if (!value.is_object() || !value.contains("dtype") || !value.contains("shape") || !value.contains("data_offsets"))
        throw bad("lacks its type, shape or place");
    const auto& offsets = value["data_offsets"];
    if (!value["dtype"].is_string() || !value["shape"].is_array() || !offsets.is_array() || offsets.size() != 2 ||
        !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned())
        throw bad("has a malformed description");
    const auto type = typeOf(value["dtype"].get<std::string>());
    if (!type) throw bad("has the unknown type " + value["dtype"].get<std::string>());
    Entry entry{name, *type, {}, offsets[0].get<std::uint64_t>(), offsets[1].get<std::uint64_t>()};
    if (value["shape"].size() > kMostExtents) throw bad("has more than 16 extents");
    // Strides of an empty tensor count its empty extents as 1, and must not overflow either.
    auto span = static_cast<std::int64_t>(c10::elementSize(*type));
    bool empty = false;
    for (const auto& extent : value["shape"]) {
        if (!extent.is_number_unsigned()) throw bad("has a malformed shape");
        const auto n = extent.get<std::uint64_t>();
        empty = empty || n == 0;
        if (__builtin_mul_overflow(span, std::max<std::uint64_t>(n, 1), &span)) throw bad("is larger than any file");
        entry.shape.push_back(static_cast<std::int64_t>(n));
    }
    if (entry.begin > entry.end || entry.end > dataBytes) throw bad("lies outside the file, which may be truncated");
    if (entry.end - entry.begin != (empty ? 0 : static_cast<std::uint64_t>(span)))
        throw bad("has a shape that does not fit its data");
    return entry;
}

Tensor readTensor(std::istream& in, const Entry& entry, std::uint64_t dataBegin, const std::string& origin) {
    try {
        return filledTensor(entry.shape, entry.type, [&](void* out) {
            in.seekg(static_cast<std::streamoff>(dataBegin + entry.begin));
            in.read(static_cast<char*>(out), static_cast<std::streamsize>(entry.end - entry.begin));
            if (!in) throw inputError("The file " + origin + " ends in the middle of a tensor.", kDamagedFileHint);
        });
    } catch (const c10::Error&) {
        throw inputError("The tensor " + entry.name + " of " + origin + " does not fit in memory.",
                         "Use a smaller file, or a machine with more memory.");
    }
}

/// ": No space left on device." of what an AsideFile says of the file; "." where it says something else.
std::string reasonIn(const Error& error, const std::filesystem::path& file) {
    const std::string sentence = error.what(), begin = "Cannot write " + file.string();
    return sentence.starts_with(begin + ": ") ? sentence.substr(begin.size()) : ".";
}

/// Refuses folders, on which a rename would fail, and devices, which it would silently replace.
void refuseOtherThanFile(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!file.has_filename()) throw inputError("\"" + file.string() + "\" names no file.", "Name the file to write.");
    if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
        throw inputError(
            file.string() + (std::filesystem::is_directory(file, ignored) ? " is a folder." : " is no file."),
            "Name the file to write.");
}

}  // namespace

TensorFile readSafetensors(const std::filesystem::path& file, FilePlace place) {
    TensorFile result;
    result.origin = file.string();
    result.format = "safetensors";
    std::optional<InputFile> opened;
    try {
        opened.emplace(file, place);
    } catch (const Error& error) {
        throw inputError("The file " + file.string() + " cannot be read.",
                         place == FilePlace::Named ? "Check the path and your permission to read it." : error.what());
    }
    InputFile& in = *opened;
    const std::uint64_t size = in.size();
    unsigned char prefix[8] = {};
    in.read(reinterpret_cast<char*>(prefix), 8);
    std::uint64_t headerBytes = 0;
    for (int i = 7; i >= 0; --i) headerBytes = headerBytes << 8 | prefix[i];
    if (size < 8 || headerBytes > kLargestHeader || headerBytes > size - 8)
        throw inputError("The file " + file.string() + " is not a whole .safetensors file.", kDamagedFileHint);
    std::string text(headerBytes, '\0');
    in.read(text.data(), static_cast<std::streamsize>(headerBytes));
    const nlohmann::json header = parseHeader(text, file.string());

    const std::uint64_t dataBytes = size - 8 - headerBytes;
    std::vector<Entry> entries;
    for (const auto& [name, value] : header.items()) {
        if (name == "__metadata__") {
            if (!value.is_object())
                throw inputError("The metadata of " + file.string() + " are malformed.", kDamagedFileHint);
            for (const auto& [key, said] : value.items())
                if (said.is_string()) result.metadata[key] = said.get<std::string>();
            continue;
        }
        entries.push_back(parseEntry(name, value, dataBytes, file.string()));
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    for (std::size_t i = 1; i < entries.size(); ++i)
        if (entries[i].begin < entries[i - 1].end)
            throw inputError("Tensors of " + file.string() + " overlap.", kDamagedFileHint);

    for (const Entry& entry : entries) {
        StopScope::check();
        result.tensors.push_back({entry.name, readTensor(in, entry, 8 + headerBytes, file.string())});
    }
    return result;
}

void checkWritable(const std::filesystem::path& file) {
    refuseOtherThanFile(file);
    std::error_code ignored;
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(file, ignored)))
        throw inputError(file.string() + " is a link, and a link is never replaced.",
                         "Name the file that it leads to, or remove the link.");
    try {
        const AsideFile tried(file);
    } catch (const Error& error) {
        throw inputError("The file " + file.string() + " cannot be written" + reasonIn(error, file),
                         "Name a file in a folder that exists and that you may write to.");
    }
    removeAsideFiles(file.has_parent_path() ? file.parent_path() : ".", file.filename().string());
}

void writeSafetensors(const std::filesystem::path& file, const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata, FilePlace place, Keep keep) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::vector<Tensor> contiguous;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : tensors) {
        contiguous.push_back(tensor.detach().to(at::kCPU).contiguous());
        const std::uint64_t bytes = contiguous.back().nbytes();
        header[name] = {{"dtype", nameOf(tensor.scalar_type())},
                        {"shape", std::vector<std::int64_t>(tensor.sizes().begin(), tensor.sizes().end())},
                        {"data_offsets", {offset, offset + bytes}}};
        offset += bytes;
    }
    refuseOtherThanFile(file);
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // keeps the data aligned for readers that map the file
    try {
        AsideFile out(file, place);
        std::string length;
        for (std::uint64_t n = text.size(), i = 0; i < 8; ++i, n >>= 8) length += static_cast<char>(n & 0xff);
        out.write(length);
        out.write(text);
        for (const auto& tensor : contiguous) out.write({static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()});
        out.publish(keep);
    } catch (const Error& error) {
        throw runError("The file " + file.string() + " could not be written" + reasonIn(error, file),
                       "Check the free space and your permission to write there.");
    }
}

}  // namespace palimpsest
