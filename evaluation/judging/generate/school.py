"""A secondary school in England, in the summer of 2024."""

from datetime import date, timedelta

from tables import Database

db = Database("school", 711)
rng = db.rng
YEARS = ["2022/23", "2023/24"]
NOW = YEARS[-1]
db.write("school_year", "school_year starts_on ends_on",
         [("2022/23", date(2022, 9, 5), date(2023, 7, 21)), ("2023/24", date(2023, 9, 4), date(2024, 7, 19))])
TERMS = [("2022/23", 1, date(2022, 9, 5), date(2022, 12, 16)), ("2022/23", 2, date(2023, 1, 3), date(2023, 3, 31)), ("2022/23", 3, date(2023, 4, 17), date(2023, 7, 21)),
         ("2023/24", 1, date(2023, 9, 4), date(2023, 12, 20)), ("2023/24", 2, date(2024, 1, 8), date(2024, 3, 28)), ("2023/24", 3, date(2024, 4, 15), date(2024, 7, 19))]
db.write("term", "school_year term_no starts_on ends_on", TERMS)

SUBJECTS = [("MAT", "Mathematics", 1), ("ENG", "English", 1), ("SCI", "Science", 1), ("HIS", "History", 0), ("GEO", "Geography", 0), ("FRE", "French", 0),
            ("ART", "Art", 0), ("MUS", "Music", 0), ("DT", "Design and Technology", 0), ("PE", "Physical Education", 1)]
db.write("subject", "subject_code subject_name is_core", SUBJECTS)
HOURS = {"MAT": 4, "ENG": 4, "SCI": 4, "HIS": 2, "GEO": 2, "FRE": 3, "ART": 1, "MUS": 1, "DT": 2, "PE": 2}

ROOMS = [(f"A{n}", "classroom", rng.choice([28, 30, 32]), rng.random() < 0.8) for n in range(1, 9)]
ROOMS += [(f"B{n}", "lab", rng.choice([24, 26]), True) for n in range(1, 4)] + [("B4", "classroom", 30, False), ("B5", "classroom", 20, True)]
ROOMS += [("C1", "workshop", 20, False), ("C2", "workshop", 18, False), ("G1", "gym", None, False), ("G2", "gym", None, False), ("H1", "hall", 220, True), ("M1", "classroom", 26, True)]
db.write("room", "room_no kind seats has_projector", ROOMS)

GIRLS = "Amelia Olivia Isla Aisha Zara Freya Siân Grace Chloe Fatima Poppy Niamh Ella Maja Ruby Priya Zoë Lily Hannah Chiamaka Beth Erin".split()
BOYS = "Oliver Harry Mohammed Jack Leo Noah Callum Dylan Kacper Arjun Ethan Jude Finn Ibrahim Owen Tomasz George Rhys Kwame Lucas Ben Seán".split()
LAST = ("Smith Patel Jones Khan Taylor Ahmed Brown Kowalski Williams Wilson Davies Evans O'Brien Roberts Walker Wright Hall Green Hussain Lewis Clarke "
        "Okafor Begum Hughes Nowak Ward Turner Smith-Jones D'Souza Nguyễn Murphy").split()

teachers, of = [], {}
PLAN = ["MAT"] * 4 + ["ENG"] * 4 + ["SCI"] * 4 + ["HIS"] * 2 + ["GEO"] * 2 + ["FRE"] * 2 + ["ART", "MUS", "DT", "DT", "PE", "PE", "MAT", "HIS"]
seen = set()
for i, sub in enumerate(PLAN):
    woman = rng.random() < 0.6
    first, last = rng.choice(GIRLS if woman else BOYS), rng.choice(LAST)
    ini = (first[0] + last[0] + last[1]).upper().replace("'", "X")
    while ini in seen:
        ini = ini[:2] + rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    seen.add(ini)
    left = date(2023, 7, 21) if i >= len(PLAN) - 2 else None
    teachers.append((100 + i, ini, rng.choice(["Ms", "Mrs", "Miss", "Dr"]) if woman else rng.choice(["Mr", "Mr", "Mr", "Dr"]), first, last, sub,
                     rng.choice(["1.00", "1.00", "1.00", "0.80", "0.60"]) if sub in HOURS and HOURS[sub] < 4 else "1.00",
                     db.day(date(2004, 9, 1), date(2022, 9, 1)), left))
    if not left:
        of.setdefault(sub, []).append(100 + i)
db.write("teacher", "teacher_id initials title first_name last_name main_subject fte hired_on left_on", teachers)

classes = []
tutors = {}
for year in YEARS:
    pool = [t[0] for t in teachers if year != NOW or t[8] is None]
    rng.shuffle(pool)
    for group in range(7, 12):
        for letter in "AB":
            tutor = pool.pop()
            classes.append((year, f"{group}{letter}", group, tutor, f"A{(group - 7) * 2 % 8 + 1}" if letter == "A" else rng.choice(["A2", "A4", "B4", "A8", "M1"])))
db.write("class", "school_year class_name year_group tutor_id home_room", classes)

pupils, enrolment = [], []
for n in range(128):
    group = rng.choice([7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12])  # in NOW; 12 left last summer
    girl = rng.random() < 0.5
    birth = db.day(date(2023 - group - 5, 9, 1), date(2023 - group - 4, 8, 31))
    new = group == 7 or rng.random() < 0.07
    joined = date(2023, 9, 4) if new and group < 12 else date(2023 - group + 7, 9, 4)
    left = date(2023, 7, 21) if group == 12 else date(2023, 7, 21) if not new and rng.random() < 0.03 else None
    last = db.skewed(LAST)
    language = "English"
    if last in ("Kowalski", "Nowak"):
        language = "Polish"
    elif last in ("Khan", "Ahmed", "Hussain", "Begum") and rng.random() < 0.7:
        language = rng.choice(["Urdu", "Bengali"])
    elif last in ("Patel",) and rng.random() < 0.5:
        language = "Gujarati"
    pupils.append((2001 + n, rng.choice(GIRLS if girl else BOYS), last, birth, "F" if girl else "M", rng.random() < 0.22, db.weighted({None: 85, "K": 11, "E": 4}), language, joined, left))
    letter = rng.choice("AAAB" if group == 10 else "AB")
    if joined < date(2023, 9, 1):
        enrolment.append((2001 + n, "2022/23", f"{group - 1}{letter}"))
    if left is None:
        enrolment.append((2001 + n, NOW, f"{group}{letter}"))
db.write("pupil", "pupil_id first_name last_name birth_date sex free_meals sen_level home_language joined_on left_on", pupils)
db.write("enrolment", "pupil_id school_year class_name", enrolment)

guardians, links = [], []
family = {}
for p in pupils:
    old = family.get(p[2])
    if old and len(old[1]) < 3 and rng.random() < 0.45 and not any(q[3] == p[3] for q in old[1]):
        who = old[0]
        old[1].append(p)
    else:
        who = []
        for kind in rng.choice([["mother"], ["mother", "father"], ["mother", "father"], ["father"], ["grandparent"], ["mother", "other"], ["foster carer"]]):
            g = 5001 + len(guardians)
            first = rng.choice(BOYS if kind == "father" else GIRLS)
            last = p[2] if kind in ("mother", "father") and rng.random() < 0.85 else rng.choice(LAST)
            mail = f"{first}.{last}@example.org".lower().replace("'", "") if rng.random() < 0.85 and (first + last).isascii() else None
            guardians.append((g, f"{first} {last}", f"07700 900{rng.randrange(1000):03d}", mail))
            who.append((g, kind))
        family[p[2]] = (who, [p])
    for i, (g, kind) in enumerate(who):
        links.append((p[0], g, kind, rng.random() < (0.93 if i == 0 else 0.5)))
db.write("guardian", "guardian_id full_name phone email", guardians)
db.write("pupil_guardian", "pupil_id guardian_id relation emergency", links)

KIND = {"SCI": ["B1", "B2", "B3", "B5"], "DT": ["C1", "C2"], "ART": ["C2", "C1", "A8"], "PE": ["G1", "G2", "H1"], "MUS": ["M1", "H1"]}
STANDARD = [r[0] for r in ROOMS if r[1] == "classroom"]
lessons = []
for year in YEARS:
    busy = set()
    forms = [c for c in classes if c[0] == year]
    left_hours = {c[1]: dict(HOURS) for c in forms}
    mine = {(c[1], s): rng.choice(of[s]) for c in forms for s in HOURS}
    for day in range(1, 6):
        for period in range(1, 6):
            order = forms[:]
            rng.shuffle(order)
            for c in order:
                if day == 5 and period == 5 and c[2] < 9:
                    continue  # the young go home early on Fridays
                subjects = [s for s, h in left_hours[c[1]].items() if h]
                rng.shuffle(subjects)
                subjects.sort(key=lambda s: -left_hours[c[1]][s])
                for s in subjects:
                    teacher = mine[c[1], s]
                    if (day, period, teacher) in busy:
                        others = [t for t in of[s] if (day, period, t) not in busy]
                        if not others or rng.random() < 0.5:
                            continue
                        teacher = rng.choice(others)
                    rooms = [r for r in KIND.get(s, STANDARD) if (day, period, r) not in busy]
                    if not rooms:
                        continue
                    room = db.skewed(rooms)
                    busy |= {(day, period, teacher), (day, period, room)}
                    left_hours[c[1]][s] -= 1
                    lessons.append((year, c[1], day, period, s, teacher, room))
                    break
lessons.sort()
db.write("lesson", "school_year class_name weekday period subject_code teacher_id room_no", lessons)

TESTS = [("2022/23", t, s) for t in (1, 2) for s in ("MAT", "ENG")] + [(NOW, t, s) for t in (1, 2) for s in ("MAT", "ENG", "SCI", "FRE")] + [(NOW, 3, "MAT"), (NOW, 3, "ENG")]
marks, bents = [], {}
for p in pupils:
    if p[9]:
        continue
    gift = rng.gauss(62, 13)
    had = [y for q, y, _ in enrolment if q == p[0]]
    for year, t, s in TESTS:
        if year in had:
            bent = bents.setdefault((p[0], s), gift + rng.gauss(0, 8))
            score = max(4, min(100, round(bent + rng.gauss(0, 8))))
            effort = db.weighted({"A": 6, "B": 3, "C": 1} if score > 70 else {"A": 1, "B": 5, "C": 3, "D": 1})
            marks.append((p[0], year, t, s, None if rng.random() < 0.04 else score, effort))
db.write("mark", "pupil_id school_year term_no subject_code score effort", marks)

absences = {}
for p in pupils:
    if p[9]:
        continue
    often = rng.gammavariate(0.9, 1.6)
    for _ in range(min(14, round(often))):
        t = rng.choice([t for t in TERMS if t[0] == NOW])
        first = db.day(t[2], min(t[3], date(2024, 6, 28)))
        reason = db.weighted({"I": 60, "M": 18, "E": 6, "U": 16})
        for d in range(rng.choice([1, 2, 3]) if reason == "I" else 1):
            day = first + timedelta(days=d)
            if day.weekday() < 5:
                absences[p[0], day] = (p[0], day, reason, reason == "M" and rng.random() < 0.8)
db.write("absence", "pupil_id absent_on reason half_day", sorted(absences.values()))

CLUBS = ["Chess", "Football", "Drama", "Robotics", "Choir", "Debating", "Gardening"]
clubs, members = [], []
at_school = [p for p in pupils if not p[9]]
for i, name in enumerate(CLUBS, 1):
    clubs.append((i, name, rng.randint(1, 5), db.skewed([t[0] for t in teachers if not t[8]]), rng.choice(["0.00", "0.00", "12.50", "20.00", "35.00"])))
    if name != "Gardening":
        for p in rng.sample(at_school, rng.randint(7, 24)):
            members.append((i, p[0], db.day(max(p[8], date(2022, 9, 10)), date(2024, 3, 1))))
db.write("club", "club_id club_name weekday leader_id fee_per_term", clubs)
db.write("club_member", "club_id pupil_id joined_on", members)
