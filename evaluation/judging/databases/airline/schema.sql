-- A regional airline: its network, fleet, crews, four weeks of flights and their passengers.
CREATE TABLE airports (
  iata CHAR(3) NOT NULL,
  name VARCHAR(60) NOT NULL,
  city VARCHAR(40) NOT NULL,
  country VARCHAR(40) NOT NULL,
  elev_ft INT NULL COMMENT 'elevation above sea level in feet',
  longest_rwy_m SMALLINT NULL COMMENT 'longest runway in metres',
  PRIMARY KEY (iata)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE aircraft_types (
  icao_type CHAR(4) NOT NULL,
  maker VARCHAR(30) NOT NULL,
  model VARCHAR(30) NOT NULL,
  seats_y SMALLINT NOT NULL COMMENT 'economy',
  seats_c SMALLINT NOT NULL COMMENT 'business',
  range_km SMALLINT NOT NULL,
  PRIMARY KEY (icao_type)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE aircraft (
  reg CHAR(6) NOT NULL COMMENT 'registration, the tail number',
  icao_type CHAR(4) NOT NULL,
  nickname VARCHAR(30) NULL,
  delivered DATE NOT NULL,
  owner_kind CHAR(1) NOT NULL COMMENT 'O owned, D dry lease, W wet lease',
  retired DATE NULL,
  PRIMARY KEY (reg),
  CONSTRAINT fk_aircraft_type FOREIGN KEY (icao_type) REFERENCES aircraft_types (icao_type)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE routes (
  flight_no CHAR(6) NOT NULL,
  dep_iata CHAR(3) NOT NULL,
  arr_iata CHAR(3) NOT NULL,
  distance_km SMALLINT NOT NULL,
  sched_dep TIME NOT NULL COMMENT 'local time',
  block_min SMALLINT NOT NULL COMMENT 'scheduled minutes from gate to gate',
  days CHAR(7) NOT NULL COMMENT 'days of operation, 1 Monday to 7 Sunday, a point where it does not fly: 12345..',
  PRIMARY KEY (flight_no),
  CONSTRAINT fk_route_dep FOREIGN KEY (dep_iata) REFERENCES airports (iata),
  CONSTRAINT fk_route_arr FOREIGN KEY (arr_iata) REFERENCES airports (iata)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='the timetable';

CREATE TABLE flights (
  flight_no CHAR(6) NOT NULL,
  flight_date DATE NOT NULL,
  reg CHAR(6) NULL COMMENT 'NULL if the flight was cancelled before an aircraft was assigned',
  status CHAR(3) NOT NULL COMMENT 'ARR arrived, CNL cancelled, DIV diverted',
  dep_delay SMALLINT NULL COMMENT 'minutes; negative is early; NULL if cancelled',
  arr_delay SMALLINT NULL COMMENT 'minutes; negative is early; NULL if cancelled or diverted',
  fuel_kg INT NULL,
  PRIMARY KEY (flight_no, flight_date),
  KEY ix_flight_reg (reg),
  CONSTRAINT fk_flight_route FOREIGN KEY (flight_no) REFERENCES routes (flight_no),
  CONSTRAINT fk_flight_aircraft FOREIGN KEY (reg) REFERENCES aircraft (reg)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE delay_codes (
  code CHAR(2) NOT NULL COMMENT 'IATA delay code',
  grp ENUM('airline','passenger','technical','weather','air traffic','reactionary') NOT NULL,
  meaning VARCHAR(80) NOT NULL,
  PRIMARY KEY (code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE flight_delays (
  flight_no CHAR(6) NOT NULL,
  flight_date DATE NOT NULL,
  code CHAR(2) NOT NULL,
  minutes SMALLINT NOT NULL,
  PRIMARY KEY (flight_no, flight_date, code),
  CONSTRAINT fk_delay_flight FOREIGN KEY (flight_no, flight_date) REFERENCES flights (flight_no, flight_date),
  CONSTRAINT fk_delay_code FOREIGN KEY (code) REFERENCES delay_codes (code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='how the departure delay of 15 minutes or more is made up';

CREATE TABLE crew (
  staff_no CHAR(5) NOT NULL,
  surname VARCHAR(40) NOT NULL,
  given_name VARCHAR(40) NOT NULL,
  crew_rank CHAR(3) NOT NULL COMMENT 'CPT captain, FO first officer, PU purser, CC cabin crew',
  base CHAR(3) NOT NULL,
  joined DATE NOT NULL,
  licence_until DATE NULL COMMENT 'pilots only',
  PRIMARY KEY (staff_no),
  CONSTRAINT fk_crew_base FOREIGN KEY (base) REFERENCES airports (iata)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE flight_crew (
  flight_no CHAR(6) NOT NULL,
  flight_date DATE NOT NULL,
  staff_no CHAR(5) NOT NULL,
  deadhead TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 if travelling as a passenger',
  PRIMARY KEY (flight_no, flight_date, staff_no),
  CONSTRAINT fk_fc_flight FOREIGN KEY (flight_no, flight_date) REFERENCES flights (flight_no, flight_date),
  CONSTRAINT fk_fc_crew FOREIGN KEY (staff_no) REFERENCES crew (staff_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE bookings (
  pnr CHAR(6) NOT NULL,
  passenger VARCHAR(60) NOT NULL COMMENT 'as on the ticket: SURNAME/GIVEN TITLE',
  booked_on DATE NOT NULL,
  channel ENUM('web','app','agent','phone') NOT NULL,
  fare DECIMAL(8,2) NOT NULL COMMENT 'EUR, all legs',
  taxes DECIMAL(8,2) NOT NULL,
  ff_tier CHAR(1) NULL COMMENT 'frequent flyer: B blue, S silver, G gold; NULL if not a member',
  PRIMARY KEY (pnr)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE booking_legs (
  pnr CHAR(6) NOT NULL,
  leg TINYINT NOT NULL,
  flight_no CHAR(6) NOT NULL,
  flight_date DATE NOT NULL,
  cabin CHAR(1) NOT NULL COMMENT 'Y economy, C business',
  seat VARCHAR(3) NULL,
  bags TINYINT NOT NULL DEFAULT 0,
  boarded TINYINT(1) NOT NULL COMMENT '0 if the passenger did not show up or the flight was cancelled',
  PRIMARY KEY (pnr, leg),
  KEY ix_leg_flight (flight_no, flight_date),
  CONSTRAINT fk_leg_booking FOREIGN KEY (pnr) REFERENCES bookings (pnr),
  CONSTRAINT fk_leg_flight FOREIGN KEY (flight_no, flight_date) REFERENCES flights (flight_no, flight_date)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
