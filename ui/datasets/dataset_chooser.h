// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QComboBox;

namespace palimpsest {

class DatasetLibrary;
class OptionEditor;

/// Marks the data sets of the experiment's chooser that are not at hand, and reports what the user chooses.
class DatasetChooser : public QObject {
    Q_OBJECT
public:
    DatasetChooser(OptionEditor* editor, DatasetLibrary* library);

Q_SIGNALS:
    void chosen(const QString& name);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void fit();
    void mark();

    QComboBox* box_;
    DatasetLibrary* library_;
};

}  // namespace palimpsest
