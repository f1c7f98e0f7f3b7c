package main

import "fmt"

// What names are made of. Some need care in SQL, in a dump, or in an order.
var (
	starts = []string{"Al", "Bra", "Ca", "Dör", "El", "Fro", "Gé", "Hal", "Ill", "Jo", "Kle", "Lun", "Mar", "Nor", "O'",
		"Pra", "Qui", "Ros", "São ", "Tre", "Ul", "Vi", "Wal", "Xan", "Yev", "Zü"}
	ends = []string{"den", "borg", "ville", "stad", "mouth", "rich", "nia", "ñez", "ley", "sson", "ński", "ton",
		"field", "berg", "lla", "mar"}
	given = []string{"Ada", "Björn", "Chloé", "Dmitri", "Emma", "Fatima", "George", "Hana", "Igor", "José", "Karin",
		"Liam", "María", "Noah", "Olga", "Pedro", "Quinn", "Rosa", "Søren", "Tomás"}
	things = []string{"Drill", "Saw", "Sander", "Ladder", "Mixer", "Pump", "Compressor", "Chisel", "Tiller", "Hammer",
		"Router", "Winch"}
	kinds  = []string{"Heavy", "Light", "Cordless", "Petrol", "Folding", "Silent", "Old", "Compact", "Double", "Steel"}
	risks  = []any{"none", "low", "gloves & glasses", "trained only", nil}
	extras = []any{"", "Battery", "Battery,Charger", "Case", "Case,Blades", "Battery,Case,Charger,Blades", nil}
)

const updated = "2024-02-29 12:00:00"

func (w writer) name() string { return pick(w, starts) + pick(w, ends) }

func (w writer) places() {
	w.insert("country", "", 109,
		func(i int) []any { return []any{i, fmt.Sprintf("%s %c", w.name(), 'A'+i%26), updated} })
	w.insert("city", "", 600, func(i int) []any { return []any{i, w.name(), 1 + w.IntN(109)} })
	w.insert("address", "", 603, func(i int) []any {
		shape := raw(fmt.Sprintf("ST_GeomFromText('POINT(%d.%d %d.25)')", w.IntN(180), w.IntN(100), w.IntN(90)))
		if i%50 == 0 {
			shape = "ST_GeomFromText('POLYGON((0 0,4 0,4 4.5,0 0))')"
		}
		return []any{i, fmt.Sprintf("%d %s Street", w.IntN(2000), w.name()), pick(w, []any{nil, "", "2nd floor"}),
			w.name(), 1 + w.IntN(600),
			w.maybe(10, fmt.Sprintf("%05d", w.IntN(100000))), fmt.Sprintf("%d", 100000+w.IntN(900000)), shape}
	})
}

func (w writer) people() {
	w.insert("store", "", 4, func(i int) []any { return []any{i, i, i, "08:30:00", "18:00:00.250"} })
	w.insert("staff", "(staff_id,first_name,last_name,chief_id,address_id,picture,badge,store_id,active,rights,password)", 12, func(i int) []any {
		var chief any
		if i > 1 {
			chief = 1 + w.IntN(i-1)
		}
		return []any{i, pick(w, given), w.name(), chief, i + 4, w.maybe(30, w.bytes(200)), w.bytes(4), 1 + i%4,
			raw(fmt.Sprintf("b'%d'", w.IntN(2))), w.IntN(4096), w.maybe(20, fmt.Sprintf("%x", w.bytes(20)))}
	})
	w.insert("customer", "", 599, func(i int) []any {
		profile := fmt.Sprintf(`{"tags": ["%s", "%s"], "level": %d, "quote": "say \"hi\" \\ é"}`, pick(w, kinds),
			pick(w, things), w.IntN(5))
		return []any{i, 1 + w.IntN(4), pick(w, given), w.name(), w.maybe(5, fmt.Sprintf("user%d@example.org", i)),
			1 + w.IntN(603), min(1, w.IntN(15)),
			w.maybe(20, w.moment()[:10]), w.maybe(30, profile), w.moment(), w.maybe(10, w.moment()+".125")}
	})
}

func (w writer) tools() {
	w.insert("category", "", 16, func(i int) []any {
		return []any{i, fmt.Sprintf("%s things %c", pick(w, kinds), 'A'+i), pick(w, []any{nil, max(1, i/2)})}
	})
	w.insert("maker", "", 200, func(i int) []any {
		return []any{i, w.name(), w.maybe(10, 1901+w.IntN(120)),
			1 + w.IntN(109)}
	})
	var titles []string
	w.insert("tool", "(tool_id,title,description,made,rate,cost,weight,watts,risk,extras,days)", 1000,
		func(i int) []any {
			titles = append(titles, fmt.Sprintf("%s %s %d", pick(w, kinds), pick(w, things), i))
			return []any{i, titles[i-1], w.maybe(5, w.sentence()), w.maybe(10, 1990+w.IntN(36)),
				raw(fmt.Sprintf("%d.99", w.IntN(9))), w.cents(400),
				w.maybe(10, w.cents(90)), w.maybe(40, raw(fmt.Sprintf("%d.%d", w.IntN(3000), w.IntN(1000)))),
				pick(w, risks), pick(w, extras), 3 + w.IntN(5)}
		})
	w.insert("tool_maker", "", 5462, func(i int) []any { return []any{1 + i%1000, 1 + (i%1000*7+i/1000*31)%200} })
	w.insert("tool_category", "", 1000, func(i int) []any { return []any{i, 1 + w.IntN(16)} })
	w.insert("tool_text", "", 1000, func(i int) []any { return []any{i, titles[i-1], w.maybe(5, w.sentence())} })
	w.insert("inventory", "", 4581, func(i int) []any {
		return []any{i, 1 + w.IntN(1000), 1 + w.IntN(4),
			fmt.Sprintf("SN-%07X", i*7919)}
	})
}

func (w writer) business() {
	w.insert("loan", "", 16044, func(i int) []any {
		month := 1 + w.IntN(12)
		return []any{i, fmt.Sprintf("2024-%02d-%02d %02d:%02d:%02d", month, 1+w.IntN(14), i%24, i%60, i%59),
			1 + w.IntN(4581), 1 + w.IntN(599),
			w.maybe(3, fmt.Sprintf("2024-%02d-%02d %02d:00:00", month, 15+w.IntN(14), w.IntN(24))), 1 + w.IntN(12)}
	})
	w.insert("payment", "", 16049, func(i int) []any {
		loan := any(i)
		if i > 16044 {
			loan = nil
		}
		return []any{i, 1 + w.IntN(599), 1 + w.IntN(12), loan, w.cents(12), w.moment()}
	})
}

// notes are values that are hard to write.
func (w writer) notes() {
	bodies := []any{"plain", "it's \"quoted\"", `back\slash \n is no newline`, "two\nlines\r\nand a\ttab",
		"percent % and under_score", "; DELIMITER ;; -- no comment /* nor this */", "", nil, "emoji 🛠 and 漢字",
		"/*!50001 not a comment */", "\x1a end"}
	bigs := []any{raw("-12345678901234567890.0123456789"), raw("0.0000000001"), raw("0"), nil}
	huges := []any{raw("18446744073709551615"), raw("9223372036854775808"), 0, nil}
	w.insert("note", "", 60, func(i int) []any {
		return []any{i, w.maybe(20, 1+w.IntN(1000)), bodies[i%len(bodies)], w.maybe(20, w.bytes(40)), bigs[i%len(bigs)],
			huges[i/2%len(huges)], w.maybe(20, []byte("\x00'\\\xff;"))}
	})
}

// bytes has every byte now and then.
func (w writer) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.Uint32())
	}
	return b
}

func (w writer) sentence() string {
	return fmt.Sprintf("A %s %s from %s; don't use it near a %s.\nSay \"%s\".", pick(w, kinds), pick(w, things),
		w.name(), pick(w, things), w.name())
}
