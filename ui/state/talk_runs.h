// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/record/run_folder.h"
#include "engine/record/talk.h"
#include "engine/record/talk_caption.h"
#include "ui/state/background.h"

namespace palimpsest {

class RunLibrary;

/// The runs of a talk: where each lies, and which are missing. Reads away from the window's thread.
class TalkRuns : public QObject {
    Q_OBJECT
public:
    /// The library must outlive it.
    explicit TalkRuns(RunLibrary* library, QObject* parent = nullptr);

    /// Looks for the runs of a talk that lies in `folder`; found() then. `bring`: recorded runs that come with the
    /// program are copied into the list where they are missing.
    void look(const Talk& talk, const QString& folder, bool bring);
    /// It was looked for this talk's runs, and nothing is being read.
    bool ready() const { return looking_ == 0; }
    /// Ids of the recorded runs that were copied into the list since this was asked last.
    QStringList takeBrought() { return std::exchange(brought_, {}); }
    /// A run by its name; null: it is missing.
    std::shared_ptr<const RunRecord> find(const std::string& name) const;
    /// Reason why a run is missing, a sentence; empty: it is there, or nobody has looked.
    QString missing(const std::string& name) const;
    /// The caption of a scene as the audience reads it, with the numbers of these runs; "…" where one is missing.
    QString caption(const TalkScene& scene) const;
    /// The experiment of a run that is made here; null: it has none, or it cannot be read, which missing() then says.
    std::shared_ptr<const Experiment> experiment(const std::string& name) const;

Q_SIGNALS:
    void found();

private:
    struct Found {
        std::map<std::string, std::shared_ptr<const RunRecord>> records;
        std::map<std::string, std::shared_ptr<const Experiment>> experiments;
        std::map<std::string, std::string> missing;
        QStringList brought;
    };

    RunLibrary* library_;
    Found found_;
    QStringList brought_;
    int looking_ = 0;
    mutable std::map<std::string, TalkNumbers> numbers_;  ///< of found_
    Background background_;
};

}  // namespace palimpsest
