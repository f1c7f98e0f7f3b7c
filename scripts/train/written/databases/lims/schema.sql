CREATE TABLE cli (
  cli_id int NOT NULL,
  nm varchar(40) NOT NULL,
  typ char(1) NOT NULL COMMENT 'I industry, P public body, F farm',
  ctry char(2) NOT NULL,
  disc_pct int COMMENT 'discount in percent',
  blk char(1) NOT NULL COMMENT 'Y blocked: no new samples',
  PRIMARY KEY (cli_id)
);

CREATE TABLE stf (
  stf_id int NOT NULL,
  nm varchar(40) NOT NULL,
  lvl int NOT NULL COMMENT '1 technician, 2 chemist, 3 senior chemist',
  sup_id int COMMENT 'stf_id of the supervisor',
  hire_dt date NOT NULL,
  exit_dt date,
  PRIMARY KEY (stf_id)
) COMMENT='laboratory staff';

CREATE TABLE inst (
  inst_id int NOT NULL,
  nm varchar(30) NOT NULL,
  lab varchar(10) NOT NULL,
  buy_yr smallint NOT NULL,
  cost_k int NOT NULL COMMENT 'purchase price in thousand EUR',
  stat char(1) NOT NULL COMMENT 'O in operation, M maintenance, D decommissioned',
  PRIMARY KEY (inst_id)
);

CREATE TABLE mth (
  mth_cd char(4) NOT NULL,
  ttl varchar(30) NOT NULL,
  inst_id int,
  std_min int NOT NULL COMMENT 'standard minutes per test',
  prc_ct int NOT NULL COMMENT 'list price in cents',
  accr char(1) NOT NULL COMMENT 'Y accredited',
  PRIMARY KEY (mth_cd)
) COMMENT='test methods';

CREATE TABLE stf_mth (
  stf_id int NOT NULL,
  mth_cd char(4) NOT NULL,
  since date NOT NULL,
  `until` date COMMENT 'NULL: no end',
  lvl char(1) NOT NULL COMMENT 'T trainee, Q qualified, I instructor',
  PRIMARY KEY (stf_id, mth_cd)
) COMMENT='who may run which method';

CREATE TABLE lim (
  mth_cd char(4) NOT NULL,
  mtx char(1) NOT NULL COMMENT 'W water, S soil, F food',
  val_from date NOT NULL,
  val_to date COMMENT 'NULL: in force',
  max_val decimal(8,3) NOT NULL,
  PRIMARY KEY (mth_cd, mtx, val_from)
) COMMENT='legal limits over time';

CREATE TABLE smp_hdr (
  smp_yr smallint NOT NULL,
  smp_no int NOT NULL COMMENT 'number within the year',
  cli_id int NOT NULL,
  mtx char(1) NOT NULL COMMENT 'W water, S soil, F food, A air',
  prio int NOT NULL COMMENT '1 urgent, 2 normal, 3 low',
  rcv_by int NOT NULL COMMENT 'stf_id who took it in',
  rel_by int COMMENT 'stf_id who released the report; NULL: not released yet',
  wt_g decimal(7,1) NOT NULL,
  stat char(1) NOT NULL COMMENT 'R received, A in analysis, D done, X rejected',
  PRIMARY KEY (smp_yr, smp_no)
);

CREATE TABLE smp_ln (
  smp_yr smallint NOT NULL,
  smp_no int NOT NULL,
  ln_no int NOT NULL,
  mth_cd char(4) NOT NULL,
  stf_id int NOT NULL COMMENT 'who measured',
  chk_id int COMMENT 'who checked it; NULL: unchecked',
  dt date NOT NULL,
  act_min int NOT NULL COMMENT 'minutes really used',
  res decimal(9,3),
  rpt tinyint NOT NULL COMMENT '1 repeat of a failed run',
  PRIMARY KEY (smp_yr, smp_no, ln_no)
) COMMENT='tests of a sample';

CREATE TABLE calib (
  inst_id int NOT NULL,
  dt date NOT NULL,
  stf_id int NOT NULL,
  ok tinyint NOT NULL COMMENT '1 passed, 0 failed',
  dev_pct decimal(4,2) NOT NULL COMMENT 'deviation in percent',
  PRIMARY KEY (inst_id, dt)
);

CREATE TABLE reag (
  reag_id int NOT NULL,
  nm varchar(30) NOT NULL,
  haz tinyint NOT NULL COMMENT '1 hazardous',
  stk_ml int NOT NULL COMMENT 'stock in ml',
  min_ml int NOT NULL COMMENT 'reorder below this',
  exp_dt date NOT NULL,
  PRIMARY KEY (reag_id)
);

CREATE TABLE reag_use (
  reag_id int NOT NULL,
  smp_yr smallint NOT NULL,
  smp_no int NOT NULL,
  ln_no int NOT NULL,
  ml decimal(6,1) NOT NULL,
  PRIMARY KEY (reag_id, smp_yr, smp_no, ln_no)
);

CREATE TABLE inv (
  inv_no int NOT NULL,
  cli_id int NOT NULL,
  inv_yr smallint NOT NULL,
  inv_mo tinyint NOT NULL,
  amt_ct int NOT NULL COMMENT 'cents',
  pd_dt date,
  PRIMARY KEY (inv_no)
);

