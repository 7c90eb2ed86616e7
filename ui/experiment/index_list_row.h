// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace palimpsest {

class ExperimentDraft;
class OptionEditor;

/// The file of an imported stream: its option, and a button that looks for one.
class IndexListRow : public QWidget {
    Q_OBJECT
public:
    explicit IndexListRow(ExperimentDraft* draft, QWidget* parent = nullptr);

    OptionEditor* editor() const { return editor_; }

private:
    void choose();

    ExperimentDraft* draft_;
    OptionEditor* editor_;
};

}  // namespace palimpsest
