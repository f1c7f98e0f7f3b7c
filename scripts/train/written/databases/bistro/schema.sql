CREATE TABLE branch (
  branch_id int NOT NULL,
  name varchar(40) NOT NULL,
  city varchar(20) NOT NULL,
  opened_on date NOT NULL,
  closed_on date COMMENT 'NULL: still in business',
  kind char(1) NOT NULL COMMENT 'O own branch, F franchise',
  licence_seats int NOT NULL COMMENT 'seats the licence allows',
  PRIMARY KEY (branch_id)
);

CREATE TABLE dining_table (
  table_id int NOT NULL,
  branch_id int NOT NULL,
  label varchar(4) NOT NULL,
  seats int NOT NULL COMMENT 'chairs at the table',
  zone char(1) NOT NULL COMMENT 'I inside, T terrace, B bar',
  smoke_free tinyint(1) NOT NULL COMMENT '1 no smoking',
  PRIMARY KEY (table_id),
  FOREIGN KEY (branch_id) REFERENCES branch (branch_id)
);

CREATE TABLE waiter (
  waiter_id int NOT NULL,
  first_name varchar(20) NOT NULL,
  last_name varchar(20) NOT NULL,
  home_branch int NOT NULL COMMENT 'branch on the contract',
  mentor_id int COMMENT 'colleague who trained this one',
  hired_on date NOT NULL,
  left_on date COMMENT 'NULL: still employed',
  hourly_ct int NOT NULL COMMENT 'hourly wage in cents',
  contract char(1) NOT NULL COMMENT 'F full time, P part time, S student job',
  PRIMARY KEY (waiter_id),
  FOREIGN KEY (home_branch) REFERENCES branch (branch_id),
  FOREIGN KEY (mentor_id) REFERENCES waiter (waiter_id)
);

CREATE TABLE menu_item (
  item_id int NOT NULL,
  name varchar(40) NOT NULL,
  course char(1) NOT NULL COMMENT 'S starter, M main course, D dessert, B beverage',
  price_ct int NOT NULL COMMENT 'list price in cents',
  vegan tinyint(1) NOT NULL COMMENT '1 vegan',
  prep_sec int NOT NULL COMMENT 'seconds in the kitchen or at the bar',
  state char(1) NOT NULL COMMENT 'A on the menu, W winter menu only, X struck off',
  PRIMARY KEY (item_id)
);

CREATE TABLE ingredient (
  ingredient_id int NOT NULL,
  name varchar(30) NOT NULL,
  allergen varchar(15) COMMENT 'NULL: none',
  ct_per_kg int NOT NULL COMMENT 'purchase price, cents per kg',
  stock_g int NOT NULL COMMENT 'stock in the central store, grams',
  PRIMARY KEY (ingredient_id)
);

CREATE TABLE recipe (
  item_id int NOT NULL,
  ingredient_id int NOT NULL,
  grams int NOT NULL COMMENT 'grams per portion',
  optional char(1) NOT NULL COMMENT 'Y guest may leave it out',
  PRIMARY KEY (item_id, ingredient_id),
  FOREIGN KEY (item_id) REFERENCES menu_item (item_id),
  FOREIGN KEY (ingredient_id) REFERENCES ingredient (ingredient_id)
) COMMENT='what goes into one portion';

CREATE TABLE guest_order (
  order_id int NOT NULL,
  table_id int NOT NULL,
  waiter_id int NOT NULL,
  opened_at datetime NOT NULL,
  guests int NOT NULL COMMENT 'number of people',
  stay_min int COMMENT 'minutes until they left, NULL: still at the table',
  pay_mode char(1) NOT NULL COMMENT 'C cash, K card, V voucher, H on the house',
  tip_ct int COMMENT 'tip in cents, NULL: none',
  PRIMARY KEY (order_id),
  FOREIGN KEY (table_id) REFERENCES dining_table (table_id),
  FOREIGN KEY (waiter_id) REFERENCES waiter (waiter_id)
);

CREATE TABLE order_line (
  order_id int NOT NULL,
  line_no int NOT NULL,
  item_id int NOT NULL,
  qty int NOT NULL COMMENT 'portions',
  disc_pct int COMMENT 'discount in percent',
  sent_back tinyint(1) NOT NULL COMMENT '1 sent back to the kitchen',
  PRIMARY KEY (order_id, line_no),
  FOREIGN KEY (order_id) REFERENCES guest_order (order_id),
  FOREIGN KEY (item_id) REFERENCES menu_item (item_id)
);

CREATE TABLE reservation (
  res_id int NOT NULL,
  table_id int NOT NULL,
  guest_name varchar(40) NOT NULL,
  made_on date NOT NULL,
  for_day date NOT NULL,
  party int NOT NULL,
  status char(1) NOT NULL COMMENT 'B booked, S came and was seated, N no-show, X cancelled',
  taken_by int COMMENT 'waiter who took it, NULL: booked online',
  PRIMARY KEY (res_id),
  FOREIGN KEY (table_id) REFERENCES dining_table (table_id),
  FOREIGN KEY (taken_by) REFERENCES waiter (waiter_id)
);

