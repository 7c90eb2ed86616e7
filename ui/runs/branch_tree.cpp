// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/branch_tree.h"

#include <QHash>
#include <QStringList>

#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

QString folderId(const std::filesystem::path& folder) {
    return RunSet::idOf(folder.string(), 0);
}

class Growing {
public:
    Growing(const std::vector<RunRowPtr>& rows, const RunFinder& find) {
        for (const RunRowPtr& row : rows) {
            if (row->parent.empty()) continue;
            const std::filesystem::path parent = wholePath(row->parent);
            RunRowPtr known = find(folderId(parent));
            if (!known) known = find(folderId(row->folder.parent_path() / parent.filename()));
            const QString id = known ? folderId(known->folder) : folderId(parent);
            if (!forks_.contains(id)) parents_.append(id);
            known_[id] = known;
            forks_[id].push_back(row);
        }
    }

    std::vector<BranchNode> grow() {
        std::vector<BranchNode> roots;
        for (const QString& id : parents_)
            if (const RunRowPtr& row = known_[id]; !row || row->parent.empty()) roots.push_back(take(id, row));
        // A folder that was written by hand may be its own ancestor.
        for (const QString& id : parents_)
            if (forks_.contains(id)) roots.push_back(take(id, known_[id]));
        return roots;
    }

private:
    BranchNode take(const QString& id, const RunRowPtr& row) {
        BranchNode node{row,
                        id,
                        row ? QString::fromStdString(row->name)
                            : QString::fromStdString(std::filesystem::path(id.toStdString()).filename().string()),
                        {}};
        // Taken away before they are followed, so that no circle has an end to miss.
        for (const RunRowPtr& fork : forks_.take(id)) node.forks.push_back(take(folderId(fork->folder), fork));
        return node;
    }

    QStringList parents_;
    QHash<QString, RunRowPtr> known_;
    QHash<QString, std::vector<RunRowPtr>> forks_;
};

}  // namespace

std::vector<BranchNode> branchTree(const std::vector<RunRowPtr>& rows, const RunFinder& find) {
    return Growing(rows, find).grow();
}

}  // namespace palimpsest
