CREATE TABLE Mitarbeiter (
  Personal_Nr int NOT NULL,
  Vorname varchar(30) NOT NULL,
  Nachname varchar(30) NOT NULL,
  Gewerk varchar(20) NOT NULL,
  Eintritt date NOT NULL,
  Austritt date,
  Stundenlohn_ct int NOT NULL COMMENT 'Stundenlohn in Cent',
  Vorgesetzter int COMMENT 'Personal_Nr des Vorgesetzten',
  PRIMARY KEY (Personal_Nr)
) COMMENT='Personal';

CREATE TABLE Bauherren (
  BH_Nr int NOT NULL,
  Firma varchar(60) NOT NULL,
  Ort varchar(30) NOT NULL,
  seit date NOT NULL,
  PRIMARY KEY (BH_Nr)
) COMMENT='Auftraggeber';

CREATE TABLE Baustellen (
  BS_Nr int NOT NULL,
  Bezeichnung varchar(60) NOT NULL,
  BH_Nr int NOT NULL,
  Bauleiter int NOT NULL COMMENT 'Personal_Nr',
  Art char(1) NOT NULL COMMENT 'N Neubau, S Sanierung, A Abriss',
  Beginn date NOT NULL,
  Ende date COMMENT 'leer: noch im Bau',
  Budget_ct bigint NOT NULL COMMENT 'Budget in Cent',
  `Fläche` decimal(8,1) NOT NULL COMMENT 'm²',
  PRIMARY KEY (BS_Nr)
) COMMENT='laufende und fertige Baustellen';

CREATE TABLE Stundenzettel (
  Personal_Nr int NOT NULL,
  BS_Nr int NOT NULL,
  Datum date NOT NULL,
  Stunden decimal(4,1) NOT NULL,
  `Tätigkeit` varchar(30) NOT NULL,
  genehmigt tinyint(1) NOT NULL COMMENT '1 genehmigt, 0 noch nicht',
  PRIMARY KEY (Personal_Nr, BS_Nr, Datum)
) COMMENT='Arbeitsstunden je Tag';

CREATE TABLE `Geräte` (
  Inv_Nr varchar(8) NOT NULL,
  `Gerätename` varchar(40) NOT NULL,
  Zustand char(1) NOT NULL COMMENT 'E einsatzbereit, D defekt, W in Wartung',
  Kaufdatum date NOT NULL,
  Tagessatz_ct int NOT NULL COMMENT 'Tagessatz in Cent',
  PRIMARY KEY (Inv_Nr)
) COMMENT='Maschinenpark';

CREATE TABLE Rechnungen (
  Re_Nr varchar(10) NOT NULL,
  BS_Nr int NOT NULL,
  Re_Datum date NOT NULL,
  `fällig` date NOT NULL,
  Betrag_ct bigint NOT NULL COMMENT 'Betrag in Cent',
  Status char(2) NOT NULL COMMENT 'OF offen, BZ bezahlt, MA gemahnt, ST storniert',
  PRIMARY KEY (Re_Nr)
) COMMENT='Ausgangsrechnungen';

