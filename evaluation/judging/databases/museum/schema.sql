-- A museum of fine arts: collection, makers, exhibitions, loans to and from other houses, tickets, restoration.
CREATE TABLE tbl_artist (
  artist_id INT NOT NULL,
  artist_name VARCHAR(80) NOT NULL,
  nationality VARCHAR(30) NULL,
  birth_year SMALLINT NULL,
  death_year SMALLINT NULL COMMENT 'NULL if living or unknown',
  gender CHAR(1) NULL COMMENT 'F, M; NULL for workshops and unknown masters',
  PRIMARY KEY (artist_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tbl_gallery (
  gallery_code VARCHAR(4) NOT NULL,
  gallery_name VARCHAR(40) NOT NULL,
  floor_no TINYINT NOT NULL COMMENT '-1 basement, 0 ground floor',
  climate_ctrl TINYINT(1) NOT NULL,
  public_access TINYINT(1) NOT NULL COMMENT '0 for depots',
  PRIMARY KEY (gallery_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tbl_artwork (
  inv_no VARCHAR(12) NOT NULL COMMENT 'inventory number: year of acquisition and running number',
  title VARCHAR(120) NOT NULL,
  medium CHAR(3) NOT NULL COMMENT 'OIL oil painting, WAT watercolour, PRT print, SCU sculpture, PHO photograph, TEX textile, CER ceramics',
  year_from SMALLINT NULL COMMENT 'earliest year of making',
  year_to SMALLINT NULL COMMENT 'latest year of making',
  height_cm DECIMAL(6,1) NULL,
  width_cm DECIMAL(6,1) NULL,
  acq_date DATE NULL,
  acq_how ENUM('purchase','gift','bequest','transfer') NOT NULL,
  acq_price DECIMAL(11,2) NULL COMMENT 'EUR, purchases only',
  ins_value DECIMAL(12,2) NULL COMMENT 'insured value in EUR',
  gallery_code VARCHAR(4) NULL COMMENT 'where it is now; NULL if out of the house',
  PRIMARY KEY (inv_no),
  KEY ix_artwork_gallery (gallery_code),
  CONSTRAINT fk_artwork_gallery FOREIGN KEY (gallery_code) REFERENCES tbl_gallery (gallery_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tbl_artwork_artist (
  inv_no VARCHAR(12) NOT NULL,
  artist_id INT NOT NULL,
  attribution CHAR(1) NOT NULL DEFAULT 'A' COMMENT 'A author, W workshop of, C circle of, F formerly attributed to',
  PRIMARY KEY (inv_no, artist_id),
  CONSTRAINT fk_aa_artwork FOREIGN KEY (inv_no) REFERENCES tbl_artwork (inv_no),
  CONSTRAINT fk_aa_artist FOREIGN KEY (artist_id) REFERENCES tbl_artist (artist_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tbl_museum (
  museum_id SMALLINT NOT NULL,
  museum_name VARCHAR(60) NOT NULL,
  city VARCHAR(40) NOT NULL,
  country VARCHAR(30) NOT NULL,
  PRIMARY KEY (museum_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='other houses that we lend to';

CREATE TABLE tbl_loan (
  loan_id INT NOT NULL,
  inv_no VARCHAR(12) NOT NULL,
  museum_id SMALLINT NOT NULL,
  loan_start DATE NOT NULL,
  loan_end DATE NOT NULL COMMENT 'agreed day of return',
  returned DATE NULL COMMENT 'NULL while it is away',
  loan_fee DECIMAL(9,2) NOT NULL DEFAULT 0.00,
  PRIMARY KEY (loan_id),
  CONSTRAINT fk_loan_artwork FOREIGN KEY (inv_no) REFERENCES tbl_artwork (inv_no),
  CONSTRAINT fk_loan_museum FOREIGN KEY (museum_id) REFERENCES tbl_museum (museum_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tbl_exhibition (
  exh_id SMALLINT NOT NULL,
  exh_title VARCHAR(80) NOT NULL,
  opens DATE NOT NULL,
  closes DATE NOT NULL,
  curator VARCHAR(60) NULL,
  budget DECIMAL(10,2) NULL COMMENT 'EUR',
  PRIMARY KEY (exh_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tbl_exh_artwork (
  exh_id SMALLINT NOT NULL,
  inv_no VARCHAR(12) NOT NULL,
  cat_no SMALLINT NULL COMMENT 'number in the catalogue',
  PRIMARY KEY (exh_id, inv_no),
  CONSTRAINT fk_ea_exhibition FOREIGN KEY (exh_id) REFERENCES tbl_exhibition (exh_id),
  CONSTRAINT fk_ea_artwork FOREIGN KEY (inv_no) REFERENCES tbl_artwork (inv_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tbl_ticket_cat (
  cat_code CHAR(2) NOT NULL,
  cat_name VARCHAR(30) NOT NULL,
  price DECIMAL(5,2) NOT NULL COMMENT 'EUR, permanent collection only',
  price_exh DECIMAL(5,2) NOT NULL COMMENT 'EUR, with the special exhibition',
  PRIMARY KEY (cat_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tbl_ticket_sale (
  sale_date DATE NOT NULL,
  cat_code CHAR(2) NOT NULL,
  with_exh TINYINT(1) NOT NULL COMMENT '1 with the special exhibition',
  online TINYINT(1) NOT NULL,
  qty SMALLINT NOT NULL,
  amount DECIMAL(9,2) NOT NULL,
  PRIMARY KEY (sale_date, cat_code, with_exh, online),
  CONSTRAINT fk_sale_cat FOREIGN KEY (cat_code) REFERENCES tbl_ticket_cat (cat_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='tickets sold on a day, summed up';

CREATE TABLE tbl_restoration (
  rest_id INT NOT NULL,
  inv_no VARCHAR(12) NOT NULL,
  restorer VARCHAR(60) NOT NULL,
  begun DATE NOT NULL,
  finished DATE NULL,
  cond_before TINYINT NOT NULL COMMENT '1 very good to 5 endangered',
  cond_after TINYINT NULL COMMENT '1 very good to 5 endangered',
  cost DECIMAL(9,2) NULL COMMENT 'EUR; NULL until billed',
  note VARCHAR(120) NULL,
  PRIMARY KEY (rest_id),
  CONSTRAINT fk_restoration_artwork FOREIGN KEY (inv_no) REFERENCES tbl_artwork (inv_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
