// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace palimpsest::testing {

/// Writes a shell script that a queue takes for palimpsest-cli. `run FILE --out DIR` and `run --resume DIR` make a run
/// folder that is running until the file "go" lies beside the script, and stopped after SIGTERM; with the file "fail"
/// there it complains and ends. Every call is a line of "calls".
inline QString makeQueueProgram(const QString& folder) {
    const QString path = folder + "/cli";
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(R"(#!/bin/bash
here=$(dirname "$0")
echo "$*" >> "$here/calls"
if [ -e "$here/fail" ]; then echo "palimpsest-cli: The data are not there. Fetch them." >&2; exit 2; fi
while [ $# -gt 0 ]; do
  case $1 in
    --out|--resume) out=$2; shift ;;
    *.toml) experiment=$1 ;;
  esac
  shift
done
mkdir -p "$out"
[ -n "$experiment" ] && cp "$experiment" "$out/experiment.toml"
state() {
  echo "{\"state\": \"$1\", \"host\": \"elsewhere\"}" > "$out/run.json.new"
  mv "$out/run.json.new" "$out/run.json"
}
trap 'state stopped; exit 0' TERM
state running
until [ -e "$here/go" ] || [ ! -d "$here" ]; do sleep 0.02; done
state finished
)");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

}  // namespace palimpsest::testing
