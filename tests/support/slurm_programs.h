// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>

namespace palimpsest::testing {

/// Writes scripts into a folder that play sbatch, squeue, sacct, scancel and scontrol. What is submitted is job 12,
/// whose tasks are lines of the file "queue" there, as squeue prints them; a test changes them. With a file "refuse"
/// sbatch says what it holds and fails. What is cancelled is a line of "cancelled".
inline void writeSlurmPrograms(const QString& folder) {
    QDir().mkpath(folder);
    const auto write = [&](const QString& name, const QByteArray& script) {
        QFile file(folder + '/' + name);
        if (!file.open(QIODevice::WriteOnly)) return;
        file.write("#!/bin/sh\nhere=$(dirname \"$0\")\n" + script);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    write("sbatch",
          "if [ \"$1\" = --version ]; then echo slurm 23.02.5; exit; fi\n"
          "if [ -e \"$here/refuse\" ]; then cat \"$here/refuse\" >&2; exit 1; fi\n"
          "for script in \"$@\"; do :; done\n"
          "last=$(sed -n 's/^#SBATCH --array=1-\\([0-9]*\\).*/\\1/p' \"$script\")\n"
          "for task in $(seq \"${last:-1}\"); do echo \"12|$task|PENDING|Priority||$script\" >> \"$here/queue\"; done\n"
          "echo 12\n");
    write("squeue",
          "touch \"$here/queue\"\n"
          "case \"$*\" in\n"
          "  *--json*) exit 1 ;;\n"
          "  *--jobs=*) grep \"^${*##*--jobs=}|\" \"$here/queue\" ;;\n"
          "  *--format=%F) cut -d'|' -f1 \"$here/queue\" ;;\n"
          "  *) cat \"$here/queue\" ;;\n"
          "esac\n"
          "exit 0\n");
    write("scancel", "sed -i \"/^$1|/d\" \"$here/queue\"\necho \"$1\" >> \"$here/cancelled\"\n");
    write("sacct", "exit 1\n");
    write("scontrol", "exit 1\n");
}

}  // namespace palimpsest::testing
