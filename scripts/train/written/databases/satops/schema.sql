CREATE TABLE dim_satellite (
  sat_key int NOT NULL,
  sat_name varchar(20) NOT NULL,
  orbit char(1) NOT NULL COMMENT 'L low orbit, M medium orbit, G geostationary',
  mass_kg int NOT NULL COMMENT 'mass at launch',
  launched_on date NOT NULL,
  life_mo int NOT NULL COMMENT 'design life in months',
  owner varchar(20) COMMENT 'customer, NULL: our own',
  PRIMARY KEY (sat_key)
);

CREATE TABLE dim_station (
  stn_key int NOT NULL,
  stn_name varchar(20) NOT NULL,
  country varchar(20) NOT NULL,
  band char(1) NOT NULL COMMENT 'S S-band, X X-band, K Ka-band',
  dish_cm int NOT NULL COMMENT 'dish diameter in cm',
  is_own tinyint NOT NULL COMMENT '1 our own, 0 rented',
  PRIMARY KEY (stn_key)
);

CREATE TABLE dim_operator (
  op_key int NOT NULL,
  first_name varchar(20) NOT NULL,
  last_name varchar(20) NOT NULL,
  lvl tinyint NOT NULL COMMENT '1 trainee, 2 controller, 3 flight director',
  home_stn int COMMENT 'NULL: works remotely',
  mentor_key int COMMENT 'operator who trains or trained this one',
  joined_on date NOT NULL,
  PRIMARY KEY (op_key),
  FOREIGN KEY (home_stn) REFERENCES dim_station (stn_key),
  FOREIGN KEY (mentor_key) REFERENCES dim_operator (op_key)
);

CREATE TABLE sat_status_hist (
  sat_key int NOT NULL,
  valid_from date NOT NULL,
  valid_to date COMMENT 'NULL: current; else first day of the next status',
  status char(1) NOT NULL COMMENT 'C commissioning, N nominal, D degraded, S safe mode, X retired',
  PRIMARY KEY (sat_key, valid_from),
  FOREIGN KEY (sat_key) REFERENCES dim_satellite (sat_key)
) COMMENT='which status a satellite had, when';

CREATE TABLE shift_roster (
  op_key int NOT NULL,
  shift_date date NOT NULL,
  slot char(1) NOT NULL COMMENT 'D day, E evening, N night',
  mins int NOT NULL COMMENT 'minutes worked',
  swapped tinyint NOT NULL COMMENT '1 taken over from a colleague',
  PRIMARY KEY (op_key, shift_date),
  FOREIGN KEY (op_key) REFERENCES dim_operator (op_key)
);

CREATE TABLE fact_pass (
  pass_key int NOT NULL,
  sat_key int NOT NULL,
  stn_key int NOT NULL,
  op_key int COMMENT 'NULL: unattended',
  aos_at datetime NOT NULL COMMENT 'signal acquired',
  los_at datetime NOT NULL COMMENT 'signal lost',
  max_elev tinyint NOT NULL COMMENT 'highest elevation in degrees',
  down_mb decimal(7,1) COMMENT 'MB received',
  res char(1) NOT NULL COMMENT 'K complete, P partial, F failed, N not taken',
  PRIMARY KEY (pass_key),
  FOREIGN KEY (sat_key) REFERENCES dim_satellite (sat_key),
  FOREIGN KEY (stn_key) REFERENCES dim_station (stn_key),
  FOREIGN KEY (op_key) REFERENCES dim_operator (op_key)
) COMMENT='contacts of a satellite with a ground station';

CREATE TABLE dim_command (
  cmd_code char(3) NOT NULL,
  descr varchar(25) NOT NULL,
  critical char(1) NOT NULL COMMENT 'Y needs a second person, N not',
  PRIMARY KEY (cmd_code)
);

CREATE TABLE fact_command (
  cmd_key int NOT NULL,
  pass_key int NOT NULL,
  cmd_code char(3) NOT NULL,
  approver_key int COMMENT 'second person, NULL: nobody',
  sent_at datetime NOT NULL,
  acked_at datetime COMMENT 'NULL: satellite did not answer',
  res char(1) NOT NULL COMMENT 'A accepted, R rejected by the satellite, T timed out',
  PRIMARY KEY (cmd_key),
  FOREIGN KEY (pass_key) REFERENCES fact_pass (pass_key),
  FOREIGN KEY (cmd_code) REFERENCES dim_command (cmd_code),
  FOREIGN KEY (approver_key) REFERENCES dim_operator (op_key)
);

CREATE TABLE fact_anomaly (
  anom_key int NOT NULL,
  sat_key int NOT NULL,
  pass_key int COMMENT 'pass on which it was seen, NULL: found otherwise',
  subsys char(1) NOT NULL COMMENT 'P power, A attitude control, T thermal, C communications, S software',
  sev tinyint NOT NULL COMMENT '1 minor, 2 moderate, 3 serious, 4 mission at risk',
  opened_at datetime NOT NULL,
  closed_at datetime COMMENT 'NULL: still open',
  raised_by int NOT NULL,
  closed_by int,
  PRIMARY KEY (anom_key),
  FOREIGN KEY (sat_key) REFERENCES dim_satellite (sat_key),
  FOREIGN KEY (pass_key) REFERENCES fact_pass (pass_key),
  FOREIGN KEY (raised_by) REFERENCES dim_operator (op_key),
  FOREIGN KEY (closed_by) REFERENCES dim_operator (op_key)
);

