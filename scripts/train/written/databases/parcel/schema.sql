CREATE TABLE tbl_depot (
  f_depot_id int NOT NULL,
  f_nm varchar(30) NOT NULL,
  f_reg varchar(10) NOT NULL,
  f_typ char(1) NOT NULL COMMENT 'H hub, L local depot, A airport depot',
  f_gates int NOT NULL,
  f_open_yr smallint NOT NULL COMMENT 'year of opening',
  f_hub_id int COMMENT 'depot that feeds this one',
  PRIMARY KEY (f_depot_id),
  FOREIGN KEY (f_hub_id) REFERENCES tbl_depot (f_depot_id)
);

CREATE TABLE tbl_cust (
  f_cust_id int NOT NULL,
  f_nm varchar(40) NOT NULL,
  f_city varchar(20) NOT NULL,
  f_seg char(1) NOT NULL COMMENT 'K key account, S small business, P private sender',
  f_stat char(1) NOT NULL COMMENT 'A active, H on hold, C closed',
  f_since_yr smallint NOT NULL COMMENT 'customer since',
  f_cr_lim_k int COMMENT 'credit limit in thousand EUR',
  PRIMARY KEY (f_cust_id)
);

CREATE TABLE tbl_emp (
  f_emp_id int NOT NULL,
  f_fst varchar(20) NOT NULL,
  f_lst varchar(20) NOT NULL,
  f_depot_id int NOT NULL,
  f_role char(1) NOT NULL COMMENT 'D driver, S sorter, C clerk, M depot manager',
  f_hired date NOT NULL,
  f_left date,
  f_wage_ct int NOT NULL COMMENT 'hourly wage in cents',
  f_boss_id int,
  PRIMARY KEY (f_emp_id),
  FOREIGN KEY (f_depot_id) REFERENCES tbl_depot (f_depot_id),
  FOREIGN KEY (f_boss_id) REFERENCES tbl_emp (f_emp_id)
);

CREATE TABLE tbl_van (
  f_van_id int NOT NULL,
  f_plate varchar(8) NOT NULL,
  f_fuel char(1) NOT NULL COMMENT 'D diesel, E electric, G gas',
  f_cap_kg int NOT NULL COMMENT 'payload in kg',
  f_stat char(1) NOT NULL COMMENT 'A in use, R in repair, X scrapped',
  f_buy_yr smallint NOT NULL,
  PRIMARY KEY (f_van_id)
);

CREATE TABLE tbl_van_hist (
  f_van_id int NOT NULL,
  f_valid_from date NOT NULL,
  f_valid_to date COMMENT 'NULL: still there',
  f_depot_id int NOT NULL,
  PRIMARY KEY (f_van_id, f_valid_from),
  FOREIGN KEY (f_van_id) REFERENCES tbl_van (f_van_id),
  FOREIGN KEY (f_depot_id) REFERENCES tbl_depot (f_depot_id)
) COMMENT='which van belonged to which depot, when';

CREATE TABLE tbl_svc (
  f_svc_cd char(2) NOT NULL,
  f_nm varchar(20) NOT NULL,
  f_max_h int NOT NULL COMMENT 'promised hours',
  f_base_ct int NOT NULL COMMENT 'base price in cents',
  PRIMARY KEY (f_svc_cd)
);

CREATE TABLE tbl_parcel (
  f_parcel_no int NOT NULL,
  f_cust_id int NOT NULL,
  f_svc_cd char(2) NOT NULL,
  f_from_depot int NOT NULL,
  f_to_depot int NOT NULL,
  f_dt_in date NOT NULL,
  f_dt_prom date NOT NULL COMMENT 'promised delivery',
  f_dt_dlv date COMMENT 'delivered on',
  f_wt_g int NOT NULL COMMENT 'weight in grams',
  f_price_ct int NOT NULL COMMENT 'price in cents',
  f_cod_ct int COMMENT 'to be collected at the door, in cents',
  f_ins char(1) NOT NULL COMMENT 'Y insured, N not',
  f_frag tinyint NOT NULL COMMENT '1 fragile',
  PRIMARY KEY (f_parcel_no),
  FOREIGN KEY (f_cust_id) REFERENCES tbl_cust (f_cust_id),
  FOREIGN KEY (f_svc_cd) REFERENCES tbl_svc (f_svc_cd),
  FOREIGN KEY (f_from_depot) REFERENCES tbl_depot (f_depot_id),
  FOREIGN KEY (f_to_depot) REFERENCES tbl_depot (f_depot_id)
);

CREATE TABLE tbl_scan (
  f_scan_id int NOT NULL,
  f_parcel_no int NOT NULL,
  f_depot_id int NOT NULL,
  f_ts datetime NOT NULL,
  f_ev char(2) NOT NULL COMMENT 'AR arrived, DP departed, OD out for delivery, MS missorted, DM found damaged',
  PRIMARY KEY (f_scan_id),
  FOREIGN KEY (f_parcel_no) REFERENCES tbl_parcel (f_parcel_no),
  FOREIGN KEY (f_depot_id) REFERENCES tbl_depot (f_depot_id)
);

CREATE TABLE tbl_tour (
  f_tour_id int NOT NULL,
  f_van_id int NOT NULL,
  f_drv_id int NOT NULL COMMENT 'tbl_emp, the driver',
  f_mate_id int COMMENT 'tbl_emp, second person on board',
  f_dt date NOT NULL,
  f_km int NOT NULL,
  f_plan_min int NOT NULL COMMENT 'planned minutes',
  f_act_min int COMMENT 'minutes it really took',
  PRIMARY KEY (f_tour_id),
  FOREIGN KEY (f_van_id) REFERENCES tbl_van (f_van_id),
  FOREIGN KEY (f_drv_id) REFERENCES tbl_emp (f_emp_id),
  FOREIGN KEY (f_mate_id) REFERENCES tbl_emp (f_emp_id)
);

CREATE TABLE tbl_tour_parcel (
  f_tour_id int NOT NULL,
  f_parcel_no int NOT NULL,
  f_seq int NOT NULL,
  f_res char(1) NOT NULL COMMENT 'D delivered, N nobody home, R refused, W wrong address',
  f_wait_min int COMMENT 'minutes at the door',
  PRIMARY KEY (f_tour_id, f_parcel_no),
  FOREIGN KEY (f_tour_id) REFERENCES tbl_tour (f_tour_id),
  FOREIGN KEY (f_parcel_no) REFERENCES tbl_parcel (f_parcel_no)
) COMMENT='parcels on tours';

CREATE TABLE tbl_claim (
  f_claim_id int NOT NULL,
  f_parcel_no int NOT NULL,
  f_rsn char(1) NOT NULL COMMENT 'D damage, L loss, T too late',
  f_dt_in date NOT NULL,
  f_dt_out date COMMENT 'closed on',
  f_amt_ct int NOT NULL COMMENT 'claimed, in cents',
  f_paid_ct int COMMENT 'paid, in cents',
  f_clerk_id int NOT NULL,
  PRIMARY KEY (f_claim_id),
  FOREIGN KEY (f_parcel_no) REFERENCES tbl_parcel (f_parcel_no),
  FOREIGN KEY (f_clerk_id) REFERENCES tbl_emp (f_emp_id)
);

