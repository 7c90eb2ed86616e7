// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QTextList>
#include <QTextTable>

#include "tests/support/test_program.h"
#include "ui/guide/guide_viewer.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;

namespace tst_guide_viewer {

namespace {

const QString kPage = QStringLiteral(
    "# Title\n\nFirst paragraph.\n\nSecond paragraph with `code`.\n\n## Part\n\n    palimpsest-cli run default --set "
    "seed=1 --set threads=1 --out "
    "a/very/long/name/of/a/folder/that/is/wider/than/any/window/could/ever/be/made/by/hand\n"
    "    palimpsest-cli report a\n\n- one\n- two\n\n| Key | What |\n|---|---|\n| a | b |\n");

/// Forty sections, each with a table that fills most of a screen.
QString longPage() {
    QString page = QStringLiteral("# Long\n\nTo [the last](#section-40), [the middle](#section-20).\n");
    for (int section = 1; section <= 40; ++section) {
        page += QStringLiteral("\n## Section %1\n\nWords.\n\n| Key | What |\n|---|---|\n").arg(section);
        for (int row = 0; row < 15; ++row) page += QStringLiteral("| a%1 | b%1 |\n").arg(row);
    }
    return page;
}

/// Visible content of a document: its blocks that are not empty, with their formats.
QStringList looks(const QTextDocument& document) {
    QStringList lines;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.text().isEmpty() && !block.textList()) continue;
        const QTextBlockFormat format = block.blockFormat();
        lines.append(QStringLiteral("%1: room %2 %3, level %4, list %5, code %6, table %7")
                         .arg(block.text())
                         .arg(format.topMargin())
                         .arg(format.bottomMargin())
                         .arg(format.headingLevel())
                         .arg(block.textList() ? block.textList()->itemText(block) : QString())
                         .arg(format.nonBreakableLines())
                         .arg(QTextCursor(block).currentTable() != nullptr));
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextCharFormat text = it.fragment().charFormat();
            lines.append(QStringLiteral("%1 %2 %3 %4")
                             .arg(it.fragment().text(), text.anchorHref())
                             .arg(text.font().pixelSize())
                             .arg(text.fontWeight()));
        }
    }
    return lines;
}

QTextBlock blockWith(const QTextDocument& document, const QString& text) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        if (block.text().contains(text)) return block;
    return {};
}

}  // namespace

class TestGuideViewer : public QObject {
    Q_OBJECT
private:
    static void write(const QTemporaryDir& folder, const QString& name, const QByteArray& text) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void theIndexComesFirstAndGivesTheOrder() {
        QTemporaryDir folder;
        for (const char* name : {"apple.md", "banana.md", "cherry.md", "date.md"}) write(folder, name, "# Page\n");
        write(folder, "index.md",
              "# Guide\n\n[later](date.md#part), then [this](banana.md), [date](date.md), "
              "[gone](nowhere.md)\n");
        QStringList names;
        for (const GuidePage& page : readDocs(folder.path())) names.append(page.name);
        QCOMPARE(names, (QStringList{"index", "date", "banana", "apple", "cherry"}));
    }

    void everyPageOfTheGuideHasItsPlaceInTheIndex() {
        const QString folder = qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/docs";
        const QList<GuidePage> pages = readDocs(folder);
        QVERIFY(pages.size() > 10);
        QCOMPARE(pages[0].name, QString("index"));
        for (const GuidePage& page : pages.mid(1))
            QVERIFY2(pages[0].markdown.contains("](" + page.name + ".md)"), qPrintable(page.name));
    }

    void picturesStandInThePageAtTheirSize() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("images"));
        QImage picture(300, 120, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QVERIFY(picture.save(folder.filePath("images/curve-1.png")));
        write(folder, "page.md", "# Page\n\n![A curve](images/curve-1.png)\n\n![None](images/none.png)\n\nEnd\n");
        const QList<GuidePage> pages = readIllustratedDocs(folder.path());
        QCOMPARE(pages.size(), qsizetype(1));
        QCOMPARE(pages[0].pictures.size(), qsizetype(1));
        GuideViewer viewer;
        viewer.addPages(pages);
        viewer.show();
        auto* text = viewer.findChild<QTextBrowser*>("docsText");
        const auto drawn = text->document()->resource(QTextDocument::ImageResource, QUrl("images/curve-1.png"));
        QCOMPARE(drawn.value<QImage>().size(), picture.size());
        // It takes its room, and is painted.
        QVERIFY(text->document()->size().height() > 120);
        const QImage seen = text->viewport()->grab().toImage();
        int red = 0;
        for (int y = 0; y < seen.height(); ++y)
            for (int x = 0; x < seen.width(); ++x) red += seen.pixel(x, y) == qRgb(255, 0, 0);
        QVERIFY(red >= 300 * 120);
    }

    /// Wider ones would have to be scrolled to.
    void picturesOfTheGuideFitItsPage() {
        const QString folder = QString::fromLocal8Bit(qgetenv("PALIMPSEST_RESOURCES")) + "/docs";
        GuideViewer viewer;
        viewer.show();
        const int room = viewer.findChild<QTextBrowser*>("docsText")->viewport()->width() - scaled(20);
        int pictures = 0;
        for (const GuidePage& page : readIllustratedDocs(folder)) {
            QCOMPARE(page.pictures.size(), page.markdown.count("](images/"));
            for (const QImage& picture : page.pictures) {
                ++pictures;
                QVERIFY2(picture.width() <= room, qPrintable(page.name));
            }
        }
        QVERIFY(pictures > 0);
    }

    void nothingIsLostBetweenThePieces() {
        const QString text = QStringLiteral(
            "# Title\nIntroduction\n\n```sh\n# no heading\n\n| no table |\n```\n\nBefore\n\n| a | b |\n|---|---|\n| 1 "
            "| 2 "
            "|\n\n- one\n- two\n\nAfter\n## Part\n\n| c |\n|---|\n| 3 |\n");
        const QStringList pieces = docsPieces(text);
        QCOMPARE(pieces.join(QString()), text + "\n");
        QStringList begins;
        for (const QString& piece : pieces) begins.append(piece.section('\n', 0, 0));
        QCOMPARE(begins, (QStringList{"# Title", "| a | b |", "- one", "## Part", "| c |"}));
    }

    void inPiecesAPageLooksAsItDoesWhole_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("all there is") << kPage;
        QTest::newRow("a list after a table") << "# A\n\n| a |\n|---|\n| 1 |\n\n- one\n- two\n\nEnd.\n\n## B\n\n1. x\n";
        QTest::newRow("code after a table") << "# A\n\n| a |\n|---|\n| 1 |\n\n    run\n    report\n\nEnd.\n";
        QTest::newRow("a table after a heading") << "# A\n\n## B\n\n| a |\n|---|\n| 1 |\n\n## C\n\nEnd.\n";
        for (const char* page : {"results", "window", "stream", "sweeps"}) {
            QFile file(qEnvironmentVariable("PALIMPSEST_RESOURCES") + QStringLiteral("/docs/%1.md").arg(page));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QTest::newRow(page) << QString::fromUtf8(file.readAll());
        }
    }
    void inPiecesAPageLooksAsItDoesWhole() {
        QFETCH(QString, text);
        QTextDocument whole, fed;
        whole.setMarkdown(text);
        styleDocument(whole, Theme::darkTheme(), qApp->font());
        GuideFeed feed;
        feed.begin(&fed, docsPieces(text), Theme::darkTheme(), qApp->font());
        QTRY_VERIFY(!feed.goesOn());
        QCOMPARE(looks(fed), looks(whole));
    }

    void everyPageOfTheGuideBeginsWithItsTitle() {
        const QList<GuidePage> pages = readDocs(qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/docs");
        GuideViewer viewer;
        viewer.addPages(pages);
        viewer.show();
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        // From the last one to the first, which is there already: each comes into a window that is shown.
        for (auto page = pages.crbegin(); page != pages.crend(); ++page) {
            viewer.showPage(page->name);
            const QTextBlock first = browser->document()->firstBlock();
            QCOMPARE(first.text(), page->title);
            QCOMPARE(first.blockFormat().headingLevel(), 1);
            QVERIFY2(first.layout()->lineCount() > 0 && first.layout()->boundingRect().height() >= scaled(20),
                     qPrintable(page->name));
            QCOMPARE(browser->verticalScrollBar()->value(), 0);
        }
    }

    /// Qt takes cells for one where two are empty side by side.
    void everyCellOfTheGuideStandsByItself() {
        static const QRegularExpression empty(R"(^\|.*\| *\| *\|)", QRegularExpression::MultilineOption);
        for (const GuidePage& page : readDocs(qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/docs")) {
            const QRegularExpressionMatch match = empty.match(page.markdown);
            QVERIFY2(!match.hasMatch(), qPrintable(page.name + ": " + match.captured()));
        }
    }

    void aLineBreakInACellTakesNothingAway() {
        GuideViewer viewer;
        viewer.addPages(
            {{"page", "Title", "# A\n\n| a | one<br>two |\n|---|---|\n| c | word |\n\n## After\n\nEnd.\n"}});
        const QTextDocument& document = *viewer.findChild<QTextBrowser*>("docsText")->document();
        QCOMPARE(blockWith(document, "one").text(), QString("one") + QChar(QChar::LineSeparator) + "two");
        QVERIFY(QTextCursor(blockWith(document, "word")).currentTable());
        QCOMPARE(blockWith(document, "After").blockFormat().headingLevel(), 2);
        QVERIFY(blockWith(document, "End.").isValid());
    }

    void aLongPageComesPieceByPieceAndItsBeginningAtOnce() {
        GuideViewer viewer;
        viewer.addPages({{"page", "Long", longPage()}});
        viewer.show();
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        const auto has = [&](const char* heading) {
            const QTextBlock block = blockWith(*browser->document(), heading);
            return block.isValid() && block.blockFormat().headingLevel() == 2;
        };
        QVERIFY(has("Section 1"));
        QVERIFY(!has("Section 40"));
        // No event brings more than one table.
        QSignalSpy came(viewer.findChild<GuideFeed*>(), &GuideFeed::came);
        const auto tables = [&] { return browser->document()->rootFrame()->childFrames().size(); };
        qsizetype before = tables();
        while (viewer.findChild<GuideFeed*>()->goesOn()) {
            QVERIFY(came.wait());
            QVERIFY(tables() <= before + came.count());
            before = tables();
            came.clear();
        }
        QCOMPARE(tables(), 40);
        QVERIFY(has("Section 40"));
        QCOMPARE(browser->verticalScrollBar()->value(), 0);
        QCOMPARE(browser->textCursor().position(), 0);
    }

    void aLinkLeadsToASectionThatHasNotComeYet() {
        GuideViewer viewer;
        viewer.addPages({{"first", "First", kPage}, {"page", "Long", longPage()}});
        viewer.showPage("first");
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        Q_EMIT browser->anchorClicked(QUrl("page.md#section-20"));
        QCOMPARE(viewer.findChild<QListWidget*>("docsList")->currentRow(), 1);
        QVERIFY(!blockWith(*browser->document(), "Section 20").isValid());
        const auto top = [&](const char* heading) {
            const QTextBlock block = blockWith(*browser->document(), heading);
            return block.isValid() ? browser->cursorRect(QTextCursor(block)).top() : -1;
        };
        QTRY_VERIFY(browser->verticalScrollBar()->value() > 0);
        QVERIFY2(std::abs(top("Section 20")) < 30, qPrintable(QString::number(top("Section 20"))));
        // It stays there while the rest comes.
        QTRY_VERIFY(!viewer.findChild<GuideFeed*>()->goesOn());
        QVERIFY(std::abs(top("Section 20")) < 30);
        // Within the page, and back to the other one.
        Q_EMIT browser->anchorClicked(QUrl("#section-5"));
        QVERIFY(std::abs(top("Section 5")) < 30);
        Q_EMIT browser->anchorClicked(QUrl("first.md"));
        QCOMPARE(browser->verticalScrollBar()->value(), 0);
        QVERIFY(!viewer.findChild<GuideFeed*>()->goesOn());
    }

    void whoScrollsWhileAPageComesIsNotTakenElsewhere() {
        GuideViewer viewer;
        viewer.addPages({{"page", "Long", longPage()}});
        viewer.showPage("page", "section-40");
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        QVERIFY(!blockWith(*browser->document(), "Section 40").isValid());
        browser->verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        const int place = browser->verticalScrollBar()->value();
        QTRY_VERIFY(!viewer.findChild<GuideFeed*>()->goesOn());
        QVERIFY(blockWith(*browser->document(), "Section 40").isValid());
        QCOMPARE(browser->verticalScrollBar()->value(), place);
    }

    void farDownALongPageFollowsItsLooksAtTheSamePlace() {
        GuideViewer viewer;
        viewer.addPages({{"page", "Long", longPage()}});
        viewer.showPage("page");
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        QTRY_VERIFY(!viewer.findChild<GuideFeed*>()->goesOn());
        const int place = browser->verticalScrollBar()->maximum() / 2;
        browser->verticalScrollBar()->setValue(place);
        applyAppearance(*qApp, Appearance::Light);
        QTRY_COMPARE(browser->verticalScrollBar()->value(), place);
        QTRY_VERIFY(!viewer.findChild<GuideFeed*>()->goesOn());
        QCOMPARE(browser->verticalScrollBar()->value(), place);
    }

    void everyLinkToASectionOfTheGuideFindsIt() {
        const QList<GuidePage> pages = readDocs(qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/docs");
        const QRegularExpression link(R"(\]\(([\w-]*)(?:\.md)?#([^)]+)\))"),
            heading("^#+ (.*)$", QRegularExpression::MultilineOption);
        int links = 0;
        for (const GuidePage& page : pages)
            for (auto it = link.globalMatch(page.markdown); it.hasNext(); ++links) {
                const QRegularExpressionMatch match = it.next();
                const QString target = match.captured(1).isEmpty() ? page.name : match.captured(1);
                QStringList sections;
                for (const GuidePage& other : pages)
                    if (other.name == target)
                        for (auto found = heading.globalMatch(other.markdown); found.hasNext();)
                            sections.append(GuideViewer::sectionOf(found.next().captured(1).remove('`').remove('*')));
                QVERIFY2(sections.contains(match.captured(2)), qPrintable(page.name + ": " + match.captured(0)));
            }
        QVERIFY(links > 10);
    }

    void blocksHaveRoomBetweenThem() {
        GuideViewer viewer;
        viewer.addPages({{"page", "Title", kPage}});
        const QTextDocument& document = *viewer.findChild<QTextBrowser*>("docsText")->document();
        for (const char* text : {"First", "Second", "Part", "two"})
            QVERIFY2(blockWith(document, text).blockFormat().bottomMargin() > 3, text);
        QVERIFY(blockWith(document, "Part").blockFormat().topMargin() >
                blockWith(document, "Part").blockFormat().bottomMargin());
    }

    void codeIsMonospacedAndNeverBroken() {
        GuideViewer viewer;
        viewer.addPages({{"page", "Title", kPage}});
        viewer.show();
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        for (const char* text : {"run default", "report a"}) {
            const QTextBlock code = blockWith(*browser->document(), text);
            QVERIFY(code.blockFormat().nonBreakableLines());
            QVERIFY(code.begin().fragment().charFormat().fontFixedPitch());
        }
        QTRY_VERIFY(browser->horizontalScrollBar()->maximum() > 0);
        QVERIFY(!blockWith(*browser->document(), "First").blockFormat().nonBreakableLines());
    }

    void tablesHaveSingleLightLines() {
        GuideViewer viewer;
        viewer.addPages({{"page", "Title", kPage}});
        const QTextDocument& document = *viewer.findChild<QTextBrowser*>("docsText")->document();
        const auto* table = QTextCursor(blockWith(document, "Key")).currentTable();
        QVERIFY(table);
        QVERIFY(table->format().borderCollapse());
        QCOMPARE(table->format().cellSpacing(), 0.0);
        QCOMPARE(table->format().borderBrush().color(), Theme::darkTheme().line);
    }

    void aPageFollowsAppearanceAndTextSizeWhereItIsRead() {
        GuideViewer viewer;
        QString text = kPage;
        for (int i = 0; i < 60; ++i) text += QString("\n\nParagraph %1.").arg(i);
        viewer.addPages({{"page", "Title", text}});
        viewer.show();
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        QTRY_VERIFY(browser->verticalScrollBar()->maximum() > 300);
        browser->verticalScrollBar()->setValue(200);
        applyAppearance(*qApp, Appearance::Light);
        const auto* table = QTextCursor(blockWith(*browser->document(), "Key")).currentTable();
        QCOMPARE(table->format().borderBrush().color(), Theme::lightTheme().line);
        QVERIFY2(browser->verticalScrollBar()->value() > 100, "the page jumped to its beginning");
        applyTextSize(*qApp, TextSize::VeryLarge);
        const QTextBlock paragraph = blockWith(*browser->document(), "First");
        QCOMPARE(paragraph.begin().fragment().charFormat().font().pixelSize(), 18);
    }

    void wordsAreFoundOnAllPages() {
        GuideViewer viewer;
        viewer.addPages({{"a", "Masks", "# Masks\n\nA mask hides classes.\n\nThe push is hidden.\n"},
                         {"b", "Long", longPage()},
                         {"c", "Pushes", "# Pushes\n\nPush up.\n\nPush down.\n"}});
        viewer.showPage("b");
        auto* search = viewer.findChild<QLineEdit*>("docsSearch");
        auto* list = viewer.findChild<QListWidget*>("docsList");
        auto* text = viewer.findChild<QTextBrowser*>("docsText");
        auto* nothing = viewer.findChild<QWidget*>("docsNothing");
        const auto shown = [&] { return text->document()->begin().text(); };
        QVERIFY(QTest::qWaitForWindowExposed(&viewer));
        QTest::keyClick(&viewer, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(search, "p");
        QVERIFY2(!list->isRowHidden(1), "a letter is no word");
        QTest::keyClicks(search, "USH");
        QVERIFY(!list->isRowHidden(0) && list->isRowHidden(1) && !list->isRowHidden(2));
        QCOMPARE(shown(), QString("Pushes"));
        QCOMPARE(text->extraSelections().size(), 3);
        QCOMPARE(text->textCursor().selectedText(), QString("Push"));
        QCOMPARE(text->textCursor().selectionStart(), 0);
        QList<int> places;
        for (int step = 0; step < 2; ++step) {
            QTest::keyClick(search, Qt::Key_Return);
            places.append(text->textCursor().selectionStart());
        }
        QVERIFY(places[0] > 0 && places[1] > places[0]);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(shown(), QString("Masks"));
        QCOMPARE(text->textCursor().selectedText(), QString("push"));
        QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(shown(), QString("Pushes"));
        QCOMPARE(text->textCursor().selectionStart(), places[1]);
        search->setText("no such words");
        QVERIFY(nothing->isVisible());
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(viewer.isVisible() && !nothing->isVisible() && !list->isRowHidden(1));
        QVERIFY(text->extraSelections().isEmpty());
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(!viewer.isVisible());
    }

    void wordsFarBelowAreFoundWhenTheyCome() {
        GuideViewer viewer;
        viewer.addPages({{"a", "Title", kPage}, {"b", "Long", longPage()}});
        viewer.showPage("a");
        QVERIFY(QTest::qWaitForWindowExposed(&viewer));
        viewer.findChild<QLineEdit*>("docsSearch")->setText("section 39");
        auto* text = viewer.findChild<QTextBrowser*>("docsText");
        QTRY_COMPARE(text->textCursor().selectedText(), QString("Section 39"));
        QTRY_COMPARE(text->extraSelections().size(), 1);
        QVERIFY(text->viewport()->rect().intersects(text->cursorRect()));
    }
};

PALIMPSEST_TEST(TestGuideViewer)

}  // namespace tst_guide_viewer

#include "tst_guide_viewer.moc"
