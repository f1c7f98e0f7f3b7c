CREATE TABLE networks (
  id int NOT NULL,
  name varchar(50) NOT NULL,
  country varchar(30) NOT NULL,
  founded_on date NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE shows (
  id int NOT NULL,
  network_id int COMMENT 'NULL: independent',
  title varchar(80) NOT NULL,
  category varchar(20) NOT NULL,
  language char(2) NOT NULL COMMENT 'ISO code',
  status varchar(12) NOT NULL,
  is_explicit tinyint(1) NOT NULL COMMENT '1 explicit language',
  launched_on date NOT NULL,
  created_at datetime NOT NULL,
  deleted_at datetime COMMENT 'NULL: not deleted',
  PRIMARY KEY (id),
  FOREIGN KEY (network_id) REFERENCES networks (id)
);

CREATE TABLE hosts (
  id int NOT NULL,
  full_name varchar(60) NOT NULL,
  country varchar(30) NOT NULL,
  birth_date date,
  hourly_rate decimal(7,2),
  joined_on date NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE show_hosts (
  show_id int NOT NULL,
  host_id int NOT NULL,
  role varchar(12) NOT NULL,
  since date NOT NULL,
  PRIMARY KEY (show_id, host_id),
  FOREIGN KEY (show_id) REFERENCES shows (id),
  FOREIGN KEY (host_id) REFERENCES hosts (id)
);

CREATE TABLE episodes (
  id int NOT NULL,
  show_id int NOT NULL,
  season int NOT NULL,
  title varchar(100) NOT NULL,
  duration_sec int NOT NULL COMMENT 'seconds',
  status varchar(12) NOT NULL,
  published_at datetime,
  is_bonus tinyint(1) NOT NULL COMMENT '1 bonus episode',
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  deleted_at datetime COMMENT 'NULL: not deleted',
  PRIMARY KEY (id),
  FOREIGN KEY (show_id) REFERENCES shows (id)
);

CREATE TABLE tags (
  id int NOT NULL,
  name varchar(30) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE episode_tags (
  episode_id int NOT NULL,
  tag_id int NOT NULL,
  PRIMARY KEY (episode_id, tag_id),
  FOREIGN KEY (episode_id) REFERENCES episodes (id),
  FOREIGN KEY (tag_id) REFERENCES tags (id)
);

CREATE TABLE listeners (
  id int NOT NULL,
  username varchar(30) NOT NULL,
  country varchar(30) NOT NULL,
  plan varchar(10) NOT NULL,
  invited_by int COMMENT 'listener who invited this one',
  signed_up_at datetime NOT NULL,
  deleted_at datetime COMMENT 'NULL: account still open',
  PRIMARY KEY (id),
  FOREIGN KEY (invited_by) REFERENCES listeners (id)
);

CREATE TABLE subscriptions (
  id int NOT NULL,
  listener_id int NOT NULL,
  show_id int NOT NULL,
  status varchar(12) NOT NULL,
  monthly_fee decimal(6,2) NOT NULL,
  started_on date NOT NULL,
  cancelled_on date,
  PRIMARY KEY (id),
  FOREIGN KEY (listener_id) REFERENCES listeners (id),
  FOREIGN KEY (show_id) REFERENCES shows (id)
);

CREATE TABLE plays (
  id int NOT NULL,
  episode_id int NOT NULL,
  listener_id int COMMENT 'NULL: not signed in',
  played_at datetime NOT NULL,
  seconds_played int NOT NULL,
  device varchar(20) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (episode_id) REFERENCES episodes (id),
  FOREIGN KEY (listener_id) REFERENCES listeners (id)
);

CREATE TABLE reviews (
  id int NOT NULL,
  show_id int NOT NULL,
  listener_id int NOT NULL,
  stars int NOT NULL,
  comment varchar(200),
  created_at datetime NOT NULL,
  deleted_at datetime,
  PRIMARY KEY (id),
  FOREIGN KEY (show_id) REFERENCES shows (id),
  FOREIGN KEY (listener_id) REFERENCES listeners (id)
);

CREATE TABLE ad_campaigns (
  id int NOT NULL,
  show_id int NOT NULL,
  sponsor varchar(40) NOT NULL,
  budget decimal(10,2) NOT NULL,
  spent decimal(10,2) NOT NULL,
  status varchar(12) NOT NULL,
  starts_on date NOT NULL,
  ends_on date NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (show_id) REFERENCES shows (id)
);

