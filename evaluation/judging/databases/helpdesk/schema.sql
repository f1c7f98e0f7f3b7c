-- The help desk of a university: who asks, who answers, how fast.
CREATE TABLE teams (
  id SMALLINT NOT NULL,
  name VARCHAR(40) NOT NULL,
  mailbox VARCHAR(60) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uq_team_name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE agents (
  id SMALLINT NOT NULL,
  full_name VARCHAR(60) NOT NULL,
  team_id SMALLINT NOT NULL,
  tier TINYINT NOT NULL COMMENT '1 first level, 2 second level, 3 expert',
  started DATE NOT NULL,
  active TINYINT(1) NOT NULL DEFAULT 1,
  manager_id SMALLINT NULL,
  PRIMARY KEY (id),
  CONSTRAINT fk_agent_team FOREIGN KEY (team_id) REFERENCES teams (id),
  CONSTRAINT fk_agent_manager FOREIGN KEY (manager_id) REFERENCES agents (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE requesters (
  id INT NOT NULL,
  full_name VARCHAR(60) NOT NULL,
  email VARCHAR(80) NOT NULL,
  kind ENUM('student','staff','guest') NOT NULL,
  department VARCHAR(40) NULL,
  vip TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  UNIQUE KEY uq_requester_email (email)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE priorities (
  code CHAR(2) NOT NULL COMMENT 'P1 to P4',
  label VARCHAR(20) NOT NULL,
  sla_response_h DECIMAL(5,1) NOT NULL COMMENT 'hours until the first answer',
  sla_resolve_h DECIMAL(5,1) NULL COMMENT 'hours until it is resolved; NULL without a promise',
  PRIMARY KEY (code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE categories (
  id SMALLINT NOT NULL,
  name VARCHAR(40) NOT NULL,
  default_team_id SMALLINT NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT fk_category_team FOREIGN KEY (default_team_id) REFERENCES teams (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tickets (
  id INT NOT NULL,
  subject VARCHAR(120) NOT NULL,
  requester_id INT NOT NULL,
  category_id SMALLINT NULL COMMENT 'NULL until sorted',
  priority CHAR(2) NOT NULL,
  status ENUM('new','open','waiting','resolved','closed','spam') NOT NULL COMMENT 'waiting: for the requester',
  channel ENUM('mail','portal','phone','chat','desk') NOT NULL,
  team_id SMALLINT NULL,
  agent_id SMALLINT NULL COMMENT 'NULL while nobody has taken it',
  created_at DATETIME NOT NULL,
  first_reply_at DATETIME NULL,
  resolved_at DATETIME NULL,
  rating TINYINT NULL COMMENT 'by the requester, 1 bad to 5 good',
  PRIMARY KEY (id),
  KEY ix_ticket_created (created_at),
  KEY ix_ticket_status (status),
  CONSTRAINT fk_ticket_requester FOREIGN KEY (requester_id) REFERENCES requesters (id),
  CONSTRAINT fk_ticket_category FOREIGN KEY (category_id) REFERENCES categories (id),
  CONSTRAINT fk_ticket_priority FOREIGN KEY (priority) REFERENCES priorities (code),
  CONSTRAINT fk_ticket_team FOREIGN KEY (team_id) REFERENCES teams (id),
  CONSTRAINT fk_ticket_agent FOREIGN KEY (agent_id) REFERENCES agents (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE comments (
  id INT NOT NULL,
  ticket_id INT NOT NULL,
  agent_id SMALLINT NULL COMMENT 'NULL if the requester wrote it',
  created_at DATETIME NOT NULL,
  internal TINYINT(1) NOT NULL DEFAULT 0 COMMENT '1 not shown to the requester',
  body VARCHAR(300) NOT NULL,
  PRIMARY KEY (id),
  KEY ix_comment_ticket (ticket_id),
  CONSTRAINT fk_comment_ticket FOREIGN KEY (ticket_id) REFERENCES tickets (id),
  CONSTRAINT fk_comment_agent FOREIGN KEY (agent_id) REFERENCES agents (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE status_history (
  ticket_id INT NOT NULL,
  seq TINYINT NOT NULL,
  old_status ENUM('new','open','waiting','resolved','closed','spam') NULL,
  new_status ENUM('new','open','waiting','resolved','closed','spam') NOT NULL,
  changed_at DATETIME NOT NULL,
  changed_by SMALLINT NULL COMMENT 'agent; NULL if the system or the requester did it',
  PRIMARY KEY (ticket_id, seq),
  CONSTRAINT fk_history_ticket FOREIGN KEY (ticket_id) REFERENCES tickets (id),
  CONSTRAINT fk_history_agent FOREIGN KEY (changed_by) REFERENCES agents (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE tags (
  id SMALLINT NOT NULL,
  tag VARCHAR(30) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uq_tag (tag)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE ticket_tags (
  ticket_id INT NOT NULL,
  tag_id SMALLINT NOT NULL,
  PRIMARY KEY (ticket_id, tag_id),
  CONSTRAINT fk_tt_ticket FOREIGN KEY (ticket_id) REFERENCES tickets (id),
  CONSTRAINT fk_tt_tag FOREIGN KEY (tag_id) REFERENCES tags (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
