// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/class_names.h"

#include "engine/record/run_folder.h"
#include "engine/run/run_events.h"

namespace palimpsest {

QString ClassNames::name(int label) const {
    return label >= 0 && label < names.size() ? names[label] : tr("class %1").arg(label);
}

ClassKind ClassNames::kind(int label) const {
    return label >= 0 && static_cast<std::size_t>(label) < kinds.size() ? kinds[static_cast<std::size_t>(label)]
                                                                        : ClassKind::Unknown;
}

QString ClassNames::text(int label) const {
    const ClassKind known = kind(label);
    return known == ClassKind::Unknown ? name(label)
                                       : tr("%1, %2 class").arg(name(label), QString::fromLatin1(kindText(known)));
}

QStringList toStringList(const std::vector<std::string>& names) {
    QStringList texts;
    for (const std::string& name : names) texts.append(QString::fromStdString(name));
    return texts;
}

ClassNames classNamesOf(const RunStarted& started) {
    if (started.replayed) return classNamesOf(*started.replayed);
    return {toStringList(started.class_names),
            started.plan ? classKinds(*started.plan, started.class_names.size()) : std::vector<ClassKind>()};
}

ClassNames classNamesOf(const RunRecord& record) {
    ClassNames names{toStringList(record.class_names), {}};
    for (const std::string& kind : record.class_kinds) names.kinds.push_back(kindIn(kind));
    return names;
}

}  // namespace palimpsest
