// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <QString>
#include <QStringList>
#include <filesystem>

#include "engine/support/own_drawings.h"

namespace palimpsest {

/// A class that the user drew.
struct DrawnClass {
    static constexpr qsizetype kDrawings = 8;      ///< that are learned
    static constexpr qsizetype kLongestName = 40;  ///< letters
    static constexpr int kFewestInk = 16;          ///< pixels of a drawing that are no paper, of 1,024

    QString name;
    QList<QImage> drawings;  ///< in their order, none is null
    QImage test;             ///< never learned

    /// A name as that of a folder: one plain line, without what a path would be made of; empty: there is none in it.
    static QString plainName(const QString& name);
};

/// Folders of own drawings, one for each data set that classes are added to. All of it takes files and may take long;
/// any thread. Throws Error.
class DrawnClasses {
public:
    /// `place`: in which the folders are.
    explicit DrawnClasses(std::filesystem::path place) : place_(std::move(place)) {}

    /// The folder of the classes that are added to a data set. It need not be there.
    std::filesystem::path folder(const std::string& dataset) const { return place_ / dataset; }
    /// Names of the classes that can be read, sorted.
    QStringList names(const std::string& dataset) const;
    DrawnClass read(const std::string& dataset, const QString& name) const;
    /// A new class is there as a whole or not at all. `former`: the name that it had, or empty for a new one; a class
    /// of another name is never written over. Throws Error(Input) also where there are no drawings or no test drawing.
    void save(const DrawingsBase& base, const DrawnClass& drawn, const QString& former) const;
    /// To the trash where there is one.
    void remove(const std::string& dataset, const QString& name) const;

    /// A picture of any file that somebody has, as it is shown: bounded before it is decoded. Throws Error(Input).
    static QImage readPicture(const std::filesystem::path& file);

private:
    std::filesystem::path place_;
};

}  // namespace palimpsest
