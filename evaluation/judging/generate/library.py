"""A town's library with four branches, as of 2024-05-31."""

from datetime import date, timedelta

from tables import Database

db = Database("library", 978)
rng = db.rng
TODAY = date(2024, 5, 31)

BRANCHES = [("CEN", "Central Library", "Market Square 1", "0555 100", 1), ("RIV", "Riverside", "Quay Street 14", "0555 120", 0),
            ("OAK", "Oakfield", "Oakfield Road 77", None, 0), ("UNI", "University Quarter", "Rue de l'Université 3", "0555 140", 1)]
db.write("branch", "branch_code branch_name street phone sunday_open", BRANCHES)
TYPES = [("AD", "Adult", 8, 28, 25), ("CH", "Child", 6, 28, 0), ("ST", "Student", 12, 42, 10), ("SE", "Senior", 8, 42, 12.5), ("IN", "Institution", 40, 56, 60)]
db.write("member_type", "type_code type_name max_loans loan_days yearly_fee", [(*t[:4], f"{t[4]:.2f}") for t in TYPES])
DAYS = {t[0]: t[3] for t in TYPES}

FIRST = "Emma Noah Léa Jonas Marta Piotr Sofía Mateo Ingrid Lars Aoife Ciarán Yuki Hiro Nadia Omar Greta Felix Chloé Hugo Zsófia Bálint Ana João Maja Luka Elif Deniz".split()
LAST = "Martin García Jensen Novak Rossi Dubois Schmidt Kowalczyk O'Neill Tanaka Haddad Silva Lindqvist Nagy Moreau Peeters Fischer Byrne Demir van_den_Berg Müller".split()
members = []
for i in range(112):
    kind = db.weighted({"AD": 46, "CH": 18, "ST": 20, "SE": 16})
    born = {"AD": (1964, 2001), "CH": (2010, 2018), "ST": (1998, 2005), "SE": (1938, 1958)}[kind]
    first, last = rng.choice(FIRST), db.skewed(LAST).replace("_", " ")
    joined = db.day(date(2016, 1, 1), date(2024, 5, 1)) if kind != "ST" else db.day(date(2020, 9, 1), date(2024, 5, 1))
    if kind == "CH":
        joined = max(joined, date(2019, 1, 1) + timedelta(days=rng.randint(0, 1500)))
    mail = None if rng.random() < 0.2 or kind == "CH" else f"{first}.{last}@example.net".lower().replace(" ", "").replace("'", "") if (first + last).isascii() else f"m{i}@example.net"
    members.append([f"{1203 + i * 7:06d}", first, last, kind, db.skewed(BRANCHES)[0], joined,
                    None if rng.random() < 0.06 else db.day(date(born[0], 1, 1), date(born[1], 12, 31)), mail, rng.random() < 0.04])
members[30][1:3], members[31][1:3] = ["Ana", "Silva"], ["Anna", "Silva"]
members.append(["009001", "Gymnasium", "Oakfield", "IN", "OAK", date(2015, 8, 1), None, "office@gymnasium.example.net", False])
db.write("member", "card_no first_name last_name type_code home_branch joined born email blocked", members)

PUBLISHERS = [("Penguin", "London"), ("Gallimard", "Paris"), ("Suhrkamp", "Berlin"), ("Ace Books", "New York"), ("Carlsen", "Hamburg"), ("Anagrama", "Barcelona"), ("Faber & Faber", "London"), ("Wydawnictwo Literackie", "Kraków"), ("Self-published", None)]
db.write("publisher", "publisher_id name city", [(i, *p) for i, p in enumerate(PUBLISHERS, 1)])
SUBJECTS = ["Novel", "Crime", "Science fiction", "Fantasy", "Poetry", "History", "Philosophy", "Children's stories", "Comics", "Popular science", "Travel"]
db.write("subject", "subject_id label", list(enumerate(SUBJECTS, 1)))

A = {}
for line in """Terry Pratchett|Pratchett, Terry|GB|1948|2015
Neil Gaiman|Gaiman, Neil|GB|1960|
Ursula K. Le Guin|Le Guin, Ursula K.|US|1929|2018
Stanisław Lem|Lem, Stanisław|PL|1921|2006
Agatha Christie|Christie, Agatha|GB|1890|1976
Georges Simenon|Simenon, Georges|BE|1903|1989
Jane Austen|Austen, Jane|GB|1775|1817
Franz Kafka|Kafka, Franz|CZ|1883|1924
Gabriel García Márquez|García Márquez, Gabriel|CO|1927|2014
Olga Tokarczuk|Tokarczuk, Olga|PL|1962|
Chimamanda Ngozi Adichie|Adichie, Chimamanda Ngozi|NG|1977|
Haruki Murakami|Murakami, Haruki|JP|1949|
Astrid Lindgren|Lindgren, Astrid|SE|1907|2002
René Goscinny|Goscinny, René|FR|1926|1977
Albert Uderzo|Uderzo, Albert|FR|1927|2020
Erich Kästner|Kästner, Erich|DE|1899|1974
Antoine de Saint-Exupéry|Saint-Exupéry, Antoine de|FR|1900|1944
Virginia Woolf|Woolf, Virginia|GB|1882|1941
Wisława Szymborska|Szymborska, Wisława|PL|1923|2012
Simone de Beauvoir|Beauvoir, Simone de|FR|1908|1986
Albert Camus|Camus, Albert|FR|1913|1960
Yuval Noah Harari|Harari, Yuval Noah|IL|1976|
Bill Bryson|Bryson, Bill|US|1951|
Maj Sjöwall|Sjöwall, Maj|SE|1935|2020
Per Wahlöö|Wahlöö, Per|SE|1926|1975
Jorge Luis Borges|Borges, Jorge Luis|AR|1899|1986
Adolfo Bioy Casares|Bioy Casares, Adolfo|AR|1914|1999
Stephen Baxter|Baxter, Stephen|GB|1957|
Antonia Lloyd-Jones|Lloyd-Jones, Antonia|GB|1962|
Quentin Blake|Blake, Quentin|GB|1932|
Roald Dahl|Dahl, Roald|GB|1916|1990
Walter Trier|Trier, Walter|CZ|1890|1951
Elena Ferrante|Ferrante, Elena|IT||
Anonymous|Anonymous|||""".split("\n"):
    name, sort, country, born, died = line.split("|")
    A[name] = (len(A) + 1, name, sort, country or None, born or None, died or None)
db.write("author", "author_id name sort_name country birth_year death_year", A.values())

# title | authors, t: translator, i: illustrator | publisher | edition | first | language | pages | audience | subjects
BOOKS = """Good Omens|Terry Pratchett,Neil Gaiman|4|2006|1990|en|412|A|1,4
Ein gutes Omen|Terry Pratchett,Neil Gaiman|5|2011|1990|de|464|A|4
The Colour of Magic|Terry Pratchett|1|2012|1983|en|287|A|4
Mort|Terry Pratchett|1|2013|1987|en|316|A|4
The Long Earth|Terry Pratchett,Stephen Baxter|1|2013|2012|en|423|A|3
Coraline|Neil Gaiman|1|2003|2002|en|192|C|4,8
American Gods|Neil Gaiman|4|2005|2001|en|635|A|1,4
The Dispossessed|Ursula K. Le Guin|4|1994|1974|en|387|A|3
The Left Hand of Darkness|Ursula K. Le Guin|4|2010|1969|en|304|A|3
A Wizard of Earthsea|Ursula K. Le Guin|1|2004|1968|en|205|Y|4
Freie Geister|Ursula K. Le Guin|3|2017|1974|de|432|A|3
Solaris|Stanisław Lem|8|2012|1961|pl|340|A|3
Solaris|Stanisław Lem|1|2016|1961|en|224|A|3
Solaris|Stanisław Lem|3|2009|1961|de|288|A|3
Cyberiada|Stanisław Lem|8|2014|1965|pl|432|A|3
The Mysterious Affair at Styles|Agatha Christie|1|2007|1920|en|208|A|2
Murder on the Orient Express|Agatha Christie|1|2015|1934|en|274|A|2
Mord im Orient-Express|Agatha Christie|5|2014|1934|de|256|A|2
The ABC Murders|Agatha Christie|1|2013|1936|en|333|A|2
Maigret et le clochard|Georges Simenon|2|2008|1963|fr|186|A|2
Le chien jaune|Georges Simenon|2|2003|1931|fr|191|A|2
Pride and Prejudice|Jane Austen|1|2003|1813|en|435|A|1
Emma|Jane Austen|1|2015|1815|en|474|A|1
Persuasion|Jane Austen|1||1817|en|249|A|1
Der Process|Franz Kafka|3|2005|1925|de|320|A|1
Die Verwandlung|Franz Kafka|3|1999|1915|de|96|A|1
The Trial|Franz Kafka|7|2001|1925|en|255|A|1
Cien años de soledad|Gabriel García Márquez|6|2007|1967|es|496|A|1
One Hundred Years of Solitude|Gabriel García Márquez|1|2000|1967|en|422|A|1
Bieguni|Olga Tokarczuk|8|2007|2007|pl|452|A|1,11
Drive Your Plow Over the Bones of the Dead|Olga Tokarczuk,t:Antonia Lloyd-Jones|7|2018|2009|en|272|A|1,2
Half of a Yellow Sun|Chimamanda Ngozi Adichie|7|2007|2006|en|448|A|1,6
Americanah|Chimamanda Ngozi Adichie|7|2014|2013|en|477|A|1
Kafka on the Shore|Haruki Murakami|7|2005|2002|en|505|A|1,4
Norwegian Wood|Haruki Murakami|7|2001|1987|en|389|A|1
Pippi Långstrump|Astrid Lindgren||1999|1945|sv|160|C|8
Pippi Langstrumpf|Astrid Lindgren|5|2007|1945|de|400|C|8
Ronja rövardotter|Astrid Lindgren||2001|1981|sv|236|C|8,4
Astérix le Gaulois|René Goscinny,Albert Uderzo|2|2004|1961|fr|48|C|9
Astérix et Cléopâtre|René Goscinny,Albert Uderzo|2|2006|1965|fr|48|C|9
Asterix and Cleopatra|René Goscinny,Albert Uderzo|1|2004|1965|en|48|C|9
Emil und die Detektive|Erich Kästner,i:Walter Trier|5|2010|1929|de|176|C|8,2
Das doppelte Lottchen|Erich Kästner,i:Walter Trier|5|2012|1949|de|176|C|8
Le Petit Prince|Antoine de Saint-Exupéry|2|1999|1943|fr|104|C|8
The Little Prince|Antoine de Saint-Exupéry|1|2000|1943|en|96|C|8
Vol de nuit|Antoine de Saint-Exupéry|2|2007|1931|fr|187|A|1,11
Mrs Dalloway|Virginia Woolf|1|2000|1925|en|194|A|1
To the Lighthouse|Virginia Woolf|1|1996|1927|en|224|A|1
Orlando|Virginia Woolf|1||1928|en|333|A|1
Widok z ziarnkiem piasku|Wisława Szymborska|8|1996|1996|pl|160|A|5
View with a Grain of Sand|Wisława Szymborska|7|1998|1995|en|214|A|5
Le deuxième sexe|Simone de Beauvoir|2|1986|1949|fr|408|A|7
L'Étranger|Albert Camus|2|2013|1942|fr|184|A|1,7
La Peste|Albert Camus|2|2012|1947|fr|336|A|1
The Plague|Albert Camus|1|2020|1947|en|272|A|1
Sapiens|Yuval Noah Harari|1|2015|2011|en|498|A|6,10
A Short History of Nearly Everything|Bill Bryson|1|2004|2003|en|687|A|10
Notes from a Small Island|Bill Bryson|1|2015|1995|en|379|A|11
Roseanna|Maj Sjöwall,Per Wahlöö|7|2011|1965|en|245|A|2
Ficciones|Jorge Luis Borges|6|2011|1944|es|224|A|1
Seis problemas para don Isidro Parodi|Jorge Luis Borges,Adolfo Bioy Casares|6|1998|1942|es|174|A|2
Matilda|Roald Dahl,i:Quentin Blake|1|2007|1988|en|232|C|8
The BFG|Roald Dahl,i:Quentin Blake|1|2016|1982|en|199|C|8
L'amica geniale|Elena Ferrante|6|2011|2011|it|331|A|1
Beowulf|Anonymous|7|2000||en|213|A|5
My Allotment Year|Anonymous|9|2019|2019|en||A|10""".split("\n")


def isbn(i):
    if i % 9 == 4:
        body = f"{rng.randrange(10**9):09d}"
        check = -sum((10 - k) * int(c) for k, c in enumerate(body)) % 11
        return body + ("X" if check == 10 else str(check))
    body = f"978{rng.randrange(10**9):09d}"
    return body + str(-sum(int(c) * (3 if k % 2 else 1) for k, c in enumerate(body)) % 10)


books, wrote, about = [], [], []
for i, line in enumerate(BOOKS):
    title, names, pub, year, first, lang, pages, audience, subjects = line.split("|")
    n = isbn(i)
    books.append((n, title, pub or None, year or None, first or None, lang, pages or None, audience))
    for pos, who in enumerate(names.split(","), 1):
        role = {"t:": "translator", "i:": "illustrator"}.get(who[:2], "author")
        wrote.append((n, A[who.removeprefix("t:").removeprefix("i:")][0], role, pos))
    about += [(n, s) for s in subjects.split(",")]
db.write("book", "isbn title publisher_id pub_year first_year lang pages audience", books)
db.write("book_author", "isbn author_id role pos", wrote)
db.write("book_subject", "isbn subject_id", about)

copies = []
shelf_of = {"A": "F", "Y": "J", "C": "K"}
for b in books:
    for _ in range(db.weighted({1: 40, 2: 30, 3: 20, 4: 8})):
        copies.append([f"{70001 + len(copies) * 3:08d}", b[0], db.skewed(BRANCHES)[0], None if rng.random() < 0.05 else f"{shelf_of[b[7]]} {rng.randint(1, 40)}.{rng.randint(1, 6)}",
                       db.day(date(max(int(b[3] or 2010), 2012), 1, 1), date(2023, 6, 30)), None if rng.random() < 0.1 else f"{rng.uniform(6, 32):.2f}", "A"])

popular = copies[:]
rng.shuffle(popular)
unread = {books[i][0] for i in (51, 59, 64, 65)}
popular = [c for c in popular if c[1] not in unread]
people = members[:]
rng.shuffle(people)
people = people[:-9]
loans, fines = [], []
free = {}
start = date(2023, 1, 2)
for _ in range(1500):
    day = db.day(start, TODAY)
    m, c = people[int(len(people) * rng.random() ** 1.5)], db.skewed(popular)
    if m[5] > day or c[4] > day or any(a <= day <= b for a, b in free.get(c[0], [])) or m[8] and day > date(2024, 1, 1):
        continue
    if m[3] == "CH" and next(b for b in books if b[0] == c[1])[7] == "A" and rng.random() < 0.9:
        continue
    renew = db.weighted({0: 70, 1: 20, 2: 10})
    due = day + timedelta(days=DAYS[m[3]] * (1 + renew))
    back = day + timedelta(days=max(1, int(rng.gauss(0.7 * (due - day).days, 0.3 * (due - day).days))))
    if rng.random() < 0.06:
        back += timedelta(days=rng.randint(20, 90))
    lost = rng.random() < 0.015
    gone = lost or back > TODAY
    if any(a <= (TODAY if gone else back) and day <= b for a, b in free.get(c[0], [])):
        continue
    free.setdefault(c[0], []).append((day, date(2030, 1, 1) if gone else back))
    loans.append([c, m, day, due, None if gone else back, renew])
    if gone:
        c[6] = "M" if lost and day < date(2024, 2, 1) else "L"
loans.sort(key=lambda l: l[2])
for i, (c, m, day, due, back, renew) in enumerate(loans, 1):
    if c[6] == "M" and back is None:
        fines.append((i, "M", f"{float(c[5] or 15) + 5:.2f}", due + timedelta(days=60)))
    elif (back or TODAY) > due + timedelta(days=2) and back:
        fines.append((i, "L", f"{min(10, 0.25 * (back - due).days):.2f}", back))
    elif back and rng.random() < 0.012:
        fines.append((i, "D", rng.choice(["3.00", "5.00", "8.50"]), back))
for c in copies:
    if c[6] == "A":
        c[6] = db.weighted({"A": 93, "R": 3, "W": 3, "M": 1})
db.write("copy", "barcode isbn branch_code shelf acquired price state", copies)
db.write("loan", "loan_id barcode card_no lent_on due_on returned_on renewals", [(i, l[0][0], l[1][0], *l[2:]) for i, l in enumerate(loans, 1)])
rows = []
for n, (loan, reason, amount, day) in enumerate(sorted(fines, key=lambda f: f[3]), 501):
    if day > TODAY:
        continue
    fate = db.weighted({"paid": 70, "open": 24, "waived": 8})
    rows.append((n, loan, reason, amount, day, min(TODAY, day + timedelta(days=rng.choice([0, 0, 0, 12, 40]))) if fate == "paid" else None, fate == "waived"))
db.write("fine", "fine_id loan_id reason amount issued_on paid_on waived", rows)

holds = {}
asked = [b[0] for b in books]
rng.shuffle(asked)
for _ in range(110):
    m, n = rng.choice(people), asked[int(len(asked) * rng.random() ** 4)]
    day = db.day(max(m[5], rng.choice([date(2024, 1, 2), date(2024, 4, 15)])), TODAY)
    state = db.weighted({"F": 6, "X": 2}) if day < date(2024, 4, 1) else db.weighted({"W": 7, "R": 1, "F": 2, "X": 1})
    holds.setdefault((m[0], n), (m[0], n, db.at(day, 8, 22), m[4], state))
db.write("hold", "card_no isbn placed_at pickup_branch state", sorted(holds.values(), key=lambda h: h[2]))
