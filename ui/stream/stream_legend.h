// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStringList>
#include <QWidget>

namespace palimpsest {

/// The line below a picture of a stream: the meaning of its colours, and the stream's fingerprint.
class StreamLegend : public QWidget {
    Q_OBJECT
public:
    explicit StreamLegend(QWidget* parent = nullptr);

    /// 16 hex digits; empty: there is no stream.
    void setFingerprint(const QString& fingerprint);

private:
    QLabel* fingerprint_;
};

/// Notes about a stream: a few marked lines, and a link to the others where there are more. Hidden without any.
class StreamAttention : public QLabel {
    Q_OBJECT
public:
    explicit StreamAttention(QWidget* parent = nullptr);

    /// Plain text; all of it stands in the tooltip.
    void setLines(const QStringList& lines);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    QStringList lines_;
    bool whole_ = false;  ///< the user wants to see all lines
};

}  // namespace palimpsest
