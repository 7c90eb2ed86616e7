// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <optional>

#include "ui/datasets/dataset_library.h"

class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace palimpsest {

/// Everything about one data set, and what can be done with it now.
class DatasetDetails : public QFrame {
    Q_OBJECT
public:
    explicit DatasetDetails(QWidget* parent = nullptr);

    /// `in_use`: the experiment streams it.
    void setCard(const DatasetCard& card, bool in_use);
    void setFetch(const std::optional<DatasetLibrary::Fetch>& fetch);
    /// Does the filled button's work, where there is one.
    void actPrimary();

Q_SIGNALS:
    void fetchAsked();
    void cancelAsked();
    void haveFileAsked();
    void haveFolderAsked();
    void useAsked();

private:
    QWidget* makeFacts();
    QWidget* makeCitation();
    QWidget* makeProgress();
    QWidget* makeButtons();
    QLabel* addFact(QGridLayout* grid, const QString& name, const QString& title);
    void showFact(QLabel* value, const QString& text);
    void openHomepage();
    void copyCitation();
    void refreshButtons();

    DatasetCard card_;
    bool in_use_ = false;
    bool fetching_ = false;
    QLabel *title_, *summary_, *missing_;
    QLabel *classes_ = nullptr, *images_ = nullptr, *size_ = nullptr, *licence_ = nullptr, *origin_ = nullptr,
           *folder_ = nullptr;
    QPushButton* homepage_ = nullptr;
    QWidget* citation_box_ = nullptr;
    QLabel* citation_ = nullptr;
    QPushButton* copy_ = nullptr;
    QWidget* progress_box_ = nullptr;
    QLabel *step_ = nullptr, *pace_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QPushButton *fetch_ = nullptr, *have_ = nullptr, *use_ = nullptr, *cancel_ = nullptr;
};

}  // namespace palimpsest
