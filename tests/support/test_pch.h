// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What every test includes: reading it takes longer than compiling the test.
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
