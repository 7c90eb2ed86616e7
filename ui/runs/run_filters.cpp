// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_filters.h"

#include <QLineEdit>
#include <QMenu>
#include <algorithm>
#include <array>
#include <set>

#include "ui/runs/run_table_model.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostOffered = 25;

QString termOf(const QString& field, const QString& value) {
    return value.contains(' ') ? QStringLiteral("%1:\"%2\"").arg(field, value)
                               : QStringLiteral("%1:%2").arg(field, value);
}

void flip(QLineEdit* search, const QString& field, const QString& term) {
    // Two methods at once no run has; two tags many.
    QStringList words = search->text().split(' ', Qt::SkipEmptyParts);
    const bool there = words.removeAll(term) > 0;
    if (!there && field != QLatin1String("tag"))
        words.erase(std::remove_if(words.begin(), words.end(),
                                   [&](const QString& word) { return word.startsWith(field + ':'); }),
                    words.end());
    if (!there) words.push_back(term);
    search->setText(words.join(' '));
}

}  // namespace

void emptyMenu(QMenu* menu) {
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    menu->clear();
}

void fillFilterMenu(QMenu* menu, const RunTableModel& model, QLineEdit* search) {
    emptyMenu(menu);
    struct Group {
        QString field, title;
        std::string (*text)(const RunRow&);  // null: the tags
        std::set<std::string> values{};
    };
    std::array<Group, 5> groups{
        {{"method", RunTableModel::tr("Method"), [](const RunRow& row) { return row.method; }},
         {"mask", RunTableModel::tr("Mask"), [](const RunRow& row) { return row.mask; }},
         {"data", RunTableModel::tr("Data"), [](const RunRow& row) { return row.dataset; }},
         {"state", RunTableModel::tr("State"), [](const RunRow& row) { return std::string(toText(row.state)); }},
         {"tag", RunTableModel::tr("Tag"), nullptr}}};
    for (const RunRowPtr& row : model.rows()) {
        for (Group& group : groups) {
            if (!group.text)
                group.values.insert(row->notes.tags.begin(), row->notes.tags.end());
            else if (const std::string text = group.text(*row); !text.empty())
                group.values.insert(text);
        }
    }
    const QStringList words = search->text().split(' ', Qt::SkipEmptyParts);
    for (const auto& [field, title, text, values] : groups) {
        QMenu* group = menu->addMenu(title);
        group->setObjectName("runsFilter-" + field);
        group->setEnabled(!values.empty());
        std::size_t offered = 0;
        for (const std::string& value : values) {
            if (++offered > kMostOffered) break;
            const QString term = termOf(field, QString::fromStdString(value));
            QAction* action = group->addAction(QString::fromStdString(value));
            action->setObjectName(term);
            action->setCheckable(true);
            action->setChecked(words.contains(term));
            QObject::connect(action, &QAction::triggered, search,
                             [search, field = field, term] { flip(search, field, term); });
        }
    }
    menu->addSeparator();
    QAction* none = menu->addAction(RunTableModel::tr("All runs"), search, &QLineEdit::clear);
    none->setObjectName("runsFilterNone");
    none->setEnabled(!search->text().isEmpty());
}

}  // namespace palimpsest
