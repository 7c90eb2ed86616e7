// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/gui_settings.h"

#include <QSettings>
#include <array>

#include "app/gui/gui_arguments.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr const char* kAppearanceKey = "appearance";
constexpr const char* kTextSizeKey = "textSize";
constexpr const char* kCurvesKey = "curves";
constexpr const char* kSaveFolderKey = "saveFolder";
constexpr const char* kRemoteKey = "remote";
constexpr const char* kClusterKey = "cluster";
constexpr const char* kDataFolderKey = "dataFolder";
constexpr const char* kLessonsKey = "lessons";
constexpr const char* kKeysGroup = "keys";

constexpr std::array<const char*, 3> kTextSizes{"normal", "large", "very large"};

}  // namespace

Appearance GuiSettings::appearance() {
    try {
        return appearanceNamed(QSettings().value(kAppearanceKey, nameOf(Appearance::System)).toString());
    } catch (const Error&) {
        return Appearance::System;
    }
}

void GuiSettings::setAppearance(Appearance appearance) {
    QSettings().setValue(kAppearanceKey, nameOf(appearance));
}

TextSize GuiSettings::textSize() {
    const QString name = QSettings().value(kTextSizeKey).toString();
    for (std::size_t i = 0; i < kTextSizes.size(); ++i)
        if (name == kTextSizes[i]) return static_cast<TextSize>(i);
    return TextSize::Normal;
}

void GuiSettings::setTextSize(TextSize size) {
    QSettings().setValue(kTextSizeKey, kTextSizes[static_cast<std::size_t>(size)]);
}

QVariantMap GuiSettings::curves() {
    return QSettings().value(kCurvesKey).toMap();
}

void GuiSettings::setCurves(const QVariantMap& curves) {
    QSettings().setValue(kCurvesKey, curves);
}

QString GuiSettings::saveFolder() {
    return QSettings().value(kSaveFolderKey).toString();
}

void GuiSettings::setSaveFolder(const QString& folder) {
    QSettings().setValue(kSaveFolderKey, folder);
}

QStringList GuiSettings::remoteFields() {
    return QSettings().value(kRemoteKey).toStringList();
}

void GuiSettings::setRemoteFields(const QStringList& fields) {
    QSettings().setValue(kRemoteKey, fields);
}

QStringList GuiSettings::clusterFields() {
    return QSettings().value(kClusterKey).toStringList();
}

void GuiSettings::setClusterFields(const QStringList& fields) {
    QSettings().setValue(kClusterKey, fields);
}

QString GuiSettings::dataFolder() {
    return QSettings().value(kDataFolderKey).toString();
}

void GuiSettings::setDataFolder(const QString& folder) {
    QSettings().setValue(kDataFolderKey, folder);
}

QVariantMap GuiSettings::keys() {
    QSettings settings;
    settings.beginGroup(kKeysGroup);
    QVariantMap keys;
    for (const QString& name : settings.childKeys()) keys[name] = settings.value(name);
    return keys;
}

QStringList GuiSettings::lessons() {
    return QSettings().value(kLessonsKey).toStringList();
}

void GuiSettings::setLessons(const QStringList& kept) {
    QSettings().setValue(kLessonsKey, kept);
}

void GuiSettings::setKeys(const QVariantMap& keys) {
    QSettings settings;
    settings.remove(kKeysGroup);
    settings.beginGroup(kKeysGroup);
    for (auto it = keys.begin(); it != keys.end(); ++it) settings.setValue(it.key(), it.value());
}

}  // namespace palimpsest
