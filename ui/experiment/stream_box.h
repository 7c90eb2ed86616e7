// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

class QLabel;
class QPushButton;

namespace palimpsest {

class ExperimentDraft;
class OptionEditor;
class StreamAttention;
class StreamEditList;
class StreamLegend;
class StreamPreview;
struct PlannedStream;

/// The stream of an experiment: its seed, its picture, in which classes can be moved, and what there is to say about
/// it; or why there is none.
class StreamBox : public QWidget {
    Q_OBJECT
public:
    explicit StreamBox(ExperimentDraft* draft, QWidget* parent = nullptr);

    OptionEditor* seedEditor() const { return seed_; }
    StreamPreview* preview() const { return preview_; }
    void setStream(const std::shared_ptr<const PlannedStream>& stream);
    /// There is no stream with these settings.
    void refuse(const QString& message, const QString& hint);
    /// A way out of the refusal that is shown; gone with it.
    void offerRemedy(const QString& text);

Q_SIGNALS:
    void compareRequested();
    void remedyRequested();

private:
    QLayout* makeHeader();
    QWidget* makeBalance();
    QPushButton* makeRemedy();
    QPushButton* makeFit();
    /// Sizes of the stream that its images can fill.
    void fit();
    void throwDice();

    ExperimentDraft* draft_;
    OptionEditor* seed_;
    StreamPreview* preview_;
    StreamLegend* legend_;
    StreamEditList* edits_;
    QLabel* balance_;
    StreamAttention* attention_;
    QPushButton* remedy_;
    QPushButton* fit_;
    QString refusal_;
};

}  // namespace palimpsest
