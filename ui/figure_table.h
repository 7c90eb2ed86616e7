// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>

namespace palimpsest {

/// The numbers behind a figure.
class FigureTable : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Takes over what is new since the last call.
    virtual void refresh() = 0;
};

/// A cell of such a file: quoted where it holds a comma, a quote or a line break.
QString csvQuoted(QString text);

}  // namespace palimpsest
