// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QLineEdit>
#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <utility>

#include "tests/support/monkey_hands.h"

namespace palimpsest::testing {

/// Chooses the next action for the widgets on the screen. The same seed makes the same choices for the same widgets.
class MonkeyMind {
public:
    explicit MonkeyMind(std::uint64_t seed) : random_(seed) {}

    MonkeyAction next() {
        if (QWidget* popup = QApplication::activePopupWidget()) return inPopup(popup);
        const std::size_t turn = below(100);
        if (turn < 22) return action();
        if (turn < 32) return runVerb();
        if (turn < 46) return keyPress();
        if (turn < 56)
            if (QWidget* field = pick([](const QWidget* w) {
                    return qobject_cast<const QLineEdit*>(w) || qobject_cast<const QAbstractSpinBox*>(w);
                }))
                return {"type", MonkeyHands::nameOf(field), {text()}};
        if (turn < 66)
            if (QWidget* list = pick([](const QWidget* w) {
                    return w->parentWidget() && w->parentWidget()->objectName() == "runsTable";
                }))
                return onList(list);
        if (turn < 68) return {"resize", "mainWindow", {number(1024, 1920), number(680, 1200)}};
        if (turn < 71)
            if (QWidget* dialog = otherWindow()) return {"close", MonkeyHands::nameOf(dialog), {}};
        QWidget* target =
            turn < 86 ? pick([](const QWidget* w) { return w->focusPolicy() != Qt::NoFocus; }) : underPoint();
        return target ? onWidget(target) : action();
    }

private:
    std::size_t below(std::size_t end) { return end == 0 ? 0 : static_cast<std::size_t>(random_() % end); }
    QString number(int from, int to) {
        return QString::number(from + static_cast<int>(below(static_cast<std::size_t>(to - from))));
    }
    QString place() { return number(0, 1000); }
    template <class List>
    auto any(const List& list) {
        return list[static_cast<typename List::size_type>(below(static_cast<std::size_t>(std::size(list))))];
    }

    /// Windows that a user could reach now.
    static QList<QWidget*> windows() {
        if (QWidget* modal = QApplication::activeModalWidget()) return {modal};
        QList<QWidget*> found;
        for (QWidget* window : QApplication::topLevelWidgets())
            if (window->isVisible() && window->windowType() != Qt::ToolTip && window->windowType() != Qt::Popup)
                found.append(window);
        // Sorted, since Qt's order is that of a hash.
        std::sort(found.begin(), found.end(), [](const QWidget* a, const QWidget* b) {
            return std::pair(a->objectName(), a->width()) < std::pair(b->objectName(), b->width());
        });
        return found;
    }
    QWidget* otherWindow() {
        QList<QWidget*> found = windows();
        found.removeIf([](const QWidget* w) { return w->objectName() == "mainWindow"; });
        return found.isEmpty() ? nullptr : any(found);
    }
    template <class Wanted>
    QWidget* pick(const Wanted& wanted) {
        QList<QWidget*> found;
        const QList<QWidget*> all = windows();
        for (QWidget* window : all)
            for (QWidget* widget : window->findChildren<QWidget*>())
                if (widget->window() == window && widget->isVisible() && widget->isEnabled() && wanted(widget))
                    found.append(widget);
        return found.isEmpty() ? nullptr : any(found);
    }
    QWidget* underPoint() {
        const QList<QWidget*> all = windows();
        if (all.isEmpty()) return nullptr;
        QWidget* window = any(all);
        const QPoint point(static_cast<int>(below(static_cast<std::size_t>(window->width()))),
                           static_cast<int>(below(static_cast<std::size_t>(window->height()))));
        QWidget* found = window->childAt(point);
        return found && found->isEnabled() ? found : nullptr;
    }

    MonkeyAction action() {
        QStringList names;
        const QList<QWidget*> all = windows();
        for (QWidget* window : all)
            for (const QAction* action : window->findChildren<QAction*>())
                if (action->isEnabled() && !action->objectName().isEmpty() && !action->menu())
                    names.append(action->objectName());
        names.removeDuplicates();
        if (names.isEmpty()) return keyPress();
        return {"action", any(names), {}};
    }
    MonkeyAction runVerb() {
        static const std::array verbs{"startRun", "startRun", "pauseRun", "stepRun", "stepRun", "stopRun"};
        return {"action", any(verbs), {}};
    }
    MonkeyAction keyPress() {
        static const std::array<std::pair<int, Qt::KeyboardModifiers>, 34> keys{
            {{Qt::Key_Space, {}},
             {Qt::Key_Return, {}},
             {Qt::Key_Escape, {}},
             {Qt::Key_Escape, {}},
             {Qt::Key_Tab, {}},
             {Qt::Key_Tab, {}},
             {Qt::Key_Backtab, Qt::ShiftModifier},
             {Qt::Key_Left, {}},
             {Qt::Key_Right, {}},
             {Qt::Key_Up, {}},
             {Qt::Key_Down, {}},
             {Qt::Key_Home, {}},
             {Qt::Key_End, {}},
             {Qt::Key_PageUp, {}},
             {Qt::Key_PageDown, {}},
             {Qt::Key_Delete, {}},
             {Qt::Key_Backspace, {}},
             {Qt::Key_Plus, {}},
             {Qt::Key_Minus, {}},
             {Qt::Key_F1, {}},
             {Qt::Key_F2, {}},
             {Qt::Key_F5, {}},
             {Qt::Key_F5, Qt::ShiftModifier},
             {Qt::Key_F11, {}},
             {Qt::Key_Z, Qt::ControlModifier},
             {Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier},
             {Qt::Key_K, Qt::ControlModifier},
             {Qt::Key_A, Qt::ControlModifier},
             {Qt::Key_C, Qt::ControlModifier},
             {Qt::Key_V, Qt::ControlModifier},
             {Qt::Key_Left, Qt::ShiftModifier},
             {Qt::Key_Right, Qt::ShiftModifier},
             {Qt::Key_Return, Qt::ShiftModifier},
             {Qt::Key_Q, Qt::ControlModifier}}};
        const auto [key, mods] = any(keys);
        return {"key", {}, {QString::number(key), QString::number(mods.toInt())}};
    }
    QString text() {
        static const std::array texts{
            "0",     "1",   "7",     "50",    "100",    "-3",          "99999999999999999999",
            "1e-3",  "0.5", "nan",   "batch", "run",    "tag:seventh", "zz",
            "\"'\\", "ä→𝛼", "a b c", "",      "[x]=\"", "0,1,2",       "class 3 to session 2"};
        return QString::fromUtf8(any(texts));
    }
    MonkeyAction onList(const QWidget* list) {
        static const std::array<Qt::KeyboardModifiers, 4> mods{Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                                               Qt::ControlModifier};
        static const std::array verbs{"click", "click", "click", "context", "double", "drag", "key", "key"};
        const QString verb = any(verbs), name = MonkeyHands::nameOf(list);
        if (verb == "key") {
            static const std::array keys{Qt::Key_Down, Qt::Key_Up, Qt::Key_F2, Qt::Key_Delete, Qt::Key_Return};
            return {"key", MonkeyHands::nameOf(list->parentWidget()), {QString::number(any(keys)), "0"}};
        }
        const QString held = QString::number(any(mods).toInt());
        return {verb, name, {place(), number(0, 400), held, place(), place()}};
    }
    MonkeyAction onWidget(const QWidget* widget) {
        static const std::array verbs{"click", "click", "click", "click", "drag",   "drag",
                                      "wheel", "hover", "hover", "key",   "double", "context"};
        const QString verb = any(verbs), name = MonkeyHands::nameOf(widget);
        if (verb == "key") {
            const MonkeyAction press = keyPress();
            return {"key", name, press.with};
        }
        if (verb == "wheel") return {verb, name, {place(), place(), "0", below(2) ? "120" : "-120"}};
        return {verb, name, {place(), place(), "0", place(), place()}};
    }
    MonkeyAction inPopup(const QWidget* popup) {
        static const std::array keys{Qt::Key_Down, Qt::Key_Down, Qt::Key_Down,   Qt::Key_Up,     Qt::Key_Right,
                                     Qt::Key_Left, Qt::Key_Home, Qt::Key_Return, Qt::Key_Return, Qt::Key_Escape};
        const QString name = MonkeyHands::nameOf(popup);
        if (below(3) == 0) return {"click", name, {place(), place(), "0"}};
        return {"key", name, {QString::number(any(keys)), "0"}};
    }

    std::mt19937_64 random_;
};

}  // namespace palimpsest::testing
