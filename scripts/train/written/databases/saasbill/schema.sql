CREATE TABLE countries (
  country_code char(2) NOT NULL COMMENT 'ISO 3166',
  country_name varchar(40) NOT NULL,
  sales_region char(4) NOT NULL COMMENT 'AMER, EMEA or APAC',
  default_currency char(3) NOT NULL,
  vat_pct decimal(4,1) COMMENT 'per cent, NULL: not known',
  PRIMARY KEY (country_code)
);

CREATE TABLE plans (
  plan_id int NOT NULL,
  plan_name varchar(30) NOT NULL,
  tier char(1) NOT NULL COMMENT 'S small, M mid-market, E enterprise',
  billing_interval char(1) NOT NULL COMMENT 'Q every quarter, Y once a year',
  base_price_cents int NOT NULL COMMENT 'USD cents per month',
  included_seats int COMMENT 'NULL: unlimited',
  valid_from date NOT NULL,
  valid_to date COMMENT 'last day of sale, NULL: still sold',
  PRIMARY KEY (plan_id)
);

CREATE TABLE campaigns (
  campaign_id int NOT NULL,
  campaign_name varchar(40) NOT NULL,
  channel char(1) NOT NULL COMMENT 'E e-mail, S search and social ads, V event, W webinar, P partner, A audio and video',
  started_on date NOT NULL,
  ended_on date COMMENT 'NULL: still running',
  budget_cents int COMMENT 'USD cents, NULL: no budget of its own',
  PRIMARY KEY (campaign_id)
);

CREATE TABLE accounts (
  account_id int NOT NULL,
  account_name varchar(50) NOT NULL,
  country_code char(2) NOT NULL,
  industry varchar(20),
  size_band char(1) NOT NULL COMMENT 'S under 50 employees, M 50 to 499, E 500 and more',
  campaign_id int COMMENT 'campaign they came by, NULL: came by themselves',
  parent_account_id int COMMENT 'NULL: no parent company',
  signed_up_at datetime NOT NULL,
  is_reseller tinyint(1) NOT NULL COMMENT '1 reseller, 0 end customer',
  PRIMARY KEY (account_id),
  FOREIGN KEY (country_code) REFERENCES countries (country_code),
  FOREIGN KEY (campaign_id) REFERENCES campaigns (campaign_id),
  FOREIGN KEY (parent_account_id) REFERENCES accounts (account_id)
) COMMENT='customers, also those that never bought';

CREATE TABLE users (
  user_id int NOT NULL,
  account_id int NOT NULL,
  first_name varchar(30) NOT NULL,
  last_name varchar(30) NOT NULL,
  email varchar(80) NOT NULL,
  user_role char(1) NOT NULL COMMENT 'O owner, M member, B billing contact, V viewer',
  created_at datetime NOT NULL,
  last_login_at datetime COMMENT 'NULL: never signed in',
  PRIMARY KEY (user_id),
  FOREIGN KEY (account_id) REFERENCES accounts (account_id)
) COMMENT='people who sign in for an account';

CREATE TABLE subscriptions (
  subscription_id int NOT NULL,
  account_id int NOT NULL,
  plan_id int NOT NULL,
  current_status char(1) NOT NULL COMMENT 'T trial, A active, D past due, P paused, X cancelled',
  seats int NOT NULL,
  discount_pct int COMMENT 'per cent, NULL: none',
  mrr_cents int NOT NULL COMMENT 'monthly recurring revenue in USD cents, after discount',
  started_on date NOT NULL,
  cancelled_on date COMMENT 'NULL: not cancelled',
  cancel_reason varchar(20),
  PRIMARY KEY (subscription_id),
  FOREIGN KEY (account_id) REFERENCES accounts (account_id),
  FOREIGN KEY (plan_id) REFERENCES plans (plan_id)
);

CREATE TABLE subscription_status_history (
  subscription_id int NOT NULL,
  status char(1) NOT NULL COMMENT 'T trial, A active, D past due, P paused, X cancelled',
  valid_from date NOT NULL,
  valid_to date COMMENT 'last day, NULL: current status',
  PRIMARY KEY (subscription_id, valid_from),
  FOREIGN KEY (subscription_id) REFERENCES subscriptions (subscription_id)
);

CREATE TABLE invoices (
  invoice_id int NOT NULL,
  invoice_no char(13) NOT NULL,
  subscription_id int NOT NULL,
  issued_on date NOT NULL,
  due_on date NOT NULL,
  currency_code char(3) NOT NULL,
  fx_to_usd decimal(7,4) NOT NULL COMMENT 'USD for one unit of the currency',
  net_cents int NOT NULL COMMENT 'cents of the currency',
  tax_cents int NOT NULL,
  invoice_status char(1) NOT NULL COMMENT 'O open, P paid, V void',
  PRIMARY KEY (invoice_id),
  FOREIGN KEY (subscription_id) REFERENCES subscriptions (subscription_id)
);

CREATE TABLE invoice_lines (
  invoice_id int NOT NULL,
  line_no int NOT NULL,
  line_type char(1) NOT NULL COMMENT 'B base fee (quantity in months), O overage, S setup, C credit',
  quantity int NOT NULL,
  unit_price_cents int NOT NULL COMMENT 'cents of the invoice currency, negative for credits',
  PRIMARY KEY (invoice_id, line_no),
  FOREIGN KEY (invoice_id) REFERENCES invoices (invoice_id)
);

CREATE TABLE payments (
  payment_id int NOT NULL,
  invoice_id int NOT NULL,
  paid_at datetime NOT NULL,
  method char(1) NOT NULL COMMENT 'C card, B bank transfer, D direct debit, W wallet',
  amount_cents int NOT NULL COMMENT 'cents of the invoice currency',
  result char(1) NOT NULL COMMENT 'S succeeded, F failed',
  PRIMARY KEY (payment_id),
  FOREIGN KEY (invoice_id) REFERENCES invoices (invoice_id)
) COMMENT='attempts to pay';

CREATE TABLE refunds (
  refund_id int NOT NULL,
  payment_id int NOT NULL,
  refunded_at datetime NOT NULL,
  amount_cents int NOT NULL COMMENT 'cents of the invoice currency',
  reason varchar(20),
  PRIMARY KEY (refund_id),
  FOREIGN KEY (payment_id) REFERENCES payments (payment_id)
);

CREATE TABLE usage_daily (
  subscription_id int NOT NULL,
  usage_date date NOT NULL,
  api_calls int NOT NULL,
  active_users int NOT NULL,
  storage_mb int NOT NULL,
  error_calls int COMMENT 'NULL: not measured',
  PRIMARY KEY (subscription_id, usage_date),
  FOREIGN KEY (subscription_id) REFERENCES subscriptions (subscription_id)
) COMMENT='not every day, only days with a report';

CREATE TABLE support_tickets (
  ticket_id int NOT NULL,
  account_id int NOT NULL,
  opened_by int COMMENT 'NULL: came by phone',
  category varchar(15) NOT NULL,
  priority int NOT NULL COMMENT '1 urgent, 2 high, 3 normal',
  opened_at datetime NOT NULL,
  first_reply_at datetime COMMENT 'NULL: no reply yet',
  resolved_at datetime COMMENT 'NULL: unresolved',
  csat int COMMENT 'customer satisfaction 1 to 5, NULL: not rated',
  PRIMARY KEY (ticket_id),
  FOREIGN KEY (account_id) REFERENCES accounts (account_id),
  FOREIGN KEY (opened_by) REFERENCES users (user_id)
);

