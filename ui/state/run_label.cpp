// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_label.h"

#include <QFileInfo>
#include <QHash>
#include <QSet>
#include <algorithm>
#include <functional>
#include <map>

#include "engine/config/experiment_differences.h"
#include "engine/run/live_change.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "ui/state/shown_run.h"

namespace palimpsest {
namespace {

QString titleOf(const std::vector<Choice>& choices, const std::string& value) {
    for (const Choice& choice : choices)
        if (choice.value == value && !choice.title.empty()) return QString::fromStdString(choice.title);
    return QString::fromStdString(value);
}

QString capitalised(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

/// "uniform stream", "older sampler".
QString streamText(const Experiment& experiment) {
    const StreamOptions& stream = experiment.stream;
    if (stream.sampler == "older" && stream.partition == "stochastic") return QStringLiteral("older sampler");
    return QString::fromStdString(stream.partition) + " stream";
}

QString sessionsText(const Experiment& experiment) {
    return QString::fromStdString(counted(experiment.stream.sessions, "session", "sessions"));
}

QString updatesText(const Experiment& experiment) {
    return QString::fromStdString(
        counted(experiment.training.updates_per_batch, "update per batch", "updates per batch"));
}

QString batchText(const Experiment& experiment) {
    return QStringLiteral("batches of %1").arg(experiment.training.batch_size);
}

const QString kComma = QStringLiteral(", ");

/// A property in which two runs can differ.
struct Phrase {
    const char* key;  ///< of the option: left out for a run in which it changes nothing; null: never left out
    std::function<QString(const Catalogue&, const Experiment&)> text;
    /// The value alone of an option that may change during the run, and the text around several of them.
    std::function<QString(const Experiment&)> value{};
    const char* pattern = "";
};

/// Phrases in order of importance.
const std::vector<Phrase>& phrases() {
    static const std::vector<Phrase> list = {
        {"method.name", [](const Catalogue& c, const Experiment& e) { return methodText(c, e); }},
        {"mask.name", [](const Catalogue&, const Experiment& e) { return maskText(e); },
         [](const Experiment& e) { return QString::fromStdString(e.mask.name); }, "%1 mask"},
        {"initial_session.prompts",
         [](const Catalogue&, const Experiment& e) {
             const QString prompts = promptsText(e);
             return prompts == QLatin1String("none") ? QStringLiteral("random prompts") : prompts + " prompts";
         }},
        {"memory.size",
         [](const Catalogue&, const Experiment& e) {
             return e.memory.size > 0 ? QStringLiteral("%1 replayed").arg(e.memory.size) : QStringLiteral("no replay");
         }},
        {"stream.dataset", [](const Catalogue& c, const Experiment& e) { return datasetText(c, e); }},
        {"stream.partition", [](const Catalogue&, const Experiment& e) { return streamText(e); }},
        // An imported list says itself how many there are, which the run has written down.
        {nullptr, [](const Catalogue&, const Experiment& e) { return sessionsText(e); }},
        {"stream.disjoint_percent",
         [](const Catalogue&, const Experiment& e) {
             return QStringLiteral("%1 % disjoint").arg(e.stream.disjoint_percent);
         }},
        {"stream.blurry_percent",
         [](const Catalogue&, const Experiment& e) {
             return QStringLiteral("%1 % blurry").arg(e.stream.blurry_percent);
         }},
        {"stream.train_limit",
         [](const Catalogue&, const Experiment& e) {
             return e.stream.train_limit > 0 ? QString::fromStdString(counted(e.stream.train_limit, "image", "images"))
                                             : QStringLiteral("all images");
         }},
        {"training.updates_per_batch", [](const Catalogue&, const Experiment& e) { return updatesText(e); }},
        {"training.batch_size", [](const Catalogue&, const Experiment& e) { return batchText(e); }},
        {"training.learning_rate",
         [](const Catalogue&, const Experiment& e) {
             return QStringLiteral("learning rate %1").arg(e.training.learning_rate);
         },
         [](const Experiment& e) { return QString::number(e.training.learning_rate); }, "learning rate %1"},
        {"backbone.weights",
         [](const Catalogue&, const Experiment& e) {
             return QFileInfo(QString::fromStdString(e.backbone.weights)).completeBaseName() + " weights";
         }},
    };
    return list;
}

bool matters(const OptionTable& table, const Experiment& experiment, const char* key) {
    return !key || table.idleReason(experiment, *table.find(key)).empty();
}

/// "Batch mask", "Batch → none mask": the value at the begin of the run, and those it was changed to.
QString textOf(const OptionTable& table, const Phrase& phrase, const LabelledRun& run) {
    const QString begun = phrase.text(table.catalogue(), *run.experiment);
    if (run.changes.empty() || !phrase.value) return begun;
    Experiment experiment = *run.experiment;
    QStringList values{phrase.value(experiment)};
    for (const LiveChange& change : run.changes) {
        if (change.key != phrase.key) continue;
        try {
            table.setText(experiment, change.key, change.value);
        } catch (const Error&) {
            continue;  // a value of another version
        }
        if (const QString value = phrase.value(experiment); value != values.last()) values.push_back(value);
    }
    if (values.size() == 1) return begun;
    const QString text = QString::fromLatin1(phrase.pattern).arg(values.join(QStringLiteral(" → ")));
    return begun.front().isUpper() ? capitalised(text) : text;
}

/// Differences of each run from the others; empty where there are none.
std::vector<QStringList> differencesOf(const OptionTable& table, const std::vector<LabelledRun>& runs) {
    std::vector<QStringList> parts(runs.size());
    const auto addDifference = [&](const Phrase& phrase) {
        QStringList texts;  // null where the option changes nothing
        QSet<QString> different;
        for (const LabelledRun& run : runs) {
            const bool named = matters(table, *run.experiment, phrase.key);
            texts.push_back(named ? textOf(table, phrase, run) : QString());
            if (named) different.insert(texts.back());
        }
        if (different.size() < 2) return;
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (!texts[static_cast<int>(i)].isNull()) parts[i].push_back(texts[static_cast<int>(i)]);
    };
    for (const Phrase& phrase : phrases()) addDifference(phrase);
    QSet<QString> distinct;
    for (const QStringList& part : parts) distinct.insert(part.join(QLatin1Char('\n')));
    // Another seed is the same experiment again; it is named only where nothing else distinguishes two runs.
    if (static_cast<std::size_t>(distinct.size()) < parts.size())
        addDifference(
            {"seed", [](const Catalogue&, const Experiment& e) { return QStringLiteral("seed %1").arg(e.seed); }});
    return parts;
}

/// A name, and the differences of its run from others of that name. A sentence continues, but names keep their
/// capitals.
QString withDifferences(const QString& name, const QStringList& parts) {
    const QStringList named = name.split(kComma);
    QStringList label{name};
    for (QString part : parts) {
        if (part.contains(QStringLiteral(" mask"))) part[0] = part[0].toLower();
        if (!named.contains(part, Qt::CaseInsensitive)) label.push_back(part);
    }
    return label.join(kComma);
}

}  // namespace

QString datasetText(const Catalogue& catalogue, const Experiment& experiment) {
    return titleOf(catalogue.datasets, experiment.stream.dataset);
}

QString methodText(const Catalogue& catalogue, const Experiment& experiment) {
    return QString::fromStdString(methodTitle(catalogue, experiment));
}

QString maskText(const Experiment& experiment) {
    const QString name = QString::fromStdString(experiment.mask.name);
    return name == QLatin1String("none") ? QStringLiteral("No mask") : capitalised(name) + " mask";
}

QString nameText(const Catalogue& catalogue, const Experiment& experiment) {
    return experiment.name.empty() ? methodText(catalogue, experiment) : QString::fromStdString(experiment.name);
}

QString promptsText(const Experiment& experiment) {
    const QString prompts = QString::fromStdString(experiment.initial_session.prompts);
    return prompts.isEmpty() || prompts == QLatin1String("none") ? QStringLiteral("none")
                                                                 : QFileInfo(prompts).completeBaseName();
}

QString changeText(const OptionTable& table, const LiveChange& change) {
    const Option* option = table.find(change.key);
    std::string title = change.key, value = change.value;
    if (option) {
        title = option->title;
        try {
            Experiment experiment = table.defaults();
            table.setText(experiment, change.key, change.value);
            value = valueText(*option, option->get(experiment));
        } catch (const Error&) {
            // A value of another version stands as it was written.
        }
    }
    return QString::fromStdString(title + ": " + value);
}

QString detailsText(const Experiment& experiment) {
    return QStringList{sessionsText(experiment), updatesText(experiment), batchText(experiment)}.join(", ");
}

LabelledRun labelled(const ShownRun& run) {
    LabelledRun made(&run.facts->experiment, run.changesOfItsOwn());
    made.known = !run.facts->imported;
    return made;
}

QStringList runLabels(const OptionTable& table, const std::vector<LabelledRun>& runs) {
    QStringList labels;
    std::map<QString, std::vector<std::size_t>> sharing;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        labels.push_back(runs[i].name.isEmpty() ? methodText(table.catalogue(), *runs[i].experiment) : runs[i].name);
        if (runs[i].known) sharing[labels.back()].push_back(i);
    }
    for (const auto& [name, places] : sharing) {
        std::vector<LabelledRun> same;
        for (const std::size_t i : places) same.push_back(runs[i]);
        const std::vector<QStringList> differences = differencesOf(table, same);
        for (std::size_t k = 0; k < places.size(); ++k)
            labels[static_cast<int>(places[k])] = withDifferences(name, differences[k]);
    }
    QHash<QString, int> uses, given;
    for (const QString& label : labels) ++uses[label];
    for (QString& label : labels)
        if (uses.value(label) > 1) label += QStringLiteral(" (%1)").arg(++given[QString(label)]);
    return labels;
}

}  // namespace palimpsest
