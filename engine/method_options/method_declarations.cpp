// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/method_declaration.h"

namespace palimpsest {

#define METHOD(Name) MethodDeclaration declare##Name();
#include "engine/method_options/all_methods.inc"
#undef METHOD

const std::vector<MethodDeclaration>& methodDeclarations() {
#define METHOD(Name) declare##Name(),
    static const std::vector<MethodDeclaration> all = {
#include "engine/method_options/all_methods.inc"
    };
#undef METHOD
    return all;
}

}  // namespace palimpsest
