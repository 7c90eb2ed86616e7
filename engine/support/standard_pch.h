// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Headers that most files below the learning parts include anyway: reading it takes longer than compiling the file.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <variant>
#include <vector>
