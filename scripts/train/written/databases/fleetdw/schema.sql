CREATE TABLE dim_date (
  date_key int NOT NULL COMMENT 'YYYYMMDD',
  full_date date NOT NULL,
  year int NOT NULL,
  quarter int NOT NULL COMMENT '1 to 4',
  month int NOT NULL COMMENT '1 to 12',
  month_name varchar(10) NOT NULL,
  weekday varchar(10) NOT NULL COMMENT 'Monday to Sunday',
  PRIMARY KEY (date_key)
) COMMENT='calendar';

CREATE TABLE dim_customer (
  customer_key int NOT NULL,
  customer_name varchar(60) NOT NULL,
  industry varchar(20) NOT NULL,
  city varchar(30) NOT NULL,
  segment varchar(10) NOT NULL,
  customer_since date NOT NULL,
  PRIMARY KEY (customer_key)
);

CREATE TABLE dim_vehicle (
  vehicle_key int NOT NULL,
  plate varchar(10) NOT NULL,
  customer_key int NOT NULL COMMENT 'owner',
  make varchar(20) NOT NULL,
  vehicle_type varchar(12) NOT NULL,
  fuel varchar(10),
  first_registered date NOT NULL,
  scrapped_on date,
  PRIMARY KEY (vehicle_key),
  FOREIGN KEY (customer_key) REFERENCES dim_customer (customer_key)
);

CREATE TABLE dim_garage (
  garage_key int NOT NULL,
  garage_name varchar(30) NOT NULL,
  region varchar(12) NOT NULL,
  bays int NOT NULL,
  PRIMARY KEY (garage_key)
);

CREATE TABLE dim_mechanic (
  mechanic_key int NOT NULL,
  mechanic_name varchar(60) NOT NULL,
  grade varchar(12) NOT NULL,
  garage_key int NOT NULL,
  hired_on date NOT NULL,
  left_on date,
  hourly_cost decimal(6,2) NOT NULL,
  PRIMARY KEY (mechanic_key),
  FOREIGN KEY (garage_key) REFERENCES dim_garage (garage_key)
);

CREATE TABLE dim_job_type (
  job_type_key int NOT NULL,
  job_type varchar(30) NOT NULL,
  job_group varchar(12) NOT NULL,
  standard_hours decimal(4,1) NOT NULL,
  PRIMARY KEY (job_type_key)
);

CREATE TABLE dim_part (
  part_key int NOT NULL,
  part_name varchar(40) NOT NULL,
  part_group varchar(15) NOT NULL,
  supplier varchar(20) NOT NULL,
  list_price decimal(8,2) NOT NULL,
  discontinued tinyint(1) NOT NULL COMMENT '1 no longer sold',
  PRIMARY KEY (part_key)
);

CREATE TABLE fact_repair (
  repair_key int NOT NULL,
  date_key int NOT NULL COMMENT 'day of acceptance',
  vehicle_key int NOT NULL,
  garage_key int NOT NULL,
  mechanic_key int NOT NULL,
  job_type_key int NOT NULL,
  labour_hours decimal(5,1) NOT NULL,
  labour_amount decimal(9,2) NOT NULL COMMENT 'pounds',
  parts_amount decimal(9,2) COMMENT 'pounds, NULL: no parts',
  downtime_days int NOT NULL,
  is_warranty tinyint(1) NOT NULL COMMENT '1 under warranty',
  customer_rating int COMMENT '1 to 5, NULL: not rated',
  PRIMARY KEY (repair_key),
  FOREIGN KEY (date_key) REFERENCES dim_date (date_key),
  FOREIGN KEY (vehicle_key) REFERENCES dim_vehicle (vehicle_key),
  FOREIGN KEY (garage_key) REFERENCES dim_garage (garage_key),
  FOREIGN KEY (mechanic_key) REFERENCES dim_mechanic (mechanic_key),
  FOREIGN KEY (job_type_key) REFERENCES dim_job_type (job_type_key)
) COMMENT='one row per repair';

CREATE TABLE fact_part_use (
  repair_key int NOT NULL,
  part_key int NOT NULL,
  quantity int NOT NULL,
  unit_cost decimal(8,2) NOT NULL COMMENT 'what we paid',
  unit_price decimal(8,2) NOT NULL COMMENT 'what the customer paid',
  PRIMARY KEY (repair_key, part_key),
  FOREIGN KEY (repair_key) REFERENCES fact_repair (repair_key),
  FOREIGN KEY (part_key) REFERENCES dim_part (part_key)
) COMMENT='parts built in';

CREATE TABLE fact_inspection (
  inspection_key int NOT NULL,
  date_key int NOT NULL,
  vehicle_key int NOT NULL,
  mechanic_key int NOT NULL,
  result varchar(15) NOT NULL,
  odometer_km int NOT NULL,
  defects int NOT NULL,
  PRIMARY KEY (inspection_key),
  FOREIGN KEY (date_key) REFERENCES dim_date (date_key),
  FOREIGN KEY (vehicle_key) REFERENCES dim_vehicle (vehicle_key),
  FOREIGN KEY (mechanic_key) REFERENCES dim_mechanic (mechanic_key)
);

