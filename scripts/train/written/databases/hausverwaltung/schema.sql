CREATE TABLE gebaeude (
  id int NOT NULL,
  name varchar(50) NOT NULL,
  strasse varchar(50) NOT NULL,
  ort varchar(30) NOT NULL,
  baujahr int NOT NULL,
  aufzug tinyint(1) NOT NULL COMMENT '1 mit Aufzug',
  eigentuemer varchar(50) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE wohnungen (
  id int NOT NULL,
  gebaeude_id int NOT NULL,
  nummer varchar(6) NOT NULL,
  etage int NOT NULL COMMENT '0 Erdgeschoss',
  zimmer int NOT NULL,
  flaeche_qm decimal(6,1) NOT NULL COMMENT 'Quadratmeter',
  balkon tinyint(1) NOT NULL COMMENT '1 mit Balkon',
  status varchar(20) NOT NULL,
  renoviert_am date COMMENT 'NULL: nie renoviert',
  PRIMARY KEY (id),
  FOREIGN KEY (gebaeude_id) REFERENCES gebaeude (id)
);

CREATE TABLE mieter (
  id int NOT NULL,
  vorname varchar(30) NOT NULL,
  nachname varchar(40) NOT NULL,
  geburtsdatum date NOT NULL,
  telefon varchar(20),
  geworben_von int COMMENT 'Mieter, der diesen geworben hat',
  angelegt_am datetime NOT NULL,
  geloescht_am datetime COMMENT 'NULL: nicht gelöscht',
  PRIMARY KEY (id),
  FOREIGN KEY (geworben_von) REFERENCES mieter (id)
);

CREATE TABLE mietvertraege (
  id int NOT NULL,
  wohnung_id int NOT NULL,
  mieter_id int NOT NULL,
  beginn date NOT NULL,
  ende date COMMENT 'NULL: unbefristet',
  kaltmiete decimal(8,2) NOT NULL COMMENT 'Euro im Monat',
  nebenkosten decimal(7,2) NOT NULL COMMENT 'Euro im Monat',
  kaution decimal(8,2),
  status varchar(12) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (wohnung_id) REFERENCES wohnungen (id),
  FOREIGN KEY (mieter_id) REFERENCES mieter (id)
);

CREATE TABLE zahlungen (
  id int NOT NULL,
  vertrag_id int NOT NULL,
  faellig_am date NOT NULL,
  bezahlt_am date COMMENT 'NULL: noch nicht bezahlt',
  betrag decimal(8,2) NOT NULL,
  art varchar(15) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (vertrag_id) REFERENCES mietvertraege (id)
);

CREATE TABLE handwerker (
  id int NOT NULL,
  firma varchar(50) NOT NULL,
  gewerk varchar(20) NOT NULL,
  stundensatz decimal(6,2) NOT NULL,
  notdienst tinyint(1) NOT NULL COMMENT '1 rund um die Uhr',
  gesperrt_am date COMMENT 'NULL: nicht gesperrt',
  PRIMARY KEY (id)
);

CREATE TABLE meldungen (
  id int NOT NULL,
  wohnung_id int NOT NULL,
  mieter_id int COMMENT 'NULL: vom Hausmeister gemeldet',
  kategorie varchar(20) NOT NULL,
  prioritaet varchar(10) NOT NULL,
  status varchar(12) NOT NULL,
  gemeldet_am datetime NOT NULL,
  erledigt_am datetime COMMENT 'NULL: noch nicht erledigt',
  PRIMARY KEY (id),
  FOREIGN KEY (wohnung_id) REFERENCES wohnungen (id),
  FOREIGN KEY (mieter_id) REFERENCES mieter (id)
);

CREATE TABLE auftraege (
  id int NOT NULL,
  meldung_id int NOT NULL,
  handwerker_id int NOT NULL,
  vergeben_am date NOT NULL,
  stunden decimal(5,1) NOT NULL,
  material decimal(8,2),
  rechnung_bezahlt tinyint(1) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (meldung_id) REFERENCES meldungen (id),
  FOREIGN KEY (handwerker_id) REFERENCES handwerker (id)
);

CREATE TABLE zaehler (
  id int NOT NULL,
  wohnung_id int NOT NULL,
  art varchar(10) NOT NULL,
  geraetenummer varchar(12) NOT NULL,
  eingebaut_am date NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (wohnung_id) REFERENCES wohnungen (id)
);

CREATE TABLE ablesungen (
  id int NOT NULL,
  zaehler_id int NOT NULL,
  abgelesen_am date NOT NULL,
  stand decimal(10,1) NOT NULL,
  geschaetzt tinyint(1) NOT NULL COMMENT '1 geschätzt',
  PRIMARY KEY (id),
  FOREIGN KEY (zaehler_id) REFERENCES zaehler (id)
);

