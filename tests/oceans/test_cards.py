"""The HTML of cards: names for those who listen, marks for the leak test, nothing more than was given."""

import re

from oceans.rules.cards import PACK_65, cards
from oceans.rules.examples import laid_out
from oceans.rules.game import Said, Who
from oceans.rules.games import by_slug
from oceans.templatetags.cards import card_html, faces_html, hand_html, pack_html, said_html, said_text, track_html


def shown(html: str) -> list[str]:
    return re.findall(r'data-card="([^"]+)"', html)


def read(slug: str, *rows: str):
    return by_slug(slug).reading(laid_out(slug, rows)).hands


def test_a_card_says_its_name():
    (queen,) = cards("Qh")
    assert 'aria-label="queen of hearts"' in card_html(queen)
    assert shown(card_html(queen)) == ["Qh"]


def test_a_ten_is_printed_as_ten():
    (ten,) = cards("Td")
    assert "<b>10</b>" in card_html(ten)


def test_a_back_says_nothing_about_its_card():
    assert shown(card_html(None)) == []


def test_a_wild_card_tells_what_it_stands_for():
    two, king = cards("2h Kc")
    assert 'aria-label="two of hearts, wild, stands for king of clubs"' in card_html(two, king)
    assert shown(card_html(two, king)) == ["2h"]


def test_every_card_of_five_suits_has_a_face_of_its_own():
    assert len({card_html(card) for card in PACK_65}) == 65


def test_a_row_shows_what_counts_then_gaps_then_what_is_left_over():
    long, short = read("oe-twos", "Kc Kd Kh Qs 8c 5d", "9s 2d")
    html = hand_html(long, "Ann's")
    assert shown(html) == ["Kh", "Kd", "Kc", "Qs", "8c", "5d"]
    assert html.index("Left over") < html.index('data-card="5d"')
    assert hand_html(short, "your").count('class="slot"') == 3


def test_backs_and_faces_lie_side_by_side():
    (ace,) = cards("As")
    html = faces_html([None, ace, None], "Ann's cards")
    assert html.count("card back") == 2
    assert shown(html) == ["As"]


def test_names_in_sentences_are_escaped():
    (king,) = cards("Kd")
    html = said_html(Said("{} deals {}", (Who(0), king), note="king"), {0: "<b>Ann</b>"})
    assert "&lt;b&gt;Ann" in html
    assert shown(html) == ["Kd"]


def test_a_sentence_can_be_read_without_pictures():
    (king,) = cards("Kd")
    assert said_text(Said("{} deals {}", (Who(0), king)), {0: "Ann"}) == "Ann deals king of diamonds"


def test_what_is_left_of_a_pack_adds_up():
    html = pack_html("Your deck", cards("As Ah Kd X1"), cards("Qs"), cards("2c"))
    assert html.count(">in the deck<") == 4
    assert html.count(">on the table<") == 1
    assert html.count(">gone<") == 1
    assert "<td>2</td><td>1</td><td>0</td>" in html


def test_a_track_numbers_the_hands_won():
    html = track_html("Ann", [1, 4], 6)
    assert "Ann has won 2 of 6: hand 1, hand 4" in html
    assert html.count("<span></span>") == 4
