// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {

/// Raw labels in order of first appearance; a class's position there is its output unit
/// (MISA, methods/_trainer.py, exposed_classes).
class ClassRegistry {
public:
    /// Appends labels not seen before, in order.
    void expose(const std::vector<std::int32_t>& labels) {
        for (const std::int32_t label : labels)
            if (units_.emplace(label, static_cast<std::int64_t>(exposed_.size())).second) exposed_.push_back(label);
    }
    /// -1 for a class not seen yet.
    std::int64_t unit(std::int32_t label) const {
        const auto found = units_.find(label);
        return found == units_.end() ? -1 : found->second;
    }
    std::vector<std::int64_t> units(const std::vector<std::int32_t>& labels) const {
        std::vector<std::int64_t> result;
        result.reserve(labels.size());
        for (const std::int32_t label : labels) result.push_back(unit(label));
        return result;
    }
    const std::vector<std::int32_t>& exposed() const { return exposed_; }
    void keep(StateArchive& archive) {
        std::vector<std::int32_t> labels = exposed_;
        archive("exposed", labels);
        if (!archive.restoring()) return;
        exposed_.clear();
        units_.clear();
        expose(labels);
    }
    std::int64_t count() const { return static_cast<std::int64_t>(exposed_.size()); }

private:
    std::vector<std::int32_t> exposed_;
    std::unordered_map<std::int32_t, std::int64_t> units_;
};

}  // namespace palimpsest
