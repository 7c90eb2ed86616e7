// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace palimpsest {

class FittingLabel;

/// A labelled section of a column that can be folded away: a heading that opens and closes it, and what it holds.
/// While it is closed, its heading says in a few words what stands in it.
class Fold : public QWidget {
    Q_OBJECT
public:
    /// Open at first. `name`: for tests, and for what is remembered of it; its heading has "Heading" behind that.
    Fold(const QString& name, const QString& title, QWidget* parent = nullptr);

    QVBoxLayout* body() { return body_; }
    bool isOpen() const;
    void setOpen(bool open);
    /// Texts with the same meaning, longest first; the first that fits is shown.
    void setSummary(const QStringList& texts);
    QString summary() const;
    /// The button that opens and closes it.
    QPushButton* heading() const { return heading_; }

    /// Opens every fold that holds the widget.
    static void reveal(const QWidget* widget);

Q_SIGNALS:
    void toggled(bool open);

private:
    void apply(bool open);

    QString title_;
    QPushButton* heading_;
    FittingLabel* summary_;
    QWidget* content_;
    QVBoxLayout* body_;
};

}  // namespace palimpsest
