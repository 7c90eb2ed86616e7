// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QLineEdit>
#include <QtTest>

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QListView>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>

#include "tests/support/scripted_backbones.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/pretrained/backbone_dialog.h"
#include "ui/pretrained/backbone_sheet.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using palimpsest::testing::addAppearances;
using palimpsest::testing::checkDialog;
using palimpsest::testing::ScriptedBackbones;

namespace tst_backbone_dialog {

namespace {

/// A dialog over scripted backbones, with its cards there.
struct Scene {
    Scene() : service(std::make_shared<ScriptedBackbones>()), dialog(service) {
        dialog.showDialog();
        if (!QTest::qWaitFor([this] { return list()->model()->rowCount() == 3; })) qFatal("No cards come.");
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return dialog.findChild<Widget*>(name);
    }
    QListView* list() const { return part<QListView>("backboneList"); }
    QPushButton* button(const char* name) const { return part<QPushButton>(name); }
    QString words(const char* name) const { return part<QLabel>(name)->text(); }
    bool shown(const char* name) const { return part<QWidget>(name) && part<QWidget>(name)->isVisible(); }
    void choose(int row) const { list()->setCurrentIndex(list()->model()->index(row, 0)); }

    std::shared_ptr<ScriptedBackbones> service;
    BackboneDialog dialog;
};

constexpr int kOwnFile = 0, kEmbedded = 1, kKnown = 2;  // rows

}  // namespace

class TestBackboneDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void opensWithAnInvitationAndIsNotModal() {
        Scene scene;
        QVERIFY(!scene.dialog.isModal());
        QCOMPARE(scene.list()->currentIndex().row(), kOwnFile);
        QVERIFY(scene.shown("backboneDropPlace"));
        QVERIFY(scene.button("backboneChoose")->isVisible());
        for (const char* name : {"backboneUse", "backboneFailure", "backboneReading", "backboneAddress"})
            QVERIFY2(!scene.shown(name), name);
    }

    void aFileIsExplainedInPlainWords() {
        Scene scene;
        scene.dialog.openFile("/tmp/ViT.npz");
        // Nothing waits for the file: the window says that it is being read.
        QVERIFY(scene.shown("backboneReading"));
        QVERIFY(!scene.shown("backboneUse"));
        scene.service->allow(1);
        QTRY_VERIFY(scene.shown("backboneUse"));
        QVERIFY(!scene.shown("backboneReading"));
        QVERIFY(!scene.shown("backboneDropPlace"));
        QCOMPARE(scene.words("backboneTitle"), QString("ViT.npz"));
        QCOMPARE(scene.words("backboneSentence"),
                 QString("ViT-B/16, 224 × 224 pixels, kept as Google .npz, with the tensor names of Google JAX."));
        QCOMPARE(scene.words("backboneFact.parameters"), QString("85.8 million (85,798,656)"));
        QCOMPARE(scene.words("backboneFact.network"), QString("12 blocks, 12 heads, width 768, patches of 16 pixels"));
        QCOMPARE(scene.words("backboneFact.images"), QString("224 × 224 pixels"));
        QCOMPARE(scene.words("backboneFact.size"), QString("410 MB"));
        QCOMPARE(scene.words("backboneFact.head"), QString("that of 21,843 classes is left out"));
        QVERIFY(!scene.part<QLabel>("backboneFact.clip"));
        QVERIFY(!scene.part<QLabel>("backboneFact.known"));
        QCOMPARE(scene.words("backboneNotes"),
                 QString("• The position table is resized from 14 × 14.\n• 2 tensors are left out."));
    }

    void whatIsSpecialInClipIsSaid() {
        Scene scene;
        scene.service->allowAll();
        scene.dialog.openFile("/tmp/clip.pt");
        QTRY_VERIFY(scene.shown("backboneUse"));
        QCOMPARE(scene.words("backboneFact.clip"), QString("a layer norm before the first block, quick GELU"));
    }

    void whatIsWrongWithAFileStandsInPlace() {
        Scene scene;
        scene.service->allowAll();
        scene.dialog.openFile("/tmp/bad.pt");
        QTRY_VERIFY(scene.shown("backboneFailure"));
        QCOMPARE(scene.words("backboneMessage"),
                 QString("The file bad.pt is no checkpoint: it begins like a picture."));
        QCOMPARE(scene.words("backboneHint"), QString("Choose another file."));
        QVERIFY(!scene.shown("backboneUse"));
        scene.dialog.openFile("/tmp/good.pt");
        QTRY_VERIFY(scene.shown("backboneUse"));
        QVERIFY(!scene.shown("backboneFailure"));
    }

    void onlyTheLastOfSeveralFilesIsShown() {
        Scene scene;
        scene.dialog.openFile("/tmp/bad.pt");
        QTRY_COMPARE(scene.service->looks().size(), std::size_t(1));
        scene.dialog.openFile("/tmp/waiting.pt");
        scene.dialog.openFile("/tmp/last.pt");
        scene.service->allowAll();
        QTRY_VERIFY(scene.shown("backboneUse"));
        QCOMPARE(scene.words("backboneTitle"), QString("last.pt"));
        QVERIFY(!scene.shown("backboneFailure"));
        QCOMPARE(scene.service->looks().front(), std::string("bad.pt"));
        QCOMPARE(scene.service->looks().back(), std::string("last.pt"));
    }

    void anEarlierLookIsGivenUpForTheNext() {
        Scene scene;
        scene.dialog.openFile("/tmp/slow.pt");
        QTRY_COMPARE(scene.service->looks().size(), std::size_t(1));
        scene.dialog.openFile("/tmp/next.pt");
        QTRY_COMPARE(scene.service->looks().size(), std::size_t(2));  // though the gate was never opened for the first
        scene.service->allow(1);
        QTRY_VERIFY(scene.shown("backboneUse"));
        QCOMPARE(scene.words("backboneTitle"), QString("next.pt"));
    }

    void aFileCanBeChosenOrDropped() {
        Scene scene;
        scene.service->allowAll();
        scene.button("backboneChoose")->click();
        auto* files = scene.part<QFileDialog>("backboneFileDialog");
        QVERIFY(files && !files->isModal());
        Q_EMIT files->fileSelected("/tmp/chosen.pt");
        files->close();
        QTRY_COMPARE(scene.words("backboneTitle"), QString("chosen.pt"));

        scene.choose(kKnown);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile("/tmp/dropped.pt")});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&scene.dialog, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&scene.dialog, &drop);
        QCOMPARE(scene.list()->currentIndex().row(), kOwnFile);
        QTRY_VERIFY(scene.shown("backboneUse"));
        QCOMPARE(scene.words("backboneTitle"), QString("dropped.pt"));

        data.setUrls({QUrl::fromLocalFile("/tmp/a.pt"), QUrl::fromLocalFile("/tmp/b.pt")});
        QDragEnterEvent several({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&scene.dialog, &several);
        QVERIFY(!several.isAccepted());
    }

    void aBackboneSaysWhereToGetItAndWhatThePaperUsesItFor() {
        Scene scene;
        scene.choose(kKnown);
        QCOMPARE(scene.words("backboneTitle"), QString("ViT-B/16, ImageNet-21k"));
        QCOMPARE(scene.words("backboneFact.licence"), QString("Apache 2.0"));
        QCOMPARE(scene.words("backboneFact.user"), QString("its main backbone"));
        QCOMPARE(scene.words("backboneFact.file"), QString("ViT-B_16.npz, 410 MB"));
        QVERIFY(!scene.shown("backboneUse"));
        scene.button("backboneCopyAddress")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("https://example.org/ViT-B_16.npz"));
        QCOMPARE(scene.button("backboneCopyAddress")->text(), QString("Copied"));
        scene.button("backboneCopyChecksum")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("sha256:0123456789abcdef"));
        scene.choose(kEmbedded);
        QVERIFY(!scene.shown("backboneAddress"));
        QVERIFY(scene.shown("backboneUse"));
        QVERIFY(!scene.shown("backboneChoose"));
    }

    void whatIsFetchedIsSaidAndAgreedToFirst() {
        Scene scene;
        scene.choose(kKnown);
        QVERIFY(scene.shown("backboneFetch") && scene.shown("backboneChoose"));
        QVERIFY(!scene.shown("backboneConsent") && !scene.shown("backboneFetchBar"));
        scene.button("backboneFetch")->click();
        QVERIFY(scene.shown("backboneConsent") && !scene.shown("backboneFetch"));
        QVERIFY(scene.service->fetches().empty());
        for (const char* part : {"ViT-B_16.npz", "example.org", "Apache 2.0", "410 MB"})
            QVERIFY2(scene.words("backboneConsentWords").contains(part), part);
        scene.button("backboneNotNow")->click();
        QVERIFY(!scene.shown("backboneConsent") && scene.shown("backboneFetch"));
        scene.button("backboneFetch")->click();
        scene.button("backboneAgree")->click();
        QTRY_COMPARE(scene.words("backboneFetchStep"), QString("Downloading ViT-B_16.npz"));
        QVERIFY(scene.shown("backboneFetchCancel") && !scene.shown("backboneConsent"));
        QVERIFY2(scene.words("backboneFetchPace").startsWith("100 MB of 400 MB"),
                 qPrintable(scene.words("backboneFetchPace")));
        QCOMPARE(scene.part<QProgressBar>("backboneFetchBar")->value(), 250);
        // It goes on while another row is looked at.
        scene.choose(kEmbedded);
        QVERIFY(!scene.shown("backboneFetchBar"));
        scene.choose(kKnown);
        QVERIFY(scene.shown("backboneFetchBar"));
        scene.service->allowFetch();
        QTRY_VERIFY(scene.shown("backboneUse"));
        QVERIFY(!scene.shown("backboneFetch") && !scene.shown("backboneFetchBar"));
        QCOMPARE(scene.list()->model()->index(kKnown, 0).data(Qt::AccessibleTextRole).toString(),
                 QString("ViT-B/16, ImageNet-21k, here"));
        QSignalSpy used(&scene.dialog, &BackboneDialog::useRequested);
        scene.button("backboneUse")->click();
        QCOMPARE(used.count(), 1);
        QCOMPARE(used[0][0].toString(), QString("vit-b16"));
        QCOMPARE(used[0][1].toString(), QString("vit-b16-in21k"));
        scene.dialog.setInUse("vit-b16", "vit-b16-in21k");
        QCOMPARE(scene.button("backboneUse")->text(), QString("In use"));
    }

    void aFetchIsCancelledAndAFailureIsSaid() {
        Scene scene;
        scene.choose(kKnown);
        scene.button("backboneFetch")->click();
        scene.button("backboneAgree")->click();
        QTRY_COMPARE(scene.service->fetches().size(), std::size_t(1));
        // The keyboard goes on with the button that there is.
        QCOMPARE(scene.dialog.focusWidget(), scene.button("backboneFetchCancel"));
        scene.button("backboneFetchCancel")->click();
        QTRY_VERIFY(scene.shown("backboneFetch"));
        QTRY_COMPARE(scene.dialog.focusWidget(), scene.button("backboneFetch"));
        // What has come is not lost, and that is no failure.
        QVERIFY(scene.shown("backboneFailure"));
        QCOMPARE(scene.part<QWidget>("backboneFailure")->property("kind").toString(), QString("info"));
        QVERIFY2(scene.words("backboneHint").contains("is kept"), qPrintable(scene.words("backboneHint")));
        scene.service->failFetch("ViT-B_16.npz could not be fetched: example.org answered 404.");
        scene.button("backboneFetch")->click();
        scene.button("backboneAgree")->click();
        scene.service->allowFetch();
        QTRY_VERIFY(scene.shown("backboneFailure"));
        QCOMPARE(scene.words("backboneMessage"),
                 QString("ViT-B_16.npz could not be fetched: example.org answered 404."));
        // The list is read anew meanwhile, and the sentence stays.
        QTest::qWait(50);
        QVERIFY(scene.shown("backboneFailure"));
        scene.choose(kEmbedded);
        QVERIFY(!scene.shown("backboneFailure"));
        scene.choose(kKnown);
        QVERIFY(scene.shown("backboneFailure") && scene.shown("backboneFetch"));
    }

    void returnPressesTheButtonThatHasTheFocus() {
        Scene scene;
        scene.choose(kKnown);
        scene.button("backboneFetch")->setFocus();
        QTest::keyClick(scene.button("backboneFetch"), Qt::Key_Return);
        QVERIFY(scene.shown("backboneConsent"));
        QTest::keyClick(scene.button("backboneNotNow"), Qt::Key_Return);
        QVERIFY(!scene.shown("backboneConsent") && scene.service->fetches().empty());
        QTest::keyClick(scene.button("backboneFetch"), Qt::Key_Enter);
        QTest::keyClick(scene.button("backboneAgree"), Qt::Key_Return);
        QTRY_COMPARE(scene.service->fetches().size(), std::size_t(1));
        QTest::keyClick(scene.button("backboneFetchCancel"), Qt::Key_Return);
        QTRY_VERIFY(scene.shown("backboneFetch"));
    }

    void aMirrorIsTriedAndOfflineAsksNothing() {
        Scene scene;
        scene.choose(kKnown);
        scene.button("backboneFetch")->click();
        scene.part<QLineEdit>("backbonesMirror")->setText(" https://mirror.example/weights ");
        // The question that is open says so.
        QVERIFY2(scene.words("backboneConsentWords").contains("mirror.example"),
                 qPrintable(scene.words("backboneConsentWords")));
        scene.button("backboneAgree")->click();
        QTRY_COMPARE(scene.service->fetches().size(), std::size_t(1));
        QCOMPARE(scene.service->source().mirror, std::string("https://mirror.example/weights"));
        QVERIFY(!scene.service->source().offline);
        scene.service->failFetch("No.");
        scene.service->allowFetch();
        QTRY_VERIFY(scene.shown("backboneFailure"));
        scene.part<QCheckBox>("backbonesOffline")->setChecked(true);
        QVERIFY(!scene.part<QLineEdit>("backbonesMirror")->isEnabled());
        scene.button("backboneFetch")->click();
        QVERIFY(scene.words("backboneConsentWords").contains("nothing is asked of the network"));
        scene.button("backboneAgree")->click();
        QTRY_COMPARE(scene.service->fetches().size(), std::size_t(2));
        QVERIFY(scene.service->source().offline);
        scene.service->allowFetch();
        QTRY_VERIFY(scene.shown("backboneUse"));
    }

    void aFetchEndsWithTheDialog() {
        Scene scene;
        scene.choose(kKnown);
        scene.button("backboneFetch")->click();
        scene.button("backboneAgree")->click();
        QTRY_COMPARE(scene.service->fetches().size(), std::size_t(1));
        // The gate stays closed: the end of the scene must not wait for it.
    }

    void useSaysNameAndWeights_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("weights");
        QTest::newRow("a file nobody knows") << "/tmp/my.pt"
                                             << "vit-b16"
                                             << "/tmp/my.pt";
        QTest::newRow("a form nobody knows") << "/tmp/strange.pt"
                                             << "any"
                                             << "/tmp/strange.pt";
        QTest::newRow("a file with a known checksum") << "/tmp/known.npz"
                                                      << "vit-b16"
                                                      << "/tmp/known.npz";
        QTest::newRow("the embedded one") << ""
                                          << "palimpsest-stem-vit"
                                          << "embedded";
    }
    void useSaysNameAndWeights() {
        QFETCH(QString, file);
        QFETCH(QString, name);
        QFETCH(QString, weights);
        Scene scene;
        scene.service->allowAll();
        if (file.isEmpty())
            scene.choose(kEmbedded);
        else
            scene.dialog.openFile(file);
        QTRY_VERIFY(scene.shown("backboneUse"));
        QSignalSpy used(&scene.dialog, &BackboneDialog::useRequested);
        scene.button("backboneUse")->click();
        QCOMPARE(used.count(), 1);
        QCOMPARE(used[0][0].toString(), name);
        QCOMPARE(used[0][1].toString(), weights);
        scene.dialog.setInUse(name, weights);
        QVERIFY(!scene.button("backboneUse")->isEnabled());
        QCOMPARE(scene.button("backboneUse")->text(), QString("In use"));
        scene.dialog.setInUse(name, "random");
        QVERIFY(scene.button("backboneUse")->isEnabled());
    }

    void aKnownFileIsCalledByItsName() {
        Scene scene;
        scene.service->allowAll();
        scene.dialog.openFile("/tmp/known.npz");
        QTRY_VERIFY(scene.shown("backboneUse"));
        QCOMPARE(scene.words("backboneFact.known"), QString("ViT-B/16, ImageNet-21k; its checksum agrees"));
    }

    void theKeyboardDoesEverything() {
        Scene scene;
        QVERIFY(QTest::qWaitForWindowActive(&scene.dialog));
        QVERIFY(scene.list()->hasFocus());
        QSignalSpy used(&scene.dialog, &BackboneDialog::useRequested);
        QTest::keyClick(scene.list(), Qt::Key_Down);
        QCOMPARE(scene.list()->currentIndex().row(), kEmbedded);
        QTest::keyClick(scene.list(), Qt::Key_Return);
        QCOMPARE(used.count(), 1);
        QTest::keyClick(scene.list(), Qt::Key_Down);
        QSet<QWidget*> reached;
        for (int i = 0; i < 30; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            reached.insert(QApplication::focusWidget());
        }
        for (const char* name : {"backboneList", "backboneOpenAddress", "backboneCopyAddress", "backboneCopyChecksum",
                                 "backboneChoose", "backboneClose"})
            QVERIFY2(reached.contains(scene.part<QWidget>(name)), name);
        QTest::keyClick(&scene.dialog, Qt::Key_Escape);
        QVERIFY(!scene.dialog.isVisible());
    }

    void aLookThatIsUnderWayIsGivenUpWithTheDialog() {
        Scene scene;
        scene.dialog.openFile("/tmp/slow.pt");
        QTRY_COMPARE(scene.service->looks().size(), std::size_t(1));
        // The gate stays closed: the end of the scene must not wait for it.
    }

    void parametersAreCountedAsPeopleDo_data() {
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<QString>("words");
        QTest::newRow("few") << qint64(930'000) << "930,000";
        QTest::newRow("tiny") << qint64(5'717'416) << "5.7 million (5,717,416)";
        QTest::newRow("large") << qint64(303'301'632) << "303 million (303,301,632)";
    }
    void parametersAreCountedAsPeopleDo() {
        QFETCH(qint64, parameters);
        QFETCH(QString, words);
        QCOMPARE(parametersText(parameters), words);
    }

    void allIsNamedAndLegibleInBothAppearances_data() { addAppearances(); }
    void allIsNamedAndLegibleInBothAppearances() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, Appearance(appearance));
        Scene scene;
        scene.service->allowAll();
        scene.dialog.openFile("/tmp/known.npz");
        QTRY_VERIFY(scene.shown("backboneUse"));
        QCOMPARE(scene.list()->model()->index(kKnown, 0).data(Qt::AccessibleTextRole).toString(),
                 QString("ViT-B/16, ImageNet-21k, to get"));
        checkDialog(scene.dialog, Appearance(appearance));
        applyAppearance(*qApp, Appearance::Dark);
    }
};

PALIMPSEST_TEST(TestBackboneDialog)

}  // namespace tst_backbone_dialog

#include "tst_backbone_dialog.moc"
