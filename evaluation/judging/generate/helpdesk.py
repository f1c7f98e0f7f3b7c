"""A university's help desk; as it was on 2024-05-24."""
import datetime as dt
import unicodedata

from tables import Database

db = Database("helpdesk", 404)
R = db.rng


def plain(s):
    return "".join(c for c in unicodedata.normalize("NFD", s.lower().replace("ø", "o").replace("ł", "l").replace("ß", "ss")) if c.isascii() and c.isalpha())


NOW = dt.datetime(2024, 5, 24, 17, 0)  # when the data were taken
TEAMS = [(1, "Service Desk", "help@uni.example"), (2, "Network", "network@uni.example"), (3, "Accounts & Access", "accounts@uni.example"), (4, "Teaching Systems", "moodle@uni.example"), (5, "Workplace", "workplace@uni.example"), (6, "Research Computing", "hpc@uni.example")]
db.write("teams", "id name mailbox", TEAMS)
AGENTS = [(1, "Miriam Okafor", 1, 3, "2011-09-01", 1, ""), (2, "Tobias Renner", 1, 1, "2021-03-15", 1, 1), (3, "Jana Novotná", 1, 1, "2022-10-01", 1, 1), (4, "Sam Lee", 1, 1, "2023-04-01", 1, 1), (5, "Samuel Lee", 2, 2, "2018-02-01", 1, 6), (6, "Ruth Hagenbach", 2, 3, "2009-05-01", 1, ""),
          (7, "Emre Şahin", 3, 2, "2017-11-15", 1, 8), (8, "Carla Mendes", 3, 3, "2014-01-07", 1, ""), (9, "Nils Ødegård", 4, 2, "2020-08-01", 1, 10), (10, "Beatrix Vogt", 4, 3, "2013-06-01", 1, ""), (11, "Dario Bellini", 5, 1, "2022-01-10", 1, 12), (12, "Heike Straßer", 5, 2, "2015-04-20", 1, ""),
          (13, "Piotr Żak", 5, 1, "2019-09-01", 0, 12), (14, "Ana Ruiz", 6, 3, "2016-07-01", 1, ""), (15, "Wei Zhang", 1, 1, "2024-05-13", 1, 1), (16, "Lotte Maas", 2, 2, "2020-02-01", 1, 6)]
by_rank = sorted(AGENTS, key=lambda a: a[6] != "")  # managers first: the others refer to them
db.write("agents", "id full_name team_id tier started active manager_id", by_rank)
PRIORITIES = [("P1", "Critical", "0.5", "4.0"), ("P2", "High", "2.0", "24.0"), ("P3", "Normal", "8.0", "72.0"), ("P4", "Low", "24.0", "")]
db.write("priorities", "code label sla_response_h sla_resolve_h", PRIORITIES)
CATEGORIES = [(1, "Password & login", 3), (2, "Wi-Fi", 2), (3, "VPN", 2), (4, "E-mail", 3), (5, "Printing", 5), (6, "Laptop & hardware", 5), (7, "Learning platform", 4), (8, "Lecture recording", 4), (9, "Cluster & storage", 6), (10, "Software licences", 1), (11, "Phishing", 3), (12, "Telephony", 2)]
db.write("categories", "id name default_team_id", CATEGORIES)
TAGS = ["eduroam", "mfa", "windows", "macos", "linux", "exam", "urgent", "duplicate", "vendor", "known-issue", "training", "phishing", "lost-device", "semester-start"]
db.write("tags", "id tag", list(enumerate(TAGS, 1)))

FIRST = "Anna Lukas Zoë Mehmet Chloé Jakub Noémie Finn Aylin Oskar Priya Mateo Ingrid Yusuf Hannah Łucja Tim Thảo Clara Björn Nora Elif David Sophie Amara".split()
LAST = "Schneider Öztürk Kowalczyk Dubois Nguyen Jensen Weiß Fernández Patel Hoffmann Lund Becker Rossi Keller Yılmaz Bauer Sørensen Brandt Meyer Meier Adebayo Lindgren".split()
DEPTS = ["Physics", "Medicine", "Law", "Computer Science", "History", "Economics", "Biology", "Library", "Administration"]
people, mails = [], set()
while len(people) < 160:
    f, l = R.choice(FIRST), R.choice(LAST)
    kind = R.choices(["student", "staff", "guest"], [60, 34, 6])[0]
    mail = f"{plain(f)}.{plain(l)}@{'stud.' if kind == 'student' else ''}uni.example" if kind != "guest" else f"{plain(f)}{R.randrange(100)}@mail.example"
    if mail in mails:
        continue
    mails.add(mail)
    dept = "" if kind == "guest" or R.random() < .1 else R.choices(DEPTS, [5, 9, 4, 6, 2, 6, 4, 3 if kind == "staff" else 0, 6 if kind == "staff" else 0])[0]
    people.append((len(people) + 1, f"{f} {l}", mail, kind, dept, int(kind == "staff" and R.random() < .07)))
db.write("requesters", "id full_name email kind department vip", people)

SUBJECTS = {1: ["Cannot log in", "Password expired", "MFA token lost", "Account locked after holiday"], 2: ["No Wi-Fi in lecture hall 3", "eduroam keeps asking for password", "Wi-Fi slow in library"], 3: ["VPN drops every 10 minutes", "VPN on Linux"], 4: ["Mailbox full", "Mails do not arrive", "Shared mailbox wanted", "Forward to private address?"],
            5: ["Printer jam 2nd floor", "Print credits missing", "Cannot print from laptop"], 6: ["Laptop does not start", "New docking station", "Screen flickers", "Battery swollen"], 7: ["Course not visible", "Upload limit for exam", "Grades vanished", "Quiz opens too late"], 8: ["Recording without sound", "Recording missing"],
            9: ["Quota exceeded", "Job stuck in queue", "Restore deleted folder"], 10: ["MATLAB licence", "SPSS expired", "Adobe for students?"], 11: ["Suspicious mail \"Your account\"", "Clicked on a link…", "Is this phishing?"], 12: ["Desk phone dead", "Number to be moved"]}
BY_TEAM = {t[0]: [a for a in AGENTS if a[2] == t[0]] for t in TEAMS}
BODIES = ["Please restart and tell us whether it helps.", "Still the same, sorry.", "I have reset it.", "Thank you, it works now!", "Could you send a screenshot?", "Forwarded to the vendor.", "Danke, läuft wieder.", "Any news?", "See KB-17.", "Called back, nobody there.", "It happens only on the third floor."]
starts = sorted(dt.datetime(2024, 2, 1) + dt.timedelta(days=R.triangular(0, 120, 68), seconds=0) for _ in range(300))
eager = [R.paretovariate(1.4) for _ in people]
for p in (9, 33, 71, 90, 114, 139, 151):
    eager[p] = 0
tickets, comments, history, tagged = [], [], [], []
for i, s in enumerate(starts):
    s = s.replace(hour=R.choices(range(6, 23), [1, 2, 9, 12, 12, 10, 7, 10, 10, 8, 6, 4, 2, 2, 1, 1, 1])[0], minute=R.randrange(60), second=R.randrange(60), microsecond=0)
    if s.isoweekday() > 5 and R.random() < .6:
        s += dt.timedelta(days=2)
    starts[i] = min(s, dt.datetime(2024, 5, 24, 16, 42, i % 60))
starts.sort()
for n, s in enumerate(starts):
    tid = 7001 + n
    who = R.choices(people, eager)[0]
    cat = R.choices(CATEGORIES, [20, 12, 8, 12, 7, 9, 13, 4, 5, 6, 6, 3])[0]
    prio = R.choices(["P1", "P2", "P3", "P4"], [4, 16, 60, 20])[0] if not who[5] else R.choice(["P1", "P2", "P2", "P3"])
    channel = R.choices(["mail", "portal", "phone", "chat", "desk"], [38, 32, 14, 10, 6])[0]
    subject = R.choice(SUBJECTS[cat[0]])
    spam = channel == "mail" and R.random() < .05
    team = cat[2] if R.random() < .78 else 1
    pool = [a for a in BY_TEAM[team] if a[4] < str(s) and (a[5] or s < dt.datetime(2024, 3, 20))]
    agent = R.choices(pool, [4 if a[3] < 3 else 1 for a in pool])[0][0]
    h, events = dt.timedelta(hours=1), [("", "new", s, "")]
    reply = s + h * {"P1": .45, "P2": 1.9, "P3": 6, "P4": 15}[prio] * R.lognormvariate(-.45, .8) * (1.5 if team == 4 else 1)
    work = h * {"P1": 3, "P2": 16, "P3": 42, "P4": 110}[prio] * R.lognormvariate(-.3, .95)
    status, resolved = "new", ""
    if spam:
        events.append(("new", "spam", s + h * R.uniform(.2, 5), agent))
        status, reply = "spam", ""
        subject = R.choice(["Invoice attached", "YOU HAVE WON", "Re: Re: Order 88123"])
    elif reply < NOW and R.random() > (.5 if (NOW - s).days < 3 else .004):
        events.append(("new", "open", reply, agent))
        status, t = "open", reply
        while R.random() < .3 and t + h * 3 < NOW:
            t += h * R.uniform(1, 3)
            events.append(("open", "waiting", t, agent))
            status, back = "waiting", t + h * R.uniform(2, 40)
            if back < NOW and R.random() < .93:
                events.append(("waiting", "open", back, ""))
                status, t = "open", back
            else:
                break
        end = t + work
        if status == "open" and end < NOW and R.random() < .97:
            events.append(("open", "resolved", end, agent))
            status, resolved = "resolved", end
            if R.random() < .06 and end + h * 30 < NOW:
                events.append(("resolved", "open", end + h * R.uniform(2, 26), ""))
                status, resolved = "open", ""
                again = events[-1][2] + h * R.uniform(3, 60)
                if again < NOW:
                    events.append(("open", "resolved", again, agent))
                    status, resolved = "resolved", again
            if status == "resolved" and resolved + h * 24 * 7 < NOW and R.random() < .9:
                events.append(("resolved", "closed", resolved + h * 24 * 7, ""))
                status = "closed"
    else:
        reply = ""
        agent = "" if R.random() < .7 else agent
    rating = R.choices([1, 2, 3, 4, 5], [6, 6, 12, 32, 44] if not resolved or resolved - s < h * 48 else [18, 17, 22, 26, 17])[0] if status in ("resolved", "closed") and R.random() < .42 else ""
    fmt = lambda t: t if t == "" else t.replace(microsecond=0)
    tickets.append((tid, subject, who[0], "" if status in ("new", "spam") and R.random() < .7 else cat[0], prio, status, channel, "" if status == "new" and agent == "" and R.random() < .5 else team, agent, s, fmt(reply), fmt(resolved), rating))
    history += [(tid, k, a, b, fmt(c), d) for k, (a, b, c, d) in enumerate(events, 1)]
    if reply:
        t = reply
        for k in range(R.choices([1, 2, 3, 4, 6], [30, 30, 20, 12, 8])[0]):
            if t < NOW:
                mine = k == 0 or R.random() < .55
                comments.append((fmt(t), tid, agent if mine else "", int(mine and k > 0 and R.random() < .25), R.choice(BODIES)))
            t += h * R.uniform(.3, 14)
    for tag in sorted({R.randrange(1, len(TAGS)) for _ in range(R.choices([0, 1, 2, 3], [45, 35, 15, 5])[0])}):
        tagged.append((tid, tag))
db.write("tickets", "id subject requester_id category_id priority status channel team_id agent_id created_at first_reply_at resolved_at rating", tickets)
db.write("status_history", "ticket_id seq old_status new_status changed_at changed_by", history)
comments.sort(key=lambda c: (c[0], c[1]))
db.write("comments", "id ticket_id agent_id created_at internal body", [(i, c[1], c[2], c[0], c[3], c[4]) for i, c in enumerate(comments, 1)])
db.write("ticket_tags", "ticket_id tag_id", tagged)
