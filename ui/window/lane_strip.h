// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <array>
#include <optional>

class QLabel;
class QToolButton;

namespace palimpsest {

class FittingLabel;

/// One line over the figures while two lanes are compared: what each is called and its A_AUC, how far lane B is from
/// lane A, and in what the two differ.
class LaneStrip : public QFrame {
    Q_OBJECT
public:
    struct Lane {
        QString label;               ///< "Batch mask"
        std::optional<double> area;  ///< A_AUC, up to where both have come
        QString state;               ///< "failed"; empty: nothing that has to be said
        int look = 0;                ///< of its run (ShownRun)
    };
    explicit LaneStrip(QWidget* parent = nullptr);

    /// `difference`: in what they differ; `soFar`: more is to come.
    void setLanes(const std::array<Lane, 2>& lanes, const QStringList& difference, bool soFar);
    /// The text in one line.
    QString text() const;

Q_SIGNALS:
    void endAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Part {
        QLabel* icon;
        FittingLabel* label;
        QLabel* area;
    };
    void refresh();

    std::array<Part, 2> parts_{};
    QLabel* gap_ = nullptr;
    FittingLabel* difference_;
    std::array<Lane, 2> lanes_;
    bool so_far_ = false;
};

}  // namespace palimpsest
