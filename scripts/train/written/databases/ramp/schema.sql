CREATE TABLE airline (
  al_code char(2) NOT NULL,
  al_name varchar(30) NOT NULL,
  alliance varchar(15) COMMENT 'NULL: in none',
  contract_end date COMMENT 'handling contract ends; NULL: open-ended',
  fee_eur decimal(7,2) NOT NULL COMMENT 'agreed fee per turnaround',
  PRIMARY KEY (al_code)
);

CREATE TABLE gate (
  gate_no char(3) NOT NULL,
  pier char(1) NOT NULL,
  boarding char(1) NOT NULL COMMENT 'J jet bridge, W walk-out, B bus',
  seats int NOT NULL COMMENT 'seats in the waiting area',
  PRIMARY KEY (gate_no)
);

CREATE TABLE stand (
  stand_no varchar(4) NOT NULL,
  gate_no char(3) COMMENT 'NULL: remote stand',
  max_span_cm int NOT NULL COMMENT 'largest wingspan allowed, in cm',
  gpu char(1) NOT NULL COMMENT 'fixed ground power Y/N',
  PRIMARY KEY (stand_no),
  FOREIGN KEY (gate_no) REFERENCES gate (gate_no)
);

CREATE TABLE crew (
  crew_id int NOT NULL,
  crew_nm varchar(20) NOT NULL,
  lead_first varchar(20) NOT NULL,
  lead_last varchar(20) NOT NULL,
  shift char(1) NOT NULL COMMENT 'E early, L late, N night',
  headcount int NOT NULL COMMENT 'people in the crew',
  ext_firm varchar(20) COMMENT 'NULL: our own people',
  PRIMARY KEY (crew_id)
);

CREATE TABLE delay_code (
  code char(2) NOT NULL,
  alpha char(2) NOT NULL COMMENT 'two-letter form',
  meaning varchar(30) NOT NULL,
  grp char(1) NOT NULL COMMENT 'P passengers and baggage, C cargo, H aircraft handling, T technical, F flight crew, W weather, R air traffic and reactionary',
  ours char(1) NOT NULL COMMENT 'Y we are to blame, N not',
  PRIMARY KEY (code)
);

CREATE TABLE flight (
  flt_id int NOT NULL,
  al_code char(2) NOT NULL,
  flt_no smallint NOT NULL COMMENT 'without the airline code',
  leg char(1) NOT NULL COMMENT 'A arrival, D departure',
  town varchar(20) NOT NULL COMMENT 'coming from (arrival) or going to (departure)',
  stand_no varchar(4) NOT NULL,
  gate_no char(3) COMMENT 'NULL: not assigned',
  sched_at datetime NOT NULL COMMENT 'scheduled on or off stand',
  act_at datetime COMMENT 'actual on or off stand, NULL: cancelled',
  pax int COMMENT 'passengers on board',
  st char(1) NOT NULL COMMENT 'O operated, X cancelled, V diverted in from elsewhere',
  inbound_id int COMMENT 'departures: flight that brought the aircraft',
  ac_type char(4) NOT NULL,
  PRIMARY KEY (flt_id),
  FOREIGN KEY (al_code) REFERENCES airline (al_code),
  FOREIGN KEY (stand_no) REFERENCES stand (stand_no),
  FOREIGN KEY (gate_no) REFERENCES gate (gate_no),
  FOREIGN KEY (inbound_id) REFERENCES flight (flt_id)
);

CREATE TABLE flight_delay (
  flt_id int NOT NULL,
  seq tinyint NOT NULL COMMENT '1 main reason, 2 second reason',
  code char(2) NOT NULL,
  mins int NOT NULL COMMENT 'minutes put down to this reason',
  PRIMARY KEY (flt_id, seq),
  FOREIGN KEY (flt_id) REFERENCES flight (flt_id),
  FOREIGN KEY (code) REFERENCES delay_code (code)
) COMMENT='reasons why a flight was late';

CREATE TABLE task (
  task_id int NOT NULL,
  flt_id int NOT NULL,
  kind char(2) NOT NULL COMMENT 'UL unloading, LD loading, CL cleaning, WC water and toilets, BG baggage to belt, MS meals, FU fuelling, CT catering, PB pushback, DI de-icing',
  crew_id int COMMENT 'NULL: nobody assigned',
  plan_from datetime NOT NULL,
  plan_to datetime NOT NULL,
  act_from datetime COMMENT 'NULL: not done',
  act_to datetime,
  PRIMARY KEY (task_id),
  FOREIGN KEY (flt_id) REFERENCES flight (flt_id),
  FOREIGN KEY (crew_id) REFERENCES crew (crew_id)
) COMMENT='jobs on the ramp';

CREATE TABLE bag (
  tag int NOT NULL,
  flt_id int NOT NULL COMMENT 'flight it came or left with',
  onward_id int COMMENT 'flt_id of the connecting flight, NULL: none',
  wt_hg int NOT NULL COMMENT 'weight in units of 100 g',
  kind char(1) NOT NULL COMMENT 'N normal, S sports gear, B bulky, G gate-checked, T fragile',
  fate char(1) NOT NULL COMMENT 'D delivered, M missed the flight, R rushed on later, X damaged',
  paid_eur int COMMENT 'compensation paid',
  PRIMARY KEY (tag),
  FOREIGN KEY (flt_id) REFERENCES flight (flt_id),
  FOREIGN KEY (onward_id) REFERENCES flight (flt_id)
);

