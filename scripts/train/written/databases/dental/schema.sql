CREATE TABLE practices (
  id int NOT NULL,
  name varchar(60) NOT NULL,
  city varchar(40) NOT NULL,
  street varchar(60) NOT NULL,
  phone varchar(20),
  opened_on date NOT NULL,
  treatment_rooms int NOT NULL,
  monthly_rent decimal(9,2) COMMENT 'NULL: the house is our own',
  open_saturdays tinyint(1) NOT NULL COMMENT '1 open on Saturday mornings, 0 closed',
  PRIMARY KEY (id)
);

CREATE TABLE clinicians (
  id int NOT NULL,
  title varchar(10),
  first_name varchar(30) NOT NULL,
  last_name varchar(40) NOT NULL,
  role char(1) NOT NULL COMMENT 'D dentist, H hygienist, O orthodontist, S oral surgeon',
  practice_id int NOT NULL,
  supervisor_id int,
  hired_on date NOT NULL,
  left_on date COMMENT 'NULL: still works here',
  hours_per_week int NOT NULL,
  monthly_salary decimal(9,2) NOT NULL COMMENT 'before tax',
  PRIMARY KEY (id),
  FOREIGN KEY (practice_id) REFERENCES practices (id),
  FOREIGN KEY (supervisor_id) REFERENCES clinicians (id)
) COMMENT='dentists and hygienists';

CREATE TABLE insurers (
  id int NOT NULL,
  name varchar(60) NOT NULL,
  kind char(3) NOT NULL COMMENT 'PUB public, PRI private, COR company scheme',
  phone varchar(20),
  cover_percent int NOT NULL COMMENT 'share of a bill it usually pays',
  contract_until date COMMENT 'NULL: no end agreed',
  PRIMARY KEY (id)
);

CREATE TABLE patients (
  id int NOT NULL,
  first_name varchar(30) NOT NULL,
  last_name varchar(40) NOT NULL,
  date_of_birth date NOT NULL,
  city varchar(40) NOT NULL,
  phone varchar(20),
  email varchar(80),
  practice_id int NOT NULL,
  dentist_id int COMMENT 'usual dentist',
  insurer_id int COMMENT 'NULL: pays everything',
  referred_by int COMMENT 'patient who sent them to us',
  registered_on date NOT NULL,
  deactivated_on date COMMENT 'NULL: still a patient',
  anxious tinyint(1) NOT NULL COMMENT '1 afraid of the dentist',
  PRIMARY KEY (id),
  FOREIGN KEY (practice_id) REFERENCES practices (id),
  FOREIGN KEY (dentist_id) REFERENCES clinicians (id),
  FOREIGN KEY (insurer_id) REFERENCES insurers (id),
  FOREIGN KEY (referred_by) REFERENCES patients (id)
);

CREATE TABLE allergies (
  id int NOT NULL,
  name varchar(40) NOT NULL,
  risk char(1) NOT NULL COMMENT 'H high, M medium, L low',
  PRIMARY KEY (id)
);

CREATE TABLE patient_allergies (
  patient_id int NOT NULL,
  allergy_id int NOT NULL,
  noted_on date,
  PRIMARY KEY (patient_id, allergy_id),
  FOREIGN KEY (patient_id) REFERENCES patients (id),
  FOREIGN KEY (allergy_id) REFERENCES allergies (id)
) COMMENT='which patient is allergic to what';

CREATE TABLE treatments (
  id int NOT NULL,
  code char(3) NOT NULL,
  name varchar(60) NOT NULL,
  category char(1) NOT NULL COMMENT 'E examination, H hygiene, F filling, N root canal, S surgery, P crowns and dentures, C cosmetic, O orthodontics',
  minutes int,
  price decimal(8,2) COMMENT 'NULL: depends',
  needs_anaesthetic tinyint(1) NOT NULL COMMENT '1 with an injection',
  PRIMARY KEY (id)
) COMMENT='our price list';

CREATE TABLE appointments (
  id int NOT NULL,
  patient_id int NOT NULL,
  clinician_id int NOT NULL,
  starts_at datetime NOT NULL,
  minutes int NOT NULL,
  status varchar(10) NOT NULL COMMENT 'booked, done, cancelled, no_show: patient did not come',
  reason varchar(30) COMMENT 'what the patient said',
  booked_on date NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (patient_id) REFERENCES patients (id),
  FOREIGN KEY (clinician_id) REFERENCES clinicians (id)
);

CREATE TABLE invoices (
  id int NOT NULL,
  appointment_id int NOT NULL,
  patient_id int NOT NULL,
  issued_on date NOT NULL,
  due_on date NOT NULL,
  paid_on date COMMENT 'NULL: not paid yet',
  payment_method varchar(10),
  reminders int NOT NULL COMMENT 'reminders sent so far',
  PRIMARY KEY (id),
  FOREIGN KEY (appointment_id) REFERENCES appointments (id),
  FOREIGN KEY (patient_id) REFERENCES patients (id)
);

CREATE TABLE invoice_items (
  id int NOT NULL,
  invoice_id int NOT NULL,
  treatment_id int NOT NULL,
  tooth int COMMENT 'two digits, first one the quarter of the mouth',
  quantity int NOT NULL,
  unit_price decimal(8,2) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (invoice_id) REFERENCES invoices (id),
  FOREIGN KEY (treatment_id) REFERENCES treatments (id)
);

CREATE TABLE recalls (
  id int NOT NULL,
  patient_id int NOT NULL,
  due_on date NOT NULL,
  kind char(1) NOT NULL COMMENT 'C check-up, H hygiene, X x-ray, B brace',
  channel varchar(10) NOT NULL,
  sent_on date COMMENT 'NULL: not sent yet',
  answered_on date COMMENT 'NULL: patient has not answered',
  PRIMARY KEY (id),
  FOREIGN KEY (patient_id) REFERENCES patients (id)
) COMMENT='reminders to come back';

CREATE TABLE xrays (
  id int NOT NULL,
  appointment_id int NOT NULL,
  kind char(1) NOT NULL COMMENT 'B bitewing, P panoramic, T three-dimensional scan, F full mouth series',
  tooth int,
  dose_usv decimal(5,1) NOT NULL COMMENT 'radiation dose in microsieverts',
  finding varchar(40) COMMENT 'NULL: not looked at yet',
  read_by int COMMENT 'NULL: not looked at yet',
  PRIMARY KEY (id),
  FOREIGN KEY (appointment_id) REFERENCES appointments (id),
  FOREIGN KEY (read_by) REFERENCES clinicians (id)
);

