// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QCoreApplication>
#include <QString>
#include <QStyledItemDelegate>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/record/memory_balance.h"
#include "engine/run/run_events.h"
#include "ui/state/class_names.h"

class QAbstractItemModel;
class QListView;

namespace palimpsest {

class PictureLoader;

/// The memory of one run, as the window shows it.
struct MemoryShown {
    QString run;            ///< RunSet::idOf
    QString title;          ///< label of the run
    Experiment experiment;  ///< the images are its training images
    ClassNames class_names;
    std::int64_t capacity = 0;  ///< places; 0: not known
    MemoryBalance balance;
    KeptSamples kept;           ///< place by place
    bool images_known = false;  ///< the kept images are known, not only their number

    Q_DECLARE_TR_FUNCTIONS(palimpsest::MemoryShown)
};

/// "1 image", "2,000 images"
QString imagesText(std::int64_t count);
/// "412 of 500 places"
QString placesText(const MemoryBalance& balance, std::int64_t capacity);
/// "Trouser 42, Bag 40 and 98 more classes"
QString balanceText(const ClassNames& names, const MemoryBalance& balance);

/// How a memory divides its places among the classes: first all of them together, then a row for each class that has
/// come, in the order of the labels.
class PictureClassModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        LabelRole = Qt::UserRole + 1,  ///< kAll in the first row
        CountRole,
        ShareRole,  ///< share of the largest class's count, 0 to 1; in the first row not valid
        KindRole,
    };
    static constexpr int kAll = -1;

    using QAbstractListModel::QAbstractListModel;

    /// Rows stay where only counts change or classes come.
    void setMemory(const ClassNames& names, const MemoryBalance& balance);
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    /// The row of all classes when there is no such row.
    QModelIndex indexOf(int label) const;

private:
    struct Row {
        int label = kAll;
        std::int64_t count = 0;
    };
    QString tip(const Row& row) const;

    ClassNames names_;
    std::vector<Row> rows_{Row{}};
    std::int64_t most_ = 0;
};

/// The images that a memory keeps, place by place; of all classes, or those of one.
class PictureGridModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        LabelRole = Qt::UserRole + 1,
        SampleRole,  ///< position in the training set
        KindRole,
    };
    using QAbstractListModel::QAbstractListModel;

    /// Most images that are listed; a view lays out as many within a frame or two.
    static constexpr std::size_t kMostShown = 5000;

    /// `label`: the class that is shown; PictureClassModel::kAll: all. Of more than kMostShown the first are shown.
    /// Images keep their places as far as they can, so that a view does not jump during a run.
    void setMemory(const ClassNames& names, const KeptSamples& kept, int label);
    /// The images are test images instead: their tips say so.
    void setTest() { test_ = true; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    ClassNames names_;
    KeptSamples kept_;  ///< those that were listed last
    int label_ = 0;     ///< and for which class
    bool test_ = false;
    std::vector<KeptSample> shown_;
};

/// Draws one image of a memory, underlined by the kind of its class.
class PictureDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int kSide = 48;  ///< of the picture, device-independent pixels
    static constexpr QSize kCell{54, 58};

    PictureDelegate(PictureLoader* pictures, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// The tip stands below the picture that it speaks of.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

private:
    PictureLoader* pictures_;
};

/// A view of small pictures in rows, as many as fit beside each other; its maker names it.
QListView* makePictureGrid(QAbstractItemModel* model, QStyledItemDelegate* delegate);

}  // namespace palimpsest
