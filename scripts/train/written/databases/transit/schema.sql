CREATE TABLE bus_lines (
  line_code varchar(4) NOT NULL,
  name varchar(40) NOT NULL,
  kind char(1) NOT NULL COMMENT 'R regular, X express, N night',
  opened_on date NOT NULL,
  headway_min int COMMENT 'minutes between two buses, NULL: on demand',
  length_m int NOT NULL COMMENT 'metres',
  PRIMARY KEY (line_code)
);

CREATE TABLE stops (
  stop_id int NOT NULL,
  name varchar(40) NOT NULL,
  zone char(1) NOT NULL COMMENT 'fare zone',
  has_shelter tinyint(1) NOT NULL COMMENT '1 shelter, 0 none',
  step_free char(1) NOT NULL COMMENT 'Y wheelchair access, N not',
  benches int NOT NULL,
  PRIMARY KEY (stop_id)
);

CREATE TABLE line_stops (
  line_code varchar(4) NOT NULL,
  position int NOT NULL COMMENT '1 = first stop of the line',
  stop_id int NOT NULL,
  min_from_start int NOT NULL COMMENT 'minutes of travel from position 1',
  PRIMARY KEY (line_code, position),
  FOREIGN KEY (line_code) REFERENCES bus_lines (line_code),
  FOREIGN KEY (stop_id) REFERENCES stops (stop_id)
);

CREATE TABLE vehicles (
  vehicle_no int NOT NULL,
  model varchar(30) NOT NULL,
  fuel char(1) NOT NULL COMMENT 'D diesel, E battery electric, H hydrogen',
  seats int NOT NULL,
  standing int NOT NULL COMMENT 'standing places',
  bought_on date NOT NULL,
  retired_on date COMMENT 'NULL: still in service',
  PRIMARY KEY (vehicle_no)
);

CREATE TABLE drivers (
  driver_id int NOT NULL,
  first_name varchar(20) NOT NULL,
  last_name varchar(25) NOT NULL,
  hired_on date NOT NULL,
  birth_date date NOT NULL,
  contract char(2) NOT NULL COMMENT 'FT full time, PT part time, TP temporary',
  mentor_id int COMMENT 'driver who trained this one',
  PRIMARY KEY (driver_id),
  FOREIGN KEY (mentor_id) REFERENCES drivers (driver_id)
);

CREATE TABLE trips (
  trip_id int NOT NULL,
  line_code varchar(4) NOT NULL,
  vehicle_no int NOT NULL,
  driver_id int NOT NULL,
  from_stop int NOT NULL,
  to_stop int NOT NULL,
  departed_at datetime NOT NULL COMMENT 'planned departure',
  status char(1) NOT NULL COMMENT 'R ran in full, P ran only part of the way, C cancelled',
  delay_min int COMMENT 'minutes late at the last stop, negative: early, NULL: cancelled',
  passengers int,
  PRIMARY KEY (trip_id),
  FOREIGN KEY (line_code) REFERENCES bus_lines (line_code),
  FOREIGN KEY (vehicle_no) REFERENCES vehicles (vehicle_no),
  FOREIGN KEY (driver_id) REFERENCES drivers (driver_id),
  FOREIGN KEY (from_stop) REFERENCES stops (stop_id),
  FOREIGN KEY (to_stop) REFERENCES stops (stop_id)
);

CREATE TABLE ticket_sales (
  sale_id int NOT NULL,
  ticket_type varchar(12) NOT NULL,
  sold_at datetime NOT NULL,
  channel char(1) NOT NULL COMMENT 'M machine, A app, D driver',
  quantity int NOT NULL COMMENT 'tickets in this sale',
  amount_eur decimal(7,2) NOT NULL COMMENT 'whole sale',
  from_stop int COMMENT 'NULL: not tied to a stop',
  to_stop int,
  PRIMARY KEY (sale_id),
  FOREIGN KEY (from_stop) REFERENCES stops (stop_id),
  FOREIGN KEY (to_stop) REFERENCES stops (stop_id)
);

CREATE TABLE inspections (
  inspection_id int NOT NULL,
  trip_id int NOT NULL,
  inspector varchar(40) NOT NULL,
  checked int NOT NULL COMMENT 'passengers checked',
  no_ticket int NOT NULL COMMENT 'of those, without a ticket',
  fines_eur int COMMENT 'NULL: no fines',
  PRIMARY KEY (inspection_id),
  FOREIGN KEY (trip_id) REFERENCES trips (trip_id)
);

