"""What the generators of the databases share: a fixed seed, skewed choices, and the writing of data/TABLE.csv."""

import csv
import pathlib
import random
from datetime import date, datetime, timedelta

DATABASES = pathlib.Path(__file__).parent.parent / "databases"


class Database:
    """The tables of one database. Rows are tuples in the order of the header; None is NULL."""

    def __init__(self, name, seed):
        self.folder = DATABASES / name / "data"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.rng = random.Random(seed)

    def write(self, table, header, rows):
        with open(self.folder / f"{table}.csv", "w", newline="", encoding="utf-8") as f:
            out = csv.writer(f, lineterminator="\n")
            out.writerow(header.split())
            out.writerows([cell(v) for v in row] for row in rows)

    def skewed(self, items):
        """One of items, the first ones more often."""
        return items[int(len(items) * self.rng.random() ** 2)]

    def weighted(self, weights):
        """One of the keys of weights, as often as its number says."""
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def day(self, first, last):
        return first + timedelta(days=self.rng.randrange((last - first).days + 1))

    def at(self, day, first=0, last=24):
        """A minute of a day, between two hours."""
        return datetime(day.year, day.month, day.day) + timedelta(minutes=self.rng.randrange(first * 60, last * 60))


def cell(v):
    if v is None:
        return "NULL"
    if isinstance(v, bool):
        return int(v)
    if isinstance(v, datetime):
        return v.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(v, date):
        return v.isoformat()
    return v
