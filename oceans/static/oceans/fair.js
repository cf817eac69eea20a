/* Fair decks, checked in the player's own browser: FS1 of docs/rules/fair-shuffle.md with WebCrypto and nothing else.
 *
 * `verifyRecord(record)` is the check of oceans/rules/fair_record.py, written a second time and for itself; the format
 * of a record is described there. On a page the module also wires what it finds:
 *
 *   [data-fair-check]     a section with a button and an <output>; `data-fair-check` is the address of the record, and
 *                         a file field in it, if there is one, checks a downloaded record instead
 *   [data-fair-entropy]   a hidden field of a form that is to carry the entropy of this browser; `data-fair-entropy`
 *                         is the selector of the text field whose text goes into it, or empty
 *
 * Sentences go through Django's JavaScript catalogue where the page loads it.
 */

const gettext = globalThis.gettext ?? ((text) => text);
const ngettext = globalThis.ngettext ?? ((one, many, count) => (count === 1 ? one : many));
const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

// Notation (section 2)

const encoder = new TextEncoder();
const utf8 = (text) => encoder.encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function number(value, size) {
  const bytes = new Uint8Array(size);
  for (let at = size - 1, rest = value; at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

function frame(name, parts) {
  const all = [utf8(`FS1/${name}`), ...parts];
  const framed = new Uint8Array(all.reduce((length, part) => length + 2 + part.length, 0));
  let at = 0;
  for (const part of all) {
    if (part.length > 0xffff) throw new RangeError("A hashed text may have at most 65535 bytes.");
    framed.set(number(part.length, 2), at);
    framed.set(part, at + 2);
    at += 2 + part.length;
  }
  return framed;
}

async function hash(name, ...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", frame(name, parts)));
}

const keyOf = (bytes) => crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

async function mac(key, name, ...parts) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, frame(name, parts)));
}

// Keys and random choices (3 to 3.4)

async function matchKey(seed, transcript) {
  return keyOf(await mac(await keyOf(seed), "match", transcript));
}

const handKey = (key, hand) => mac(key, "hand", number(hand, 4));

function streamOf(key, label, generation) {
  let bytes = new Uint8Array();
  let block = 0;
  return async function below(n) {
    if (n === 1) return 0;
    const width = n <= 256 ? 1 : 2;
    const span = 256 ** width;
    const limit = span - (span % n);
    for (;;) {
      while (bytes.length < width) {
        const next = await mac(key, "stream", utf8(label), number(generation, 2), number(block, 4));
        bytes = Uint8Array.from([...bytes, ...next]);
        block += 1;
      }
      const x = width === 1 ? bytes[0] : bytes[0] * 256 + bytes[1];
      bytes = bytes.subarray(width);
      if (x < limit) return x % n;
    }
  };
}

async function shuffled(key, label, generation, cards) {
  const below = streamOf(key, label, generation);
  const deck = [...cards].sort((a, b) => a - b);
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1);
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return deck;
}

async function seatingOf(key, count) {
  return shuffled(await keyOf(await handKey(key, 0)), "seating", 0, Array(count).keys());
}

// Roots and openings (3.5)

const deckParts = (matchId, hand, deck) => [
  utf8(matchId),
  number(hand, 4),
  utf8(deck.label),
  number(deck.generation, 2),
];

const leafOf = (parts, position, card, salt) => hash("leaf", ...parts, number(position, 2), number(card, 2), salt);

async function rootOf(parts, key, order) {
  const [, , label, generation] = parts;
  let level = await Promise.all(
    order.map(async (card, at) => leafOf(parts, at, card, await mac(key, "salt", label, generation, number(at, 2)))),
  );
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => level.slice(2 * at, 2 * at + 2));
    level = await Promise.all(pairs.map((pair) => (pair.length === 2 ? hash("node", ...pair) : pair[0])));
  }
  return hash("deck-root", ...parts, number(order.length, 2), level[0]);
}

async function opens(parts, size, root, opening) {
  let at = opening.pos;
  if (at >= size) return false;
  let top = await leafOf(parts, at, opening.card, unhex(opening.salt));
  let used = 0;
  for (let width = size; width > 1; width = Math.ceil(width / 2), at = Math.floor(at / 2)) {
    const isRight = at % 2 === 1;
    if (!isRight && at + 1 >= width) continue;
    const [side, neighbour] = opening.path[used] ?? [];
    if (side !== (isRight ? "L" : "R")) return false;
    top = isRight ? await hash("node", unhex(neighbour), top) : await hash("node", top, unhex(neighbour));
    used += 1;
  }
  return used === opening.path.length && hex(await hash("deck-root", ...parts, number(size, 2), top)) === root;
}

// The shape of a record: each check gives null, or the path to the first value that is not as it should be.

const text = (pattern) => (value) => (typeof value === "string" && pattern.test(value) ? null : "");
const whole = (top) => (value) => (Number.isInteger(value) && value >= 0 && value <= top ? null : "");
const orNull = (check) => (value) => (value === null || value === undefined ? null : check(value));
const list =
  (check, longest = 0xffff) =>
  (value) => {
    if (!Array.isArray(value) || value.length > longest) return "";
    const at = value.findIndex((one) => check(one) !== null);
    return at < 0 ? null : `[${at}]${check(value[at])}`;
  };
const object = (checks) => (value) => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return "";
  const key = Object.keys(checks).find((one) => checks[one](value[one]) !== null);
  return key === undefined ? null : `.${key}${checks[key](value[key])}`;
};

const aHash = text(/^[0-9a-f]{64}$/);
const aStep = (value) =>
  Array.isArray(value) && value.length === 2 && ["L", "R"].includes(value[0]) && aHash(value[1]) === null ? null : "";
const aDeck = object({
  label: text(/^[a-z0-9-]{1,32}$/),
  generation: whole(0xffff),
  size: whole(0xffff),
  root: aHash,
  order: orNull(list(whole(0xffff))),
  cards: orNull(list(whole(0xffff))),
  openings: list(object({ pos: whole(0xffff), card: whole(0xffff), salt: aHash, path: list(aStep) })),
});
const aSeat = object({
  commitment: aHash,
  source: text(/^(own|server)$/),
  entropy: orNull(text(/^([0-9a-f]{2}){16,64}$/)),
});
const damageOf = object({
  format: text(/^FS1$/),
  match_id: text(/^[A-Za-z0-9._-]{1,64}$/),
  rules_id: text(/^[A-Za-z0-9._/-]{1,64}$/),
  server_commitment: aHash,
  seats: list(aSeat, 255),
  transcript: orNull(aHash),
  seating: orNull(list(whole(254))),
  hands: list(object({ hand: whole(0xffffffff), commitment: aHash, decks: list(aDeck) })),
  seed: orNull(aHash),
  log: list(text(/^[ -~]{1,300}$/), 0xffffff),
  log_head: aHash,
});

// Checking a record. Each check is an async generator of sentences.

const isAscending = (values) => values.every((value, at) => at === 0 || values[at - 1] < value);
const isSame = (a, b) => a.length === b.length && a.every((value, at) => value === b[at]);

async function* wrongPromises(record) {
  const id = utf8(record.match_id);
  const commitment = unhex(record.server_commitment);
  if (record.seed && hex(await hash("server-commit", id, unhex(record.seed))) !== record.server_commitment) {
    yield gettext("The server's seed does not match its commitment.");
  }
  for (const [index, seat] of record.seats.entries()) {
    const who = { n: index + 1 };
    if (seat.entropy) {
      const expected = await hash("seat-commit", id, number(index, 1), unhex(seat.entropy));
      if (hex(expected) !== seat.commitment) {
        yield fill(gettext("The entropy of participant %(n)s does not match its commitment."), who);
      }
    } else if (record.transcript) {
      yield fill(gettext("The game has started, but the entropy of participant %(n)s is missing."), who);
    }
  }
  const entropies = record.seats.map((seat) => seat.entropy);
  if (record.transcript && entropies.every(Boolean)) {
    const count = number(entropies.length, 1);
    const parts = [id, utf8(record.rules_id), commitment, count, ...entropies.map(unhex)];
    if (hex(await hash("transcript", ...parts)) !== record.transcript) {
      yield gettext(
        "The transcript does not match the ids, the server's commitment and the entropy of all participants.",
      );
    }
  }
}

async function* wrongSeating(record, key) {
  if (!record.seating) return;
  const places = [...record.seating].sort((a, b) => a - b);
  if (!isSame(places, [...record.seats.keys()])) {
    yield gettext("The seating does not give each participant one seat.");
  } else if (key && !isSame(record.seating, await seatingOf(key, places.length))) {
    yield gettext("The seating is not the one that was drawn.");
  }
}

async function* wrongHands(record, key) {
  if (record.hands.length && !record.transcript) yield gettext("Cards were dealt before the transcript was fixed.");
  if (!isAscending(record.hands.map((hand) => hand.hand))) yield gettext("The deals are not in order.");
  for (const hand of record.hands) {
    let ofHand = null;
    if (key) {
      const raw = await handKey(key, hand.hand);
      const expected = await hash("hand-commit", utf8(record.match_id), number(hand.hand, 4), raw);
      if (hex(expected) !== hand.commitment) {
        yield fill(gettext("The key of deal %(n)s does not match its commitment."), { n: hand.hand });
      }
      ofHand = await keyOf(raw);
    }
    const shuffles = new Map();
    for (const deck of hand.decks) {
      const isNext = (shuffles.get(deck.label) ?? 0) === deck.generation;
      shuffles.set(deck.label, deck.generation + 1);
      for await (const wrong of wrongDeck(deckParts(record.match_id, hand.hand, deck), deck, ofHand, isNext)) {
        const where = { hand: hand.hand, label: deck.label, shuffle: deck.generation + 1, wrong };
        yield fill(gettext("Deal %(hand)s, %(label)s, shuffle %(shuffle)s: %(wrong)s"), where);
      }
    }
  }
}

async function* wrongDeck(parts, deck, key, isNext) {
  if (!isNext) yield gettext("it is not the next shuffle of that pack.");
  yield* wrongCards(deck, key !== null);
  yield* wrongOpenings(parts, deck);
  if (!key || !deck.cards?.length) return;
  const order = await shuffled(key, deck.label, deck.generation, deck.cards);
  if (deck.order && !isSame(deck.order, order)) yield gettext("the order is not the one that the keys give.");
  if (hex(await rootOf(parts, key, order)) !== deck.root) {
    yield gettext("the root does not match the order that the keys give.");
  }
}

function* wrongCards(deck, isRevealed) {
  if (deck.cards && deck.cards.length !== deck.size) {
    yield gettext("the number of its cards is not the size it was committed with.");
  }
  if (deck.cards && !isAscending(deck.cards)) yield gettext("its cards are not listed in ascending order, each once.");
  if (isRevealed && !(deck.cards?.length && deck.order?.length)) {
    yield gettext("the seed is revealed, but the cards or their order are missing.");
  }
  if (!isRevealed && deck.order) {
    yield gettext("it shows an order that cannot be checked before the seed is revealed.");
  }
}

async function* wrongOpenings(parts, deck) {
  const positionOf = new Map();
  for (const opening of deck.openings) {
    const where = { n: opening.pos };
    if (!(await opens(parts, deck.size, deck.root, opening))) {
      yield fill(gettext("the opening of position %(n)s does not match the root."), where);
    }
    if (deck.cards && !deck.cards.includes(opening.card)) {
      yield fill(gettext("the card at position %(n)s is not one of its cards."), where);
    }
    if (!positionOf.has(opening.card)) positionOf.set(opening.card, opening.pos);
    if (positionOf.get(opening.card) !== opening.pos) {
      yield fill(gettext("the card at position %(n)s lies at another position too."), where);
    }
  }
}

function logOf(record) {
  return [
    `server-commit:${record.server_commitment}`,
    ...record.seats.map((seat, index) => `seat-commit:${index}:${seat.source}:${seat.commitment}`),
    ...(record.transcript ? [`transcript:${record.transcript}`] : []),
    ...record.hands.flatMap((hand) => [
      `hand:${hand.hand}:${hand.commitment}`,
      ...hand.decks.map((deck) => `deck:${hand.hand}:${deck.label}:${deck.generation}:${deck.size}:${deck.root}`),
    ]),
    ...(record.seed ? [`reveal:${record.seed}`] : []),
  ];
}

async function* wrongLog(record) {
  const isCancelled = /^cancel:[a-z0-9-]{1,32}$/.test(record.log.at(-1) ?? "");
  const told = isCancelled ? record.log.slice(0, -1) : record.log;
  const expected = logOf(record);
  for (let at = 0; at < Math.max(told.length, expected.length); at += 1) {
    if (told[at] === expected[at]) continue;
    yield fill(gettext("Line %(n)s of the log is %(line)s, but the record asks for %(expected)s."), {
      n: at + 1,
      line: told[at] ?? gettext("missing"),
      expected: expected[at] ?? gettext("nothing more"),
    });
    break;
  }
  let head = new Uint8Array(32);
  for (const entry of record.log) head = await hash("log", head, utf8(entry));
  if (hex(head) !== record.log_head) yield gettext("The head of the log does not match its lines.");
}

/* Everything that is wrong with a record, a sentence each, and what was checked. */
export async function verifyRecord(record) {
  const damage = damageOf(record);
  if (damage !== null) {
    const where = damage.replace(/^\./, "") || gettext("its beginning");
    return { findings: [fill(gettext("The record is damaged at %(where)s."), { where })], decks: 0, openings: 0 };
  }
  const isRevealed = Boolean(record.seed && record.transcript);
  const key = isRevealed ? await matchKey(unhex(record.seed), unhex(record.transcript)) : null;
  const findings = [];
  for (const check of [wrongPromises, wrongSeating, wrongHands, wrongLog]) {
    for await (const sentence of check(record, key)) findings.push(sentence);
  }
  const decks = record.hands.flatMap((hand) => hand.decks);
  const openings = decks.reduce((count, deck) => count + deck.openings.length, 0);
  return { findings, decks: decks.length, openings, isRevealed };
}

/* The outcome in a sentence or two. */
export function inWords({ findings, decks, openings, isRevealed }) {
  if (findings.length) return findings[0];
  if (isRevealed) {
    return fill(ngettext("The one deck verifies.", "All %(n)s decks verify.", decks), { n: decks });
  }
  const soFar = ngettext(
    "So far all is as promised: %(n)s card shown, in its place. The rest can be checked when the game is over.",
    "So far all is as promised: %(n)s cards shown, each in its place. The rest can be checked when the game is over.",
    openings,
  );
  return fill(soFar, { n: openings });
}

/* The entropy of this browser (3): its random bytes `r` themselves, or hashed with the text a player typed. */
export async function entropyOf(r, typed) {
  return hex(typed ? await hash("own-text", r, utf8(typed)) : r);
}

function wireCheck(section) {
  const output = section.querySelector("output");
  const check = async (load) => {
    output.value = gettext("Checking…");
    output.dataset.state = "busy";
    try {
      const outcome = await verifyRecord(await load());
      output.value = inWords(outcome);
      output.dataset.state = outcome.findings.length ? "bad" : "good";
    } catch (error) {
      output.value = gettext("The record could not be read. Load the page again, or choose the file as it was saved.");
      output.dataset.state = "bad";
    }
  };
  section.querySelector("button")?.addEventListener("click", () => {
    check(async () => (await fetch(section.dataset.fairCheck, { headers: { Accept: "application/json" } })).json());
  });
  section.querySelector("input[type=file]")?.addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) check(async () => JSON.parse(await file.text()));
  });
}

async function wireEntropy(field) {
  const r = crypto.getRandomValues(new Uint8Array(32));
  const typed = field.dataset.fairEntropy ? field.form.querySelector(field.dataset.fairEntropy) : null;
  field.value = hex(r);
  // The form may be sent at any moment, so the field is kept up to date while the text is typed.
  typed?.addEventListener("input", async () => {
    const text = typed.value;
    const entropy = await entropyOf(r, text);
    if (typed.value === text) field.value = entropy;
  });
}

if (globalThis.document) {
  for (const section of document.querySelectorAll("[data-fair-check]")) {
    if (globalThis.crypto?.subtle) {
      wireCheck(section);
    } else {
      section.querySelector("output").value = gettext(
        "This browser can check decks on secure pages only (https). Download the record and the script instead.",
      );
    }
  }
  document.querySelectorAll("[data-fair-entropy]").forEach(wireEntropy);
}
