// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/datasets/dataset_library.h"
#include "ui/widgets/fact_sheet.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace palimpsest {

/// Everything about one data set, and what can be done with it now.
class DatasetDetails : public FactSheet {
    Q_OBJECT
public:
    explicit DatasetDetails(QWidget* parent = nullptr);

    /// `in_use`: the experiment streams it.
    void setCard(const DatasetCard& card, bool in_use);
    void setFetch(const std::optional<DatasetLibrary::Fetch>& fetch);

Q_SIGNALS:
    void fetchRequested();
    void cancelRequested();
    void haveFileRequested();
    void haveFolderRequested();
    void useRequested();

private:
    QWidget* makeCitation();
    QWidget* makeProgress();
    void makeButtons();
    /// Rows of the sheet; all without values where there is no card.
    static QList<FactRow> metricFacts(const DatasetCard& card);
    void refreshButtons();

    DatasetCard card_;
    bool in_use_ = false;
    bool fetching_ = false;
    QPushButton* homepage_;
    QWidget* citation_box_ = nullptr;
    QLabel* citation_ = nullptr;
    QPushButton* copy_ = nullptr;
    QLabel* missing_;
    QWidget* progress_box_ = nullptr;
    QLabel *step_ = nullptr, *pace_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QPushButton *fetch_ = nullptr, *have_ = nullptr, *use_ = nullptr, *cancel_ = nullptr;
};

}  // namespace palimpsest
