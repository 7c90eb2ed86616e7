// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModelTester>
#include <QString>
#include <QStringList>

namespace palimpsest::testing {

/// Qt's own checks at every change of a model, for its whole life: what its signals announce must be what it then has.
inline void watch(QAbstractItemModel& model) {
    new QAbstractItemModelTester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest, &model);
}

/// The texts of a column, from the top.
inline QStringList columnOf(const QAbstractItemModel& model, int column, int role = Qt::DisplayRole) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row) texts.append(model.index(row, column).data(role).toString());
    return texts;
}

}  // namespace palimpsest::testing
