CREATE TABLE Tar (
  TarKz char(2) NOT NULL,
  Bez varchar(20) NOT NULL,
  GrundCt int NOT NULL COMMENT 'Grundgebühr im Monat, Cent',
  StdCt int NOT NULL COMMENT 'je Stunde, Cent',
  KmCt int NOT NULL COMMENT 'je km, Cent',
  PRIMARY KEY (TarKz)
) COMMENT='Tarife';

CREATE TABLE Kd (
  KdNr int NOT NULL,
  VName varchar(20) NOT NULL,
  NName varchar(20) NOT NULL,
  GebDat date NOT NULL,
  Ort varchar(20) NOT NULL,
  KStat char(1) NOT NULL COMMENT 'A aktiv, S gesperrt, G gekündigt',
  Seit date NOT NULL,
  WerbNr int COMMENT 'KdNr des Werbers',
  Kaution tinyint NOT NULL COMMENT '1 Kaution hinterlegt',
  PRIMARY KEY (KdNr),
  FOREIGN KEY (WerbNr) REFERENCES Kd (KdNr)
) COMMENT='Kunden';

CREATE TABLE KdTar (
  KdNr int NOT NULL,
  Ab date NOT NULL,
  Bis date COMMENT 'NULL: gilt noch',
  TarKz char(2) NOT NULL,
  PRIMARY KEY (KdNr, Ab),
  FOREIGN KEY (KdNr) REFERENCES Kd (KdNr),
  FOREIGN KEY (TarKz) REFERENCES Tar (TarKz)
) COMMENT='welcher Kunde wann welchen Tarif hatte';

CREATE TABLE Sta (
  StaNr int NOT NULL,
  Bez varchar(30) NOT NULL,
  Bezirk varchar(20) NOT NULL,
  Plaetze int NOT NULL COMMENT 'Stellplätze',
  Lade tinyint NOT NULL COMMENT '1 mit Ladesäule',
  SeitJahr smallint NOT NULL,
  PRIMARY KEY (StaNr)
) COMMENT='Stationen';

CREATE TABLE `Mod` (
  ModNr int NOT NULL,
  Herst varchar(20) NOT NULL,
  Bez varchar(20) NOT NULL,
  Antr char(1) NOT NULL COMMENT 'B Benzin, D Diesel, E Elektro, H Hybrid',
  Kl char(1) NOT NULL COMMENT 'K Kleinwagen, M Mittelklasse, T Transporter',
  Sitze int NOT NULL,
  PRIMARY KEY (ModNr)
) COMMENT='Modelle';

CREATE TABLE Fzg (
  FzgNr int NOT NULL,
  Kennz varchar(10) NOT NULL,
  ModNr int NOT NULL,
  StaNr int NOT NULL COMMENT 'Heimatstation',
  Bj smallint NOT NULL COMMENT 'Baujahr',
  FStat char(1) NOT NULL COMMENT 'F verfügbar, W in der Werkstatt, V verkauft',
  KmStand int NOT NULL,
  PRIMARY KEY (FzgNr),
  FOREIGN KEY (ModNr) REFERENCES `Mod` (ModNr),
  FOREIGN KEY (StaNr) REFERENCES Sta (StaNr)
) COMMENT='Fahrzeuge';

CREATE TABLE Bu (
  BuNr int NOT NULL,
  KdNr int NOT NULL,
  FzgNr int NOT NULL,
  StaVon int NOT NULL COMMENT 'Station des Beginns',
  StaNach int COMMENT 'Station der Rückgabe',
  Beginn datetime NOT NULL,
  DauerMin int NOT NULL COMMENT 'Minuten',
  Km int NOT NULL,
  BetragCt int NOT NULL COMMENT 'Cent',
  BuStat char(1) NOT NULL COMMENT 'E erledigt, S storniert, N nicht angetreten',
  PRIMARY KEY (BuNr),
  FOREIGN KEY (KdNr) REFERENCES Kd (KdNr),
  FOREIGN KEY (FzgNr) REFERENCES Fzg (FzgNr),
  FOREIGN KEY (StaVon) REFERENCES Sta (StaNr),
  FOREIGN KEY (StaNach) REFERENCES Sta (StaNr)
) COMMENT='Buchungen';

CREATE TABLE BuFahrer (
  BuNr int NOT NULL,
  KdNr int NOT NULL,
  KmAnt int NOT NULL COMMENT 'davon gefahrene km',
  PRIMARY KEY (BuNr, KdNr),
  FOREIGN KEY (BuNr) REFERENCES Bu (BuNr),
  FOREIGN KEY (KdNr) REFERENCES Kd (KdNr)
) COMMENT='weitere Fahrer einer Buchung';

CREATE TABLE Schad (
  SchNr int NOT NULL,
  BuNr int NOT NULL,
  Art char(1) NOT NULL COMMENT 'K Kratzer, B Beule, G Glas, R Reifen',
  GemAm date NOT NULL,
  RepAm date,
  KostCt int COMMENT 'Cent',
  Schuld char(1) NOT NULL COMMENT 'J Kunde schuld, N nicht schuld, U ungeklärt',
  PRIMARY KEY (SchNr),
  FOREIGN KEY (BuNr) REFERENCES Bu (BuNr)
) COMMENT='Schäden';

CREATE TABLE Wart (
  FzgNr int NOT NULL,
  LfdNr int NOT NULL COMMENT 'laufende Nummer je Fahrzeug',
  Dat date NOT NULL,
  Art char(1) NOT NULL COMMENT 'I Inspektion, R Reifenwechsel, T TÜV, S Schadenreparatur',
  KmStand int NOT NULL COMMENT 'km bei der Wartung',
  KostCt int NOT NULL COMMENT 'Cent',
  Werk varchar(20) NOT NULL,
  PRIMARY KEY (FzgNr, LfdNr),
  FOREIGN KEY (FzgNr) REFERENCES Fzg (FzgNr)
) COMMENT='Wartungen je Fahrzeug';

CREATE TABLE Rg (
  RgNr int NOT NULL,
  KdNr int NOT NULL,
  Jahr smallint NOT NULL,
  Monat tinyint NOT NULL,
  BetragCt int NOT NULL COMMENT 'Cent',
  BezAm date,
  Mahn tinyint NOT NULL COMMENT 'Mahnstufe',
  PRIMARY KEY (RgNr),
  FOREIGN KEY (KdNr) REFERENCES Kd (KdNr)
) COMMENT='Rechnungen';

