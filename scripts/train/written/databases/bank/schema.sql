CREATE TABLE branch (
  branch_id int NOT NULL,
  branch_name varchar(40) NOT NULL,
  region varchar(10) NOT NULL,
  opened date NOT NULL,
  PRIMARY KEY (branch_id)
);

CREATE TABLE employee (
  emp_id int NOT NULL,
  emp_name varchar(60) NOT NULL,
  branch_id int NOT NULL,
  manager_id int,
  position varchar(20) NOT NULL,
  salary decimal(9,2) NOT NULL,
  hire_date date NOT NULL,
  PRIMARY KEY (emp_id),
  FOREIGN KEY (branch_id) REFERENCES branch (branch_id),
  FOREIGN KEY (manager_id) REFERENCES employee (emp_id)
);

CREATE TABLE client (
  client_id int NOT NULL,
  first_name varchar(30) NOT NULL,
  last_name varchar(30) NOT NULL,
  birth_date date NOT NULL,
  city varchar(30) NOT NULL,
  adviser_id int,
  PRIMARY KEY (client_id),
  FOREIGN KEY (adviser_id) REFERENCES employee (emp_id)
);

CREATE TABLE account (
  account_no int NOT NULL,
  client_id int NOT NULL,
  branch_id int NOT NULL,
  acct_type char(1) NOT NULL COMMENT 'C current account, S savings account, L loan account',
  balance decimal(12,2) NOT NULL,
  opened_on date NOT NULL,
  closed_on date,
  PRIMARY KEY (account_no),
  FOREIGN KEY (client_id) REFERENCES client (client_id),
  FOREIGN KEY (branch_id) REFERENCES branch (branch_id)
);

CREATE TABLE txn (
  txn_id int NOT NULL,
  account_no int NOT NULL,
  booked datetime NOT NULL,
  amount decimal(10,2) NOT NULL,
  txn_type varchar(3) NOT NULL COMMENT 'DEP deposit, WDR withdrawal, FEE fee, TRF transfer',
  purpose varchar(30),
  PRIMARY KEY (txn_id),
  FOREIGN KEY (account_no) REFERENCES account (account_no)
);

CREATE TABLE card (
  card_id int NOT NULL,
  account_no int NOT NULL,
  brand varchar(10) NOT NULL,
  card_limit int NOT NULL,
  expires date NOT NULL,
  blocked tinyint(1) NOT NULL COMMENT '1 blocked',
  PRIMARY KEY (card_id),
  FOREIGN KEY (account_no) REFERENCES account (account_no)
);

