package main

// Everything a row is made of. Countries and cities are real; companies, people, streets,
// vendors, makers and products are invented.

type city struct{ name, state string }

// country says how many customers live there and what their addresses look like.
// In postal and phone, # is a digit and @ a capital letter; "" is no postal code.
type country struct {
	name      string
	customers int
	office    string // office whose people sell there; "" means that nobody does
	tongue    string
	postal    string
	phone     string
	cities    []city
}

var countries = []country{
	{"USA", 36, "1", "en", "#####", "+1 ### 555 ####", []city{{"Chicago", "IL"}, {"Portland", "OR"}, {"Denver", "CO"},
		{"Austin", "TX"}, {"Seattle", "WA"}, {"Atlanta", "GA"}, {"San Diego", "CA"}, {"Oakland", "CA"},
		{"Sacramento", "CA"}, {"Buffalo", "NY"}, {"Albany", "NY"}, {"Springfield", "MA"}, {"Minneapolis", "MN"},
		{"Cleveland", "OH"}, {"Tucson", "AZ"}, {"Nashville", "TN"}, {"Richmond", "VA"}, {"Milwaukee", "WI"}}},
	{"Germany", 13, "4", "de", "#####", "+49 ## 555 ###", []city{{"Hamburg", ""}, {"Leipzig", ""}, {"Stuttgart", ""},
		{"Bremen", ""}, {"Dresden", ""}, {"Nürnberg", ""}, {"Hannover", ""}}},
	{"France", 12, "4", "fr", "#####", "+33 1 ## ## 55 ##", []city{{"Bordeaux", ""}, {"Rennes", ""}, {"Grenoble", ""},
		{"Dijon", ""}, {"Nice", ""}, {"Angers", ""}, {"Saint-Étienne", ""}}},
	{"Spain", 7, "4", "es", "#####", "+34 91 555 ## ##", []city{{"Valencia", ""}, {"Bilbao", ""}, {"Zaragoza", ""},
		{"Málaga", ""}, {"Madrid", ""}}},
	{"UK", 6, "7", "en", "@@# #@@", "+44 ### 555 ####", []city{{"Bristol", ""}, {"Leeds", ""}, {"Glasgow", ""},
		{"Norwich", ""}, {"Cardiff", ""}}},
	{"Australia", 5, "6", "en", "####", "+61 # 5550 ####", []city{{"Brisbane", "Queensland"}, {"Geelong", "Victoria"},
		{"Newcastle", "NSW"}, {"Hobart", "Tasmania"}, {"Adelaide", "South Australia"}}},
	{"Italy", 5, "4", "it", "#####", "+39 0## 555 ###", []city{{"Bologna", ""}, {"Turin", ""},
		{"Verona", ""}, {"Genoa", ""}}},
	{"Canada", 4, "2", "en", "@#@ #@#", "+1 ### 555 ####", []city{{"Calgary", "AB"}, {"Halifax", "NS"},
		{"Victoria", "BC"}, {"Québec", "QC"}}},
	{"New Zealand", 4, "6", "en", "####", "+64 # 555 ####", []city{{"Wellington", ""}, {"Dunedin", ""},
		{"Auckland", ""}, {"Napier", ""}}},
	{"Norway", 3, "7", "no", "####", "+47 55 5# ## ##", []city{{"Trondheim", ""}, {"Oslo", ""}, {"Stavanger", ""}}},
	{"Sweden", 3, "7", "no", "### ##", "+46 # 555 ## ##", []city{{"Uppsala", ""}, {"Malmö", ""}, {"Göteborg", ""}}},
	{"Finland", 3, "7", "no", "#####", "+358 9 555 ###", []city{{"Turku", ""}, {"Tampere", ""}, {"Espoo", ""}}},
	{"Japan", 3, "5", "ja", "###-####", "+81 # 5550 ####", []city{{"Yokohama", "Kanagawa"},
		{"Sapporo", "Hokkaido"}, {"Kyoto", ""}}},
	{"Denmark", 2, "7", "no", "####", "+45 55 5# ## ##", []city{{"Aarhus", ""}, {"Odense", ""}}},
	{"Belgium", 2, "4", "fr", "####", "+32 2 555 ## ##", []city{{"Liège", ""}, {"Gent", ""}}},
	{"Austria", 2, "4", "de", "####", "+43 1 555 ####", []city{{"Linz", ""}, {"Innsbruck", ""}}},
	{"Singapore", 2, "6", "en", "######", "+65 5550 ####", []city{{"Singapore", ""}}},
	{"Switzerland", 2, "4", "de", "####", "+41 ## 555 ## ##", []city{{"Basel", ""}, {"Winterthur", ""}}},
	{"Ireland", 2, "7", "en", "", "+353 1 555 ####", []city{{"Galway", ""}, {"Cork", ""}}},
	{"Portugal", 2, "", "es", "####-###", "+351 21 555 ####", []city{{"Porto", ""}, {"Coimbra", ""}}},
	{"Netherlands", 1, "", "de", "#### @@", "+31 20 555 ####", []city{{"Utrecht", ""}}},
	{"Poland", 1, "", "de", "##-###", "+48 22 555 ## ##", []city{{"Gdańsk", ""}}},
	{"South Africa", 1, "", "en", "####", "+27 21 555 ####", []city{{"Durban", ""}}},
	{"Philippines", 1, "5", "es", "####", "+63 2 555 ####", []city{{"Cebu City", ""}}},
}

var firstNames = map[string][]string{
	"en": {"Abigail", "Owen", "Harriet", "Miles", "Joanne", "Curtis", "Nadia", "Gavin", "Priya", "Stuart", "Elena",
		"Dexter", "Maureen", "Tobias", "Carla", "Wesley", "Ingrid", "Ravi", "Phoebe", "Desmond"},
	"de": {"Annika", "Jürgen", "Katrin", "Lothar", "Sabine", "Uwe", "Wiebke", "Matthias", "Greta", "Holger",
		"Imke", "Detlef"},
	"fr": {"Amélie", "Bastien", "Clémence", "Étienne", "Gaëlle", "Hugo", "Inès", "Loïc", "Margaux", "Noé",
		"Solène", "Thibault"},
	"es": {"Alba", "Beltrán", "Inés", "Joaquín", "Lucía", "Mateo", "Nieves", "Rodrigo", "Vera", "Iker"},
	"it": {"Bianca", "Dario", "Fiorella", "Gianluca", "Ilaria", "Nico", "Ottavia", "Sandro"},
	"no": {"Astrid", "Bjarne", "Eirik", "Frida", "Liv", "Mikkel", "Sanna", "Torvald", "Ylva", "Øystein"},
	"ja": {"Aiko", "Daichi", "Haruka", "Kenta", "Naomi", "Sota"},
}

var lastNames = map[string][]string{
	"en": {"Ashdown", "Bexley", "Calloway", "Drummond", "Eastwick", "Farrow", "Gatling", "Hollis", "Iverson", "Jarrow",
		"Kessler", "Lockhart", "Merriweather", "Norwood", "Okafor", "Pemberly", "Quill", "Rutledge", "Standish",
		"Tilden", "Underhill", "Vance", "Whitlock", "Yardley"},
	"de": {"Ackermann", "Brandtner", "Cordes", "Dietzel", "Eberling", "Fuhrmann", "Grothe", "Hinrichs", "Jessen",
		"Kühnel", "Lindhorst", "Möhring"},
	"fr": {"Aubertin", "Beaulac", "Chevrel", "Delmas", "Estève", "Fontanel", "Guérin", "Hautier", "Jolivet", "Lacombe",
		"Marchal", "Noirot"},
	"es": {"Arrieta", "Belmonte", "Castaño", "Durán", "Echevarría", "Figueroa", "Galindo", "Ibáñez",
		"Lozano", "Montero"},
	"it": {"Albanese", "Bertolini", "Carraro", "De Santis", "Ferrante", "Grimaldi", "Lupo", "Marchetti"},
	"no": {"Aaberg", "Bakken", "Dahlström", "Engström", "Fjeld", "Grønvold", "Hellström", "Kivelä", "Nygaard",
		"Solheim", "Virtala"},
	"ja": {"Arai", "Fujimoto", "Hoshino", "Kawabata", "Morikawa", "Tachibana"},
}

// companies are what a trade name is made of: a head and, by language, a tail.
var companyHeads = []string{"Amberlight", "Birchwood", "Copperfield", "Dovetail", "Evergreen", "Foxglove", "Goldfinch",
	"Harbour Lane", "Ironbridge", "Juniper", "Kingfisher", "Lanternfish", "Marigold", "Northgate", "Oakhurst",
	"Pinwheel", "Quayside", "Redwing", "Silverbirch", "Tidewater", "Umbra", "Violet Hill", "Westerly",
	"Yellowstone Road", "Zephyr", "Blue Anchor", "Clocktower", "Driftwood", "Elmstead", "Fairweather", "Granite",
	"Hazelnut", "Islander", "Larkspur", "Millrace", "Nightingale", "Orchard", "Paper Crane", "Rosewood", "Sundial"}

var companyTails = map[string][]string{
	"en": {"Toys & Hobbies", "Collectables", "Gift Shop", "Model Store", "Trading Co.", "Hobby Supplies, Inc.",
		"Imports, Ltd", "Miniatures"},
	"de": {"Modellbau GmbH", "Spielwaren KG", "Sammlerbedarf", "Geschenke AG"},
	"fr": {"Miniatures SARL", "Cadeaux", "Jouets et Fils", "Modélisme SA"},
	"es": {"Regalos, S.L.", "Juguetes", "Modelismo, S.A.", "Coleccionistas"},
	"it": {"Modellismo S.r.l.", "Giocattoli", "Regali S.p.A."},
	"no": {"Hobby AS", "Gaver", "Modeller AB", "Leker Oy"},
	"ja": {"Hobby K.K.", "Models Co., Ltd", "Gifts"},
}

// streets hold one %d for the house number.
var streets = map[string][]string{
	"en": {"%d Foundry Street", "%d Old Mill Road", "%d Cathedral Row", "%d Lighthouse Avenue", "%d Station Parade",
		"%d Weaver Lane", "%d Kestrel Drive", "%d Granary Court"},
	"de": {"Gerberweg %d", "Am Alten Hafen %d", "Lindenallee %d", "Uhrmacherstr. %d", "Kirschgarten %d"},
	"fr": {"%d, rue du Moulin Vert", "%d, avenue des Tilleuls", "%d, quai de la Tannerie", "%d, place du Vieux Marché"},
	"es": {"Calle del Almendro, %d", "Paseo de la Fuente, %d", "Plaza del Reloj, %d", "Avenida del Puerto, %d"},
	"it": {"Via dei Tintori %d", "Corso del Mulino %d", "Piazza dell'Orologio %d"},
	"no": {"Bryggeveien %d", "Sjøgata %d", "Kvarnvägen %d", "Lindgatan %d"},
	"ja": {"%d-4 Honmachi", "%d-7 Minamidori", "%d-2 Sakuragaoka"},
}

var secondLines = []string{"Suite 210", "2nd floor", "Unit 5", "Building C", "Dock 9", "Room 31"}

type office struct {
	code, city, phone, line1, line2, state, country, postal, territory string
}

var offices = []office{
	{"1", "Chicago", "+1 312 555 0140", "88 Wabash Terrace", "Floor 12", "IL", "USA", "60601", "NA"},
	{"2", "Toronto", "+1 416 555 0172", "415 Harbourfront Way", "Suite 340", "ON", "Canada", "M5J 2H2", "NA"},
	{"3", "Philadelphia", "+1 215 555 0118", "1207 Lantern Street", "", "PA", "USA", "19103", "NA"},
	{"4", "Lyon", "+33 4 72 55 01 63", "24, rue de la Soierie", "", "", "France", "69002", "EMEA"},
	{"5", "Osaka", "+81 6 5550 0125", "3-11 Tenjinbashi", "", "Kita-ku", "Japan", "530-0041", "Japan"},
	{"6", "Melbourne", "+61 3 5550 0191", "52 Tramway Parade", "Level 4", "Victoria", "Australia", "3000", "APAC"},
	{"7", "Manchester", "+44 161 555 0107", "9 Cotton Exchange Yard", "Unit 2", "", "UK", "M1 4BT", "EMEA"},
}

type employee struct {
	number                     int
	last, first, office, title string
	boss                       int // employee number; 0 is nobody
}

var employees = []employee{
	{number: 1001, last: "Harrowgate", first: "Miriam", office: "1", title: "President"},
	{number: 1021, last: "Castellane", first: "Victor", office: "1", title: "VP Sales", boss: 1001},
	{number: 1024, last: "Thornbury", first: "Ines", office: "1", title: "VP Marketing", boss: 1001},
	{number: 1043, last: "Whitcombe", first: "Alasdair", office: "6", title: "Sales Manager (APAC)", boss: 1021},
	{number: 1047, last: "Vasseur", first: "Delphine", office: "4", title: "Sales Manager (EMEA)", boss: 1021},
	{number: 1052, last: "Abernathy", first: "Clyde", office: "1", title: "Sales Manager (NA)", boss: 1021},
	{number: 1110, last: "Pell", first: "Rosalind", office: "1", title: "Sales Rep", boss: 1052},
	{number: 1113, last: "Okonjo", first: "Samuel", office: "1", title: "Sales Rep", boss: 1052},
	{number: 1118, last: "Lindgren", first: "Tessa", office: "2", title: "Sales Rep", boss: 1052},
	{number: 1121, last: "Marlowe", first: "Julian", office: "2", title: "Sales Rep", boss: 1052},
	{number: 1127, last: "Dasgupta", first: "Anjali", office: "3", title: "Sales Rep", boss: 1052},
	{number: 1130, last: "Fenwick", first: "Rufus", office: "3", title: "Sales Rep", boss: 1052},
	{number: 1142, last: "Garnier", first: "Luc", office: "4", title: "Sales Rep", boss: 1047},
	{number: 1145, last: "Petit", first: "Élodie", office: "4", title: "Sales Rep", boss: 1047},
	{number: 1149, last: "Reinholt", first: "Karsten", office: "4", title: "Sales Rep", boss: 1047},
	{number: 1153, last: "Salvador", first: "Noelia", office: "4", title: "Sales Rep", boss: 1047},
	{number: 1160, last: "Cartwright", first: "Imogen", office: "7", title: "Sales Rep", boss: 1047},
	{number: 1164, last: "Pell", first: "Duncan", office: "7", title: "Sales Rep", boss: 1047},
	{number: 1171, last: "Brightwater", first: "Ngaio", office: "6", title: "Sales Rep", boss: 1043},
	{number: 1175, last: "Tran", first: "Minh", office: "6", title: "Sales Rep", boss: 1043},
	{number: 1179, last: "Holloway", first: "Peta", office: "6", title: "Sales Rep", boss: 1043},
	{number: 1186, last: "Kitagawa", first: "Ren", office: "5", title: "Sales Rep", boss: 1043},
	{number: 1190, last: "Shimada", first: "Yuki", office: "5", title: "Sales Rep", boss: 1186},
}

// line is one product line. Names are drawn as year, maker and model, or from names where a model has a name of its
// own.
type line struct {
	name, code  string
	products    int
	from, to    int // years of the originals; 0 for none
	makers      []string
	models      []string
	scales      []string
	parts       []string
	description string
}

var (
	carMakers = []string{"Corvane", "Halden", "Tarquin", "Vostra", "Lindmark", "Belcourt", "Ostrava Werke",
		"Pellegrini", "Stratton"}
	carParts = []string{"opening bonnet and boot", "steerable front wheels", "a detailed dashboard", "rubber tyres",
		"a removable spare wheel", "chrome trim", "a hand-painted interior"}
)

var lines = []line{
	{"Classic Cars", "CC", 34, 1948, 1989, carMakers, []string{"Meteor Coupé", "Falconet GT", "Sirocco",
		"Regent Saloon", "Monarch Convertible", "Lynx 2000", "Rallye S", "Tempest V8"}, []string{"1:10", "1:12", "1:18",
		"1:24"}, carParts, "Road cars from the second half of the twentieth century, from family saloons to racing " +
		"coupés."},
	{"Motorcycles", "MC", 14, 1935, 2002, []string{"Brough End", "Kestrel", "Moretta", "Norrland", "Takeda"},
		[]string{"Roadster 500", "Enduro", "Café Racer", "Tourer 900", "Trial 250"}, []string{"1:10", "1:18", "1:24",
			"1:32", "1:50"}, []string{"a working kickstand", "front suspension", "a turning handlebar", "spoked wheels",
			"a chain drive"}, "Solo machines and sidecars, built from diecast metal with working parts."},
	{"Planes", "PL", 13, 1916, 1985, []string{"Albright", "Dornfeld", "Skyline", "Vanterre"},
		[]string{"Flying Boat", "Biplane", "Night Fighter", "Mail Carrier", "Jet Trainer"},
		[]string{"1:18", "1:24", "1:72", "1:144", "1:700"}, []string{"a turning propeller", "retractable landing gear",
			"a display stand", "decals on both wings", "an opening canopy"},
		"Aircraft of both wars and of the airlines, each on a stand of polished wood."},
	{"Ships", "SH", 11, 0, 0, []string{"Schooner", "Clipper", "Paddle Steamer", "Frigate", "Ocean Liner"},
		[]string{"Morning Tide", "Northern Lark", "Empress of Fife", "Silver Petrel", "Adamant"},
		[]string{"1:24", "1:72", "1:350", "1:700"}, []string{"hand-tied rigging", "a planked deck", "brass fittings",
			"linen sails", "lifeboats on davits"},
		"Sailing ships, steamers and liners with masts, rigging and fittings to scale."},
	{"Trains", "TR", 6, 0, 0, []string{"Highland Railway", "Rhine Valley", "Prairie Central"},
		[]string{"Tank Engine", "Express Locomotive", "Mail Coach", "Snow Plough"}, []string{"1:18", "1:32", "1:50"},
		[]string{"brass pipework", "a lit cab", "articulated drive rods", "numbered coaches"},
		"Locomotives and coaches for the shelf or the track."},
	{"Trucks and Buses", "TB", 12, 1924, 1984, []string{"Atlas Haul", "Borgmann", "Crestline", "Dunmore"},
		[]string{"Fire Engine", "Flatbed", "City Bus", "Delivery Van", "Tipper"}, []string{"1:10", "1:12", "1:18",
			"1:24", "1:50"}, []string{"a tilting cab", "a load bed that tips", "opening doors", "a turning ladder"},
		"Working vehicles: lorries, vans, fire engines and buses."},
	{"Vintage Cars", "VC", 20, 1904, 1939, []string{"Ardent", "Bellamy & Rowe", "Chasseur", "Dufresne", "Everard"},
		[]string{"Phaeton", "Landaulet", "Tourer", "Doctor's Coupé", "Town Car", "Speedster"}, []string{"1:18", "1:24"},
		carParts, "Motor cars of the pioneer and inter-war years, in metal with cloth hoods."},
}

var vendors = []string{"Aldgate Miniatures", "Baymoor Diecast", "Carrow & Finch Models", "Dragonfly Design Works",
	"Ellery Scale Replicas", "Fjordline Models", "Gearloose Studios", "Hearth & Hobby", "Ivory Coast Diecast",
	"Juno Collectibles", "Kilnbrook Foundry", "Lowther Craft", "Mosaic Miniature Co."}

var finishes = []string{"Finished by hand", "Delivered in a numbered box", "Comes with a certificate",
	"Cast in zinc alloy", "Painted in the original colours"}

// comments by order status; "" stands for the orders without one.
var comments = map[string][]string{
	"Shipped": {"", "", "", "", "", "", "Customer asked for gift wrapping.", "Deliver before noon, please.",
		"Two parcels, one consignment note.", "Ring the warehouse before unloading.",
		"Customer would like next year's catalogue."},
	"Resolved": {"Damaged box replaced free of charge; customer agrees.", "Wrong colour was sent; exchanged."},
	"Cancelled": {"Customer found the order too large for the season.",
		"Customer cancelled because of late delivery.", ""},
	"On Hold":    {"Credit limit exceeded; waiting for a payment.", "Address is being checked."},
	"Disputed":   {"Customer says that three models arrived broken.", "Customer does not accept the freight charge."},
	"In Process": {"", "", "Waiting for one model from the vendor."},
}
