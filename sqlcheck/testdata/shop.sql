CREATE TABLE city (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, land VARCHAR(20));
CREATE TABLE client (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, city_id INT, credit DECIMAL(10,2), FOREIGN KEY (city_id) REFERENCES city (id));
CREATE TABLE bill (no INT PRIMARY KEY, client_id INT NOT NULL, day DATE, state VARCHAR(10), FOREIGN KEY (client_id) REFERENCES client (id));
CREATE TABLE bill_line (no INT, line INT, item VARCHAR(20) NOT NULL, pieces INT, price DECIMAL(10,2), PRIMARY KEY (no, line), FOREIGN KEY (no) REFERENCES bill (no));
CREATE TABLE refund (id INT PRIMARY KEY, client_id INT, money DECIMAL(10,2), FOREIGN KEY (client_id) REFERENCES client (id));
