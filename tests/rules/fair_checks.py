"""The checks of fair decks that are not Python of ours to import: the browser's and the script to download."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oceans.rules.fair_record import Record

STATIC = Path(__file__).parents[2] / "oceans" / "static" / "oceans"


def script() -> Any:
    """The module of `check_deck.py`."""
    spec = importlib.util.spec_from_file_location("check_deck", STATIC / "check_deck.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_node(records: Sequence[Any], folder: Path) -> list[dict[str, Any]]:
    """What `fair.js` finds in each record, run by node."""
    (folder / "fair.mjs").write_text((STATIC / "fair.js").read_text())
    (folder / "main.mjs").write_text(
        """
        import { readFileSync } from "node:fs";
        import { inWords, verifyRecord } from "./fair.mjs";
        const outcomes = [];
        for (const record of JSON.parse(readFileSync(0))) {
          const outcome = await verifyRecord(record);
          outcomes.push({ ...outcome, words: inWords(outcome) });
        }
        console.log(JSON.stringify(outcomes));
        """
    )
    done = subprocess.run(
        ["node", folder / "main.mjs"], input=json.dumps(records), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


PAGE = """<!doctype html><link rel="icon" href="data:,">
<section data-fair-check="/record.json"><button>Check</button><input type="file"><output></output></section>
<form><input name="text"><input type="hidden" name="entropy" data-fair-entropy="[name=text]"></form>
<script type="module" src="/fair.js"></script>"""


def open_fair_page(page: Any, record: Record) -> None:
    """A page as the site would serve it: secure, as WebCrypto wants it, and without a word of inline script."""
    policy = {"Content-Security-Policy": "default-src 'self'; img-src data:"}
    page.route("https://fair.test/", lambda route: route.fulfill(content_type="text/html", body=PAGE, headers=policy))
    page.route("https://fair.test/fair.js", lambda route: route.fulfill(path=STATIC / "fair.js"))
    page.route("https://fair.test/record.json", lambda route: route.fulfill(json=record))
    page.goto("https://fair.test/")


def in_chromium(records: Sequence[Any], page: Any) -> list[dict[str, Any]]:
    """What `fair.js` finds in each record, run by the browser."""
    open_fair_page(page, {})
    return page.evaluate(
        """async (records) => {
            const { inWords, verifyRecord } = await import("/fair.js");
            const outcomes = [];
            for (const record of records) {
                const outcome = await verifyRecord(record);
                outcomes.push({ ...outcome, words: inWords(outcome) });
            }
            return outcomes;
        }""",
        list(records),
    )
