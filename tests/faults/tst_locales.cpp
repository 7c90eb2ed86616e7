// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <clocale>
#include <cstdio>
#include <string>

#include "engine/config/option_table.h"
#include "engine/report/report.h"
#include "engine/support/error.h"
#include "engine/train/experiment_inputs.h"
#include "tests/faults/faulty_run.h"
#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_locales {

namespace {

/// Set for the process that reports in the locale of its environment: the run, and the folder to write to.
constexpr const char* kRun = "PALIMPSEST_TEST_RUN_FOLDER";
constexpr const char* kOut = "PALIMPSEST_TEST_OUT";

/// What that process does. Qt has set the locale of the environment, which the command line does not. Its output is
/// the locale's decimal point.
int reportHere() {
    std::printf("%s", std::localeconv()->decimal_point);
    const OptionTable table(engineCatalogue());
    ReportRequest request{{qgetenv(kRun).toStdString()},
                          qgetenv(kOut).toStdString(),
                          {"html", "svg", "pdf", "csv", "latex", "markdown", "pgfplots"},
                          "screen",
                          {},
                          false};
    try {
        return writeReport(table, request).empty() ? 3 : 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}

/// What a command prints or writes, and where the locale could show: numbers, upper and lower case.
QMap<QString, QByteArray> filesOf(const QString& folder) {
    QMap<QString, QByteArray> files;
    for (const QString& name : QDir(folder).entryList(QDir::Files)) files[name] = contentOf(folder + "/" + name);
    return files;
}

}  // namespace

/// German writes 0,5 for a half, and Turkish has a capital letter of its own for i. Files have the same bytes with
/// both.
class TestLocales : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString why_;  // there are no locales
    QMap<QString, QByteArray> expected_, report_;

    QString place(const QString& name) const { return folder_.filePath(name); }

    QProcessEnvironment environmentOf(const QString& locale) const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"LANG", "LANGUAGE", "LC_NUMERIC", "LC_CTYPE"}) environment.remove(name);
        environment.insert("LC_ALL", locale);
        environment.insert("LOCPATH", place("locales"));
        return environment;
    }

    Outcome report(const QString& locale, const QString& run, const QString& out) const {
        QProcessEnvironment environment = environmentOf(locale);
        environment.insert(kRun, run);
        environment.insert(kOut, out);
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), {"tst_locales"});
        return outcomeOf(process);
    }

    static void addLocales() {
        QTest::addColumn<QString>("locale");
        for (const char* name : {"de_DE.UTF-8", "tr_TR.UTF-8"}) QTest::newRow(name) << name;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(QDir(folder_.path()).mkpath("locales"));
        for (const char* language : {"de_DE", "tr_TR"}) {
            QProcess maker;
            maker.start("localedef", {"-i", language, "-f", "UTF-8", place(QString("locales/%1.UTF-8").arg(language))});
            const Outcome made = outcomeOf(maker);
            if (made.code != 0 && made.code != 1) why_ = "localedef does not start; it belongs to the C library.";
            if (!QFile::exists(place(QString("locales/%1.UTF-8/LC_NUMERIC").arg(language))))
                why_ = QString("%1 cannot be made; its sources are in the package locales.").arg(language);
        }
        QCOMPARE(call(tinyRun(place("plain")), environmentOf("C")).code, 0);
        expected_ = resultsOf(place("plain"));
        const Outcome plain = report("C", place("plain"), place("report"));
        QVERIFY2(plain.code == 0, plain.err.constData());
        QCOMPARE(plain.out, ".");
        report_ = filesOf(place("report"));
        QVERIFY(report_.size() > 5);
    }

    void aRunHasTheSameBytes_data() { addLocales(); }
    void aRunHasTheSameBytes() {
        QFETCH(QString, locale);
        if (!why_.isEmpty()) QSKIP(qPrintable(why_));
        const Outcome end = call(tinyRun(place(locale)), environmentOf(locale));
        QVERIFY2(end.code == 0, end.err.constData());
        QCOMPARE(differenceOf(expected_, resultsOf(place(locale))), QString());
        QCOMPARE(call({"methods"}, environmentOf(locale)).out, call({"methods"}, environmentOf("C")).out);
        const QStringList checked{
            "stream", "default", "--set", "stream.dataset=shapes", "--set", "stream.blurry_percent=12.5"};
        QCOMPARE(call(checked, environmentOf(locale)).out, call(checked, environmentOf("C")).out);
    }

    void aReportOfAProgramInThatLocaleHasTheSameBytes_data() { addLocales(); }
    void aReportOfAProgramInThatLocaleHasTheSameBytes() {
        QFETCH(QString, locale);
        if (!why_.isEmpty()) QSKIP(qPrintable(why_));
        const QString out = place("report-" + locale);
        const Outcome end = report(locale, place("plain"), out);
        QVERIFY2(end.code == 0, end.err.constData());
        QCOMPARE(end.out, ",");
        QCOMPARE(differenceOf(report_, filesOf(out)), QString());
    }
};

PALIMPSEST_TEST_RUN(TestLocales, QCoreApplication application(argc, argv);
                    if (qEnvironmentVariableIsSet(kRun)) return reportHere())

}  // namespace tst_locales

#include "tst_locales.moc"
