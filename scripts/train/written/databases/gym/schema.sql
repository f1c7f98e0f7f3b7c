CREATE TABLE plans (
  plan_id int NOT NULL,
  plan_name varchar(30) NOT NULL,
  monthly_fee decimal(6,2) NOT NULL,
  min_months int NOT NULL,
  PRIMARY KEY (plan_id)
);

CREATE TABLE members (
  member_id int NOT NULL,
  first_name varchar(30) NOT NULL,
  last_name varchar(30) NOT NULL,
  gender char(1) NOT NULL COMMENT 'f female, m male, d diverse',
  birth_date date NOT NULL,
  joined_on date NOT NULL,
  left_on date,
  plan_id int NOT NULL,
  town varchar(40) NOT NULL,
  height_cm int NOT NULL,
  weight_kg decimal(5,1),
  PRIMARY KEY (member_id),
  FOREIGN KEY (plan_id) REFERENCES plans (plan_id)
);

CREATE TABLE trainers (
  trainer_id int NOT NULL,
  trainer_name varchar(50) NOT NULL,
  hired_on date NOT NULL,
  hourly_pay decimal(6,2) NOT NULL,
  mentor_id int,
  PRIMARY KEY (trainer_id),
  FOREIGN KEY (mentor_id) REFERENCES trainers (trainer_id)
);

CREATE TABLE courses (
  course_id int NOT NULL,
  title varchar(40) NOT NULL,
  level varchar(12) NOT NULL COMMENT 'B beginners, M intermediates, A advanced members',
  trainer_id int NOT NULL,
  max_places int NOT NULL,
  room varchar(10) NOT NULL,
  PRIMARY KEY (course_id),
  FOREIGN KEY (trainer_id) REFERENCES trainers (trainer_id)
);

CREATE TABLE bookings (
  booking_id int NOT NULL,
  member_id int NOT NULL,
  course_id int NOT NULL,
  booked_at datetime NOT NULL,
  attended tinyint NOT NULL COMMENT '1 attended, 0 missed',
  fee decimal(5,2),
  PRIMARY KEY (booking_id),
  FOREIGN KEY (member_id) REFERENCES members (member_id),
  FOREIGN KEY (course_id) REFERENCES courses (course_id)
);

CREATE TABLE payments (
  payment_id int NOT NULL,
  member_id int NOT NULL,
  paid_on date NOT NULL,
  amount decimal(8,2) NOT NULL,
  method varchar(10) NOT NULL,
  PRIMARY KEY (payment_id),
  FOREIGN KEY (member_id) REFERENCES members (member_id)
);

