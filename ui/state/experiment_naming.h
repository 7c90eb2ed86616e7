// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <string>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Keeps names true that nobody typed: that of a preset says that it was edited, and what was chosen instead of its
/// method, mask or memory names the experiment, as it does one without a name. A name of a person's own stays.
class ExperimentNaming {
public:
    /// `presets`: their titles. The table must outlive this.
    explicit ExperimentNaming(const OptionTable* table, QStringList presets = {});

    /// What `after` is called, which was made of `before` by a change of this option.
    std::string nameOf(const Experiment& before, const Experiment& after, const QString& key) const;
    /// It is called after what was chosen: "ER, batch mask, 500 replayed".
    bool described(const Experiment& experiment) const;

private:
    /// Nobody typed it.
    bool isMade(const Experiment& experiment) const;
    QString description(const Experiment& experiment) const;
    QString edited(const QString& preset) const;

    const OptionTable* table_;
    QStringList presets_;
    QString untitled_;  ///< what an experiment is called that has no name
};

}  // namespace palimpsest
