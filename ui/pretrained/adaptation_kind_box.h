// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;

namespace palimpsest {

/// How prompts learn: the three kinds to choose from, and what the chosen one does.
class AdaptationKindBox : public QWidget {
    Q_OBJECT
public:
    explicit AdaptationKindBox(QWidget* parent = nullptr);

    /// "naive", "sam" or "fam".
    QString kind() const;
    /// Takes the kind that an experiment names, until a person chooses one; a name of anything else changes nothing.
    void follow(const QString& named);

Q_SIGNALS:
    void changed();

private:
    void showNote();

    QComboBox* kind_;
    QLabel* note_;
    bool own_ = false;  ///< a person chose it
};

}  // namespace palimpsest
