// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/number_field.h"

#include <QLineEdit>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/state/number_text.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr qsizetype kQuoted = 24;  // characters of what was typed; a long word would widen the form

QString shortened(const QString& typed) {
    return typed.size() <= kQuoted ? typed : typed.left(kQuoted - 1) + QStringLiteral("…");
}

constexpr int kDecimals = 12;
/// Bounds beyond this are not named: "at least 1" instead.
constexpr double kNoBound = 2147483647;

QString shortest(double value) {
    return QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest);
}

bool onceBroken(const QString& core, const QString& affix) {
    if (affix.isEmpty()) return false;
    if (core.contains(affix)) return true;
    for (qsizetype i = 0; affix.size() > 1 && i < affix.size(); ++i)
        if (core.contains(QString(affix).remove(i, 1))) return true;
    return false;
}

}  // namespace

NumberEntry::NumberEntry(QAbstractSpinBox* box, const Option& option, std::function<QString(double)> text)
    : box_(box), option_(option), whole_(option.type == OptionType::Integer), text_(std::move(text)) {
    QObject::connect(box->findChild<QLineEdit*>(), &QLineEdit::textEdited, box,
                     [this](const QString& now) { onEdited(now); });
    QObject::connect(box, &QAbstractSpinBox::editingFinished, box, [this] { onLeft(); });
}

QString NumberEntry::core(const QString& text) const {
    QString core = text;
    const QString prefix = box_->property("prefix").toString(), suffix = box_->property("suffix").toString();
    if (!prefix.isEmpty() && core.startsWith(prefix)) core.remove(0, prefix.size());
    if (!suffix.isEmpty() && core.endsWith(suffix)) core.chop(suffix.size());
    return core.trimmed();
}

bool NumberEntry::fits(const QString& core) const {
    if (!option_.special.empty() && core == QString::fromStdString(option_.special)) return true;
    const auto number = numberFromText(core, whole_);
    if (!number || *number < option_.minimum || *number > option_.maximum) return false;
    // A number that the field cannot hold exactly would become another one.
    const double unit = whole_ ? 1 : std::pow(10, -kDecimals);
    return std::abs(*number - std::round(*number / unit) * unit) <= 1e-9 * std::abs(*number);
}

bool NumberEntry::breaksAffix(const QString& core) const {
    return onceBroken(core, box_->property("prefix").toString().trimmed()) ||
           onceBroken(core, box_->property("suffix").toString().trimmed());
}

QValidator::State NumberEntry::validate(QString& text, int& position) const {
    QString inner = core(text);
    // Qt puts prefix and suffix back, so that a letter deleted in them would double them.
    if (breaksAffix(inner)) return QValidator::Invalid;
    const QString special = QString::fromStdString(option_.special);
    if (!special.isEmpty() && inner != special && inner.contains(special)) {
        // A digit typed beside the word replaces it.
        inner.remove(special);
        const QString prefix = box_->property("prefix").toString();
        text = prefix + inner + box_->property("suffix").toString();
        position = static_cast<int>(prefix.size() + inner.size());
    }
    return fits(inner) ? QValidator::Acceptable : QValidator::Intermediate;
}

double NumberEntry::value(const QString& text) const {
    return numberFromText(core(text), whole_).value_or(option_.minimum);
}

QString NumberEntry::range() const {
    const QString title = QString::fromStdString(option_.title);
    const QString kind = whole_ ? tr("whole number") : tr("number");
    if (option_.maximum >= kNoBound && option_.minimum <= -kNoBound) return tr("%1 is a %2.").arg(title, kind);
    if (option_.maximum >= kNoBound) return tr("%1 is a %2 of at least %3.").arg(title, kind, text_(option_.minimum));
    return tr("%1 is a %2 from %3 to %4.").arg(title, kind, text_(option_.minimum), text_(option_.maximum));
}

void NumberEntry::onEdited(const QString& text) {
    const QString inner = core(text);
    wrong_ = inner.isEmpty() || fits(inner) ? QString() : inner;
    // "1e-" may become a number yet.
    const auto number = numberFromText(inner, whole_);
    const bool open = number ? *number < option_.minimum
                             : inner.isEmpty() || !inner.back().isDigit() || (whole_ && inner.contains(','));
    const auto fitsWith = [&](const char* rest) { return fits(inner + QLatin1String(rest)); };
    const bool begun = open && (fitsWith("1") || fitsWith("0") || fitsWith("00") || fitsWith("000"));
    mark(!wrong_.isEmpty() && !begun);
    if (on_refusal_) on_refusal_(wrong_.isEmpty() || begun ? QString() : range());
}

void NumberEntry::onLeft() {
    const QString refused = std::exchange(wrong_, {});
    mark(false);
    if (!refused.isEmpty() && on_refusal_) on_refusal_(tr("“%1” was not taken. %2").arg(shortened(refused), range()));
}

void NumberEntry::forget() {
    wrong_.clear();
    mark(false);
}

void NumberEntry::mark(bool wrong) {
    markWrong(box_, wrong);
}

IntegerField::IntegerField(const Option& option, QWidget* parent)
    : QSpinBox(parent), entry_(this, option, [this](double value) { return locale().toString(qint64(value)); }) {
    // Counts are written so everywhere in the window; other separators could pass for decimal marks.
    setLocale(QLocale(QLocale::English, QLocale::UnitedKingdom));
    setRange(static_cast<int>(std::max(option.minimum, -kNoBound)),
             static_cast<int>(std::min(option.maximum, kNoBound)));
}

int IntegerField::valueFromText(const QString& text) const {
    return static_cast<int>(std::clamp(entry_.value(text), double(minimum()), double(maximum())));
}

RealField::RealField(const Option& option, QWidget* parent) : QDoubleSpinBox(parent), entry_(this, option, shortest) {
    setLocale(QLocale::c());
    setDecimals(kDecimals);
    setRange(option.minimum, option.maximum);
}

QString RealField::textFromValue(double value) const {
    return shortest(value);
}

}  // namespace palimpsest
