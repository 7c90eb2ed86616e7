// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <cstdint>
#include <vector>

namespace palimpsest::test {

inline QByteArray littleEndian(std::uint32_t value, int bytes = 4) {
    QByteArray out;
    for (int k = 0; k < bytes; ++k) out.append(static_cast<char>(value >> (8 * k) & 0xFFU));
    return out;
}

/// A text as Python 2 (SHORT_BINSTRING, BINSTRING) or Python 3 (BINUNICODE) pickles it.
inline QByteArray pickledText(const QByteArray& text, bool python3) {
    if (python3) return "X" + littleEndian(static_cast<std::uint32_t>(text.size())) + text;
    if (text.size() < 256) return "U" + littleEndian(static_cast<std::uint32_t>(text.size()), 1) + text;
    return "T" + littleEndian(static_cast<std::uint32_t>(text.size())) + text;
}

/// Bytes, which Python 3 encodes as Latin-1 text.
inline QByteArray pickledBytes(const QByteArray& bytes, bool python3) {
    if (!python3) return pickledText(bytes, false);
    return "c_codecs\nencode\n" + pickledText(QString::fromLatin1(bytes).toUtf8(), true) + pickledText("latin1", true) +
           "\x86R";
}

inline QByteArray pickledInteger(int value) {
    if (value >= 0 && value < 256) return "K" + littleEndian(static_cast<std::uint32_t>(value), 1);
    if (value >= 0 && value < 65536) return "M" + littleEndian(static_cast<std::uint32_t>(value), 2);
    return "J" + littleEndian(static_cast<std::uint32_t>(value));
}

/// A numpy array of bytes, [rows, columns], as cPickle or Python 3 writes it with protocol 2.
inline QByteArray pickledArray(const QByteArray& elements, int rows, int columns, bool python3) {
    return "cnumpy.core.multiarray\n_reconstruct\nq\x07" + QByteArray("cnumpy\nndarray\nq\x08K\0\x85", 20) +
           pickledBytes("b", python3) + "\x87Rq\x09(K\x01" + pickledInteger(rows) + pickledInteger(columns) + "\x86" +
           "cnumpy\ndtype\nq\x0a" + pickledText("u1", python3) + (python3 ? "\x89\x88" : QByteArray("K\0K\1", 4)) +
           "\x87Rq\x0b(K\x03" + pickledText("|", python3) +
           QByteArray("NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89", 18) + pickledBytes(elements, python3) + "tb";
}

/// A file of CIFAR's python form: batch label, labels, data and file names, in the order of the original.
inline QByteArray cifarPickle(const QByteArray& labelKey, const std::vector<int>& labels, const QByteArray& rows,
                              bool python3 = false) {
    QByteArray pickle = QByteArray("\x80\x02}q\x01(", 6) + pickledText("batch_label", python3) + "q\x02" +
                        pickledText("training batch 1 of 5", python3) + "q\x03" + pickledText(labelKey, python3) +
                        "q\x04]q\x05(";
    for (const int label : labels) pickle += pickledInteger(label);
    pickle += "e" + pickledText("data", python3) + "q\x06" +
              pickledArray(rows, static_cast<int>(labels.size()),
                           labels.empty() ? 0 : static_cast<int>(rows.size() / static_cast<qsizetype>(labels.size())),
                           python3) +
              pickledText("filenames", python3) + "q\x0c]q\x0d(";
    for (std::size_t i = 0; i < labels.size(); ++i)
        pickle += pickledText("leptodactylus_pentadactylus_s_000004.png", python3);
    return pickle + "eu.";
}

}  // namespace palimpsest::test
