"""A hotel by a lake; as it was on 2024-09-15."""
import datetime as dt

from tables import Database

db = Database("hotel", 811)
R = db.rng

TODAY = dt.date(2024, 9, 15)  # the day on which the data were taken
DAY = dt.timedelta(1)

TYPES = [("SGL", "Single", 1, 16, 0, 72), ("DBL", "Double", 2, 22, 0, 98), ("DLV", "Double with lake view", 2, 24, 1, 126), ("FAM", "Family room", 4, 34, 0, 142),
         ("JSU", "Junior suite", 3, 40, 1, 185), ("TOW", "Tower suite", 2, "", 1, 290)]
db.write("room_type", "type_code name max_guests size_sqm lake_view", [t[:5] for t in TYPES])
BASE = {t[0]: t[5] for t in TYPES}

PLAN = {1: "SGL SGL DBL DBL DBL FAM DBL FAM", 2: "SGL DBL DBL DLV DLV DLV FAM DBL DBL", 3: "SGL DBL DLV DLV DLV DLV FAM JSU DBL", 4: "DBL DLV DLV JSU JSU", 5: "TOW"}
rooms = []
for floor, types in PLAN.items():
    for i, t in enumerate(types.split(), 1):
        rooms.append((floor * 100 + i, t, floor, int(floor == 1 and i in (3, 6)), {104: "R", 209: "R", 303: "X"}.get(floor * 100 + i, "A")))
db.write("room", "room_no type_code floor step_free status", rooms)

SEASONS = [(1, "Winter 2023/24", dt.date(2023, 11, 1), dt.date(2024, 3, 21), .85), (2, "Easter 2024", dt.date(2024, 3, 22), dt.date(2024, 4, 7), 1.1), (3, "Spring 2024", dt.date(2024, 4, 8), dt.date(2024, 6, 14), 1),
           (4, "Summer 2024", dt.date(2024, 6, 15), dt.date(2024, 9, 8), 1.3), (5, "Autumn 2024", dt.date(2024, 9, 9), dt.date(2024, 10, 31), .95)]
db.write("season", "season_id label date_from date_to", [s[:4] for s in SEASONS])
rates, price = [], {}
for t in TYPES:
    for s in SEASONS:
        for board, extra in (("room only", 0), ("breakfast", 14), ("half board", 39)):
            if t[0] == "TOW" and board == "room only" or t[0] == "SGL" and board == "half board" and s[0] == 1:
                continue
            p = round(t[5] * s[4] + extra * min(t[2], 2))
            rates.append((t[0], s[0], board, f"{p}.00"))
            price[t[0], s[0], board] = p
db.write("rate", "type_code season_id board price", rates)

NAMES = {"DE": ("Müller Schmidt Schröder Köhler Weiß Lang Böhm Krüger Vogel Groß", "Jürgen Anke Sabine Björn Heike Uwe Käthe Lars"),
         "AT": ("Gruber Huber Pichler Moser Wögerbauer", "Franz Maria Sepp Elfriede"), "CH": ("Zürcher Meier Favre Bianchi Ammann", "Urs Chantal Reto Beat"),
         "IT": ("Rossi Esposito De Luca Conti", "Giulia Paolo Niccolò Chiara"), "NL": ("de Vries;van den Berg;Bakker;Visser", "Sjoerd Femke Daan Anouk"),
         "FR": ("Lefèvre Dubois Moreau Béranger", "Élodie Luc Océane François"), "UK": ("O'Brien Taylor Evans Whitfield", "Sean Emma Gareth Olivia"),
         "US": ("Johnson Nguyen Garcia Smith", "Tyler Ashley Linh Brad"), "CZ": ("Novák Dvořáková Černý Růžička", "Jiří Zdeňka Tomáš Šárka"),
         "PL": ("Kowalski Wójcik Łukasiewicz", "Paweł Małgorzata Michał"), "DK": ("Sørensen Møller Kjær", "Søren Åse Mads")}
guests, seen = [], set()
while len(guests) < 150:
    c = R.choices(list(NAMES), [40, 14, 14, 8, 9, 6, 6, 4, 5, 4, 3])[0]
    last, first = NAMES[c]
    last = R.choice(last.split(";") if ";" in last else last.replace("De Luca", "De_Luca").split()).replace("_", " ")
    first = R.choice(first.split())
    if (last, first) in seen and R.random() < .93:
        continue
    seen.add((last, first))
    n = len(guests) + 1
    guests.append((n, last, first, c, "" if R.random() < .25 else dt.date(1942, 1, 1) + dt.timedelta(R.randrange(22500)),
                   "" if R.random() < .3 else f"guest{n:03d}@{R.choice(['post', 'mail', 'web'])}.example", R.choices([0, 1, 2, 3], [75, 14, 8, 3])[0]))
db.write("guest", "guest_id last_name first_name country birth_date email vip_level", guests)

eager = [R.paretovariate(1.6) for _ in guests]
for g in (12, 40, 77, 103, 126, 140):
    eager[g] = 0  # on the mailing list only
bookings = []
for room in rooms:
    if room[4] == "X":
        continue
    at = dt.date(2023, 11, 3) + dt.timedelta(R.randrange(12))
    while at < dt.date(2024, 10, 25):
        season = next(s for s in SEASONS if s[2] <= at <= s[3])
        at += dt.timedelta(int(R.expovariate(1 / {1: 48, 2: 14, 3: 33, 4: 13, 5: 40}[season[0]])))
        if at > dt.date(2024, 10, 25) or room[4] == "R" and at > dt.date(2024, 8, 20):
            break
        season = next(s for s in SEASONS if s[2] <= at <= s[3])
        nights = min(R.choices([1, 2, 3, 4, 5, 7, 10, 14], [14, 24, 20, 10, 6, 18, 4, 4])[0], (dt.date(2024, 10, 31) - at).days)
        g = R.choices(guests, eager)[0]
        cap = next(t[2] for t in TYPES if t[0] == room[1])
        adults = 1 if cap == 1 else R.choices([1, 2], [2, 8])[0]
        children = R.choice([0, 1, 2]) if room[1] == "FAM" else R.choice([0, 0, 1]) if room[1] == "JSU" and adults == 2 else 0
        board = R.choices(["room only", "breakfast", "half board"], [2, 6, 3])[0]
        if (room[1], season[0], board) not in price:
            board = "breakfast"
        channel = R.choices(["WE", "OT", "PH", "WI", "AG"], [30, 38, 18, 5, 9])[0]
        lead = 0 if channel == "WI" else min(int(R.expovariate(1 / 38)), 250)
        booked = dt.datetime.combine(at - lead * DAY, dt.time(R.randrange(8, 22), R.randrange(60), R.randrange(60)))
        if booked.date() > TODAY:
            booked -= dt.timedelta(60)
        bad = R.random()
        status = "CX" if bad < .09 and channel != "WI" else "NS" if bad < .105 and at < TODAY and channel != "WI" else "OU" if at + nights * DAY <= TODAY else "IN" if at <= TODAY else "BK"
        p = price[room[1], season[0], board] * R.choices([1, .9, .85], [80, 14, 6])[0]
        bookings.append([booked, g[0], room[0], at, at + nights * DAY, adults, children, board, channel, status, f"{p:.2f}"])
        if status not in ("CX", "NS"):
            at += nights * DAY
        else:
            at += DAY
bookings.sort(key=lambda b: (b[0], b[2]))
bookings = [(4001 + i, b[1], b[2], b[0], *b[3:]) for i, b in enumerate(bookings)]
db.write("booking", "booking_id guest_id room_no booked_at arrival departure adults children board channel status price_night", bookings)

invoices, items, payments = [], [], []
for b in sorted((b for b in bookings if b[10] == "OU"), key=lambda b: (b[5], b[0])):
    no = f"{b[5].year}-{len(invoices) + 1:05d}"
    nights = (b[5] - b[4]).days
    rows = [("LOD", nights, b[11]), ("TAX", nights * b[6], "2.60")]
    for kind, odds, qty, unit in (("MIN", .3, (1, 6), ("4.50", "3.20", "7.00")), ("SPA", .18, (1, 3), ("35.00", "60.00", "85.00")), ("PRK", .4, (nights, nights), ("12.00",)), ("RES", .3, (1, 4), ("24.50", "31.00", "18.90"))):
        if R.random() < odds:
            rows.append((kind, R.randint(*qty), R.choice(unit)))
    cents = sum(q * round(float(u) * 100) for _, q, u in rows)
    agency = b[9] == "AG"
    invoices.append((no, b[0], b[5], b[5] + dt.timedelta(30 if agency else 0), f"{cents / 100:.2f}"))
    items += [(no, i, *r) for i, r in enumerate(rows, 1)]
    luck = R.random()
    if agency:
        if luck < .8:
            paid = b[5] + dt.timedelta(R.randrange(5, 55))
            if paid <= TODAY:
                payments.append((paid, no, "transfer", cents))
    elif luck < .05:
        part = round(cents * .5)
        payments.append((b[5], no, "voucher", part))
        if luck < .03:
            payments.append((b[5], no, "card", cents - part))
    elif luck < .98:
        payments.append((b[5], no, R.choices(["card", "cash", "transfer"], [75, 20, 5])[0], cents))
payments.sort(key=lambda p: (p[0], p[1]))
db.write("invoice", "invoice_no booking_id issued due total", invoices)
db.write("invoice_item", "invoice_no line kind qty unit_price", items)
db.write("payment", "payment_id invoice_no paid_on method amount", [(i, p[1], p[0], p[2], f"{p[3] / 100:.2f}") for i, p in enumerate(payments, 1)])

STAFF = [(1, "Maja Kovačević", "housekeeping", "2016-04-01", ""), (2, "Rosa Almeida", "housekeeping", "2019-03-15", ""), (3, "Ayşe Yıldız", "housekeeping", "2021-05-01", ""), (4, "Ilse Brandt", "housekeeping", "2008-06-01", "2024-08-11"),
         (5, "Nguyễn Thị Hoa", "housekeeping", "2023-12-01", ""), (6, "Peter Lang", "reception", "2012-02-01", ""), (7, "Chiara Conti", "reception", "2020-08-15", ""), (8, "Tomasz Wójcik", "reception", "2022-04-01", "2023-10-31"),
         (9, "Josef Moser", "maintenance", "2005-01-10", ""), (10, "Dragan Ilić", "maintenance", "2018-09-01", ""), (11, "Lena Vogel", "housekeeping", "2024-09-01", "")]
db.write("employee", "employee_id name role hired left_on", STAFF)
done = {}
for b in bookings:
    if b[10] not in ("OU", "IN"):
        continue
    d = b[4] + DAY
    while d <= min(b[5], TODAY):
        if d.month == 8 and d.year == 2024 and (d == b[5] or R.random() < .5):
            done[b[2], d] = "D" if d == b[5] else "S"
        d += DAY
for r in rooms:
    if r[4] != "X" and R.random() < .5 and (r[0], dt.date(2024, 8, 1)) not in done:
        done[r[0], dt.date(2024, 8, 1)] = "G"
cleanings = []
for (no, d), kind in sorted(done.items(), key=lambda x: (x[0][1], x[0][0])):
    who = R.choices([1, 2, 3, 4, 5], [6, 5, 5, 4 if d <= dt.date(2024, 8, 11) else 0, 2])[0]
    size = {"SGL": .8, "DBL": 1, "DLV": 1, "FAM": 1.4, "JSU": 1.6, "TOW": 2}[next(r[1] for r in rooms if r[0] == no)]
    minutes = round({"S": 17, "D": 32, "G": 75}[kind] * size * R.uniform(.8, 1.25) * {1: .9, 5: 1.2}.get(who, 1))
    remark = R.choice(["shower drips", "bulb replaced", "lost property: scarf", "carpet stained", "lost property: phone charger", "window does not close"]) if R.random() < .05 else ""
    cleanings.append((no, d, who, kind, "" if R.random() < .04 else minutes, remark))
db.write("cleaning", "room_no clean_date employee_id kind minutes remark", cleanings)
