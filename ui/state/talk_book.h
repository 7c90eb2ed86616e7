// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <string>

#include "engine/record/talk.h"

namespace palimpsest {

/// The talk that is open, and what the user changes in it. No widgets and no files.
class TalkBook : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const Talk& talk() const { return talk_; }
    bool empty() const { return talk_.scenes.empty(); }
    int scenes() const { return static_cast<int>(talk_.scenes.size()); }
    /// The file it was read from or written to; empty: none.
    const QString& file() const { return file_; }
    /// Something was changed since.
    bool modified() const { return talk_ != saved_; }

    void open(const Talk& talk, const QString& file);
    /// No talk is open then; what was not saved is lost.
    void close() { open({}, {}); }
    /// It is in this file now, as `talk` says.
    void keep(const Talk& talk, const QString& file);
    void setTitle(const QString& title);
    /// Behind the last scene; its number, from 0. False where the talk has as many as it may have.
    bool add(const TalkScene& scene);
    /// One line, with placeholders that the talk understands; else nothing changes, and the problem is returned.
    QString setCaption(int scene, const QString& caption);
    QString setNote(int scene, const QString& note);
    /// One place up (-1) or down (1).
    void move(int scene, int by);
    void remove(int scene);
    /// The name of a run that lies in `folder`, below the folder of runs or absolute; a new one that begins with `wish`
    /// where the talk does not have it. Empty where the talk has as many runs as it may have.
    std::string nameOf(const std::string& folder, const std::string& wish);

Q_SIGNALS:
    void changed();

private:
    bool has(int scene) const { return scene >= 0 && scene < scenes(); }

    Talk talk_, saved_;
    QString file_;
};

}  // namespace palimpsest
