// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/explained_error.h"

#include <c10/util/Exception.h>

#include <new>

namespace palimpsest {
namespace {

std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

Error outOfMemory() {
    return runError("The machine ran out of memory.", "Use a smaller batch, fewer test images or a smaller network.");
}

}  // namespace

bool isOutOfMemory(const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    return text.find("out of memory") != std::string::npos || text.find("can't allocate memory") != std::string::npos;
}

Error explainedError(const std::string& attached, bool onCpu) {
    const std::string report = "Please report this with " + attached + ".";
    try {
        throw;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    } catch (const c10::Error& error) {
        const std::string text = error.what_without_backtrace();
        if (isOutOfMemory(error))
            return onCpu ? outOfMemory()
                         : runError("The device ran out of memory.",
                                    "Use a smaller batch, a smaller network or device = \"cpu\".");
        return runError("LibTorch refused: " + firstLine(text), report);
    } catch (const std::exception& error) {
        return runError("Something unexpected went wrong: " + firstLine(error.what()), report);
    } catch (...) {
        return runError("Something unexpected went wrong.", report);
    }
}

}  // namespace palimpsest
