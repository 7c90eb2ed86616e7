// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_label.h"

#include <QFileInfo>
#include <QHash>
#include <QSet>
#include <functional>

#include "engine/config/experiment_differences.h"
#include "engine/run/live_change.h"
#include "engine/support/error.h"
#include "engine/support/grouped.h"

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

/// What two runs can differ in.
struct Phrase {
    const char* key;  ///< of the option: a run in which it changes nothing is not told apart by it; null: always told
    std::function<QString(const Catalogue&, const Experiment&)> text;
};

/// Most telling first.
const std::vector<Phrase>& phrases() {
    static const std::vector<Phrase> list = {
        {"method.name", [](const Catalogue& c, const Experiment& e) { return methodText(c, e); }},
        {"mask.name", [](const Catalogue&, const Experiment& e) { return maskText(e); }},
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
         }},
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

}  // namespace

QString datasetText(const Catalogue& catalogue, const Experiment& experiment) {
    return titleOf(catalogue.datasets, experiment.stream.dataset);
}

QString methodText(const Catalogue& catalogue, const Experiment& experiment) {
    return titleOf(catalogue.methods, experiment.method.name);
}

QString maskText(const Experiment& experiment) {
    const QString name = QString::fromStdString(experiment.mask.name);
    return name == QLatin1String("none") ? QStringLiteral("No mask") : capitalised(name) + " mask";
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

QStringList runLabels(const OptionTable& table, const std::vector<const Experiment*>& experiments) {
    std::vector<QStringList> parts(experiments.size());
    const auto addDifference = [&](const Phrase& phrase) {
        QStringList texts;  // null where the option changes nothing
        QSet<QString> different;
        for (const Experiment* experiment : experiments) {
            const bool told = matters(table, *experiment, phrase.key);
            texts.push_back(told ? phrase.text(table.catalogue(), *experiment) : QString());
            if (told) different.insert(texts.back());
        }
        if (different.size() < 2) return;
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (!texts[static_cast<int>(i)].isNull()) parts[i].push_back(texts[static_cast<int>(i)]);
    };
    for (const Phrase& phrase : phrases()) addDifference(phrase);
    QSet<QString> distinct;
    for (const QStringList& part : parts) distinct.insert(part.join(QLatin1Char('\n')));
    // Another seed is the same experiment again; it is named only where nothing else tells two runs apart.
    if (static_cast<std::size_t>(distinct.size()) < parts.size())
        addDifference(
            {"seed", [](const Catalogue&, const Experiment& e) { return QStringLiteral("seed %1").arg(e.seed); }});
    const auto usual = [&](const Experiment& experiment) {
        return matters(table, experiment, "mask.name") ? maskText(experiment)
                                                       : methodText(table.catalogue(), experiment);
    };
    QStringList labels;
    QHash<QString, int> uses;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        QString label = capitalised(parts[i].isEmpty() ? usual(*experiments[i]) : parts[i].join(", "));
        ++uses[label];
        labels.push_back(label);
    }
    QHash<QString, int> given;
    for (QString& label : labels)
        if (uses.value(label) > 1) label += QStringLiteral(" (%1)").arg(++given[QString(label)]);
    return labels;
}

}  // namespace palimpsest
