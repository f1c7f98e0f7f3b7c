"""A hospital as of 2024-03-31, in German."""

from datetime import date, timedelta

from tables import Database

db = Database("klinik", 1843)
rng = db.rng
FIRST, TODAY = date(2023, 7, 1), date(2024, 3, 31)

STATIONEN = [
    ("C1", "Allgemein- und Viszeralchirurgie", "CHI", 1, "4110", 5),
    ("C2", "Unfallchirurgie", "CHI", 1, "4120", 4),
    ("I1", "Kardiologie", "INN", 2, "4210", 5),
    ("I2", "Gastroenterologie", "INN", 2, "4220", 4),
    ("G1", "Frauenheilkunde und Geburtshilfe", "GYN", 3, "4310", 4),
    ("K1", "Kinderstation", "KIN", 3, None, 5),
    ("N1", "Neurologie mit Stroke Unit", "NEU", 4, "4410", 4),
    ("ITS", "Interdisziplinäre Intensivstation", "INT", 0, "4999", 4),
]
db.write("station", "stat_nr bezeichnung fachrichtung etage telefon", [s[:5] for s in STATIONEN])

zimmer, betten = [], []
for nr, _, _, etage, _, count in STATIONEN:
    for z in range(count):
        zimmer.append((nr, etage * 100 + z + 1, nr == "ITS" or rng.random() < 0.12, nr != "ITS" and rng.random() < 0.2))
        for b in range(1 if nr == "ITS" else rng.choice([1, 2, 2, 2, 3])):
            betten.append((nr, etage * 100 + z + 1, b + 1))
db.write("zimmer", "stat_nr zimmer_nr isolierung komfort", zimmer)

NACHNAMEN = ("Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann "
             "Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Schmitt Werner Krause Meier Lehmann Köhler Yılmaz Nowak Öztürk Vogel Weiß "
             "Jäger Groß Kovačević Böhm Nguyen Maier Haas").split()
FRAUEN = "Anna Ursula Sabine Renate Monika Annemarie Lena Emine Katharina Brigitte Mia Sophie Zoë Hannelore Gülcan Petra Inge Claudia Olga Hanna".split()
MAENNER = "Hans Jürgen Günther Thomas Klaus Michael Peter Mehmet Lukas Felix Jörg Søren Wolfgang Stefan Ali Björn Karl-Heinz Jan Paul Dieter".split()

personal = []


def beschaeftigt(nr, dienst, stat, chef):
    vor = rng.choice(FRAUEN + MAENNER)
    eintritt = db.day(date(1998, 1, 1), date(2023, 6, 1))
    austritt = db.day(date(2023, 7, 1), TODAY) if dienst == "PF" and rng.random() < 0.12 else None
    if austritt:
        eintritt -= timedelta(days=12 * 365)
    teil = 1.0 if dienst == "AR" and rng.random() < 0.8 else rng.choice([1.0, 1.0, 0.75, 0.5, 0.5, 0.8])
    personal.append((nr, db.skewed(NACHNAMEN), vor, dienst, stat, chef, f"{teil:.2f}", eintritt, austritt))


aerzte = {}
beschaeftigt(1000, "VW", None, None)
nr = 1001
for s in STATIONEN:
    chef = nr
    for i in range(3 if s[0] != "K1" else 2):
        beschaeftigt(nr, "AR", s[0], 1000 if i == 0 else chef)
        aerzte.setdefault(s[0], []).append(nr)
        nr += 1
    leitung = nr
    for i in range(rng.randint(3, 5)):
        beschaeftigt(nr, "PF", s[0], 1000 if i == 0 else leitung)
        nr += 1
anaesthesie = []
for i in range(4):
    beschaeftigt(nr, "AR", None, 1000 if i == 0 else anaesthesie[0])
    anaesthesie.append(nr)
    nr += 1
for dienst in ["TH", "TH", "TH", "VW", "VW", "VW"]:
    beschaeftigt(nr, dienst, None, 1000)
    nr += 1
db.write("personal", "pers_nr nachname vorname dienstart stat_nr vorgesetzt_nr stellenanteil eintritt austritt", personal)

KASSEN = [(101, "AOK Plus", "G"), (102, "Techniker Krankenkasse", "G"), (103, "Barmer", "G"), (104, "DAK-Gesundheit", "G"), (105, "IKK classic", "G"),
          (201, "Debeka", "P"), (202, "Allianz Private", "P"), (301, "BG Bau", "B"), (302, "BG Verkehr", "B")]
db.write("kostentraeger", "kt_nr name art", KASSEN)
KASSENGEWICHT = {101: 30, 102: 25, 103: 14, 104: 10, 105: 5, 201: 7, 202: 5, 301: 2, None: 4}

ORTE = [("06108", "Halle (Saale)"), ("06112", "Halle (Saale)"), ("06110", "Halle (Saale)"), ("04109", "Leipzig"), ("06217", "Merseburg"),
        ("06295", "Lutherstadt Eisleben"), ("06366", "Köthen"), ("06749", "Bitterfeld-Wolfen"), ("99734", "Nordhausen"), ("06667", "Weißenfels")]
BLUT = {"A+": 34, "0+": 32, "B+": 8, "A-": 6, "0-": 6, "AB+": 4, "B-": 2, "AB-": 1, None: 12}
patienten = []
for nr in range(50001, 50141):
    frau = rng.random() < 0.53
    kind = rng.random() < 0.12
    geb = db.day(date(2010, 1, 1), date(2023, 5, 1)) if kind else db.day(date(1932, 1, 1), date(2004, 1, 1))
    plz, ort = db.skewed(ORTE)
    gross = None if rng.random() < 0.15 else rng.randint(80, 150) if kind else rng.randint(152, 182) if frau else rng.randint(164, 198)
    schwer = None if gross is None or rng.random() < 0.08 else round(gross * gross / 10000 * rng.uniform(18.5, 34), 1)
    patienten.append([nr, db.skewed(NACHNAMEN), rng.choice(FRAUEN if frau else MAENNER), geb, "w" if frau else "m", plz, ort, gross, schwer,
                      db.weighted(BLUT), db.weighted(KASSENGEWICHT)])
patienten[17][4] = "d"
patienten[40][1:4] = ["Meier", "Hans", date(1951, 4, 12)]
patienten[41][1:4] = ["Meyer", "Hans", date(1951, 4, 21)]
db.write("patient", "pat_nr nachname vorname geb_dat geschlecht plz ort größe_cm gewicht_kg blutgruppe kt_nr", patienten)

ICD = {
    "CHI": [("K35.8", "Akute Appendizitis"), ("K80.2", "Gallenblasenstein ohne Cholezystitis"), ("S72.0", "Schenkelhalsfraktur"),
            ("S82.1", "Fraktur des proximalen Endes der Tibia"), ("K40.9", "Leistenhernie")],
    "INN": [("I50.1", "Linksherzinsuffizienz"), ("I21.4", "Akuter subendokardialer Myokardinfarkt"), ("I48.0", "Paroxysmales Vorhofflimmern"),
            ("K29.1", "Akute Gastritis"), ("K92.2", "Gastrointestinale Blutung")],
    "GYN": [("O80", "Spontangeburt"), ("O82", "Kaiserschnitt"), ("D25.9", "Myom des Uterus")],
    "KIN": [("J20.9", "Akute Bronchitis"), ("A09.0", "Gastroenteritis"), ("S06.0", "Gehirnerschütterung")],
    "NEU": [("I63.5", "Hirninfarkt"), ("G40.3", "Epilepsie"), ("G43.1", "Migräne mit Aura")],
}
NEBEN = [("I10.0", "Essentielle Hypertonie"), ("E11.9", "Diabetes mellitus Typ 2"), ("E66.0", "Adipositas"), ("N18.3", "Chronische Nierenkrankheit, Stadium 3"),
         ("Z92.1", "Dauertherapie mit Antikoagulanzien"), ("F17.2", "Tabakabhängigkeit"), ("J44.1", "COPD mit Exazerbation"), ("U07.1", "COVID-19, Virus nachgewiesen")]
db.write("icd", "icd_code bezeichnung", [c for codes in ICD.values() for c in codes] + NEBEN + [("T78.4", "Allergie")])

EINGRIFF = {"K35.8": ("Appendektomie", 45), "K80.2": ("Cholezystektomie", 70), "S72.0": ("Duokopfprothese", 85), "S82.1": ("Plattenosteosynthese Tibia", 95),
            "K40.9": ("Leistenhernien-Operation", 55), "O82": ("Sectio caesarea", 40), "D25.9": ("Hysterektomie", 100), "I21.4": ("Herzkatheter mit Stent", 60)}
MEDIKAMENTE = [("01126111", "Novaminsulfon 500", "Metamizol", 12.35, 0), ("02532776", "Ibuflam 600", "Ibuprofen", 9.84, 0), ("03246852", "Bisoprolol 5", "Bisoprolol", 11.02, 0),
               ("04876343", "Clexane 40", "Enoxaparin", 63.9, 0), ("05517244", "Pantoprazol 40", "Pantoprazol", 14.3, 0), ("06312077", "Oxygesic 10", "Oxycodon", 41.77, 1),
               ("07125600", "Dipidolor", "Piritramid", 22.6, 1), ("08813902", "Unacid 3 g", "Ampicillin/Sulbactam", 88.15, 0), ("09900451", "Metformin 1000", "Metformin", 15.48, 0),
               ("10042217", "Keppra 500", "Levetiracetam", 54.2, 0), ("11180043", "Ibu-ratiopharm 600", "Ibuprofen", 8.99, 0), ("12445109", "Xarelto 20", "Rivaroxaban", 119.45, 0),
               ("13370028", "Torem 10", "Torasemid", 13.16, 0), ("14400916", "Fentanyl TTS 25", "Fentanyl", 58.33, 1)]
db.write("medikament", "pzn handelsname wirkstoff packung_preis btm", [(p, h, w, f"{e:.2f}", b) for p, h, w, e, b in MEDIKAMENTE])
DOSIS = {"01126111": (500, 4), "02532776": (600, 3), "03246852": (5, 1), "04876343": (40, 1), "05517244": (40, 1), "06312077": (10, 2), "07125600": (15, 2), "08813902": (3000, 3),
         "09900451": (1000, 2), "10042217": (500, 2), "11180043": (600, 3), "12445109": (20, 1), "13370028": (10, 1), "14400916": (2.1, 1)}

frei = {b: FIRST for b in betten}  # day on which a bed is free again
faelle, belegung, diagnosen, verordnungen, operationen, labor, rechnungen = [], [], [], [], [], [], []
fach = {s[0]: s[2] for s in STATIONEN}
LABOR = {"CRP": (5, 60, 0, 5), "HB": (13, 2, 12, 17), "KREA": (1.0, 0.4, 0.5, 1.2), "LEUK": (9, 3.5, 4, 10), "NA": (139, 4, 135, 145)}
op_saal_zeit = {}
tag = FIRST
fall_nr = 230100
weg = set()  # died
im_haus_bis = {}


def bett(stationen, tag, tage):
    kandidaten = [b for b in betten if b[0] in stationen and frei[b] <= tag]
    if not kandidaten:
        return None
    b = rng.choice(kandidaten)
    frei[b] = tag + timedelta(days=tage)
    return b


for tag in sorted(db.day(FIRST, TODAY) for _ in range(235)):
    pat = db.skewed(patienten[:128])
    alter = (tag - pat[3]).days // 365
    if pat[0] in weg or im_haus_bis.get(pat[0], FIRST) >= tag:
        continue
    ziele = {"C1": 5, "C2": 5, "I1": 6, "I2": 4, "N1": 4}
    if alter < 14:
        ziele = {"K1": 1}
    elif pat[4] == "w" and alter < 46:
        ziele["G1"] = 8
    ziel = db.weighted(ziele)
    tage = max(1, int(rng.gammavariate(2, 3)))
    if tag > date(2024, 3, 8) and rng.random() < 0.8:
        tage += 20
    fall_nr += rng.randint(1, 4)
    plaetze = []
    if rng.random() < 0.13:
        its = bett(["ITS"], tag, 2)
        if its:
            plaetze.append((its, tag, tag + timedelta(days=2)))
    ab = plaetze[-1][2] if plaetze else tag
    b = bett([ziel], ab, tage)
    if b is None:
        continue
    plaetze.append((b, ab, ab + timedelta(days=tage)))
    if ziel.startswith("C") and rng.random() < 0.1:
        ab = plaetze[-1][2]
        b = bett(["I1", "I2"], ab, 3)
        if b:
            plaetze.append((b, ab, ab + timedelta(days=3)))
    entl = plaetze[-1][2]
    noch = entl > TODAY
    im_haus_bis[pat[0]] = entl
    grund = None if noch else db.weighted({"01": 80, "04": 6, "06": 8, "07": 3})
    if grund == "07":
        weg.add(pat[0])
    haupt = rng.choice(ICD[fach[ziel]])
    art = "G" if haupt[0] in ("O80", "O82") else db.weighted({"N": 45, "E": 45, "V": 7})
    aufn = db.at(tag, 0 if art in "NG" else 7, 24 if art in "NG" else 15)
    ende = None if noch else db.at(entl, 9, 17)
    faelle.append((fall_nr, pat[0], aufn, ende, art, grund))
    for i, (p, von, bis) in enumerate(plaetze):
        if von > TODAY:
            break
        letzter = i == len(plaetze) - 1
        zeit = aufn if i == 0 else letzte
        letzte = ende if letzter else db.at(bis, 9, 17)
        if bis > TODAY:
            letzte = None
        belegung.append((fall_nr, i + 1, *p, zeit, letzte))
    diagnosen.append((fall_nr, haupt[0], "H"))
    if alter >= 14:
        for code, _ in rng.sample(NEBEN, db.weighted({0: 40, 1: 35, 2: 18, 3: 7})):
            diagnosen.append((fall_nr, code, "N"))
    heim = aerzte[ziel]
    eng = min(entl, TODAY)
    for v in range(db.weighted({0: 15, 1: 30, 2: 35, 3: 20})):
        pzn = db.skewed(MEDIKAMENTE)[0]
        dosis, gaben = DOSIS[pzn]
        von = db.day(tag, eng)
        bis = db.day(von, entl)
        verordnungen.append((fall_nr, v + 1, pzn, db.skewed(heim), dosis if rng.random() < 0.85 else dosis / 2, gaben, von, None if bis > TODAY else bis))
    if haupt[0] in EINGRIFF and (rng.random() < 0.85) and tag < TODAY:
        eingriff, minuten = EINGRIFF[haupt[0]]
        beginn = aufn + timedelta(minutes=rng.randint(90, 1200))
        dauer = max(20, int(rng.gauss(minuten, minuten / 4)))
        dringlich = {"N": {"N": 5, "D": 3}, "E": {"E": 8, "D": 1}, "V": {"D": 1}, "G": {"D": 1, "E": 1}}[art]
        operationen.append([fall_nr, f"OP{rng.randint(1, 4)}", eingriff, beginn, beginn + timedelta(minutes=dauer), db.skewed(heim),
                            None if eingriff.startswith("Herz") else rng.choice(anaesthesie), db.weighted(dringlich)])
    for _ in range(db.weighted({0: 20, 1: 50, 2: 30})):
        zeit = db.at(db.day(tag, eng), 5, 9) if eng > tag else aufn + timedelta(minutes=25)
        for par in rng.sample(sorted(LABOR), 2):
            mitte, streu, tief, hoch = LABOR[par]
            wert = round(max(mitte * 0.4, rng.gauss(mitte, streu)), 1 if par != "KREA" else 2)
            if (fall_nr, zeit, par) not in {(l[0], l[1], l[2]) for l in labor}:
                labor.append((fall_nr, zeit, par, wert, "+" if wert > hoch else "-" if wert < tief else None))
    if not noch and entl < TODAY - timedelta(days=5):
        rg_dat = entl + timedelta(days=rng.randint(2, 9))
        if rg_dat > TODAY:
            continue
        alt = (TODAY - rg_dat).days
        stat = db.weighted({"BZ": 88, "GM": 6, "ST": 3, "OF": 2}) if alt > 60 else db.weighted({"BZ": 30, "OF": 65, "GM": 3, "ST": 3})
        bezahlt = min(rg_dat + timedelta(days=rng.randint(6, 50)), TODAY) if stat == "BZ" else None
        betrag = 900 + 520 * (entl - tag).days + rng.randint(0, 90000) / 100 + (2400 if operationen and operationen[-1][0] == fall_nr else 0)
        rechnungen.append((fall_nr, pat[10], rg_dat, f"{betrag:.2f}", stat, bezahlt))

db.write("fall", "fall_nr pat_nr aufn_zeit entl_zeit aufn_art entl_grund", faelle)
db.write("belegung", "fall_nr lfd_nr stat_nr zimmer_nr bett_nr von bis", belegung)
belegt = {b[2:5] for b in belegung if b[6] is None}
db.write("bett", "stat_nr zimmer_nr bett_nr zustand",
         [(*b, "B" if b in belegt else db.weighted({"F": 75, "R": 12, "G": 10})) for b in betten])
db.write("diagnose", "fall_nr icd_code art", diagnosen)
db.write("verordnung", "fall_nr vo_nr pzn arzt_nr dosis_mg gaben_tag von bis", verordnungen)
operationen.sort(key=lambda o: o[3])
db.write("operation", "op_nr fall_nr saal eingriff beginn ende operateur_nr anaesthesist_nr dringlichkeit",
         [(7000 + i, *o) for i, o in enumerate(operationen, 1)])
db.write("laborwert", "fall_nr abnahme parameter wert kennz", labor)
rechnungen.sort(key=lambda r: r[2])
db.write("rechnung", "rg_nr fall_nr kt_nr rg_dat betrag stat bezahlt_am",
         [(f"R{r[2].year % 100}-{i:05d}", *r) for i, r in enumerate(rechnungen, 1)])
