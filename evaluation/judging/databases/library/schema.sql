CREATE TABLE branch (
  branch_code CHAR(3) NOT NULL,
  branch_name VARCHAR(40) NOT NULL,
  street VARCHAR(60) NOT NULL,
  phone VARCHAR(20) NULL,
  sunday_open TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (branch_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE member_type (
  type_code CHAR(2) NOT NULL COMMENT 'AD, CH, ST, SE, IN',
  type_name VARCHAR(20) NOT NULL,
  max_loans TINYINT NOT NULL COMMENT 'items out at the same time',
  loan_days SMALLINT NOT NULL,
  yearly_fee DECIMAL(5,2) NOT NULL COMMENT 'EUR',
  PRIMARY KEY (type_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE member (
  card_no CHAR(6) NOT NULL COMMENT 'number on the card, with leading zeros',
  first_name VARCHAR(40) NOT NULL,
  last_name VARCHAR(40) NOT NULL,
  type_code CHAR(2) NOT NULL,
  home_branch CHAR(3) NOT NULL,
  joined DATE NOT NULL,
  born DATE NULL,
  email VARCHAR(80) NULL,
  blocked TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 may not borrow',
  PRIMARY KEY (card_no),
  KEY ix_member_name (last_name, first_name),
  CONSTRAINT fk_member_type FOREIGN KEY (type_code) REFERENCES member_type (type_code),
  CONSTRAINT fk_member_branch FOREIGN KEY (home_branch) REFERENCES branch (branch_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE publisher (
  publisher_id INT NOT NULL AUTO_INCREMENT,
  name VARCHAR(60) NOT NULL,
  city VARCHAR(40) NULL,
  PRIMARY KEY (publisher_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE author (
  author_id INT NOT NULL AUTO_INCREMENT,
  name VARCHAR(80) NOT NULL COMMENT 'as on the title page, first name first',
  sort_name VARCHAR(80) NOT NULL COMMENT 'last name first',
  country CHAR(2) NULL COMMENT 'ISO 3166',
  birth_year SMALLINT NULL,
  death_year SMALLINT NULL COMMENT 'NULL: alive or not known',
  PRIMARY KEY (author_id),
  KEY ix_author_sort (sort_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE book (
  isbn VARCHAR(13) NOT NULL COMMENT 'ISBN-10 or ISBN-13 without hyphens; the last character may be X',
  title VARCHAR(120) NOT NULL,
  publisher_id INT NULL,
  pub_year SMALLINT NULL COMMENT 'of this edition',
  first_year SMALLINT NULL COMMENT 'of first publication',
  lang CHAR(2) NOT NULL COMMENT 'ISO 639-1, e.g. en, de, fr',
  pages SMALLINT NULL,
  audience CHAR(1) NOT NULL COMMENT 'A adults, Y young adults, C children',
  PRIMARY KEY (isbn),
  KEY ix_book_title (title),
  CONSTRAINT fk_book_publisher FOREIGN KEY (publisher_id) REFERENCES publisher (publisher_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Editions; what stands on the shelf is a copy';

CREATE TABLE book_author (
  isbn VARCHAR(13) NOT NULL,
  author_id INT NOT NULL,
  role ENUM('author','translator','illustrator') NOT NULL DEFAULT 'author',
  pos TINYINT NOT NULL COMMENT 'order on the title page',
  PRIMARY KEY (isbn, author_id, role),
  CONSTRAINT fk_ba_book FOREIGN KEY (isbn) REFERENCES book (isbn),
  CONSTRAINT fk_ba_author FOREIGN KEY (author_id) REFERENCES author (author_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE subject (
  subject_id SMALLINT NOT NULL,
  label VARCHAR(40) NOT NULL,
  PRIMARY KEY (subject_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE book_subject (
  isbn VARCHAR(13) NOT NULL,
  subject_id SMALLINT NOT NULL,
  PRIMARY KEY (isbn, subject_id),
  CONSTRAINT fk_bs_book FOREIGN KEY (isbn) REFERENCES book (isbn),
  CONSTRAINT fk_bs_subject FOREIGN KEY (subject_id) REFERENCES subject (subject_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE copy (
  barcode CHAR(8) NOT NULL,
  isbn VARCHAR(13) NOT NULL,
  branch_code CHAR(3) NOT NULL,
  shelf VARCHAR(12) NULL,
  acquired DATE NOT NULL,
  price DECIMAL(6,2) NULL COMMENT 'EUR, NULL: was a gift',
  state CHAR(1) NOT NULL COMMENT 'A on the shelf, L on loan, R at the bookbinder, M missing, W withdrawn',
  PRIMARY KEY (barcode),
  CONSTRAINT fk_copy_book FOREIGN KEY (isbn) REFERENCES book (isbn),
  CONSTRAINT fk_copy_branch FOREIGN KEY (branch_code) REFERENCES branch (branch_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE loan (
  loan_id INT NOT NULL,
  barcode CHAR(8) NOT NULL,
  card_no CHAR(6) NOT NULL,
  lent_on DATE NOT NULL,
  due_on DATE NOT NULL,
  returned_on DATE NULL COMMENT 'NULL: not back yet',
  renewals TINYINT NOT NULL DEFAULT 0,
  PRIMARY KEY (loan_id),
  KEY ix_loan_due (due_on),
  CONSTRAINT fk_loan_copy FOREIGN KEY (barcode) REFERENCES copy (barcode),
  CONSTRAINT fk_loan_member FOREIGN KEY (card_no) REFERENCES member (card_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE hold (
  card_no CHAR(6) NOT NULL,
  isbn VARCHAR(13) NOT NULL,
  placed_at DATETIME NOT NULL,
  pickup_branch CHAR(3) NOT NULL,
  state CHAR(1) NOT NULL COMMENT 'W waiting, R ready for pick-up, F fulfilled, X cancelled',
  PRIMARY KEY (card_no, isbn, placed_at),
  CONSTRAINT fk_hold_member FOREIGN KEY (card_no) REFERENCES member (card_no),
  CONSTRAINT fk_hold_book FOREIGN KEY (isbn) REFERENCES book (isbn),
  CONSTRAINT fk_hold_branch FOREIGN KEY (pickup_branch) REFERENCES branch (branch_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Reservations';

CREATE TABLE fine (
  fine_id INT NOT NULL,
  loan_id INT NOT NULL,
  reason CHAR(1) NOT NULL COMMENT 'L late, D damaged, M lost',
  amount DECIMAL(6,2) NOT NULL COMMENT 'EUR',
  issued_on DATE NOT NULL,
  paid_on DATE NULL COMMENT 'NULL: not paid',
  waived TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 need not be paid any more',
  PRIMARY KEY (fine_id),
  CONSTRAINT fk_fine_loan FOREIGN KEY (loan_id) REFERENCES loan (loan_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
