CREATE TABLE T023 (
  MATKL char(2) NOT NULL,
  WGBEZ varchar(30) NOT NULL,
  PRIMARY KEY (MATKL)
) COMMENT='material groups';

CREATE TABLE MAT (
  MATNR char(6) NOT NULL,
  MAKTX varchar(40) NOT NULL,
  MTART char(1) NOT NULL COMMENT '1 raw material, 2 packaging, 3 bulk (made, not yet filled), 4 finished product',
  MATKL char(2) NOT NULL,
  UOM char(2) NOT NULL COMMENT 'base unit: G grams, ST pieces',
  MATNR_B char(6) COMMENT 'bulk that is filled into this finished product, else NULL',
  VPREIS int COMMENT 'not a sales price: standard cost in cents, per kilo (UOM G) or per 1000 pieces (UOM ST); NULL for finished products',
  HALTB int COMMENT 'shelf life in days, NULL unlimited',
  DICHTE int COMMENT 'density in g per litre, only liquids',
  FUELL int COMMENT 'ml in one piece, only finished products',
  UVP int COMMENT 'recommended retail price in cents, NULL not on sale',
  KUNDE varchar(20) COMMENT 'brand of a finished product, no customer',
  LVORM char(1) COMMENT 'L phased out, NULL in use',
  DAT_ANL date NOT NULL COMMENT 'record created on',
  PRIMARY KEY (MATNR),
  FOREIGN KEY (MATKL) REFERENCES T023 (MATKL),
  FOREIGN KEY (MATNR_B) REFERENCES MAT (MATNR)
) COMMENT='material master';

CREATE TABLE LFA (
  LIFNR int NOT NULL,
  NAME1 varchar(40) NOT NULL,
  LAND1 char(2) NOT NULL COMMENT 'ISO country code',
  ORT01 varchar(30) NOT NULL,
  KTOKK char(1) NOT NULL COMMENT 'H manufacturer, D distributor, B broker',
  SPERR char(1) COMMENT 'X blocked for new orders, NULL free',
  BEW tinyint COMMENT 'grade of the last audit, 1 best to 5 worst, NULL never audited',
  ZTERM int NOT NULL COMMENT 'days until payment',
  MINBW int COMMENT 'minimum order value in cents, NULL none',
  DAT_ANL date NOT NULL COMMENT 'supplier since',
  PRIMARY KEY (LIFNR)
) COMMENT='suppliers';

CREATE TABLE PRS (
  LIFNR int NOT NULL,
  MATNR char(6) NOT NULL,
  DAT_AB date NOT NULL COMMENT 'valid from',
  DAT_BIS date COMMENT 'valid to, NULL still valid',
  NETPR int NOT NULL COMMENT 'cents per PEINH units of UOM',
  PEINH int NOT NULL COMMENT 'number of units the price is for',
  UOM char(2) NOT NULL COMMENT 'KG kilos, ST pieces',
  PRIMARY KEY (LIFNR, MATNR, DAT_AB),
  FOREIGN KEY (LIFNR) REFERENCES LFA (LIFNR),
  FOREIGN KEY (MATNR) REFERENCES MAT (MATNR)
) COMMENT='prices offered by suppliers';

CREATE TABLE BIN (
  WERK char(4) NOT NULL COMMENT 'plant: 1000 Lyon, 2000 Graz, 3000 Leeds',
  LGPLA char(4) NOT NULL,
  TEMP char(1) NOT NULL COMMENT 'no temperature but the zone: A ambient, K cooled, F flammables',
  KAPA int NOT NULL COMMENT 'maximum load in kg',
  SPERR char(1) COMMENT 'X locked, NULL free',
  DAT_INV date COMMENT 'last stocktaking, NULL never',
  PRIMARY KEY (WERK, LGPLA)
) COMMENT='storage bins';

CREATE TABLE EKKO (
  EBELN int NOT NULL,
  LIFNR int NOT NULL,
  WERK char(4) NOT NULL COMMENT 'plant: 1000 Lyon, 2000 Graz, 3000 Leeds',
  BEDAT date NOT NULL COMMENT 'order date',
  STAT char(2) NOT NULL COMMENT '01 open, 02 partly delivered, 03 delivered, 09 cancelled',
  FRGKZ char(1) COMMENT 'X approved, NULL waiting for approval',
  ERNAM varchar(40) NOT NULL COMMENT 'buyer in charge, not who typed it in',
  PRIMARY KEY (EBELN),
  FOREIGN KEY (LIFNR) REFERENCES LFA (LIFNR)
) COMMENT='purchase orders, lines in EKPO';

CREATE TABLE EKPO (
  EBELN int NOT NULL,
  EBELP int NOT NULL,
  MATNR char(6) NOT NULL,
  MENGE int NOT NULL COMMENT 'ordered, in UOM',
  UOM char(2) NOT NULL COMMENT 'KG kilos, ST pieces',
  NETPR int NOT NULL COMMENT 'cents per PEINH units of UOM',
  PEINH int NOT NULL COMMENT 'number of units the price is for',
  DAT_LIE date NOT NULL COMMENT 'agreed delivery date, not the real one',
  DAT_WE date COMMENT 'goods received on, NULL not yet',
  LOEKZ char(1) COMMENT 'L line deleted, NULL valid',
  PRIMARY KEY (EBELN, EBELP),
  FOREIGN KEY (EBELN) REFERENCES EKKO (EBELN),
  FOREIGN KEY (MATNR) REFERENCES MAT (MATNR)
) COMMENT='lines of purchase orders; value in cents = MENGE * NETPR / PEINH';

CREATE TABLE REZ (
  MATNR char(6) NOT NULL COMMENT 'the bulk made',
  VERS char(2) NOT NULL COMMENT 'recipe version',
  POS int NOT NULL,
  KOMP char(6) NOT NULL COMMENT 'ingredient',
  ANT int NOT NULL COMMENT 'share in per mille of the weight',
  PHASE char(1) NOT NULL COMMENT 'A water phase, B oil phase, C cool-down phase',
  AKT char(1) NOT NULL COMMENT 'J version in use, N superseded, E draft',
  DAT_AB date NOT NULL COMMENT 'version valid from',
  PRIMARY KEY (MATNR, VERS, POS),
  FOREIGN KEY (MATNR) REFERENCES MAT (MATNR),
  FOREIGN KEY (KOMP) REFERENCES MAT (MATNR)
) COMMENT='recipes of bulks, one line per ingredient; the rest is water';

CREATE TABLE AUFK (
  AUFNR int NOT NULL,
  MATNR char(6) NOT NULL COMMENT 'the bulk made',
  VERS char(2) NOT NULL COMMENT 'recipe version, see REZ',
  WERK char(4) NOT NULL COMMENT 'plant: 1000 Lyon, 2000 Graz, 3000 Leeds',
  LINIE char(2) NOT NULL COMMENT 'kettle',
  GAMNG int NOT NULL COMMENT 'planned, grams',
  WEMNG int COMMENT 'made, grams, NULL not finished',
  DAT_ANL date NOT NULL COMMENT 'created on',
  DAT_ANF date COMMENT 'real start, NULL not started',
  DAT_END date COMMENT 'real end, NULL not finished',
  STAT char(2) NOT NULL COMMENT '10 planned, 20 released, 30 running, 40 finished, 99 cancelled',
  PRIMARY KEY (AUFNR),
  FOREIGN KEY (MATNR) REFERENCES MAT (MATNR)
) COMMENT='production orders for bulks';

CREATE TABLE LOT (
  MATNR char(6) NOT NULL,
  CHARG char(6) NOT NULL,
  WERK char(4) NOT NULL COMMENT 'plant: 1000 Lyon, 2000 Graz, 3000 Leeds',
  LGPLA char(4) NOT NULL,
  LIFNR int COMMENT 'NULL made by ourselves',
  EBELN int COMMENT 'NULL made by ourselves',
  EBELP int,
  AUFNR int COMMENT 'production order that made it, NULL bought',
  MENGE_A int NOT NULL COMMENT 'received or made, in the base unit of the material',
  MENGE int NOT NULL COMMENT 'left now, in the base unit of the material (grams or pieces), 0 used up',
  DAT_ANL date NOT NULL COMMENT 'received or made on',
  DAT_VER date COMMENT 'best before (no shipping date), NULL does not expire',
  STAT char(1) NOT NULL COMMENT 'F passed quality control, Q in inspection, S blocked, R rejected',
  PRIMARY KEY (MATNR, CHARG),
  FOREIGN KEY (MATNR) REFERENCES MAT (MATNR),
  FOREIGN KEY (LIFNR) REFERENCES LFA (LIFNR),
  FOREIGN KEY (AUFNR) REFERENCES AUFK (AUFNR),
  FOREIGN KEY (WERK, LGPLA) REFERENCES BIN (WERK, LGPLA),
  FOREIGN KEY (EBELN, EBELP) REFERENCES EKPO (EBELN, EBELP)
) COMMENT='stock lots of raw materials, packaging and bulks';

CREATE TABLE VBR (
  AUFNR int NOT NULL,
  POS int NOT NULL,
  MATNR char(6) NOT NULL,
  CHARG char(6) NOT NULL,
  MENGE int NOT NULL COMMENT 'grams',
  DAT_BU date NOT NULL COMMENT 'booked on',
  PRIMARY KEY (AUFNR, POS),
  FOREIGN KEY (AUFNR) REFERENCES AUFK (AUFNR),
  FOREIGN KEY (MATNR, CHARG) REFERENCES LOT (MATNR, CHARG)
) COMMENT='lots used up by production orders';

CREATE TABLE QCR (
  PRUEFNR int NOT NULL,
  MATNR char(6) NOT NULL,
  CHARG char(6) NOT NULL,
  MERK char(2) NOT NULL COMMENT 'PH pH value, VI viscosity in mPas, MK germs per gram, GE smell, FE water in per cent, SI visual check',
  WERT int COMMENT 'reading times 100, NULL judged without number or no result yet',
  MENGE int NOT NULL COMMENT 'number of samples, no weight',
  ENT char(1) COMMENT 'A accepted, R rejected, N to be repeated, NULL undecided',
  PRUEF varchar(40) NOT NULL COMMENT 'who tested',
  DAT_PRF date NOT NULL COMMENT 'tested on',
  PRIMARY KEY (PRUEFNR),
  FOREIGN KEY (MATNR, CHARG) REFERENCES LOT (MATNR, CHARG)
) COMMENT='quality checks of lots';

