-- The user that asks: it reads one database, and nothing else is reached from outside the network of compose.yaml.
CREATE USER asker IDENTIFIED BY 'asks-and-reads';
GRANT SELECT, SHOW VIEW ON classicmodels.* TO asker;
