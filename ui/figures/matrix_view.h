// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/figures/matrix_canvas.h"
#include "ui/plots/figure_pages.h"
#include "ui/state/throttle.h"

namespace palimpsest {

class FigurePages;
class HeatScale;
class Panel;

/// The numbers of a matrix.
class MatrixTable : public FigureTable {
    Q_OBJECT
public:
    using FigureTable::FigureTable;

    void setContent(const MatrixContent& content);
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(content_.rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || content_.empty() ? 0 : static_cast<int>(content_.columns.size()) + 1;
    }
    /// Plain numbers, full precision, a header line; shares in per cent.
    QString csv() const;

protected:
    QString cellText(int row, int column) const override;
    QString heading(int column) const override {
        return column == 0 ? content_.row_title : content_.columns[column - 1];
    }

private:
    MatrixContent content_;
};

/// A matrix in its panel, with the table of its numbers behind a button and the cell under mouse or keyboard in words.
class MatrixView : public QWidget {
    Q_OBJECT
public:
    MatrixCanvas* canvas() const { return canvas_; }
    const MatrixTable& table() const { return *table_; }
    Panel* panel() const;
    void setTableShown(bool shown);
    /// The publication of what is shown; null: nothing is.
    std::function<report::Publication()> source() const;
    /// Shows at once what is waiting for the next turn.
    void showNow() { bringUp(); }

protected:
    struct Texts {
        QString name;  ///< prefix of object names: "sessions"
        QString title, caption, tip;
        PublishedTexts published;
    };
    MatrixView(const Texts& texts, QWidget* parent);

    /// Gives content and invitation to present().
    virtual void bringUp() = 0;
    void present(const MatrixContent& content, const QString& invitation);
    /// Brings it up at its next turn, when it is in sight.
    void schedule() { throttle_.ask(); }
    void addHeaderWidget(QWidget* widget);
    void showEvent(QShowEvent* event) override;

private:
    PublishedTexts published_;
    MatrixCanvas* canvas_;
    MatrixTable* table_;
    FigurePages* pages_;
    HeatScale* scale_;
    Throttle throttle_;
};

}  // namespace palimpsest
