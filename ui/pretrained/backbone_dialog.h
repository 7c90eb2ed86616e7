// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <optional>

#include "ui/pretrained/backbone_reader.h"
#include "ui/state/engine_text.h"

class QListView;
class QStandardItemModel;

namespace palimpsest {

class BackboneSheet;

/// A file of weights and what it is, and the backbones in common use with their addresses. Not modal.
class BackboneDialog : public QDialog {
    Q_OBJECT
public:
    explicit BackboneDialog(BackboneReader::Service service, QWidget* parent = nullptr);

    void showDialog();
    /// Reads a file and shows what it is.
    void openFile(const QString& file);
    /// Sets the backbone of the experiment: backbone.name and backbone.weights.
    void setInUse(const QString& name, const QString& weights);
    /// Sets which requirements of the experiment a network of so many blocks does not meet, a sentence each; shown with
    /// a file.
    void setLacking(std::function<std::vector<std::string>(std::int64_t depth)> lacking);
    /// Shows why the experiment refused the backbone of useAsked().
    void showRefusal(const Failure& failure);

Q_SIGNALS:
    /// Asks for these values of backbone.name and backbone.weights.
    void useAsked(const QString& name, const QString& weights);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeList();
    QLayout* makeFooter();
    void setCards(const std::vector<BackboneCard>& cards);
    void showCurrent();
    void showFile();
    void askForFile();
    void use();
    /// Card of the current row; null: the user's own file.
    const BackboneCard* card() const;
    const BackboneCard* knownAs() const;
    QString nameOfFile() const;

    BackboneReader* reader_;
    QStandardItemModel* model_;
    QListView* list_;
    BackboneSheet* sheet_;
    std::vector<BackboneCard> cards_;
    QString file_;
    std::optional<BackboneFacts> facts_;  ///< of the file; neither facts nor failure: it is being read
    std::optional<Failure> failure_;
    QString name_in_use_, weights_in_use_;
    std::function<std::vector<std::string>(std::int64_t)> lacking_ = [](std::int64_t) {
        return std::vector<std::string>{};
    };
};

}  // namespace palimpsest
