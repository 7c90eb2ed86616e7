// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

#include "engine/run/laboratory.h"
#include "ui/state/background.h"

class QLabel;
class QPlainTextEdit;

namespace palimpsest {

class RunLibrary;
class RunsPanel;

/// "Why do they differ?": the verdict on two runs, and below it what was compared.
class DiffDialog : public QDialog {
    Q_OBJECT
public:
    explicit DiffDialog(QWidget* parent = nullptr);

    /// The names of the runs; what was compared before goes.
    void setRuns(const QString& first, const QString& second);
    /// Lines, the verdict last.
    void setText(const QString& text);
    void setFailure(const QString& message, const QString& hint);

private:
    QLabel *runs_, *verdict_;
    QPlainTextEdit* details_;
};

/// Compares two runs of the list, away from the window's thread, as `palimpsest-cli diff` does.
class DiffController : public QObject {
    Q_OBJECT
public:
    using Labels = std::function<std::shared_ptr<const DatasetLabels>(const Experiment&)>;
    /// `labels`: see Laboratory; may be null, then the first batch with other images is not looked for.
    DiffController(Labels labels, RunLibrary* library, RunsPanel* runs, QWidget* window);
    ~DiffController() override;

    /// By the runs' ids. Null until it was shown for the first time.
    void show(const QString& first, const QString& second);
    DiffDialog* dialog() const { return dialog_; }

private:
    Labels labels_;
    RunLibrary* library_;
    QWidget* window_;
    DiffDialog* dialog_ = nullptr;
    std::stop_source stop_;
    Background background_;
};

}  // namespace palimpsest
