CREATE TABLE LFA1 (
  LIFNR int NOT NULL COMMENT 'supplier number',
  NAME1 varchar(40) NOT NULL COMMENT 'name',
  LAND1 char(2) NOT NULL COMMENT 'country, ISO code',
  ORT01 varchar(25) NOT NULL COMMENT 'city',
  SPERM char(1) COMMENT 'X purchasing block, NULL not blocked',
  PLIFZ int COMMENT 'usual delivery time in days',
  PRIMARY KEY (LIFNR)
) COMMENT='suppliers';

CREATE TABLE MARA (
  MATNR int NOT NULL COMMENT 'material number',
  MAKTX varchar(40) NOT NULL COMMENT 'description',
  MTART char(4) NOT NULL COMMENT 'ROH raw material, HAWA trading goods, HIBE operating supplies, VERP packaging',
  MEINS char(3) NOT NULL COMMENT 'unit of stock: ST pieces, KG, L litres, ROL rolls, PAA pairs',
  NTGEW int NOT NULL COMMENT 'net weight in grams',
  STPRS int NOT NULL COMMENT 'standard price in cents per unit',
  MINBE int COMMENT 'reorder point, NULL not planned',
  LVORM char(1) COMMENT 'X marked for deletion, else NULL',
  ERSDA date NOT NULL COMMENT 'created on',
  PRIMARY KEY (MATNR)
) COMMENT='material master';

CREATE TABLE T001L (
  LGORT char(4) NOT NULL COMMENT 'storage location',
  LGOBE varchar(30) NOT NULL COMMENT 'name',
  TEMPB char(1) NOT NULL COMMENT 'A ambient, C chilled, F frozen, U uncontrolled',
  PRIMARY KEY (LGORT)
) COMMENT='storage locations';

CREATE TABLE LAGP (
  LGPLA varchar(8) NOT NULL COMMENT 'bin',
  LGORT char(4) NOT NULL COMMENT 'storage location',
  LPTYP char(1) NOT NULL COMMENT 'R rack, S shelf, F floor',
  LGEWI int NOT NULL COMMENT 'weight limit in kg',
  SKZUE char(1) COMMENT 'X blocked for putaway, else NULL',
  LETIN date COMMENT 'last inventory count, NULL never counted',
  PRIMARY KEY (LGPLA),
  FOREIGN KEY (LGORT) REFERENCES T001L (LGORT)
) COMMENT='storage bins';

CREATE TABLE LQUA (
  LGPLA varchar(8) NOT NULL COMMENT 'bin',
  MATNR int NOT NULL COMMENT 'material',
  BESTD int NOT NULL COMMENT 'quantity on hand',
  RESMG int COMMENT 'of it reserved, NULL none',
  VFDAT date COMMENT 'best before, NULL does not expire',
  WDATU date NOT NULL COMMENT 'goods receipt date',
  PRIMARY KEY (LGPLA, MATNR),
  FOREIGN KEY (LGPLA) REFERENCES LAGP (LGPLA),
  FOREIGN KEY (MATNR) REFERENCES MARA (MATNR)
) COMMENT='stock per bin';

CREATE TABLE EKKO (
  EBELN int NOT NULL COMMENT 'purchase order number',
  LIFNR int NOT NULL COMMENT 'supplier',
  BEDAT date NOT NULL COMMENT 'order date',
  EINDT date NOT NULL COMMENT 'delivery due date',
  EKGRP char(3) NOT NULL COMMENT 'purchasing group',
  STATU char(1) NOT NULL COMMENT 'O open, P partly received, C closed, X cancelled',
  PRIMARY KEY (EBELN),
  FOREIGN KEY (LIFNR) REFERENCES LFA1 (LIFNR)
) COMMENT='purchase orders';

CREATE TABLE EKPO (
  EBELN int NOT NULL COMMENT 'purchase order',
  EBELP int NOT NULL COMMENT 'item number within the order',
  MATNR int NOT NULL COMMENT 'material',
  MENGE int NOT NULL COMMENT 'quantity ordered',
  WEMNG int COMMENT 'quantity received, NULL nothing yet',
  NETPR int NOT NULL COMMENT 'net price in cents per unit',
  PRIMARY KEY (EBELN, EBELP),
  FOREIGN KEY (EBELN) REFERENCES EKKO (EBELN),
  FOREIGN KEY (MATNR) REFERENCES MARA (MATNR)
) COMMENT='purchase order items';

CREATE TABLE MSEG (
  MBLNR int NOT NULL COMMENT 'document number',
  BWART char(3) NOT NULL COMMENT '101 goods receipt, 261 withdrawal for production, 311 transfer, 551 scrapping, 601 delivery to customer, 701 inventory difference',
  MATNR int NOT NULL COMMENT 'material',
  VLPLA varchar(8) COMMENT 'from bin',
  NLPLA varchar(8) COMMENT 'to bin',
  MENGE int NOT NULL COMMENT 'quantity moved',
  BUDAT datetime NOT NULL COMMENT 'posted at',
  USNAM varchar(12) NOT NULL COMMENT 'posted by user',
  PRIMARY KEY (MBLNR),
  FOREIGN KEY (MATNR) REFERENCES MARA (MATNR),
  FOREIGN KEY (VLPLA) REFERENCES LAGP (LGPLA),
  FOREIGN KEY (NLPLA) REFERENCES LAGP (LGPLA)
) COMMENT='goods movements';

