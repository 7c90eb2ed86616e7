// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Headers that every test includes; parsing them takes longer than compiling the test.
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
