CREATE TABLE substation (
  ss_id CHAR(4) NOT NULL,
  name VARCHAR(40) NOT NULL,
  parent_id CHAR(4) NULL COMMENT 'feeding substation, NULL: fed by the transmission grid',
  voltage_kv DECIMAL(5,1) NOT NULL COMMENT 'kV',
  capacity_mva DECIMAL(6,2) NOT NULL COMMENT 'MVA',
  commissioned YEAR NULL,
  PRIMARY KEY (ss_id),
  CONSTRAINT fk_ss_parent FOREIGN KEY (parent_id) REFERENCES substation (ss_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE feeder (
  ss_id CHAR(4) NOT NULL,
  feeder_no TINYINT NOT NULL,
  length_km DECIMAL(5,2) NOT NULL,
  kind ENUM('overhead','underground','mixed') NOT NULL,
  PRIMARY KEY (ss_id, feeder_no),
  CONSTRAINT fk_feeder_ss FOREIGN KEY (ss_id) REFERENCES substation (ss_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Lines from a substation to its customers';

CREATE TABLE customer (
  customer_id INT NOT NULL,
  name VARCHAR(60) NOT NULL,
  segment CHAR(1) NOT NULL COMMENT 'H household, B business, I industry, P public',
  since DATE NOT NULL,
  iban_ok TINYINT(1) NOT NULL COMMENT '1 pays by direct debit',
  PRIMARY KEY (customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE site (
  site_id INT NOT NULL,
  customer_id INT NOT NULL,
  street VARCHAR(60) NOT NULL,
  town VARCHAR(40) NOT NULL,
  ss_id CHAR(4) NOT NULL,
  feeder_no TINYINT NOT NULL,
  floor_m2 INT NULL COMMENT 'heated area in m²',
  PRIMARY KEY (site_id),
  CONSTRAINT fk_site_customer FOREIGN KEY (customer_id) REFERENCES customer (customer_id),
  CONSTRAINT fk_site_feeder FOREIGN KEY (ss_id, feeder_no) REFERENCES feeder (ss_id, feeder_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Where energy is delivered';

CREATE TABLE meter (
  meter_no VARCHAR(12) NOT NULL,
  site_id INT NOT NULL,
  medium CHAR(1) NOT NULL COMMENT 'E electricity, G gas, W water, S solar feed-in',
  unit ENUM('kWh','m3') NOT NULL COMMENT 'of its readings',
  smart TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 sends its readings itself',
  installed DATE NOT NULL,
  removed DATE NULL,
  calibrated_until YEAR NOT NULL COMMENT 'last year in which it may be used for billing',
  PRIMARY KEY (meter_no),
  CONSTRAINT fk_meter_site FOREIGN KEY (site_id) REFERENCES site (site_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE reading (
  meter_no VARCHAR(12) NOT NULL,
  read_on DATE NOT NULL,
  used DECIMAL(10,3) NULL COMMENT 'consumption of that day (feed-in for solar), in the unit of the meter; NULL: nothing was received',
  quality CHAR(1) NOT NULL COMMENT 'M measured, E estimated, F faulty',
  PRIMARY KEY (meter_no, read_on),
  KEY ix_reading_day (read_on),
  CONSTRAINT fk_reading_meter FOREIGN KEY (meter_no) REFERENCES meter (meter_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Daily values of smart meters';

CREATE TABLE tariff (
  tariff_code VARCHAR(8) NOT NULL,
  name VARCHAR(40) NOT NULL,
  medium CHAR(1) NOT NULL COMMENT 'E electricity, G gas, W water, S solar feed-in',
  green TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 from renewable sources only',
  PRIMARY KEY (tariff_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tariff_price (
  tariff_code VARCHAR(8) NOT NULL,
  valid_from DATE NOT NULL,
  valid_to DATE NULL COMMENT 'last day, NULL: until further notice',
  unit_price DECIMAL(7,4) NOT NULL COMMENT 'EUR per kWh or m3; for solar what we pay',
  base_fee DECIMAL(6,2) NOT NULL COMMENT 'EUR per month',
  PRIMARY KEY (tariff_code, valid_from),
  CONSTRAINT fk_price_tariff FOREIGN KEY (tariff_code) REFERENCES tariff (tariff_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE contract (
  contract_no INT NOT NULL,
  meter_no VARCHAR(12) NOT NULL,
  tariff_code VARCHAR(8) NOT NULL,
  start_on DATE NOT NULL,
  end_on DATE NULL COMMENT 'last day, NULL: runs on',
  PRIMARY KEY (contract_no),
  CONSTRAINT fk_contract_meter FOREIGN KEY (meter_no) REFERENCES meter (meter_no),
  CONSTRAINT fk_contract_tariff FOREIGN KEY (tariff_code) REFERENCES tariff (tariff_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE bill (
  bill_no VARCHAR(12) NOT NULL,
  contract_no INT NOT NULL,
  period_from DATE NOT NULL,
  period_to DATE NOT NULL,
  amount DECIMAL(9,2) NOT NULL COMMENT 'EUR; negative: we owe the customer',
  issued DATE NOT NULL,
  status CHAR(1) NOT NULL COMMENT 'O open, P paid, D disputed',
  PRIMARY KEY (bill_no),
  KEY ix_bill_status (status),
  CONSTRAINT fk_bill_contract FOREIGN KEY (contract_no) REFERENCES contract (contract_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE outage (
  outage_id INT NOT NULL,
  ss_id CHAR(4) NOT NULL,
  feeder_no TINYINT NULL COMMENT 'NULL: the whole substation',
  began DATETIME NOT NULL,
  ended DATETIME NULL COMMENT 'NULL: not restored yet',
  cause CHAR(2) NOT NULL COMMENT 'ST storm, EQ equipment, DG digging, AN animal, PL planned work, UK unknown',
  PRIMARY KEY (outage_id),
  CONSTRAINT fk_outage_ss FOREIGN KEY (ss_id) REFERENCES substation (ss_id),
  CONSTRAINT fk_outage_feeder FOREIGN KEY (ss_id, feeder_no) REFERENCES feeder (ss_id, feeder_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE weather (
  day DATE NOT NULL,
  temp_avg DECIMAL(4,1) NOT NULL COMMENT '°C',
  sun_h DECIMAL(4,1) NULL COMMENT 'hours of sunshine',
  PRIMARY KEY (day)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
