// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QTimer>
#include <vector>

#include "ui/run_library.h"

namespace palimpsest {

class CurveStore;

/// One row a run: those on disk and those that go on now, newest first. Ticking a run shows it in the plots.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Shown,
        Name,
        Data,
        Method,
        Mask,
        Prompts,
        Images,
        Seed,
        AreaUnderCurve,
        LastAccuracy,
        LastForgetting,
        When,
        kColumns
    };
    enum Role {
        IdRole = Qt::UserRole,
        SortRole,  ///< numbers and times as such
        PrimaryRole,
        VisibleRole,
        LookRole,   ///< see curve_look.h
        StateRole,  ///< "running", "paused", "finished", "stopped", "failed", "crashed"
        SoFarRole   ///< the number may still change, or would have, had the run gone on
    };

    RunTableModel(CurveStore* store, RunLibrary* library, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    int rowOf(const QString& id) const;
    /// Shows or hides a run; one that is only on disk is handed to the store first.
    void setShown(const QString& id, bool shown);
    void makePrimary(const QString& id);
    /// The same, but such a run gives way when many are shown.
    void showForNow(const QString& id);

private:
    struct Row {
        QString id;
        RunLibrary::Record record;  ///< null for a run that has no folder, or was not read yet
    };
    void rebuild();
    void refreshAll();
    void refreshRow(const QString& id);
    bool ensureStored(const QString& id);
    QString text(const Row& row, int column) const;
    QVariant sortKey(const Row& row, int column) const;
    std::optional<double> metric(const Row& row, int column) const;
    const Experiment& experimentOf(const Row& row) const;
    QString stateOf(const Row& row) const;
    std::int64_t imagesOf(const Row& row) const;
    /// The whole run stands behind the number.
    bool isFinal(const Row& row, int column) const;
    QString numberTip(const Row& row, int column) const;
    QString tip(const Row& row, int column) const;

    CurveStore* store_;
    RunLibrary* library_;
    std::vector<Row> rows_;
    QTimer minute_;
};

/// "12:30", "10 min ago", "yesterday", "3 May": a moment as people say it.
QString momentText(const QString& isoUtc, const QDateTime& now);

}  // namespace palimpsest
