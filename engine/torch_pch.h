// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// ATen alone: tensors with autograd, without the C++ front end, whose header costs several times as much.
#include <ATen/ATen.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
