CREATE TABLE `group` (
  gid int NOT NULL,
  name varchar(30) NOT NULL,
  floor int NOT NULL,
  PRIMARY KEY (gid)
);

CREATE TABLE lawyer (
  lid int NOT NULL,
  first varchar(20) NOT NULL,
  last varchar(20) NOT NULL,
  `rank` char(1) NOT NULL COMMENT 'P partner, C counsel, A associate, T trainee',
  `group` int NOT NULL COMMENT 'gid of the practice group',
  joined date NOT NULL,
  `left` date,
  mentor int COMMENT 'lid of the mentor',
  PRIMARY KEY (lid),
  FOREIGN KEY (`group`) REFERENCES `group` (gid),
  FOREIGN KEY (mentor) REFERENCES lawyer (lid)
);

CREATE TABLE rate (
  lid int NOT NULL,
  `from` date NOT NULL,
  `to` date COMMENT 'NULL: current',
  amount int NOT NULL COMMENT 'cents per hour',
  PRIMARY KEY (lid, `from`),
  FOREIGN KEY (lid) REFERENCES lawyer (lid)
) COMMENT='hourly rates over time';

CREATE TABLE party (
  pid int NOT NULL,
  name varchar(40) NOT NULL,
  kind char(1) NOT NULL COMMENT 'C company, P person, S public body',
  city varchar(20) NOT NULL,
  `key` tinyint NOT NULL COMMENT '1 key client',
  PRIMARY KEY (pid)
) COMMENT='clients and opponents';

CREATE TABLE court (
  court_id int NOT NULL,
  name varchar(30) NOT NULL,
  city varchar(20) NOT NULL,
  level int NOT NULL COMMENT '1 lowest, 4 highest',
  PRIMARY KEY (court_id)
);

CREATE TABLE `case` (
  case_no int NOT NULL,
  client int NOT NULL,
  opponent int COMMENT 'NULL: nobody on the other side',
  `lead` int NOT NULL,
  area varchar(12) NOT NULL,
  `desc` varchar(40) NOT NULL,
  opened date NOT NULL,
  closed date,
  value int COMMENT 'value in dispute, in thousand EUR',
  `condition` char(1) NOT NULL COMMENT 'H by the hour, F fixed fee, S success fee',
  prior int COMMENT 'case_no of the earlier case',
  PRIMARY KEY (case_no),
  FOREIGN KEY (client) REFERENCES party (pid),
  FOREIGN KEY (opponent) REFERENCES party (pid),
  FOREIGN KEY (`lead`) REFERENCES lawyer (lid),
  FOREIGN KEY (prior) REFERENCES `case` (case_no)
);

CREATE TABLE team (
  case_no int NOT NULL,
  lid int NOT NULL,
  `function` char(1) NOT NULL COMMENT 'D deputy, S support, R research',
  `from` date NOT NULL,
  `to` date,
  PRIMARY KEY (case_no, lid),
  FOREIGN KEY (case_no) REFERENCES `case` (case_no),
  FOREIGN KEY (lid) REFERENCES lawyer (lid)
) COMMENT='lawyers on cases';

CREATE TABLE hours (
  eid int NOT NULL,
  lid int NOT NULL,
  case_no int NOT NULL,
  date date NOT NULL,
  minutes int NOT NULL,
  task char(1) NOT NULL COMMENT 'D drafting, R research, C call, H hearing, T travel',
  billable tinyint NOT NULL COMMENT '1 billable',
  PRIMARY KEY (eid),
  FOREIGN KEY (lid) REFERENCES lawyer (lid),
  FOREIGN KEY (case_no) REFERENCES `case` (case_no)
) COMMENT='time sheets';

CREATE TABLE hearing (
  case_no int NOT NULL,
  no int NOT NULL,
  court_id int NOT NULL,
  `when` datetime NOT NULL,
  length int COMMENT 'minutes',
  result char(1) COMMENT 'W won, L lost, S settled, P postponed',
  PRIMARY KEY (case_no, no),
  FOREIGN KEY (case_no) REFERENCES `case` (case_no),
  FOREIGN KEY (court_id) REFERENCES court (court_id)
);

CREATE TABLE bill (
  bill_no int NOT NULL,
  case_no int NOT NULL,
  date date NOT NULL,
  due date NOT NULL,
  paid date,
  amount int NOT NULL COMMENT 'cents',
  reminder int NOT NULL,
  PRIMARY KEY (bill_no),
  FOREIGN KEY (case_no) REFERENCES `case` (case_no)
);

CREATE TABLE document (
  doc_no int NOT NULL,
  case_no int NOT NULL,
  author int COMMENT 'lid; NULL: from outside',
  type char(1) NOT NULL COMMENT 'L letter, M motion, C contract, E expert report',
  pages int NOT NULL,
  `read` tinyint NOT NULL COMMENT '1 read',
  PRIMARY KEY (doc_no),
  FOREIGN KEY (case_no) REFERENCES `case` (case_no),
  FOREIGN KEY (author) REFERENCES lawyer (lid)
);

