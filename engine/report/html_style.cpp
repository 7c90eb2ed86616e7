// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/html_style.h"

#include "engine/report/palette.h"

namespace palimpsest::report {
namespace {

constexpr const char* kRules = R"css(
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.55 Inter, ui-sans-serif, system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 40px 20px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 6px; letter-spacing: -.01em; }
h2 { font-size: 17px; margin: 40px 0 12px; }
h3 { font-size: 15px; margin: 0 0 4px; }
p { margin: 0 0 12px; max-width: 70ch; }
header p { max-width: none; }
.quiet, caption, .facts dt { color: var(--quiet); }
.card, figure { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 12px;
  padding: 16px; }
figure { padding: 4px 4px 0; }
figure svg { display: block; width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 7px 12px 7px 0; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
th { font-weight: 600; }
thead th { font-size: 13px; }
thead small { display: block; font-weight: 400; color: var(--quiet); }
th:first-child, td:first-child, .words td, .words th { text-align: left; white-space: normal; min-width: 9em; }
.words td { overflow-wrap: anywhere; }
.runs { font-size: 13px; }
.runs th:first-child { min-width: 3em; }
.runs td { min-width: 8em; }
.runs code { white-space: nowrap; }
caption { text-align: left; padding-bottom: 8px; font-size: 13px; }
.delta { display: block; font-size: 12px; }
.better { color: var(--better); }
.worse { color: var(--worse); }
details { margin: 0; }
summary { cursor: pointer; padding: 8px 12px; color: var(--quiet); font-size: 13px; border-radius: 6px; }
summary:focus-visible { outline: 2px solid var(--accent); }
details[open] > summary { color: var(--text); }
figure details { border-top: 1px solid var(--line); }
figure details .scroll { padding: 0 12px 12px; max-height: 420px; overflow: auto; font-size: 13px; }
pre { margin: 0; padding: 12px; overflow-x: auto; background: var(--ground); border-radius: 6px;
  font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
.warnings { border-left: 4px solid var(--attention); }
.warnings ul { margin: 0; padding-left: 18px; }
.metrics { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); }
.metrics .card { margin: 0; }
.formula { font: 15px/1.7 "STIX Two Text", Cambria, Georgia, serif; margin: 6px 0; }
.tag { display: inline-block; border: 1px solid var(--line); border-radius: 999px; padding: 0 9px; font-size: 12px;
  color: var(--quiet); font-weight: 400; margin-left: 6px; }
code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; }
footer { margin-top: 40px; font-size: 13px; color: var(--quiet); }
)css";

std::string variables(bool dark) {
    std::string text;
    for (const Ink ink : kInks) {
        text += std::string(" ") + variableName(ink) + ": " + (dark ? darkColour(ink) : lightColour(ink)) + ";";
    }
    return text + (dark ? " --ground: #16181d; --better: #3fb68b; --worse: #f28e5c; --attention: #e6a23c;"
                        : " --ground: #f6f7f9; --better: #18795a; --worse: #b04a00; --attention: #e6a23c;");
}

}  // namespace

std::string pageStyle() {
    return ":root { color-scheme: light;" + variables(false) +
           " }\n@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark;" + variables(true) +
           " } }" + kRules;
}

}  // namespace palimpsest::report
