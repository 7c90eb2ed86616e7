// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <zlib.h>
#include <QByteArray>
#include <QFile>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <initializer_list>

namespace palimpsest::test {

inline QByteArray bigEndian(std::uint32_t value) {
    QByteArray bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes.append(static_cast<char>(value >> shift & 0xFFU));
    return bytes;
}

inline QByteArray header(std::initializer_list<std::uint32_t> numbers) {
    QByteArray bytes;
    for (const auto number : numbers) bytes += bigEndian(number);
    return bytes;
}

/// Image i is filled with the value i + its pixel's position.
inline QByteArray idxImages(std::uint32_t count, std::uint32_t rows, std::uint32_t columns) {
    QByteArray bytes = header({0x803, count, rows, columns});
    for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t p = 0; p < rows * columns; ++p) bytes.append(static_cast<char>(i + p));
    return bytes;
}

inline QByteArray idxLabels(const QByteArray& labels) {
    return header({0x801, static_cast<std::uint32_t>(labels.size())}) + labels;
}

inline QByteArray gzipped(const QByteArray& plain) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(plain.size())) + 64), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

inline std::filesystem::path writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
    return path.toStdString();
}

}  // namespace palimpsest::test
