CREATE TABLE kunden (
  kunden_nr int NOT NULL,
  vorname varchar(30) NOT NULL,
  nachname varchar(30) NOT NULL,
  geburtsdatum date NOT NULL,
  ort varchar(30) NOT NULL,
  geschlecht char(1) NOT NULL COMMENT 'w weiblich, m männlich, d divers',
  PRIMARY KEY (kunden_nr)
);

CREATE TABLE vertreter (
  vertreter_nr int NOT NULL,
  name varchar(60) NOT NULL,
  gebiet varchar(20) NOT NULL,
  eintritt date NOT NULL,
  leiter_nr int,
  PRIMARY KEY (vertreter_nr),
  FOREIGN KEY (leiter_nr) REFERENCES vertreter (vertreter_nr)
);

CREATE TABLE sparten (
  kuerzel char(3) NOT NULL,
  bezeichnung varchar(40) NOT NULL,
  PRIMARY KEY (kuerzel)
);

CREATE TABLE vertraege (
  vertrag_nr int NOT NULL,
  kunden_nr int NOT NULL,
  vertreter_nr int NOT NULL,
  sparte char(3) NOT NULL,
  beginn date NOT NULL,
  ende date,
  jahresbeitrag decimal(8,2) NOT NULL,
  zahlweise char(1) NOT NULL COMMENT 'J jährlich, M monatlich, V vierteljährlich',
  selbstbeteiligung decimal(7,2),
  PRIMARY KEY (vertrag_nr),
  FOREIGN KEY (kunden_nr) REFERENCES kunden (kunden_nr),
  FOREIGN KEY (vertreter_nr) REFERENCES vertreter (vertreter_nr),
  FOREIGN KEY (sparte) REFERENCES sparten (kuerzel)
);

CREATE TABLE schaeden (
  schaden_nr int NOT NULL,
  vertrag_nr int NOT NULL,
  gemeldet_am date NOT NULL,
  reguliert_am date,
  schadenhoehe decimal(10,2) NOT NULL,
  ausgezahlt decimal(10,2),
  art varchar(20) NOT NULL,
  PRIMARY KEY (schaden_nr),
  FOREIGN KEY (vertrag_nr) REFERENCES vertraege (vertrag_nr)
);

CREATE TABLE zahlungen (
  zahlung_nr int NOT NULL,
  vertrag_nr int NOT NULL,
  faellig_am date NOT NULL,
  bezahlt_am date,
  betrag decimal(8,2) NOT NULL,
  PRIMARY KEY (zahlung_nr),
  FOREIGN KEY (vertrag_nr) REFERENCES vertraege (vertrag_nr)
);

