// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <QStyledItemDelegate>

namespace palimpsest {

class DatasetLibrary;

/// The data sets of a library, one a row, in the catalogue's order.
class DatasetListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        NameRole = Qt::UserRole + 1,
        SummaryRole,
        FactsRole,  ///< "10 classes · 70,000 images"
        BadgeRole,  ///< "here", "missing", "43 %"
        PresentRole,
        ShareRole,  ///< of a fetch, 0 to 1; < 0: going on, length unknown; invalid: none
    };
    explicit DatasetListModel(DatasetLibrary* library, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    /// Invalid when the library does not have it.
    QModelIndex indexOf(const QString& name) const;

private:
    void readAgain();
    void touch(const QString& name);
    QString badge(const QString& name) const;

    DatasetLibrary* library_;
    QStringList names_;
};

/// Draws one row of the list of data sets: title with a badge, a line about it, its numbers, and how far a fetch is.
class DatasetCardDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace palimpsest
