// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "engine/run/laboratory.h"
#include "ui/datasets/draw_class_dialog.h"
#include "ui/state/background.h"

class QAction;

namespace palimpsest {

class DatasetController;
class MessageBar;
class WatchedStrip;
struct WindowState;

/// Own classes in the window: the dialog in which they are drawn, the short stream that begins with one, and the strip
/// that shows whether its test drawing is recognised.
class DrawClassController : public QObject {
    Q_OBJECT
public:
    /// `place`: of the folders of own drawings. `draw` opens the dialog.
    DrawClassController(WindowState& state, DatasetController* datasets, MessageBar* messages, QAction* draw,
                        const std::filesystem::path& place, QWidget* window);
    ~DrawClassController() override;

    /// For the window, over the figures.
    WatchedStrip* strip() { return strip_; }
    /// Null until it was shown for the first time.
    DrawClassDialog* dialog() const { return dialog_; }
    /// The experiment with a short stream of these classes and the own one, which `label` is, in its session.
    /// `labels`: of the training images. Throws Error.
    static Experiment withDrawn(const OptionTable& table, const Experiment& experiment, const std::string& root,
                                const DrawnStart& start, const DatasetLabels& labels);

public Q_SLOTS:
    void showDialog();

Q_SIGNALS:
    /// A run with an own class begins: the figures have to be in sight.
    void figuresNeeded();
    /// Files of own classes have changed.
    void filesChanged();

private:
    /// The data set that a class is added to: the draft's, where that is possible.
    DrawingGround ground() const;
    void start(const DrawnStart& start);
    void begin(const DrawnStart& start, const Experiment& experiment);

    WindowState& state_;
    DatasetController* datasets_;
    MessageBar* messages_;
    const DrawnClasses classes_;
    QWidget* window_;
    WatchedStrip* strip_;
    DrawClassDialog* dialog_ = nullptr;
    std::stop_source closing_;
    Background background_{Background::Waiting::Finished};
};

}  // namespace palimpsest
