// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QList>
#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <csignal>

namespace palimpsest::testing {

/// An sshd of the test's own on the loopback address, with keys that it makes, and settings for ssh that know nothing
/// of the user's. The machine is called "lab" there.
class SshServer {
public:
    ~SshServer() { stop(); }

    /// Makes keys and settings and starts it. Says why it cannot; empty when it answers.
    QString start() {
        sshd_ = QStandardPaths::findExecutable("sshd", {"/usr/sbin", "/usr/local/sbin", "/sbin"});
        if (sshd_.isEmpty()) return "There is no sshd: openssh-server is not installed.";
        for (const char* program : {"ssh", "ssh-keygen", "sftp"})
            if (QStandardPaths::findExecutable(program).isEmpty()) return QString("There is no %1.").arg(program);
        if (!folder_.isValid()) return "No folder can be made.";
        // The service's own start makes it; of no use to anybody but root's sshd.
        if (getuid() == 0) QDir().mkpath("/run/sshd");
        for (const char* key : {"host", "user", "stranger"})
            if (!keygen(key)) return "ssh-keygen makes no key.";
        QFile::copy(path("user.pub"), path("authorized"));
        port_ = freePort();
        write("sshd_config",
              "Port " + QByteArray::number(port_) + "\nListenAddress 127.0.0.1\nHostKey " + bytes("host") +
                  "\nAuthorizedKeysFile " + bytes("authorized") +
                  "\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
                  "PermitRootLogin yes\nPrintMotd no\nPrintLastLog no\nPidFile none\nMaxStartups 100\n"
                  "Subsystem sftp internal-sftp\n");
        write("known", "lab " + read("host.pub"));
        write("stranger_known", "lab " + read("stranger.pub"));
        write("nobody_known", "");
        writeClient("client", "user", "known");
        writeClient("client_wrong_key", "stranger", "known");
        writeClient("client_unknown_host", "user", "nobody_known");
        writeClient("client_other_host", "user", "stranger_known");
        return resume();
    }

    /// Starts it anew after stop(). `most`: bytes of the largest file that commands there can write.
    QString resume(qint64 most = 0) {
        process_.setProcessChannelMode(QProcess::MergedChannels);
        const QString limit = most > 0 ? QString("ulimit -f %1; ").arg(most / 512) : QString();
        process_.start("/bin/sh", {"-c", limit + "exec \"$0\" -D -e -f \"$1\"", sshd_, path("sshd_config")});
        if (!process_.waitForStarted()) return "sshd does not start.";
        QProcess probe;
        for (int tries = 0; tries < 100 && process_.state() == QProcess::Running; ++tries) {
            probe.start("ssh", {"-F", path("client"), "-o", "BatchMode=yes", "lab", "echo works"});
            probe.waitForFinished(60'000);
            if (probe.readAllStandardOutput().contains("works")) return {};
            usleep(100'000);
        }
        process_.waitForReadyRead(100);
        const QString why = "sshd takes no connection: " + QString::fromLocal8Bit(process_.readAll()).simplified() +
                            QString::fromLocal8Bit(probe.readAllStandardError()).simplified();
        stop();
        return why;
    }

    /// Ends it with all connections.
    void stop() {
        if (process_.state() == QProcess::NotRunning) return;
        const QList<qint64> below = descendants(process_.processId());
        process_.kill();
        for (const qint64 pid : below) kill(static_cast<pid_t>(pid), SIGKILL);
        process_.waitForFinished(60'000);
    }

    /// Settings for ssh: "client", "client_wrong_key", "client_unknown_host", "client_other_host".
    QString path(const QString& name) const { return folder_.filePath(name); }
    int port() const { return port_; }
    /// The process that takes connections; those that it has survive its end.
    qint64 pid() const { return process_.processId(); }
    /// Allows nothing but sftp.
    void allowOnlySftp() { write("authorized", "command=\"internal-sftp\",restrict " + read("user.pub")); }
    void allowAll() { write("authorized", read("user.pub")); }

    /// Gives the commands to another shell, as where the user has it as the login shell.
    void loginShell(const QString& program) {
        write("enter", "#!/bin/sh\nexec " + program.toLocal8Bit() + " -c \"$SSH_ORIGINAL_COMMAND\"\n");
        enter();
    }

    /// Ends what commands read after so many bytes, as a connection that breaks does.
    void cutInput(qint64 bytes) {
        write("enter", "#!/bin/sh\nhead -c " + QByteArray::number(bytes) + " | /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"\n");
        enter();
    }

    /// Lets commands find their programs in a folder before all others, whatever a login sets. The end of process
    /// $PALIMPSEST_TEST_SESSION breaks their connection.
    void preferPrograms(const QString& folder) {
        write("enter", "#!/bin/sh\nPATH=" + folder.toLocal8Bit() +
                           ":$PATH\nPALIMPSEST_TEST_SESSION=$PPID\nexport PATH PALIMPSEST_TEST_SESSION\ncase "
                           "$SSH_ORIGINAL_COMMAND in internal-sftp*) exec "
                           "/usr/lib/openssh/sftp-server ;; esac\n"
                           "exec /bin/sh -c \"$(printf %s \"$SSH_ORIGINAL_COMMAND\" | "
                           "sed s#/etc/profile#/nowhere/profile#g)\"\n");
        enter();
    }

    static int freePort() {
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const plain = reinterpret_cast<sockaddr*>(&address);
        if (bind(socket, plain, size) != 0 || getsockname(socket, plain, &size) != 0) address.sin_port = 0;
        close(socket);
        return ntohs(address.sin_port);
    }

private:
    QByteArray bytes(const QString& name) const { return path(name).toLocal8Bit(); }
    QByteArray read(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const QString& name, const QByteArray& text) const {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
    }
    /// Has every command go through the script "enter".
    void enter() const {
        QFile::setPermissions(path("enter"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        write("authorized", "command=\"" + bytes("enter") + "\" " + read("user.pub"));
    }
    bool keygen(const QString& name) const {
        return QProcess::execute("ssh-keygen", {"-q", "-t", "ed25519", "-N", "", "-f", path(name)}) == 0;
    }
    void writeClient(const QString& name, const QString& key, const QString& known) const {
        write(name, "Host lab\n  HostName 127.0.0.1\n  HostKeyAlias lab\n  Port " + QByteArray::number(port_) +
                        "\nHost *\n  IdentityFile " + bytes(key) + "\n  UserKnownHostsFile " + bytes(known) +
                        "\n  GlobalKnownHostsFile /dev/null\n  StrictHostKeyChecking yes\n  IdentitiesOnly yes\n"
                        "  IdentityAgent none\n  CheckHostIP no\n");
    }
    /// Processes that it started, and theirs.
    static QList<qint64> descendants(qint64 of) {
        QList<qint64> found;
        const QStringList processes = QDir("/proc").entryList(QDir::Dirs);
        for (const QString& name : processes) {
            bool number = false;
            const qint64 pid = name.toLongLong(&number);
            QFile file("/proc/" + name + "/stat");
            if (!number || !file.open(QIODevice::ReadOnly)) continue;
            const QByteArray stat = file.readAll();
            const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
            if (fields.size() > 1 && fields[1].toLongLong() == of) found << pid << descendants(pid);
        }
        return found;
    }

    QTemporaryDir folder_;
    QString sshd_;
    QProcess process_;
    int port_ = 0;
};

}  // namespace palimpsest::testing
