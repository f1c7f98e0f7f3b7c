CREATE TABLE t_cust (
  c_id int NOT NULL,
  c_name varchar(60) NOT NULL,
  c_type char(1) NOT NULL COMMENT 'P private, B business',
  c_city varchar(30) NOT NULL,
  c_birth date,
  PRIMARY KEY (c_id)
) COMMENT='customers';

CREATE TABLE t_plan (
  p_id int NOT NULL,
  p_name varchar(30) NOT NULL,
  fee_m decimal(6,2) NOT NULL COMMENT 'EUR per month',
  data_gb int COMMENT 'GB included, NULL: unlimited',
  PRIMARY KEY (p_id)
) COMMENT='tariffs';

CREATE TABLE t_sub (
  s_id int NOT NULL,
  c_id int NOT NULL,
  p_id int NOT NULL,
  msisdn varchar(15) NOT NULL,
  dt_from date NOT NULL COMMENT 'first day',
  dt_to date COMMENT 'last day, NULL: runs on',
  st char(1) NOT NULL COMMENT 'A active, B barred, T terminated',
  PRIMARY KEY (s_id),
  FOREIGN KEY (c_id) REFERENCES t_cust (c_id),
  FOREIGN KEY (p_id) REFERENCES t_plan (p_id)
) COMMENT='contracts: a SIM card of a customer';

CREATE TABLE t_call (
  k_id int NOT NULL,
  s_id int NOT NULL,
  ts datetime NOT NULL,
  dur_s int NOT NULL COMMENT 'seconds',
  dir char(1) NOT NULL COMMENT 'O outgoing, I incoming',
  zone char(2) NOT NULL COMMENT 'NA to national numbers, EU to the EU, WW to the rest of the world',
  cost decimal(6,2) NOT NULL,
  PRIMARY KEY (k_id),
  FOREIGN KEY (s_id) REFERENCES t_sub (s_id)
) COMMENT='call records';

CREATE TABLE t_inv (
  i_no int NOT NULL,
  s_id int NOT NULL,
  dt_inv date NOT NULL,
  amt_net decimal(8,2) NOT NULL COMMENT 'EUR without tax',
  tax_pct decimal(4,1) NOT NULL,
  dt_paid date COMMENT 'NULL: not paid',
  PRIMARY KEY (i_no),
  FOREIGN KEY (s_id) REFERENCES t_sub (s_id)
) COMMENT='monthly invoices';

CREATE TABLE t_tkt (
  t_id int NOT NULL,
  c_id int NOT NULL,
  dt_in date NOT NULL,
  topic char(2) NOT NULL COMMENT 'BL billing, NW network quality, SV service',
  sev int NOT NULL,
  PRIMARY KEY (t_id),
  FOREIGN KEY (c_id) REFERENCES t_cust (c_id)
) COMMENT='complaints';

