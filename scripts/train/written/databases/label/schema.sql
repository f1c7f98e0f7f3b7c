CREATE TABLE label (
  label_cd char(3) NOT NULL,
  label_name varchar(30) NOT NULL,
  parent_cd char(3) COMMENT 'label that owns this one; NULL: independent',
  founded_yr smallint NOT NULL,
  hq_city varchar(20) NOT NULL,
  PRIMARY KEY (label_cd),
  FOREIGN KEY (parent_cd) REFERENCES label (label_cd)
);

CREATE TABLE territory (
  terr_cd char(2) NOT NULL,
  terr_name varchar(20) NOT NULL,
  region char(2) NOT NULL COMMENT 'EU Europe, NA North America, AP Asia-Pacific, SA South America',
  vat_pct decimal(4,1) COMMENT 'NULL: no VAT',
  PRIMARY KEY (terr_cd)
);

CREATE TABLE artist (
  artist_no int NOT NULL,
  stage_name varchar(40) NOT NULL,
  kind char(1) NOT NULL COMMENT 'B band, S single person',
  band_no int COMMENT 'band (an artist too) this person plays in; NULL: band itself or solo',
  home_terr char(2) NOT NULL,
  active_since smallint NOT NULL,
  PRIMARY KEY (artist_no),
  FOREIGN KEY (band_no) REFERENCES artist (artist_no),
  FOREIGN KEY (home_terr) REFERENCES territory (terr_cd)
);

CREATE TABLE contract (
  artist_no int NOT NULL,
  signed_on date NOT NULL,
  label_cd char(3) NOT NULL,
  ends_on date COMMENT 'NULL: open-ended',
  royalty_pct decimal(4,1) NOT NULL COMMENT 'artist''s share of net sales in percent',
  advance_usd int COMMENT 'NULL: no advance',
  exclusive_yn char(1) NOT NULL COMMENT 'Y exclusive, N not',
  PRIMARY KEY (artist_no, signed_on),
  FOREIGN KEY (artist_no) REFERENCES artist (artist_no),
  FOREIGN KEY (label_cd) REFERENCES label (label_cd)
);

CREATE TABLE album (
  album_no int NOT NULL,
  title varchar(40) NOT NULL,
  artist_no int NOT NULL,
  label_cd char(3) NOT NULL,
  recorded_on date NOT NULL COMMENT 'last day in the studio',
  released_on date COMMENT 'NULL: not out yet',
  format_cd char(2) NOT NULL COMMENT 'LP studio album, EP short album, LV live album',
  PRIMARY KEY (album_no),
  FOREIGN KEY (artist_no) REFERENCES artist (artist_no),
  FOREIGN KEY (label_cd) REFERENCES label (label_cd)
);

CREATE TABLE track (
  album_no int NOT NULL,
  track_pos int NOT NULL,
  title varchar(40) NOT NULL,
  secs int NOT NULL COMMENT 'length in seconds',
  explicit_yn char(1) NOT NULL COMMENT 'Y explicit lyrics, N clean',
  feat_no int COMMENT 'guest artist; NULL: no guest',
  PRIMARY KEY (album_no, track_pos),
  FOREIGN KEY (album_no) REFERENCES album (album_no),
  FOREIGN KEY (feat_no) REFERENCES artist (artist_no)
);

CREATE TABLE royalty_stmt (
  album_no int NOT NULL,
  terr_cd char(2) NOT NULL,
  quarter_start date NOT NULL COMMENT 'first day of the quarter',
  units int NOT NULL,
  net_cents int NOT NULL COMMENT 'net sales in cents (USD)',
  paid_on date COMMENT 'NULL: royalty not paid out yet',
  PRIMARY KEY (album_no, terr_cd, quarter_start),
  FOREIGN KEY (album_no) REFERENCES album (album_no),
  FOREIGN KEY (terr_cd) REFERENCES territory (terr_cd)
);

