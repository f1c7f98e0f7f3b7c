-- A shop that lends tools: the tables of scripts/rental, with what a dump may hold. Its rows come behind it.
SET NAMES utf8mb4;
SET FOREIGN_KEY_CHECKS=0;

CREATE TABLE country (
  country_id smallint unsigned NOT NULL AUTO_INCREMENT,
  country varchar(50) NOT NULL,
  last_update timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (country_id)
) ENGINE=InnoDB;

CREATE TABLE city (
  city_id smallint unsigned NOT NULL AUTO_INCREMENT,
  city varchar(50) NOT NULL,
  country_id smallint unsigned NOT NULL,
  PRIMARY KEY (city_id),
  KEY idx_fk_country_id (country_id),
  CONSTRAINT fk_city_country FOREIGN KEY (country_id) REFERENCES country (country_id) ON UPDATE CASCADE
) ENGINE=InnoDB;

CREATE TABLE address (
  address_id smallint unsigned NOT NULL AUTO_INCREMENT,
  address varchar(50) NOT NULL,
  address2 varchar(50) DEFAULT NULL,
  district varchar(20) NOT NULL,
  city_id smallint unsigned NOT NULL,
  postal_code varchar(10) DEFAULT NULL,
  phone varchar(20) NOT NULL DEFAULT '',
  location geometry NOT NULL,
  PRIMARY KEY (address_id),
  KEY idx_fk_city_id (city_id),
  SPATIAL KEY idx_location (location),
  CONSTRAINT fk_address_city FOREIGN KEY (city_id) REFERENCES city (city_id)
) ENGINE=InnoDB;

CREATE TABLE store (
  store_id tinyint unsigned NOT NULL AUTO_INCREMENT,
  manager_id tinyint unsigned NOT NULL,
  address_id smallint unsigned NOT NULL,
  opens time NOT NULL,
  closes time(3) NOT NULL,
  PRIMARY KEY (store_id),
  UNIQUE KEY idx_unique_manager (manager_id),
  CONSTRAINT fk_store_address FOREIGN KEY (address_id) REFERENCES address (address_id)
) ENGINE=InnoDB;

CREATE TABLE staff (
  staff_id tinyint unsigned NOT NULL AUTO_INCREMENT,
  first_name varchar(45) NOT NULL,
  last_name varchar(45) NOT NULL,
  chief_id tinyint unsigned DEFAULT NULL,
  address_id smallint unsigned NOT NULL,
  picture blob,
  badge binary(4) NOT NULL,
  store_id tinyint unsigned NOT NULL,
  active bit(1) NOT NULL DEFAULT b'1',
  rights bit(12) NOT NULL DEFAULT b'0',
  full_name varchar(91) GENERATED ALWAYS AS (concat(first_name,' ',last_name)) VIRTUAL,
  password varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (staff_id),
  CONSTRAINT fk_staff_chief FOREIGN KEY (chief_id) REFERENCES staff (staff_id),
  CONSTRAINT fk_staff_store FOREIGN KEY (store_id) REFERENCES store (store_id)
) ENGINE=InnoDB COMMENT='who works in a store; "chief" is another of them';

CREATE TABLE customer (
  customer_id smallint unsigned NOT NULL AUTO_INCREMENT,
  store_id tinyint unsigned NOT NULL,
  first_name varchar(45) NOT NULL,
  last_name varchar(45) NOT NULL,
  email varchar(80) DEFAULT NULL,
  address_id smallint unsigned NOT NULL,
  active tinyint(1) NOT NULL DEFAULT '1' COMMENT '0 left us; 1 is a customer',
  born date DEFAULT NULL,
  profile json DEFAULT NULL,
  create_date datetime NOT NULL,
  last_update timestamp(3) NULL DEFAULT NULL,
  PRIMARY KEY (customer_id),
  KEY idx_last_name (last_name),
  CONSTRAINT fk_customer_address FOREIGN KEY (address_id) REFERENCES address (address_id),
  CONSTRAINT fk_customer_store FOREIGN KEY (store_id) REFERENCES store (store_id)
) ENGINE=InnoDB;

CREATE TABLE category (
  category_id tinyint unsigned NOT NULL AUTO_INCREMENT,
  name varchar(25) NOT NULL,
  parent_id tinyint unsigned DEFAULT NULL,
  PRIMARY KEY (category_id),
  CONSTRAINT fk_category_parent FOREIGN KEY (parent_id) REFERENCES category (category_id)
) ENGINE=InnoDB;

CREATE TABLE maker (
  maker_id smallint unsigned NOT NULL AUTO_INCREMENT,
  name varchar(45) NOT NULL,
  founded year DEFAULT NULL,
  country_id smallint unsigned NOT NULL,
  PRIMARY KEY (maker_id),
  CONSTRAINT fk_maker_country FOREIGN KEY (country_id) REFERENCES country (country_id)
) ENGINE=InnoDB;

CREATE TABLE tool (
  tool_id smallint unsigned NOT NULL AUTO_INCREMENT,
  title varchar(128) NOT NULL,
  description text,
  made year DEFAULT NULL,
  rate decimal(4,2) NOT NULL DEFAULT '4.99',
  cost decimal(7,2) NOT NULL DEFAULT '19.99',
  weight float DEFAULT NULL,
  watts double DEFAULT NULL,
  risk enum('none','low','gloves & glasses','trained only') DEFAULT 'none',
  extras set('Battery','Case','Charger','Blades') DEFAULT NULL,
  days tinyint unsigned NOT NULL DEFAULT '3',
  payback decimal(10,2) GENERATED ALWAYS AS (cost / rate) STORED,
  week_price decimal(7,2) GENERATED ALWAYS AS (rate * 7) VIRTUAL,
  price_class varchar(10) GENERATED ALWAYS AS (CASE WHEN week_price > 40 THEN 'dear' WHEN week_price > 20 THEN 'middle' ELSE 'cheap' END) VIRTUAL,
  PRIMARY KEY (tool_id),
  KEY idx_title (title),
  KEY idx_price_class (price_class),
  CONSTRAINT rate_is_positive CHECK (rate > 0)
) ENGINE=InnoDB;

CREATE TABLE tool_maker (
  tool_id smallint unsigned NOT NULL,
  maker_id smallint unsigned NOT NULL,
  PRIMARY KEY (tool_id, maker_id),
  KEY idx_fk_maker_id (maker_id),
  CONSTRAINT fk_tool_maker_tool FOREIGN KEY (tool_id) REFERENCES tool (tool_id) ON DELETE CASCADE,
  CONSTRAINT fk_tool_maker_maker FOREIGN KEY (maker_id) REFERENCES maker (maker_id)
) ENGINE=InnoDB;

CREATE TABLE tool_category (
  tool_id smallint unsigned NOT NULL,
  category_id tinyint unsigned NOT NULL,
  PRIMARY KEY (tool_id, category_id),
  CONSTRAINT fk_tool_category_tool FOREIGN KEY (tool_id) REFERENCES tool (tool_id),
  CONSTRAINT fk_tool_category_category FOREIGN KEY (category_id) REFERENCES category (category_id)
) ENGINE=InnoDB;

CREATE TABLE tool_text (
  tool_id smallint unsigned NOT NULL,
  title varchar(255) NOT NULL,
  description mediumtext,
  PRIMARY KEY (tool_id),
  FULLTEXT KEY idx_title_description (title,description)
) ENGINE=MyISAM;

CREATE TABLE inventory (
  inventory_id mediumint unsigned NOT NULL AUTO_INCREMENT,
  tool_id smallint unsigned NOT NULL,
  store_id tinyint unsigned NOT NULL,
  serial char(12) CHARACTER SET latin1 NOT NULL,
  PRIMARY KEY (inventory_id),
  UNIQUE KEY idx_serial (serial),
  KEY idx_store_tool (store_id,tool_id),
  CONSTRAINT fk_inventory_tool FOREIGN KEY (tool_id) REFERENCES tool (tool_id),
  CONSTRAINT fk_inventory_store FOREIGN KEY (store_id) REFERENCES store (store_id)
) ENGINE=InnoDB;

CREATE TABLE loan (
  loan_id int NOT NULL AUTO_INCREMENT,
  loan_date datetime NOT NULL,
  inventory_id mediumint unsigned NOT NULL,
  customer_id smallint unsigned NOT NULL,
  return_date datetime DEFAULT NULL,
  staff_id tinyint unsigned NOT NULL,
  PRIMARY KEY (loan_id),
  UNIQUE KEY idx_loan (loan_date,inventory_id,customer_id),
  CONSTRAINT fk_loan_inventory FOREIGN KEY (inventory_id) REFERENCES inventory (inventory_id),
  CONSTRAINT fk_loan_customer FOREIGN KEY (customer_id) REFERENCES customer (customer_id),
  CONSTRAINT fk_loan_staff FOREIGN KEY (staff_id) REFERENCES staff (staff_id)
) ENGINE=InnoDB;

CREATE TABLE payment (
  payment_id int unsigned NOT NULL AUTO_INCREMENT,
  customer_id smallint unsigned NOT NULL,
  staff_id tinyint unsigned NOT NULL,
  loan_id int DEFAULT NULL,
  amount decimal(5,2) NOT NULL,
  payment_date datetime NOT NULL,
  PRIMARY KEY (payment_id,payment_date),
  KEY idx_fk_customer_id (customer_id)
) ENGINE=InnoDB
PARTITION BY RANGE (YEAR(payment_date)) (
  PARTITION p2023 VALUES LESS THAN (2024) ENGINE = InnoDB,
  PARTITION p2024 VALUES LESS THAN (2025) ENGINE = InnoDB,
  PARTITION pmax VALUES LESS THAN MAXVALUE ENGINE = InnoDB);

CREATE TABLE note (
  note_id bigint unsigned NOT NULL AUTO_INCREMENT,
  tool_id smallint unsigned DEFAULT NULL,
  body longtext,
  raw longblob,
  big decimal(30,10) DEFAULT NULL,
  huge bigint unsigned DEFAULT NULL,
  kept varbinary(20) DEFAULT NULL,
  PRIMARY KEY (note_id)
) ENGINE=InnoDB COMMENT='texts and bytes that are hard to write: '' " \\ % _';
