CREATE TABLE owners (
  owner_id int NOT NULL,
  company varchar(40) NOT NULL,
  country_cd char(2) NOT NULL COMMENT 'ISO country code',
  client_since date NOT NULL,
  pays_on_time char(1) COMMENT 'Y pays on time, N pays late, NULL: too new to tell',
  PRIMARY KEY (owner_id)
) COMMENT='shipping companies we find crews for';

CREATE TABLE ports (
  locode char(5) NOT NULL,
  port_name varchar(30) NOT NULL,
  country varchar(30) NOT NULL,
  piracy_area tinyint(1) NOT NULL COMMENT '1 in a piracy area: double pay',
  PRIMARY KEY (locode)
);

CREATE TABLE vessels (
  imo int NOT NULL COMMENT 'IMO number',
  vessel_name varchar(40) NOT NULL,
  vtype char(1) NOT NULL COMMENT 'B bulk carrier, C container ship, T tanker, R ro-ro ferry, O offshore supply',
  owner_id int NOT NULL,
  flag varchar(20) NOT NULL COMMENT 'flag state',
  built_year int NOT NULL,
  dwt int NOT NULL COMMENT 'deadweight in tons',
  min_crew int NOT NULL COMMENT 'safe manning: fewest people on board',
  sold_on date COMMENT 'NULL: still in our fleet',
  state varchar(10) NOT NULL COMMENT 'active, laid up, dry dock, sold',
  PRIMARY KEY (imo),
  FOREIGN KEY (owner_id) REFERENCES owners (owner_id)
);

CREATE TABLE ranks (
  rank_cd varchar(3) NOT NULL,
  `rank` varchar(30) NOT NULL,
  dept char(1) NOT NULL COMMENT 'D deck, E engine, C catering',
  `order` int NOT NULL COMMENT 'place in crew lists, 1 is the top',
  next_rank varchar(3) COMMENT 'the rank one is promoted to, NULL: no further promotion',
  officer tinyint(1) NOT NULL COMMENT '1 officer, 0 rating',
  base_wage int NOT NULL COMMENT 'USD a month',
  PRIMARY KEY (rank_cd),
  FOREIGN KEY (next_rank) REFERENCES ranks (rank_cd)
);

CREATE TABLE seafarers (
  sf_no int NOT NULL,
  first_name varchar(30) NOT NULL,
  last_name varchar(30) NOT NULL,
  nationality varchar(20) NOT NULL COMMENT 'country',
  born date NOT NULL,
  rank_cd varchar(3) NOT NULL COMMENT 'present rank',
  recruited_by int COMMENT 'seafarer who brought them to us, NULL: came by themselves',
  joined date NOT NULL,
  left_on date COMMENT 'NULL: still on our books',
  blacklisted char(1) NOT NULL COMMENT 'Y no more contracts, N',
  email varchar(60) COMMENT 'NULL: none known',
  PRIMARY KEY (sf_no),
  FOREIGN KEY (rank_cd) REFERENCES ranks (rank_cd),
  FOREIGN KEY (recruited_by) REFERENCES seafarers (sf_no)
);

CREATE TABLE contracts (
  contract_no int NOT NULL,
  sf_no int NOT NULL,
  imo int NOT NULL,
  rank_cd varchar(3) NOT NULL COMMENT 'rank served in, may be lower than the present one',
  sign_on date NOT NULL,
  planned_off date NOT NULL COMMENT 'contract end as agreed',
  sign_off date COMMENT 'NULL: still on board',
  on_port char(5) NOT NULL COMMENT 'where they boarded',
  off_port char(5) COMMENT 'where they left the vessel, NULL: still on board',
  wage int NOT NULL COMMENT 'USD a month',
  end_reason char(1) COMMENT 'F finished, M medical, O own request, D dismissed, NULL: still on board',
  PRIMARY KEY (contract_no),
  FOREIGN KEY (sf_no) REFERENCES seafarers (sf_no),
  FOREIGN KEY (imo) REFERENCES vessels (imo),
  FOREIGN KEY (rank_cd) REFERENCES ranks (rank_cd),
  FOREIGN KEY (on_port) REFERENCES ports (locode),
  FOREIGN KEY (off_port) REFERENCES ports (locode)
) COMMENT='one row per time somebody serves on a vessel';

CREATE TABLE legs (
  leg_no int NOT NULL,
  imo int NOT NULL,
  from_port char(5) NOT NULL,
  to_port char(5) NOT NULL,
  departed datetime NOT NULL,
  arrived datetime COMMENT 'NULL: still at sea',
  cargo_t int COMMENT 'tons, NULL: in ballast, no cargo',
  PRIMARY KEY (leg_no),
  FOREIGN KEY (imo) REFERENCES vessels (imo),
  FOREIGN KEY (from_port) REFERENCES ports (locode),
  FOREIGN KEY (to_port) REFERENCES ports (locode)
) COMMENT='voyages from one port to the next';

CREATE TABLE cert_kinds (
  ck char(3) NOT NULL,
  title varchar(40) NOT NULL,
  mandatory char(1) NOT NULL COMMENT 'Y everybody needs it, N only some',
  valid_years int COMMENT 'NULL: does not expire',
  PRIMARY KEY (ck)
);

CREATE TABLE certificates (
  cert_id int NOT NULL,
  sf_no int NOT NULL,
  ck char(3) NOT NULL,
  issued date NOT NULL,
  expires date COMMENT 'NULL: never expires',
  revoked tinyint(1) NOT NULL COMMENT '1 withdrawn by the authority',
  issued_at varchar(20) NOT NULL,
  PRIMARY KEY (cert_id),
  FOREIGN KEY (sf_no) REFERENCES seafarers (sf_no),
  FOREIGN KEY (ck) REFERENCES cert_kinds (ck)
);

CREATE TABLE medicals (
  med_id int NOT NULL,
  sf_no int NOT NULL,
  exam_date varchar(10) NOT NULL COMMENT 'text, DD.MM.YYYY',
  valid_to varchar(10) COMMENT 'text, DD.MM.YYYY, NULL: unfit',
  result varchar(10) NOT NULL COMMENT 'fit, restricted, unfit',
  clinic varchar(30) NOT NULL,
  fee int COMMENT 'USD, NULL: free of charge',
  PRIMARY KEY (med_id),
  FOREIGN KEY (sf_no) REFERENCES seafarers (sf_no)
);

CREATE TABLE wage_slips (
  contract_no int NOT NULL,
  period char(7) NOT NULL COMMENT 'YYYY-MM',
  basic decimal(9,2) NOT NULL COMMENT 'USD',
  overtime decimal(9,2) COMMENT 'USD, NULL: no overtime',
  deductions decimal(9,2) COMMENT 'USD, NULL: nothing deducted',
  paid_on date COMMENT 'NULL: not paid yet',
  PRIMARY KEY (contract_no, period),
  FOREIGN KEY (contract_no) REFERENCES contracts (contract_no)
);

CREATE TABLE incidents (
  inc_no char(7) NOT NULL,
  imo int NOT NULL,
  happened datetime NOT NULL,
  kind char(1) NOT NULL COMMENT 'I injury, N near miss, F fire, P pollution, E equipment failure, C collision',
  severity int NOT NULL COMMENT '1 slight to 4 very serious',
  injured int COMMENT 'seafarer, NULL: nobody hurt',
  reported_by int COMMENT 'seafarer, NULL: reported by someone ashore',
  closed_on date COMMENT 'NULL: still open',
  cost int COMMENT 'USD, NULL: not known',
  PRIMARY KEY (inc_no),
  FOREIGN KEY (imo) REFERENCES vessels (imo),
  FOREIGN KEY (injured) REFERENCES seafarers (sf_no),
  FOREIGN KEY (reported_by) REFERENCES seafarers (sf_no)
);

