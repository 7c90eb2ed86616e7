// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/stream/stream_plan.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_class_kind {

class TestClassKind : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aClassIsOfTheKindOfItsList() {
        StreamPlan plan;
        plan.disjoint_classes = {{2}, {5}};
        plan.blurry_classes = {{}, {0}};
        const auto kinds = classKinds(plan, 4);
        QVERIFY((kinds == std::vector<ClassKind>{ClassKind::Blurry, ClassKind::Unknown, ClassKind::Disjoint,
                                                 ClassKind::Unknown, ClassKind::Unknown, ClassKind::Disjoint}));
    }

    void itsWordIsReadBack() {
        for (const ClassKind kind : {ClassKind::Unknown, ClassKind::Disjoint, ClassKind::Blurry})
            QVERIFY(kindIn(kindText(kind)) == kind);
        QCOMPARE(QString(kindText(ClassKind::Disjoint)), QString("disjoint"));
        QCOMPARE(QString(kindText(ClassKind::Blurry)), QString("blurry"));
        QVERIFY(kindIn("Blurry") == ClassKind::Unknown);
    }
};

PALIMPSEST_APPLESS_TEST(TestClassKind)

}  // namespace tst_class_kind

#include "tst_class_kind.moc"
