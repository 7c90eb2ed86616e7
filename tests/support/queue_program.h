// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace palimpsest::testing {

/// Writes a shell script that a queue takes for palimpsest-cli. `run FILE --out DIR` and `run --resume DIR` make a run
/// folder that is running until the file "go" lies beside the script, and stopped after SIGINT or SIGTERM, with the
/// file "deaf" there after the second one; with the file "fail" there it complains and ends. Every call is a line of
/// "calls".
inline QString makeQueueProgram(const QString& folder) {
    const QString path = folder + "/cli";
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    // Not one raw literal: moc takes it for preprocessor lines.
    file.write(
        "#!/bin/bash\n"
        "here=$(dirname \"$0\")\n"
        "echo \"$*\" >> \"$here/calls\"\n"
        "if [ -e \"$here/fail\" ]; then echo \"palimpsest-cli: The data are not there. Fetch them.\" >&2; exit 2; fi\n"
        "while [ $# -gt 0 ]; do\n"
        "  case $1 in\n"
        "    --out|--resume) out=$2; shift ;;\n"
        "    *.toml) experiment=$1 ;;\n"
        "  esac\n"
        "  shift\n"
        "done\n"
        "mkdir -p \"$out\"\n"
        "[ -n \"$experiment\" ] && cp \"$experiment\" \"$out/experiment.toml\"\n"
        "state() {\n"
        "  echo \"{\\\"state\\\": \\\"$1\\\", \\\"host\\\": \\\"elsewhere\\\"}\" > \"$out/run.json.new\"\n"
        "  mv \"$out/run.json.new\" \"$out/run.json\"\n"
        "}\n"
        "trap 'if [ -e \"$here/deaf\" ]; then rm \"$here/deaf\"; else state stopped; exit 0; fi' INT TERM\n"
        "state running\n"
        "until [ -e \"$here/go\" ] || [ ! -d \"$here\" ]; do sleep 0.02; done\n"
        "state finished\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

}  // namespace palimpsest::testing
