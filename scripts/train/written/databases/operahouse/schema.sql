CREATE TABLE productions (
  production_id int NOT NULL,
  title varchar(40) NOT NULL,
  composer varchar(30) NOT NULL,
  sung_in char(2) NOT NULL COMMENT 'it Italian, de German, fr French, en English, cs Czech',
  premiere_on date NOT NULL COMMENT 'first night in our house',
  run_min int NOT NULL COMMENT 'minutes without intervals',
  intervals tinyint NOT NULL,
  status char(1) NOT NULL COMMENT 'R in repertoire, P in preparation, W withdrawn',
  budget_k int COMMENT 'budget in thousand EUR',
  PRIMARY KEY (production_id)
);

CREATE TABLE performances (
  performance_id int NOT NULL,
  production_id int NOT NULL,
  starts_at datetime NOT NULL,
  hall char(1) NOT NULL COMMENT 'G great hall, S studio, O open-air stage',
  cancelled char(1) NOT NULL COMMENT 'Y cancelled, N not',
  PRIMARY KEY (performance_id),
  FOREIGN KEY (production_id) REFERENCES productions (production_id)
);

CREATE TABLE singers (
  singer_id int NOT NULL,
  first_name varchar(20) NOT NULL,
  last_name varchar(20) NOT NULL,
  voice char(1) NOT NULL COMMENT 'S soprano, M mezzo, T tenor, B baritone, X bass',
  country varchar(20) NOT NULL,
  evening_fee int COMMENT 'EUR an evening; NULL: member of the ensemble on salary',
  joined_on date NOT NULL,
  left_on date COMMENT 'NULL: still with us',
  PRIMARY KEY (singer_id)
);

CREATE TABLE roles (
  role_id int NOT NULL,
  production_id int NOT NULL,
  role_name varchar(30) NOT NULL,
  singer_id int NOT NULL COMMENT 'who sings the role',
  understudy_id int COMMENT 'singer who steps in; NULL: no understudy',
  is_lead tinyint NOT NULL COMMENT '1 leading role, 0 supporting',
  PRIMARY KEY (role_id),
  FOREIGN KEY (production_id) REFERENCES productions (production_id),
  FOREIGN KEY (singer_id) REFERENCES singers (singer_id),
  FOREIGN KEY (understudy_id) REFERENCES singers (singer_id)
);

CREATE TABLE seat_categories (
  category_id int NOT NULL,
  name varchar(20) NOT NULL,
  price decimal(6,2) NOT NULL,
  seats int NOT NULL COMMENT 'number of seats in the house',
  step_free tinyint NOT NULL COMMENT '1 reachable without steps',
  PRIMARY KEY (category_id)
);

CREATE TABLE subscribers (
  subscriber_id int NOT NULL,
  first_name varchar(20) NOT NULL,
  last_name varchar(20) NOT NULL,
  city varchar(20) NOT NULL,
  since date NOT NULL,
  ended_on date COMMENT 'NULL: still subscribing',
  email varchar(40),
  PRIMARY KEY (subscriber_id)
);

CREATE TABLE bookings (
  booking_id int NOT NULL,
  performance_id int NOT NULL,
  category_id int NOT NULL,
  subscriber_id int COMMENT 'NULL: booked by somebody without a subscription',
  tickets int NOT NULL,
  booked_on date NOT NULL,
  paid_on date COMMENT 'NULL: not paid yet',
  channel char(1) NOT NULL COMMENT 'W web, P phone, D box office desk',
  PRIMARY KEY (booking_id),
  FOREIGN KEY (performance_id) REFERENCES performances (performance_id),
  FOREIGN KEY (category_id) REFERENCES seat_categories (category_id),
  FOREIGN KEY (subscriber_id) REFERENCES subscribers (subscriber_id)
);

