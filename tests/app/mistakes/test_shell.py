"""Error messages of the command line for wrong commands."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.app.mistakes.mistake import Told
from tests.app.mistakes.scene import NEEDED, OFFERED, Scene, customers
from tests.conftest import ON_SQLITE
from wassay.cli import main

pytestmark = ON_SQLITE

REFUSED, MISUSED = 1, 2
"""The exit statuses of a refused command, and of a command line that cannot be parsed."""
TITLED = ("--title", "T")
REQUEST = "request.json"


def csv(columns: Mapping[str, Sequence[object]], separator: str = ",") -> str:
    rows = zip(*columns.values(), strict=True)
    lines = [separator.join(columns), *(separator.join(map(str, row)) for row in rows)]
    return "\n".join(lines) + "\n"


TEXTS = {
    "customers.csv": csv(customers()),
    "semicolons.csv": csv(customers(), ";"),
    "headless.csv": "\n".join(csv(customers()).splitlines()[1:]),
    "empty.csv": "",
    "ragged.csv": "x,y\n1,2\n3\n",
    "few.csv": "x,y\n1,2\n3,4\n",
    "missing.csv": "x,y\n1,NA\n3,4\n",
    "thousands.csv": 'x,y\n"1,000",2\n',
    "notes.txt": "hello",
    "book.xlsx": "PK\x03\x04",
}
ARRAYS = {
    "needed.npy": NEEDED,
    "offered.npy": OFFERED,
    "cube.npy": np.zeros((5, 3)),
    "nan.npy": np.array([[1.0, np.nan], [2.0, 3.0]]),
    "line.npy": np.zeros(4),
    "classes.npy": np.array(["a", "b", "c"]),
}


@pytest.fixture(scope="module")
def folder(scene: Scene) -> Path:
    """Files that people name, beside the saved request."""
    for name, content in TEXTS.items():
        (scene.folder / name).write_text(content)
    for name, array in ARRAYS.items():
        np.save(scene.folder / name, array)
    (scene.folder / "latin.csv").write_bytes("x\nMüller\n".encode("latin-1"))
    (scene.folder / "results").mkdir()
    scene.untouched.save(scene.folder / "untouched.json")
    return scene.folder


def ask(file: str, *options: str) -> tuple[str, ...]:
    return ("ask", file, "new.json", *TITLED, *options)


def of(request: str, *arguments: str) -> tuple[str, ...]:
    return ("answer", request, *arguments)


MISTAKES: dict[str, tuple[str, tuple[str, ...], int, Told]] = {
    # The command line itself
    "a misspelt command": (
        "buyer",
        ("aks",),
        MISUSED,
        Told("command", "'aks'", "Did you mean 'ask'?"),
    ),
    "a misspelt option": (
        "buyer",
        ("ask", "needed.npy", "new.json", "--titel", "T"),
        MISUSED,
        Told("option", "--titel", "--title"),
    ),
    "a forgotten title": (
        "buyer",
        ("ask", "needed.npy", "new.json"),
        MISUSED,
        Told("--title", "Missing option", "wassay ask --help"),
    ),
    "a forgotten file": (
        "buyer",
        ("ask", "needed.npy", *TITLED),
        MISUSED,
        Told("request_file", "Missing argument", "{file} {request_file}"),
    ),
    "an option without its value": (
        "buyer",
        ("ask", "needed.npy", "new.json", "--title"),
        MISUSED,
        Told("'--title'", "Option", "requires an argument"),
    ),
    "two files of points": (
        "buyer",
        ("ask", "needed.npy", "new.json", "offered.npy", *TITLED),
        MISUSED,
        Told("argument", "offered.npy", "{file} {request_file}"),
    ),
    "the request before the points": (
        "buyer",
        ("ask", REQUEST, "needed.npy", *TITLED),
        REFUSED,
        Told("your points", "request.json and needed.npy", "swap the two files"),
    ),
    "a decimal comma": (
        "buyer",
        ask("needed.npy", "--t0", "0,4"),
        MISUSED,
        Told("--t0", "received '0,4'", "write decimals with a point"),
    ),
    "a word for a number": (
        "buyer",
        ask("needed.npy", "--t0", "half"),
        MISUSED,
        Told("--t0", "received 'half'", "expected a number"),
    ),
    "a sample in per cent": (
        "buyer",
        ask("customers.csv", "--sample", "10%"),
        MISUSED,
        Told("--sample", "received '10%'", "a whole number"),
    ),
    "a limit that is none": (
        "buyer",
        ask("needed.npy", "--max-disclosure", "all"),
        MISUSED,
        Told("--max-disclosure", "received 'all'", "'up-to-isometry'"),
    ),
    "a mode that is none": (
        "seller",
        of("{untouched}", "offered.npy", "--mode", "points"),
        MISUSED,
        Told("--mode", "received 'points'", "measure, cost-block, scalar"),
    ),
    "a policy that is none": (
        "seller",
        of("{untouched}", "offered.npy", "--scores", "all"),
        MISUSED,
        Told("--scores", "received 'all'", "'ranks'"),
    ),
    "a type that is none": (
        "buyer",
        ("listings", "--type", "float"),
        MISUSED,
        Told("--type", "received 'float'", "'number'"),
    ),
    "a negative cap": (
        "seller",
        ("caps", "--questions", "-1"),
        MISUSED,
        Told("--questions", "received '-1'", "a whole number or any"),
    ),
    "a budget in words": (
        "buyer",
        ("buy", REQUEST, "{evaluation}", "five", "--price", "twins=3"),
        MISUSED,
        Told("budget", "received 'five'", "expected a number"),
    ),
    # The address and the key
    "no address": (
        "nobody",
        ("requests",),
        REFUSED,
        Told("address of the service", "received none", "none: set WASSAY_URL"),
    ),
    "an address without a scheme": (
        "careless",
        ("requests",),
        REFUSED,
        Told("address", "'localhost:8000'", "http:// or https://"),
    ),
    "a service that does not run": (
        "early",
        ("requests",),
        REFUSED,
        Told("http://127.0.0.1:1", "refused", "wassay serve"),
    ),
    "a password as the key": (
        "forgetful",
        ("requests",),
        REFUSED,
        Told("API key", "something else", "begins with wsy_"),
    ),
    "a seller's key to invite with": (
        "seller",
        ("invite", REQUEST, "acc_0"),
        REFUSED,
        Told("scope buyer", "yours has seller", "Use a key that has it"),
    ),
    # Files
    "a file that is not there": (
        "buyer",
        ask("absent.csv"),
        REFUSED,
        Told("absent.csv", "does not exist", "wassay: "),
    ),
    "a folder in place of a file": (
        "buyer",
        ask("results"),
        REFUSED,
        Told("results", "is a folder", "name a file"),
    ),
    "a workbook": (
        "buyer",
        ask("book.xlsx"),
        REFUSED,
        Told("book.xlsx", "the suffix '.xlsx'", ".csv"),
    ),
    "notes in place of a table": (
        "buyer",
        ask("notes.txt"),
        REFUSED,
        Told("notes.txt", "the suffix '.txt'", ".parquet"),
    ),
    "an empty file": (
        "buyer",
        ask("empty.csv"),
        REFUSED,
        Told("empty.csv", "an empty file", "names of columns in the first line"),
    ),
    "semicolons": (
        "buyer",
        ask("semicolons.csv"),
        REFUSED,
        Told("semicolons.csv", "separated by ';'", "separate columns by commas"),
    ),
    "no names of columns": (
        "buyer",
        ask("headless.csv"),
        REFUSED,
        Told("headless.csv", "received '", "add a line with names"),
    ),
    "Latin-1": (
        "buyer",
        ask("latin.csv"),
        REFUSED,
        Told("latin.csv", "the byte 0xfc in line 2", "iconv"),
    ),
    "a row that was cut off": (
        "buyer",
        ask("ragged.csv"),
        REFUSED,
        Told("ragged.csv", "received 1 in '3'", "complete the row"),
    ),
    "too few rows for a recipe": (
        "buyer",
        ask("few.csv"),
        REFUSED,
        Told("rows to fit a recipe on", "received 2", "--no-recipe"),
    ),
    "a value that is missing": (
        "buyer",
        ask("missing.csv", "--no-recipe"),
        REFUSED,
        Told("column 'y'", "none in row 0", "remove the row"),
    ),
    "separators of thousands": (
        "buyer",
        ask("thousands.csv", "--no-recipe"),
        REFUSED,
        Told("column 'x'", "'1,000'", "without separators of thousands"),
    ),
    "text without a recipe": (
        "buyer",
        ask("customers.csv", "--no-recipe"),
        REFUSED,
        Told("column 'plan'", "(string) in row 0", "--class-column"),
    ),
    "NaN": (
        "buyer",
        ask("nan.npy"),
        REFUSED,
        Told("finite points", "nan in row 0, column 1", "leave out the row"),
    ),
    "an array of one dimension": (
        "buyer",
        ask("line.npy"),
        REFUSED,
        Told("line.npy", "shape (4,)", "reshape"),
    ),
    "a column of classes that is not there": (
        "buyer",
        ask("customers.csv", "--class-column", "clas"),
        REFUSED,
        Told("column 'clas'", "'age', 'income', 'plan'", "name one of these"),
    ),
    "too few classes": (
        "buyer",
        ask("needed.npy", "--classes", "classes.npy"),
        REFUSED,
        Told("labels", "received 3", "one for each point"),
    ),
    "a table in place of a recipe": (
        "buyer",
        ask("customers.csv", "--recipe", "customers.csv"),
        REFUSED,
        Told("customers.csv", "expected a recipe in JSON", "Recipe.save"),
    ),
    "a recipe and none": (
        "buyer",
        ask("customers.csv", "--recipe", "a.json", "--no-recipe"),
        REFUSED,
        Told("--recipe or --no-recipe", "received both", "leave one out"),
    ),
    "a request that was saved already": (
        "buyer",
        ("ask", "needed.npy", REQUEST, *TITLED),
        REFUSED,
        Told(REQUEST, "exists already", "name a new file"),
    ),
    "a sweep of one": (
        "buyer",
        ask("needed.npy", "--sweep", "0.2"),
        REFUSED,
        Told("a sweep", "received (0.2,)", "3 to 32 distinct values"),
    ),
    "an organisation that lists nothing": (
        "buyer",
        ask("needed.npy", "--seller", "Nobody"),
        REFUSED,
        Told("organisation", "received 'Nobody'", "ask them for their account's id"),
    ),
    # Answering
    "the points before the request": (
        "seller",
        of("offered.npy", "{untouched}"),
        REFUSED,
        Told("request", "offered.npy", "begins with req_"),
    ),
    "the buyer's file in place of the request's id": (
        "seller",
        of(REQUEST, "offered.npy"),
        REFUSED,
        Told("request", REQUEST, "begins with req_"),
    ),
    "an evaluation in place of a request": (
        "seller",
        of("{evaluation}", "offered.npy"),
        REFUSED,
        Told("request", "id of an evaluation", "begins with req_"),
    ),
    "points of another dimension": (
        "seller",
        of("{untouched}", "cube.npy"),
        REFUSED,
        Told("request req_", "points of 3", "that the buyer describes"),
    ),
    "an array for a request with a recipe": (
        "seller",
        of("{tabled}", "cube.npy"),
        REFUSED,
        Told("column 'age'", "'x0', 'x1', 'x2'", "--rename x0=age"),
    ),
    "a rename without an equals sign": (
        "seller",
        of("{tabled}", "customers.csv", "--rename", "age"),
        MISUSED,
        Told("--rename", "received 'age'", "NAME=VALUE"),
    ),
    "a factor that is no number": (
        "seller",
        of("{tabled}", "customers.csv", "--factor", "income=k"),
        MISUSED,
        Told("--factor", "received 'income=k'", "expected THEIRS=NUMBER"),
    ),
    "a withdrawal of the request": (
        "seller",
        ("withdraw", "{untouched}"),
        REFUSED,
        Told("contribution", "id of a request", "begins with con_"),
    ),
    # Reading
    "the id in place of the saved request": (
        "buyer",
        ("evaluate", "{asked}"),
        MISUSED,
        Told(
            "the file that `wassay ask` wrote",
            "the id of a request, req_",
            "that file holds your t0",
        ),
    ),
    "a saved request that is not there": (
        "buyer",
        ("evaluate", "requst.json"),
        REFUSED,
        Told("requst.json", "does not exist", "the file that Request.save or wassay ask wrote"),
    ),
    "a result of nothing": (
        "buyer",
        ("result",),
        MISUSED,
        Told(
            "the file that `wassay ask` wrote", "received nothing", "result REQUEST_FILE EVALUATION"
        ),
    ),
    "a result without its file": (
        "buyer",
        ("result", "{evaluation}"),
        MISUSED,
        Told(
            "the file that `wassay ask` wrote",
            "id of an evaluation, evl_",
            "that file holds your t0",
        ),
    ),
    "a receipt's evaluation in place of its file": (
        "buyer",
        ("verify", "{evaluation}"),
        MISUSED,
        Told("file of a receipt", "id of an evaluation, evl_", "wassay receipt EVALUATION"),
    ),
    "a result of another request": (
        "buyer",
        ("result", "untouched.json", "{evaluation}"),
        REFUSED,
        Told("an evaluation of request req_", "received evl_", "load the file"),
    ),
    "a result without its evaluation": (
        "buyer",
        ("result", REQUEST),
        MISUSED,
        Told("the evaluation's id", f"received {REQUEST}", f"result {REQUEST} EVALUATION"),
    ),
    "a result of a file in place of an evaluation": (
        "buyer",
        ("result", REQUEST, "customers.csv"),
        MISUSED,
        Told("evl_", "received a file, customers.csv", "`wassay evaluate` printed"),
    ),
    "a report to no file": (
        "buyer",
        ("report", REQUEST, "{evaluation}"),
        MISUSED,
        Told("the HTML file to create", f"received {REQUEST}, evl_", " FILE"),
    ),
    "a table in place of the saved request": (
        "buyer",
        ("evaluate", "customers.csv"),
        REFUSED,
        Told("customers.csv", "received another", "wassay ask wrote"),
    ),
    "a weight for nobody": (
        "buyer",
        ("evaluate", REQUEST, "--weight", "trio=1"),
        REFUSED,
        Told("seller", "'trio'", "use one of 'twins'"),
    ),
    "a result that is read too early": (
        "buyer",
        ("result", REQUEST, "{waiting}"),
        REFUSED,
        Told("Evaluation evl_", "is waiting", "wait until it has succeeded"),
    ),
    "a contribution in place of an evaluation": (
        "buyer",
        ("result", REQUEST, "{contribution}"),
        REFUSED,
        Told("evaluation", "id of a contribution", "begins with evl_"),
    ),
    "a price without its seller": (
        "buyer",
        ("buy", REQUEST, "{evaluation}", "5", "--price", "3"),
        REFUSED,
        Told("price", "received '3'", "SELLER=PRICE"),
    ),
    "a misspelt method": (
        "buyer",
        ("value", REQUEST, "{evaluation}", "shapely"),
        REFUSED,
        Told("methods", "received 'shapely'", "shapley"),
    ),
    "a misspelt option of a method": (
        "buyer",
        ("value", REQUEST, "{evaluation}", "noisy", "--option", "topp=3"),
        REFUSED,
        Told("noisy", "received topp", "the options top"),
    ),
    "two questions at once": (
        "buyer",
        ("points", REQUEST, "{evaluation}", "--noisy", "2", "--valuable", "3"),
        REFUSED,
        Told("--mislabelled", "received --noisy and --valuable", "once for each"),
    ),
    "a fingerprint that was cut off": (
        "buyer",
        ("trust", "{seller}", "abc"),
        REFUSED,
        Told("fingerprint", "received 'abc'", "32 hexadecimal digits"),
    ),
    "a table in place of a ledger": (
        "buyer",
        ("ledger", "customers.csv"),
        REFUSED,
        Told("customers.csv", "received b'age", "wassay ledger --json"),
    ),
    "a table in place of a receipt": (
        "buyer",
        ("verify", "customers.csv"),
        REFUSED,
        Told("customers.csv", "received another file", "receipt in JSON"),
    ),
    "a unit without its column": (
        "seller",
        ("publish", "customers.csv", *TITLED, "--unit", "income"),
        REFUSED,
        Told("COLUMN=UNIT", "received 'income'", "such as income=EUR"),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_who_types_wrongly_is_told_what_came_and_what_to_do(
    mistake: str,
    scene: Scene,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    who, arguments, status, told = MISTAKES[mistake]
    variables = {
        "nobody": {},
        "careless": {"WASSAY_URL": "localhost:8000", "WASSAY_API_KEY": "wsy_1"},
        "early": {"WASSAY_URL": "http://127.0.0.1:1", "WASSAY_API_KEY": "wsy_1"},
        "forgetful": {"WASSAY_URL": scene.url, "WASSAY_API_KEY": "hunter2"},
        **{
            name: {"WASSAY_URL": scene.url, "WASSAY_API_KEY": party.key}
            for name, party in scene.parties.items()
        },
    }
    for name in ("WASSAY_URL", "WASSAY_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables[who].items():
        monkeypatch.setenv(name, value)
    ids = {
        "asked": scene.asked.id,
        "tabled": scene.tabled.id,
        "untouched": scene.untouched.id,
        "evaluation": scene.evaluation.id,
        "waiting": scene.waiting.id,
        "contribution": scene.contribution_id,
        "seller": scene.parties["seller"].account_id,
    }
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["wassay", *(each.format(**ids) for each in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    told.require_in(capsys.readouterr().err)
    assert ended.value.code == status
    assert not (folder / "new.json").exists()
