CREATE TABLE school_year (
  school_year CHAR(7) NOT NULL COMMENT 'e.g. 2023/24',
  starts_on DATE NOT NULL,
  ends_on DATE NOT NULL,
  PRIMARY KEY (school_year)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE term (
  school_year CHAR(7) NOT NULL,
  term_no TINYINT NOT NULL COMMENT '1 autumn, 2 spring, 3 summer',
  starts_on DATE NOT NULL,
  ends_on DATE NOT NULL,
  PRIMARY KEY (school_year, term_no),
  CONSTRAINT fk_term_year FOREIGN KEY (school_year) REFERENCES school_year (school_year)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE subject (
  subject_code CHAR(3) NOT NULL,
  subject_name VARCHAR(40) NOT NULL,
  is_core TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 taught to every year group',
  PRIMARY KEY (subject_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE room (
  room_no VARCHAR(5) NOT NULL COMMENT 'block and number',
  kind ENUM('classroom','lab','workshop','gym','hall') NOT NULL,
  seats SMALLINT NULL COMMENT 'NULL where there are none, as in the gym',
  has_projector TINYINT(1) NOT NULL,
  PRIMARY KEY (room_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE teacher (
  teacher_id INT NOT NULL,
  initials CHAR(3) NOT NULL COMMENT 'as on the timetable',
  title VARCHAR(5) NOT NULL,
  first_name VARCHAR(40) NOT NULL,
  last_name VARCHAR(40) NOT NULL,
  main_subject CHAR(3) NOT NULL,
  fte DECIMAL(3,2) NOT NULL COMMENT 'full-time equivalent, 1.00 is full time',
  hired_on DATE NOT NULL,
  left_on DATE NULL,
  PRIMARY KEY (teacher_id),
  UNIQUE KEY uq_teacher_initials (initials),
  CONSTRAINT fk_teacher_subject FOREIGN KEY (main_subject) REFERENCES subject (subject_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE class (
  school_year CHAR(7) NOT NULL,
  class_name VARCHAR(3) NOT NULL COMMENT 'year group and letter, e.g. 9B',
  year_group TINYINT NOT NULL COMMENT '7 to 11',
  tutor_id INT NOT NULL COMMENT 'form tutor',
  home_room VARCHAR(5) NOT NULL,
  PRIMARY KEY (school_year, class_name),
  CONSTRAINT fk_class_year FOREIGN KEY (school_year) REFERENCES school_year (school_year),
  CONSTRAINT fk_class_tutor FOREIGN KEY (tutor_id) REFERENCES teacher (teacher_id),
  CONSTRAINT fk_class_room FOREIGN KEY (home_room) REFERENCES room (room_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Form groups';

CREATE TABLE pupil (
  pupil_id INT NOT NULL,
  first_name VARCHAR(40) NOT NULL,
  last_name VARCHAR(40) NOT NULL,
  birth_date DATE NOT NULL,
  sex CHAR(1) NOT NULL COMMENT 'F, M',
  free_meals TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 entitled to free school meals',
  sen_level CHAR(1) NULL COMMENT 'special educational needs: K support, E education and health plan, NULL none',
  home_language VARCHAR(20) NOT NULL DEFAULT 'English',
  joined_on DATE NOT NULL,
  left_on DATE NULL,
  PRIMARY KEY (pupil_id),
  KEY ix_pupil_name (last_name, first_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE enrolment (
  pupil_id INT NOT NULL,
  school_year CHAR(7) NOT NULL,
  class_name VARCHAR(3) NOT NULL,
  PRIMARY KEY (pupil_id, school_year),
  CONSTRAINT fk_enrolment_pupil FOREIGN KEY (pupil_id) REFERENCES pupil (pupil_id),
  CONSTRAINT fk_enrolment_class FOREIGN KEY (school_year, class_name) REFERENCES class (school_year, class_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Which class a pupil is in, a row a school year';

CREATE TABLE guardian (
  guardian_id INT NOT NULL,
  full_name VARCHAR(80) NOT NULL,
  phone VARCHAR(20) NOT NULL,
  email VARCHAR(80) NULL,
  PRIMARY KEY (guardian_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE pupil_guardian (
  pupil_id INT NOT NULL,
  guardian_id INT NOT NULL,
  relation ENUM('mother','father','grandparent','foster carer','other') NOT NULL,
  emergency TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 may be called in an emergency',
  PRIMARY KEY (pupil_id, guardian_id),
  CONSTRAINT fk_pg_pupil FOREIGN KEY (pupil_id) REFERENCES pupil (pupil_id),
  CONSTRAINT fk_pg_guardian FOREIGN KEY (guardian_id) REFERENCES guardian (guardian_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE lesson (
  school_year CHAR(7) NOT NULL,
  class_name VARCHAR(3) NOT NULL,
  weekday TINYINT NOT NULL COMMENT '1 Monday to 5 Friday',
  period TINYINT NOT NULL COMMENT '1 to 5',
  subject_code CHAR(3) NOT NULL,
  teacher_id INT NOT NULL,
  room_no VARCHAR(5) NOT NULL,
  PRIMARY KEY (school_year, class_name, weekday, period),
  UNIQUE KEY uq_lesson_teacher (school_year, weekday, period, teacher_id),
  UNIQUE KEY uq_lesson_room (school_year, weekday, period, room_no),
  CONSTRAINT fk_lesson_class FOREIGN KEY (school_year, class_name) REFERENCES class (school_year, class_name),
  CONSTRAINT fk_lesson_subject FOREIGN KEY (subject_code) REFERENCES subject (subject_code),
  CONSTRAINT fk_lesson_teacher FOREIGN KEY (teacher_id) REFERENCES teacher (teacher_id),
  CONSTRAINT fk_lesson_room FOREIGN KEY (room_no) REFERENCES room (room_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='The timetable';

CREATE TABLE mark (
  pupil_id INT NOT NULL,
  school_year CHAR(7) NOT NULL,
  term_no TINYINT NOT NULL,
  subject_code CHAR(3) NOT NULL,
  score TINYINT NULL COMMENT 'percent in the end-of-term test; NULL: was absent',
  effort CHAR(1) NOT NULL COMMENT 'A excellent, B good, C inconsistent, D poor',
  PRIMARY KEY (pupil_id, school_year, term_no, subject_code),
  CONSTRAINT fk_mark_pupil FOREIGN KEY (pupil_id) REFERENCES pupil (pupil_id),
  CONSTRAINT fk_mark_term FOREIGN KEY (school_year, term_no) REFERENCES term (school_year, term_no),
  CONSTRAINT fk_mark_subject FOREIGN KEY (subject_code) REFERENCES subject (subject_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE absence (
  pupil_id INT NOT NULL,
  absent_on DATE NOT NULL,
  reason CHAR(1) NOT NULL COMMENT 'I illness, M medical appointment, E exceptional leave, U unauthorised',
  half_day TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (pupil_id, absent_on),
  KEY ix_absence_day (absent_on),
  CONSTRAINT fk_absence_pupil FOREIGN KEY (pupil_id) REFERENCES pupil (pupil_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE club (
  club_id INT NOT NULL,
  club_name VARCHAR(40) NOT NULL,
  weekday TINYINT NOT NULL COMMENT '1 Monday to 5 Friday',
  leader_id INT NOT NULL,
  fee_per_term DECIMAL(5,2) NOT NULL DEFAULT 0.00 COMMENT 'GBP',
  PRIMARY KEY (club_id),
  CONSTRAINT fk_club_leader FOREIGN KEY (leader_id) REFERENCES teacher (teacher_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE club_member (
  club_id INT NOT NULL,
  pupil_id INT NOT NULL,
  joined_on DATE NOT NULL,
  PRIMARY KEY (club_id, pupil_id),
  CONSTRAINT fk_cm_club FOREIGN KEY (club_id) REFERENCES club (club_id),
  CONSTRAINT fk_cm_pupil FOREIGN KEY (pupil_id) REFERENCES pupil (pupil_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
