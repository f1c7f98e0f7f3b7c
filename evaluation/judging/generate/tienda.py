"""A shop for kitchen, garden and tools; orders up to 2024-03-31."""
import datetime as dt
import unicodedata

from tables import Database

db = Database("tienda", 20240119)
R = db.rng


def day(first, last):
    return first + dt.timedelta(R.randrange((last - first).days + 1))


def plain(s):
    s = unicodedata.normalize("NFD", s.lower())
    return "".join(c for c in s if c.isalnum() and c.isascii())


CATEGORIES = [(1, "Cocina", ""), (2, "Jardín", ""), (3, "Bricolaje", ""), (4, "Baño", ""),
              (11, "Sartenes y ollas", 1), (12, "Cuchillería", 1), (13, "Café y té", 1), (21, "Riego", 2), (22, "Macetas", 2),
              (31, "Herramienta manual", 3), (32, "Pintura", 3), (41, "Toallas", 4), (42, "Accesorios de baño", 4)]
db.write("categorias", "id_categoria nombre id_categoria_padre", CATEGORIES)

db.write("proveedores", "id_proveedor razon_social nif pais plazo_dias", [
    (1, "Menajes del Turia, S.L.", "B46123871", "ES", 5), (2, "Cuchillerías Albacete, S.A.", "A02554190", "ES", 7),
    (3, "Cerâmicas do Norte, Lda.", "PT508812345", "PT", 12), (4, "Arrosage Martin SARL", "FR40303265045", "FR", 10),
    (5, "Werkzeug Brandt GmbH", "DE811907980", "DE", 9), (6, "Caffettiere Bialba S.r.l.", "IT01533080675", "IT", 14),
    (7, "Ningbo Homeware Co.", "CN91330200MA2A", "CN", 45), (8, "Textil Ribera Alta, S.L.", "B46900127", "ES", ""),
    (9, "Pinturas Ebro, S.A.", "A50011238", "ES", 4), (10, "Viveros La Huerta, S.C.", "J30881266", "ES", "")])

PRODUCTS = """11 1 Sartén antiadherente 20 cm|14.90
11 1 Sartén antiadherente 24 cm|18.50
11 1 Sartén antiadherente 28 cm|23.90
11 7 Olla rápida 6 l|54.00
11 1 Cazuela de barro 30 cm|12.75
11 7 Wok de acero 32 cm|27.40
11 1 Paellera pulida 46 cm|21.30
11 1 Paellera esmaltada 46 cm|26.80
12 2 Cuchillo cocinero 20 cm|32.00
12 2 Cuchillo jamonero 28 cm|38.50
12 2 Puntilla 9 cm|8.95
12 2 Tijeras de cocina|11.40
12 2 Juego de 6 cuchillos de mesa|42.00
12 7 Afilador de dos pasos|9.60
13 6 Cafetera italiana 3 tazas|17.80
13 6 Cafetera italiana 6 tazas|22.60
13 6 Cafetera italiana 12 tazas|34.90
13 7 Molinillo eléctrico|29.95
13 7 Tetera de cristal 1 l|16.20
13 3 Taza de gres azul|6.40
13 3 Taza de gres azul oscuro|6.40
21 4 Manguera 15 m|24.50
21 4 Manguera 25 m|36.90
21 4 Programador de riego|48.00
21 4 Aspersor oscilante|19.75
21 4 Conector rápido de 1/2"|3.20
21 7 Pistola de riego 7 chorros|8.10
22 3 Maceta de barro 20 cm|4.80
22 3 Maceta de barro 30 cm|9.20
22 3 Maceta esmaltada verde 25 cm|17.60
22 10 Jardinera de madera 80 cm|39.00
22 10 Sustrato universal 50 l|7.90
22 10 Abono líquido 1 l|6.75
31 5 Martillo de uña 500 g|15.60
31 5 Juego de destornilladores, 8 piezas|28.90
31 5 Llave inglesa 10"|18.20
31 5 Alicates universales|13.70
31 5 Nivel de burbuja 60 cm|21.00
31 7 Cinta métrica 5 m|5.90
31 7 Serrucho 450 mm|12.30
31 5 Maletín de herramientas, 108 piezas|129.00
32 9 Pintura plástica blanca 15 l|45.50
32 9 Pintura plástica blanca 4 l|16.90
32 9 Esmalte al agua negro 750 ml|14.20
32 9 Imprimación multiusos 4 l|33.80
32 7 Rodillo antigota 22 cm|6.30
32 7 Juego de 5 brochas|9.90
32 9 Lasur para madera, roble, 2,5 l|31.00
41 8 Toalla de ducha blanca|13.50
41 8 Toalla de lavabo blanca|7.25
41 8 Toalla de playa a rayas|18.00
41 8 Juego de 3 toallas gris perla|29.00
42 7 Escobilla de silicona|10.80
42 7 Dosificador de jabón|8.40
42 3 Jabonera de cerámica|5.60
42 7 Cortina de ducha 180 × 200 cm|15.10
42 7 Báscula de baño|24.00
42 7 Alfombrilla antideslizante|11.90"""
WEIGHTS = [620, 780, 960, 2900, 1850, 1430, 1210, 1640, 210, 260, 60, 140, 480, 230, 390, 560, 880, 1150, 640, 340, 345, 2150, 3480, 730, 910, 35, 180, 950, 2300, 1900, 4700, 18500, 1080, 690, 1150, 540, 380, 520, 190, 470, 7400, 21800, 5900, 980, 5600, 170, 240, 2750, 430, 160, 510, 1250, 330, 290, 370, 620, 1700, 560]
products = []
for i, line in enumerate(PRODUCTS.split("\n")):
    cat, sup, rest = line.split(" ", 2)
    name, price = rest.split("|")
    price = float(price)
    parent = {c[0]: c[2] for c in CATEGORIES}[int(cat)]
    vat = 10 if "Sustrato" in name or "Abono" in name else 21
    products.append([f"{'KJBA'[parent - 1]}{cat}-{101 + i}", name, int(cat), int(sup), f"{price:.2f}", f"{price * R.uniform(.45, .72):.2f}", vat,
                     "" if R.random() < .12 else WEIGHTS[i],
                     day(dt.date(2019, 2, 1), dt.date(2023, 11, 30)), int(i in (3, 13, 20, 39, 46, 50, 53))])
db.write("productos", "cod_producto descripcion id_categoria id_proveedor precio_venta precio_coste tipo_iva peso_g fecha_alta descatalogado", products)

WAREHOUSES = [("VLC", "Central Valencia", "Valencia", 3200), ("MAD", "Coslada", "Madrid", 2750), ("BCN", "Zona Franca", "Barcelona", 1900),
              ("LPA", "Canarias", "Las Palmas de Gran Canaria", 640)]
db.write("almacenes", "cod_almacen nombre ciudad superficie_m2", WAREHOUSES)

stock = []
for w, share in (("VLC", .95), ("MAD", .8), ("BCN", .6), ("LPA", .35)):
    for p in products:
        if R.random() < share:
            least = R.choice([5, 5, 10, 10, 20, 30])
            units = 0 if R.random() < .07 else int(R.lognormvariate(3.1, .9))
            stock.append((w, p[0], units, least, "" if R.random() < .1 else f"{R.choice('ABCDE')}-{R.randrange(1, 15):02d}"))
db.write("existencias", "cod_almacen cod_producto unidades minimo pasillo", stock)

FIRST = "María José Antonio Carmen Manuel Ana Francisco Laura Javier Lucía David Marta Jorge Núria Jordi Iñaki Begoña Íñigo Aitana Álvaro Rocío Sergi Noelia Xavier Uxía Brais Candela Hugo Inés Óscar".split()
LAST = "García Martínez López Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz Álvarez Romero Alonso Navarro Torres Ibáñez Peña Ferrer Puig Etxeberria Otero Castaño".split()
COMPANIES = ["Hotel Miramar, S.L.", "Restaurante Casa Lola", "Bar El Rincón", "Jardines Levante, S.L.", "Reformas Hnos. Peña", "Cafetería Núria", "Colegio San Vicente", "Pinturas y Decoración Ruiz",
             "Ferretería La Llave", "Ferreteria La Llave", "Distribuciones Ortega, S.A.", "Mayoristas del Sur, S.A.", "Comercial Ebro, S.L.", "Bazar Atlántico", "Viveros Peñíscola", "Menaje Gallego, S.L."]
CITIES = [("Valencia", "46", 26), ("Madrid", "28", 24), ("Barcelona", "08", 15), ("Sevilla", "41", 9), ("Zaragoza", "50", 7), ("Málaga", "29", 6), ("A Coruña", "15", 5),
          ("Donostia", "20", 4), ("Las Palmas de Gran Canaria", "35", 4), ("Cáceres", "10", 3), ("Logroño", "26", 2), ("Alcoi", "03", 2)]
customers, seen = [], set()
for i in range(1, 131):
    city, zipcode, _ = R.choices(CITIES, [c[2] for c in CITIES])[0]
    company = COMPANIES.pop(0) if i % 8 == 0 and COMPANIES else None
    if company:
        name, family, kind = company, "", "M" if any(w in company for w in ("Distrib", "Mayor", "Comercial", "Bazar")) else "E"
        mail = "pedidos@" + plain(company.split(",")[0]) + ".example"
    else:
        while True:
            name, family = R.choice(FIRST), R.choice(LAST) + " " + R.choice(LAST)
            if plain(name + family) not in seen:
                break
        seen.add(plain(name + family))
        kind, mail = "P", plain(name) + "." + plain(family.split()[0]) + str(R.randrange(10, 99)) + R.choice(["@correo.example", "@mail.example"])
    customers.append([i, name, family, kind, "" if R.random() < .08 else mail, "" if R.random() < .2 else f"+34 {R.choice([6, 7, 9])}{R.randrange(10**7, 10**8)}", city,
                      zipcode + f"{R.randrange(1, 60):03d}", day(dt.date(2019, 3, 1), dt.date(2023, 12, 20)), int(R.random() < .55)])
customers[57][1:3] = ["Maria", "Garcia Lopez"]  # once more, typed without accents
customers[22][1:3] = ["María", "García López"]
db.write("clientes", "id_cliente nombre apellidos tipo email telefono ciudad cp fecha_registro acepta_publicidad", customers)

orders, lines = [], []
eager = [R.paretovariate(1.1) for _ in customers]
for c in (5, 17, 31, 44, 66, 90, 101, 118):
    eager[c] = 0  # registered and never ordered
popular = [R.paretovariate(1.3) for _ in products]
popular[40] = popular[30] = 0
dates = sorted(R.choice([day(dt.date(2022, 7, 1), dt.date(2024, 3, 31)), day(dt.date(2023, 6, 1), dt.date(2024, 3, 31))]) for _ in range(360))
for n, ordered in enumerate(dates):
    c = R.choices(customers, eager)[0]
    while c[8] > ordered:
        c = R.choices(customers, eager)[0]
    num = 20001 + n + n // 50
    w = "LPA" if c[6].startswith("Las P") else R.choices(["VLC", "MAD", "BCN"], [5, 4, 2])[0]
    age = (dt.date(2024, 3, 31) - ordered).days
    state = R.choices(["PE", "PR", "EN", "AN"], [6, 3, 6, 1])[0] if age < 9 else R.choices(["EG", "AN", "EN", "PE"], [88, 7, 3, 2])[0]
    sent = got = ""
    if state in ("EN", "EG"):
        sent = ordered + dt.timedelta(R.choices([0, 1, 2, 3, 5, 9], [20, 40, 20, 10, 7, 3])[0])
    if state == "EG":
        got = sent + dt.timedelta(R.choices([1, 2, 3, 4, 6, 11], [35, 30, 15, 10, 7, 3])[0] + (4 if w == "LPA" else 0))
    pay = R.choices(["tarjeta", "transferencia", "contrarreembolso", "bizum"], [60, 6, 9, 25] if c[3] == "P" else [25, 70, 4, 1])[0]
    total = 0
    for k, p in enumerate(sorted({R.choices(range(len(products)), popular)[0] for _ in range(R.choices([1, 2, 3, 4, 5], [30, 30, 20, 12, 8])[0])}), 1):
        p = products[p]
        qty = R.choices([1, 2, 3, 4], [60, 25, 9, 6])[0] if c[3] == "P" else R.choice([2, 4, 6, 10, 12, 24])
        price = float(p[4]) * (.95 if ordered < dt.date(2023, 1, 1) else 1)
        off = R.choices([0, 5, 10, 15], [75, 12, 9, 4])[0] if c[3] == "P" else {"E": 7.5, "M": 15}[c[3]]
        lines.append((num, k, p[0], qty, f"{price:.2f}", f"{off:.1f}"))
        total += qty * price
    orders.append((num, c[0], w, ordered, state, pay, "0.00" if total > 60 else "11.50" if w == "LPA" else "4.95", sent, got))
db.write("pedidos", "num_pedido id_cliente cod_almacen fecha estado forma_pago gastos_envio fecha_envio fecha_entrega", orders)
db.write("lineas_pedido", "num_pedido num_linea cod_producto cantidad precio_unitario descuento_pct", lines)

by_num = {o[0]: o for o in orders}
delivered = [l for l in lines if by_num[l[0]][4] == "EG"]
odds = [3 if l[2][0] == "B" else 5 if "Cafetera" in {p[0]: p[1] for p in products}[l[2]] else 1 for l in delivered]
returns, done = [], set()
while len(returns) < 64:
    l = R.choices(delivered, odds)[0]
    if l[:2] in done:
        continue
    done.add(l[:2])
    qty = R.randint(1, min(l[3], 3))
    amount = qty * float(l[4]) * (1 - float(l[5]) / 100)
    returns.append([by_num[l[0]][8] + dt.timedelta(R.randrange(1, 29)), l, qty, R.choices(["DF", "EQ", "NG", "RT"], [9, 3, 7, 5])[0], "" if R.random() < .14 else f"{amount:.2f}"])
returns.sort(key=lambda r: (r[0], r[1]))
db.write("devoluciones", "id_devolucion num_pedido num_linea fecha cantidad motivo importe", [(i, r[1][0], r[1][1], r[0], r[2], r[3], r[4]) for i, r in enumerate(returns, 1)])

SAY = {5: ["Muy contento, repetiré.", "¡Perfecta!", "Excelente calidad", ""], 4: ["Bien, aunque tardó en llegar.", "Buena compra", ""], 3: ["Normal", "Ni fu ni fa", ""],
       2: ["Esperaba más por este precio.", "El color no es el de la foto", ""], 1: ["Se rompió a la semana", "Llegó con un golpe; lo devolví.", ""]}
reviews, rated = [], set()
good = {p[0]: R.choice([0, 0, 1, 2, 3]) for p in products}
for l in delivered:
    o = by_num[l[0]]
    if R.random() < .27 and (l[2], o[1]) not in rated:
        rated.add((l[2], o[1]))
        s = R.choices([1, 2, 3, 4, 5], [[3, 3, 5, 6, 5], [1, 2, 4, 8, 8], [1, 1, 2, 7, 14], [4, 5, 5, 3, 2]][good[l[2]]])[0]
        reviews.append((l[2], o[1], s, R.choice(SAY[s]), o[8] + dt.timedelta(R.randrange(1, 40))))
db.write("valoraciones", "cod_producto id_cliente estrellas comentario fecha", reviews)
