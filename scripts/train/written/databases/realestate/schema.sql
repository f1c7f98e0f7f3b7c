CREATE TABLE agents (
  agent_id int NOT NULL,
  agent_name varchar(60) NOT NULL,
  office varchar(30) NOT NULL,
  commission_pct decimal(4,2) NOT NULL,
  started_on date NOT NULL,
  PRIMARY KEY (agent_id)
);

CREATE TABLE owners (
  owner_id int NOT NULL,
  owner_name varchar(60) NOT NULL,
  email varchar(60),
  PRIMARY KEY (owner_id)
);

CREATE TABLE properties (
  property_id int NOT NULL,
  owner_id int NOT NULL,
  agent_id int NOT NULL,
  kind varchar(12) NOT NULL,
  street varchar(60) NOT NULL,
  district varchar(30) NOT NULL,
  bedrooms int NOT NULL,
  area_sqm decimal(7,1) NOT NULL,
  asking_price decimal(11,2) NOT NULL,
  year_built int NOT NULL,
  listed_on date NOT NULL,
  sold_on date,
  sale_price decimal(11,2),
  PRIMARY KEY (property_id),
  FOREIGN KEY (owner_id) REFERENCES owners (owner_id),
  FOREIGN KEY (agent_id) REFERENCES agents (agent_id)
);

CREATE TABLE buyers (
  buyer_id int NOT NULL,
  buyer_name varchar(60) NOT NULL,
  budget decimal(11,2) NOT NULL,
  registered_on date NOT NULL,
  wanted_kind varchar(12),
  PRIMARY KEY (buyer_id)
);

CREATE TABLE viewings (
  property_id int NOT NULL,
  buyer_id int NOT NULL,
  viewed_on date NOT NULL,
  rating int,
  PRIMARY KEY (property_id, buyer_id, viewed_on),
  FOREIGN KEY (property_id) REFERENCES properties (property_id),
  FOREIGN KEY (buyer_id) REFERENCES buyers (buyer_id)
);

CREATE TABLE offers (
  offer_id int NOT NULL,
  property_id int NOT NULL,
  buyer_id int NOT NULL,
  offered_on date NOT NULL,
  amount decimal(11,2) NOT NULL,
  state char(1) NOT NULL COMMENT 'R rejected, A accepted, W withdrawn, P left pending',
  PRIMARY KEY (offer_id),
  FOREIGN KEY (property_id) REFERENCES properties (property_id),
  FOREIGN KEY (buyer_id) REFERENCES buyers (buyer_id)
);

