CREATE TABLE Sorte (
  `Sorten Kz` char(3) NOT NULL,
  Name varchar(30) NOT NULL,
  `Stammwürze` decimal(4,1) NOT NULL COMMENT 'in Grad Plato',
  Alkohol decimal(3,1) NOT NULL,
  `Gärung` char(1) NOT NULL COMMENT 'U untergärig, O obergärig',
  saisonal char(1) NOT NULL COMMENT 'J nur zur Saison, N ganzjährig',
  PRIMARY KEY (`Sorten Kz`)
) COMMENT='Biersorten';

CREATE TABLE Lieferant (
  `Lief Nr` int NOT NULL,
  Firma varchar(40) NOT NULL,
  Ort varchar(30) NOT NULL,
  Land char(2) NOT NULL,
  PRIMARY KEY (`Lief Nr`)
);

CREATE TABLE Rohstoff (
  `Rohst Nr` int NOT NULL,
  Bezeichnung varchar(30) NOT NULL,
  Art char(1) NOT NULL COMMENT 'M Malz, H Hopfen, E Hefe, Z Zusatz',
  `Lief Nr` int NOT NULL,
  `Preis je kg ct` int NOT NULL COMMENT 'Preis je kg in Cent',
  `Bestand kg` decimal(7,1) NOT NULL,
  `Mindestbestand kg` int NOT NULL,
  PRIMARY KEY (`Rohst Nr`),
  FOREIGN KEY (`Lief Nr`) REFERENCES Lieferant (`Lief Nr`)
);

CREATE TABLE Rezept (
  `Sorten Kz` char(3) NOT NULL,
  `Rohst Nr` int NOT NULL,
  `g je hl` int NOT NULL COMMENT 'Gramm je Hektoliter',
  Gabe int NOT NULL COMMENT 'wievielte Gabe',
  PRIMARY KEY (`Sorten Kz`, `Rohst Nr`),
  FOREIGN KEY (`Sorten Kz`) REFERENCES Sorte (`Sorten Kz`),
  FOREIGN KEY (`Rohst Nr`) REFERENCES Rohstoff (`Rohst Nr`)
) COMMENT='welche Rohstoffe in eine Sorte kommen';

CREATE TABLE Tank (
  `Tank Nr` int NOT NULL,
  Art char(1) NOT NULL COMMENT 'G Gärtank, L Lagertank, D Drucktank',
  `Inhalt hl` int NOT NULL COMMENT 'Fassungsvermögen in hl',
  Standort varchar(20) NOT NULL,
  gesperrt tinyint NOT NULL COMMENT '1 gesperrt, 0 benutzbar',
  Baujahr smallint NOT NULL,
  PRIMARY KEY (`Tank Nr`)
);

CREATE TABLE Mitarbeiter (
  `Pers Nr` int NOT NULL,
  Vorname varchar(20) NOT NULL,
  Nachname varchar(20) NOT NULL,
  Rolle char(1) NOT NULL COMMENT 'B Brauer, M Braumeister, F Fahrer, V Vertrieb',
  Eintritt date NOT NULL,
  Austritt date,
  Chef int COMMENT 'Pers Nr des Vorgesetzten',
  PRIMARY KEY (`Pers Nr`),
  FOREIGN KEY (Chef) REFERENCES Mitarbeiter (`Pers Nr`)
) COMMENT='Personal';

CREATE TABLE Sud (
  `Sud Nr` int NOT NULL,
  `Sorten Kz` char(3) NOT NULL,
  `Gär Tank` int NOT NULL COMMENT 'Tank Nr, in dem vergoren wird',
  `Lager Tank` int COMMENT 'Tank Nr, in dem gelagert wird',
  Brauer int NOT NULL COMMENT 'Pers Nr',
  Braudatum date NOT NULL,
  `abgefüllt am` date,
  `Ausschlag hl` decimal(5,1) NOT NULL COMMENT 'Ergebnis in hl',
  `Verlust hl` decimal(4,1) NOT NULL,
  Dauer int NOT NULL COMMENT 'Minuten',
  Status char(1) NOT NULL COMMENT 'F freigegeben, S gesperrt, V vernichtet',
  PRIMARY KEY (`Sud Nr`),
  FOREIGN KEY (`Sorten Kz`) REFERENCES Sorte (`Sorten Kz`),
  FOREIGN KEY (`Gär Tank`) REFERENCES Tank (`Tank Nr`),
  FOREIGN KEY (`Lager Tank`) REFERENCES Tank (`Tank Nr`),
  FOREIGN KEY (Brauer) REFERENCES Mitarbeiter (`Pers Nr`)
) COMMENT='ein Sud ist ein Brauvorgang';

CREATE TABLE Messung (
  `Sud Nr` int NOT NULL,
  Tag int NOT NULL COMMENT 'Tage seit dem Brauen',
  Temperatur decimal(3,1) NOT NULL COMMENT 'Grad Celsius',
  Extrakt decimal(4,1),
  PRIMARY KEY (`Sud Nr`, Tag),
  FOREIGN KEY (`Sud Nr`) REFERENCES Sud (`Sud Nr`)
);

CREATE TABLE Kunde (
  KdNr int NOT NULL,
  Name varchar(40) NOT NULL,
  Art char(1) NOT NULL COMMENT 'G Gastronomie, H Handel, F Feste und Vereine, P Privat',
  Ort varchar(30) NOT NULL,
  Status char(1) NOT NULL COMMENT 'A aktiv, S gesperrt, E ehemalig',
  `geworben von` int COMMENT 'KdNr des Kunden, der ihn geworben hat',
  PRIMARY KEY (KdNr),
  FOREIGN KEY (`geworben von`) REFERENCES Kunde (KdNr)
);

CREATE TABLE Preis (
  `Sorten Kz` char(3) NOT NULL,
  Gebinde char(3) NOT NULL COMMENT 'F30 Fass 30 l, F50 Fass 50 l, KAS Kasten',
  `gültig ab` date NOT NULL,
  `gültig bis` date COMMENT 'leer: gilt noch',
  `Preis ct` int NOT NULL COMMENT 'Preis in Cent',
  PRIMARY KEY (`Sorten Kz`, Gebinde, `gültig ab`),
  FOREIGN KEY (`Sorten Kz`) REFERENCES Sorte (`Sorten Kz`)
) COMMENT='Preisliste mit Gültigkeit';

CREATE TABLE `Auftrag Kopf` (
  `Auftr Nr` int NOT NULL,
  KdNr int NOT NULL,
  Fahrer int COMMENT 'Pers Nr',
  Bestelldatum date NOT NULL,
  `geliefert am` date,
  `Rabatt %` decimal(3,1) NOT NULL,
  PRIMARY KEY (`Auftr Nr`),
  FOREIGN KEY (KdNr) REFERENCES Kunde (KdNr),
  FOREIGN KEY (Fahrer) REFERENCES Mitarbeiter (`Pers Nr`)
);

CREATE TABLE `Auftrag Pos` (
  `Auftr Nr` int NOT NULL,
  Pos int NOT NULL,
  `Sorten Kz` char(3) NOT NULL,
  Gebinde char(3) NOT NULL,
  Menge int NOT NULL COMMENT 'Anzahl Gebinde',
  `Preis ct` int NOT NULL COMMENT 'Preis je Gebinde in Cent',
  PRIMARY KEY (`Auftr Nr`, Pos),
  FOREIGN KEY (`Auftr Nr`) REFERENCES `Auftrag Kopf` (`Auftr Nr`),
  FOREIGN KEY (`Sorten Kz`) REFERENCES Sorte (`Sorten Kz`)
);

