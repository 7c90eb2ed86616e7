# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports official code, that of MISA (github.com/kangzhiq/MISA) or of FlyGCL (github.com/AnAppleCore/FlyGCL), from a
checkout. What its modules import but a step of learning does not need (tensorboard, pandas, scikit-learn, matplotlib) is
replaced where it is missing, and so are timm's two layers that the code runs. What a checkout of another version lacks
is told in a sentence."""
import importlib
import importlib.abc
import importlib.machinery
import pathlib
import re
import sys
import traceback
import types

UNNEEDED = {"tensorboard", "pandas", "sklearn", "matplotlib", "scipy", "requests", "tqdm", "ptflops", "cv2"}


class Nothing:
    """Stands for whatever an import that is not needed would bring."""

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class StandInModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing


class StandInFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what nothing before it found; it stands last in sys.meta_path."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in UNNEEDED:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandInModule(spec.name)

    def exec_module(self, module):
        pass


def standInTimm():
    """The parts of timm that the official code runs, with the same operations; the rest is never called."""
    import torch
    from torch import nn

    class PatchEmbed(nn.Module):
        def __init__(self, img_size=224, patch_size=16, in_chans=3, embed_dim=768):
            super().__init__()
            self.num_patches = (img_size // patch_size) ** 2
            self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=patch_size, stride=patch_size)

        def forward(self, x):
            return self.proj(x).flatten(2).transpose(1, 2)

    class Mlp(nn.Module):
        def __init__(self, in_features, hidden_features=None, act_layer=nn.GELU, drop=0.0):
            super().__init__()
            self.fc1 = nn.Linear(in_features, hidden_features)
            self.act = act_layer()
            self.fc2 = nn.Linear(hidden_features, in_features)

        def forward(self, x):
            return self.fc2(self.act(self.fc1(x)))

    def named_apply(fn, module, name="", depth_first=True, include_root=False):
        for child_name, child in module.named_children():
            named_apply(fn, child, ".".join((name, child_name)) if name else child_name, depth_first, True)
        if include_root:
            fn(module=module, name=name)
        return module

    def module(name, **contents):
        made = StandInModule(name)
        made.__path__ = []
        for key, value in contents.items():
            setattr(made, key, value)
        sys.modules[name] = made
        return made

    register = lambda function: function
    config = lambda **kwargs: dict(kwargs)
    module("timm.data")
    module("timm.models.registry", register_model=register)
    module("timm.models.layers", PatchEmbed=PatchEmbed, Mlp=Mlp, trunc_normal_=nn.init.trunc_normal_)
    module("timm.models.helpers", named_apply=named_apply)
    module("timm.models.vision_transformer", _cfg=config, default_cfgs={})
    module("timm.models", create_model=None)
    module("timm", create_model=None, __version__="none: its two layers were written out")


OWN = ("models", "methods", "utils", "datasets", "optim", "configuration")
MISA = ("timm", "models.vit", "models.dualprompt", "methods.dualprompt")
FLYGCL = ("timm", "models.vit", "configuration.config", "methods")


def importOfficial(code, names=MISA):
    """The official modules of these names, with timm or, where it is missing or too new, with its two layers written out."""
    sys.meta_path.append(StandInFinder())
    try:
        importlib.import_module("torch.utils.tensorboard")
    except ImportError:
        sys.modules["torch.utils.tensorboard"] = StandInModule("torch.utils.tensorboard")
    sys.path.insert(0, str(code))

    def modules():
        return [importlib.import_module(name) for name in names]

    try:
        return modules()
    except Exception as problem:
        unfit = str(problem)
    for name in list(sys.modules):
        if name.split(".")[0] in ("timm", *OWN):
            del sys.modules[name]
    standInTimm()
    found = modules()
    print("timm of this Python does not serve (%s); its two layers are written out" % unfit, file=sys.stderr)
    return found


def within(file, code):
    """The path of a file in the checkout; None for one elsewhere."""
    try:
        return pathlib.Path(file).resolve().relative_to(code).as_posix() if file else None
    except ValueError:
        return None


def fileOf(thing, code):
    """The file of the checkout that a module, a class or an object is of; None for one of elsewhere."""
    if isinstance(thing, types.ModuleType):
        return within(getattr(thing, "__file__", None), code)
    for kind in (thing if isinstance(thing, type) else type(thing)).__mro__:
        file = fileOf(sys.modules.get(kind.__module__), code) if kind.__module__ in sys.modules else None
        if file:
            return file
    return None


def fileWith(name, code):
    """The file of the checkout that has this name on its top level; None where none has it."""
    for module in list(sys.modules.values()):
        file = fileOf(module, code) if isinstance(module, types.ModuleType) else None
        if file and name in vars(module):
            return file
    return None


def lacking(problem, code, begins):
    """What the checkout lacks that a learner, or its own code, asked it for; None where it is not the cause. Where it
    begins, whatever its code stumbles over is taken for another version; what goes wrong while it learns is not."""
    text = str(problem)
    if isinstance(problem, ModuleNotFoundError) and problem.name:
        name = problem.name
        if name.split(".")[0] in OWN:
            return "it has no %s" % (name.replace(".", "/") + ".py" if "." in name else "folder " + name)
        return "it needs the module %s, which this Python does not have" % name
    if isinstance(problem, ImportError):
        names = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", text)
        file = within(problem.path, code)
        return "%s has no %s" % (file, names[1]) if names and file else None
    if isinstance(problem, AttributeError):
        # Python 3.10 and later say of what.
        thing, name = getattr(problem, "obj", None), getattr(problem, "name", None)
        file = fileOf(thing, code)
        if file and name:
            kind = thing if isinstance(thing, type) else type(thing)
            return "%s has no %s" % (file if isinstance(thing, types.ModuleType) else
                                     "%s in %s" % (kind.__name__, file), name)
    called = re.match(r"(\w+)[\w.]*\(\) (?:got|takes|missing) ", text)
    file = fileWith(called[1], code) if called else None
    if file:
        return "in %s, %s" % (file, text)
    if not begins:
        return None
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if within(frame.filename, code)]
    return "%s, line %d: %s" % (within(frames[-1].filename, code), frames[-1].lineno, text) if frames else None


def anotherVersion(code, lacks):
    return SystemExit("%s is another version of the official code than this learner knows: %s." %
                      (pathlib.Path(code).resolve(), lacks.rstrip(".")))


class OfKnownVersion:
    """A learner with official code that ends with a sentence where the checkout lacks what it asks for."""

    def __init__(self, learner, code):
        self.learner, self.code = learner, pathlib.Path(code).resolve()

    def __getattr__(self, name):
        value = getattr(self.learner, name)
        return self.told(value, name == "begin") if callable(value) else value

    def told(self, call, begins):
        def called(*arguments):
            try:
                return call(*arguments)
            except (AttributeError, ImportError, TypeError) as problem:
                lacks = lacking(problem, self.code, begins)
                if lacks is None:
                    raise
                raise anotherVersion(self.code, lacks) from None
        return called
