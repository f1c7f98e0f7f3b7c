CREATE TABLE cust (
  cno int NOT NULL,
  nm varchar(60) NOT NULL,
  cty varchar(30) NOT NULL,
  seg char(2) NOT NULL COMMENT 'GA restaurants and bars, HO hotels, RE retailers, PU public kitchens',
  crd_lim decimal(9,2) NOT NULL,
  since_dt date NOT NULL COMMENT 'customer since',
  PRIMARY KEY (cno)
) COMMENT='customers of the bakery';

CREATE TABLE rte (
  rte_cd char(3) NOT NULL,
  dsc varchar(40) NOT NULL,
  drv varchar(40) NOT NULL,
  PRIMARY KEY (rte_cd)
);

CREATE TABLE prod (
  pcode char(5) NOT NULL,
  dsc varchar(40) NOT NULL,
  cat char(1) NOT NULL COMMENT 'B bread, R rolls, C cake, S seasonal goods',
  lp decimal(6,2) NOT NULL COMMENT 'list price, EUR per piece',
  wt_g int NOT NULL COMMENT 'grams',
  act char(1) NOT NULL COMMENT 'Y active, N discontinued',
  PRIMARY KEY (pcode)
);

CREATE TABLE ord (
  ono int NOT NULL,
  cno int NOT NULL,
  rte_cd char(3),
  odt date NOT NULL COMMENT 'date of order',
  ddt date COMMENT 'date of delivery, NULL: not delivered yet',
  stat char(2) NOT NULL COMMENT 'PD paid, OP open, CN cancelled, IV invoiced but not paid',
  PRIMARY KEY (ono),
  FOREIGN KEY (cno) REFERENCES cust (cno),
  FOREIGN KEY (rte_cd) REFERENCES rte (rte_cd)
) COMMENT='order heads';

CREATE TABLE olin (
  ono int NOT NULL,
  lno int NOT NULL,
  pcode char(5) NOT NULL,
  qty int NOT NULL,
  prc decimal(6,2) NOT NULL COMMENT 'price actually charged',
  PRIMARY KEY (ono, lno),
  FOREIGN KEY (ono) REFERENCES ord (ono),
  FOREIGN KEY (pcode) REFERENCES prod (pcode)
) COMMENT='order lines';

CREATE TABLE retn (
  rid int NOT NULL,
  ono int NOT NULL,
  lno int NOT NULL,
  rdt date NOT NULL,
  qty int NOT NULL,
  rsn char(2) NOT NULL COMMENT 'ST they were stale, WR they were the wrong goods, DM they were damaged',
  PRIMARY KEY (rid),
  FOREIGN KEY (ono, lno) REFERENCES olin (ono, lno)
) COMMENT='goods that came back';

