CREATE TABLE stadium (
  stadium_id INT NOT NULL,
  name VARCHAR(60) NOT NULL,
  city VARCHAR(40) NOT NULL,
  capacity INT NOT NULL,
  opened YEAR NULL,
  surface ENUM('grass','hybrid','artificial') NOT NULL DEFAULT 'grass',
  PRIMARY KEY (stadium_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE club (
  club_id INT NOT NULL,
  name VARCHAR(60) NOT NULL,
  short_name CHAR(3) NOT NULL COMMENT 'as on the scoreboard',
  founded SMALLINT NOT NULL,
  stadium_id INT NOT NULL COMMENT 'home ground; two clubs may share one',
  PRIMARY KEY (club_id),
  UNIQUE KEY uq_club_short (short_name),
  CONSTRAINT fk_club_stadium FOREIGN KEY (stadium_id) REFERENCES stadium (stadium_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE season (
  season CHAR(5) NOT NULL COMMENT 'e.g. 22/23',
  first_day DATE NOT NULL,
  last_day DATE NOT NULL,
  PRIMARY KEY (season)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE player (
  player_id INT NOT NULL,
  name VARCHAR(60) NOT NULL,
  born DATE NULL,
  nation CHAR(3) NOT NULL COMMENT 'FIFA code, e.g. BRA',
  pos CHAR(2) NOT NULL COMMENT 'GK goalkeeper, DF defender, MF midfielder, FW forward',
  height_cm SMALLINT NULL,
  foot CHAR(1) NULL COMMENT 'L left, R right, B both',
  PRIMARY KEY (player_id),
  KEY ix_player_name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE coach (
  coach_id INT NOT NULL,
  name VARCHAR(60) NOT NULL,
  nation CHAR(3) NOT NULL COMMENT 'FIFA code',
  PRIMARY KEY (coach_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE coach_spell (
  club_id INT NOT NULL,
  from_day DATE NOT NULL,
  to_day DATE NULL COMMENT 'NULL: still there',
  coach_id INT NOT NULL,
  caretaker TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (club_id, from_day),
  CONSTRAINT fk_spell_club FOREIGN KEY (club_id) REFERENCES club (club_id),
  CONSTRAINT fk_spell_coach FOREIGN KEY (coach_id) REFERENCES coach (coach_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE squad (
  season CHAR(5) NOT NULL,
  club_id INT NOT NULL,
  player_id INT NOT NULL,
  shirt_no TINYINT NOT NULL,
  captain TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (season, club_id, player_id),
  UNIQUE KEY uq_squad_shirt (season, club_id, shirt_no),
  CONSTRAINT fk_squad_season FOREIGN KEY (season) REFERENCES season (season),
  CONSTRAINT fk_squad_club FOREIGN KEY (club_id) REFERENCES club (club_id),
  CONSTRAINT fk_squad_player FOREIGN KEY (player_id) REFERENCES player (player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE transfer (
  transfer_id INT NOT NULL,
  player_id INT NOT NULL,
  from_club_id INT NULL COMMENT 'NULL: from outside the league',
  to_club_id INT NULL COMMENT 'NULL: left the league',
  moved_on DATE NOT NULL,
  fee_meur DECIMAL(6,2) NULL COMMENT 'million EUR; 0 free, NULL undisclosed',
  PRIMARY KEY (transfer_id),
  CONSTRAINT fk_transfer_player FOREIGN KEY (player_id) REFERENCES player (player_id),
  CONSTRAINT fk_transfer_from FOREIGN KEY (from_club_id) REFERENCES club (club_id),
  CONSTRAINT fk_transfer_to FOREIGN KEY (to_club_id) REFERENCES club (club_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE referee (
  referee_id INT NOT NULL,
  name VARCHAR(60) NOT NULL,
  PRIMARY KEY (referee_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE fixture (
  fixture_id INT NOT NULL,
  season CHAR(5) NOT NULL,
  matchday TINYINT NOT NULL,
  home_id INT NOT NULL,
  away_id INT NOT NULL,
  kick_off DATETIME NOT NULL,
  referee_id INT NULL,
  home_goals TINYINT NULL COMMENT 'NULL: not played yet',
  away_goals TINYINT NULL COMMENT 'NULL: not played yet',
  attendance INT NULL,
  PRIMARY KEY (fixture_id),
  UNIQUE KEY uq_fixture (season, home_id, away_id),
  CONSTRAINT fk_fixture_season FOREIGN KEY (season) REFERENCES season (season),
  CONSTRAINT fk_fixture_home FOREIGN KEY (home_id) REFERENCES club (club_id),
  CONSTRAINT fk_fixture_away FOREIGN KEY (away_id) REFERENCES club (club_id),
  CONSTRAINT fk_fixture_referee FOREIGN KEY (referee_id) REFERENCES referee (referee_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Matches of the league, played at the home club''s stadium';

CREATE TABLE goal (
  fixture_id INT NOT NULL,
  goal_no TINYINT NOT NULL COMMENT 'in the order in which they fell',
  minute TINYINT NOT NULL,
  club_id INT NOT NULL COMMENT 'the club that it counts for',
  player_id INT NOT NULL COMMENT 'who kicked or headed it',
  assist_id INT NULL COMMENT 'player who gave the last pass',
  how CHAR(1) NOT NULL COMMENT 'F foot, H header, P penalty, O own goal',
  PRIMARY KEY (fixture_id, goal_no),
  CONSTRAINT fk_goal_fixture FOREIGN KEY (fixture_id) REFERENCES fixture (fixture_id),
  CONSTRAINT fk_goal_club FOREIGN KEY (club_id) REFERENCES club (club_id),
  CONSTRAINT fk_goal_player FOREIGN KEY (player_id) REFERENCES player (player_id),
  CONSTRAINT fk_goal_assist FOREIGN KEY (assist_id) REFERENCES player (player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE card (
  fixture_id INT NOT NULL,
  player_id INT NOT NULL,
  minute TINYINT NOT NULL,
  colour CHAR(1) NOT NULL COMMENT 'Y yellow, S second yellow, R straight red',
  PRIMARY KEY (fixture_id, player_id, minute),
  CONSTRAINT fk_card_fixture FOREIGN KEY (fixture_id) REFERENCES fixture (fixture_id),
  CONSTRAINT fk_card_player FOREIGN KEY (player_id) REFERENCES player (player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
