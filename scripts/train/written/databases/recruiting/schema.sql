CREATE TABLE companies (
  id int NOT NULL,
  name varchar(60) NOT NULL,
  industry varchar(30) NOT NULL,
  employees int NOT NULL,
  country varchar(30) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE jobs (
  id int NOT NULL,
  company_id int NOT NULL,
  title varchar(60) NOT NULL,
  salary_min int NOT NULL,
  salary_max int NOT NULL,
  remote tinyint(1) NOT NULL,
  posted_on date NOT NULL,
  filled_on date,
  contract varchar(12) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (company_id) REFERENCES companies (id)
);

CREATE TABLE candidates (
  id int NOT NULL,
  first_name varchar(30) NOT NULL,
  last_name varchar(30) NOT NULL,
  born_on date NOT NULL,
  city varchar(30) NOT NULL,
  years_experience int NOT NULL,
  referred_by int,
  PRIMARY KEY (id),
  FOREIGN KEY (referred_by) REFERENCES candidates (id)
);

CREATE TABLE skills (
  id int NOT NULL,
  name varchar(30) NOT NULL,
  area varchar(12) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE candidate_skills (
  candidate_id int NOT NULL,
  skill_id int NOT NULL,
  level int NOT NULL,
  PRIMARY KEY (candidate_id, skill_id),
  FOREIGN KEY (candidate_id) REFERENCES candidates (id),
  FOREIGN KEY (skill_id) REFERENCES skills (id)
);

CREATE TABLE applications (
  id int NOT NULL,
  job_id int NOT NULL,
  candidate_id int NOT NULL,
  applied_on date NOT NULL,
  status varchar(12) NOT NULL,
  expected_salary int,
  PRIMARY KEY (id),
  FOREIGN KEY (job_id) REFERENCES jobs (id),
  FOREIGN KEY (candidate_id) REFERENCES candidates (id)
);

CREATE TABLE interviews (
  id int NOT NULL,
  application_id int NOT NULL,
  held_at datetime NOT NULL,
  kind varchar(10) NOT NULL,
  score int,
  PRIMARY KEY (id),
  FOREIGN KEY (application_id) REFERENCES applications (id)
);

