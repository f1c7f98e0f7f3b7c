CREATE TABLE stages (
  `stage no` int NOT NULL,
  `stage name` varchar(20) NOT NULL,
  capacity int NOT NULL COMMENT 'people',
  roofed char(3) NOT NULL,
  PRIMARY KEY (`stage no`)
);

CREATE TABLE bands (
  `band no` int NOT NULL,
  `band name` varchar(30) NOT NULL,
  genre varchar(15) NOT NULL,
  `home country` varchar(20) NOT NULL,
  fee int COMMENT 'EUR per set; empty: plays for free',
  `formed in` smallint NOT NULL,
  PRIMARY KEY (`band no`)
);

CREATE TABLE slots (
  `slot no` int NOT NULL,
  `stage no` int NOT NULL,
  `band no` int NOT NULL,
  `start time` datetime NOT NULL,
  `planned minutes` int NOT NULL,
  `played minutes` int COMMENT 'empty: cancelled',
  `replaces band` int COMMENT 'band that dropped out, if this one stepped in',
  PRIMARY KEY (`slot no`),
  FOREIGN KEY (`stage no`) REFERENCES stages (`stage no`),
  FOREIGN KEY (`band no`) REFERENCES bands (`band no`),
  FOREIGN KEY (`replaces band`) REFERENCES bands (`band no`)
);

CREATE TABLE volunteers (
  `volunteer no` int NOT NULL,
  `first name` varchar(20) NOT NULL,
  `last name` varchar(20) NOT NULL,
  `birth date` date NOT NULL,
  town varchar(20) NOT NULL,
  `team leader` int COMMENT 'volunteer who leads this one',
  `first aid` char(3) NOT NULL COMMENT 'has a first aid certificate',
  `signed up on` date NOT NULL,
  PRIMARY KEY (`volunteer no`),
  FOREIGN KEY (`team leader`) REFERENCES volunteers (`volunteer no`)
);

CREATE TABLE shifts (
  `shift no` int NOT NULL,
  `volunteer no` int NOT NULL,
  `stage no` int COMMENT 'empty: not at a stage',
  job varchar(15) NOT NULL,
  `shift date` date NOT NULL,
  hours int NOT NULL,
  `showed up` char(3) NOT NULL,
  PRIMARY KEY (`shift no`),
  FOREIGN KEY (`volunteer no`) REFERENCES volunteers (`volunteer no`),
  FOREIGN KEY (`stage no`) REFERENCES stages (`stage no`)
);

CREATE TABLE sponsors (
  `sponsor no` int NOT NULL,
  `sponsor name` varchar(30) NOT NULL,
  level char(1) NOT NULL COMMENT 'G gold, S silver, B bronze',
  `promised amount` int NOT NULL,
  `paid amount` int COMMENT 'empty: nothing paid yet',
  `stage no` int COMMENT 'stage named after the sponsor, if any',
  PRIMARY KEY (`sponsor no`),
  FOREIGN KEY (`stage no`) REFERENCES stages (`stage no`)
);

CREATE TABLE stalls (
  `stall no` int NOT NULL,
  `stall name` varchar(30) NOT NULL,
  sells varchar(10) NOT NULL,
  `pitch metres` decimal(4,1) NOT NULL,
  `daily rent` int NOT NULL COMMENT 'EUR a day',
  power char(3) NOT NULL COMMENT 'needs electricity',
  `nearest stage` int NOT NULL,
  PRIMARY KEY (`stall no`),
  FOREIGN KEY (`nearest stage`) REFERENCES stages (`stage no`)
);

CREATE TABLE `ticket types` (
  `type no` int NOT NULL,
  `type name` varchar(30) NOT NULL,
  price decimal(6,2) NOT NULL,
  `on offer` int NOT NULL COMMENT 'number of tickets for sale',
  sold int NOT NULL COMMENT 'number of tickets sold',
  `sale ends` date NOT NULL,
  PRIMARY KEY (`type no`)
);

