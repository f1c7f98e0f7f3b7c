CREATE TABLE region (
  region_code varchar(6) NOT NULL,
  name varchar(30) NOT NULL,
  level char(1) NOT NULL COMMENT 'C country, P province, D district',
  parent_code varchar(6) COMMENT 'region it lies in',
  area_ha int NOT NULL COMMENT 'hectares',
  seat_town varchar(20) COMMENT 'town of the administration',
  coastal tinyint(1) NOT NULL COMMENT '1 has a coast',
  PRIMARY KEY (region_code),
  FOREIGN KEY (parent_code) REFERENCES region (region_code)
);

CREATE TABLE indicator (
  ind_code varchar(8) NOT NULL,
  label varchar(40) NOT NULL,
  unit varchar(12) NOT NULL,
  topic char(1) NOT NULL COMMENT 'D demography, L labour and income, H housing, E environment',
  good_dir char(1) NOT NULL COMMENT 'U higher is better, D lower is better, N neither',
  plaus_min decimal(8,2) NOT NULL,
  plaus_max decimal(8,2) NOT NULL,
  PRIMARY KEY (ind_code)
) COMMENT='explains the codes of observation';

CREATE TABLE observation (
  region_code varchar(6) NOT NULL,
  year smallint NOT NULL,
  ind_code varchar(8) NOT NULL,
  value decimal(10,2) COMMENT 'in the unit of the indicator, NULL: not published',
  status char(1) NOT NULL COMMENT 'F final, P provisional, E estimated',
  revised_on date COMMENT 'NULL: never revised',
  PRIMARY KEY (region_code, year, ind_code),
  FOREIGN KEY (region_code) REFERENCES region (region_code),
  FOREIGN KEY (ind_code) REFERENCES indicator (ind_code)
) COMMENT='one value per region, year and indicator';

CREATE TABLE interviewer (
  interviewer_id int NOT NULL,
  first_name varchar(20) NOT NULL,
  last_name varchar(20) NOT NULL,
  home_region varchar(6) NOT NULL COMMENT 'district they live in',
  coach_id int COMMENT 'experienced interviewer who coaches this one',
  hired_on date NOT NULL,
  left_on date COMMENT 'NULL: still active',
  fee_ct int NOT NULL COMMENT 'fee per completed interview, in cents',
  languages tinyint NOT NULL COMMENT 'how many languages they interview in',
  PRIMARY KEY (interviewer_id),
  FOREIGN KEY (home_region) REFERENCES region (region_code),
  FOREIGN KEY (coach_id) REFERENCES interviewer (interviewer_id)
);

CREATE TABLE survey (
  survey_id int NOT NULL,
  title varchar(50) NOT NULL,
  method char(1) NOT NULL COMMENT 'F face to face, P phone, O online, M by mail',
  starts_on date NOT NULL,
  ends_on date COMMENT 'NULL: still in the field',
  target_n int NOT NULL COMMENT 'interviews wanted',
  head_id int COMMENT 'interviewer in charge, NULL: run by the office',
  cost_k int COMMENT 'cost in thousand EUR, NULL: not settled',
  PRIMARY KEY (survey_id),
  FOREIGN KEY (head_id) REFERENCES interviewer (interviewer_id)
);

CREATE TABLE household (
  hh_id int NOT NULL,
  region_code varchar(6) NOT NULL COMMENT 'district',
  adults int NOT NULL COMMENT 'persons of 18 and over',
  children int NOT NULL COMMENT 'persons under 18',
  dwelling char(1) NOT NULL COMMENT 'H house, F flat, M mobile home',
  owner char(1) NOT NULL COMMENT 'Y owns the home, N rents',
  rooms int NOT NULL,
  net_month int COMMENT 'EUR a month, NULL: not told',
  moved_in date NOT NULL,
  PRIMARY KEY (hh_id),
  FOREIGN KEY (region_code) REFERENCES region (region_code)
);

CREATE TABLE interview (
  survey_id int NOT NULL,
  hh_id int NOT NULL,
  interviewer_id int COMMENT 'NULL: online or by mail, nobody asked',
  invited_on date NOT NULL COMMENT 'day the letter went out',
  done_on date NOT NULL COMMENT 'day of the interview or the last attempt',
  result char(1) NOT NULL COMMENT 'C complete, P partial, R refused, N nobody reached',
  minutes int COMMENT 'length in minutes',
  attempts int NOT NULL COMMENT 'calls or visits needed',
  PRIMARY KEY (survey_id, hh_id),
  FOREIGN KEY (survey_id) REFERENCES survey (survey_id),
  FOREIGN KEY (hh_id) REFERENCES household (hh_id),
  FOREIGN KEY (interviewer_id) REFERENCES interviewer (interviewer_id)
) COMMENT='one attempt to ask a household for a survey';

