"""A municipal utility; daily readings of January and February 2024, the rest up to 2024-03-15."""

from datetime import date, datetime, timedelta

from tables import Database

db = Database("energy", 50)
rng = db.rng
FIRST, LAST, TODAY = date(2024, 1, 1), date(2024, 2, 29), date(2024, 3, 15)
DAYS = [FIRST + timedelta(days=d) for d in range((LAST - FIRST).days + 1)]

SS = [("NORD", "Umspannwerk Nord", None, 110, 80, 1978), ("SUED", "Umspannwerk Süd", None, 110, 63, 1991), ("HAFN", "Hafen", "NORD", 20, 25, 2004), ("ALTS", "Altstadt", "NORD", 20, 16, 1965),
      ("INDP", "Industriepark", "SUED", 20, 40, 2012), ("BERG", "Bergdorf", "SUED", 20, 6.3, None), ("SEEU", "Seeufer", "ALTS", 10, 4, 1988)]
db.write("substation", "ss_id name parent_id voltage_kv capacity_mva commissioned", SS)
feeders = []
for s in SS[2:]:
    for n in range(1, rng.choice([2, 3, 3, 4]) + 1):
        kind = "overhead" if s[0] in ("BERG", "SEEU") and n < 3 else rng.choice(["underground", "underground", "mixed"])
        feeders.append((s[0], n, f"{rng.uniform(*{'overhead': (6, 19), 'mixed': (12, 24), 'underground': (0.8, 6)}[kind]):.2f}", kind))
db.write("feeder", "ss_id feeder_no length_km kind", feeders)

PEOPLE = ("Brandt,Anke|Brand,Anke|Şahin,Murat|Hoffmann,Paul|Lefèvre,Julie|Petersen,Uwe|Nowak,Ewa|Schäfer,Rolf|Čapek,Tomáš|Lindner,Gabi|Krüger,Max|Jansen,Piet|Weiß,Lore|Özdemir,Can|"
          "Richter,Maike|Vogt,Silke|Hansen,Ole|Horn,Ida|Kaya,Leyla|Böttcher,Jan|Stein,Vera|Marx,Tim|Rossi,Carla|Engel,Kurt|Fuchs,Eva|Thiel,Ben").split("|")
FIRMS = [("Bäckerei Korn", "B"), ("Café Zuckerhut", "B"), ("Autohaus Reuter", "B"), ("Hotel Seeblick", "B"), ("Gießerei Falk AG", "I"), ("Kunststoffwerk Ost GmbH", "I"),
         ("Kühlhaus Hafen KG", "I"), ("Grundschule Altstadt", "P"), ("Hallenbad", "P"), ("Rathaus", "P")]
customers = [(801 + i, " ".join(reversed(p.split(","))), "H") for i, p in enumerate(PEOPLE)] + [(841 + i, n, s) for i, (n, s) in enumerate(FIRMS)]
db.write("customer", "customer_id name segment since iban_ok", [(*c, db.day(date(1998, 1, 1), date(2023, 11, 1)), rng.random() < 0.75) for c in customers])

TOWN = {"HAFN": ("Hafenstadt", ["Kaistraße", "Werftweg", "Am Speicher"]), "ALTS": ("Hafenstadt", ["Marktplatz", "Domgasse", "Bäckergasse"]), "INDP": ("Oststetten", ["Industriestraße", "Boschring"]),
        "BERG": ("Bergdorf", ["Dorfstraße", "Mühlweg"]), "SEEU": ("Seeufer", ["Uferweg", "Seestraße"])}
fixed = {"Gießerei Falk AG": "INDP", "Kunststoffwerk Ost GmbH": "INDP", "Kühlhaus Hafen KG": "HAFN", "Hotel Seeblick": "SEEU", "Grundschule Altstadt": "ALTS"}
sites, meters, contracts, readings = [], [], [], []
weather = {}
temp = 1.0
for d in DAYS:
    temp = 0.75 * temp + 0.25 * (1 + 5 * (d.month == 2)) + rng.gauss(0, 2.2)
    weather[d] = (round(temp, 1), round(max(0, rng.gauss(2.2 + d.month, 2.4)), 1))
db.write("weather", "day temp_avg sun_h", [(d, w[0], None if d == date(2024, 1, 19) else w[1]) for d, w in weather.items()])

TARIFFS = [("E-BASIC", "Strom Basis", "E", 0), ("E-GREEN", "Strom Natur", "E", 1), ("E-FIX24", "Strom Fix 24", "E", 0), ("E-PRO", "Strom Gewerbe", "E", 0), ("G-BASIC", "Gas Basis", "G", 0), ("G-BIO", "Biogas 20", "G", 1),
           ("W-STD", "Trinkwasser", "W", 0), ("S-FEED", "Solar Einspeisung", "S", 1), ("E-NIGHT", "Strom Nacht", "E", 0)]
db.write("tariff", "tariff_code name medium green", TARIFFS)
PRICES = [("E-BASIC", "2022-01-01", "2022-12-31", .2990, 9.5), ("E-BASIC", "2023-01-01", "2023-12-31", .4210, 11.9), ("E-BASIC", "2024-01-01", None, .3690, 12.9),
          ("E-GREEN", "2022-07-01", "2023-12-31", .4390, 10.9), ("E-GREEN", "2024-01-01", "2024-02-09", .3850, 10.9), ("E-GREEN", "2024-02-10", None, .3540, 11.5), ("E-FIX24", "2023-06-01", None, .3390, 14.9),
          ("E-PRO", "2022-01-01", "2023-12-31", .2780, 25), ("E-PRO", "2024-01-01", None, .2490, 29), ("G-BASIC", "2023-01-01", "2023-12-31", 1.2100, 10), ("G-BASIC", "2024-01-01", None, 1.0900, 10.5),
          ("G-BIO", "2023-01-01", None, 1.3400, 10.5), ("W-STD", "2020-01-01", "2023-12-31", 1.9800, 6), ("W-STD", "2024-01-01", None, 2.1400, 6.5), ("S-FEED", "2023-01-01", None, .0820, 0),
          ("E-NIGHT", "2019-01-01", "2023-12-31", .2210, 13.4)]
db.write("tariff_price", "tariff_code valid_from valid_to unit_price base_fee", [(t, a, b, f"{p:.4f}", f"{f:.2f}") for t, a, b, p, f in PRICES])

LEVEL = {"H": (8.5, 9, 0.32), "B": (62, 30, 1.1), "I": (2600, 700, 14), "P": (210, 120, 6)}
for c, name, seg in customers:
    for k in range(2 if name in ("Rathaus", "Bäckerei Korn", "Murat Şahin") else 1):
        s = fixed.get(name) or rng.choice(["HAFN", "ALTS", "ALTS", "BERG", "SEEU"])
        f = rng.choice([f for f in feeders if f[0] == s])
        town, streets = TOWN[s]
        area = {"H": rng.randint(48, 190), "B": rng.randint(90, 1400), "I": rng.randint(3000, 21000), "P": rng.randint(800, 5200)}[seg]
        sid = 3001 + len(sites)
        sites.append((sid, c, f"{rng.choice(streets)} {rng.randint(1, 98)}", town, s, f[1], None if rng.random() < 0.1 else area))
        kinds = ["E"] + ["G"] * (rng.random() < 0.55) + ["W"] * (rng.random() < 0.5) + ["S"] * (rng.random() < 0.2)
        for m in kinds:
            size = rng.lognormvariate(0, 0.45)
            installed = db.day(date(2009, 1, 1), date(2023, 9, 30))
            number = f"{m}{installed:%y}-{rng.randrange(100000):05d}"
            smart = (m in "ES" and rng.random() < 0.62) or (m == "G" and rng.random() < 0.25)
            old = m == "E" and rng.random() < 0.1
            if old:
                gone = db.day(date(2023, 3, 1), date(2023, 11, 30))
                before = f"E07-{rng.randrange(100000):05d}"
                meters.append((before, sid, m, "kWh", 0, date(2007, 5, 2), gone, 2023))
                contracts.append([before, "E-NIGHT", date(2020, 1, 1), gone])
                installed, smart = gone, True
                number = "E23" + number[3:]
            gone = date(2023, 10, 14) if m == "G" and sid % 6 == 0 else None  # a heat pump instead
            if gone:
                smart = False
            meters.append((number, sid, m, "kWh" if m in "ES" else "m3", smart, installed, gone, installed.year + (8 if m == "E" else 6) + (rng.random() < 0.6) * 4 + (installed.year < 2016) * 5))
            tariff = {"E": "E-PRO" if seg in "IB" else db.weighted({"E-BASIC": 50, "E-GREEN": 30, "E-FIX24": 15}), "G": db.weighted({"G-BASIC": 4, "G-BIO": 1}), "W": "W-STD", "S": "S-FEED"}[m]
            start = max(installed, date(2023, 1, 1) if not old else installed)
            if tariff == "E-FIX24":
                start = max(start, date(2023, 6, 1))
            contracts.append([number, tariff, start, gone])
            if m == "E" and seg == "H" and smart and not old and rng.random() < 0.5 and start < date(2023, 10, 1):
                contracts[-1][1:] = ["E-BASIC", start, date(2024, 2, 14)]
                contracts.append([number, "E-GREEN", date(2024, 2, 15), None])
            if not smart:
                continue
            base = {"E": LEVEL[seg][0], "G": LEVEL[seg][1], "S": 6 if seg == "H" else 40}[m] * size
            hole = rng.choice(DAYS) if rng.random() < 0.3 else None
            for d in DAYS:
                t, sun = weather[d]
                use = base * rng.uniform(0.75, 1.3)
                if seg in "BIP" and d.weekday() == 6 and m == "E":
                    use *= 0.35
                if m == "G":
                    use *= max(0.1, (16 - t) / 14)
                if m == "S":
                    use = base * sun / 4 * rng.uniform(0.8, 1.2)
                quality = "E" if rng.random() < 0.02 else "M"
                if hole and hole <= d < hole + timedelta(days=3):
                    readings.append((number, d, None, "F"))
                else:
                    readings.append((number, d, f"{use:.3f}", quality))
db.write("site", "site_id customer_id street town ss_id feeder_no floor_m2", sites)
db.write("meter", "meter_no site_id medium unit smart installed removed calibrated_until", meters)
db.write("reading", "meter_no read_on used quality", readings)
contracts = [(60100 + i, *c) for i, c in enumerate(contracts)]
db.write("contract", "contract_no meter_no tariff_code start_on end_on", contracts)

bills = []
for no, meter, tariff, start, end in contracts:
    a, b = max(start, date(2023, 1, 1)), min(end or date(2023, 12, 31), date(2023, 12, 31))
    if a >= b:
        continue
    issued = db.day(date(2024, 1, 8), date(2024, 2, 12))
    scale = 0.06 if meter[0] == "S" else 1
    amount = (b - a).days * rng.lognormvariate(1.0, 0.7) * scale * (18 if tariff == "E-PRO" else 1) * (0.35 if meter[0] == "W" else 1)
    if meter[0] == "S" or rng.random() < 0.06:
        amount = -amount * (1 if meter[0] == "S" else 0.2)
    bills.append((f"B24-{len(bills) + 1:05d}", no, a, b, f"{amount:.2f}", issued, db.weighted({"P": 70, "O": 22, "D": 5})))
db.write("bill", "bill_no contract_no period_from period_to amount issued status", bills)

outages = []
for _ in range(46):
    ss, n = rng.choice(feeders)[:2] if rng.random() < 0.6 else rng.choice([f for f in feeders if f[3] == "overhead"])[:2]
    began = db.at(db.day(date(2023, 1, 10), date(2024, 3, 10)))
    cause = db.weighted({"ST": 26, "EQ": 22, "DG": 14, "AN": 8, "PL": 20, "UK": 8})
    if cause == "PL":
        began = began.replace(hour=rng.randint(8, 11))
    minutes = max(3, int(rng.lognormvariate(4.2, 0.8)))
    outages.append([ss, None if rng.random() < 0.1 else n, began, began + timedelta(minutes=minutes), cause])
outages.append(["BERG", 1, datetime(2024, 3, 14, 22, 41), None, "ST"])
outages.append(["NORD", None, datetime(2023, 8, 2, 3, 15), datetime(2023, 8, 2, 3, 58), "EQ"])
outages.sort(key=lambda o: o[2])
db.write("outage", "outage_id ss_id feeder_no began ended cause", [(i, *o) for i, o in enumerate(outages, 1)])
