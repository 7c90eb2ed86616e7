# SPDX-License-Identifier: GPL-3.0-or-later
# Writes reference.safetensors beside itself: what Pillow and torchvision make of small random pictures.
# Run with Pillow 9.4, torch 1.13 (CPU) and torchvision 0.14, on a processor with AVX2 and FMA.
import pathlib
import sys

import numpy as np
import torch
from PIL import Image
from torchvision.transforms import AutoAugment
from torchvision.transforms import functional as F
from torchvision.transforms.autoaugment import _apply_op

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import safetensors_file

random = np.random.default_rng(3)
tensors = {}


def picture(height, width, channels):
    """Slopes and noise in equal parts, with both ends of the range."""
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    smooth = 127 + 127 * np.sin(x / 5.0 + c) * np.cos(y / 7.0 - c)
    value = np.where(random.random((height, width, channels)) < 0.5, smooth, random.integers(0, 256, smooth.shape))
    return value.astype(np.uint8)


def by_pillow(image, height, width):
    mode = image[:, :, 0] if image.shape[2] == 1 else image
    result = np.asarray(Image.fromarray(mode).resize((width, height), Image.BILINEAR))
    return result.reshape(height, width, image.shape[2])


def by_torch(image, height, width):
    batch = torch.from_numpy(image).permute(2, 0, 1)[None].contiguous()
    return F.resize(batch, [height, width], antialias=False)[0].permute(1, 2, 0).contiguous().numpy()


for name, image in {"photo": picture(37, 53, 3), "grey": picture(28, 28, 1), "strip": picture(3, 210, 3),
                    "small": picture(16, 16, 3)}.items():
    tensors[f"{name}.picture"] = image
    for height, width in ((32, 32), (48, 64), (37, 20), (20, 53), (9, 7), (1, 1), (112, 112)):
        if (height, width) == (112, 112) and name != "small":
            continue
        tensors[f"{name}.pillow.{height}x{width}"] = by_pillow(image, height, width)
        if image.shape[2] == 3:
            tensors[f"{name}.torch.{height}x{width}"] = by_torch(image, height, width)

batch = torch.from_numpy(np.stack([picture(24, 20, 3), picture(24, 20, 3) // 3 + 60])).permute(0, 3, 1, 2).contiguous()
batch[1, 2] = 77  # a flat channel
tensors["batch"] = batch.numpy()
space = AutoAugment()._augmentation_space(10, [224, 192])
for op, (levels, signed) in space.items():
    tensors[f"levels.{op}"] = levels.reshape(-1).to(torch.float32).numpy()
for op, amounts in {"ShearX": (0.3, -0.1), "ShearY": (0.2, -0.3), "TranslateX": (5.9, -11.2), "TranslateY": (9.0, -4.99),
                    "Rotate": (30.0, -16.666667938232422, 3.3), "Brightness": (0.9, -0.6, 0.0), "Color": (0.9, -0.4),
                    "Contrast": (0.7, -0.9), "Sharpness": (0.9, -0.9, 0.3), "Posterize": (8, 6, 4),
                    "Solarize": (255.0, 141.66665649414062, 0.0), "AutoContrast": (0.0,), "Equalize": (0.0,),
                    "Invert": (0.0,)}.items():
    for amount in amounts:
        # Exactly what the program is given: a float32 number.
        amount = float(np.float32(amount))
        changed = _apply_op(batch, op, amount, F.InterpolationMode.NEAREST, None)
        tensors[f"op.{op}.{amount!r}"] = changed.contiguous().numpy()

safetensors_file.write(pathlib.Path(__file__).with_name("reference.safetensors"), tensors,
                       "make_reference.py: Pillow 9.4, torch 1.13, torchvision 0.14")
