CREATE TABLE rivers (
  id int NOT NULL,
  name varchar(40) NOT NULL,
  length_km int NOT NULL,
  flows_into int COMMENT 'river it flows into, NULL: the sea',
  PRIMARY KEY (id),
  FOREIGN KEY (flows_into) REFERENCES rivers (id)
);

CREATE TABLE stations (
  id int NOT NULL,
  station_code char(6) NOT NULL,
  name varchar(50) NOT NULL,
  river_id int NOT NULL,
  elevation_m int NOT NULL,
  operator varchar(20) NOT NULL,
  status varchar(12) NOT NULL,
  opened_on date NOT NULL,
  closed_on date COMMENT 'NULL: in operation',
  PRIMARY KEY (id),
  FOREIGN KEY (river_id) REFERENCES rivers (id)
);

CREATE TABLE parameters (
  code varchar(8) NOT NULL,
  name varchar(30) NOT NULL,
  unit varchar(8) NOT NULL,
  lower_limit decimal(8,2) NOT NULL COMMENT 'below: not acceptable',
  upper_limit decimal(8,2) NOT NULL COMMENT 'above: not acceptable',
  lowest decimal(8,2) NOT NULL,
  highest decimal(8,2) NOT NULL,
  PRIMARY KEY (code)
) COMMENT='what is measured';

CREATE TABLE devices (
  id int NOT NULL,
  serial_no varchar(12) NOT NULL,
  model varchar(20) NOT NULL,
  maker varchar(20) NOT NULL,
  station_id int COMMENT 'NULL: in store',
  firmware varchar(8) NOT NULL,
  battery_pct int COMMENT 'per cent, NULL: mains',
  installed_on date NOT NULL,
  removed_on date,
  PRIMARY KEY (id),
  FOREIGN KEY (station_id) REFERENCES stations (id)
);

CREATE TABLE channels (
  id int NOT NULL,
  device_id int NOT NULL,
  parameter_code varchar(8) NOT NULL,
  unit varchar(8) NOT NULL,
  range_min decimal(8,2) NOT NULL,
  range_max decimal(8,2) NOT NULL,
  interval_min int NOT NULL COMMENT 'minutes between readings',
  active tinyint(1) NOT NULL COMMENT '1 active',
  PRIMARY KEY (id),
  FOREIGN KEY (device_id) REFERENCES devices (id),
  FOREIGN KEY (parameter_code) REFERENCES parameters (code)
);

CREATE TABLE readings (
  id int NOT NULL,
  channel_id int NOT NULL,
  taken_at datetime NOT NULL,
  value decimal(8,2) COMMENT 'NULL: sensor did not answer',
  unit varchar(8) NOT NULL,
  quality varchar(8) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (channel_id) REFERENCES channels (id)
);

CREATE TABLE technicians (
  id int NOT NULL,
  name varchar(60) NOT NULL,
  team varchar(10) NOT NULL,
  chief_id int COMMENT 'NULL: no chief',
  hired_on date NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (chief_id) REFERENCES technicians (id)
);

CREATE TABLE calibrations (
  id int NOT NULL,
  channel_id int NOT NULL,
  technician_id int NOT NULL,
  done_on date NOT NULL,
  drift_pct decimal(5,2) NOT NULL COMMENT 'deviation found, per cent',
  passed tinyint(1) NOT NULL COMMENT '1 passed',
  cost decimal(7,2),
  PRIMARY KEY (id),
  FOREIGN KEY (channel_id) REFERENCES channels (id),
  FOREIGN KEY (technician_id) REFERENCES technicians (id)
);

CREATE TABLE alarms (
  id int NOT NULL,
  channel_id int NOT NULL,
  severity varchar(10) NOT NULL,
  raised_at datetime NOT NULL,
  acknowledged_by int COMMENT 'NULL: nobody yet',
  cleared_at datetime,
  PRIMARY KEY (id),
  FOREIGN KEY (channel_id) REFERENCES channels (id),
  FOREIGN KEY (acknowledged_by) REFERENCES technicians (id)
);

CREATE TABLE visits (
  id int NOT NULL,
  station_id int NOT NULL,
  technician_id int NOT NULL,
  visited_on date NOT NULL,
  purpose varchar(15) NOT NULL,
  minutes int NOT NULL,
  km_driven int,
  PRIMARY KEY (id),
  FOREIGN KEY (station_id) REFERENCES stations (id),
  FOREIGN KEY (technician_id) REFERENCES technicians (id)
);

