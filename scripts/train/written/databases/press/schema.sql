CREATE TABLE region (
  region_code char(2) NOT NULL,
  region_name varchar(30) NOT NULL,
  PRIMARY KEY (region_code)
);

CREATE TABLE subscriber (
  subscriber_id int NOT NULL,
  name varchar(60) NOT NULL,
  region_code char(2) NOT NULL,
  gender char(1) NOT NULL COMMENT 'F female, M male, X diverse',
  joined date NOT NULL,
  recruited_by int,
  PRIMARY KEY (subscriber_id),
  FOREIGN KEY (region_code) REFERENCES region (region_code),
  FOREIGN KEY (recruited_by) REFERENCES subscriber (subscriber_id)
);

CREATE TABLE product (
  product_id int NOT NULL,
  title varchar(40) NOT NULL,
  medium varchar(8) NOT NULL,
  monthly_price decimal(6,2) NOT NULL,
  PRIMARY KEY (product_id)
);

CREATE TABLE subscription (
  subscription_id int NOT NULL,
  subscriber_id int NOT NULL,
  product_id int NOT NULL,
  start_date date NOT NULL,
  end_date date,
  channel varchar(10) NOT NULL,
  discount_pct int,
  PRIMARY KEY (subscription_id),
  FOREIGN KEY (subscriber_id) REFERENCES subscriber (subscriber_id),
  FOREIGN KEY (product_id) REFERENCES product (product_id)
);

CREATE TABLE payment (
  payment_id int NOT NULL,
  subscription_id int NOT NULL,
  due_date date NOT NULL,
  paid_date date,
  amount decimal(7,2) NOT NULL,
  reminders int NOT NULL,
  PRIMARY KEY (payment_id),
  FOREIGN KEY (subscription_id) REFERENCES subscription (subscription_id)
);

CREATE TABLE article (
  article_id int NOT NULL,
  headline varchar(80) NOT NULL,
  section varchar(10) NOT NULL,
  words int NOT NULL,
  published datetime NOT NULL,
  author varchar(40) NOT NULL,
  clicks int NOT NULL,
  PRIMARY KEY (article_id)
);

CREATE TABLE reader_comment (
  comment_id int NOT NULL,
  article_id int NOT NULL,
  subscriber_id int NOT NULL,
  written_at datetime NOT NULL,
  likes int NOT NULL,
  removed tinyint(1) NOT NULL COMMENT '1 removed by an editor',
  PRIMARY KEY (comment_id),
  FOREIGN KEY (article_id) REFERENCES article (article_id),
  FOREIGN KEY (subscriber_id) REFERENCES subscriber (subscriber_id)
);

