CREATE TABLE station (
  stat_nr CHAR(3) NOT NULL COMMENT 'Kürzel der Station',
  bezeichnung VARCHAR(60) NOT NULL,
  fachrichtung CHAR(3) NOT NULL COMMENT 'CHI Chirurgie, INN Innere Medizin, GYN Gynäkologie, KIN Kinderheilkunde, NEU Neurologie, INT Intensiv',
  etage TINYINT NOT NULL COMMENT '0 Erdgeschoss',
  telefon VARCHAR(10) NULL COMMENT 'Durchwahl',
  PRIMARY KEY (stat_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Bettenführende Stationen';

CREATE TABLE zimmer (
  stat_nr CHAR(3) NOT NULL,
  zimmer_nr SMALLINT NOT NULL,
  isolierung TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 Isolierzimmer',
  komfort TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 Wahlleistung Komfortzimmer',
  PRIMARY KEY (stat_nr, zimmer_nr),
  CONSTRAINT fk_zimmer_station FOREIGN KEY (stat_nr) REFERENCES station (stat_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE bett (
  stat_nr CHAR(3) NOT NULL,
  zimmer_nr SMALLINT NOT NULL,
  bett_nr TINYINT NOT NULL COMMENT '1 am Fenster',
  zustand CHAR(1) NOT NULL DEFAULT 'F' COMMENT 'F frei, B belegt, R in Reinigung, G gesperrt',
  PRIMARY KEY (stat_nr, zimmer_nr, bett_nr),
  KEY ix_bett_zustand (zustand),
  CONSTRAINT fk_bett_zimmer FOREIGN KEY (stat_nr, zimmer_nr) REFERENCES zimmer (stat_nr, zimmer_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE personal (
  pers_nr INT NOT NULL,
  nachname VARCHAR(40) NOT NULL,
  vorname VARCHAR(40) NOT NULL,
  dienstart CHAR(2) NOT NULL COMMENT 'AR ärztlicher Dienst, PF Pflege, TH Therapie, VW Verwaltung',
  stat_nr CHAR(3) NULL COMMENT 'NULL: keiner Station zugeordnet',
  vorgesetzt_nr INT NULL COMMENT 'pers_nr der oder des Vorgesetzten',
  stellenanteil DECIMAL(3,2) NOT NULL DEFAULT 1.00 COMMENT '1.00 Vollzeit',
  eintritt DATE NOT NULL,
  austritt DATE NULL COMMENT 'NULL: noch beschäftigt',
  PRIMARY KEY (pers_nr),
  KEY ix_personal_name (nachname, vorname),
  CONSTRAINT fk_personal_station FOREIGN KEY (stat_nr) REFERENCES station (stat_nr),
  CONSTRAINT fk_personal_vorgesetzt FOREIGN KEY (vorgesetzt_nr) REFERENCES personal (pers_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Beschäftigte';

CREATE TABLE kostentraeger (
  kt_nr INT NOT NULL COMMENT 'Institutionskennzeichen, gekürzt',
  name VARCHAR(60) NOT NULL,
  art CHAR(1) NOT NULL COMMENT 'G gesetzlich, P privat, B Berufsgenossenschaft',
  PRIMARY KEY (kt_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Krankenkassen und andere, die zahlen';

CREATE TABLE patient (
  pat_nr INT NOT NULL,
  nachname VARCHAR(40) NOT NULL,
  vorname VARCHAR(40) NOT NULL,
  geb_dat DATE NOT NULL,
  geschlecht CHAR(1) NOT NULL COMMENT 'm, w, d',
  plz CHAR(5) NOT NULL,
  ort VARCHAR(40) NOT NULL,
  `größe_cm` SMALLINT NULL,
  gewicht_kg DECIMAL(4,1) NULL,
  blutgruppe VARCHAR(3) NULL COMMENT 'A+, A-, B+, B-, AB+, AB-, 0+, 0-',
  kt_nr INT NULL COMMENT 'NULL: Selbstzahler',
  PRIMARY KEY (pat_nr),
  KEY ix_patient_name (nachname, vorname),
  CONSTRAINT fk_patient_kt FOREIGN KEY (kt_nr) REFERENCES kostentraeger (kt_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE fall (
  fall_nr INT NOT NULL,
  pat_nr INT NOT NULL,
  aufn_zeit DATETIME NOT NULL COMMENT 'Aufnahme',
  entl_zeit DATETIME NULL COMMENT 'Entlassung; NULL: noch im Haus',
  aufn_art CHAR(1) NOT NULL COMMENT 'N Notfall, E Einweisung, V Verlegung aus anderem Haus, G Geburt',
  entl_grund CHAR(2) NULL COMMENT '01 regulär, 04 gegen ärztlichen Rat, 06 Verlegung, 07 verstorben',
  PRIMARY KEY (fall_nr),
  KEY ix_fall_aufn (aufn_zeit),
  CONSTRAINT fk_fall_patient FOREIGN KEY (pat_nr) REFERENCES patient (pat_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Stationäre Aufenthalte';

CREATE TABLE belegung (
  fall_nr INT NOT NULL,
  lfd_nr TINYINT NOT NULL COMMENT 'zählt die Betten eines Falls von 1 an',
  stat_nr CHAR(3) NOT NULL,
  zimmer_nr SMALLINT NOT NULL,
  bett_nr TINYINT NOT NULL,
  von DATETIME NOT NULL,
  bis DATETIME NULL COMMENT 'NULL: liegt dort noch',
  PRIMARY KEY (fall_nr, lfd_nr),
  CONSTRAINT fk_belegung_fall FOREIGN KEY (fall_nr) REFERENCES fall (fall_nr),
  CONSTRAINT fk_belegung_bett FOREIGN KEY (stat_nr, zimmer_nr, bett_nr) REFERENCES bett (stat_nr, zimmer_nr, bett_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE icd (
  icd_code VARCHAR(6) NOT NULL COMMENT 'ICD-10-GM',
  bezeichnung VARCHAR(100) NOT NULL,
  PRIMARY KEY (icd_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE diagnose (
  fall_nr INT NOT NULL,
  icd_code VARCHAR(6) NOT NULL,
  art CHAR(1) NOT NULL COMMENT 'H Hauptdiagnose, N Nebendiagnose',
  PRIMARY KEY (fall_nr, icd_code),
  CONSTRAINT fk_diagnose_fall FOREIGN KEY (fall_nr) REFERENCES fall (fall_nr),
  CONSTRAINT fk_diagnose_icd FOREIGN KEY (icd_code) REFERENCES icd (icd_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE medikament (
  pzn CHAR(8) NOT NULL COMMENT 'Pharmazentralnummer',
  handelsname VARCHAR(60) NOT NULL,
  wirkstoff VARCHAR(60) NOT NULL,
  packung_preis DECIMAL(7,2) NOT NULL COMMENT 'Euro',
  btm TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 Betäubungsmittel',
  PRIMARY KEY (pzn)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE verordnung (
  fall_nr INT NOT NULL,
  vo_nr TINYINT NOT NULL,
  pzn CHAR(8) NOT NULL,
  arzt_nr INT NOT NULL COMMENT 'pers_nr, wer verordnet hat',
  dosis_mg DECIMAL(7,1) NOT NULL COMMENT 'je Gabe',
  gaben_tag TINYINT NOT NULL COMMENT 'Gaben am Tag',
  von DATE NOT NULL,
  bis DATE NULL COMMENT 'NULL: läuft',
  PRIMARY KEY (fall_nr, vo_nr),
  CONSTRAINT fk_vo_fall FOREIGN KEY (fall_nr) REFERENCES fall (fall_nr),
  CONSTRAINT fk_vo_medikament FOREIGN KEY (pzn) REFERENCES medikament (pzn),
  CONSTRAINT fk_vo_arzt FOREIGN KEY (arzt_nr) REFERENCES personal (pers_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE operation (
  op_nr INT NOT NULL,
  fall_nr INT NOT NULL,
  saal VARCHAR(4) NOT NULL,
  eingriff VARCHAR(80) NOT NULL,
  beginn DATETIME NOT NULL COMMENT 'Schnitt',
  ende DATETIME NOT NULL COMMENT 'Naht',
  operateur_nr INT NOT NULL COMMENT 'pers_nr',
  anaesthesist_nr INT NULL COMMENT 'pers_nr; NULL: örtliche Betäubung',
  dringlichkeit CHAR(1) NOT NULL COMMENT 'E elektiv, D dringlich, N Notfall',
  PRIMARY KEY (op_nr),
  CONSTRAINT fk_op_fall FOREIGN KEY (fall_nr) REFERENCES fall (fall_nr),
  CONSTRAINT fk_op_operateur FOREIGN KEY (operateur_nr) REFERENCES personal (pers_nr),
  CONSTRAINT fk_op_anaesthesist FOREIGN KEY (anaesthesist_nr) REFERENCES personal (pers_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE laborwert (
  fall_nr INT NOT NULL,
  abnahme DATETIME NOT NULL,
  parameter VARCHAR(10) NOT NULL COMMENT 'CRP mg/l, HB g/dl, KREA mg/dl, LEUK 1000/µl, NA mmol/l',
  wert DECIMAL(7,2) NOT NULL,
  kennz CHAR(1) NULL COMMENT '+ zu hoch, - zu niedrig, NULL im Normbereich',
  PRIMARY KEY (fall_nr, abnahme, parameter),
  CONSTRAINT fk_labor_fall FOREIGN KEY (fall_nr) REFERENCES fall (fall_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE rechnung (
  rg_nr CHAR(9) NOT NULL,
  fall_nr INT NOT NULL,
  kt_nr INT NULL COMMENT 'NULL: Rechnung an die Patientin oder den Patienten',
  rg_dat DATE NOT NULL,
  betrag DECIMAL(9,2) NOT NULL COMMENT 'Euro',
  stat CHAR(2) NOT NULL COMMENT 'OF offen, BZ bezahlt, GM gemahnt, ST storniert',
  bezahlt_am DATE NULL,
  PRIMARY KEY (rg_nr),
  KEY ix_rechnung_stat (stat),
  CONSTRAINT fk_rechnung_fall FOREIGN KEY (fall_nr) REFERENCES fall (fall_nr),
  CONSTRAINT fk_rechnung_kt FOREIGN KEY (kt_nr) REFERENCES kostentraeger (kt_nr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
