CREATE TABLE ur_dept (
  dept_code char(3) NOT NULL,
  dept_name varchar(40) NOT NULL,
  faculty_cd char(1) NOT NULL COMMENT 'S sciences, H humanities and social sciences, E engineering',
  seat varchar(30) NOT NULL,
  founded_on date NOT NULL,
  budget int COMMENT 'dollars a year, NULL: paid by the faculty',
  PRIMARY KEY (dept_code)
);

CREATE TABLE ur_prog (
  prog_code char(5) NOT NULL,
  prog_name varchar(50) NOT NULL,
  dept_code char(3) NOT NULL,
  level_cd char(1) NOT NULL COMMENT 'B bachelor, M master, P doctorate, C certificate',
  req_qpts int NOT NULL COMMENT 'quarter points needed to graduate, 480 are 120 credits',
  valid_from date NOT NULL,
  valid_to date COMMENT 'NULL: still open',
  PRIMARY KEY (prog_code),
  FOREIGN KEY (dept_code) REFERENCES ur_dept (dept_code)
);

CREATE TABLE ur_room (
  building char(3) NOT NULL COMMENT 'MAR Marsh Hall, TUR Turing Building, OLD Old Library, FOU Foundry, GYM gymnasium (exams)',
  room_no varchar(4) NOT NULL,
  kind_cd char(1) NOT NULL COMMENT 'L lecture hall, S seminar room, B laboratory, C computer room',
  seats int NOT NULL,
  step_free char(1) COMMENT 'Y step-free, N not, NULL not surveyed',
  PRIMARY KEY (building, room_no)
);

CREATE TABLE ur_instr (
  instr_id int NOT NULL,
  first_name varchar(30) NOT NULL,
  last_name varchar(30) NOT NULL,
  dept_code char(3) NOT NULL,
  rank_cd char(1) NOT NULL COMMENT 'P professor, A associate professor, L lecturer, T teaching assistant',
  hired_on date NOT NULL,
  left_on date COMMENT 'NULL: still employed',
  chair_since date COMMENT 'heads the department since, NULL: does not',
  office varchar(6) COMMENT 'NULL: no office yet',
  PRIMARY KEY (instr_id),
  FOREIGN KEY (dept_code) REFERENCES ur_dept (dept_code)
) COMMENT='who teaches';

CREATE TABLE ur_term (
  term char(5) NOT NULL COMMENT 'year and F fall, S spring, U summer',
  term_name varchar(12) NOT NULL,
  starts_on date NOT NULL,
  ends_on date NOT NULL,
  grades_due date COMMENT 'last day to hand in grades',
  PRIMARY KEY (term)
);

CREATE TABLE ur_course (
  course_id char(6) NOT NULL,
  title varchar(50) NOT NULL,
  dept_code char(3) NOT NULL,
  qpts int NOT NULL COMMENT 'credits in quarter points, 14 are 3.5 credits',
  lvl int NOT NULL COMMENT '100 first year to 400 last year',
  assessed_by varchar(10) COMMENT 'NULL: not decided',
  retired_on date COMMENT 'taken out of the catalogue, NULL: still in',
  PRIMARY KEY (course_id),
  FOREIGN KEY (dept_code) REFERENCES ur_dept (dept_code)
) COMMENT='the catalogue';

CREATE TABLE ur_prereq (
  course_id char(6) NOT NULL,
  needs_id char(6) NOT NULL COMMENT 'the course needed',
  kind_cd char(1) NOT NULL COMMENT 'P passed before, C taken before or together, R only recommended',
  min_pt decimal(2,1) COMMENT 'grade points needed, NULL: any pass',
  PRIMARY KEY (course_id, needs_id),
  FOREIGN KEY (course_id) REFERENCES ur_course (course_id),
  FOREIGN KEY (needs_id) REFERENCES ur_course (course_id)
) COMMENT='what a course needs';

CREATE TABLE ur_student (
  stud_id int NOT NULL,
  first_name varchar(30) NOT NULL,
  last_name varchar(30) NOT NULL,
  born_on date NOT NULL,
  prog_code char(5) NOT NULL,
  admit_term char(5) NOT NULL,
  advisor_id int COMMENT 'NULL: no advisor',
  left_on date COMMENT 'NULL: still a student',
  exit_cd char(1) COMMENT 'G graduated, X dropped out, T transferred, NULL still a student',
  fee_cd char(1) NOT NULL COMMENT 'D home fee, E reduced fee, I international fee',
  email varchar(50),
  PRIMARY KEY (stud_id),
  FOREIGN KEY (prog_code) REFERENCES ur_prog (prog_code),
  FOREIGN KEY (admit_term) REFERENCES ur_term (term),
  FOREIGN KEY (advisor_id) REFERENCES ur_instr (instr_id)
);

CREATE TABLE ur_addr_hist (
  stud_id int NOT NULL,
  valid_from date NOT NULL,
  valid_to date COMMENT 'last day, NULL: until further notice',
  street varchar(40) NOT NULL,
  city varchar(20) NOT NULL,
  kind_cd char(1) NOT NULL COMMENT 'H hall of residence, P private, F with the family',
  PRIMARY KEY (stud_id, valid_from),
  FOREIGN KEY (stud_id) REFERENCES ur_student (stud_id)
) COMMENT='where students lived and live';

CREATE TABLE ur_section (
  course_id char(6) NOT NULL,
  term char(5) NOT NULL,
  section_no int NOT NULL COMMENT '1, 2, ... within course and term',
  instr_id int COMMENT 'NULL: to be named',
  building char(3) COMMENT 'NULL: no room, online',
  room_no varchar(4),
  days varchar(4) NOT NULL COMMENT 'M Monday, T Tuesday, W Wednesday, Th Thursday, F Friday',
  starts_at char(5) NOT NULL,
  cap int NOT NULL COMMENT 'places',
  mode_cd char(1) NOT NULL COMMENT 'P on campus, O online, H half and half',
  cancelled_on date COMMENT 'NULL: not cancelled',
  PRIMARY KEY (course_id, term, section_no),
  FOREIGN KEY (course_id) REFERENCES ur_course (course_id),
  FOREIGN KEY (term) REFERENCES ur_term (term),
  FOREIGN KEY (instr_id) REFERENCES ur_instr (instr_id),
  FOREIGN KEY (building, room_no) REFERENCES ur_room (building, room_no)
) COMMENT='courses offered in a term';

CREATE TABLE ur_enrol (
  stud_id int NOT NULL,
  course_id char(6) NOT NULL,
  term char(5) NOT NULL,
  section_no int NOT NULL,
  enrolled_on date NOT NULL,
  status_cd char(1) NOT NULL COMMENT 'E running, C completed, W withdrawn, A audit without a grade, I incomplete, grade to come',
  grade_pt decimal(2,1) COMMENT '4.0 best, 1.0 just passed, 0.0 failed, NULL no grade',
  PRIMARY KEY (stud_id, course_id, term, section_no),
  FOREIGN KEY (stud_id) REFERENCES ur_student (stud_id),
  FOREIGN KEY (course_id, term, section_no) REFERENCES ur_section (course_id, term, section_no)
) COMMENT='who takes which section';

CREATE TABLE ur_hold (
  hold_no int NOT NULL,
  stud_id int NOT NULL,
  hold_cd char(1) NOT NULL COMMENT 'F unpaid fees, L library, A advising, R missing records',
  valid_from date NOT NULL,
  valid_to date COMMENT 'last day, NULL: still in force',
  owed decimal(8,2) COMMENT 'dollars, NULL: nothing to pay',
  placed_by int COMMENT 'NULL: placed by the registry',
  PRIMARY KEY (hold_no),
  FOREIGN KEY (stud_id) REFERENCES ur_student (stud_id),
  FOREIGN KEY (placed_by) REFERENCES ur_instr (instr_id)
) COMMENT='what keeps students from enrolling';

