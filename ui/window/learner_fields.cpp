// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/learner_fields.h"

#include <QPointer>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "engine/learner/learner_description.h"
#include "engine/learner/learner_permit.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/state/engine_text.h"
#include "ui/state/experiment_draft.h"
#include "ui/widgets/icons.h"
#include "ui/window/learner_question.h"

namespace palimpsest {
namespace {

const QString kProgramKey = QStringLiteral("method.external_command");
const QString kSettingsKey = QStringLiteral("method.external_options");
const QString kTimeoutKey = QStringLiteral("method.external_timeout");
const QString kMemoryKey = QStringLiteral("method.external_memory");
const QString kSessionsKey = QStringLiteral("method.external_sessions");

/// Seconds that a program gets to say what it is, however long it may take for an answer in a run.
constexpr double kLongestHello = 120;
/// An answer that comes sooner is not announced.
constexpr int kAnnounceMs = 400;
/// Bytes of settings that are taken apart at each change.
constexpr std::size_t kMostSettings = std::size_t{16} << 10U;
/// What the fields of whole and of other numbers can hold.
constexpr double kLargestWhole = 2147483647;
constexpr double kSmallestStep = 1e-12;
/// Bytes of a unit that stand behind a number; a longer one stands in its help.
constexpr std::size_t kShortUnit = 12;

template <class Value>
Value valueOf(const ExperimentDraft& draft, const QString& key) {
    return std::get<Value>(draft.table().find(key.toStdString())->get(draft.experiment()));
}

/// The field of the option's type shows this value, and no other one in its place.
bool fitsField(const OptionValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return std::abs(static_cast<double>(*whole)) <= kLargestWhole;
    if (const auto* real = std::get_if<double>(&value))
        return std::abs(*real - std::round(*real / kSmallestStep) * kSmallestStep) <= 1e-9 * std::abs(*real);
    return true;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

Settings settingsOf(const Option& whole, const Experiment& experiment) {
    return learnerSettings(whole.key, std::get<std::string>(whole.get(experiment)));
}

/// The default, unless the settings have another value that the option allows.
OptionValue settingOf(const Option& option, const Option& whole, const Experiment& experiment) {
    try {
        for (const auto& [key, text] : settingsOf(whole, experiment))
            if (key == option.key) return learnerValue(option, text).value_or(option.standard);
    } catch (const Error&) {
        // What is wrong with the text stands below it.
    }
    return option.standard;
}

/// A default is not written: what the text leaves out is the program's to say.
void assignSetting(const Option& option, const Option& whole, Experiment& experiment, const OptionValue& value) {
    Settings settings = settingsOf(whole, experiment);
    const std::string text = toText(value);
    const auto allowed = learnerValue(option, text);
    if (!allowed) throw inputError(option.title + " must be " + learnerAllowedText(option) + ".");
    const auto found = std::ranges::find(settings, option.key, &Settings::value_type::first);
    if (*allowed == option.standard) {
        if (found != settings.end()) settings.erase(found);
    } else if (found != settings.end()) {
        found->second = text;
    } else {
        settings.emplace_back(option.key, text);
    }
    whole.assign(experiment, learnerSettingsText(settings));
}

/// The row of the form for an option of a program; `whole` must outlive it.
Option partOf(const Option& option, const Option& whole) {
    Option part = option;
    part.key = whole.key + "." + option.key;
    part.level = whole.level;
    part.effect = whole.effect;
    part.only_methods = whole.only_methods;
    // A default that no field of numbers can hold is typed as text.
    const bool typed = !fitsField(option.standard);
    if (typed) {
        part.type = OptionType::Text;
        part.standard = toText(option.standard);
    }
    if (part.unit.size() > kShortUnit)
        part.help += (part.help.empty() ? "" : " ") + std::string("Unit: ") + std::exchange(part.unit, {}) + ".";
    if (part.type == OptionType::Integer) {
        part.minimum = std::max(part.minimum, -kLargestWhole);
        part.maximum = std::min(part.maximum, kLargestWhole);
    }
    part.get = [option, &whole, typed](const Experiment& experiment) -> OptionValue {
        OptionValue value = settingOf(option, whole, experiment);
        return typed ? OptionValue(toText(value)) : value;
    };
    part.assign = [option, &whole](Experiment& experiment, const OptionValue& value) {
        assignSetting(option, whole, experiment, value);
    };
    return part;
}

/// Why the rows do not show all that the text says; empty: they do.
QString settingsProblem(const LearnerHello& hello, const std::string& text) {
    if (text.size() > kMostSettings)
        return LearnerFields::tr("This text is too long to be shown as fields; shorten it.");
    try {
        const Settings settings = learnerSettings(kSettingsKey.toStdString(), text);
        learnerOptionValues(hello, settings);
        for (const auto& [key, value] : settings) {
            const Option& option = *hello.find(key);
            if (fitsField(option.standard) && !fitsField(learnerValue(option, value).value_or(option.standard)))
                return LearnerFields::tr("%1 is %2, which its field cannot show; this text counts.")
                    .arg(QString::fromStdString(option.title), QString::fromStdString(value));
        }
    } catch (const Error& error) {
        return withOptionTitles(error.sentence());
    }
    return {};
}

QString sentenceOf(const LearnerHello& hello) {
    const QString name = QString::fromStdString(hello.name);
    const QString called = hello.version.empty()
                               ? name
                               : LearnerFields::tr("%1, version %2").arg(name, QString::fromStdString(hello.version));
    const QString takes = hello.takes_images && hello.takes_features
                              ? LearnerFields::tr("It learns from images and features.")
                          : hello.takes_images ? LearnerFields::tr("It learns from images.")
                                               : LearnerFields::tr("It learns from features.");
    QStringList sentences{LearnerFields::tr("This is %1.").arg(called), takes};
    if (hello.options.empty()) sentences << LearnerFields::tr("It has no options.");
    return sentences.join(' ');
}

}  // namespace

struct LearnerFields::Answer {
    std::optional<LearnerHello> hello;
    std::optional<LearnerCommand> refused;  ///< it is not allowed
    std::vector<std::string> changed{};     ///< files of it that have changed since it was
};

struct LearnerFields::Lane {
    QPointer<OptionForm> form;
    ExperimentDraft* draft;
    QToolButton* button = nullptr;
    /// The program that was described last, or is being described; an empty command: none.
    LearnerStart start{};
    std::optional<LearnerHello> hello{};
    bool asking = false;   ///< and there is no answer yet
    bool waiting = false;  ///< so long that it is said
    bool refused = false;
    QString change{};   ///< which of its files have changed since it was allowed
    QString failure{};  ///< with what to do about it
    QString failed{};   ///< without
    std::stop_source stop{};
    int number = 0;  ///< of the newest question
};

LearnerFields::LearnerFields(OptionForm* form, LearnerQuestion* question, QWidget* window)
    : QObject(window), question_(question) {
    connect(question_, &LearnerQuestion::allowed, this, [this] {
        for (const auto& lane : lanes_)
            if (learnsByProgram(lane->draft->experiment())) describe(*lane, false);
    });
    follow(form);
}

LearnerFields::~LearnerFields() {
    for (const auto& lane : lanes_) lane->stop.request_stop();
}

void LearnerFields::follow(OptionForm* form) {
    if (!form->editorOf(kProgramKey) || !form->editorOf(kSettingsKey)) return;
    lanes_.push_back(std::make_unique<Lane>(Lane{form, form->draft()}));
    Lane* const lane = lanes_.back().get();
    addButton(*lane);
    connect(lane->draft, &ExperimentDraft::changed, this, [this, lane](const QString& key) { onChanged(*lane, key); });
    onChanged(*lane, {});
}

void LearnerFields::setSaid(const QString& message) {
    said_ = message;
    for (const auto& lane : lanes_)
        if (lane->form && !lane->failed.isEmpty()) showProgram(*lane);
}

void LearnerFields::addButton(Lane& lane) {
    auto* button = lane.button = new QToolButton;
    const QString name = lane.draft->objectName();
    button->setObjectName((name.isEmpty() ? QString() : name + '.') + "describeLearner");
    withIcon(button, "refresh");
    button->setAccessibleName(tr("Ask the program for its options"));
    button->setToolTip(tr("Start the program once and ask it which options it has; they become fields below"));
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, [this, &lane] { describe(lane, true); });
    lane.form->editorOf(kProgramKey)->addBeside(button);
}

void LearnerFields::onChanged(Lane& lane, const QString& key) {
    if (!lane.form) return;
    if (key.isEmpty() || key == kProgramKey || key == kTimeoutKey || key == kMemoryKey || key == "method.name") {
        const LearnerStart start{valueOf<std::string>(*lane.draft, kProgramKey),
                                 std::min(valueOf<double>(*lane.draft, kTimeoutKey), kLongestHello),
                                 valueOf<std::int64_t>(*lane.draft, kMemoryKey)};
        const bool same = start.command == lane.start.command && start.timeout == lane.start.timeout &&
                          start.memory_mb == lane.start.memory_mb;
        lane.button->setEnabled(!start.command.empty());
        // A program is only started for the method that it is.
        if (!same && learnsByProgram(lane.draft->experiment())) {
            lane.start = start;
            return describe(lane, false);
        }
    }
    if (key.isEmpty() || key == kSettingsKey) checkSettings(lane);
    if (key.isEmpty() || key == kSessionsKey) showProgram(lane);
}

void LearnerFields::describe(Lane& lane, bool byHand) {
    if (!lane.form) return;
    lane.stop.request_stop();
    lane.stop = std::stop_source();
    const int number = ++lane.number;
    lane.failure.clear();
    lane.failed.clear();
    if (byHand) said_.clear();
    lane.refused = false;
    lane.waiting = false;
    if (lane.start.command.empty()) return showAnswer(lane, {}, false);
    lane.asking = true;
    QTimer::singleShot(kAnnounceMs, this, [this, &lane, number] {
        if (number != lane.number || !lane.asking || !lane.form) return;
        lane.waiting = true;
        showProgram(lane);
    });
    background_.run(
        [start = lane.start, stop = lane.stop.get_token(), byHand] {
            const StopScope scope(stop);
            Answer answer;
            LearnerStart asked = start;
            asked.found = learnerCommand(start.command);
            if (isLearnerAllowed(*asked.found))
                answer.hello = describedLearner(asked, byHand ? Describe::Anew : Describe::Known);
            else
                answer = {{}, asked.found, changedSinceAllowed(*asked.found)};
            return answer;
        },
        [this, &lane, number, byHand](const Answer& answer) {
            if (number == lane.number) showAnswer(lane, answer, byHand);
        },
        [this, &lane, number](const Failure& failure) {
            if (number != lane.number) return;
            lane.failed = withOptionTitles(failure.message);
            lane.failure = oneText(failure);
            showAnswer(lane, {}, false);
        });
}

void LearnerFields::showAnswer(Lane& lane, const Answer& answer, bool byHand) {
    if (!lane.form) return;
    lane.asking = lane.waiting = false;
    lane.hello = answer.hello;
    lane.refused = answer.refused.has_value();
    lane.change = LearnerQuestion::changeText(answer.changed);
    std::vector<Option> parts;
    const Option& whole = *lane.draft->table().find(kSettingsKey.toStdString());
    if (lane.hello)
        for (const Option& option : lane.hello->options) parts.push_back(partOf(option, whole));
    lane.form->setParts(kSettingsKey, parts);
    showProgram(lane);
    checkSettings(lane);
    if (answer.refused && byHand) question_->askToDescribe(*answer.refused);
}

void LearnerFields::showProgram(Lane& lane) {
    OptionEditor* program = lane.form->editorOf(kProgramKey);
    QString advice = withOptionTitles(lane.failure);
    if (!lane.failed.isEmpty() && said_.contains(lane.failed))
        advice = tr("It failed in the same way when it was asked for its options.");
    if (lane.waiting) advice = tr("It is being asked for its options …");
    if (lane.refused)
        advice = lane.change.isEmpty()
                     ? tr("You have not allowed this program yet. Its options become fields here once you have.")
                     : tr("%1 Its options become fields here once you allow it again.").arg(lane.change);
    if (lane.hello && lane.hello->needs_sessions && !valueOf<bool>(*lane.draft, kSessionsKey))
        advice = withOptionTitles(
            tr("It has to be told where sessions end: turn on method.external_sessions under More settings."));
    program->setAdvice(advice);
    program->setExplanation(lane.hello ? sentenceOf(*lane.hello) : QString());
}

void LearnerFields::checkSettings(Lane& lane) {
    const QString problem =
        lane.hello ? settingsProblem(*lane.hello, valueOf<std::string>(*lane.draft, kSettingsKey)) : QString();
    // Nothing that the text has is out of sight.
    lane.form->setWholeShown(kSettingsKey, !lane.hello || !problem.isEmpty());
    lane.form->editorOf(kSettingsKey)->setAdvice(problem);
}

}  // namespace palimpsest
