-- What stands behind the rows of scripts/rental: views, triggers, routines and an event.
SET FOREIGN_KEY_CHECKS=1;

CREATE VIEW customer_list AS SELECT cu.customer_id AS ID, CONCAT(cu.first_name, ' ', cu.last_name) AS name, a.address AS address, a.postal_code AS `zip code`,
  a.phone AS phone, city.city AS city, country.country AS country, IF(cu.active, 'active', '') AS notes, cu.store_id AS SID
FROM customer cu JOIN address a ON cu.address_id = a.address_id JOIN city ON a.city_id = city.city_id JOIN country ON city.country_id = country.country_id;

CREATE VIEW tool_list AS SELECT tool.tool_id AS TID, tool.title AS title, tool.description AS description, category.name AS category, tool.rate AS price, tool.risk AS risk,
  GROUP_CONCAT(maker.name ORDER BY maker.name SEPARATOR ', ') AS makers
FROM tool LEFT JOIN tool_category ON tool_category.tool_id = tool.tool_id LEFT JOIN category ON category.category_id = tool_category.category_id
  LEFT JOIN tool_maker ON tool.tool_id = tool_maker.tool_id LEFT JOIN maker ON tool_maker.maker_id = maker.maker_id
GROUP BY tool.tool_id, tool.title, tool.description, category.name, tool.rate, tool.risk;

CREATE VIEW nicer_tool_list AS SELECT tool.tool_id AS TID, tool.title AS title, category.name AS category,
  GROUP_CONCAT(CONCAT(UCASE(SUBSTR(maker.name, 1, 1)), LCASE(SUBSTR(maker.name, 2, LENGTH(maker.name)))) ORDER BY maker.maker_id SEPARATOR '; ') AS makers
FROM category LEFT JOIN tool_category ON category.category_id = tool_category.category_id LEFT JOIN tool ON tool_category.tool_id = tool.tool_id
  JOIN tool_maker ON tool.tool_id = tool_maker.tool_id JOIN maker ON tool_maker.maker_id = maker.maker_id
GROUP BY tool.tool_id, tool.title, category.name;

CREATE VIEW staff_list AS SELECT s.staff_id AS ID, CONCAT(s.first_name, _utf8mb4' ', s.last_name) AS name, a.address AS address, a.phone AS phone, city.city AS city, s.store_id AS SID
FROM staff s JOIN address a ON s.address_id = a.address_id JOIN city ON a.city_id = city.city_id;

CREATE VIEW sales_by_store AS SELECT CONCAT(c.city, ',', cy.country) AS store, CONCAT(m.first_name, ' ', m.last_name) AS manager, SUM(p.amount) AS total_sales
FROM payment p JOIN loan r ON p.loan_id = r.loan_id JOIN inventory i ON r.inventory_id = i.inventory_id JOIN store s ON i.store_id = s.store_id
  JOIN address a ON s.address_id = a.address_id JOIN city c ON a.city_id = c.city_id JOIN country cy ON c.country_id = cy.country_id JOIN staff m ON s.manager_id = m.staff_id
GROUP BY s.store_id, c.city, cy.country, m.first_name, m.last_name ORDER BY cy.country, c.city;

CREATE VIEW sales_by_category AS SELECT c.name AS category, SUM(p.amount) AS total_sales
FROM payment p JOIN loan r ON p.loan_id = r.loan_id JOIN inventory i ON r.inventory_id = i.inventory_id JOIN tool t ON i.tool_id = t.tool_id
  JOIN tool_category tc ON t.tool_id = tc.tool_id JOIN category c ON tc.category_id = c.category_id
GROUP BY c.name ORDER BY total_sales DESC;

CREATE VIEW maker_info AS SELECT m.maker_id AS maker_id, m.name AS name, GROUP_CONCAT(DISTINCT CONCAT(c.name, ': ',
  (SELECT GROUP_CONCAT(t.title ORDER BY t.title SEPARATOR ', ') FROM tool t JOIN tool_category tc ON t.tool_id = tc.tool_id JOIN tool_maker tm ON t.tool_id = tm.tool_id
   WHERE tc.category_id = c.category_id AND tm.maker_id = m.maker_id)) ORDER BY c.name SEPARATOR '; ') AS tool_info
FROM maker m LEFT JOIN tool_maker tm ON m.maker_id = tm.maker_id LEFT JOIN tool_category tc ON tm.tool_id = tc.tool_id LEFT JOIN category c ON tc.category_id = c.category_id
GROUP BY m.maker_id, m.name;

-- Read by views that come before them in a dump, which is in the order of names.
CREATE VIEW z_loan_days AS SELECT loan.loan_id AS loan_id, loan.customer_id AS customer_id, DATEDIFF(loan.return_date, loan.loan_date) AS days, loan.return_date IS NULL AS is_out FROM loan;
CREATE VIEW busy_customer AS SELECT l.customer_id AS customer_id, c.name AS name, COUNT(*) AS loans, AVG(l.days) AS mean_days, SUM(l.is_out) AS still_out
FROM z_loan_days l JOIN customer_list c ON c.ID = l.customer_id GROUP BY l.customer_id, c.name HAVING COUNT(*) > 25;
CREATE VIEW active_customer AS SELECT * FROM customer WHERE active = 1 WITH CASCADED CHECK OPTION;
CREATE ALGORITHM=TEMPTABLE VIEW cost_share AS SELECT tool.tool_id AS tool_id, tool.title AS title, tool.cost / 3 AS third, tool.price_class AS price_class FROM tool;
CREATE VIEW people (kind, name) AS SELECT 'staff', last_name FROM staff UNION ALL SELECT 'customer', last_name FROM customer;
CREATE VIEW month_sales AS WITH monthly AS (SELECT EXTRACT(YEAR_MONTH FROM payment_date) AS month, SUM(amount) AS total FROM payment GROUP BY EXTRACT(YEAR_MONTH FROM payment_date))
  SELECT month, total, SUM(total) OVER (ORDER BY month) AS so_far FROM monthly;
-- What cannot be taken over: one calls a function of the database, the other reads that one.
DELIMITER ;;
CREATE FUNCTION inventory_in_stock(p_inventory_id INT) RETURNS tinyint(1) READS SQL DATA
BEGIN
  DECLARE v_out INT;
  SELECT COUNT(*) INTO v_out FROM loan WHERE inventory_id = p_inventory_id AND return_date IS NULL;
  IF v_out > 0 THEN RETURN FALSE; ELSE RETURN TRUE; END IF;
END ;;
CREATE FUNCTION get_customer_balance(p_customer_id INT, p_date DATETIME) RETURNS decimal(7,2) READS SQL DATA
BEGIN
  DECLARE v_paid DECIMAL(7,2); -- what; was paid
  SELECT IFNULL(SUM(amount), 0) INTO v_paid FROM payment WHERE customer_id = p_customer_id AND payment_date <= p_date;
  RETURN v_paid;
END ;;
CREATE PROCEDURE tool_in_stock(IN p_tool_id INT, IN p_store_id INT, OUT p_count INT)
BEGIN
  SELECT COUNT(*) INTO p_count FROM inventory WHERE tool_id = p_tool_id AND store_id = p_store_id AND inventory_in_stock(inventory_id);
END ;;
CREATE PROCEDURE rewards_report(IN min_loans INT)
BEGIN
  /* a comment with ; and 'quotes' */
  SELECT customer_id FROM loan GROUP BY customer_id HAVING COUNT(*) > min_loans;
END ;;
CREATE TRIGGER ins_tool AFTER INSERT ON tool FOR EACH ROW BEGIN
  INSERT INTO tool_text (tool_id, title, description) VALUES (new.tool_id, new.title, new.description);
END;;
CREATE TRIGGER upd_tool AFTER UPDATE ON tool FOR EACH ROW BEGIN
  IF (old.title != new.title) THEN UPDATE tool_text SET title = new.title WHERE tool_id = old.tool_id; END IF;
END;;
CREATE TRIGGER del_tool AFTER DELETE ON tool FOR EACH ROW DELETE FROM tool_text WHERE tool_id = old.tool_id;;
CREATE TRIGGER loan_date BEFORE INSERT ON loan FOR EACH ROW SET NEW.loan_date = NOW();;
CREATE TRIGGER payment_date BEFORE INSERT ON payment FOR EACH ROW SET NEW.payment_date = NOW();;
CREATE TRIGGER customer_create_date BEFORE INSERT ON customer FOR EACH ROW SET NEW.create_date = NOW();;
CREATE EVENT forget_loans ON SCHEDULE EVERY 1 MONTH STARTS '2030-01-01 00:00:00' DO BEGIN
  DELETE FROM loan WHERE return_date < NOW() - INTERVAL 10 YEAR;
END ;;
DELIMITER ;
CREATE VIEW in_stock AS SELECT inventory_id, serial FROM inventory WHERE inventory_in_stock(inventory_id);
CREATE VIEW in_stock_by_store AS SELECT i.store_id AS store_id, COUNT(*) AS n FROM in_stock s JOIN inventory i USING (inventory_id) GROUP BY i.store_id;
