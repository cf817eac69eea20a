"""The check of fair decks where players run it: in a browser, on a page with a strict content policy."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from oceans.rules.chance import own_text_entropy
from oceans.rules.fair_record import verify_record
from tests.rules.fair_checks import in_chromium, open_fair_page
from tests.rules.fair_records import whole_record, with_change

pytestmark = pytest.mark.browser


def test_a_real_browser_agrees(page):
    good, bad = whole_record(), with_change(whole_record(), ["hands", 0, "decks", 0, "root"])
    assert [outcome["findings"] for outcome in in_chromium([good, bad], page)] == [[], verify_record(bad)]


def test_the_page_checks_its_own_record_and_a_saved_one(page):
    open_fair_page(page, whole_record())
    outcome = page.locator("output")
    page.get_by_role("button", name="Check").click()
    expect(outcome).to_have_text("All 4 decks verify.")

    def choose(content: str) -> None:
        file = {"name": "record.json", "mimeType": "application/json", "buffer": content.encode()}
        page.locator("input[type=file]").set_input_files(file)

    choose(json.dumps(with_change(whole_record(), ["transcript"])))
    expect(outcome).to_contain_text("The transcript does not match the ids")
    choose("no JSON")
    expect(outcome).to_contain_text("The record could not be read.")


def test_the_browser_makes_the_entropy_and_a_typed_text_changes_it(page):
    open_fair_page(page, {})
    field = page.locator("[name=entropy]")
    r = field.input_value()
    assert len(bytes.fromhex(r)) == 32
    expected = own_text_entropy(bytes.fromhex(r), "hélo").hex()
    page.locator("[name=text]").fill("hélo")
    expect(field).to_have_value(expected)
    page.reload()
    assert field.input_value() != r
