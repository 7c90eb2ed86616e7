// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/prompt_file.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <cstring>

#include "engine/support/text.h"
#include "ui/pretrained/adaptation_job.h"

namespace palimpsest {
namespace {

constexpr const char* kEnding = ".safetensors";

bool taken(const QString& file) {
    return QFileInfo::exists(file) || QFileInfo::exists(AdaptationJob::stateFileOf(file));
}

}  // namespace

QString promptFile(const QString& text, const QString& folder) {
    QString file = text.trimmed();
    if (file.startsWith("~/")) file = QDir::home().filePath(file.mid(2));
    file = QDir::cleanPath(QDir(folder).absoluteFilePath(file));
    return file.endsWith(kEnding) ? file : file + kEnding;
}

QString usualPromptFile(const QString& folder, const QString& kind, const std::string& experiment) {
    const std::string words = kind.toStdString() + ' ' + experiment + " prompts";
    return QDir(folder).filePath(QString::fromStdString(slug(words, 60)) + kEnding);
}

QString freeFile(const QString& file) {
    if (!taken(file)) return file;
    QString stem = file.endsWith(kEnding) ? file.chopped(static_cast<qsizetype>(std::strlen(kEnding))) : file;
    // A number from before is counted on.
    static const QRegularExpression counted(QStringLiteral("-([1-9]\\d{0,2})$"));
    int number = 1;
    if (const auto match = counted.match(stem); match.hasMatch()) {
        number = match.captured(1).toInt();
        stem.chop(match.capturedLength());
    }
    QString next;
    do next = stem + '-' + QString::number(++number) + kEnding;
    while (taken(next));
    return next;
}

}  // namespace palimpsest
