-- A hotel by a lake: rooms, rates by season, bookings, invoices, housekeeping.
CREATE TABLE room_type (
  type_code CHAR(3) NOT NULL,
  name VARCHAR(40) NOT NULL,
  max_guests TINYINT NOT NULL,
  size_sqm SMALLINT NULL,
  lake_view TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (type_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE room (
  room_no SMALLINT NOT NULL COMMENT 'first digit is the floor',
  type_code CHAR(3) NOT NULL,
  floor TINYINT NOT NULL,
  step_free TINYINT(1) NOT NULL DEFAULT 0 COMMENT 'fit for wheelchairs',
  status CHAR(1) NOT NULL DEFAULT 'A' COMMENT 'A available, R under renovation, X out of service',
  PRIMARY KEY (room_no),
  KEY ix_room_type (type_code),
  CONSTRAINT fk_room_type FOREIGN KEY (type_code) REFERENCES room_type (type_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE season (
  season_id SMALLINT NOT NULL,
  label VARCHAR(30) NOT NULL,
  date_from DATE NOT NULL,
  date_to DATE NOT NULL COMMENT 'last night of the season',
  PRIMARY KEY (season_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE rate (
  type_code CHAR(3) NOT NULL,
  season_id SMALLINT NOT NULL,
  board ENUM('room only','breakfast','half board') NOT NULL,
  price DECIMAL(7,2) NOT NULL COMMENT 'EUR a room and night',
  PRIMARY KEY (type_code, season_id, board),
  CONSTRAINT fk_rate_type FOREIGN KEY (type_code) REFERENCES room_type (type_code),
  CONSTRAINT fk_rate_season FOREIGN KEY (season_id) REFERENCES season (season_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE guest (
  guest_id INT NOT NULL,
  last_name VARCHAR(50) NOT NULL,
  first_name VARCHAR(50) NOT NULL,
  country CHAR(2) NOT NULL COMMENT 'ISO code: AT, CH, CZ, DE, DK, FR, IT, NL, PL, UK, US',
  birth_date DATE NULL,
  email VARCHAR(80) NULL,
  vip_level TINYINT NOT NULL DEFAULT 0 COMMENT '0 none, 1 silver, 2 gold, 3 platinum',
  PRIMARY KEY (guest_id),
  KEY ix_guest_name (last_name, first_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE booking (
  booking_id INT NOT NULL,
  guest_id INT NOT NULL COMMENT 'who booked',
  room_no SMALLINT NOT NULL,
  booked_at DATETIME NOT NULL,
  arrival DATE NOT NULL,
  departure DATE NOT NULL COMMENT 'day of check-out; the night before is the last one',
  adults TINYINT NOT NULL,
  children TINYINT NOT NULL DEFAULT 0,
  board ENUM('room only','breakfast','half board') NOT NULL,
  channel CHAR(2) NOT NULL COMMENT 'WE own web site, OT online travel agency, PH telephone, WI walk-in, AG agency',
  status CHAR(2) NOT NULL COMMENT 'BK booked, IN checked in, OU checked out, CX cancelled, NS no-show',
  price_night DECIMAL(7,2) NOT NULL,
  PRIMARY KEY (booking_id),
  KEY ix_booking_arrival (arrival),
  CONSTRAINT fk_booking_guest FOREIGN KEY (guest_id) REFERENCES guest (guest_id),
  CONSTRAINT fk_booking_room FOREIGN KEY (room_no) REFERENCES room (room_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE invoice (
  invoice_no CHAR(10) NOT NULL,
  booking_id INT NOT NULL,
  issued DATE NOT NULL,
  due DATE NOT NULL,
  total DECIMAL(9,2) NOT NULL COMMENT 'EUR, sum of its items',
  PRIMARY KEY (invoice_no),
  UNIQUE KEY uq_invoice_booking (booking_id),
  CONSTRAINT fk_invoice_booking FOREIGN KEY (booking_id) REFERENCES booking (booking_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE invoice_item (
  invoice_no CHAR(10) NOT NULL,
  line SMALLINT NOT NULL,
  kind CHAR(3) NOT NULL COMMENT 'LOD lodging, MIN minibar, SPA spa, PRK parking, RES restaurant, TAX visitor tax',
  qty SMALLINT NOT NULL,
  unit_price DECIMAL(7,2) NOT NULL,
  PRIMARY KEY (invoice_no, line),
  CONSTRAINT fk_item_invoice FOREIGN KEY (invoice_no) REFERENCES invoice (invoice_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE payment (
  payment_id INT NOT NULL,
  invoice_no CHAR(10) NOT NULL,
  paid_on DATE NOT NULL,
  method ENUM('card','cash','transfer','voucher') NOT NULL,
  amount DECIMAL(9,2) NOT NULL,
  PRIMARY KEY (payment_id),
  CONSTRAINT fk_payment_invoice FOREIGN KEY (invoice_no) REFERENCES invoice (invoice_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='an invoice may be paid in parts';

CREATE TABLE employee (
  employee_id SMALLINT NOT NULL,
  name VARCHAR(60) NOT NULL,
  role ENUM('housekeeping','reception','maintenance') NOT NULL,
  hired DATE NOT NULL,
  left_on DATE NULL,
  PRIMARY KEY (employee_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE cleaning (
  room_no SMALLINT NOT NULL,
  clean_date DATE NOT NULL,
  employee_id SMALLINT NOT NULL,
  kind CHAR(1) NOT NULL COMMENT 'S stay-over, D departure, G general',
  minutes SMALLINT NULL,
  remark VARCHAR(120) NULL,
  PRIMARY KEY (room_no, clean_date),
  CONSTRAINT fk_cleaning_room FOREIGN KEY (room_no) REFERENCES room (room_no),
  CONSTRAINT fk_cleaning_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
