// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <cstdint>

#include "ui/state/engine_text.h"
#include "ui/state/remote_service.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace palimpsest {

/// Asks which Slurm gets a grid, and what each task of it may have. Stays open while it is submitted, and where that
/// fails, with the sentence that says why.
class SubmitDialog : public QDialog {
    Q_OBJECT
public:
    explicit SubmitDialog(QWidget* parent = nullptr);

    /// Shows itself for a grid of so many runs; `name`: of the sweep's folder.
    void ask(std::int64_t runs, const QString& name);
    /// Where, and the other entries, as they were remembered.
    void setFields(const QStringList& fields);
    QStringList fields() const;
    /// Without grid and folder.
    ClusterRequest request() const;
    /// It was refused.
    void fail(const Failure& failure);
    /// It was submitted.
    void finish();

Q_SIGNALS:
    void submitAsked();

private:
    QLineEdit* addField(const char* name, const QString& title, const QString& example, const QString& tip);
    QSpinBox* addNumber(const char* name, const QString& title, const QString& tip, int least, int most);
    /// The first of the entries that are seen and typed.
    QLineEdit* firstField() const;
    void refresh();
    void setBusy(bool busy);

    std::int64_t runs_ = 0;
    QString name_;
    bool busy_ = false;
    QFormLayout* form_;
    QComboBox* where_;
    QLineEdit *machine_, *folder_, *program_, *partition_, *time_, *memory_, *constraint_, *more_;
    QSpinBox *throttle_, *runs_per_task_;
    QLabel *count_, *fault_;
    QPushButton* submit_;
};

}  // namespace palimpsest
