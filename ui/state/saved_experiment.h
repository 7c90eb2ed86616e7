// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <string>

namespace palimpsest {

class ExperimentDraft;
struct Experiment;

/// The file the experiment was read from or written to, and what stands in it. Changes of the view do not count, and
/// what was undone is unchanged.
class SavedExperiment : public QObject {
    Q_OBJECT
public:
    explicit SavedExperiment(const ExperimentDraft* draft, QObject* parent = nullptr);

    /// Empty: of no file, as a preset.
    const QString& file() const { return file_; }
    const std::string& text() const { return text_; }
    /// The experiment differs from its file. Never of one without a file.
    bool modified() const;
    void keep(const QString& file, const Experiment& experiment);
    /// As it was kept earlier; `text` is TOML.
    void recall(const QString& file, const QString& text);

Q_SIGNALS:
    void changed();

private:
    const ExperimentDraft* draft_;
    QString file_;
    std::string text_;
};

}  // namespace palimpsest
