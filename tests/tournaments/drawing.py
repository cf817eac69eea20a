"""Cross-tables drawn by hand, read into entrants and fixtures."""

from tournaments.fixtures import Fixture
from tournaments.players import Entrant

HOWS = {"": "played", "f": "forfeit", "o": "overdue"}


def crosstable(drawing):
    """Rows `Ada - 2 1f 0o .` by start number: points against each opponent; f forfeit, o overdue, `.` still open.

    Both halves are drawn, and have to fit each other.
    """
    rows = [line.split() for line in drawing.strip().splitlines()]
    names = [row[0] for row in rows]
    cells = {(row[0], other): cell for row in rows for other, cell in zip(names, row[1:], strict=True)}
    fixtures = []
    for i, a in enumerate(names):
        assert cells[a, a] == "-"
        for b in names[i + 1 :]:
            one, other = cells[a, b], cells[b, a]
            if "." in (one, other):
                assert one == other, f"{a} and {b} do not agree whether they are still playing"
                fixtures.append(Fixture(a, b, (0, 0), "open"))
            else:
                assert one[1:] == other[1:], f"{a} and {b} do not agree how it ended"
                fixtures.append(Fixture(a, b, (int(one[0]), int(other[0])), HOWS[one[1:]]))
    return [Entrant(name, number) for number, name in enumerate(names, start=1)], fixtures
