CREATE TABLE tbl_dist (
  f_dist_id int NOT NULL,
  f_nm varchar(30) NOT NULL,
  f_pop int NOT NULL COMMENT 'inhabitants',
  f_area_ha int NOT NULL COMMENT 'hectares',
  PRIMARY KEY (f_dist_id)
);

CREATE TABLE tbl_hh (
  f_hh_id int NOT NULL,
  f_fst varchar(20) NOT NULL,
  f_lst varchar(25) NOT NULL,
  f_str varchar(40) NOT NULL COMMENT 'street and house number',
  f_dist_id int NOT NULL,
  f_pers int NOT NULL COMMENT 'persons living there',
  f_since date NOT NULL,
  PRIMARY KEY (f_hh_id),
  FOREIGN KEY (f_dist_id) REFERENCES tbl_dist (f_dist_id)
);

CREATE TABLE tbl_bin (
  f_bin_no int NOT NULL,
  f_hh_id int COMMENT 'NULL: in the depot',
  f_typ char(1) NOT NULL COMMENT 'R residual waste, B bio waste, P paper, G glass',
  f_vol_l int NOT NULL COMMENT 'litres',
  f_chip char(1) NOT NULL COMMENT 'Y with chip, N without',
  f_dt_out date COMMENT 'handed out on',
  f_stat char(1) NOT NULL COMMENT 'A in order, D damaged, L lost',
  PRIMARY KEY (f_bin_no),
  FOREIGN KEY (f_hh_id) REFERENCES tbl_hh (f_hh_id)
);

CREATE TABLE tbl_route (
  f_rt_cd char(4) NOT NULL,
  f_nm varchar(30) NOT NULL,
  f_typ char(1) NOT NULL COMMENT 'R residual waste, B bio waste, P paper, G glass',
  f_dist_id int COMMENT 'NULL: no fixed district',
  f_wday tinyint COMMENT '1 Monday .. 5 Friday, NULL: as needed',
  f_plan_min int NOT NULL COMMENT 'planned minutes',
  PRIMARY KEY (f_rt_cd),
  FOREIGN KEY (f_dist_id) REFERENCES tbl_dist (f_dist_id)
);

CREATE TABLE tbl_emp (
  f_emp_id int NOT NULL,
  f_fst varchar(20) NOT NULL,
  f_lst varchar(25) NOT NULL,
  f_role char(1) NOT NULL COMMENT 'D driver, L loader, S supervisor, M manager',
  f_hired date NOT NULL,
  f_boss_id int COMMENT 'direct superior',
  PRIMARY KEY (f_emp_id),
  FOREIGN KEY (f_boss_id) REFERENCES tbl_emp (f_emp_id)
);

CREATE TABLE tbl_run (
  f_run_id int NOT NULL,
  f_rt_cd char(4) NOT NULL,
  f_dt date NOT NULL,
  f_drv_id int NOT NULL COMMENT 'tbl_emp, driver',
  f_ldr_id int COMMENT 'tbl_emp, loader, NULL: driver alone',
  f_gross_kg int NOT NULL COMMENT 'loaded truck in kg',
  f_tare_kg int NOT NULL COMMENT 'empty truck in kg',
  f_act_min int COMMENT 'minutes it really took, NULL: not recorded',
  PRIMARY KEY (f_run_id),
  FOREIGN KEY (f_rt_cd) REFERENCES tbl_route (f_rt_cd),
  FOREIGN KEY (f_drv_id) REFERENCES tbl_emp (f_emp_id),
  FOREIGN KEY (f_ldr_id) REFERENCES tbl_emp (f_emp_id)
) COMMENT='one drive of a route on one day';

CREATE TABLE tbl_wgh (
  f_run_id int NOT NULL,
  f_bin_no int NOT NULL,
  f_kg decimal(5,1) COMMENT 'kg of waste, NULL if not emptied',
  f_res char(1) NOT NULL COMMENT 'E emptied, N not put out, W left because of wrong content',
  PRIMARY KEY (f_run_id, f_bin_no),
  FOREIGN KEY (f_run_id) REFERENCES tbl_run (f_run_id),
  FOREIGN KEY (f_bin_no) REFERENCES tbl_bin (f_bin_no)
) COMMENT='bins on runs';

CREATE TABLE tbl_bill (
  f_bill_no int NOT NULL,
  f_hh_id int NOT NULL,
  f_yr smallint NOT NULL COMMENT 'year the fee is for',
  f_fee_ct int NOT NULL COMMENT 'fee in cents',
  f_dt_out date NOT NULL COMMENT 'sent on',
  f_dt_due date NOT NULL,
  f_dt_paid date COMMENT 'NULL: unpaid',
  f_dun tinyint NOT NULL COMMENT 'reminders sent, 0..3',
  PRIMARY KEY (f_bill_no),
  FOREIGN KEY (f_hh_id) REFERENCES tbl_hh (f_hh_id)
);

