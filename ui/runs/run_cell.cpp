// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_cell.h"

#include <QLocale>
#include <array>
#include <limits>

#include "engine/library/run_family.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/engine_text.h"
#include "ui/state/run_label.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

using Column = RunTableModel::Column;

/// As much of the settings as a row knows.
Experiment brief(const RunRow& row) {
    Experiment experiment;
    experiment.name = row.name;
    experiment.stream.dataset = row.dataset;
    experiment.stream.sessions = row.sessions;
    experiment.method.name = row.method;
    experiment.program = row.program;
    experiment.mask.name = row.mask;
    experiment.initial_session.prompts = row.prompts;
    experiment.training.updates_per_batch = row.updates_per_batch;
    experiment.training.batch_size = row.batch_size;
    return experiment;
}

/// What the word in the column of prompts stands for; empty for none and for files of the user's own.
QString promptsTip(const RunRow& row) {
    if (row.prompts == "fam")
        return RunTableModel::tr(
            "fam: forgetting-aware minimisation (FAM) made the prompts before the stream, so that they stay good when "
            "other classes are learned");
    if (row.prompts == "sam")
        return RunTableModel::tr(
            "sam: sharpness-aware minimisation (SAM) made the prompts before the stream, so that they stay good when "
            "they are pushed");
    if (row.prompts == "naive")
        return RunTableModel::tr("naive: plain steps down the loss made the prompts before the stream");
    return {};
}

}  // namespace

RunRowPtr briefRow(const ShownRun& run) {
    RunRow row;
    if (run.row) {
        row = *run.row;
        row.folder = run.id.toStdString();
        return std::make_shared<const RunRow>(std::move(row));
    }
    const Experiment& experiment = run.facts->experiment;
    row.folder = run.id.toStdString();
    row.name = experiment.name;
    row.method = experiment.method.name;
    row.program = experiment.program;
    row.mask = experiment.mask.name;
    row.changes = run.changesOfItsOwn();
    row.prompt_lengths = run.facts->prompt_lengths;
    row.prompts = experiment.initial_session.prompts;
    row.dataset = experiment.stream.dataset;
    row.memory = experiment.memory.size;
    row.seed = experiment.seed;
    row.sessions = run.facts->sessions();
    row.batch_size = experiment.training.batch_size;
    row.updates_per_batch = experiment.training.updates_per_batch;
    row.state = run.replayed       ? run.replayed->state
                : run.inProgress() ? RecordedState::Running
                : run.finished     ? RecordedState::Finished
                                   : RecordedState::Stopped;
    row.total_samples = run.facts->total_samples;
    row.samples_seen = run.points.samplesSeen();
    row.fingerprint = run.facts->fingerprint;
    row.a_auc = run.points.areaUpTo(std::numeric_limits<std::int64_t>::max());
    return std::make_shared<const RunRow>(std::move(row));
}

const ColumnText& columnText(int column) {
    const auto tr = [](const char* text) { return RunTableModel::tr(text); };
    static const QString more = tr("Difference to the baseline, in points; more is better");
    static const QString less = tr("Difference to the baseline, in points; less is better");
    static const std::array<ColumnText, Column::kColumns> texts{{
        {{},
         tr("Full dot: shown in the plots. Half a dot: only some of the group are. Hollow dot: hidden. Click a dot to "
            "change that.")},
        {tr("Name"), {}},
        {tr("Data"), {}},
        {tr("Method"), {}},
        {tr("Mask"), {}},
        {tr("Prompts"), tr("Initial prompts. none: random ones; naive, sam, fam: adapted before the stream, fam "
                           "by forgetting-aware minimisation")},
        {tr("Memory"), tr("Images that the run may keep to replay")},
        {tr("Images"), tr("Training images in the stream")},
        {tr("Seed"), {}},
        {"A_AUC", tr("Mean of the anytime accuracies, in %")},
        {"Δ A_AUC", more},
        {"A_Last",
         tr("Accuracy over all classes after the last session, in %: the one of published code and tables. It is "
            "measured once more when the stream has ended; the curve's last point may be some images older.")},
        {"Δ A_Last", more},
        {"F_Last", tr("Mean drop of a class's accuracy from its best to its last, in points; less is better: the one "
                      "of published code and tables")},
        {"Δ F_Last", less},
        {tr("A_Last by session"),
         tr("Mean over sessions of their accuracies after the last one, in %: the paper's text")},
        {"Δ A_Last", more},
        {tr("F_Last by session"), tr("Mean drop of a session's accuracy from its best to its last, in points; less is "
                                     "better: the paper's text")},
        {"Δ F_Last", less},
        {tr("Tags"), tr("Words of your own; tag:word in the search finds them")},
        {tr("Note"), tr("What you want to remember of the run")},
        {tr("When"), {}},
    }};
    return texts[static_cast<std::size_t>(column)];
}

QString unknownText() {
    return QStringLiteral("–");
}

QString momentText(const QString& isoUtc, const QDateTime& now) {
    QDateTime then = QDateTime::fromString(isoUtc, Qt::ISODate);
    if (!then.isValid()) return {};
    then = then.toLocalTime();
    const qint64 seconds = then.secsTo(now), days = then.date().daysTo(now.date());
    if (seconds < 60) return RunTableModel::tr("just now");
    if (seconds < 3600) return RunTableModel::tr("%1 min ago").arg(seconds / 60);
    if (days == 0) return RunTableModel::tr("today %1").arg(then.time().toString(QStringLiteral("HH:mm")));
    if (days == 1) return RunTableModel::tr("yesterday");
    const QLocale english(QLocale::English, QLocale::UnitedKingdom);
    return english.toString(
        then.date(), then.date().year() == now.date().year() ? QStringLiteral("d MMM") : QStringLiteral("d MMM yyyy"));
}

QString shortMomentText(const QString& isoUtc, const QDateTime& now) {
    QDateTime then = QDateTime::fromString(isoUtc, Qt::ISODate);
    if (!then.isValid()) return {};
    then = then.toLocalTime();
    const bool today = then.date() == now.date(), year = then.date().year() == now.date().year();
    const QLocale english(QLocale::English, QLocale::UnitedKingdom);
    return english.toString(then, today  ? QStringLiteral("HH:mm")
                                  : year ? QStringLiteral("d MMM")
                                         : QStringLiteral("MMM yyyy"));
}

QString RunCell::state() const {
    if (shown && shown->learns()) return shown->paused ? QStringLiteral("paused") : QStringLiteral("running");
    return QString::fromLatin1(toText(row.state));
}

bool RunCell::goesOn() const {
    const QString now = state();
    return now == QLatin1String("running") || now == QLatin1String("paused");
}

std::int64_t RunCell::images() const {
    return row.total_samples > 0 ? row.total_samples : shown ? shown->facts->total_samples : 0;
}

bool RunCell::isFinal(int column) const {
    if (shown && shown->learns()) return false;
    return palimpsest::isFinal(row, listedMetric(column));
}

std::optional<double> RunCell::number(int column) const {
    const bool live = shown && shown->learns();
    if (column == Column::AreaUnderCurve && (live || !row.a_auc))
        // Imported results that were measured at the ends of sessions alone have none.
        return shown && !shown->facts->imported ? shown->points.areaUpTo(std::numeric_limits<std::int64_t>::max())
                                                : std::nullopt;
    if (live || (column != Column::AreaUnderCurve && !isFinal(column))) return std::nullopt;
    return row.*kListedMetrics[listedMetric(column)].value;
}

QString RunCell::numberText(int column) const {
    const std::optional<double> value = number(column);
    if (!value) return goesOn() ? QStringLiteral("…") : unknownText();
    return isFinal(column) ? percentText(*value) : RunTableModel::tr("so far %1").arg(percentText(*value));
}

QString RunCell::lastMoment() const {
    return QString::fromStdString(row.lastMoment());
}

/// "connection lost, last seen 14:02".
QString RunCell::lostText() const {
    QDateTime seen = *lost;
    if (!seen.isValid() && row.modified > 0) seen = QDateTime::fromSecsSinceEpoch(row.modified);
    if (!seen.isValid()) return RunTableModel::tr("connection lost");
    const bool today = seen.date() == QDate::currentDate();
    return RunTableModel::tr("connection lost, last seen %1")
        .arg(QLocale::c().toString(seen, today ? QStringLiteral("HH:mm") : QStringLiteral("d MMM HH:mm")));
}

QString RunCell::whenText() const {
    const QString now = state();
    if (goesOn() && lost) return lostText();
    if (goesOn() && !paused.isEmpty()) return RunTableModel::tr("paused there");
    if (goesOn()) return now;
    const QDateTime present = QDateTime::currentDateTime();
    if (now == QLatin1String("finished")) {
        const QString when = momentText(lastMoment(), present);
        return when.isEmpty() ? RunTableModel::tr("finished") : when;
    }
    const QString when = shortMomentText(lastMoment(), present);
    return when.isEmpty() ? now : RunTableModel::tr("%1 %2").arg(now, when);
}

QString RunCell::text(int column) const {
    if (isMetricColumn(column)) return numberText(column);
    const auto known = [](const std::string& value, const QString& words) {
        return value.empty() ? unknownText() : words;
    };
    switch (column) {
        case Column::Name:
            return shown && !shown->label.isEmpty() ? shown->label : nameText(catalogue, brief(row));
        case Column::Data:
            return known(row.dataset, datasetText(catalogue, brief(row)));
        case Column::Method:
            return known(row.method, methodText(catalogue, brief(row)));
        case Column::Mask:
            return known(row.mask, QString::fromStdString(valuesInTurn(row.mask, row.changes, "mask.name")));
        case Column::Prompts:
            return row.imported() ? unknownText() : promptsText(brief(row));
        case Column::Memory:
            return row.imported() ? unknownText() : countText(row.memory);
        case Column::Images:
            return images() > 0 ? countText(images()) : unknownText();
        case Column::Seed:
            return QString::number(row.seed);
        case Column::Tags:
            return QString::fromStdString(tagsText(row.notes.tags));
        case Column::Note:
            return QString::fromStdString(row.notes.note);
        case Column::When:
            return whenText();
        default:
            return {};
    }
}

QString RunCell::numberTip(int column) const {
    if (isFinal(column)) return {};
    if (column == Column::AreaUnderCurve)
        return RunTableModel::tr("So far: measured up to %1 of %2 images")
            .arg(countText(shown ? shown->points.samplesSeen() : row.samples_seen), countText(images()));
    QString text = RunTableModel::tr("Known once the last session has ended");
    const std::optional<double>& value = row.*kListedMetrics[listedMetric(column)].value;
    if (goesOn() || !value) return text;
    return text + '\n' +
           RunTableModel::tr("After %1 of %2 sessions: %3")
               .arg(row.sessions_ended)
               .arg(row.sessions)
               .arg(percentText(*value));
}

QString RunCell::settingsText() const {
    const QString prompts = QString::fromStdString(promptLengthsText(row.prompt_lengths));
    return detailsText(brief(row)) + (prompts.isEmpty() ? "" : ", " + prompts);
}

QString RunCell::importedText() const {
    const QString from = QString::fromStdString(row.origin);
    if (from.isEmpty())
        return RunTableModel::tr("Imported: measured by another program, whose settings are not known here");
    return row.method.empty()
               ? RunTableModel::tr("Imported from %1: measured by another program, whose settings are not known here")
                     .arg(from)
               : RunTableModel::tr("Imported from %1: measured by another program").arg(from);
}

QString RunCell::tip(int column, const RunLibrary::Record& record) const {
    if (column == Column::Shown)
        return shown && shown->display.selected
                   ? RunTableModel::tr("Full dot: shown in the plots as the selected run. Click to hide the run.")
               : shown && shown->display.visible
                   ? RunTableModel::tr("Full dot: shown in the plots beside the selected run. Click to hide the run.")
                   : RunTableModel::tr("Hollow dot: not in the plots. Click to show the run there.");
    QStringList lines;
    if (isMetricColumn(column)) lines.push_back(numberTip(column));
    if (column == Column::Prompts) lines.push_back(promptsTip(row));
    if (column == Column::Note || column == Column::When) lines.push_back(text(column));
    if (column == Column::Note || column == Column::Tags)
        lines.push_back(RunTableModel::tr("Double click or F2 to edit"));
    lines.removeAll(QString());
    lines.push_back(RunTableModel::tr("%1. Click to select it").arg(text(Column::Name)));
    if (row.imported())
        lines.push_back(importedText());
    else
        lines.push_back(settingsText());
    if (!row.changes.empty()) {
        const OptionTable table(catalogue);
        for (const LiveChange& change : row.changes)
            lines.push_back(
                RunTableModel::tr("Changed after %1 images: %2").arg(countText(change.at), changeText(table, change)));
    }
    if (goesOn() && lost)
        lines.push_back(RunTableModel::tr("Its machine is not reached: %1. It may go on there; its curves grow again "
                                          "when the connection is back.")
                            .arg(lostText()));
    if (goesOn() && !paused.isEmpty()) lines.push_back(paused);
    if (row.state == RecordedState::Crashed)
        lines.push_back(RunTableModel::tr(
            "The program that wrote this run is gone, and the run did not end. Its numbers are kept."));
    lines.push_back(QString::fromStdString(row.folder.string()));
    if (!row.error.empty()) lines.push_back(withOptionTitles(row.error));
    if (record)
        for (const std::string& warning : record->warnings) lines.push_back(QString::fromStdString(warning));
    return lines.join('\n');
}

const Spread& HeadingCell::spread(int column) const {
    return family.spreads[listedMetric(column)];
}

/// "N = 2 of 3"; "N = 2–3 of 4" where not all of them have every number. Runs that go on or stopped, and repeats of a
/// seed, are in no mean.
QString HeadingCell::countsText() const {
    const auto runs = static_cast<qint64>(family.members.size());
    qint64 least = runs, most = 0;
    for (const Spread& spread : family.spreads) {
        if (spread.count == 0) continue;
        least = std::min<qint64>(least, spread.count);
        most = std::max<qint64>(most, spread.count);
    }
    if (most == 0 || least == runs) return RunTableModel::tr("%1 runs").arg(runs);
    return least == most ? RunTableModel::tr("N = %1 of %2").arg(most).arg(runs)
                         : RunTableModel::tr("N = %1–%2 of %3").arg(least).arg(most).arg(runs);
}

QString HeadingCell::text(int column) const {
    if (isMetricColumn(column)) {
        const Spread& numbers = spread(column);
        if (numbers.count == 0) return unknownText();
        const QString mean = percentText(numbers.mean);
        return numbers.count < 2 ? mean : RunTableModel::tr("%1 ± %2").arg(mean, percentText(numbers.deviation));
    }
    if (column == Column::Seed) return countsText();
    if (column == Column::Tags || column == Column::Note || column == Column::When) return {};
    return RunCell{first, nullptr, catalogue}.text(column);
}

QString HeadingCell::tip(int column) const {
    const auto runs = static_cast<qint64>(family.members.size());
    if (column == Column::Shown)
        return RunTableModel::tr(
            "Full dot: all runs of the group are in the plots, and later ones join. Half a dot: only some are. Click "
            "to show or hide all.");
    QStringList lines{
        RunTableModel::tr("%1 runs of one experiment with several seeds. Click or Enter lists them.").arg(runs)};
    const QString prompts = column == Column::Prompts ? promptsTip(first) : QString();
    if (!prompts.isEmpty()) lines.prepend(prompts);
    const QString count = RunTableModel::tr("%1: N = %2 of %3");
    const auto add = [&](const QString& metric, int of) {
        lines.append(count.arg(metric).arg(spread(of).count).arg(runs));
    };
    const bool number = isMetricColumn(column) || isDifferenceColumn(column);
    const int metric = number ? metricOf(column) : column;
    for (std::size_t listed = 0; listed < kListedMetrics.size(); ++listed)
        if (!number || metric == metricColumn(listed))
            add(columnText(metricColumn(listed)).title, metricColumn(listed));
    lines.append(
        RunTableModel::tr("Mean ± standard deviation over the N runs that have the number: of those that have "
                          "finished, a repeated seed once."));
    return lines.join('\n');
}

}  // namespace palimpsest
