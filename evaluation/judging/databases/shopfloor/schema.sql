CREATE TABLE area (
  area_cd CHAR(2) NOT NULL,
  nm VARCHAR(40) NOT NULL,
  PRIMARY KEY (area_cd)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE mach (
  mach_id CHAR(5) NOT NULL,
  nm VARCHAR(50) NOT NULL,
  typ CHAR(2) NOT NULL COMMENT 'ML milling, LT lathe, IM injection moulding, AS assembly, PK packing',
  area_cd CHAR(2) NOT NULL,
  yr YEAR NULL COMMENT 'year built',
  rate_h DECIMAL(6,2) NOT NULL COMMENT 'EUR per hour',
  st CHAR(1) NOT NULL COMMENT 'R running, I idle, M under maintenance, X taken out of service',
  PRIMARY KEY (mach_id),
  CONSTRAINT fk_mach_area FOREIGN KEY (area_cd) REFERENCES area (area_cd)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Machines and work stations';

CREATE TABLE emp (
  emp_no INT NOT NULL,
  ln VARCHAR(40) NOT NULL COMMENT 'last name',
  fn VARCHAR(40) NOT NULL COMMENT 'first name',
  role CHAR(1) NOT NULL COMMENT 'O operator, S setter, L shift leader',
  hire_dt DATE NOT NULL,
  PRIMARY KEY (emp_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE emp_mach (
  emp_no INT NOT NULL,
  mach_id CHAR(5) NOT NULL,
  lvl TINYINT NOT NULL COMMENT '1 under supervision, 2 alone, 3 may train others',
  PRIMARY KEY (emp_no, mach_id),
  CONSTRAINT fk_em_emp FOREIGN KEY (emp_no) REFERENCES emp (emp_no),
  CONSTRAINT fk_em_mach FOREIGN KEY (mach_id) REFERENCES mach (mach_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Who is qualified for which machine';

CREATE TABLE shift (
  sh_dt DATE NOT NULL COMMENT 'day on which the shift begins',
  sh_no TINYINT NOT NULL COMMENT '1 early 06-14, 2 late 14-22, 3 night 22-06',
  lead_no INT NOT NULL COMMENT 'emp_no of the shift leader',
  note VARCHAR(80) NULL,
  PRIMARY KEY (sh_dt, sh_no),
  CONSTRAINT fk_shift_lead FOREIGN KEY (lead_no) REFERENCES emp (emp_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE item (
  item_no VARCHAR(8) NOT NULL,
  descr VARCHAR(60) NOT NULL,
  typ CHAR(1) NOT NULL COMMENT 'F finished good, S semi-finished, R raw material',
  uom ENUM('pcs','kg','m') NOT NULL COMMENT 'unit of measure',
  std_cost DECIMAL(8,3) NOT NULL COMMENT 'EUR per uom',
  stk DECIMAL(10,2) NOT NULL COMMENT 'stock on hand, in uom',
  stk_min DECIMAL(10,2) NULL COMMENT 'reorder below this, in uom',
  PRIMARY KEY (item_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE bom (
  item_no VARCHAR(8) NOT NULL COMMENT 'what is made',
  comp_no VARCHAR(8) NOT NULL COMMENT 'item_no of what goes in',
  qty DECIMAL(8,3) NOT NULL COMMENT 'for one piece, in uom of the component',
  PRIMARY KEY (item_no, comp_no),
  CONSTRAINT fk_bom_item FOREIGN KEY (item_no) REFERENCES item (item_no),
  CONSTRAINT fk_bom_comp FOREIGN KEY (comp_no) REFERENCES item (item_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Bills of material';

CREATE TABLE cust (
  cust_cd CHAR(4) NOT NULL,
  nm VARCHAR(60) NOT NULL,
  ctry CHAR(2) NOT NULL COMMENT 'ISO 3166',
  PRIMARY KEY (cust_cd)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE wo (
  wo_no INT NOT NULL,
  item_no VARCHAR(8) NOT NULL,
  cust_cd CHAR(4) NULL COMMENT 'NULL: made for stock',
  qty_ord INT NOT NULL,
  prio TINYINT NOT NULL DEFAULT 3 COMMENT '1 urgent, 2 high, 3 normal',
  rel_dt DATE NULL COMMENT 'released to the floor',
  due_dt DATE NOT NULL,
  fin_dt DATE NULL,
  st CHAR(2) NOT NULL COMMENT 'PL planned, RL released, IP in progress, DN done, CX cancelled',
  PRIMARY KEY (wo_no),
  KEY ix_wo_st (st, due_dt),
  CONSTRAINT fk_wo_item FOREIGN KEY (item_no) REFERENCES item (item_no),
  CONSTRAINT fk_wo_cust FOREIGN KEY (cust_cd) REFERENCES cust (cust_cd)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Work orders';

CREATE TABLE wo_op (
  wo_no INT NOT NULL,
  op_no SMALLINT NOT NULL COMMENT '10, 20, 30 … in order',
  mach_id CHAR(5) NOT NULL,
  descr VARCHAR(40) NOT NULL,
  std_sec SMALLINT NOT NULL COMMENT 'planned seconds per piece',
  PRIMARY KEY (wo_no, op_no),
  CONSTRAINT fk_op_wo FOREIGN KEY (wo_no) REFERENCES wo (wo_no),
  CONSTRAINT fk_op_mach FOREIGN KEY (mach_id) REFERENCES mach (mach_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE rsn (
  rsn_cd CHAR(3) NOT NULL,
  txt VARCHAR(40) NOT NULL,
  use_for CHAR(1) NOT NULL COMMENT 'D downtime, S scrap',
  PRIMARY KEY (rsn_cd)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Reasons';

CREATE TABLE bkg (
  bkg_id INT NOT NULL,
  wo_no INT NOT NULL,
  op_no SMALLINT NOT NULL,
  sh_dt DATE NOT NULL,
  sh_no TINYINT NOT NULL,
  emp_no INT NOT NULL,
  qty_ok INT NOT NULL COMMENT 'good pieces',
  qty_nok INT NOT NULL COMMENT 'rejected pieces',
  PRIMARY KEY (bkg_id),
  CONSTRAINT fk_bkg_op FOREIGN KEY (wo_no, op_no) REFERENCES wo_op (wo_no, op_no),
  CONSTRAINT fk_bkg_shift FOREIGN KEY (sh_dt, sh_no) REFERENCES shift (sh_dt, sh_no),
  CONSTRAINT fk_bkg_emp FOREIGN KEY (emp_no) REFERENCES emp (emp_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Production booked by operators, at the end of a shift';

CREATE TABLE scrap (
  bkg_id INT NOT NULL,
  rsn_cd CHAR(3) NOT NULL,
  qty INT NOT NULL,
  PRIMARY KEY (bkg_id, rsn_cd),
  CONSTRAINT fk_scrap_bkg FOREIGN KEY (bkg_id) REFERENCES bkg (bkg_id),
  CONSTRAINT fk_scrap_rsn FOREIGN KEY (rsn_cd) REFERENCES rsn (rsn_cd)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Why the pieces of bkg.qty_nok were rejected';

CREATE TABLE dtm (
  dtm_id INT NOT NULL,
  mach_id CHAR(5) NOT NULL,
  beg_ts DATETIME NOT NULL,
  end_ts DATETIME NULL COMMENT 'NULL: still down',
  rsn_cd CHAR(3) NOT NULL,
  pln TINYINT(1) NOT NULL COMMENT '1 planned',
  PRIMARY KEY (dtm_id),
  KEY ix_dtm_mach (mach_id, beg_ts),
  CONSTRAINT fk_dtm_mach FOREIGN KEY (mach_id) REFERENCES mach (mach_id),
  CONSTRAINT fk_dtm_rsn FOREIGN KEY (rsn_cd) REFERENCES rsn (rsn_cd)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Downtime';

CREATE TABLE spec (
  item_no VARCHAR(8) NOT NULL,
  chr_cd CHAR(3) NOT NULL COMMENT 'DIA diameter in mm, LEN length in mm, RGH roughness Ra in µm, TRQ torque in Nm, WGT weight in g',
  nom DECIMAL(8,3) NOT NULL COMMENT 'nominal',
  lo DECIMAL(8,3) NULL COMMENT 'lower limit, NULL none',
  hi DECIMAL(8,3) NOT NULL COMMENT 'upper limit',
  PRIMARY KEY (item_no, chr_cd),
  CONSTRAINT fk_spec_item FOREIGN KEY (item_no) REFERENCES item (item_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='What is measured on an item, and its tolerance';

CREATE TABLE meas (
  wo_no INT NOT NULL,
  chr_cd CHAR(3) NOT NULL COMMENT 'as in spec; same unit',
  smp_no SMALLINT NOT NULL COMMENT 'sample, from 1',
  val DECIMAL(8,3) NOT NULL,
  ts DATETIME NOT NULL,
  PRIMARY KEY (wo_no, chr_cd, smp_no),
  CONSTRAINT fk_meas_wo FOREIGN KEY (wo_no) REFERENCES wo (wo_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Measurements';
