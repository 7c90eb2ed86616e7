# SPDX-License-Identifier: GPL-3.0-or-later
# Fails on an include that looks up, away from the layers below its own file:
#   cmake -DROOT=<folder with engine, datasets and ui> -P check_layers.cmake

set(torch "[<\"](torch|ATen|c10|caffe2)/")
set(opencv "[<\"]opencv2/")
set(qt "[<\"](Q[A-Za-z]|qcustomplot)")
# What links LibTorch. All other folders of the engine are engine_core, engine_library or
# engine_report.
set(learning "engine/(api\\.h|checkpoint/|data/|isa/|memory/|method/|network/|pretrain/|train/|verify/)")
set(core "^engine/(config|mask|metrics|run|stream|support|sweep)/")
set(report "^engine/(library|report)/")

file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/engine/*.h ${ROOT}/engine/*.cpp ${ROOT}/datasets/*.h
  ${ROOT}/datasets/*.cpp ${ROOT}/ui/*.h ${ROOT}/ui/*.cpp)
list(LENGTH sources count)
if(count EQUAL 0)
  message(FATAL_ERROR "There is no source file below ${ROOT}")
endif()
set(broken 0)

# forbid(files includes reason): no file whose path matches the first expression may include what matches the second.
function(forbid files includes reason)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "${files}")
      continue()
    endif()
    file(STRINGS ${ROOT}/${source} lines REGEX "^[ \t]*#[ \t]*include[ \t]*${includes}")
    foreach(line IN LISTS lines)
      message(SEND_ERROR "${source}: ${line}\n  ${reason}")
      math(EXPR broken "${broken} + 1")
    endforeach()
  endforeach()
  set(broken ${broken} PARENT_SCOPE)
endfunction()

forbid("^ui/" "${torch}" "The window builds without LibTorch.")
forbid("^ui/" "${opencv}" "The window builds without OpenCV.")
forbid("^ui/" "\"(app|datasets)/" "The window knows engine_core and engine_report alone.")
forbid("^ui/" "\"${learning}" "The window knows engine_core and engine_report alone.")
forbid("^(engine|datasets)/" "${qt}" "Results do not depend on Qt.")
forbid("^(engine|datasets)/" "\"(ui|app)/" "The engine and the data sets know neither window nor programs.")
forbid("^datasets/" "\"engine/([^s]|s[^u])" "Data sets know nothing of learning, only engine/support.")
forbid("^datasets/" "${torch}" "Data sets know nothing of learning.")
foreach(files IN ITEMS "${core}" "${report}")
  forbid("${files}" "${torch}" "This part builds without LibTorch.")
  forbid("${files}" "${opencv}" "This part builds without OpenCV.")
  forbid("${files}" "\"datasets/" "This part reads no images.")
  forbid("${files}" "\"${learning}" "This part lies below the learning parts.")
endforeach()
forbid("${core}" "\"engine/(library|report)/" "The library of runs and reports lie above engine_core.")
forbid("^engine/library/" "\"engine/report/" "The library of runs knows no reports.")
forbid("^engine/report/" "\"engine/library/" "Reports know no library of runs.")
forbid("^engine/api\\.h" "(${torch}|${opencv})" "Programs see no LibTorch and no OpenCV.")

if(broken GREATER 0)
  message(FATAL_ERROR "${broken} includes look up")
endif()
message("${count} files, no include looks up")
