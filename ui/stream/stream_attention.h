// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStringList>

namespace palimpsest {

/// Notes about a stream: a few marked lines, and a link to the others where there are more. Hidden
/// without any.
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
