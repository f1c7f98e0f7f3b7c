"""A mixed farm; harvest years 2021 to 2024, as it was on 2024-07-31."""
import datetime as dt
import math

from tables import Database

db = Database("farm", 1848)
R = db.rng
DAY = dt.timedelta(1)
D = dt.date

FIELDS = [(1, "Home Meadow", 4.35, "loam"), (2, "Long Acre", 11.8, "loam"), (3, "Mill Field", 7.25, "clay"), (4, "Church Piece", 3.1, "clay"), (5, "Upper Heath", 14.6, "sand"), (6, "Lower Heath", 12.05, "sand"), (7, "Poplar Corner", 5.9, "loam"),
          (8, "Fen Close", 8.4, "peat"), (9, "Old Orchard", 2.25, "loam"), (10, "Badger's Bank", 6.7, "clay"), (11, "Twelve Acre", 4.86, "loam"), (12, "Twelve Acres", 4.9, "sand"), (13, "Stony Croft", 9.15, "sand"), (14, "Brook Meadow", 6.3, "peat")]
LEASE = {5: D(2026, 9, 30), 6: D(2026, 9, 30), 10: D(2024, 12, 31), 12: D(2024, 9, 30), 14: ""}
db.write("Field", "FieldNo FieldName AreaHa Soil Tenure LeaseEnds SlopePct", [(*f[:2], f"{f[2]:.2f}", f[3], "L" if f[0] in LEASE else "O", LEASE.get(f[0], ""), "" if f[0] in (4, 11) else f"{R.uniform(0, 11):.1f}") for f in FIELDS])
AREA = {f[0]: f[2] for f in FIELDS}
SOIL = {f[0]: f[3] for f in FIELDS}

CROPS = [(1, "Winter wheat", "Skyfall", "CE", "214.00", 8.3), (2, "Winter wheat", "Extase", "CE", "209.50", 8.0), (3, "Spring barley", "Laureate", "CE", "188.00", 5.9), (4, "Winter barley", "Tardis", "CE", "181.00", 7.1), (5, "Oats", "Mascani", "CE", "195.00", 5.6),
         (6, "Oilseed rape", "Aurelia", "OI", "436.00", 3.4), (7, "Potatoes", "Markies", "RO", "172.00", 41), (8, "Potatoes", "Charlotte", "RO", "265.00", 29), (9, "Sugar beet", "Lightning", "RO", "46.50", 74), (10, "Fodder beet", "Brick", "RO", "", 68),
         (11, "Field beans", "Lynx", "LE", "238.00", 4.1), (12, "Peas", "Kactus", "LE", "251.00", 3.6), (13, "Ryegrass", "Dromara", "GR", "", 9.5), (14, "Lucerne", "Daisy", "GR", "", 8.2), (15, "Linseed", "Juliet", "OI", "520.00", 1.9)]
db.write("Crop", "CropId CropName Variety Kind PriceTonne", [c[:5] for c in CROPS])
YIELD = {c[0]: c[5] for c in CROPS}
SEED = {1: 165, 2: 160, 3: 175, 4: 150, 5: 140, 6: 3.5, 7: 2400, 8: 2200, 9: 2.2, 10: 2, 11: 210, 12: 230, 13: 34, 14: 22}

MACHINES = [(1, "Fendt 724 Vario", "tractor", D(2017, 3, 2), "148000.00", 174, ""), (2, "Massey Ferguson 135", "tractor", D(1971, 5, 10), "", 33, ""), (3, "John Deere 6130R", "tractor", D(2014, 8, 19), "86500.00", 96, ""),
            (4, "Claas Lexion 650", "combine", D(2012, 6, 1), "119000.00", 260, ""), (5, "Amazone UX 4200", "sprayer", D(2019, 2, 14), "58700.00", "", ""), (6, "Horsch Pronto 3 DC", "seeder", D(2016, 9, 5), "47250.00", "", ""),
            (7, "Väderstad Rapid 300", "seeder", D(2008, 8, 28), "31900.00", "", D(2022, 10, 15)), (8, "Krone BiG Pack 890", "baler", D(2015, 5, 20), "64000.00", "", ""), (9, "Brantner tipper 12 t", "trailer", D(2010, 7, 7), "11800.00", "", ""), (10, "Case IH 1056 XL", "tractor", D(1988, 4, 12), "", 77, D(2023, 3, 31))]
db.write("Machine", "MachineId MachineName Type BoughtOn Price PowerKw SoldOn", MACHINES)

GOOD = {2021: 1.04, 2022: .88, 2023: .97, 2024: 1.0}
plantings, harvests, work = [], [], []
last = {}
for year in (2021, 2022, 2023, 2024):
    for f in FIELDS:
        no = f[0]
        if no == 9 or no == 13 and year == 2022:  # the orchard; a fallow
            continue
        if no in (1, 14):
            crops = [13] if no == 1 or year < 2023 else [14]
        else:
            pool = {"clay": [1, 2, 2, 6, 11, 5], "loam": [1, 1, 3, 4, 6, 7, 9, 12], "sand": [3, 4, 7, 8, 10, 5], "peat": [7, 9, 10, 3]}[f[3]]
            crops = [R.choice([c for c in pool if CROPS[c - 1][1] not in last.get(no, ())])]
            if AREA[no] > 11 and R.random() < .5:
                crops.append(R.choice([c for c in pool if CROPS[c - 1][1] not in last.get(no, ()) and c != crops[0]]))
        last[no] = {CROPS[c - 1][1] for c in crops}
        part = [.55, .45] if len(crops) == 2 else [R.choice([1, 1, 1, .92])]
        for c, share in zip(crops, part):
            ha = math.floor(AREA[no] * share * 100) / 100
            winter = c in (1, 2, 4, 6)
            sown = D(year - 1, 9, 1) + dt.timedelta(R.randrange(45)) if winter else D(year, 3, 5) + dt.timedelta(R.randrange(50))
            pid = len(plantings) + 1
            organic = int(no in (7, 10) and year >= 2023)
            plantings.append((pid, no, c, year, sown, f"{ha:.2f}", "" if R.random() < .08 else f"{SEED[c] * R.uniform(.95, 1.05):.1f}", organic))
            if year == 2024 and not winter and c not in (12, 13, 14):
                continue  # still standing
            cuts = R.choice([2, 3, 3]) if c in (13, 14) else 1
            for cut in range(1, cuts + 1):
                if year == 2024 and cut > 1 or pid == 7:  # hail took it
                    continue
                on = D(year, 5, 20) + dt.timedelta(42 * (cut - 1) + R.randrange(9)) if c in (13, 14) else {"CE": D(year, 7, 10), "OI": D(year, 7, 8), "RO": D(year, 9, 12), "LE": D(year, 7, 15)}[CROPS[c - 1][3]] + dt.timedelta(R.randrange(24))
                t = ha * YIELD[c] * GOOD[year] * R.uniform(.82, 1.15) * (.74 if organic else 1) / cuts * {1: 1.3, 2: 1, 3: .75}[cut if cuts > 1 else 2]
                harvests.append((pid, cut, on, f"{t:.2f}", "" if CROPS[c - 1][3] == "RO" or R.random() < .1 else f"{R.uniform(12.5, 19):.1f}"))
                work.append((no, 4 if CROPS[c - 1][3] in ("CE", "OI", "LE") else R.choice([1, 3]), on, "HAR" if c not in (13, 14) else "MOW", ha / 1.6))
            if year >= 2023:
                work.append((no, R.choice([1, 1, 3]), sown - dt.timedelta(R.randrange(3, 20)), "PLO", ha / 1.1))
                work.append((no, 6, sown, "SOW", ha / 2.2))
                for _ in range(R.randrange(0, 2 if organic else 4)):
                    work.append((no, 5, min(sown + dt.timedelta(R.randrange(30, 80) + (150 if winter else 0)), D(2024, 7, 28)), "SPR", ha / 6))
                work.append((no, R.choice([2, 3, 3, 10 if sown < D(2023, 1, 1) else 3]), sown + dt.timedelta(R.randrange(5, 40)), "FER", ha / 4))
db.write("Planting", "PlantingId FieldNo CropId HarvestYear SownOn SownHa SeedKgHa Organic", plantings)
db.write("Harvest", "PlantingId Cut HarvestedOn Tonnes MoisturePct", harvests)
USE = {"PLO": 19, "SOW": 11, "SPR": 7, "FER": 8, "MOW": 9, "HAR": 27}
work = sorted((w for w in work if w[2] <= D(2024, 7, 31)), key=lambda w: (w[2], w[0], w[3]))
rows = []
for i, (no, m, on, task, hours) in enumerate(work, 1):
    h = max(.5, round(hours * R.uniform(.85, 1.3) * 2) / 2)
    rows.append((i, no, m, on, task, f"{h:.1f}", "" if R.random() < .06 else f"{h * USE[task] * R.uniform(.85, 1.15):.1f}"))
db.write("FieldWork", "WorkId FieldNo MachineId WorkDate Task Hours DieselL", rows)

COWS = "Bella Daisy Rosie Blossom Primrose Clover Buttercup Molly Heidi Flora Ida Greta Maud Nelly Opal Pearl Ruby Tilly Una Violet Willow Zara".split()
animals, mothers = [], {"cattle": [], "sheep": []}
tag = 1200
for species, n, first in (("cattle", 62, D(2014, 2, 1)), ("sheep", 88, D(2016, 3, 1))):
    for i in range(n):
        old = i < n * .35
        born = first + dt.timedelta(R.randrange(1500)) if old else D(2020, 1, 10) + dt.timedelta(R.randrange(1500))
        if species == "sheep" and not old:
            born = D(R.choice([2021, 2022, 2023, 2024]), R.choice([3, 3, 4]), R.randrange(1, 29))
        sex = "F" if old and i else R.choices("FMC", [5, 2, 3])[0]
        tag += R.choice([1, 1, 2, 5])
        ear = f"{'UK' if species == 'cattle' else 'US'}{tag:07d}"
        mums = [m for m in mothers[species] if (born - m[1]).days > 680 and (not m[2] or m[2] > born)]
        mother = R.choice(mums)[0] if mums and not old and R.random() < .9 else ""
        gone, how = "", ""
        if R.random() < (.16 if old else .3) and born < D(2023, 6, 1):
            gone = max(born + dt.timedelta(400), D(2021, 5, 1)) + dt.timedelta(R.randrange(700))
            gone, how = (gone, R.choices("SDL", [6, 2, 4])[0]) if gone <= D(2024, 7, 31) else ("", "")
        age = (D(2024, 7, 31) - born).days / 365
        w = (min(680, 45 + 260 * age) if species == "cattle" else min(82, 5 + 48 * age)) * R.uniform(.88, 1.12)
        name = COWS.pop(0) if species == "cattle" and sex == "F" and COWS and R.random() < .8 else ""
        animals.append((ear, species, name, sex, born, mother, gone, how, "" if R.random() < .1 else f"{w:.1f}"))
        if sex == "F":
            mothers[species].append((ear, born, gone))
db.write("Animal", "EarTag Species Name Sex Born MotherTag LeftOn LeftHow WeightKg", animals)

DRUGS = {"lameness": ("Ketofen", 4, .8), "mastitis": ("Ubrolexin", 5, .6), "worms": ("Ivermectin", 28, .03), "vaccination": ("Bravoxin", 0, .1), "wound": ("", 0, .3), "pneumonia": ("Resflor", 42, .9)}
treatments = []
sickly = [R.paretovariate(1.2) for _ in animals]
for _ in range(210):
    a = R.choices(animals, sickly)[0]
    end = a[6] or D(2024, 7, 31)
    start = max(a[4] + dt.timedelta(20), D(2022, 1, 3))
    if start >= end:
        continue
    reason = R.choices(list(DRUGS), [6, 5 if a[3] == "F" and a[1] == "cattle" else 0, 8, 7, 3, 3])[0]
    drug, wait, vet = DRUGS[reason]
    treatments.append((start + dt.timedelta(R.randrange((end - start).days)), a[0], reason, drug, "" if not drug else f"{R.uniform(2, 4) if a[1] == 'sheep' else R.uniform(8, 22):.1f}", wait, f"{R.choice([38, 52, 65, 90, 120]):.2f}" if R.random() < vet else ""))
treatments.sort(key=lambda t: (t[0], t[1]))
db.write("Treatment", "TreatmentId EarTag TreatedOn Reason Drug DoseMl WithdrawalDays VetFee", [(i, t[1], t[0], *t[2:]) for i, t in enumerate(treatments, 1)])

weather, d, wet = [], D(2023, 1, 1), False
while d <= D(2024, 7, 31):
    base = 9.5 - 8 * math.cos(2 * math.pi * (d.timetuple().tm_yday - 20) / 365)
    lo = base - R.uniform(1, 6) + R.gauss(0, 1.5)
    wet = R.random() < (.6 if wet else .3)
    rain = f"{R.expovariate(1 / 5) + .2:.1f}" if wet else "0.0"
    if D(2023, 6, 2) <= d <= D(2023, 6, 21):
        rain, wet = "0.0", False
    broken = D(2024, 1, 17) <= d <= D(2024, 1, 21)
    weather.append((d, "" if broken else f"{lo:.1f}", "" if broken else f"{lo + R.uniform(4, 13):.1f}", "" if broken or R.random() < .01 else rain, f"{R.lognormvariate(3.2, .4):.1f}"))
    d += DAY
db.write("Weather", "Day TMin TMax RainMm WindKmh", weather)
