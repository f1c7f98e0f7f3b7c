"""A regional airline; four weeks of flights from 2024-01-29 on."""
import datetime as dt
import math

from tables import Database

db = Database("airline", 5150)
R = db.rng
DAY = dt.timedelta(1)

AIRPORTS = [("BGO", "Flesland", "Bergen", "Norway", 170, 2990, 60.3, 5.2), ("OSL", "Gardermoen", "Oslo", "Norway", 681, 3600, 60.2, 11.1), ("TOS", "Langnes", "Tromsø", "Norway", 31, 2447, 69.7, 18.9),
            ("AES", "Vigra", "Ålesund", "Norway", 69, 2314, 62.6, 6.1), ("TRD", "Værnes", "Trondheim", "Norway", 56, 2999, 63.5, 10.9), ("CPH", "Kastrup", "København", "Denmark", 17, 3600, 55.6, 12.7),
            ("ARN", "Arlanda", "Stockholm", "Sweden", 137, 3301, 59.7, 17.9), ("GOT", "Landvetter", "Göteborg", "Sweden", 506, 3300, 57.7, 12.3), ("KEF", "Keflavík", "Reykjavík", "Iceland", 171, 3065, 64.0, -22.6),
            ("ABZ", "Dyce", "Aberdeen", "United Kingdom", 215, 1953, 57.2, -2.2), ("HEL", "Vantaa", "Helsinki", "Finland", 179, 3500, 60.3, 25.0), ("SVJ", "Helle", "Svolvær", "Norway", 27, 857, 68.2, 14.7),
            ("LYR", "Longyear", "Longyearbyen", "Norway", "", 2483, 78.2, 15.5)]
db.write("airports", "iata name city country elev_ft longest_rwy_m", [a[:6] for a in AIRPORTS])
AT = {a[0]: a[6:] for a in AIRPORTS}

TYPES = [("AT76", "ATR", "72-600", 70, 0, 1520), ("DH8A", "De Havilland Canada", "Dash 8-100", 39, 0, 1890), ("E290", "Embraer", "E190-E2", 96, 12, 5270), ("E195", "Embraer", "E195", 104, 12, 4260), ("A20N", "Airbus", "A320neo", 150, 24, 6300)]
db.write("aircraft_types", "icao_type maker model seats_y seats_c range_km", TYPES)
FLEET = [("LN-WDA", "DH8A", "Lundefugl", "1996-05-14", "O", ""), ("LN-WDB", "DH8A", "Havørn", "1997-02-20", "O", "2023-10-31"), ("LN-WDC", "DH8A", "", "1998-11-03", "O", ""), ("LN-WAT", "AT76", "Fjellrev", "2014-03-28", "D", ""),
         ("LN-WAU", "AT76", "Moskus", "2014-06-12", "D", ""), ("LN-WAV", "AT76", "", "2019-09-02", "O", ""), ("LN-WEA", "E290", "Nordlys", "2018-04-24", "O", ""), ("LN-WEB", "E290", "Midnattssol", "2018-07-09", "O", ""),
         ("LN-WEC", "E290", "", "2022-05-30", "D", ""), ("LN-WEK", "E195", "Polarlys", "2011-10-18", "D", "2024-02-12"), ("EI-XKA", "A20N", "", "2021-12-01", "W", "")]
db.write("aircraft", "reg icao_type nickname delivered owner_kind retired", FLEET)

PAIRS = [("BGO", "OSL", "1234567", "06:50", "E290"), ("BGO", "AES", "12345.7", "07:35", "AT76"), ("BGO", "TRD", "1234567", "08:10", "AT76"), ("BGO", "CPH", "12345.7", "09:25", "E290"), ("BGO", "ABZ", "1.3.5..", "10:40", "AT76"),
         ("OSL", "TOS", "1234567", "11:05", "E290"), ("OSL", "KEF", "..3.5.7", "13:15", "A20N"), ("OSL", "ARN", "12345..", "15:20", "E195"), ("OSL", "HEL", "1.3.5.7", "16:30", "E290"), ("TOS", "SVJ", "12345.7", "08:00", "DH8A"),
         ("OSL", "LYR", "2..5...", "12:30", "E290"), ("BGO", "GOT", ".2.4...", "14:45", "AT76")]


def km(a, b):
    (p, q), (r, s) = AT[a], AT[b]
    p, q, r, s = map(math.radians, (p, q, r, s))
    return round(6371 * math.acos(math.sin(p) * math.sin(r) + math.cos(p) * math.cos(r) * math.cos(q - s)))


routes, kind = [], {}
for i, (a, b, days, at, t) in enumerate(PAIRS):
    days = "".join(d if d in days else "." for d in "1234567")
    block = round((km(a, b) / (8 if t in ("AT76", "DH8A") else 12.2) + 25) / 5) * 5
    out = dt.datetime(2024, 1, 1, *map(int, at.split(":")))
    back = out + dt.timedelta(minutes=block + 40)
    for no, x, y, dep in ((f"NX{100 + 2 * i + 1}", a, b, out), (f"NX{100 + 2 * i + 2}", b, a, back)):
        routes.append((no, x, y, km(a, b), dep.time(), block, days))
        kind[no] = t
db.write("routes", "flight_no dep_iata arr_iata distance_km sched_dep block_min days", routes)

CODES = [("11", "passenger", "Late check-in, acceptance after deadline"), ("15", "passenger", "Boarding, discrepancies and paging"), ("32", "airline", "Loading or unloading of baggage"), ("36", "airline", "Fuelling"), ("41", "technical", "Aircraft defects"),
         ("43", "technical", "Non-scheduled maintenance"), ("63", "airline", "Late crew boarding"), ("71", "weather", "Weather at departure station"), ("75", "weather", "De-icing of aircraft"), ("76", "weather", "Removal of snow, ice and sand from airport"),
         ("81", "air traffic", "Air traffic flow management, en-route demand"), ("83", "air traffic", "Restrictions at destination airport"), ("93", "reactionary", "Aircraft rotation, late arrival from another flight"), ("85", "passenger", "Mandatory security")]
db.write("delay_codes", "code grp meaning", CODES)
CAUSE = {"11": 2, "15": 5, "32": 6, "36": 2, "41": 5, "43": 1, "63": 2, "71": 5, "75": 12, "76": 3, "81": 7, "83": 4, "93": 12}

flights, delays = [], []
date = dt.date(2024, 1, 29)
while date <= dt.date(2024, 2, 25):
    storm = date in (dt.date(2024, 1, 31), dt.date(2024, 2, 1), dt.date(2024, 2, 16))
    late = {}
    for no, a, b, dist, dep, block, days in routes:
        if str(date.isoweekday()) not in days:
            continue
        pool = [f[0] for f in FLEET if f[1] == kind[no] and f[3] <= str(date) and (not f[5] or f[5] > str(date))] or ["LN-WEC"]
        pair = (int(no[2:]) - 1) // 2
        reg = pool[(pair + date.toordinal()) % len(pool)] if R.random() < .8 else R.choice(pool)
        if R.random() < (.22 if storm and b in ("TOS", "SVJ", "LYR", "AES", "KEF") or storm and a in ("TOS", "SVJ", "LYR", "AES", "KEF") else .012):
            flights.append((no, date, "" if R.random() < .6 else reg, "CNL", "", "", ""))
            continue
        d = round(R.gauss(-1, 4)) if R.random() < (.35 if storm else .72) else 6 + int(R.expovariate(1 / (48 if storm else 22)))
        if int(no[2:]) % 2 == 0 and late.get(pair, 0) > 20:
            d = max(d, late[pair] - R.randrange(0, 12))
        late[pair] = d
        div = R.random() < (.06 if storm else .004)
        fuel = round(dist * {"AT76": 1.9, "DH8A": 1.6, "E290": 2.9, "E195": 3.4, "A20N": 3.8}[kind[no]] * R.uniform(.94, 1.1) + 350)
        flights.append((no, date, reg, "DIV" if div else "ARR", d, "" if div else d + round(R.gauss(-3, 5)), "" if R.random() < .03 else fuel))
        if d >= 15:
            if int(no[2:]) % 2 == 0 and d > 20 and R.random() < .7:
                codes = ["93"]
            else:
                codes = [R.choices(list(CAUSE), [v * (6 if storm and k in ("71", "75", "76") else 1) for k, v in CAUSE.items()])[0]]
            if d > 35 and R.random() < .5:
                codes.append(R.choice([c for c in CAUSE if c not in codes]))
            cut = R.randrange(8, d - 8) if len(codes) > 1 else d
            delays += [(no, date, c, m) for c, m in zip(codes, (cut, d - cut)) if m]
    date += DAY
db.write("flights", "flight_no flight_date reg status dep_delay arr_delay fuel_kg", flights)
db.write("flight_delays", "flight_no flight_date code minutes", delays)

SUR = "Hansen Olsen Bjørnstad Sørlie Øvrebø Åsheim Dahl Grønli Jónsdóttir Järvinen Lindqvist Nygård Haugen Kjærstad Solberg Moe Strand Wærness Persson McLeod".split()
GIV = "Ingrid Håkon Sigrún Øystein Åse Bjørn Kari Jon Erlend Maja Pål Tuva Léa Anders Märta Solveig Rune Siri".split()
crew, taken = [], set()
for i, (rank, n) in enumerate([("CPT", 9), ("FO", 10), ("PU", 8), ("CC", 13)]):
    for j in range(n):
        while True:
            s, g = R.choice(SUR), R.choice(GIV)
            if (s, g) not in taken:
                break
        taken.add((s, g))
        crew.append((f"{10 + 20 * i + j:05d}", s, g, rank, R.choices(["BGO", "OSL", "TOS"], [5, 4, 2])[0], dt.date(2001, 3, 1) + dt.timedelta(R.randrange(8200)),
                     dt.date(2024, 2, 1) + dt.timedelta(R.randrange(20, 400)) if rank in ("CPT", "FO") else ""))
crew[12] = (*crew[12][:6], dt.date(2024, 2, 10))
db.write("crew", "staff_no surname given_name crew_rank base joined licence_until", crew)

rota = []
for f in flights:
    if f[3] == "CNL" or f[1] < dt.date(2024, 2, 12) or f[1] > dt.date(2024, 2, 18):
        continue
    for rank, n in (("CPT", 1), ("FO", 1), ("PU", 1), ("CC", 0 if kind[f[0]] == "DH8A" else 1)):
        pool = [c for c in crew if c[3] == rank and c[0] not in ("00018", "00060")]
        for c in R.sample(pool, n):
            rota.append((f[0], f[1], c[0], 0))
    if R.random() < .06:
        c = R.choice(crew)
        if not any(x[:3] == (f[0], f[1], c[0]) for x in rota):
            rota.append((f[0], f[1], c[0], 1))
db.write("flight_crew", "flight_no flight_date staff_no deadhead", rota)

by_day = {}
for f in flights:
    by_day.setdefault(f[1], []).append(f)
PAX = "ANDERSEN BERG BJORNSTAD ERIKSEN FOSS GARCIA HALVORSEN JOHANSSON KOWALSKI LARSEN MACDONALD NILSEN OYEN PEDERSEN RASMUSSEN SMITH SVENSSON TANAKA VIRTANEN".split()
NAMES = [("KARI", "MRS"), ("OLA", "MR"), ("INGER", "MS"), ("JAN", "MR"), ("EVA", "MRS"), ("TOM", "MR"), ("ANNE", "MS"), ("PER", "MR"), ("LIV", "MRS"), ("AKIRA", "MR")]
bookings, legs, pnrs, taken = [], [], set(), set()
ROUTE = {r[0]: r for r in routes}
hot = {r[0]: R.paretovariate(1.5) for r in routes}
while len(bookings) < 420:
    pnr = "".join(R.choice("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(6))
    if pnr in pnrs:
        continue
    pnrs.add(pnr)
    f = R.choices(flights, [hot[f[0]] for f in flights])[0]
    trip = [f]
    if R.random() < .45:
        later = [x for d in range(1, 8) for x in by_day.get(f[1] + d * DAY, []) if ROUTE[x[0]][1:3] == ROUTE[f[0]][2:0:-1]]
        if later:
            trip.append(R.choice(later))
    cabin = "C" if kind[f[0]] in ("E290", "E195", "A20N") and R.random() < .12 else "Y"
    fare = sum((40 + ROUTE[x[0]][3] * .09) * R.lognormvariate(0, .35) for x in trip) * (2.4 if cabin == "C" else 1)
    g, t = R.choice(NAMES)
    bookings.append((pnr, f"{R.choice(PAX)}/{g} {t}", f[1] - dt.timedelta(int(R.expovariate(1 / 24))), R.choices(["web", "app", "agent", "phone"], [45, 33, 17, 5])[0], f"{fare:.2f}", f"{len(trip) * 18.4:.2f}",
                     R.choices(["", "B", "S", "G"], [55, 28, 11, 6])[0]))
    for i, x in enumerate(trip, 1):
        c = cabin if kind[x[0]] in ("E290", "E195", "A20N") else "Y"
        seat = "" if R.random() < .15 else f"{R.randrange(1, 4) if c == 'C' else R.randrange(4, 22)}{R.choice('ACDF')}"
        while (x[:2], seat) in taken:
            seat = f"{R.randrange(1, 4) if c == 'C' else R.randrange(4, 22)}{R.choice('ACDF')}"
        if seat:
            taken.add((x[:2], seat))
        legs.append((pnr, i, x[0], x[1], c, seat, R.choices([0, 1, 2, 3], [50, 38, 10, 2])[0],
                     0 if x[3] == "CNL" or R.random() < .05 else 1))
db.write("bookings", "pnr passenger booked_on channel fare taxes ff_tier", bookings)
db.write("booking_legs", "pnr leg flight_no flight_date cabin seat bags boarded", legs)
