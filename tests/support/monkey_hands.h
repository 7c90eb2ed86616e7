// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPointer>
#include <QStringList>
#include <QTest>
#include <QWheelEvent>
#include <QWidget>

namespace palimpsest::testing {

/// One action of a user, as one line of text: a verb, its target, and numbers or a text.
struct MonkeyAction {
    QString verb;
    QString target;  ///< in the form of nameOf()
    QStringList with;

    QString line() const { return (QStringList{verb, target} + with).join('\t'); }
    static MonkeyAction of(const QString& line) {
        const QStringList parts = line.split('\t');
        return {parts.value(0), parts.value(1), parts.mid(2)};
    }
};

/// Finds widgets by the names of themselves and their parents, and performs actions on them.
class MonkeyHands {
public:
    static QString nameOf(const QWidget* widget) {
        QStringList names;
        for (; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget()) names.prepend(ownName(widget));
        return names.join('/');
    }

    static QWidget* find(const QString& name) {
        const QStringList names = name.split('/');
        QList<QWidget*> candidates;
        for (QWidget* window : QApplication::topLevelWidgets())
            if (window->isVisible()) candidates.append(window);
        QWidget* found = nullptr;
        for (const QString& wanted : names) {
            found = nullptr;
            for (QWidget* widget : std::as_const(candidates))
                if (ownName(widget) == wanted) found = widget;
            if (!found) return nullptr;
            candidates.clear();
            for (QObject* child : found->children())
                if (auto* widget = qobject_cast<QWidget*>(child); widget && !widget->isWindow())
                    candidates.append(widget);
        }
        return found;
    }

    /// Performs an action. False: its target is not there, as a user would find.
    static bool act(const MonkeyAction& step) {
        if (step.verb == "action") return trigger(step.target);
        if (step.verb == "key" && step.target.isEmpty()) {
            QWidget* focus = QApplication::focusWidget();
            if (!focus) focus = QApplication::activeWindow();
            if (focus) key(focus, step);
            return focus;
        }
        const QPointer<QWidget> target = find(step.target);
        if (!target || !target->isVisible() || !target->isEnabled()) return false;
        const auto at = [&](int i) {
            return QPoint(target->width() * step.with.value(i).toInt() / 1000,
                          target->height() * step.with.value(i + 1).toInt() / 1000);
        };
        const auto mods = Qt::KeyboardModifiers::fromInt(step.with.value(2).toInt());
        if (step.verb == "click") {
            press(target, at(0), mods);
        } else if (step.verb == "double") {
            press(target, at(0), mods);
            if (target) mouse(target, QEvent::MouseButtonDblClick, at(0), Qt::LeftButton, Qt::LeftButton, mods);
            if (target) mouse(target, QEvent::MouseButtonRelease, at(0), Qt::LeftButton, Qt::NoButton, mods);
        } else if (step.verb == "drag") {
            drag(target, at(0), at(3), mods);
        } else if (step.verb == "hover") {
            mouse(target, QEvent::MouseMove, at(0), Qt::NoButton, Qt::NoButton, mods);
        } else if (step.verb == "wheel") {
            const QPointF place(at(0));
            QWheelEvent event(place, target->mapToGlobal(place), {}, {0, step.with.value(3).toInt()}, Qt::NoButton,
                              mods, Qt::NoScrollPhase, false);
            QApplication::sendEvent(target, &event);
        } else if (step.verb == "context") {
            QContextMenuEvent event(QContextMenuEvent::Mouse, at(0), target->mapToGlobal(at(0)));
            QApplication::sendEvent(target, &event);
        } else if (step.verb == "key") {
            key(target, step);
        } else if (step.verb == "type") {
            target->setFocus();
            for (const QChar letter : step.with.value(0))
                if (target) QTest::sendKeyEvent(QTest::Click, target.data(), Qt::Key_unknown, QString(letter), {});
        } else if (step.verb == "resize") {
            target->resize(step.with.value(0).toInt(), step.with.value(1).toInt());
        } else if (step.verb == "close") {
            target->close();
        } else {
            qFatal("No deed is called %s.", qPrintable(step.verb));
        }
        return true;
    }

private:
    /// Object name, or class and index among the unnamed siblings of that class.
    static QString ownName(const QWidget* widget) {
        if (!widget->objectName().isEmpty()) return widget->objectName().replace('/', '_');
        const QString type = widget->metaObject()->className();
        int place = 0;
        if (widget->parentWidget() && !widget->isWindow())
            for (const QObject* other : widget->parentWidget()->children()) {
                if (other == widget) break;
                place += other->objectName().isEmpty() && type == other->metaObject()->className() ? 1 : 0;
            }
        return QString("%1#%2").arg(type).arg(place);
    }

    static bool trigger(const QString& name) {
        for (QWidget* window : QApplication::topLevelWidgets())
            if (auto* action = window->findChild<QAction*>(name); action && action->isEnabled()) {
                // Triggered by an event, so that its work is measured.
                QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
                QCoreApplication::sendPostedEvents(action, QEvent::MetaCall);
                return true;
            }
        return false;
    }

    static void key(QWidget* target, const MonkeyAction& step) {
        QTest::keyClick(target, static_cast<Qt::Key>(step.with.value(0).toInt()),
                        Qt::KeyboardModifiers::fromInt(step.with.value(1).toInt()));
    }

    // Sent without QTest, which moves the real pointer and does not support a held button.
    static void mouse(QWidget* target, QEvent::Type type, QPoint place, Qt::MouseButton button, Qt::MouseButtons held,
                      Qt::KeyboardModifiers mods) {
        QMouseEvent event(type, place, target->mapToGlobal(QPointF(place)), button, held, mods);
        QApplication::sendEvent(target, &event);
    }
    static void press(QPointer<QWidget> target, QPoint place, Qt::KeyboardModifiers mods) {
        if (target->focusPolicy() & Qt::ClickFocus) target->setFocus(Qt::MouseFocusReason);
        if (target) mouse(target, QEvent::MouseMove, place, Qt::NoButton, Qt::NoButton, mods);
        if (target) mouse(target, QEvent::MouseButtonPress, place, Qt::LeftButton, Qt::LeftButton, mods);
        if (target) mouse(target, QEvent::MouseButtonRelease, place, Qt::LeftButton, Qt::NoButton, mods);
    }
    static void drag(QPointer<QWidget> target, QPoint from, QPoint to, Qt::KeyboardModifiers mods) {
        constexpr int kSteps = 5;
        mouse(target, QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton, mods);
        for (int i = 1; i <= kSteps && target; ++i)
            mouse(target, QEvent::MouseMove, from + (to - from) * i / kSteps, Qt::NoButton, Qt::LeftButton, mods);
        if (target) mouse(target, QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton, mods);
    }
};

}  // namespace palimpsest::testing
