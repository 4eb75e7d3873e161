"""Error messages of the SDK for wrong calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.mistakes.mistake import Told
from tests.app.mistakes.scene import FREELY, NEEDED, OFFERED, Scene, customers
from tests.conftest import ON_SQLITE
from wassay import (
    AsyncClient,
    Buyer,
    BuyerPrivacy,
    Client,
    Measure,
    Protocol,
    Recipe,
    RecipeError,
    Sample,
    SealingError,
    Seller,
    SellerPrivacy,
    TransportError,
    WassayError,
)
from wassay.client import (
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    DifferencesError,
    FileTakenError,
    ForbiddenError,
    InvalidArgumentError,
    MissingFileError,
    NotAwaitedError,
    NotFoundError,
    UnprocessableError,
    WaitTimeoutError,
    WithoutKeyWarning,
)
from wassay.recipes.errors import UnreadableError
from wassay.transport import wasserstein

pytestmark = ON_SQLITE

Make = Callable[[Scene], object]
KEY = "wsy_abcdefgh_not-a-real-secret"
NOWHERE = "http://127.0.0.1:1"


def table(**columns: Any) -> dict[str, Any]:
    return {**customers(), **columns}


def answered(points: Any, **terms: Any) -> Make:
    """Return a contribution to the request with a recipe."""
    return lambda scene: scene.answer(scene.tabled.id, points, **terms)


def written(scene: Scene, name: str, content: str) -> Path:
    path = scene.folder / name
    path.write_text(content)
    return path


async def unawaited(scene: Scene, use: Callable[[Any], object]) -> object:
    async with AsyncClient(scene.url, scene.parties["buyer"].key) as client:
        pending = Buyer(client).ask(NEEDED, title="T")
        try:
            return use(pending)
        finally:
            pending.close()


def me(address: str, key: str) -> object:
    with Client(address, key) as client:
        return client.accounts.me()


def closed(scene: Scene) -> object:
    client = Client(scene.url, scene.parties["buyer"].key)
    client.close()
    return client.accounts.me()


MISTAKES: dict[str, tuple[Make, type[WassayError], Told]] = {
    # The address and the key
    "no address": (
        lambda _: Client(api_key=KEY),
        InvalidArgumentError,
        Told("address of the service", "received none", "set WASSAY_URL"),
    ),
    "no key": (
        lambda _: Client(NOWHERE),
        InvalidArgumentError,
        Told("API key", "received none", "set WASSAY_API_KEY"),
    ),
    "an empty key, such as that of a variable that is not set": (
        lambda _: Client(NOWHERE, ""),
        InvalidArgumentError,
        Told("API key", "received none", "set WASSAY_API_KEY"),
    ),
    "an address without a scheme": (
        lambda _: Client("localhost:8000", KEY),
        InvalidArgumentError,
        Told("address", "'localhost:8000'", "http:// or https://"),
    ),
    "an address with a route": (
        lambda _: Client("http://localhost:8000/v1", KEY),
        InvalidArgumentError,
        Told("address", "localhost:8000/v1'", "leave out what follows the host"),
    ),
    "a key in place of the address": (
        lambda _: Client(KEY),
        InvalidArgumentError,
        Told("address", "received an API key", "pass the key as api_key="),
    ),
    "the placeholder of a key": (
        lambda _: Client(NOWHERE, "wsy_…"),
        InvalidArgumentError,
        Told("API key", "received the placeholder wsy_…", "wassay accounts create"),
    ),
    "a key with a line break": (
        lambda _: Client(NOWHERE, f"{KEY}\n"),
        InvalidArgumentError,
        Told("API key", "received other characters", "line break"),
    ),
    "an address in place of the key": (
        lambda scene: me(scene.url, scene.url),
        AuthenticationError,
        Told("API key", "received something else", "begins with wsy_"),
    ),
    "a key that was cut off": (
        lambda scene: me(scene.url, scene.parties["buyer"].key[:-3]),
        AuthenticationError,
        Told("API key", "cut off", "Copy it again"),
    ),
    "a service that does not run": (
        lambda _: me(NOWHERE, KEY),
        ConnectionFailedError,
        Told(NOWHERE, "refused", "start it with wassay serve"),
    ),
    "a timeout in quotation marks": (
        lambda _: Client(NOWHERE, KEY, timeout="60"),  # type: ignore[arg-type]
        InvalidArgumentError,
        Told("timeout", "received '60'", "leave out the quotation marks"),
    ),
    "an address in place of a client": (
        lambda scene: Buyer(scene.url),  # type: ignore[arg-type]
        InvalidArgumentError,
        Told("wassay.Client", "received 'http://", "Client(address, key)"),
    ),
    "a client that was closed": (
        closed,
        InvalidArgumentError,
        Told("client", "received one that was closed", "within its with block"),
    ),
    "a path in place of a profile": (
        lambda scene: Buyer(scene.buyer, "profile.json"),  # type: ignore[arg-type]
        InvalidArgumentError,
        Told("profile", "received 'profile.json'", "wassay.Profile"),
    ),
    "a seller's key to ask with": (
        lambda scene: Buyer(scene.seller).ask(NEEDED, title="T"),
        ForbiddenError,
        Told("scope buyer", "yours has seller", "Use a key that has it"),
    ),
    "a buyer's key to answer with": (
        lambda scene: Seller(scene.buyer).answer(scene.untouched.id, OFFERED, privacy=FREELY),
        ForbiddenError,
        Told("scope seller", "yours has buyer", "Use a key that has it"),
    ),
    # Points
    "points of text": (
        lambda scene: scene.ask([["1", "2"], ["3", "4"]]),
        TransportError,
        Told("points", "text, such as '1'", "astype(float)"),
    ),
    "points of one dimension": (
        lambda scene: scene.ask([1.0, 2.0, 3.0]),
        TransportError,
        Told("shape (n, d)", "shape (3,)", "reshape(-1, 1)"),
    ),
    "four images": (
        lambda scene: scene.ask(np.zeros((4, 8, 8))),
        RecipeError,
        Told("at least 20 rows", "received 4", "give more rows"),
    ),
    "films": (
        lambda scene: scene.ask(np.zeros((30, 4, 3, 8, 8))),
        TransportError,
        Told("shape (n, d)", "shape (30, 4, 3, 8, 8)", "flatten each point"),
    ),
    "no points": (
        lambda scene: scene.ask([]),
        TransportError,
        Told("points", "shape (0,)", "give at least one point"),
    ),
    "NaN among the points": (
        lambda scene: scene.ask([[1.0, 2.0], [float("nan"), 1.0]]),
        TransportError,
        Told("finite points", "nan in row 1, column 0", "leave out the row"),
    ),
    "rows of different lengths": (
        lambda scene: scene.ask([[1.0, 2.0], [3.0]]),
        TransportError,
        Told("coordinates in every row", "lengths 1, 2", "leave out the row"),
    ),
    "a masked array": (
        lambda scene: scene.ask(np.ma.masked_greater(NEEDED, 0.5)),
        TransportError,
        Told("points", "a masked entry", "leave such rows out"),
    ),
    "a list of dictionaries": (
        lambda scene: scene.ask([{"age": 1.0}, {"age": 2.0}]),
        TransportError,
        Told("points", "{'age': 1.0}", "a table with named columns"),
    ),
    "a path in place of points": (
        lambda scene: scene.ask("needed.csv"),
        RecipeError,
        Told("rows", "received 'needed.csv'", "read a file first"),
    ),
    "a pathlib path in place of points": (
        lambda scene: scene.ask(Path("needed.csv")),
        RecipeError,
        Told("rows", "PosixPath('needed.csv')", "read a file first"),
    ),
    "nothing in place of points": (
        lambda scene: scene.ask(None),
        RecipeError,
        Told("rows", "received None", "a DataFrame"),
    ),
    "columns of one value": (
        lambda scene: scene.ask({"age": 3, "income": 5}),
        RecipeError,
        Told("rows", "received 3", "a mapping of columns"),
    ),
    "columns of different lengths": (
        lambda scene: scene.ask(table(age=[1.0])),
        RecipeError,
        Told("columns of one length", "[1, 40]", "None where it is missing"),
    ),
    "too few rows for a recipe": (
        lambda scene: scene.ask({"age": [1.0, 2.0]}),
        RecipeError,
        Told("rows to fit a recipe on", "received 2", "give more rows"),
    ),
    "negative weights": (
        lambda _: Measure(NEEDED, weights=-np.ones(14)),
        TransportError,
        Told("weights", "-1.0 at index 0", "correct it"),
    ),
    "too few weights": (
        lambda _: Measure(NEEDED, weights=np.ones(3)),
        TransportError,
        Told("weight per point", "shape (3,)", "as many weights as points"),
    ),
    "weights that are not shares": (
        lambda _: Measure(NEEDED, weights=np.ones(14)),
        TransportError,
        Told("weights that sum to 1", "received 14.0", "divide them"),
    ),
    "arrays in place of measures": (
        lambda _: wasserstein(NEEDED, OFFERED),  # type: ignore[arg-type]
        TransportError,
        Told("wassay.Measure", "received ndarray", "Measure(points)"),
    ),
    # Asking
    "one seller without brackets": (
        lambda scene: scene.ask(sellers="acc_1"),
        InvalidArgumentError,
        Told("sellers", "received 'acc_1'", "put it in brackets"),
    ),
    "an account in place of its id": (
        lambda scene: scene.ask(sellers=[scene.seller.accounts.me()]),
        InvalidArgumentError,
        Told("seller's account (acc_…)", "received Account(", "one seller's id"),
    ),
    "a seller's key in place of their id": (
        lambda scene: scene.ask(sellers=[KEY]),
        InvalidArgumentError,
        Told("seller's account (acc_…)", "received 'wsy_…'", "one seller's id"),
    ),
    "a contribution in place of a seller": (
        lambda scene: scene.ask(sellers=[scene.contribution_id]),
        InvalidArgumentError,
        Told("account's id (acc_…)", "received 'con_", "ask them for their account's id"),
    ),
    "a seller who is not there": (
        lambda scene: scene.ask(sellers=["acc_0"]),
        NotFoundError,
        Told("account", "acc_0", "Check the id"),
    ),
    "an organisation that lists nothing": (
        lambda scene: scene.ask(sellers=["Nobody Ltd"]),
        InvalidArgumentError,
        Told("organisation", "received 'Nobody Ltd'", "ask them for their account's id"),
    ),
    "privacy in a word": (
        lambda scene: scene.ask(privacy="sealed"),
        InvalidArgumentError,
        Told("privacy", "received 'sealed'", "wassay.BuyerPrivacy(...)"),
    ),
    "t0 in place of a protocol": (
        lambda scene: scene.ask(protocol=0.4),
        InvalidArgumentError,
        Told("protocol", "received 0.4", "wassay.Protocol(...)"),
    ),
    "t0 beyond one": (
        lambda _: Protocol(t0=1.5),
        InvalidArgumentError,
        Told("t0", "received 1.5", "between 0"),
    ),
    "a sweep in per cent": (
        lambda _: Protocol(sweep=(25, 50, 75)),
        InvalidArgumentError,
        Told("s of the sweep", "received 25", "between 0 and 1"),
    ),
    "an unknown mode": (
        lambda _: Protocol(modes=["measures"]),
        InvalidArgumentError,
        Told("modes", "'measures'", "measure, cost-block, scalar"),
    ),
    "a limit that is none": (
        lambda _: BuyerPrivacy(max_disclosure="all"),
        InvalidArgumentError,
        Told("max_disclosure", "received 'all'", "up-to-isometry"),
    ),
    "epsilon without a radius": (
        lambda _: BuyerPrivacy(epsilon=1.0),
        InvalidArgumentError,
        Told("epsilon and radius", "radius=None", "give both or neither"),
    ),
    "a policy that is none": (
        lambda _: SellerPrivacy(scores="all"),  # type: ignore[arg-type]
        InvalidArgumentError,
        Told("scores", "received 'all'", "none, ranks, scores"),
    ),
    "cost blocks without showing the measure": (
        lambda scene: scene.ask(protocol=Protocol(modes=["cost-block"])),
        InvalidArgumentError,
        Told("mode cost-block", "your pushed points", "reveals_measure=True"),
    ),
    "too few labels": (
        lambda scene: scene.ask(labels=["a"] * 3),
        TransportError,
        Told("labels", "received 3", "one for each point"),
    ),
    "a label that is missing": (
        lambda scene: scene.ask(labels=["a"] * 13 + [None]),
        TransportError,
        Told("label", "None at index 13", "label the point"),
    ),
    "the name of a column in place of labels": (
        lambda scene: scene.ask(customers(), labels="plan"),
        TransportError,
        Told("one label for each point", "received 'plan'", "the values of a column"),
    ),
    "a sample in per cent": (
        lambda scene: scene.ask(customers(), sample="10%"),
        InvalidArgumentError,
        Told("rows of a sample", "received '10%'", "whole number"),
    ),
    "a sample by a column that is not there": (
        lambda scene: scene.ask(customers(), sample=Sample(5, by="clas")),
        RecipeError,
        Told("column 'clas'", "'age', 'income', 'plan'", "name one of its columns"),
    ),
    "a recipe in a word": (
        lambda scene: scene.ask(customers(), recipe="auto"),
        InvalidArgumentError,
        Told("recipe", "received 'auto'", "wassay.Recipe"),
    ),
    "a recipe for other columns": (
        lambda scene: scene.ask({"height": [1.0]}, recipe=Recipe.fit(customers())),
        RecipeError,
        Told("'age', 'income', 'plan'", "received none named 'age'", "rename="),
    ),
    "a role for a misspelt column": (
        lambda _: Recipe.fit(customers(), roles={"agee": "ignored"}),
        RecipeError,
        Told("name of a column", "received 'agee'", "did you mean 'age'?"),
    ),
    "a role that is none": (
        lambda _: Recipe.fit(customers(), roles={"age": "drop"}),  # type: ignore[dict-item]
        RecipeError,
        Told("role", "received 'drop' for 'age'", "ignored"),
    ),
    "roles as a list": (
        lambda _: Recipe.fit(customers(), roles=["age"]),  # type: ignore[arg-type]
        RecipeError,
        Told("option for each column", "received ['age']", "name the columns"),
    ),
    "weights of text": (
        lambda _: Recipe.fit(customers(), roles={"plan": "weight"}),
        RecipeError,
        Told("role weight", "'plan', a column of text", "convert it"),
    ),
    "a kind that is none": (
        lambda _: Recipe.fit(customers(), kinds={"age": "float"}),
        RecipeError,
        Told("kind of field", "received 'float'", "number, integer"),
    ),
    "a number that is text": (
        lambda _: Recipe.fit(customers(), kinds={"plan": "number"}),
        UnreadableError,
        Told("column 'plan'", "received text", "convert the column"),
    ),
    "a time without a zone": (
        lambda scene: scene.ask(expires_at=datetime(2030, 1, 1)),  # noqa: DTZ001 - the mistake
        UnprocessableError,
        Told("expires_at", "2030-01-01", "with its zone"),
    ),
    "a time that has passed": (
        lambda scene: scene.ask(expires_at=datetime(2020, 1, 1, tzinfo=UTC)),
        UnprocessableError,
        Told("expires_at", "2020-01-01", "in the future"),
    ),
    "an empty title": (
        lambda scene: scene.ask(title=""),
        InvalidArgumentError,
        Told("title", "received ''", "1 to 200 characters"),
    ),
    "a title of two lines": (
        lambda scene: scene.ask(title="Customers\nof last year"),
        InvalidArgumentError,
        Told("title", "U+000A", "a line of"),
    ),
    # The request
    "a saved request that is not there": (
        lambda scene: Buyer(scene.buyer).load(scene.folder / "absent.json"),
        MissingFileError,
        Told("absent.json", "does not exist", "Request.save"),
    ),
    "points in place of a saved request": (
        lambda scene: Buyer(scene.buyer).load(written(scene, "points.csv", "a,b\n1,2\n")),
        InvalidArgumentError,
        Told("points.csv", "received another", "Request.save"),
    ),
    "a file that exists": (
        lambda scene: scene.asked.save(scene.folder / "request.json"),
        FileTakenError,
        Told("request.json", "exists already", "name a new file"),
    ),
    "a folder that is not there": (
        lambda scene: scene.asked.save(scene.folder / "absent" / "request.json"),
        MissingFileError,
        Told("request.json", "its folder does not exist", "create the folder first"),
    ),
    "several sellers invited at once": (
        lambda scene: scene.untouched.invite(["acc_1"]),
        InvalidArgumentError,
        Told("seller's account", "received ['acc_1']", "one seller's id"),
    ),
    "an invitation after the end": (
        lambda scene: scene.ended.invite(scene.parties["newcomer"].account_id),
        ConflictError,
        Told("request req_", "it is cancelled", "to be a draft or open"),
    ),
    "sellers in place of their number": (
        lambda scene: scene.untouched.wait_for(["acc_1"]),
        InvalidArgumentError,
        Told("sellers", "received ['acc_1']", "whole number"),
    ),
    "too short a wait": (
        lambda scene: scene.untouched.wait_for(1, timeout=0.01),
        WaitTimeoutError,
        Told("submitted contributions", "received 0", "no seller has begun"),
    ),
    "an evaluation before anybody has answered": (
        lambda scene: scene.untouched.evaluate(),
        ConflictError,
        Told("request req_", "has none yet", "Wait until a seller"),
    ),
    "an evaluation of a label": (
        lambda scene: scene.asked.evaluate(contribution_ids=["twins"]),
        NotFoundError,
        Told("contribution", "twins", "begins with con_"),
    ),
    "an evaluation of one id without brackets": (
        lambda scene: scene.asked.evaluate(contribution_ids=scene.contribution_id),
        InvalidArgumentError,
        Told("contribution_ids", "received 'con_", "put it in brackets"),
    ),
    "a contribution's id for an evaluation's": (
        lambda scene: scene.asked.evaluation(scene.contribution_id),
        NotFoundError,
        Told("evaluation", "id of a contribution", "begins with evl_"),
    ),
    "an evaluation of another request": (
        lambda scene: scene.untouched.evaluation(scene.evaluation.id),
        InvalidArgumentError,
        Told("expected an evaluation of request req_", "received evl_", "load the file"),
    ),
    # The evaluation
    "a result that is read too early": (
        lambda scene: scene.waiting.result(),
        ConflictError,
        Told("Evaluation evl_", "is waiting", "wait until it has succeeded"),
    ),
    "an evaluation without a worker": (
        lambda scene: scene.waiting.wait(timeout=0.01),
        WaitTimeoutError,
        Told("evaluation evl_", "not finished after 0.01 s", "No worker is running"),
    ),
    "points in quotation marks": (
        lambda scene: scene.evaluation.noisy(top="20"),
        InvalidArgumentError,
        Told("top", "received '20'", "leave out the quotation marks"),
    ),
    "a share in place of a number": (
        lambda scene: scene.evaluation.noisy(top=0.1),
        InvalidArgumentError,
        Told("top", "received 0.1", "whole number"),
    ),
    "scores by a label": (
        lambda scene: scene.evaluation.scores_at_t0("twins"),
        NotFoundError,
        Told("Evaluation evl_", "twins", "the evaluation's contribution_ids"),
    ),
    "scores of labels where there are none": (
        lambda scene: scene.evaluation.mislabelled(top=3),
        ConflictError,
        Told("Evaluation evl_", "not labelled", "Ask with labels"),
    ),
    "prices by a wrong label": (
        lambda scene: scene.evaluation.buy({"twin": 3}, 5),
        InvalidArgumentError,
        Told("(twins)", "received twin:", "by their ids or labels"),
    ),
    "no prices": (
        lambda scene: scene.evaluation.buy({}, 5),
        InvalidArgumentError,
        Told("prices of con_", "received none", "by their ids"),
    ),
    "a price with its currency": (
        lambda scene: scene.evaluation.buy({scene.contribution_id: "3 €"}, 5),
        InvalidArgumentError,
        Told("the price of con_", "received '3 €'", "a number of at least 0"),
    ),
    "a misspelt method": (
        lambda scene: scene.evaluation.value("shapely"),
        InvalidArgumentError,
        Told("methods", "received 'shapely'", "shapley"),
    ),
    "the noised result of a request without noise": (
        lambda scene: scene.evaluation.noised_result(),
        ConflictError,
        Told("Request req_", "no epsilon", "Read /v1/"),
    ),
    "a figure of an unknown format": (
        lambda scene: scene.evaluation.result().plot(scene.folder / "a.xyz"),
        InvalidArgumentError,
        Told("suffix", "a.xyz", "png"),
    ),
    # Answering
    "points of another dimension": (
        lambda scene: scene.answer(scene.untouched.id, np.zeros((5, 3))),
        InvalidArgumentError,
        Told("request req_", "received points of 3", "that the buyer describes"),
    ),
    "a table for a request without a recipe": (
        lambda scene: scene.answer(scene.untouched.id, customers()),
        InvalidArgumentError,
        Told("no recipe", "received a table", "columns of numbers"),
    ),
    "an evaluation in place of a request": (
        lambda scene: scene.answer(scene.evaluation.id),
        NotFoundError,
        Told("request", "id of an evaluation", "begins with req_"),
    ),
    "a title in place of a request": (
        lambda scene: scene.answer("Two features"),
        InvalidArgumentError,
        Told("an id", "received 'Two features'", "that the service gave"),
    ),
    "a request in place of its id": (
        lambda scene: scene.answer(scene.untouched),  # type: ignore[arg-type]
        InvalidArgumentError,
        Told("an id", "received Request(", "pass its id"),
    ),
    "points and id in the wrong order": (
        lambda scene: Seller(scene.seller).answer(OFFERED, scene.untouched.id),  # type: ignore[arg-type]
        InvalidArgumentError,
        Told("an id", "received array(", "such as req_"),
    ),
    "a second answer": (
        lambda scene: scene.answer(scene.asked.id),
        ConflictError,
        Told("request req_", "you already have con_", "ask the buyer for another request"),
    ),
    "an answer without an invitation": (
        lambda scene: Seller(scene.newcomer).answer(scene.untouched.id, OFFERED, privacy=FREELY),
        NotFoundError,
        Told("request req_", "There is no", "that invite the seller"),
    ),
    "an answer after the end": (
        lambda scene: scene.answer(scene.expired.id),
        NotFoundError,
        Told("request req_", "There is no", "A seller sees the open requests"),
    ),
    "a mode that is not taken": (
        lambda scene: scene.answer(scene.untouched.id, mode="cost-block"),
        InvalidArgumentError,
        Told("request req_", "received 'cost-block'", "mode='measure'"),
    ),
    "labels that nobody asked for": (
        lambda scene: scene.answer(scene.untouched.id, labels=["a"] * 16),
        InvalidArgumentError,
        Told("request req_", "without labels", "leave labels out"),
    ),
    "an account in place of a listing": (
        lambda scene: scene.answer(
            scene.untouched.id, listing_id=scene.parties["seller"].account_id
        ),
        NotFoundError,
        Told("listing", "id of an account", "begins with lst_"),
    ),
    "another buyer than expected": (
        lambda scene: scene.answer(scene.untouched.id, buyer="acc_0"),
        SealingError,
        Told("the request is from acc_", "not from acc_0", "Send nothing"),
    ),
    "a buyer's privacy for a seller": (
        lambda scene: scene.answer(scene.untouched.id, privacy=BuyerPrivacy()),
        InvalidArgumentError,
        Told("privacy", "received BuyerPrivacy(", "wassay.SellerPrivacy(...)"),
    ),
    "a column that is missing": (
        answered({name: values for name, values in customers().items() if name != "age"}),
        DifferencesError,
        Told("missing:age", "received none", "add it"),
    ),
    "columns in capitals": (
        answered({name.upper(): values for name, values in customers().items()}),
        DifferencesError,
        Told("column 'age'", "received 'AGE'", "rename={'AGE': 'age'}"),
    ),
    "a decimal comma": (
        answered(table(income=["40.000,00"] * 40)),
        DifferencesError,
        Told("column 'income'", "'40.000,00'", "convert the column"),
    ),
    "thousands": (
        answered(table(income=[each / 1000 for each in customers()["income"]])),
        DifferencesError,
        Told("column 'income'", "multiplied by 1000", "factors={'income': 1000}"),
    ),
    "a category that the buyer does not have": (
        answered(table(plan=["premium"] * 40)),
        DifferencesError,
        Told("column 'plan'", "'premium'", "rename those that mean the same"),
    ),
    "a category in capitals": (
        answered(table(plan=[each.upper() for each in customers()["plan"]])),
        DifferencesError,
        Told("column 'plan'", "such as 'BASIC'", "write 'basic'"),
    ),
    "labels in capitals": (
        answered(table(churned=[each.upper() for each in customers()["churned"]])),
        DifferencesError,
        Told("the buyer's classes in column 'churned', 'no', 'yes'", "'NO'", "write 'no'"),
    ),
    "a row without a label": (
        answered(table(churned=[None, *customers()["churned"][1:]])),
        DifferencesError,
        Told("label in every row of column 'churned'", "row 0", "label these rows"),
    ),
    "−999 among incomes": (
        answered(table(income=[-999.0] * 4 + customers()["income"][4:])),
        DifferencesError,
        Told("column 'income' are -999", "rows 0, 1, 2, 3", "remove these rows"),
    ),
    "a word in a column of numbers": (
        answered(table(age=[*map(str, customers()["age"][:-1]), "unknown"])),
        DifferencesError,
        Told("expected numbers in column 'age'", "'unknown'", "(row 39"),
    ),
    "a column without values": (
        answered(table(age=[None] * 40)),
        DifferencesError,
        Told("column 'age'", "none in 100.0%", "remove these rows"),
    ),
    "an array for a request with a recipe": (
        answered(np.zeros((5, 3))),
        DifferencesError,
        Told("column 'age'", "'x0', 'x1', 'x2'", "rename="),
    ),
    "a renamed column that is not there": (
        answered(customers(), rename={"agee": "age"}),
        RecipeError,
        Told("name of a column", "received 'agee'", "did you mean 'age'?"),
    ),
    "one name in place of a mapping": (
        answered(customers(), rename="age"),
        InvalidArgumentError,
        Told("rename", "received 'age'", "name the columns"),
    ),
    "a factor in quotation marks": (
        answered(customers(), factors={"income": "1000"}),
        RecipeError,
        Told("factor", "received '1000' for 'income'", "1000 for thousands"),
    ),
    "one difference without brackets": (
        answered(customers(), accept_differences="unit:income"),
        InvalidArgumentError,
        Told("accept_differences", "received 'unit:income'", "put it in brackets"),
    ),
    "a check without a recipe": (
        lambda scene: Seller(scene.seller).check(scene.untouched.id, customers()),
        InvalidArgumentError,
        Told("request req_", "no recipe", "takes points of 2 coordinates"),
    ),
    # Listings
    "a dimension in quotation marks": (
        lambda scene: scene.seller.listings.create(title="T", dimension="2", points=3),  # type: ignore[arg-type]
        InvalidArgumentError,
        Told("dimension", "received '2'", "leave out the quotation marks"),
    ),
    "a listing's id in place of the listing": (
        lambda scene: scene.seller.listings.edit(scene.listing_id, title="T"),  # type: ignore[arg-type]
        InvalidArgumentError,
        Told("listing", "received 'lst_", "get it first"),
    ),
    "a misspelt field of a listing": (
        lambda scene: scene.seller.listings.edit(
            scene.seller.listings.get(scene.listing_id), titel="T"
        ),
        UnprocessableError,
        Told("titel", "received 'T'", "did you mean title?"),
    ),
    # Coroutines
    "a forgotten await": (
        lambda scene: asyncio.run(unawaited(scene, lambda pending: pending.id)),
        NotAwaitedError,
        Told("Buyer.ask()", "received its coroutine", "(await ….ask(…)).id"),
    ),
    "an item of what was not awaited": (
        lambda scene: asyncio.run(unawaited(scene, lambda pending: pending["id"])),
        NotAwaitedError,
        Told("Buyer.ask()", "received its coroutine", "(await ….ask(…))['id']"),
    ),
    "a loop over what was not awaited": (
        lambda scene: asyncio.run(unawaited(scene, list)),
        NotAwaitedError,
        Told("Buyer.ask()", "received its coroutine", "(await ….ask(…))"),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_who_calls_wrongly_is_told_what_came_and_what_to_do(
    mistake: str, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WASSAY_URL", "WASSAY_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    make, error, told = MISTAKES[mistake]
    with pytest.raises(error) as refused:
        make(scene)
    assert type(refused.value) is error or error in (TransportError, NotAwaitedError)
    told.require_in(str(refused.value))
    assert KEY not in str(refused.value)


def test_who_invites_a_seller_without_a_key_is_told_that_they_cannot_answer_yet(
    scene: Scene,
) -> None:
    newcomer = scene.parties["newcomer"].account_id
    with pytest.warns(WithoutKeyWarning, match=f"^{newcomer} cannot answer yet.* wassay key"):
        scene.ask(sellers=[scene.parties["seller"].account_id, newcomer])
