// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/tensorboard_events.h"

#include <array>
#include <bit>

#include "engine/report/run_scalars.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest::report {

namespace {

constexpr std::size_t kWrittenAtOnce = 1 << 20;

constexpr std::array<std::uint32_t, 256> makeTable() {
    constexpr std::uint32_t kCastagnoli = 0x82f63b78;  // reflected
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = value & 1U ? value >> 1U ^ kCastagnoli : value >> 1U;
        table[i] = value;
    }
    return table;
}

constexpr std::array<std::uint32_t, 256> kTable = makeTable();

template <class Number>
void appendLittle(std::string& bytes, Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>(number >> 8 * i & 0xff);
}

std::uint32_t maskedCrc(std::string_view bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return (crc >> 15U | crc << 17U) + 0xa282ead8U;
}

void appendVarint(std::string& bytes, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) bytes += static_cast<char>(number | 0x80);
    bytes += static_cast<char>(number);
}

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

void appendKey(std::string& bytes, std::uint32_t field, Wire wire) {
    appendVarint(bytes, field << 3U | static_cast<std::uint32_t>(wire));
}

void appendBytes(std::string& message, std::uint32_t field, std::string_view bytes) {
    appendKey(message, field, Wire::Bytes);
    appendVarint(message, bytes.size());
    message += bytes;
}

/// Event.wall_time is its field 1.
std::string eventAt(double wallTime) {
    std::string event;
    appendKey(event, 1, Wire::Fixed64);
    appendLittle(event, std::bit_cast<std::uint64_t>(wallTime));
    return event;
}

/// An exported run may have begun at another time before. Throws Error where one of its files stays.
void removeOtherEventFiles(const std::filesystem::path& written) {
    for (const std::filesystem::path& file : folderEntries(written.parent_path())) {
        std::error_code failed;
        if (file.filename() != written.filename() && file.filename().string().starts_with("events.out.tfevents.") &&
            file.extension() == ".palimpsest" && isPlainFile(file))
            std::filesystem::remove(file, failed);
        if (failed)
            throw runError("The older export " + file.string() + " cannot be removed: " + failed.message() + ".",
                           "Remove it: it would be shown as a part of the same run.");
    }
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char byte : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xffU] ^ crc >> 8U;
    return ~crc;
}

std::string eventRecord(std::string_view bytes) {
    std::string record;
    appendLittle(record, static_cast<std::uint64_t>(bytes.size()));
    appendLittle(record, maskedCrc(record));
    record += bytes;
    appendLittle(record, maskedCrc(bytes));
    return record;
}

std::string scalarEvent(double wallTime, std::int64_t step, std::string_view tag, float value) {
    std::string scalar, summary, event = eventAt(wallTime);
    appendBytes(scalar, 1, tag);          // Summary.Value.tag
    appendKey(scalar, 2, Wire::Fixed32);  // Summary.Value.simple_value
    appendLittle(scalar, std::bit_cast<std::uint32_t>(value));
    appendBytes(summary, 1, scalar);    // Summary.value
    appendKey(event, 2, Wire::Varint);  // Event.step
    appendVarint(event, static_cast<std::uint64_t>(step));
    appendBytes(event, 5, summary);  // Event.summary
    return event;
}

std::vector<std::string> writeEventFile(const RunRecord& run, const std::filesystem::path& folder) {
    const std::int64_t started = unixMilliseconds(run.started);
    const double wall_time = static_cast<double>(started) / 1000;
    const std::filesystem::path written =
        folder / ("events.out.tfevents." + std::to_string(started / 1000) + ".palimpsest");
    AsideFile file(written);
    std::string version = eventAt(wall_time);
    appendBytes(version, 3, "brain.Event:2");  // Event.file_version
    std::string bytes = eventRecord(version);
    std::vector<std::string> warnings = eachScalar(run, [&](const std::string& name, std::int64_t step, double value) {
        bytes += eventRecord(scalarEvent(wall_time, step, name, static_cast<float>(value)));
        if (bytes.size() < kWrittenAtOnce) return;
        file.write(bytes);
        bytes.clear();
    });
    file.write(bytes);
    file.publish();
    removeOtherEventFiles(written);
    return warnings;
}

}  // namespace palimpsest::report
