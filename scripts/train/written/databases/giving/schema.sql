CREATE TABLE stf (
  stf_id int NOT NULL,
  fn varchar(30) NOT NULL,
  ln varchar(30) NOT NULL,
  mgr_id int COMMENT 'stf_id of the manager',
  dt_hired date NOT NULL,
  sal_mon int NOT NULL,
  dept varchar(12) NOT NULL,
  PRIMARY KEY (stf_id)
) COMMENT='office staff';

CREATE TABLE dnr (
  dnr_no int NOT NULL,
  nm varchar(60) NOT NULL,
  typ char(1) NOT NULL COMMENT 'P private person, C company, F foundation',
  ctry varchar(30) NOT NULL,
  dt_reg date NOT NULL,
  nl_flg tinyint(1) NOT NULL COMMENT '1 wants the newsletter',
  PRIMARY KEY (dnr_no)
) COMMENT='donors';

CREATE TABLE cmpgn (
  cmp_cd char(4) NOT NULL,
  ttl varchar(40) NOT NULL,
  goal_ct bigint NOT NULL COMMENT 'goal in cents',
  dt_st date NOT NULL,
  dt_en date,
  ld_stf int NOT NULL COMMENT 'who leads it',
  PRIMARY KEY (cmp_cd)
) COMMENT='fund raising campaigns';

CREATE TABLE gft (
  gft_id int NOT NULL,
  dnr_no int NOT NULL,
  cmp_cd char(4),
  dt_gft date NOT NULL,
  amt_ct bigint NOT NULL COMMENT 'amount in cents',
  chan char(2) NOT NULL COMMENT 'BT bank transfer, CC credit card, CS cash, PP PayPal',
  rcpt_flg tinyint(1) NOT NULL COMMENT '1 receipt sent, 0 not yet',
  dt_thx date,
  PRIMARY KEY (gft_id)
) COMMENT='single gifts';

CREATE TABLE plg (
  plg_no int NOT NULL,
  dnr_no int NOT NULL,
  amt_mon decimal(8,2) NOT NULL COMMENT 'EUR a month',
  dt_frm date NOT NULL,
  dt_til date,
  actv tinyint(1) NOT NULL COMMENT '1 active, 0 stopped',
  PRIMARY KEY (plg_no)
) COMMENT='monthly pledges';

CREATE TABLE v_dnr_total (
  dnr_no int NOT NULL,
  donor varchar(60) NOT NULL,
  gifts int NOT NULL,
  total_eur decimal(10,2) NOT NULL
) COMMENT='view: gifts of each donor in EUR';

