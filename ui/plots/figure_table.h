// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>

namespace palimpsest {

class CurveOptions;

/// The numbers behind a figure.
class FigureTable : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Takes over what is new since the last call.
    virtual void refresh() = 0;
    /// The figure is drawn another way; the next refresh() must obey it.
    virtual void obey(const CurveOptions& /*options*/) {}
};

/// A cell of such a file: quoted where it holds a comma, a quote or a line break.
QString csvQuoted(QString text);

}  // namespace palimpsest
