#!/usr/bin/env python3
"""Brings the packages that tests and benchmarks read, at pinned versions, through the package managers' own clients.

    python3 tests/setup/fetch.py tests     what `./run test` needs
    python3 tests/setup/fetch.py bench     that, and what `./run bench` needs
    python3 tests/setup/fetch.py eval      what the questions in tests/eval are about
    python3 tests/setup/fetch.py learn     what the questions in tests/eval/learn are about
    python3 tests/setup/fetch.py calls     five more packages for tests/accuracy/python/calls.py, with what their tests need

Everything goes into $RIPPLE_TEST_DATA, or else test-data in $CARGO_TARGET_DIR, or else target/test-data: one folder per package, made whole or
not at all. What is there already is left alone, and then nothing is asked of any network. Prints one line per package.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

# Name of the folder, module, version, its sum. The first is what the tests read; the others are for `tests/accuracy/go.py`.
GO = (
    ("cobra", "github.com/spf13/cobra", "v1.8.1", "h1:e5/vxKd/rZsfSJMUX1agtjeTDf+qv1/JdBF8gg5k9ZM="),
    ("conc", "github.com/sourcegraph/conc", "v0.3.0", "h1:OQTbbt6P72L20UqAkXXuLOj79LfEanQ+YQFNpLA9ySo="),
    ("gitleaks", "github.com/zricethezav/gitleaks/v8", "v8.21.2", "h1:Wk4vazk5aIyqa4EeITrSwXg+cp4b69wGd7iyHEw+jbc="),
    ("syft", "github.com/anchore/syft", "v1.18.1", "h1:JZ7CLbeWrWolCZa4f6SJBLJ9qGBLFCzHrFd8c4bsm94="),
)

# What the benchmark reads besides: with `syft`, half a million lines of Go.
TERRAFORM = ("terraform", "github.com/hashicorp/terraform", "v1.9.8", "h1:dNHFvyJgWshdOaPYtt3mHrJNa8kNyWuNj2A7+WOS4gI=")

# Eight modules of much the same size, for the growth of the engine's cost: half a million lines.
GO_PARTS = (
    ("caddy", "github.com/caddyserver/caddy/v2", "v2.8.4", "h1:q3pe0wpBj1OcHFZ3n/1nl4V4bxBrYoSoab7rL9BMYNk="),
    ("etcd", "go.etcd.io/etcd/server/v3", "v3.5.17", "h1:xykBwLZk9IdDsB8z8rMdCCPRvhrG+fwvARaGA0TRiyc="),
    ("goreleaser", "github.com/goreleaser/goreleaser/v2", "v2.4.8", "h1:FZWE7+HzaY5SdCuukczqJD7pACxUmCZOyfNp0NllIco="),
    ("grype", "github.com/anchore/grype", "v0.86.1", "h1:HWpzCOCwjKkwkIEEC5lcKI4yl6GhTF3+Z12tXWYtMoI="),
    ("helm", "helm.sh/helm/v3", "v3.16.3", "h1:kb8bSxMeRJ+knsK/ovvlaVPfdis0X3/ZhYCSFRP+YmY="),
    ("k9s", "github.com/derailed/k9s", "v0.32.7", "h1:9FnpBv4OhvQgmI2E0uso0GihL0xKArGEEb4oPCV8NVs="),
    ("lazygit", "github.com/jesseduffield/lazygit", "v0.44.1", "h1:QDt4/HQ56tso6LClYXpFu0nmy+RllDeQ+5Pib7ApWq0="),
    ("restic", "github.com/restic/restic", "v0.17.3", "h1:HALyLpq9AzTLUTG8aVQvMO8Xivm6l74j6DiNRgGwTNw="),
)

# Name of the folder, requirement, sdist or wheel, sha256 of the archive, lines of Python in it.
RICH = ("rich", "rich==13.7.1", "wheel", "4edbae314f59eb482f54e9e30bf00d33350aaa94f4bfcd4e9e3110e64d0d7222", 26_427)
RICH_CLI = ("rich-cli", "rich-cli==1.8.0", "wheel", "b27e585fd40924de0f71f28fa50a78ad3f3b24ead2ae5768490f6cf651026c2f", 1_112)
# These two come with their own tests, which tests/accuracy/python runs.
CLICK = ("click", "click==8.1.7", "sdist", "ca9853ad459e787e2192211578cc907e7594e294c7ccc834310722b41b9ca6de", 17_551)
JINJA = ("jinja2", "jinja2==3.1.4", "sdist", "4a3aee7acbbe7303aede8e9648d13b8bf88a429282aa6122a993f0ac800cb369", 22_276)
# So do these, for how calls are found in packages that the engine was not made with.
MORE = (
    ("markdown_it_py-tests", "markdown-it-py==4.3.0", "sdist", "91a58fa5b72c71a40cf7177250fd767480d7a2bb3ac426ccfb76fb90305fdaaa", 10_299),
    ("parso-tests", "parso==0.8.7", "sdist", "eaaac4c9fdd5e9e8852dc778d2d7405897ec510f2a298071453e5e3a07914bb1", 16_735),
    ("pyparsing-tests", "pyparsing==3.3.3", "sdist", "928ae7e20211f3b6f3915a72f06a0cfd29ab9d24279dd6346b6b1a7146397d36", 51_532),
    ("structlog-tests", "structlog==26.1.0", "sdist", "f63a716cbd1b1291cf7661de7794b455acfa4c43c5bcf1630e6ad5ddc1adb3b7", 16_845),
    ("werkzeug-tests", "werkzeug==3.1.9", "sdist", "55ca7c70a75689be937aa27f8ff4b018f06ff4838fc73045560bf0f5a1291060", 35_307),
)
DJANGO = ("django", "Django==5.1.4", "sdist", "de450c09e91879fa5a307f696e57c851955c910a438a35e6b4c895e86bedc82a", 473_701)
TWISTED = ("twisted", "Twisted==24.11.0", "wheel", "fe403076c71f04d5d2d789a755b687c5637ec3bcd3b2b8252d76f2ba65f54261", 378_664)
NETWORKX = ("networkx", "networkx==3.4.2", "wheel", "df5d4365b724cf81b8c6a7312509d0c22386097011ad1abe274afd5e9d3bbc5f", 182_729)

# Many packages in one folder, as wheels that fit every machine: name of the folder, requirements with their sums, lines of Python in all.
RICH_CLI_ALL = ("rich-cli-all", "rich-cli-all.txt", 310_622)

# A million lines of Python for the same.
PYTHON_PARTS = ("growth-python", "growth-python.txt", 1_047_027)

# What the order of search hits is learned from.
LEARN_GO = (
    ("asynq", "github.com/hibiken/asynq", "v0.24.1", "h1:+5iIEAyA9K/lcSPvx3qoPtsKJeKI5u9aOIvUmSsazEw="),
    ("bubbletea", "github.com/charmbracelet/bubbletea", "v0.25.0", "h1:bAfwk7jRz7FKFl9RzlIULPkStffg5k6pNt5dywy4TcM="),
    ("chi", "github.com/go-chi/chi/v5", "v5.0.12", "h1:9euLV5sTrTNTRUU9POmDUvfxyj6LAABLUcEWO+JJb4s="),
    ("chroma", "github.com/alecthomas/chroma/v2", "v2.13.0", "h1:VP72+99Fb2zEcYM0MeaWJmV+xQvz5v5cxRHd+ooU1lI="),
    ("cli", "github.com/urfave/cli/v2", "v2.27.1", "h1:8xSQ6szndafKVRmfyeUMxkNUJQMjL1F2zmsZ+qHpfho="),
    ("client_golang", "github.com/prometheus/client_golang", "v1.19.0", "h1:ygXvpU1AoN1MhdzckN+PyD9QJOSD4x7kmXYlnfbA6JU="),
    ("fasthttp", "github.com/valyala/fasthttp", "v1.52.0", "h1:wqBQpxH71XW0e2g+Og4dzQM8pk34aFYlA1Ga8db7gU0="),
    ("fiber", "github.com/gofiber/fiber/v2", "v2.52.4", "h1:P+T+4iK7VaqUsq2PALYEfBBo6bJZ4q3FP8cZ84EggTM="),
    ("go-git", "github.com/go-git/go-git/v5", "v5.12.0", "h1:7Md+ndsjrzZxbddRDZjF14qK+NN56sy6wkqaVrjZtys="),
    ("goldmark", "github.com/yuin/goldmark", "v1.7.1", "h1:3bajkSilaCbjdKVsKdZjZCLBNPL9pYzrCakKaf4U49U="),
    ("gorm", "gorm.io/gorm", "v1.25.9", "h1:wct0gxZIELDk8+ZqF/MVnHLkA1rvYlBWUMv2EdsK1g8="),
    ("kong", "github.com/alecthomas/kong", "v0.9.0", "h1:G5diXxc85KvoV2f0ZRVuMsi45IrBgx9zDNGNj165aPA="),
    ("nats", "github.com/nats-io/nats.go", "v1.34.0", "h1:fnxnPCNiwIG5w08rlMcEKTUw4AV/nKyGCOJE8TdhSPk="),
    ("testify", "github.com/stretchr/testify", "v1.9.0", "h1:HtqpIVDClZ4nwg75+f6Lvsy/wHu+3BoSGCbBAcpTsTg="),
    ("zap", "go.uber.org/zap", "v1.27.0", "h1:aJMhYGrd5QSmlpLMr2MftRKl7t8J8PTZPA732ud/XR8="),
    ("zerolog", "github.com/rs/zerolog", "v1.32.0", "h1:keLypqrlIjaFsbmJOBdB/qvyF8KEtCWHwobLp5l/mQ0="),
)
LEARN_PYTHON = (
    ("aiohttp", "aiohttp==3.9.3", "sdist", "90842933e5d1ff760fae6caca4b2b3edba53ba8f4b71e95dacf2818a2aca06f7", 59_669),
    ("black", "black==24.3.0", "wheel", "41622020d7120e01d377f74249e677039d20e6344ff5851de8a10f11f513bf93", 16_196),
    ("httpx", "httpx==0.27.0", "wheel", "71d5465162c13681bff01ad59b2cc68dd838ea1f10e51574bac27103f00c91a5", 9_033),
    ("luigi", "luigi==3.5.0", "sdist", "d3ede04966655c13bc4f473f6390268c62e83c4c4540d78936c4f12496e4f128", 51_491),
    ("markdown", "Markdown==3.6", "wheel", "48f276f4d8cfb8ce6527c8f79e2ee29708508bf4d40aa410fbc3b4ee832c850f", 7_999),
    ("marshmallow", "marshmallow==3.21.1", "wheel", "f085493f79efb0644f270a9bf2892843142d80d7174bbbd2f3713f2a589dc633", 5_089),
    ("mistune", "mistune==3.0.2", "wheel", "71481854c30fdbc938963d3605b72501f5c10a9320ecd412c121c163a1c7d205", 4_389),
    ("mkdocs", "mkdocs==1.5.3", "wheel", "3b3a78e736b31158d64dbb2f8ba29bd46a379d0c6e324c2246c3bc3d2189cfc1", 18_589),
    ("parso", "parso==0.8.3", "wheel", "c001d4636cd3aecdaf33cbb40aebb59b094be2a74c556778ef5576c175e19e75", 7_500),
    ("prompt_toolkit", "prompt_toolkit==3.0.43", "wheel", "a11a29cb3bf0a28a387fe5122cdb649816a957cd9261dcedf8c9f1fef33eacf6", 40_759),
    ("pytest", "pytest==8.1.1", "wheel", "2a8386cfc11fa9d2c50ee7b2a57e7d898ef90470a7a34c4b949ff59662bb78b7", 32_994),
    ("scrapy", "Scrapy==2.11.1", "wheel", "f1edee0cd214512054c01a8d031a8d213dddb53492b02c9e66256e3efe90d175", 23_249),
    ("sphinx", "sphinx==7.2.6", "wheel", "1e09160a40b956dc623c910118fa636da93bd3ca0b9876a7b3df90f07d691560", 67_819),
    ("sqlalchemy", "SQLAlchemy==2.0.29", "wheel", "dc4ee2d4ee43251905f88637d5281a8d52e916a021384ec10758826f5cbae305", 229_965),
    ("starlette", "starlette==0.37.2", "wheel", "6fe59f29268538e5d0d182f2791a479a0c64638e6935d1c6989e63fb2699c6ee", 6_953),
    ("urwid", "urwid==2.6.10", "wheel", "f5d290ab01a9cf69a062d5d04ff69111903d41fc14ed03f3ed92cb36f5ef4735", 30_580),
)

# For wheels that fit every machine.
ANY_MACHINE = ["--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none", "--python-version", "3.11"]

# A Python environment with what the accuracy of Python calls needs; the sums are in the file.
TOOLS = ("python-tools", "python-tools.txt")

# The same for the tests of more packages.
MORE_TOOLS = ("python-more-tools", "python-more-tools.txt")

# A client for the tools that agents use.
AGENT = ("python-mcp", "python-mcp.txt")

# A client for Neo4j's Query API, and the part of Neo4j's driver that it stands on.
CLIENT = ("query-api-client", "@neo4j-labs/experimental-query-api-wrapper@0.0.1-alpha07 neo4j-driver-core@5.28.3")

RIVAL = ("codegraph", "@optave/codegraph@3.11.2")


def main(arguments):
    if arguments not in (["tests"], ["bench"], ["eval"], ["learn"], ["calls"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    data = data_folder()
    data.mkdir(parents=True, exist_ok=True)
    modules, packages, collections = {
        "tests": ([GO[0]], [RICH, RICH_CLI, CLICK, JINJA, DJANGO], []),
        "bench": ([GO[0], GO[3], TERRAFORM, *GO_PARTS], [RICH, RICH_CLI, CLICK, JINJA, DJANGO, TWISTED, NETWORKX], [PYTHON_PARTS]),
        "eval": ([GO[0]], [DJANGO], [RICH_CLI_ALL]),
        "learn": ([GO[2], *LEARN_GO], [CLICK, DJANGO, *LEARN_PYTHON], []),
        "calls": ([], MORE, []),
    }[arguments[0]]
    try:
        for bring, wanted in ((from_go, modules), (from_python, packages), (from_wheels, collections)):
            for package in wanted:
                fetch(package[0], data, bring, package)
        if arguments in (["eval"], ["learn"]):
            return 0
        fetch(TOOLS[0], data, from_requirements, TOOLS)
        fetch(AGENT[0], data, from_requirements, AGENT)
        if arguments == ["calls"]:
            fetch(MORE_TOOLS[0], data, from_requirements, MORE_TOOLS)
    except Missing as problem:
        print(f"test data: {problem}", file=sys.stderr)
        return 1
    optional = [(CLIENT, "the tests will do without the client")]
    if arguments == ["bench"]:
        optional.append((RIVAL, "the benchmark will do without the rival"))
    for package, otherwise in optional:
        try:
            fetch(package[0], data, from_node, package)
        except Missing as problem:
            print(f"test data: {problem}; {otherwise}")
    return 0


def data_folder():
    if "RIPPLE_TEST_DATA" in os.environ:
        return Path(os.environ["RIPPLE_TEST_DATA"]).absolute()
    target = os.environ.get("CARGO_TARGET_DIR") or Path(__file__).parents[2] / "target"
    return Path(target, "test-data").absolute()


class Missing(Exception):
    """What could not be had, and why, on one line."""


def fetch(name, data, bring, package):
    """Brings a package into a folder beside its place and renames it, so that half a package is never found there."""
    place = data / name
    if place.is_dir():
        print(f"test data: {name} is there")
        return
    with tempfile.TemporaryDirectory(dir=data, prefix=f".{name}-") as scratch:
        what = bring(package, Path(scratch), Path(scratch, "whole"))
        Path(scratch, "whole").rename(place)
    print(f"test data: {name} fetched: {what}", flush=True)


def from_go(package, scratch, whole):
    _, module, version, wanted = package
    # The sum below is the check: no need to ask a checksum database as well.
    environment = dict(os.environ, GONOSUMDB=module, GOFLAGS="-mod=mod")
    answer = json.loads(run(["go", "mod", "download", "-json", f"{module}@{version}"], scratch, environment))
    if answer["Sum"] != wanted:
        raise Missing(f"{module} {version} has the sum {answer['Sum']}, not {wanted}")
    shutil.copytree(answer["Dir"], whole)
    # The module cache is read-only; what tests and people can't delete is a nuisance.
    for folder, _, names in os.walk(whole):
        for path in [folder] + [os.path.join(folder, name) for name in names]:
            os.chmod(path, os.stat(path).st_mode | 0o200)
    return f"{module} {version}"


def from_python(package, scratch, whole):
    _, requirement, kind, wanted, lines = package
    choice = ANY_MACHINE if kind == "wheel" else ["--no-binary", requirement.split("==")[0]]
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", "archive", *choice, requirement]
    run(download, scratch)
    (archive,) = Path(scratch, "archive").iterdir()
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != wanted:
        raise Missing(f"{requirement} has the sha256 {found}, not {wanted}")
    unpack(archive, whole)
    count = count_lines(whole)
    if count != lines:
        raise Missing(f"{requirement} has {count} lines of Python, not {lines}")
    return f"{requirement}, {count:,} lines of Python"


def from_wheels(packages, scratch, whole):
    """Unpacks wheels over one another, as an installation would. `pip` checks the sums."""
    _, name, lines = packages
    requirements = Path(__file__).with_name(name)
    choice = ["--no-deps", *ANY_MACHINE, "--require-hashes", "--requirement", str(requirements)]
    run([sys.executable, "-m", "pip", "download", "--quiet", "--dest", "archives", *choice], scratch)
    archives = sorted(Path(scratch, "archives").iterdir())
    for archive in archives:
        unpack(archive, whole)
    count = count_lines(whole)
    if count != lines:
        raise Missing(f"{name} has {count} lines of Python, not {lines}")
    return f"{len(archives)} packages, {count:,} lines of Python"


def from_requirements(tools, scratch, whole):
    """A virtual environment. It is moved to its place later, so only `bin/python -m …` can be relied on."""
    requirements = Path(__file__).with_name(tools[1])
    run([sys.executable, "-m", "venv", str(whole)], scratch)
    python = Path(whole, "Scripts" if os.name == "nt" else "bin", "python")
    run([str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--requirement", str(requirements)], scratch)
    return f"{tools[1]}, for {Path(sys.executable).name}"


def unpack(archive, whole):
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(whole)
        return
    with tarfile.open(archive) as sdist:
        # The sum was checked; `filter` is not known to every Python that is supported.
        sdist.extractall(whole)
    folders = list(whole.iterdir())
    if len(folders) == 1:
        folders[0].rename(whole.with_name("inner"))
        whole.rmdir()
        whole.with_name("inner").rename(whole)


def count_lines(folder):
    """Newlines in all .py files, as `cat | wc -l` counts them."""
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py") if path.is_file())


def from_node(package, scratch, whole):
    _, requirement = package
    whole.mkdir()
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(whole), *requirement.split()], scratch)
    return requirement


def run(command, folder, environment=None):
    try:
        done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise Missing(f"{command[0]} is not installed") from None
    except subprocess.CalledProcessError as problem:
        words = (problem.stderr.strip() or problem.stdout.strip()).splitlines() or ["no reason given"]
        raise Missing(f"`{' '.join(command[:4])} …` failed: {words[-1]}") from None
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
