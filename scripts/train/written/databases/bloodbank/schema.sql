CREATE TABLE coll_site (
  site_id int NOT NULL,
  site_nm varchar(50) NOT NULL COMMENT 'name of the site',
  cty varchar(30) NOT NULL COMMENT 'city',
  site_typ char(1) NOT NULL COMMENT 'F fixed centre, M mobile unit, T temporary hall, P partner clinic',
  bed_cnt smallint NOT NULL COMMENT 'number of donor beds',
  opn_dt date NOT NULL COMMENT 'opening date',
  cls_dt date COMMENT 'closing date, NULL: still open',
  wk_cap int NOT NULL COMMENT 'donors that can be received in a week',
  PRIMARY KEY (site_id)
) COMMENT='places where blood is collected';

CREATE TABLE staff (
  stf_id int NOT NULL,
  fst_nm varchar(30) NOT NULL COMMENT 'first name',
  lst_nm varchar(40) NOT NULL COMMENT 'last name',
  role_cd char(3) NOT NULL COMMENT 'PHY physician, NRS nurse, LAB laboratory technician, DRV driver',
  site_id int COMMENT 'usual site, NULL: no fixed site',
  hire_dt date NOT NULL COMMENT 'hired on',
  lv_dt date COMMENT 'left on, NULL: still employed',
  sup_id int COMMENT 'supervisor',
  wk_hrs decimal(4,1) NOT NULL COMMENT 'contract hours per week',
  PRIMARY KEY (stf_id),
  FOREIGN KEY (site_id) REFERENCES coll_site (site_id),
  FOREIGN KEY (sup_id) REFERENCES staff (stf_id)
);

CREATE TABLE donor (
  dnr_id int NOT NULL,
  fst_nm varchar(30) NOT NULL COMMENT 'first name',
  lst_nm varchar(40) NOT NULL COMMENT 'last name',
  brth_dt date NOT NULL COMMENT 'date of birth',
  sex_cd tinyint NOT NULL COMMENT '1 male, 2 female',
  cty varchar(30) NOT NULL COMMENT 'city of residence',
  bld_grp varchar(2) NOT NULL COMMENT 'ABO group: A, B, AB or O',
  rh_fct char(1) NOT NULL COMMENT 'rhesus factor, P positive, N negative',
  ht_cm smallint NOT NULL COMMENT 'height in cm',
  wt_kg decimal(5,1) COMMENT 'weight in kg, NULL: not recorded',
  reg_dt date NOT NULL COMMENT 'registered on',
  eml varchar(60) COMMENT 'e-mail, NULL: none given',
  rcr_by int COMMENT 'donor who brought this one along, NULL: came alone',
  stat_cd char(1) NOT NULL COMMENT 'A active, T temporarily deferred, P permanently deferred, I inactive',
  PRIMARY KEY (dnr_id),
  FOREIGN KEY (rcr_by) REFERENCES donor (dnr_id)
);

CREATE TABLE dfrl (
  dfr_id int NOT NULL,
  dnr_id int NOT NULL,
  rsn_cd varchar(3) NOT NULL COMMENT 'reason: HB low haemoglobin, TRV travel, TAT tattoo or piercing, MED medication, INF infection',
  frm_dt date NOT NULL COMMENT 'first day of the deferral',
  to_dt date COMMENT 'last day, NULL: permanent',
  PRIMARY KEY (dfr_id),
  FOREIGN KEY (dnr_id) REFERENCES donor (dnr_id)
) COMMENT='periods in which a donor must not donate';

CREATE TABLE donation (
  don_id int NOT NULL,
  dnr_id int NOT NULL,
  site_id int NOT NULL,
  stf_id int NOT NULL COMMENT 'nurse who took the blood',
  don_dt date NOT NULL COMMENT 'date of the donation',
  don_typ char(2) NOT NULL COMMENT 'WB whole blood, PL plasma, PT platelets',
  vol_ml smallint NOT NULL COMMENT 'volume collected in ml',
  dur_min smallint NOT NULL COMMENT 'duration in minutes',
  hb_gdl decimal(4,1) COMMENT 'haemoglobin before the donation in g/dl, NULL: not measured',
  sys_bp smallint NOT NULL COMMENT 'systolic blood pressure in mmHg',
  pls smallint NOT NULL COMMENT 'pulse in beats per minute',
  adv_rct tinyint NOT NULL COMMENT 'adverse reaction: 0 none, 1 mild, 2 severe',
  PRIMARY KEY (don_id),
  FOREIGN KEY (dnr_id) REFERENCES donor (dnr_id),
  FOREIGN KEY (site_id) REFERENCES coll_site (site_id),
  FOREIGN KEY (stf_id) REFERENCES staff (stf_id)
);

CREATE TABLE tst_typ (
  tst_cd char(3) NOT NULL,
  tst_nm varchar(40) NOT NULL COMMENT 'name of the test',
  mand_fl char(1) NOT NULL COMMENT 'Y mandatory for each donation, N only on demand',
  cst_eur decimal(6,2) NOT NULL COMMENT 'cost of one test in EUR',
  PRIMARY KEY (tst_cd)
);

CREATE TABLE lab_tst (
  don_id int NOT NULL,
  tst_cd char(3) NOT NULL,
  stf_id int NOT NULL COMMENT 'laboratory technician',
  smp_dt date NOT NULL COMMENT 'sample taken on',
  res_dt date COMMENT 'result on, NULL: pending',
  res_cd char(1) COMMENT 'N negative or without finding, R reactive, I indeterminate, NULL: pending',
  PRIMARY KEY (don_id, tst_cd),
  FOREIGN KEY (don_id) REFERENCES donation (don_id),
  FOREIGN KEY (tst_cd) REFERENCES tst_typ (tst_cd),
  FOREIGN KEY (stf_id) REFERENCES staff (stf_id)
) COMMENT='laboratory tests of donations';

CREATE TABLE bld_cmp (
  cmp_cd char(3) NOT NULL,
  cmp_nm varchar(40) NOT NULL COMMENT 'name of the blood component',
  shlf_dy smallint NOT NULL COMMENT 'shelf life in days',
  str_tmp smallint NOT NULL COMMENT 'storage temperature in degrees Celsius',
  prc_eur decimal(7,2) NOT NULL COMMENT 'price charged to hospitals per unit in EUR',
  PRIMARY KEY (cmp_cd)
);

CREATE TABLE hospital (
  hsp_id int NOT NULL,
  hsp_nm varchar(50) NOT NULL COMMENT 'name',
  cty varchar(30) NOT NULL COMMENT 'city',
  hsp_typ char(1) NOT NULL COMMENT 'U university hospital, G general hospital, C children hospital, S specialist clinic',
  bed_cnt smallint NOT NULL COMMENT 'number of beds',
  dst_km decimal(5,1) NOT NULL COMMENT 'road distance from the depot in km',
  PRIMARY KEY (hsp_id)
);

CREATE TABLE dlvry (
  dlv_id int NOT NULL,
  hsp_id int NOT NULL,
  drv_id int COMMENT 'driver, NULL: external courier or not assigned',
  prio_cd tinyint NOT NULL COMMENT 'priority: 1 emergency, 2 urgent, 3 routine',
  ord_ts datetime NOT NULL COMMENT 'time of the order',
  dlv_ts datetime COMMENT 'time of delivery, NULL: not delivered yet',
  arr_tmp decimal(4,1) COMMENT 'temperature in the box on arrival in degrees Celsius, NULL: not measured',
  fee_eur decimal(6,2) NOT NULL COMMENT 'transport fee in EUR, 0: free of charge',
  PRIMARY KEY (dlv_id),
  FOREIGN KEY (hsp_id) REFERENCES hospital (hsp_id),
  FOREIGN KEY (drv_id) REFERENCES staff (stf_id)
) COMMENT='deliveries to hospitals';

CREATE TABLE bld_unit (
  unit_no char(6) NOT NULL,
  don_id int NOT NULL,
  cmp_cd char(3) NOT NULL,
  vol_ml smallint NOT NULL COMMENT 'volume in ml',
  prd_dt date NOT NULL COMMENT 'produced on',
  exp_dt date NOT NULL COMMENT 'last day of use',
  stat_cd char(1) NOT NULL COMMENT 'A available, R reserved, I issued, D discarded',
  dsc_rsn char(3) COMMENT 'reason of the discard: EXP expired, CON contaminated, BRK bag broken, POS reactive test; NULL: not discarded',
  dlv_id int COMMENT 'delivery it went out with, NULL: not issued',
  PRIMARY KEY (unit_no),
  FOREIGN KEY (don_id) REFERENCES donation (don_id),
  FOREIGN KEY (cmp_cd) REFERENCES bld_cmp (cmp_cd),
  FOREIGN KEY (dlv_id) REFERENCES dlvry (dlv_id)
) COMMENT='bags made of donations';

