CREATE TABLE departments (
  id int NOT NULL,
  name varchar(40) NOT NULL,
  site varchar(20) NOT NULL,
  cost_center varchar(8) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE people (
  id int NOT NULL,
  first_name varchar(20) NOT NULL,
  last_name varchar(20) NOT NULL,
  department_id int,
  manager_id int,
  is_agent tinyint(1) NOT NULL COMMENT '1 IT agent',
  is_vip tinyint(1) NOT NULL COMMENT '1 VIP',
  hired_on date NOT NULL,
  left_on date COMMENT 'NULL: still here',
  PRIMARY KEY (id),
  FOREIGN KEY (department_id) REFERENCES departments (id),
  FOREIGN KEY (manager_id) REFERENCES people (id)
) COMMENT='everybody: requesters and IT agents';

CREATE TABLE teams (
  id int NOT NULL,
  name varchar(30) NOT NULL,
  lead_id int COMMENT 'people, NULL: vacant',
  tier tinyint NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (lead_id) REFERENCES people (id)
) COMMENT='support teams';

CREATE TABLE team_members (
  team_id int NOT NULL,
  person_id int NOT NULL,
  joined_on date NOT NULL,
  PRIMARY KEY (team_id, person_id),
  FOREIGN KEY (team_id) REFERENCES teams (id),
  FOREIGN KEY (person_id) REFERENCES people (id)
);

CREATE TABLE categories (
  id int NOT NULL,
  parent_id int COMMENT 'NULL: top level',
  name varchar(40) NOT NULL,
  sla_minutes int COMMENT 'minutes to resolve, NULL: no SLA',
  PRIMARY KEY (id),
  FOREIGN KEY (parent_id) REFERENCES categories (id)
);

CREATE TABLE assets (
  id int NOT NULL,
  tag varchar(10) NOT NULL,
  kind varchar(12) NOT NULL,
  model varchar(30) NOT NULL,
  owner_id int COMMENT 'NULL: in the store room',
  bought_on date NOT NULL,
  warranty_until date NOT NULL,
  price decimal(8,2) NOT NULL COMMENT 'EUR',
  retired_on date COMMENT 'NULL: still in use',
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES people (id)
);

CREATE TABLE tickets (
  id int NOT NULL,
  subject varchar(60) NOT NULL,
  category_id int NOT NULL,
  requester_id int NOT NULL COMMENT 'people, who reported it',
  assignee_id int COMMENT 'people, agent in charge, NULL: unassigned',
  team_id int NOT NULL,
  asset_id int,
  priority tinyint NOT NULL COMMENT '1 critical, 2 high, 3 normal, 4 low',
  status char(1) NOT NULL COMMENT 'N new, P in progress, W waiting for user, R resolved, C closed',
  channel varchar(8) NOT NULL,
  created_at datetime NOT NULL,
  first_reply_at datetime,
  resolved_at datetime,
  due_at datetime NOT NULL COMMENT 'agreed deadline',
  rating tinyint COMMENT '1 to 5 stars given by the requester',
  PRIMARY KEY (id),
  FOREIGN KEY (category_id) REFERENCES categories (id),
  FOREIGN KEY (requester_id) REFERENCES people (id),
  FOREIGN KEY (assignee_id) REFERENCES people (id),
  FOREIGN KEY (team_id) REFERENCES teams (id),
  FOREIGN KEY (asset_id) REFERENCES assets (id)
);

CREATE TABLE comments (
  id int NOT NULL,
  ticket_id int NOT NULL,
  author_id int NOT NULL,
  is_internal tinyint(1) NOT NULL COMMENT '1 internal note',
  minutes_spent int COMMENT 'minutes worked, NULL: none logged',
  created_at datetime NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (ticket_id) REFERENCES tickets (id),
  FOREIGN KEY (author_id) REFERENCES people (id)
);

