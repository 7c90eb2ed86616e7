// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/method_declaration.h"
#include "engine/method/method.h"
#include "engine/support/error.h"

namespace palimpsest {

// Each method's file in engine/method_options defines its declaration, and its file in this folder its maker.
#define METHOD(Name)                   \
    MethodDeclaration declare##Name(); \
    std::unique_ptr<Method> make##Name(const MethodSetup&);
#include "engine/method_options/all_methods.inc"
#undef METHOD

const std::vector<MethodEntry>& methodList() {
#define METHOD(Name) {declare##Name().choice, make##Name},
    static const std::vector<MethodEntry> list = {
#include "engine/method_options/all_methods.inc"
    };
#undef METHOD
    return list;
}

std::unique_ptr<Method> makeMethod(const MethodSetup& setup) {
    std::string known;
    for (const auto& entry : methodList()) {
        if (entry.choice.value == setup.method.name) return entry.make(setup);
        known += (known.empty() ? "" : ", ") + entry.choice.value;
    }
    throw inputError("There is no method \"" + setup.method.name + "\".", "Choose one of: " + known + ".");
}

}  // namespace palimpsest
