// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/method_declaration.h"

#include <algorithm>
#include <set>

#include "engine/config/option_row.h"
#include "engine/config/option_sections.h"

namespace palimpsest {
namespace {

/// The rows of the methods, each with those that read it.
class MethodRows {
public:
    explicit MethodRows(const std::vector<MethodDeclaration>& methods) : methods_(methods) {}

    void addGroup(OptionGroup group, std::vector<Option>& rows) {
        for (const MethodDeclaration& method : methods_) {
            for (const MethodOption& option : method.options) {
                if (const auto* shared = std::get_if<const SharedOptions*>(&option))
                    addShared(**shared, group, rows);
                else if (method.group == group)
                    add(std::get<Option>(option), {method.choice.value}, rows);
            }
        }
    }

private:
    void addShared(const SharedOptions& shared, OptionGroup group, std::vector<Option>& rows) {
        if (shared.group != group || !added_.insert(&shared).second) return;
        const std::vector<std::string> readers = methodsWith(methods_, [&](const MethodDeclaration& method) {
            return std::ranges::count(sharedOptionsOf(method), &shared) > 0;
        });
        for (const Option& option : shared.rows) add(option, readers, rows);
    }

    static void add(const Option& option, std::vector<std::string> readers, std::vector<Option>& rows) {
        rows.push_back(option);
        rows.back().only_methods = std::move(readers);
    }

    const std::vector<MethodDeclaration>& methods_;
    std::set<const SharedOptions*> added_;
};

}  // namespace

std::vector<const SharedOptions*> sharedOptionsOf(const MethodDeclaration& method) {
    std::vector<const SharedOptions*> all;
    for (const MethodOption& option : method.options)
        if (const auto* shared = std::get_if<const SharedOptions*>(&option)) all.push_back(*shared);
    return all;
}

std::vector<Option> option_sections::method(const Catalogue& catalogue, const std::vector<MethodDeclaration>& methods) {
    std::vector<Option> rows{option_row::choice("method.name", "Method", "dualprompt", FIELD(method.name))
                                 .choices(catalogue.methods)
                                 .help("How the learner changes itself with every batch.")};
    MethodRows all(methods);
    for (const OptionGroup group :
         {OptionGroup::Features, OptionGroup::Calibration, OptionGroup::Backbone, OptionGroup::Past})
        all.addGroup(group, rows);
    return rows;
}

}  // namespace palimpsest
