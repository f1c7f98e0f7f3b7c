"""A league of eight clubs: season 22/23, and 23/24 up to its twelfth matchday of fourteen."""

from datetime import date, datetime, timedelta

from tables import Database

db = Database("football", 1863)
rng = db.rng

STADIA = [(1, "Brückenstadion", "Nordbrück", 41200, 1974, "hybrid"), (2, "Estádio do Cais", "Port Amaro", 28750, 2003, "grass"), (3, "Lindvallen", "Lindhagen", 15400, 1958, "artificial"),
          (4, "Parc des Tilleuls", "Saint-Élan", 22100, 1937, "grass"), (5, "Arena Šumava", "Kvilda", 12800, 2015, "hybrid"), (6, "Campo del Río", "Río Verde", 31000, None, "grass"), (7, "The Ropeyard", "Harwick", 18300, 1921, "grass")]
CLUBS = [(11, "FC Nordbrück", "NBR", 1899, 1), (12, "Eintracht Nordbrück", "EIN", 1910, 1), (13, "Sporting Port Amaro", "SPA", 1921, 2), (14, "Lindhagens IF", "LIF", 1904, 3), (15, "Olympique Saint-Élan", "OSE", 1932, 4),
         (16, "FK Šumava", "FKS", 1948, 5), (17, "Real Río Verde", "RRV", 1927, 6), (18, "Harwick Rovers", "HAR", 1886, 7)]
STRENGTH = {11: 1.75, 12: 0.95, 13: 1.5, 14: 0.85, 15: 1.2, 16: 0.75, 17: 1.55, 18: 1.1}
db.write("stadium", "stadium_id name city capacity opened surface", STADIA)
db.write("club", "club_id name short_name founded stadium_id", CLUBS)
db.write("season", "season first_day last_day", [("22/23", date(2022, 8, 6), date(2023, 5, 20)), ("23/24", date(2023, 8, 5), date(2024, 5, 18))])

NAMES = {
    "GER": ("Lukas Jonas Timo Niklas Kevin Leon Jürgen", "Bauer Köhler Schröder Vogt Krämer Weiß Hartwig"), "POR": ("João Rúben Diogo Nuno Tiago", "Silva Conceição Neves Simões Leão"),
    "BRA": ("Caio Thiago Éder Wesley", "Santos Araújo Moraes Gonçalves"), "SWE": ("Emil Oskar Viktor Björn Isak", "Åberg Lindqvist Sjögren Holm"), "FRA": ("Théo Kylian Loïc Moussa Adrien", "Lefèvre Diarra Garnier Benoît"),
    "CZE": ("Tomáš Ondřej Vojtěch Matěj Radek David", "Dvořák Kříž Souček Hájek Žák Beneš"), "ESP": ("Iker Álvaro Sergio Íñigo Pau", "Muñoz Peña Ibáñez Rojas"), "ENG": ("Jack Reece Callum Mason Declan", "Barnes O'Hara Whitlock Sutton"),
    "NGA": ("Chidi Samuel Emeka Victor", "Okonkwo Eze Adeyemi Balogun"), "JPN": ("Kaoru Daichi Takumi Ren", "Tanaka Ueda Itō Kubo"),
}
HOME = {11: "GER", 12: "GER", 13: "POR", 14: "SWE", 15: "FRA", 16: "CZE", 17: "ESP", 18: "ENG"}
POS = ["GK", "GK", "DF", "DF", "DF", "DF", "DF", "MF", "MF", "MF", "MF", "MF", "FW", "FW", "FW"]
players, squads, taken = [], {}, set()


def new_player(nation, pos):
    first, last = NAMES[nation]
    for _ in range(30):
        name = f"{rng.choice(first.split())} {rng.choice(last.split())}"
        if name not in taken or rng.random() < 0.02:
            break
    taken.add(name)
    height = None if rng.random() < 0.07 else round(rng.gauss({"GK": 191, "DF": 186, "MF": 179, "FW": 182}[pos], 5))
    players.append((401 + len(players), name, None if rng.random() < 0.03 else db.day(date(1987, 1, 1), date(2004, 12, 31)), nation, pos, height, db.weighted({"R": 60, "L": 25, "B": 8, None: 7})))
    return players[-1]


for c in CLUBS:
    squads[c[0]] = [new_player(HOME[c[0]] if rng.random() < 0.45 else rng.choice(sorted(NAMES)), p) for p in POS]
transfers = []


def move(p, a, b, day):
    young = p[2] is not None and p[2].year > 1998
    transfers.append((p[0], a, b, day, None if rng.random() < 0.12 else "0.00" if rng.random() < 0.25 else f"{rng.lognormvariate(1.2 if young else 0.4, 0.8):.2f}"))


squad_rows = []
number = {}


def enrol(season):
    for club in squads:
        used = set()
        lead = rng.choice([p for p in squads[club] if p[4] != "GK"])
        for i, p in enumerate(squads[club]):
            want = number.get(p[0]) or (1 if i == 0 else rng.randint(2, 39))
            while want in used:
                want = rng.randint(2, 45)
            used.add(want)
            number[p[0]] = want
            squad_rows.append((season, club, p[0], want, p is lead))


ROUNDS = []  # the circle method, then the same with home and away swapped
ring = [c[0] for c in CLUBS]
for r in range(7):
    pairs = [(ring[i], ring[7 - i]) for i in range(4)]
    ROUNDS.append([(b, a) if (r + i) % 2 else (a, b) for i, (a, b) in enumerate(pairs)])
    ring = [ring[0], ring[-1], *ring[1:-1]]
ROUNDS += [[(b, a) for a, b in r] for r in ROUNDS]

REFEREES = ["Ann-Kristin Dahl", "Pavel Horák", "Marco Bellini", "Fatou Cissé", "Owen Price", "José Luís Pinto"]
db.write("referee", "referee_id name", list(enumerate(REFEREES, 1)))
fixtures, goals, cards = [], [], []
SCORES = {"FW": 7, "MF": 3.2, "DF": 1, "GK": 0}
gift = {}


def poisson(mean):
    n, p = 0, rng.random()
    limit = 2.718281828 ** -mean
    total = limit
    while p > total:
        n += 1
        limit *= mean / n
        total += limit
    return n


def play(season, start, rounds):
    for md, pairs in enumerate(ROUNDS, 1):
        day = start + timedelta(days=7 * (md - 1) * 3 - (7 if md % 2 else 0))
        for home, away in pairs:
            fid = 5001 + len(fixtures)
            at = datetime(day.year, day.month, day.day, rng.choice([13, 15, 15, 18, 20]), rng.choice([0, 30])) + timedelta(days=rng.choice([0, 0, 1]))
            if md > rounds:
                fixtures.append((fid, season, md, home, away, at, None, None, None, None))
                continue
            score = {home: poisson(1.35 * STRENGTH[home] / STRENGTH[away] ** 0.6), away: poisson(1.0 * STRENGTH[away] / STRENGTH[home] ** 0.6)}
            ref = db.skewed(range(1, 7))
            room = next(s[3] for s in STADIA if s[0] == next(c[4] for c in CLUBS if c[0] == home))
            crowd = None if rng.random() < 0.02 else min(room, int(room * rng.uniform(0.45, 0.8) * (0.8 + 0.2 * STRENGTH[away])))
            fixtures.append((fid, season, md, home, away, at, ref, score[home], score[away], crowd))
            fell = sorted((rng.randint(1, 90), club) for club, n in score.items() for _ in range(n))
            for k, (minute, club) in enumerate(fell, 1):
                own = rng.random() < 0.04
                team = squads[away if club == home else home] if own else squads[club]
                who = rng.choices(team, [SCORES[p[4]] * gift.setdefault(p[0], rng.lognormvariate(0, 0.7)) + (0.2 if own else 0) for p in team])[0]
                how = "O" if own else db.weighted({"F": 68, "H": 20, "P": 9})
                helper = None if how in "OP" or rng.random() < 0.25 else rng.choice([p for p in team if p is not who])[0]
                goals.append((fid, k, minute, club, who[0], helper, how))
            for club in (home, away):
                for _ in range(poisson(1.5 + (0.5 if ref == 3 else 0))):
                    p = rng.choice(squads[club])
                    before = [c for c in cards if c[0] == fid and c[1] == p[0]]
                    if len(before) > 1 or before and before[0][3] == "R":
                        continue
                    minute = rng.randint(before[0][2] + 1 if before else 2, 91)
                    cards.append((fid, p[0], minute, "S" if before else db.weighted({"Y": 95, "R": 4})))


moved = set()
enrol("22/23")
play("22/23", date(2022, 8, 13), 14)
for club in sorted(squads):  # the summer of 2023
    for _ in range(rng.randint(2, 4)):
        i = rng.randrange(2, 15)
        p = squads[club][i]
        if p[0] in moved:
            continue
        day = db.day(date(2023, 6, 20), date(2023, 8, 3))
        if rng.random() < 0.6:
            other = rng.choice([c for c in squads if c != club])
            j = next((j for j, q in enumerate(squads[other]) if q[4] == p[4] and j > 1 and q[0] not in moved), None)
            if j is None:
                continue
            move(p, club, other, day)
            out, squads[other][j] = squads[other][j], p
            moved.add(p[0])
            move(out, other, None, db.day(day, date(2023, 8, 4)))
        else:
            move(p, club, None, day)
        new = new_player(rng.choice(sorted(NAMES)), p[4])
        squads[club][i] = new
        moved.add(new[0])
        move(new, None, club, db.day(date(2023, 6, 20), date(2023, 8, 4)))
enrol("23/24")
play("23/24", date(2023, 8, 12), 12)

transfers.sort(key=lambda t: t[3])
db.write("player", "player_id name born nation pos height_cm foot", players)
db.write("squad", "season club_id player_id shirt_no captain", squad_rows)
db.write("transfer", "transfer_id player_id from_club_id to_club_id moved_on fee_meur", [(i, *t) for i, t in enumerate(transfers, 1)])
db.write("fixture", "fixture_id season matchday home_id away_id kick_off referee_id home_goals away_goals attendance", fixtures)
db.write("goal", "fixture_id goal_no minute club_id player_id assist_id how", goals)
db.write("card", "fixture_id player_id minute colour", cards)

COACHES = [("Dieter Rahn", "GER"), ("Sofia Brandão", "POR"), ("Magnus Ek", "SWE"), ("Alain Perrot", "FRA"), ("Zdeněk Bílý", "CZE"), ("Julián Ortega", "ESP"), ("Graham Tully", "ENG"), ("Ottmar Seidl", "AUT"), ("Marek Kolář", "CZE"), ("Paulo Vidigal", "POR")]
db.write("coach", "coach_id name nation", [(i, *c) for i, c in enumerate(COACHES, 1)])
db.write("coach_spell", "club_id from_day to_day coach_id caretaker", [
    (11, date(2021, 7, 1), None, 1, 0), (12, date(2019, 7, 1), date(2022, 11, 3), 8, 0), (12, date(2022, 11, 4), date(2022, 12, 31), 9, 1), (12, date(2023, 1, 1), None, 10, 0), (13, date(2022, 6, 15), None, 2, 0),
    (14, date(2017, 1, 10), None, 3, 0), (15, date(2022, 7, 1), date(2023, 5, 31), 4, 0), (15, date(2023, 6, 1), None, 8, 0), (16, date(2020, 2, 1), None, 5, 0), (17, date(2021, 7, 1), None, 6, 0),
    (18, date(2022, 5, 1), date(2024, 1, 15), 7, 0), (18, date(2024, 1, 16), None, 9, 0)])
