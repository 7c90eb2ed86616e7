// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace palimpsest {

class AdaptationController;
class ExperimentDraft;
class ExperimentPanel;
class OptionEditor;
class OptionForm;

/// Leads to the field of an option: unfolds what hides it, brings it into sight and puts it under the keyboard.
class OptionFinder : public QObject {
    Q_OBJECT
public:
    OptionFinder(ExperimentPanel* panel, AdaptationController* adaptation, const ExperimentDraft* draft);

    /// Why the option cannot be set at the moment, in a sentence; empty: it can.
    QString refusal(const QString& key) const;
    /// False for a text option that the form shows by its parts alone, if it has any.
    bool hasRow(const QString& key) const;
    void go(const QString& key);

Q_SIGNALS:
    /// The panel of the experiment has to be in sight.
    void panelNeeded();

private:
    bool inDialog(const QString& key) const;
    /// The form in sight, of two lanes.
    OptionForm* shownForm() const;
    void focus(OptionEditor* editor);

    ExperimentPanel* panel_;
    AdaptationController* adaptation_;
    const ExperimentDraft* draft_;
};

}  // namespace palimpsest
