"""A museum of fine arts; as it was on 2024-04-30. The artists lived; the works, numbers and prices are made up."""
import datetime as dt

from tables import Database

db = Database("museum", 1907)
R = db.rng
D, DAY = dt.date, dt.timedelta(1)

ARTISTS = [("Albrecht Dürer", "German", 1471, 1528, "M"), ("Käthe Kollwitz", "German", 1867, 1945, "F"), ("Artemisia Gentileschi", "Italian", 1593, 1656, "F"), ("葛飾北斎", "Japanese", 1760, 1849, "M"), ("Berthe Morisot", "French", 1841, 1895, "F"),
           ("Казимир Малевич", "Russian", 1879, 1935, "M"), ("Frida Kahlo", "Mexican", 1907, 1954, "F"), ("Anna Ancher", "Danish", 1859, 1935, "F"), ("Vilhelm Hammershøi", "Danish", 1864, 1916, "M"), ("Peder Severin Krøyer", "Danish", 1851, 1909, "M"),
           ("František Kupka", "Czech", 1871, 1957, "M"), ("Tōkō Shinoda", "Japanese", 1913, 2021, "F"), ("Zanele Muholi", "South African", 1972, "", ""), ("Gerhard Richter", "German", 1932, "", "M"), ("Mona Hatoum", "British", 1952, "", "F"),
           ("Master of the Reichenau altar", "", "", "", ""), ("Workshop of the brothers Asam", "German", "", "", ""), ("Rosa Bonheur", "French", 1822, 1899, "F"), ("Édouard Vuillard", "French", 1868, 1940, "M"), ("Joaquín Sorolla", "Spanish", 1863, 1923, "M"),
           ("Magdalena Abakanowicz", "Polish", 1930, 2017, "F"), ("Olga Boznańska", "Polish", 1865, 1940, "F"), ("Ľudovít Fulla", "Slovak", 1902, 1980, "M"), ("İbrahim Çallı", "Turkish", 1882, 1960, "M"), ("Jan van Goyen", "Dutch", 1596, 1656, "M"),
           ("Jan van Gooyen", "Dutch", "", "", "M"), ("Rachel Ruysch", "Dutch", 1664, 1750, "F"), ("Lucie Rie", "British", 1902, 1995, "F"), ("Anni Albers", "American", 1899, 1994, "F"), ("Josef Albers", "American", 1888, 1976, "M"), ("Gabriele Münter", "German", 1877, 1962, "F"),
           ("Wassily Kandinsky", "Russian", 1866, 1944, "M")]
artists = [(i, *a) for i, a in enumerate(ARTISTS, 1)]
db.write("tbl_artist", "artist_id artist_name nationality birth_year death_year gender", artists)

GALLERIES = [("G1", "Old Masters", 0, 1, 1), ("G2", "Northern Light", 0, 1, 1), ("G3", "Modern Hall", 1, 1, 1), ("G4", "Print Cabinet", 1, 1, 1), ("G5", "Sculpture Court", 0, 0, 1), ("G6", "Contemporary", 2, 0, 1), ("D1", "Depot East", -1, 1, 0), ("D2", "Depot West", -1, 0, 0)]
db.write("tbl_gallery", "gallery_code gallery_name floor_no climate_ctrl public_access", GALLERIES)

MEDIA = {1: "PRT PRT PRT OIL", 2: "PRT PRT SCU", 3: "OIL", 4: "PRT", 5: "OIL WAT", 6: "OIL", 7: "OIL", 8: "OIL", 9: "OIL", 10: "OIL", 11: "OIL WAT PRT", 12: "PRT WAT", 13: "PHO", 14: "OIL PHO", 15: "SCU TEX", 16: "OIL", 17: "SCU", 18: "OIL",
         19: "OIL", 20: "OIL", 21: "TEX SCU", 22: "OIL", 23: "OIL TEX", 24: "OIL", 25: "OIL", 26: "OIL", 27: "OIL", 28: "CER", 29: "TEX PRT", 30: "PRT OIL", 31: "OIL PRT", 32: "OIL WAT"}
TITLES = {"OIL": "Still life with lemons|Still life with lemons and glass|Tulips and a snail|Roses in a blue vase|Portrait of a young woman|Portrait of an old man|The painter's wife|Self-portrait|Interior, Strandgade|Interior with open door|Evening on the shore|View of the Elbe|River mist|Blue horses|Two figures|Composition Nº 7|Composition Nº 12|Composition in red|Street in Murnau|The hay cart|Girl with a lute|Judith and her maid|Winter sun".split("|"),
          "WAT": "Poppies|Garden in Murnau|Coast near Amalfi|Birches|Study of clouds".split("|"), "PRT": "Rhinoceros|The weavers|The weavers (state II)|Under the wave|Pilgrim|Mother and child|Mother with dead child|Melancholy|The four winds|Bridge in the rain|Folding screen|Homage in grey".split("|"),
          "SCU": "Torso IV|Kneeling angel|Birdcage|Seated woman|Putto with garland".split("|"), "PHO": "Self-portrait with mirror|Durban at dawn|Curtain, triptych|Candle".split("|"), "TEX": "Wall hanging, triangles|Rust and black|Abakan|Folk motifs".split("|"),
          "CER": "Bowl, manganese glaze|Footed bowl, white|Bottle with long neck|Vase".split("|")}
museums = [(1, "Statens Museum for Kunst", "København", "Denmark"), (2, "Muzeum Narodowe", "Kraków", "Poland"), (3, "Kunsthaus", "Zürich", "Switzerland"), (4, "Musée des Beaux-Arts", "Lyon", "France"), (5, "Musée des Beaux-Arts", "Nantes", "France"), (6, "Národní galerie", "Praha", "Czechia"),
           (7, "Museo Sorolla", "Madrid", "Spain"), (8, "東京都美術館", "Tōkyō", "Japan"), (9, "Lenbachhaus", "München", "Germany"), (10, "Tate St Ives", "St Ives", "United Kingdom")]
db.write("tbl_museum", "museum_id museum_name city country", museums)

many = {1: 14, 2: 11, 4: 9, 9: 8, 8: 7, 31: 9, 14: 7, 28: 8, 22: 5, 26: 1, 16: 2, 7: 1, 3: 2, 12: 0, 24: 0}
works, links, num = [], [], {}
for a in artists:
    for _ in range(many.get(a[0], R.choice([1, 2, 3, 4, 5, 6]))):
        m = R.choice(MEDIA[a[0]].split())
        title = R.choice(TITLES[m])
        lo = (a[3] + R.randrange(20, 60) if a[3] else 1510 if a[0] == 16 else 1725)
        lo = min(lo, (a[4] or 2018), 2018)
        hi = lo if R.random() < .6 else min(lo + R.choice([1, 2, 5, 10]), a[4] or 2019)
        when = D(max(1899, hi + 1), 1, 2) + dt.timedelta(R.randrange(365 * 3)) if hi > 1950 else D(1899, 4, 1) + dt.timedelta(int(R.triangular(0, 45600, 30000)))
        when = min(when, D(2024, 3, 1) - R.randrange(400) * DAY)
        if when.year < hi:
            when = min(D(hi + 1, 1, 20) + dt.timedelta(R.randrange(9000)), D(2024, 3, 1) - R.randrange(400) * DAY)
        how = R.choices(["purchase", "gift", "bequest", "transfer"], [45, 30, 17, 8])[0]
        fame = R.lognormvariate({"OIL": 11.6, "WAT": 9.6, "PRT": 8.6, "SCU": 10.8, "PHO": 9.2, "TEX": 9.9, "CER": 8.9}[m] + (1.6 if a[0] in (1, 7, 14, 32, 3) else 0), .9)
        value = "" if R.random() < .08 else round(fame, -2)
        price = f"{round(fame * R.uniform(.05, .8), -1):.2f}" if how == "purchase" and R.random() < .9 else ""
        known = when.year
        num[known] = num.get(known, 0) + 1
        home = {"OIL": "G1" if lo < 1800 else "G2" if a[2] == "Danish" else "G3" if lo < 1960 else "G6", "WAT": "G4", "PRT": "G4", "SCU": "G5", "PHO": "G6", "TEX": "G6", "CER": "G5"}[m]
        where = home if R.random() < .5 else R.choice(["D1", "D1", "D2"])
        works.append([f"{known}.{num[known]}", title, m, "" if a[0] == 26 else lo, "" if a[0] == 26 else hi, f"{R.uniform(12, 190):.1f}", "" if m in ("SCU", "CER") and R.random() < .5 else f"{R.uniform(12, 240):.1f}", "" if R.random() < .05 else when, how, price,
                      "" if value == "" else f"{value:.2f}", where])
        links.append([works[-1][0], a[0], R.choices("AWCF", [86, 6, 5, 3])[0] if lo < 1900 else "A"])
by_no = {w[0]: w for w in works}
assert len(by_no) == len(works)
pairs = [(32, 31), (30, 29), (29, 30), (9, 10), (16, 17)]  # made together, or in doubt between two
for a, b in pairs:
    own = [l for l in links if l[1] == a]
    for l in R.sample(own, min(2, len(own))):
        if any(x[:2] == [l[0], b] for x in links):
            continue
        links.append([l[0], b, R.choice("AC") if a > 8 and a != 16 else "F"])
db.write("tbl_artwork_artist", "inv_no artist_id attribution", sorted(links))

loans, busy = [], {}
popular = [R.paretovariate(1.2) for _ in works]
for _ in range(88):
    w = R.choices(works, popular)[0]
    s = D(2017, 1, 10) + dt.timedelta(R.randrange(2650))
    e = s + dt.timedelta(R.choice([92, 120, 120, 150, 182, 365]))
    if w[7] and s < w[7] or any(s <= y and x <= e for x, y in busy.get(w[0], [])):
        continue
    back = e + dt.timedelta(R.choices([-3, 0, 0, 2, 12, 40], [1, 4, 4, 2, 1, 1])[0])
    if back > D(2024, 4, 30):
        back = ""
    busy.setdefault(w[0], []).append((s, e + 60 * DAY))
    loans.append((s, w[0], R.choices(museums, [6, 4, 5, 3, 3, 2, 2, 2, 7, 1])[0][0], e, back, f"{R.choice([0, 0, 500, 1200, 1500, 3500]):.2f}"))
    if back == "" and s <= D(2024, 4, 30):
        w[11] = ""
loans.sort()
db.write("tbl_loan", "loan_id inv_no museum_id loan_start loan_end returned loan_fee", [(i, l[1], l[2], l[0], l[3], l[4], l[5]) for i, l in enumerate(loans, 1)])
works.sort(key=lambda w: (int(w[0].split(".")[0]), int(w[0].split(".")[1])))
db.write("tbl_artwork", "inv_no title medium year_from year_to height_cm width_cm acq_date acq_how acq_price ins_value gallery_code", works)

EXHS = [(1, "Black on White: Five Centuries of Print", D(2018, 3, 9), D(2018, 7, 1), "Dr. Ilse Thorwald", "148000.00", lambda w, a: w[2] == "PRT"), (2, "Skagen und kein Ende", D(2019, 5, 17), D(2019, 9, 15), "Mads Kjær", "212500.00", lambda w, a: a[2] == "Danish"),
        (3, "Women Who Painted", D(2020, 9, 4), D(2021, 1, 31), "Dr. Ilse Thorwald", "260000.00", lambda w, a: a[5] == "F" and w[2] in ("OIL", "WAT")), (4, "Clay, Fire, Thread", D(2021, 10, 1), D(2022, 2, 27), "Zofia Wrońska", "97000.00", lambda w, a: w[2] in ("CER", "TEX")),
        (5, "Der Blaue Reiter", D(2022, 6, 10), D(2022, 10, 9), "Zofia Wrońska", "385000.00", lambda w, a: a[0] in (31, 32, 11)), (6, "New Acquisitions 2019–2023", D(2023, 4, 21), D(2023, 8, 27), "", "58000.00", lambda w, a: w[0] >= "2015"),
        (7, "Silence: Hammershøi and After", D(2024, 2, 2), D(2024, 6, 2), "Mads Kjær", "301000.00", lambda w, a: a[0] in (9, 14, 22)), (8, "Kollwitz: A Life in Prints", D(2024, 10, 4), D(2025, 1, 26), "Dr. Ilse Thorwald", "", lambda w, a: a[0] == 2)]
db.write("tbl_exhibition", "exh_id exh_title opens closes curator budget", [e[:6] for e in EXHS])
shown = []
for e in EXHS:
    found = sorted({l[0] for l in links if e[6](by_no[l[0]], artists[l[1] - 1])})
    found = [w for w in found if R.random() < .72 and not (by_no[w][7] and by_no[w][7] > e[2]) and not any(e[2] <= y and x <= e[3] for x, y in busy.get(w, []))]
    shown += [(e[0], w, "" if e[0] == 6 else i) for i, w in enumerate(found, 1)]
db.write("tbl_exh_artwork", "exh_id inv_no cat_no", shown)

CATS = [("AD", "Adult", 12, 16), ("SE", "Senior", 9, 12), ("ST", "Student", 6, 8), ("CH", "Child under 12", 0, 0), ("FA", "Family day ticket", 26, 34), ("GR", "Group, a person", 8, 11), ("FR", "Friends of the museum", 0, 5)]
db.write("tbl_ticket_cat", "cat_code cat_name price price_exh", [(a, b, f"{c}.00", f"{d}.00") for a, b, c, d in CATS])
sales, d = [], D(2024, 1, 9)
while d <= D(2024, 4, 28):
    busy_day = {6: 1.9, 7: 2.2, 4: 1.2}.get(d.isoweekday(), 1) * (1.35 if d >= D(2024, 2, 2) else 1)
    special = d >= D(2024, 2, 2)
    if d.isoweekday() != 1 and d != D(2024, 3, 29) and R.random() < .62:  # closed on Mondays; the other days' books are not entered yet
        for code, _, p, pe in CATS:
            mean = {"AD": 42, "SE": 20, "ST": 17, "CH": 12, "FA": 6, "GR": 14, "FR": 5}[code] * busy_day
            for exh in ((0, 1) if special else (0,)):
                for online in (0, 1):
                    part = (.55 if exh else .45 if special else 1) * (.4 if online else .6)
                    if code in ("GR", "FR") and online or code == "GR" and R.random() < .6:
                        continue
                    q = max(0, round(R.gauss(mean * part, (mean * part) ** .5 * 1.4)))
                    if q and R.random() < .62:
                        sales.append((d, code, exh, online, q, f"{q * (pe if exh else p)}.00"))
    d += DAY
db.write("tbl_ticket_sale", "sale_date cat_code with_exh online qty amount", sales)

rests = []
for _ in range(105):
    w = R.choices(works, [3 if x[2] in ("OIL", "TEX", "PRT") else 1 for x in works])[0]
    b = D(2015, 2, 1) + dt.timedelta(R.randrange(3350))
    if w[7] and b < w[7]:
        continue
    days = int(R.lognormvariate(4.3, .7))
    end = b + dt.timedelta(days) if b + dt.timedelta(days) <= D(2024, 4, 30) else ""
    before = R.choices([2, 3, 4, 5], [2, 5, 4, 1])[0]
    after = max(1, before - R.choice([0, 1, 1, 2])) if end else ""
    rests.append((b, w[0], R.choice(["Hélène Marchetti", "Jonas Åkerlund", "Jonas Åkerlund", "Atelier Weißgerber", "Yuki Tanabe"]), end, before, after, f"{days * R.uniform(25, 70):.2f}" if end and R.random() < .93 else "",
                  R.choice(["", "", "varnish removed", "relined", "foxing", "moth damage", "old overpaint at the edge", "crack in the panel, stabilised"])))
rests.sort()
db.write("tbl_restoration", "rest_id inv_no restorer begun finished cond_before cond_after cost note", [(i, r[1], r[2], r[0], *r[3:]) for i, r in enumerate(rests, 1)])
