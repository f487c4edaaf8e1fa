"""The OpenAPI document: valid, whole, and true."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from support.control import Served, data, served
from tabwright.engine.manager import BrowserManager
from tabwright.verbs import VERBS


@pytest.fixture(scope="module")
async def control(
    manager: BrowserManager, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Served]:
    async with served(manager, tmp_path_factory.mktemp("control")) as found:
        yield found


async def test_the_openapi_document_is_valid_and_has_every_verb_and_tool(control: Served):
    reply = await control.get("/openapi.json")
    document = reply.json()
    OpenAPIV31SpecValidator(document).validate()
    assert document["openapi"].startswith("3.1")
    schemas = document["components"]["schemas"]
    for verb in VERBS.values():
        wire = {field.alias or name for name, field in verb.params.model_fields.items()}
        assert {*schemas[f"{verb.name}.params"].get("properties", {})} == wire
    tools = {each["name"] for each in data(await control.get("/tools"))["tools"]}
    paths = {path.rpartition("/")[2] for path in document["paths"] if path.startswith("/tools/")}
    assert paths == tools
    asked = {
        each.get("name") for each in document["paths"]["/browser/screenshot"]["get"]["parameters"]
    }
    assert {"fullPage", "type", "quality", "path"} <= asked


async def test_every_address_of_the_document_is_there(control: Served):
    document = (await control.get("/openapi.json")).json()
    for path, methods in document["paths"].items():
        for method in methods:
            if "{" not in path and path != "/browser/close" and path != "/browser/launch":
                reply = await control.client.request(
                    method,
                    path,
                    content=b"{",
                    headers={"content-type": "application/json"} if method == "post" else {},
                )
                assert reply.status_code not in (405, 500), (method, path, reply.text)
                assert reply.headers["content-type"].startswith(("application/json", "text/plain"))
                if reply.status_code == 404:
                    assert reply.json()["error"]["code"] == "NO_ACTIVE_BROWSER"
