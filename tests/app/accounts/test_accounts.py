"""Accounts: created by administrators, and readable for the account itself."""

from collections.abc import Callable

from tests.app.conftest import Party, problem

Http = Callable[..., Party]


def test_location_is_the_accounts_address(http: Http) -> None:
    operator = http("admin")
    response = operator.post("/v1/accounts", json={"organisation": " Acme ", "name": "Ada"})
    assert response.status_code == 201
    account = response.json()
    assert (account["organisation"], account["name"]) == ("Acme", "Ada")
    assert operator.get(response.headers["location"]).json() == account


def test_only_administrators_make_and_list_accounts(http: Http) -> None:
    ada = http("buyer", "seller")
    new = {"organisation": "Acme", "name": "Eve"}
    assert problem(ada.post("/v1/accounts", json=new)) == (403, "forbidden")
    assert problem(ada.get("/v1/accounts")) == (403, "forbidden")


def test_an_account_of_somebody_else_does_not_exist(http: Http) -> None:
    ada, eve = http("buyer"), http("buyer")
    assert eve.get(f"/v1/accounts/{eve.account_id}").json() == eve.get("/v1/accounts/me").json()
    foreign = eve.get(f"/v1/accounts/{ada.account_id}")
    unknown = eve.get("/v1/accounts/acc_00000000000000000000000000")
    assert problem(foreign) == problem(unknown) == (404, "not-found")
    assert foreign.json().keys() == unknown.json().keys()


def test_the_newest_account_is_listed_first(http: Http) -> None:
    operator = http("admin")
    made = [
        operator.post("/v1/accounts", json={"organisation": "Acme", "name": name}).json()["id"]
        for name in ("first", "second")
    ]
    listed = [account["id"] for account in operator.get("/v1/accounts?limit=2").json()["items"]]
    assert listed == made[::-1]
