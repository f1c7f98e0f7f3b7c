"""A factory of gearbox parts in September and October of 2024."""

from datetime import date, datetime, time, timedelta

from tables import Database

db = Database("shopfloor", 60931)
rng = db.rng
FIRST, TODAY = date(2024, 9, 2), date(2024, 10, 31)

db.write("area", "area_cd nm", [("H1", "Hall 1 – machining"), ("H2", "Hall 2 – plastics"), ("H3", "Hall 3 – assembly"), ("WH", "Dispatch")])
MACH = [("M-101", "DMG Mori CMX 600", "ML", "H1", 2017, 62), ("M-102", "DMG Mori CMX 600", "ML", "H1", 2019, 62), ("M-103", "Haas VF-2", "ML", "H1", 2009, 48.5),
        ("M-110", "Mazak QT-200", "LT", "H1", 2015, 55), ("M-111", "Mazak QT-250", "LT", "H1", 2021, 58), ("M-112", "TOS SN 50", "LT", "H1", None, 31),
        ("M-201", "Engel victory 120", "IM", "H2", 2014, 44), ("M-202", "Engel victory 200", "IM", "H2", 2018, 51.2), ("M-203", "Arburg Allrounder", "IM", "H2", 2011, 39.9),
        ("M-301", "Assembly cell A", "AS", "H3", 2016, 36), ("M-302", "Assembly cell B", "AS", "H3", 2020, 36), ("M-401", "Packing line", "PK", "WH", 2013, 22)]
STATE = {"M-103": "M", "M-112": "X", "M-203": "I", "M-202": "M"}
db.write("mach", "mach_id nm typ area_cd yr rate_h st", [(*m[:5], f"{m[5]:.2f}", STATE.get(m[0], "R")) for m in MACH])
BY = {}
for m in MACH:
    if m[0] != "M-112":
        BY.setdefault(m[2], []).append(m[0])

LN = "Novák Svoboda Dvořák Černý Procházka Kučera Veselý Horák Němec Marek Pospíšil Szabó Nagy Kovács Tóth Wójcik Popescu Smith Bartoš Říha Šimek Urban".split()
FN = "Jan Petr Jiří Pavel Martin Tomáš Jaroslav Zoltán Eva Hana Lenka Kateřina Lucie Ágnes Ondřej Michal Ewa Radu Věra Filip".split()
emp, skills = [], []
for i in range(34):
    role = "L" if i < 4 else "S" if i < 9 else "O"
    emp.append((301 + i, LN[i % len(LN)] if rng.random() < 0.8 else rng.choice(LN), rng.choice(FN), role, db.day(date(1999, 3, 1), date(2024, 8, 1))))
    kinds = rng.sample(sorted(BY), 1 if role == "O" else 3)
    for m in sorted(m for k in kinds for m in BY[k]):
        if rng.random() < 0.85:
            skills.append((301 + i, m, 3 if role != "O" and rng.random() < 0.5 else db.weighted({2: 7, 1: 3})))
db.write("emp", "emp_no ln fn role hire_dt", emp)
db.write("emp_mach", "emp_no mach_id lvl", skills)
qualified = {}
for e, m, _ in skills:
    qualified.setdefault(m, []).append(e)

DAYS = [FIRST + timedelta(days=d) for d in range((TODAY - FIRST).days + 1)]
WORK = [d for d in DAYS if d.weekday() < 5 and d != date(2024, 10, 28)]
shifts = []
for d in WORK:
    for s in (1, 2, 3):
        if s == 3 and d.weekday() == 4:
            continue
        note = rng.choice(["power dip", "two people ill", "fire drill", "slow start after weekend"]) if rng.random() < 0.07 else None
        shifts.append((d, s, 301 + (d.isocalendar()[1] + s) % 4, note))
db.write("shift", "sh_dt sh_no lead_no note", shifts)
SHIFTS = [(s[0], s[1]) for s in shifts]

ITEMS = [("R-1001", "Aluminium bar EN AW-6082 Ø 60", "R", "kg", 4.15, 830, 500), ("R-1002", "Steel bar 16MnCr5 Ø 40", "R", "kg", 1.92, 2100, 1500), ("R-1003", "Granulate PA66 GF30", "R", "kg", 3.48, 310, 400),
         ("R-1004", "Granulate POM natural", "R", "kg", 2.75, 640, 300), ("R-1005", "Seal cord 3 mm", "R", "m", 0.62, 120, 200), ("R-1006", "Ball bearing 6203", "R", "pcs", 2.1, 1850, 1000),
         ("R-1007", "Screw M5x16", "R", "pcs", 0.031, 24000, 10000), ("S-2001", "Shaft 24 mm", "S", "pcs", 6.8, 410, 150), ("S-2002", "Shaft 28 mm", "S", "pcs", 7.35, 95, 150),
         ("S-2003", "Housing half, left", "S", "pcs", 14.9, 220, 100), ("S-2004", "Housing half, right", "S", "pcs", 14.9, 205, 100), ("S-2005", "Gear wheel 48 teeth", "S", "pcs", 3.2, 900, 300),
         ("S-2006", "Cover cap", "S", "pcs", 0.42, 5200, None), ("S-2007", "Regrind PA66", "S", "kg", 1.1, 75, None), ("F-3001", "Gearbox GX-24", "F", "pcs", 61.5, 44, 20), ("F-3002", "Gearbox GX-28", "F", "pcs", 68.9, 12, 20), ("F-3003", "Actuator AK-5", "F", "pcs", 29.4, 130, None)]
db.write("item", "item_no descr typ uom std_cost stk stk_min", ITEMS)
BOM = [("S-2001", "R-1002", 1.15), ("S-2002", "R-1002", 1.4), ("S-2003", "R-1001", 2.2), ("S-2004", "R-1001", 2.2), ("S-2005", "R-1004", 0.085), ("S-2006", "R-1003", 0.022),
       ("F-3001", "S-2001", 1), ("F-3001", "S-2003", 1), ("F-3001", "S-2004", 1), ("F-3001", "S-2005", 2), ("F-3001", "R-1006", 2), ("F-3001", "R-1007", 8), ("F-3001", "R-1005", 0.55),
       ("F-3002", "S-2002", 1), ("F-3002", "S-2003", 1), ("F-3002", "S-2004", 1), ("F-3002", "S-2005", 3), ("F-3002", "R-1006", 2), ("F-3002", "R-1007", 10), ("F-3002", "R-1005", 0.6),
       ("F-3003", "S-2001", 1), ("F-3003", "S-2006", 2), ("F-3003", "R-1007", 4)]
db.write("bom", "item_no comp_no qty", BOM)
CUST = [("ACME", "Acme Conveyors Ltd", "GB"), ("BRNO", "Brněnské strojírny a.s.", "CZ"), ("KUKA", "Kübler Antriebe GmbH", "DE"), ("LIND", "Lindström Hydraulik AB", "SE"),
        ("MOTR", "Motoréducteurs Rhône SA", "FR"), ("SCHW", "Schwäbische Getriebe KG", "DE"), ("ZETA", "Zeta Automazione S.r.l.", "IT"), ("NORD", "Nordtech A/S", "DK")]
db.write("cust", "cust_cd nm ctry", CUST)

ROUTE = {"S-2001": [("LT", "turn", 95), ("ML", "mill keyway", 70)], "S-2002": [("LT", "turn", 105), ("ML", "mill keyway", 80)], "S-2003": [("ML", "mill", 240), ("ML", "drill and tap", 90)],
         "S-2004": [("ML", "mill", 240), ("ML", "drill and tap", 90)], "S-2005": [("IM", "mould", 28)], "S-2006": [("IM", "mould", 14)],
         "F-3001": [("AS", "assemble", 420), ("AS", "test run", 180), ("PK", "pack", 60)], "F-3002": [("AS", "assemble", 480), ("AS", "test run", 180), ("PK", "pack", 60)],
         "F-3003": [("AS", "assemble", 260), ("PK", "pack", 40)]}
RSN = [("D01", "tool change", "D"), ("D02", "no material", "D"), ("D03", "electrical fault", "D"), ("D04", "hydraulic leak", "D"), ("D05", "preventive maintenance", "D"), ("D06", "no operator", "D"),
       ("D07", "set-up", "D"), ("S01", "out of tolerance", "S"), ("S02", "surface scratch", "S"), ("S03", "short shot", "S"), ("S04", "wrong assembly", "S"), ("S05", "material defect", "S"), ("S06", "set-up piece", "S")]
db.write("rsn", "rsn_cd txt use_for", RSN)
WHY = {"LT": ["S01", "S06", "S02", "S05"], "ML": ["S01", "S02", "S06", "S05"], "IM": ["S03", "S06", "S02"], "AS": ["S04", "S02"], "PK": ["S02"]}
BAD = {"M-103": 0.055, "M-203": 0.045, "M-101": 0.018, "M-401": 0.001}
SPEC = [("S-2001", "DIA", 24, 23.98, 24.0), ("S-2001", "LEN", 140, 139.8, 140.2), ("S-2002", "DIA", 28, 27.98, 28.0), ("S-2002", "RGH", 0.8, None, 1.6), ("S-2003", "DIA", 40, 40.0, 40.025),
        ("S-2004", "DIA", 40, 40.0, 40.025), ("S-2005", "WGT", 84, 82.5, 85.5), ("F-3001", "TRQ", 12, 10.5, 13.5), ("F-3002", "TRQ", 16, 14.5, 17.5)]
db.write("spec", "item_no chr_cd nom lo hi", SPEC)

typ = {m[0]: m[2] for m in MACH}
wo, ops, bkg, scrap, meas = [], [], [], [], []
made = sorted(ROUTE)
for i in range(96):
    no = 24100 + i * 3 + rng.randint(0, 2)
    item = rng.choice(made)
    final = item.startswith("F")
    qty = rng.choice([10, 15, 20, 25, 40, 60]) if final else rng.choice([500, 800, 1200, 2000]) if item in ("S-2005", "S-2006") else rng.choice([60, 80, 100, 150, 200])
    rel = FIRST + timedelta(days=int(i * 0.62)) + timedelta(days=rng.randint(0, 3))
    rel = min(rel, TODAY)
    due = rel + timedelta(days=rng.randint(4, 12))
    prio = db.weighted({3: 7, 2: 2, 1: 1})
    state = None
    if rng.random() < 0.04:
        state = "CX"
    elif rel > TODAY - timedelta(days=3) or i > 90:
        state = rng.choice(["PL", "RL"])
    route = [(op * 10 + 10, db.skewed(BY[kind]), text, sec) for op, (kind, text, sec) in enumerate(ROUTE[item])]
    ops += [(no, *r) for r in route]
    at = next(k for k, s in enumerate(SHIFTS) if s[0] >= min(rel, WORK[-1])) + rng.randint(0, 12)
    fin, left, done = None, qty, state is None
    if state is None:
        for op, m, _, sec in route:
            todo, good = left, 0
            while todo > 0:
                if at >= len(SHIFTS):
                    done = False
                    break
                n = min(todo, max(1, int(7 * 3600 / sec * rng.uniform(0.25, 0.8))))
                bad = sum(rng.random() < BAD.get(m, 0.012) for _ in range(n))
                who = rng.choice(qualified[m]) if rng.random() < 0.94 else rng.choice(emp)[0]
                bkg.append([no, op, *SHIFTS[at], who, n - bad, bad])
                if bad:
                    first = db.skewed(WHY[typ[m]])
                    other = [r for r in WHY[typ[m]] if r != first]
                    part = rng.randint(1, bad - 1) if bad > 2 and other and rng.random() < 0.5 else bad
                    scrap.append([bkg[-1], first, part])
                    if part < bad:
                        scrap.append([bkg[-1], rng.choice(other), bad - part])
                todo -= n
                good += n - bad
                fin = SHIFTS[at][0]
                at += rng.choice([1, 2, 3, 6])
            left = good
            if not done:
                break
        state = "DN" if done else "IP" if fin else "RL"
        if fin:
            for it, ch, nom, lo, hi in SPEC:
                if it == item:
                    width = hi - (lo if lo is not None else nom / 2)
                    mid = (hi + lo) / 2 if lo is not None else nom
                    drift = rng.gauss(0, width / 6)
                    for s in range(1, rng.randint(4, 9)):
                        meas.append((no, ch, s, f"{rng.gauss(mid + drift, width / 6.2):.3f}", datetime.combine(fin, time(rng.randint(6, 21), rng.randint(0, 59)))))
    wo.append((no, item, rng.choice(CUST[:7])[0] if final or rng.random() < 0.25 else None, qty, prio, None if state == "PL" else rel, due, fin if state == "DN" else None, state))
db.write("wo", "wo_no item_no cust_cd qty_ord prio rel_dt due_dt fin_dt st", wo)
db.write("wo_op", "wo_no op_no mach_id descr std_sec", ops)
bkg.sort(key=lambda b: b[2:4])
place = {id(b): n for n, b in enumerate(bkg, 9001)}
db.write("bkg", "bkg_id wo_no op_no sh_dt sh_no emp_no qty_ok qty_nok", [(place[id(b)], *b) for b in bkg])
db.write("scrap", "bkg_id rsn_cd qty", sorted((place[id(b)], r, q) for b, r, q in scrap))
db.write("meas", "wo_no chr_cd smp_no val ts", meas)

WEIGHT = {"M-103": 9, "M-203": 7, "M-201": 4, "M-101": 4, "M-110": 4, "M-202": 3, "M-102": 3, "M-301": 2, "M-302": 2, "M-111": 1}
down = []
for _ in range(150):
    m = db.weighted(WEIGHT)
    beg = datetime.combine(rng.choice(WORK), time(rng.randint(0, 23), rng.randint(0, 59)))
    r = db.weighted({"D01": 30, "D02": 15, "D03": 10, "D04": 6, "D05": 10, "D06": 8, "D07": 20})
    if r == "D04" and typ[m] == "AS":
        r = "D02"
    minutes = max(4, int(rng.expovariate(1 / {"D01": 25, "D02": 70, "D03": 140, "D04": 200, "D05": 180, "D06": 90, "D07": 45}[r])))
    down.append((m, beg, beg + timedelta(minutes=minutes), r, r in ("D05", "D07") or r == "D01" and rng.random() < 0.5))
down.append(("M-103", datetime(2024, 10, 31, 9, 42), None, "D04", False))
down.append(("M-202", datetime(2024, 10, 30, 14, 5), None, "D05", True))
down.append(("M-112", datetime(2024, 8, 27, 6, 0), None, "D03", False))
down.sort(key=lambda d: d[1])
db.write("dtm", "dtm_id mach_id beg_ts end_ts rsn_cd pln", [(n, *d) for n, d in enumerate(down, 1)])
