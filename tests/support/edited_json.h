// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <filesystem>

namespace palimpsest::testing {

/// Sets values of an existing JSON file.
inline void editJson(const std::filesystem::path& place, const QJsonObject& values) {
    QFile file(QString::fromStdString(place.string()));
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s", place.c_str());
    QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    for (auto value = values.begin(); value != values.end(); ++value) json[value.key()] = value.value();
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) qFatal("%s", place.c_str());
    file.write(QJsonDocument(json).toJson());
}

}  // namespace palimpsest::testing
