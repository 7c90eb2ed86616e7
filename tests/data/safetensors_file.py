# SPDX-License-Identifier: GPL-3.0-or-later
# Writes numpy arrays as a safetensors file, for the scripts beside which reference numbers lie.
import json
import struct

import numpy as np

KINDS = {"uint8": "U8", "int64": "I64", "float32": "F32", "float64": "F64"}


def write(path, tensors, made_by):
    """`tensors`: arrays by name, written in this order."""
    header, offset = {"__metadata__": {"made_by": made_by}}, 0
    for name, value in tensors.items():
        header[name] = {"dtype": KINDS[value.dtype.name], "shape": list(value.shape),
                        "data_offsets": [offset, offset + value.nbytes]}
        offset += value.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for value in tensors.values():
            out.write(np.ascontiguousarray(value).tobytes())
