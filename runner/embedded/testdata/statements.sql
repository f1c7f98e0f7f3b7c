-- Statements of our own over the demo database, one a line. Their answers by MySQL 8.0.15 stand in statements.jsonl.
-- arithmetic and numbers
SELECT 5/2, 7 DIV 2, -7 DIV 2, 7 % 3, -7 % 3, MOD(7.5, 2), 7 MOD -3
SELECT 1/3, 2/3, 1/3*3, 2/3*1000000, 10/4*2, 1/0, 5 % 0, 5 DIV 0
SELECT 0.1 + 0.2, 0.1 + 0.2 = 0.3, 1.5 * 1.5, 2.50 * 4, 10.00 - 0.005, 100 * 1.1
SELECT 1.0 / 3, 1.00 / 3.000, 22.0 / 7, 1 / 7 * 7, 5.5 DIV 2, 5.5 % 2
SELECT 1e3, 1e0/3, 2.5e0 * 2, 1e100, -1.5e-5
SELECT ROUND(2.345, 2), ROUND(-2.345, 2), ROUND(2.5), ROUND(3.5), ROUND(-2.5), ROUND(2.5e0), ROUND(3.5e0), ROUND(1234.567, -2), ROUND(1250, -2), ROUND(123.456, 5)
SELECT TRUNCATE(1.999, 1), TRUNCATE(-1.999, 1), TRUNCATE(1999, -2), TRUNCATE(1.5e0, 0), TRUNCATE(12.345, 5)
SELECT CEIL(1.2), CEILING(-1.2), FLOOR(1.8), FLOOR(-1.2), CEIL(5), FLOOR(1.5e0), CEIL(-0.5)
SELECT ABS(-3), ABS(-3.50), SIGN(-2), SIGN(0), SIGN(3.5), SQRT(16), SQRT(-1), POW(2, 10), POWER(2, 0.5), EXP(0), LN(1), LOG(2, 8), LOG2(8), LOG10(1000), LOG(0)
SELECT GREATEST(1, 5, 3), LEAST(1, 5, 3), GREATEST(1.5, 2), LEAST('b', 'a'), GREATEST(1, NULL), GREATEST('apple', 'Banana')
SELECT 5 & 3, 5 | 3, 5 ^ 3, 1 << 4, 256 >> 2, BIT_COUNT(7)
SELECT 1 + '2', '3.5' * 2, '10abc' + 1, 'abc' + 0, '1e2' + 0, -'5'
SELECT 2 = '2', 'a' = 0, '1a' = 1, 10 = '10.0', NULL = NULL, NULL <=> NULL, 1 <=> NULL, 1 <> NULL
SELECT TRUE AND NULL, FALSE AND NULL, TRUE OR NULL, NOT NULL, 1 XOR 1, 1 XOR 0, NULL XOR 1, NOT 0, !1, 1 && 0, 0 || 1
SELECT 3 BETWEEN 1 AND 5, 3 NOT BETWEEN 1 AND 5, 'b' BETWEEN 'A' AND 'C', NULL BETWEEN 1 AND 2
SELECT 1 IN (1, 2), 3 IN (1, NULL), 1 NOT IN (2, 3), 1 NOT IN (2, NULL), 'USA' IN ('usa'), 1 IN ('1', 'x')
SELECT IF(1 > 0, 'yes', 'no'), IF(NULL, 1, 2), IFNULL(NULL, 'x'), IFNULL(1, 'x'), NULLIF(1, 1), NULLIF(2, 1), COALESCE(NULL, NULL, 3), COALESCE(NULL, 1.50, 2)
SELECT CASE 2 WHEN 1 THEN 'one' WHEN 2 THEN 'two' END, CASE WHEN 1 = 0 THEN 1 ELSE 2.5 END, CASE WHEN NULL THEN 1 END
SELECT ISNULL(NULL), ISNULL(1), NULL IS NULL, 1 IS NOT NULL, 1 IS TRUE, NULL IS UNKNOWN, 0 IS FALSE, NULL IS NOT TRUE
SELECT INTERVAL(23, 1, 15, 17, 30, 44, 200), INTERVAL(10, 1, 10, 100, 1000), FIELD('b', 'a', 'B', 'c'), ELT(2, 'x', 'y'), ELT(5, 'x')
SELECT CAST('12.7' AS SIGNED), CAST(12.7 AS SIGNED), CAST(-1.5 AS SIGNED), CAST('abc' AS SIGNED), CAST(5 AS UNSIGNED), CAST('3.14159' AS DECIMAL(5,2)), CAST(1234.5 AS DECIMAL(4,1)), CAST(7 AS DECIMAL)
SELECT CAST(12.50 AS CHAR), CAST(1e3 AS CHAR), CAST(5 AS CHAR(3)), CAST('abcdef' AS CHAR(3)), CONVERT(3.5, CHAR), CONVERT('5', SIGNED), CAST(DATE '2004-01-02' AS CHAR)
SELECT CAST('2004-01-05' AS DATE), CAST('2004-01-05 10:20:30' AS DATETIME), CAST('10:20:30' AS TIME), CAST(20040105 AS DATE), CAST('2004-02-30' AS DATE), DATE('2004-01-05 10:00:00'), TIME('2004-01-05 10:20:30')
SELECT CONV('ff', 16, 10), CONV(10, 10, 2), BIN(12), OCT(12), HEX(255), HEX('abc'), CRC32('MySQL'), FORMAT(1234567.891, 2), FORMAT(0.5, 0), FORMAT(-1234.5, 1)
SELECT PI() > 3.14, DEGREES(PI()), RADIANS(180) > 3.14, SIN(0), COS(0), TAN(0), ATAN(0), ATAN2(0, 1), ASIN(0), ACOS(1), COT(1) > 0.6
-- text
SELECT CONCAT('a', 'b', 1, 2.50), CONCAT('a', NULL), CONCAT_WS('-', 'a', NULL, 'b'), CONCAT_WS(NULL, 'a'), 'a' 'b'
SELECT UPPER('straße'), LOWER('ÀÉ'), UCASE('x'), LCASE('X'), LENGTH('é'), CHAR_LENGTH('é'), CHARACTER_LENGTH('abc'), OCTET_LENGTH('é'), BIT_LENGTH('a')
SELECT SUBSTRING('Quadratically', 5), SUBSTRING('Quadratically', 5, 6), SUBSTRING('Sakila', -3), SUBSTRING('Sakila', -5, 3), SUBSTR('abc', 0), MID('abc', 2, 1), SUBSTRING('abc' FROM 2 FOR 1), SUBSTRING('abc', 2, -1)
SELECT LEFT('foobar', 3), RIGHT('foobar', 3), LEFT('é1', 1), LEFT('abc', -1), RIGHT('abc', 10)
SELECT TRIM('  x  '), LTRIM('  x'), RTRIM('x  '), TRIM(LEADING 'x' FROM 'xxbarxx'), TRIM(TRAILING 'xyz' FROM 'barxxyz'), TRIM(BOTH 'x' FROM 'xxbarxx'), TRIM('x' FROM 'xax')
SELECT LPAD('hi', 5, '?!'), LPAD('hi', 1, '?'), RPAD('hi', 5, '?'), REPEAT('ab', 3), REPEAT('a', -1), SPACE(3), REVERSE('abc'), REPLACE('www.mysql.com', 'w', 'Ww'), REPLACE('aAa', 'a', 'b')
SELECT INSTR('foobarbar', 'bar'), INSTR('xbar', 'Foo'), LOCATE('bar', 'foobarbar'), LOCATE('bar', 'foobarbar', 5), LOCATE('BAR', 'foobar'), POSITION('o' IN 'foo'), LOCATE('', 'abc')
SELECT SUBSTRING_INDEX('www.mysql.com', '.', 2), SUBSTRING_INDEX('www.mysql.com', '.', -2), SUBSTRING_INDEX('abc', '.', 1), STRCMP('a', 'b'), STRCMP('b', 'a'), STRCMP('a', 'A')
SELECT ASCII('a'), ASCII(''), ORD('2'), ORD('é'), FIND_IN_SET('b', 'a,b,c'), FIND_IN_SET('x', 'a,b'), INSERT('Quadratic', 3, 4, 'What'), QUOTE('Don''t'), SOUNDEX('Quadratically'), SOUNDEX('Hello')
SELECT MD5('testing'), SHA1('abc'), SHA2('abc', 256), TO_BASE64('abc'), HEX('é')
SELECT 'abc' LIKE 'A%', 'abc' LIKE '_b_', 'a%c' LIKE 'a\%c', 'abc' LIKE 'a\%c', 'David!' LIKE 'David|_' ESCAPE '|', 'é' LIKE 'e', NULL LIKE 'a', 'abc' NOT LIKE 'b%', 'a' LIKE 'a ', 'a ' = 'a'
SELECT 'abc' REGEXP '^a', 'ABC' REGEXP 'abc', 'abc' NOT REGEXP 'x', 'a' RLIKE '[b-z]', NULL REGEXP 'a', REGEXP_LIKE('Michael', '^m'), REGEXP_LIKE('a', 'A', 'c'), REGEXP_REPLACE('a b c', 'b', 'X'), REGEXP_SUBSTR('abc def ghi', '[a-z]+'), REGEXP_INSTR('dog cat', 'cat')
SELECT 'ae' = 'æ', 'o' = 'ø', 'oe' = 'œ', 'n' = 'ñ', 'i' = 'ı', 'd' = 'đ', 'l' = 'ł', '-' < '0', '_' < '-', '$' > '~', ' ' < 'a'
SELECT 'a' = 'A', 'e' = 'é', 'ss' = 'ß', 'a' < 'B', 'Z' > 'a', 'abc' = 'abc ', BINARY 'a' = 'A', 'a' COLLATE utf8mb4_bin = 'A'
-- dates
SELECT YEAR('2003-01-06'), MONTH('2003-01-06'), DAY('2003-01-06'), DAYOFMONTH('2003-01-06'), QUARTER('2003-05-01'), DAYOFWEEK('2003-01-06'), WEEKDAY('2003-01-06'), DAYOFYEAR('2004-12-31'), DAYNAME('2003-01-06'), MONTHNAME('2003-01-06')
SELECT WEEK('2003-01-06'), WEEK('2003-01-06', 1), WEEK('2005-01-01', 0), WEEK('2005-01-01', 1), WEEK('2005-01-01', 2), WEEK('2005-01-01', 3), WEEK('2004-12-31', 5), WEEK('2008-12-31', 6), WEEK('2008-12-31', 7), WEEKOFYEAR('2005-01-01'), YEARWEEK('2005-01-01'), YEARWEEK('2005-01-01', 1), YEARWEEK('2003-12-30', 3)
SELECT DATE_ADD('2003-01-31', INTERVAL 1 MONTH), DATE_SUB('2004-03-31', INTERVAL 1 MONTH), DATE_ADD('2004-02-29', INTERVAL 1 YEAR), '2003-01-06' + INTERVAL 10 DAY, INTERVAL 1 WEEK + '2003-01-06', DATE '2003-01-06' + INTERVAL 1 QUARTER, ADDDATE('2003-01-06', 5), SUBDATE('2003-01-06', 5)
SELECT DATE_ADD('2003-01-06 23:59:59', INTERVAL 1 SECOND), DATE '2003-01-06' + INTERVAL 1 HOUR, DATE_ADD('2003-01-06', INTERVAL '1:30' MINUTE_SECOND), DATE_ADD('2003-01-06', INTERVAL '1 2' DAY_HOUR), DATE_ADD('2003-01-06', INTERVAL '1-2' YEAR_MONTH), DATE_SUB('2003-01-06 00:00:00', INTERVAL 90 MINUTE), DATE_ADD('2003-01-06', INTERVAL -1 DAY)
SELECT DATEDIFF('2003-01-10', '2003-01-06'), DATEDIFF('2003-01-06 23:00:00', '2003-01-07 01:00:00'), TIMESTAMPDIFF(MONTH, '2003-02-01', '2003-05-01'), TIMESTAMPDIFF(YEAR, '2002-05-01', '2001-01-01'), TIMESTAMPDIFF(DAY, '2003-01-06', '2003-02-06'), TIMESTAMPDIFF(HOUR, '2003-01-06', '2003-01-07 12:00:00'), TIMESTAMPDIFF(WEEK, '2003-01-01', '2003-01-20'), TIMESTAMPDIFF(QUARTER, '2003-01-01', '2004-01-01'), TIMESTAMPADD(MINUTE, 1, '2003-01-02')
SELECT DATE_FORMAT('2003-01-06', '%Y-%m'), DATE_FORMAT('2003-01-06', '%W, %M %D, %y'), DATE_FORMAT('2003-01-06 15:04:05', '%H:%i:%s %p %h %I %l %k %T %r'), DATE_FORMAT('2003-01-06', '%a %b %c %e %j %w %U %u %V %v %X %x %%'), DATE_FORMAT(NULL, '%Y'), TIME_FORMAT('15:04:05', '%H %i')
SELECT LAST_DAY('2004-02-01'), MAKEDATE(2004, 60), TO_DAYS('2003-01-06'), FROM_DAYS(731586), EXTRACT(YEAR FROM '2003-01-06'), EXTRACT(YEAR_MONTH FROM '2003-01-06'), EXTRACT(DAY_HOUR FROM '2003-01-06 15:00:00'), EXTRACT(QUARTER FROM DATE '2003-05-01'), PERIOD_ADD(200301, 2), PERIOD_DIFF(200312, 200301), TIME_TO_SEC('01:00:10'), SEC_TO_TIME(3661), MAKETIME(1, 2, 3), HOUR('10:20:30'), MINUTE('10:20:30'), SECOND('2003-01-06 10:20:30')
SELECT STR_TO_DATE('01,5,2013', '%d,%m,%Y'), STR_TO_DATE('May 1, 2013', '%M %d,%Y'), STR_TO_DATE('2003-01-06 10:20', '%Y-%m-%d %H:%i'), STR_TO_DATE('nonsense', '%Y')
SELECT DATE '2003-01-06' = '2003-1-6', DATE '2003-01-06' < '2003-01-06 10:00:00', DATE '2003-01-06' + 0, DATE '2003-01-07' - DATE '2003-01-06', TIMESTAMP '2003-01-06 10:00:00', TIMESTAMP('2003-01-06'), UNIX_TIMESTAMP('2003-01-06'), TIMEDIFF('10:00:00', '09:30:00'), TIMEDIFF('2003-01-06 10:00:00', '2003-01-05 09:00:00')
SELECT YEAR(orderDate) y, QUARTER(orderDate) q, COUNT(*) FROM orders GROUP BY y, q ORDER BY y, q
SELECT DATE_FORMAT(orderDate, '%Y-%m') AS month, COUNT(*) AS n FROM orders GROUP BY month ORDER BY month
SELECT EXTRACT(YEAR_MONTH FROM orderDate) ym, SUM(quantityOrdered * priceEach) FROM orders JOIN orderdetails USING (orderNumber) GROUP BY ym ORDER BY ym
SELECT orderNumber, orderDate + INTERVAL 1 MONTH, DATE_SUB(requiredDate, INTERVAL 1 WEEK), DATEDIFF(shippedDate, orderDate) FROM orders ORDER BY orderNumber LIMIT 20
SELECT COUNT(*) FROM orders WHERE orderDate >= '2004-01-01' AND orderDate < '2005-01-01'
SELECT COUNT(*) FROM orders WHERE orderDate BETWEEN '2004-1-1' AND '2004-12-31'
SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = '2004'
SELECT COUNT(*) FROM orders WHERE orderDate IN ('2003-01-06', '2003-1-7')
SELECT COUNT(*) FROM orders WHERE orderDate LIKE '2004-%'
SELECT COUNT(*) FROM orders WHERE orderDate > DATE_SUB('2005-05-31', INTERVAL 3 MONTH)
SELECT COUNT(*) FROM orders WHERE shippedDate > requiredDate
SELECT MIN(orderDate), MAX(orderDate), DATEDIFF(MAX(orderDate), MIN(orderDate)) FROM orders
SELECT MAX(YEAR(orderDate)) - MIN(YEAR(orderDate)) FROM orders
SELECT DAYNAME(orderDate) d, COUNT(*) n FROM orders GROUP BY d ORDER BY n DESC, d
SELECT orderNumber FROM orders WHERE WEEKDAY(orderDate) = 0 ORDER BY orderNumber LIMIT 10
SELECT COALESCE(shippedDate, requiredDate), IFNULL(shippedDate, 'not shipped') FROM orders WHERE orderNumber > 10415 ORDER BY orderNumber
SELECT AVG(DATEDIFF(shippedDate, orderDate)) FROM orders
-- aggregates
SELECT COUNT(*), COUNT(shippedDate), COUNT(DISTINCT customerNumber), COUNT(DISTINCT status, customerNumber) FROM orders
SELECT SUM(amount), AVG(amount), MIN(amount), MAX(amount), COUNT(amount) FROM payments
SELECT SUM(quantityOrdered), AVG(quantityOrdered), SUM(quantityOrdered * priceEach), AVG(quantityOrdered * priceEach), SUM(quantityOrdered * priceEach) / COUNT(DISTINCT orderNumber) FROM orderdetails
SELECT SUM(DISTINCT quantityOrdered), AVG(DISTINCT quantityOrdered), COUNT(DISTINCT priceEach) FROM orderdetails
SELECT STD(buyPrice), STDDEV(buyPrice), STDDEV_SAMP(buyPrice), VARIANCE(buyPrice), VAR_SAMP(buyPrice), VAR_POP(quantityInStock) FROM products
SELECT BIT_AND(officeCode), BIT_OR(officeCode), BIT_XOR(officeCode) FROM offices
SELECT SUM(amount), AVG(amount), MIN(amount), COUNT(*) FROM payments WHERE amount < 0
SELECT country, COUNT(*) AS n, SUM(creditLimit), AVG(creditLimit), MAX(creditLimit) FROM customers GROUP BY country ORDER BY n DESC, country
SELECT productLine, COUNT(*), AVG(buyPrice), AVG(MSRP - buyPrice), ROUND(AVG(MSRP / buyPrice), 3) FROM products GROUP BY productLine ORDER BY productLine
SELECT productLine, SUM(quantityInStock * buyPrice) AS stock FROM products GROUP BY productLine HAVING stock > 1000000 ORDER BY stock DESC
SELECT productVendor, AVG(MSRP) FROM products GROUP BY productVendor HAVING AVG(MSRP) > (SELECT AVG(MSRP) FROM products) ORDER BY productVendor
SELECT status, COUNT(*) * 100.0 / (SELECT COUNT(*) FROM orders) AS pct FROM orders GROUP BY status ORDER BY pct DESC, status
SELECT status, ROUND(COUNT(*) / (SELECT COUNT(*) FROM orders) * 100, 2) AS pct FROM orders GROUP BY status ORDER BY status
SELECT CONCAT(ROUND(100 * SUM(status = 'Shipped') / COUNT(*), 1), '%') FROM orders
SELECT SUM(IF(status = 'Shipped', 1, 0)), SUM(CASE WHEN status = 'Disputed' THEN 1 ELSE 0 END), COUNT(IF(status = 'Resolved', 1, NULL)), SUM(status = 'On Hold') FROM orders
SELECT GROUP_CONCAT(city ORDER BY city), GROUP_CONCAT(DISTINCT country ORDER BY country DESC SEPARATOR ' / '), GROUP_CONCAT(officeCode, ':', city ORDER BY officeCode SEPARATOR '') FROM offices
SELECT country, GROUP_CONCAT(DISTINCT city ORDER BY city SEPARATOR '; ') FROM customers GROUP BY country ORDER BY country
SELECT GROUP_CONCAT(buyPrice ORDER BY buyPrice), GROUP_CONCAT(DISTINCT productScale) FROM products WHERE productLine = 'Trains'
SELECT LENGTH(GROUP_CONCAT(customerName)) FROM customers
SELECT officeCode, COUNT(*) FROM employees GROUP BY officeCode HAVING COUNT(*) >= 3 ORDER BY officeCode
SELECT YEAR(paymentDate), SUM(amount) FROM payments GROUP BY YEAR(paymentDate) ORDER BY 1
SELECT COUNT(*) FROM (SELECT customerNumber FROM orders GROUP BY customerNumber HAVING COUNT(*) > 5) AS t
SELECT AVG(n), MAX(n), MIN(n) FROM (SELECT customerNumber, COUNT(*) AS n FROM orders GROUP BY customerNumber) AS t
SELECT MAX(total) FROM (SELECT orderNumber, SUM(quantityOrdered * priceEach) AS total FROM orderdetails GROUP BY orderNumber) t
SELECT MAX(a), MIN(a) FROM (SELECT AVG(amount) a FROM payments GROUP BY customerNumber) t
SELECT ANY_VALUE(country), COUNT(*) FROM customers WHERE country = 'France'
SELECT LEFT(customerName, 1) AS initial, COUNT(*) FROM customers GROUP BY initial ORDER BY initial
SELECT UPPER(country), COUNT(*) FROM customers GROUP BY UPPER(country) ORDER BY 1
SELECT country, city, COUNT(*) FROM customers GROUP BY country, city WITH ROLLUP
SELECT status, COUNT(*) FROM orders GROUP BY status WITH ROLLUP
SELECT COALESCE(productLine, 'all'), SUM(quantityInStock) FROM products GROUP BY productLine WITH ROLLUP
SELECT YEAR(orderDate) y, status, COUNT(*) FROM orders GROUP BY y, status WITH ROLLUP
SELECT productLine, productScale, SUM(quantityInStock), GROUPING(productLine), GROUPING(productScale) FROM products GROUP BY productLine, productScale WITH ROLLUP
SELECT country, SUM(creditLimit) s FROM customers GROUP BY country WITH ROLLUP HAVING s > 1000000
-- joins
SELECT c.customerName, o.orderNumber FROM customers c JOIN orders o ON c.customerNumber = o.customerNumber WHERE o.status = 'Disputed' ORDER BY 2
SELECT c.customerName, COUNT(o.orderNumber) n FROM customers c LEFT JOIN orders o USING (customerNumber) GROUP BY c.customerNumber, c.customerName ORDER BY n DESC, c.customerName LIMIT 15
SELECT c.customerName FROM customers c LEFT JOIN orders o ON o.customerNumber = c.customerNumber WHERE o.orderNumber IS NULL ORDER BY 1
SELECT e.firstName, e.lastName, m.lastName AS boss FROM employees e LEFT JOIN employees m ON e.reportsTo = m.employeeNumber ORDER BY e.employeeNumber
SELECT m.lastName, COUNT(*) FROM employees e JOIN employees m ON e.reportsTo = m.employeeNumber GROUP BY m.employeeNumber ORDER BY 2 DESC, 1
SELECT o.city, COUNT(e.employeeNumber) FROM employees e RIGHT JOIN offices o ON e.officeCode = o.officeCode GROUP BY o.officeCode ORDER BY o.officeCode
SELECT * FROM offices JOIN employees USING (officeCode) ORDER BY employeeNumber LIMIT 5
SELECT * FROM employees NATURAL JOIN offices ORDER BY employeeNumber LIMIT 5
SELECT * FROM orders NATURAL LEFT JOIN payments ORDER BY orderNumber, checkNumber LIMIT 5
SELECT officeCode, offices.city FROM employees RIGHT JOIN offices USING (officeCode) ORDER BY 1, 2 LIMIT 9
SELECT * FROM offices a RIGHT JOIN employees b USING (officeCode) ORDER BY employeeNumber LIMIT 3
SELECT p.productName, SUM(d.quantityOrdered) q FROM products p INNER JOIN orderdetails d ON p.productCode = d.productCode GROUP BY p.productCode ORDER BY q DESC, p.productName LIMIT 10
SELECT p.productName FROM products p LEFT JOIN orderdetails d ON p.productCode = d.productCode WHERE d.productCode IS NULL
SELECT c.country, p.productLine, SUM(d.quantityOrdered * d.priceEach) rev FROM customers c JOIN orders o USING (customerNumber) JOIN orderdetails d USING (orderNumber) JOIN products p USING (productCode) GROUP BY c.country, p.productLine ORDER BY rev DESC LIMIT 20
SELECT a.city, b.city FROM offices a, offices b WHERE a.officeCode < b.officeCode AND a.country = b.country
SELECT COUNT(*) FROM offices a CROSS JOIN offices b
SELECT COUNT(*) FROM customers c JOIN employees e ON c.salesRepEmployeeNumber = e.employeeNumber JOIN offices o ON e.officeCode = o.officeCode AND o.country = c.country
SELECT c.customerName, x.n FROM customers c JOIN (SELECT customerNumber, COUNT(*) n FROM orders GROUP BY customerNumber) x ON x.customerNumber = c.customerNumber WHERE x.n > 6 ORDER BY x.n DESC, 1
SELECT a.productName, b.productName FROM products a JOIN products b ON a.productVendor = b.productVendor AND a.productCode < b.productCode WHERE a.productLine = 'Trains' ORDER BY 1, 2
SELECT c.customerName FROM customers c LEFT JOIN (orders o JOIN orderdetails d ON o.orderNumber = d.orderNumber) ON c.customerNumber = o.customerNumber WHERE o.orderNumber IS NULL ORDER BY 1 LIMIT 5
-- subqueries
SELECT customerName FROM customers WHERE creditLimit > (SELECT AVG(creditLimit) FROM customers) ORDER BY customerName
SELECT productName, MSRP FROM products WHERE MSRP = (SELECT MAX(MSRP) FROM products)
SELECT customerName FROM customers WHERE customerNumber IN (SELECT customerNumber FROM orders WHERE status = 'Cancelled') ORDER BY 1
SELECT COUNT(*) FROM customers WHERE customerNumber NOT IN (SELECT customerNumber FROM payments)
SELECT COUNT(*) FROM employees WHERE employeeNumber NOT IN (SELECT reportsTo FROM employees)
SELECT COUNT(*) FROM employees WHERE employeeNumber NOT IN (SELECT salesRepEmployeeNumber FROM customers WHERE salesRepEmployeeNumber IS NOT NULL)
SELECT c.customerName FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customerNumber = c.customerNumber AND o.status = 'On Hold') ORDER BY 1
SELECT c.customerName FROM customers c WHERE NOT EXISTS (SELECT * FROM payments p WHERE p.customerNumber = c.customerNumber) ORDER BY 1
SELECT customerName, (SELECT COUNT(*) FROM orders o WHERE o.customerNumber = c.customerNumber) AS n FROM customers c ORDER BY n DESC, customerName LIMIT 10
SELECT customerName, (SELECT MAX(amount) FROM payments p WHERE p.customerNumber = c.customerNumber) m FROM customers c ORDER BY m DESC, 1 LIMIT 10
SELECT productName FROM products WHERE buyPrice > ALL (SELECT buyPrice FROM products WHERE productLine = 'Ships') ORDER BY 1
SELECT productName FROM products WHERE buyPrice < ANY (SELECT buyPrice FROM products WHERE productLine = 'Trains') ORDER BY 1 LIMIT 10
SELECT COUNT(*) FROM products WHERE productLine = SOME (SELECT productLine FROM productlines WHERE productLine LIKE '%s')
SELECT COUNT(*) FROM products WHERE productLine <> ALL (SELECT productLine FROM productlines WHERE productLine LIKE 'T%')
SELECT 1 > ALL (SELECT amount FROM payments WHERE amount < 0), 1 > ANY (SELECT amount FROM payments WHERE amount < 0), NULL > ALL (SELECT 1)
SELECT (SELECT city FROM offices)
SELECT customerName FROM customers WHERE customerNumber = (SELECT customerNumber FROM orders WHERE status = 'Disputed')
SELECT (SELECT city FROM offices WHERE officeCode = 'none'), (SELECT city FROM offices WHERE officeCode = '4'), (SELECT city FROM offices ORDER BY city LIMIT 1)
SELECT city FROM offices WHERE (country, territory) = ('USA', 'NA') ORDER BY 1
SELECT city FROM offices WHERE (country, territory) IN (('USA', 'NA'), ('France', 'EMEA')) ORDER BY 1
SELECT COUNT(*) FROM orders WHERE (customerNumber, orderDate) IN (SELECT customerNumber, MAX(orderDate) FROM orders GROUP BY customerNumber)
SELECT ROW(1, 2) = ROW(1, 2), (1, 2) < (1, 3), (1, NULL) = (1, 2), (1, 2) <> (1, 2)
SELECT o.orderNumber, o.orderDate FROM orders o WHERE o.orderDate = (SELECT MAX(orderDate) FROM orders i WHERE i.customerNumber = o.customerNumber) ORDER BY 1 LIMIT 10
SELECT productLine, productName, MSRP FROM products p WHERE MSRP = (SELECT MAX(MSRP) FROM products q WHERE q.productLine = p.productLine) ORDER BY 1
SELECT COUNT(*) FROM (SELECT DISTINCT country, city FROM customers) x
SELECT t.country, t.n FROM (SELECT country, COUNT(*) n FROM customers GROUP BY country) t WHERE t.n = (SELECT MAX(n) FROM (SELECT COUNT(*) n FROM customers GROUP BY country) u)
SELECT customerNumber, SUM(amount) FROM payments GROUP BY customerNumber HAVING SUM(amount) = (SELECT MAX(s) FROM (SELECT SUM(amount) s FROM payments GROUP BY customerNumber) t)
SELECT customerName FROM customers WHERE customerNumber = ANY (SELECT customerNumber FROM payments WHERE amount > 60000) ORDER BY 1
SELECT * FROM (SELECT productCode, MSRP FROM products ORDER BY MSRP DESC LIMIT 3) t ORDER BY productCode
-- CTEs
WITH t AS (SELECT customerNumber, SUM(amount) s FROM payments GROUP BY customerNumber) SELECT c.customerName, t.s FROM t JOIN customers c USING (customerNumber) WHERE t.s > (SELECT AVG(s) FROM t) ORDER BY t.s DESC LIMIT 10
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT x, y FROM a, b
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i, i * i FROM n
WITH RECURSIVE chain AS (SELECT employeeNumber, lastName, reportsTo, 0 AS depth FROM employees WHERE reportsTo IS NULL UNION ALL SELECT e.employeeNumber, e.lastName, e.reportsTo, c.depth + 1 FROM employees e JOIN chain c ON e.reportsTo = c.employeeNumber) SELECT depth, COUNT(*) FROM chain GROUP BY depth ORDER BY depth
WITH RECURSIVE d AS (SELECT CAST('2003-01-01' AS DATE) AS m UNION ALL SELECT m + INTERVAL 1 MONTH FROM d WHERE m < '2003-06-01') SELECT d.m, COUNT(o.orderNumber) FROM d LEFT JOIN orders o ON YEAR(o.orderDate) = YEAR(d.m) AND MONTH(o.orderDate) = MONTH(d.m) GROUP BY d.m ORDER BY d.m
WITH RECURSIVE up AS (SELECT employeeNumber, reportsTo FROM employees WHERE employeeNumber = 1190 UNION SELECT e.employeeNumber, e.reportsTo FROM employees e JOIN up ON e.employeeNumber = up.reportsTo) SELECT employeeNumber FROM up ORDER BY 1
WITH x(a, b) AS (SELECT city, country FROM offices) SELECT b, COUNT(a) FROM x GROUP BY b ORDER BY b
-- set operations
SELECT country FROM customers UNION SELECT country FROM offices ORDER BY country
SELECT city FROM offices UNION ALL SELECT city FROM offices ORDER BY city
SELECT 'x' AS a UNION SELECT 1 UNION ALL SELECT 2.50 ORDER BY a
SELECT 1 UNION SELECT 1.00 UNION SELECT 2
(SELECT customerName n FROM customers ORDER BY creditLimit DESC, customerName LIMIT 2) UNION ALL (SELECT productName FROM products ORDER BY MSRP DESC, productName LIMIT 2)
SELECT orderDate FROM orders WHERE orderNumber = 10100 UNION SELECT 'none'
SELECT 'customers' AS t, COUNT(*) AS n FROM customers UNION ALL SELECT 'orders', COUNT(*) FROM orders ORDER BY n LIMIT 1
SELECT NULL UNION SELECT 5 UNION SELECT NULL
SELECT SUM(n) FROM (SELECT COUNT(*) n FROM customers UNION ALL SELECT COUNT(*) FROM orders) t
SELECT 1 UNION SELECT 1, 2
-- window functions
SELECT customerNumber, amount, ROW_NUMBER() OVER (ORDER BY amount DESC, checkNumber) rn FROM payments ORDER BY rn LIMIT 10
SELECT productLine, productName, MSRP, RANK() OVER (PARTITION BY productLine ORDER BY MSRP DESC) r FROM products ORDER BY productLine, r, productName LIMIT 20
SELECT country, COUNT(*) n, DENSE_RANK() OVER (ORDER BY COUNT(*) DESC) r FROM customers GROUP BY country ORDER BY r, country
SELECT * FROM (SELECT productLine, productName, ROW_NUMBER() OVER (PARTITION BY productLine ORDER BY MSRP DESC, productCode) rn FROM products) t WHERE rn <= 2 ORDER BY productLine, rn
SELECT paymentDate, amount, SUM(amount) OVER (ORDER BY paymentDate, checkNumber ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) run FROM payments ORDER BY paymentDate, checkNumber LIMIT 15
SELECT paymentDate, amount, AVG(amount) OVER (ORDER BY paymentDate, checkNumber ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) ma FROM payments ORDER BY paymentDate, checkNumber LIMIT 15
SELECT status, COUNT(*) n, SUM(COUNT(*)) OVER () total, COUNT(*) / SUM(COUNT(*)) OVER () share FROM orders GROUP BY status ORDER BY status
SELECT orderNumber, orderDate, LAG(orderDate) OVER (ORDER BY orderNumber) prev, LEAD(orderDate, 2) OVER (ORDER BY orderNumber) next2 FROM orders ORDER BY orderNumber LIMIT 5
SELECT officeCode, city, LAG(city, 1, 'none') OVER (ORDER BY officeCode) p FROM offices ORDER BY officeCode
SELECT officeCode, NTILE(3) OVER (ORDER BY officeCode) t, CUME_DIST() OVER (ORDER BY officeCode) c, PERCENT_RANK() OVER (ORDER BY officeCode) p FROM offices ORDER BY officeCode
SELECT officeCode, FIRST_VALUE(city) OVER w f, LAST_VALUE(city) OVER w l, NTH_VALUE(city, 2) OVER w n FROM offices WINDOW w AS (ORDER BY officeCode) ORDER BY officeCode
SELECT productLine, SUM(quantityInStock) s, SUM(SUM(quantityInStock)) OVER (ORDER BY productLine) run FROM products GROUP BY productLine ORDER BY productLine
SELECT y, rev, rev - LAG(rev) OVER (ORDER BY y) diff FROM (SELECT YEAR(paymentDate) y, SUM(amount) rev FROM payments GROUP BY y) t ORDER BY y
SELECT MSRP, MAX(MSRP) OVER (PARTITION BY productLine) - MSRP d FROM products ORDER BY productCode LIMIT 10
SELECT customerName, creditLimit, creditLimit > AVG(creditLimit) OVER (PARTITION BY country) above FROM customers ORDER BY customerNumber LIMIT 20
SELECT STDDEV(MSRP) OVER (PARTITION BY productLine) FROM products ORDER BY productCode LIMIT 5
-- ORDER BY, DISTINCT, LIMIT
SELECT DISTINCT country FROM customers ORDER BY country
SELECT DISTINCT YEAR(orderDate) FROM orders ORDER BY 1
SELECT DISTINCT UPPER(status) FROM orders ORDER BY 1 DESC
SELECT customerName FROM customers ORDER BY LENGTH(customerName), customerName LIMIT 10
SELECT city, state FROM offices ORDER BY state, city
SELECT city, state FROM offices ORDER BY state DESC, city
SELECT city, state FROM offices ORDER BY state IS NULL, state, city
SELECT customerName FROM customers ORDER BY customerName LIMIT 5, 10
SELECT customerName FROM customers ORDER BY customerName LIMIT 3 OFFSET 100
SELECT customerName FROM customers ORDER BY customerName LIMIT 0
SELECT contactLastName, contactFirstName FROM customers ORDER BY contactLastName, contactFirstName, customerNumber
SELECT city FROM customers ORDER BY city, customerNumber
SELECT addressLine1 FROM customers ORDER BY addressLine1
SELECT phone FROM customers ORDER BY phone
SELECT productName, MSRP - buyPrice AS margin FROM products ORDER BY margin DESC, productName LIMIT 5
SELECT status FROM orders GROUP BY status ORDER BY FIELD(status, 'On Hold', 'Disputed'), status
SELECT orderNumber, status FROM orders WHERE orderNumber > 10410 ORDER BY CASE WHEN status = 'Shipped' THEN 1 ELSE 0 END, orderNumber
SELECT country AS c FROM customers WHERE customerNumber < 150 ORDER BY c, customerNumber
SELECT creditLimit AS amount FROM customers ORDER BY -amount, customerNumber LIMIT 5
-- conditions
SELECT COUNT(*) FROM customers WHERE country = 'usa'
SELECT COUNT(*) FROM customers WHERE country IN ('FRANCE', 'germany')
SELECT customerName FROM customers WHERE city = 'malmo'
SELECT customerName FROM customers WHERE customerName LIKE '%models%' ORDER BY 1
SELECT customerName FROM customers WHERE customerName LIKE '% &%' ORDER BY 1
SELECT customerName FROM customers WHERE contactLastName REGEXP '^[A-C].*n$' ORDER BY 1
SELECT COUNT(*) FROM customers WHERE state IS NULL AND postalCode IS NOT NULL
SELECT COUNT(*) FROM customers WHERE addressLine2 <> 'Unit 5'
SELECT COUNT(*) FROM customers WHERE NOT (addressLine2 = 'Unit 5')
SELECT COUNT(*) FROM customers WHERE addressLine2 <=> NULL
SELECT COUNT(*) FROM customers WHERE creditLimit BETWEEN 50000 AND 100000 OR country = 'Japan' AND creditLimit > 0
SELECT COUNT(*) FROM customers WHERE !(country = 'USA') && creditLimit > '50000'
SELECT COUNT(*) FROM customers WHERE postalCode > 50000
SELECT COUNT(*) FROM customers WHERE postalCode
SELECT COUNT(*) FROM offices WHERE officeCode = 4
SELECT COUNT(*) FROM offices WHERE officeCode IN (1, 2, '3')
SELECT COUNT(*) FROM products WHERE buyPrice = 54.404
SELECT COUNT(*) FROM products WHERE buyPrice * 2 > MSRP
SELECT COUNT(*) FROM products WHERE MSRP / buyPrice > 2.2
SELECT COUNT(*) FROM products WHERE buyPrice > (SELECT AVG(buyPrice) FROM products)
SELECT COUNT(*) FROM orderdetails WHERE quantityOrdered * priceEach > 5000
SELECT customerName, creditLimit FROM customers HAVING creditLimit > 140000 ORDER BY 2 DESC, 1
SELECT productName n, MSRP m FROM products HAVING m > 200 ORDER BY m DESC, n
SELECT IF(creditLimit >= 100000, 'high', IF(creditLimit > 0, 'normal', 'none')) tier, COUNT(*) FROM customers GROUP BY tier ORDER BY tier
SELECT CASE WHEN buyPrice < 40 THEN 'cheap' WHEN buyPrice < 80 THEN 'mid' ELSE 'dear' END AS c, COUNT(*), AVG(MSRP) FROM products GROUP BY c ORDER BY c
SELECT CONCAT(firstName, ' ', lastName) AS name FROM employees ORDER BY name
SELECT CONCAT(contactFirstName, ' ', contactLastName), COALESCE(state, 'n/a') FROM customers ORDER BY customerNumber LIMIT 10
SELECT CONCAT(productName, ' (', MSRP, ')') FROM products ORDER BY MSRP DESC LIMIT 3
SELECT CONCAT('$', FORMAT(SUM(amount), 2)) FROM payments
SELECT ROUND(AVG(creditLimit)), ROUND(AVG(creditLimit), 2), FLOOR(AVG(creditLimit)), TRUNCATE(AVG(creditLimit), 1), CEIL(SUM(amount)) FROM customers JOIN payments USING (customerNumber)
SELECT SUM(amount) / 3, SUM(amount) * 0.07, SUM(amount) - AVG(amount), AVG(amount) / 2, AVG(amount) * 2 FROM payments
SELECT MAX(amount) - MIN(amount), (MAX(amount) + MIN(amount)) / 2 FROM payments
SELECT COUNT(*) / COUNT(DISTINCT customerNumber), AVG(1), SUM(1.5), SUM(NULL), AVG(NULL), COUNT(NULL) FROM orders
SELECT 100 * COUNT(shippedDate) / COUNT(*) FROM orders
SELECT priceEach, quantityOrdered * priceEach AS total, ROUND(quantityOrdered * priceEach * 0.9, 2) FROM orderdetails ORDER BY total DESC, orderNumber LIMIT 5
SELECT SUM(quantityOrdered * (priceEach - buyPrice)) FROM orderdetails JOIN products USING (productCode)
SELECT LENGTH(productDescription), CHAR_LENGTH(customerName) FROM products, customers ORDER BY productCode, customerNumber LIMIT 3
SELECT *, MSRP FROM products ORDER BY productCode LIMIT 2
SELECT o.*, c.customerName FROM orders o JOIN customers c USING (customerNumber) ORDER BY orderNumber LIMIT 2
SELECT COUNT(*) FROM productlines WHERE image IS NULL AND htmlDescription IS NULL
SELECT status, MIN(orderDate), MAX(shippedDate), SUM(DATEDIFF(requiredDate, orderDate)) FROM orders GROUP BY status ORDER BY status
SELECT customerNumber, COUNT(*) c FROM orders GROUP BY customerNumber HAVING c > 5 AND MIN(orderDate) < '2004-01-01' ORDER BY c DESC, customerNumber
SELECT c.country, COUNT(DISTINCT c.customerNumber) n, SUM(p.amount) / COUNT(DISTINCT c.customerNumber) per FROM customers c LEFT JOIN payments p USING (customerNumber) GROUP BY c.country ORDER BY per DESC, c.country
SELECT YEAR(o.orderDate) y, MONTH(o.orderDate) m, SUM(d.quantityOrdered * d.priceEach) rev, COUNT(DISTINCT o.orderNumber) n FROM orders o JOIN orderdetails d ON d.orderNumber = o.orderNumber WHERE o.status <> 'Cancelled' GROUP BY y, m ORDER BY y, m
SELECT e.employeeNumber, CONCAT_WS(' ', e.firstName, e.lastName) n, IFNULL(SUM(p.amount), 0) s FROM employees e LEFT JOIN customers c ON c.salesRepEmployeeNumber = e.employeeNumber LEFT JOIN payments p ON p.customerNumber = c.customerNumber GROUP BY e.employeeNumber ORDER BY s DESC, 1
SELECT jobTitle, COUNT(*) FROM employees GROUP BY jobTitle ORDER BY COUNT(*) DESC, jobTitle
SELECT SUBSTRING_INDEX(email, '@', 1), SUBSTRING(extension, 2) + 0 FROM employees ORDER BY 1
SELECT productScale, CAST(SUBSTRING_INDEX(productScale, ':', -1) AS UNSIGNED) s, COUNT(*) FROM products GROUP BY productScale ORDER BY s
SELECT VALUE.n FROM (SELECT 1 AS n) AS VALUE
SELECT nothing FROM customers
SELECT * FROM nowhere
SELECT country, city FROM customers GROUP BY country
SELECT COUNT(*) FROM customers WHERE COUNT(*) > 1
SELECT (SELECT 1, 2)
SELECT SUM(SUM(amount)) FROM payments
SELECT customerNumber FROM orders, customers
-- more of everything, errors too
SELECT ADDTIME('10:00:00', '01:30:00'), SUBTIME('10:00:00', '01:30:00'), ADDTIME('2003-01-06 10:00:00', '02:00:00'), SUBTIME('2003-01-06 00:30:00', '01:00:00')
SELECT UNHEX('4D7953514C') = 'MySQL', FROM_BASE64('YWJj') = 'abc', INET_ATON('10.0.5.9'), INET_NTOA(167773449), IS_IPV4('1.2.3.4'), IS_IPV4('x')
SELECT MAKE_SET(1 | 4, 'hello', 'nice', 'world')
SELECT TIMESTAMP('2003-01-06', '10:20:30'), TIMESTAMP('2003-01-06 01:00:00', '10:20:30')
SELECT ADDTIME(TIME '10:00:00', '01:00:00.5'), ADDTIME(TIMESTAMP '2003-01-06 10:00:00', '1 01:00:00'), ADDTIME('10:00:00','2003-01-06 10:00:00'), UNHEX('4D79'), UNHEX('G'), LEAST('abc', 1), GREATEST(2.50, '10')
SELECT GREATEST(100, '12.5'), LEAST(100, '12.5'), GREATEST(2, '10'), GREATEST('2', '10')
SELECT orderNumber, SUM(quantityOrdered) OVER (PARTITION BY orderNumber ORDER BY orderLineNumber) s FROM orderdetails WHERE orderNumber < 10103 ORDER BY orderNumber, orderLineNumber
SELECT orderNumber, AVG(priceEach) OVER (PARTITION BY orderNumber) a, priceEach - AVG(priceEach) OVER (PARTITION BY orderNumber) d FROM orderdetails WHERE orderNumber < 10103 ORDER BY orderNumber, orderLineNumber
SELECT customerNumber, MIN(amount) OVER w, MAX(amount) OVER w, COUNT(*) OVER w FROM payments WHERE customerNumber < 130 WINDOW w AS (PARTITION BY customerNumber) ORDER BY customerNumber, checkNumber
SELECT city, COUNT(*) OVER (PARTITION BY territory ORDER BY city RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) c FROM offices ORDER BY territory, city
SELECT officeCode, SUM(officeCode) OVER (ORDER BY officeCode ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) s FROM offices ORDER BY officeCode
SELECT officeCode, SUM(officeCode) OVER w1 a, COUNT(*) OVER (w1 ROWS UNBOUNDED PRECEDING) b FROM offices WINDOW w1 AS (ORDER BY officeCode) ORDER BY officeCode
SELECT status, RANK() OVER (ORDER BY n DESC) r FROM (SELECT status, COUNT(*) n FROM orders GROUP BY status) t ORDER BY r, status
SELECT YEAR(paymentDate) y, SUM(amount) s, SUM(amount) / SUM(SUM(amount)) OVER () * 100 pct FROM payments GROUP BY y ORDER BY y
SELECT customerNumber, amount, ROUND(PERCENT_RANK() OVER (ORDER BY amount), 3) p FROM payments ORDER BY amount DESC, checkNumber LIMIT 5
SELECT productLine, MSRP, LAG(MSRP) OVER (PARTITION BY productLine ORDER BY productCode) l FROM products ORDER BY productCode LIMIT 10
SELECT COUNT(*) OVER () FROM offices LIMIT 1
SELECT territory, GROUP_CONCAT(city ORDER BY city DESC) FROM offices GROUP BY territory HAVING COUNT(*) > 1 ORDER BY territory
SELECT GROUP_CONCAT(DISTINCT territory ORDER BY territory), GROUP_CONCAT(state), GROUP_CONCAT(NULL) FROM offices
SELECT GROUP_CONCAT(officeCode + 0 ORDER BY officeCode DESC SEPARATOR '') FROM offices
SELECT COUNT(DISTINCT LOWER(country)), COUNT(DISTINCT country, NULL), COUNT(DISTINCT 1) FROM customers
SELECT country FROM customers GROUP BY country HAVING COUNT(*) = (SELECT COUNT(*) FROM offices) ORDER BY 1
SELECT country, COUNT(*) AS c FROM customers GROUP BY country HAVING c > 3 AND country <> 'USA' ORDER BY c DESC, country
SELECT c.country AS land, COUNT(*) FROM customers AS c GROUP BY land ORDER BY land DESC LIMIT 3
SELECT COUNT(*) c, c.country FROM customers c GROUP BY c.country ORDER BY c DESC, 2 LIMIT 3
SELECT productLine, COUNT(*) FROM products GROUP BY productLine ORDER BY AVG(MSRP) DESC
SELECT productLine FROM products GROUP BY productLine ORDER BY SUM(quantityInStock) DESC LIMIT 2
SELECT MAX(productName), MIN(productName), MAX(customerName) FROM products, customers
SELECT MIN(LENGTH(customerName)), MAX(CHAR_LENGTH(contactLastName)) FROM customers
SELECT SUM(status = 'Shipped') / COUNT(*), AVG(status = 'Shipped'), AVG(shippedDate IS NULL) FROM orders
SELECT AVG(NULLIF(creditLimit, 0)), AVG(creditLimit), SUM(creditLimit > 0) FROM customers
SELECT BIT_COUNT(5), 5 <=> 5, 'a' <=> NULL
SELECT COUNT(*) FROM orders WHERE status IN ('Shipped', 'Resolved') AND comments IS NOT NULL AND comments <> ''
SELECT COUNT(*) FROM orders WHERE comments LIKE '%warehouse%' OR comments LIKE '%gift%'
SELECT COUNT(*) FROM orders WHERE orderDate = '2003-01-06' OR '2003-01-07' = orderDate
SELECT COUNT(*) FROM orders WHERE orderDate >= 20040101
SELECT COUNT(*) FROM orders WHERE orderDate + INTERVAL 7 DAY < requiredDate
SELECT COUNT(*) FROM orders WHERE MONTH(orderDate) IN (11, 12) AND YEAR(orderDate) = 2004
SELECT COUNT(*) FROM orders WHERE DATE_FORMAT(orderDate, '%Y') = 2004
SELECT COUNT(*) FROM orders WHERE EXTRACT(YEAR FROM orderDate) BETWEEN 2003 AND 2004
SELECT COUNT(*) FROM orders WHERE DAYOFWEEK(orderDate) IN (1, 7)
SELECT COUNT(*) FROM orders WHERE DATEDIFF(shippedDate, orderDate) > 5
SELECT COUNT(*) FROM orders WHERE TIMESTAMPDIFF(DAY, orderDate, shippedDate) > 5
SELECT COUNT(*) FROM orders WHERE CAST(orderDate AS CHAR) LIKE '2005%'
SELECT COUNT(*) FROM orders WHERE LAST_DAY(orderDate) = orderDate
SELECT DISTINCT MONTHNAME(orderDate) m FROM orders WHERE YEAR(orderDate) = 2003 ORDER BY m
SELECT MIN(YEAR(orderDate)), MAX(MONTH(orderDate)), SUM(DAY(orderDate)) FROM orders
SELECT YEAR(orderDate) * 100 + MONTH(orderDate) ym, COUNT(*) FROM orders GROUP BY ym ORDER BY ym DESC LIMIT 3
SELECT orderNumber, CONCAT(YEAR(orderDate), '-Q', QUARTER(orderDate)) q FROM orders ORDER BY orderNumber LIMIT 4
SELECT SUBDATE(MAX(orderDate), INTERVAL 1 MONTH), MAX(orderDate) - INTERVAL 1 YEAR FROM orders
SELECT COUNT(*) FROM payments WHERE paymentDate > (SELECT MAX(paymentDate) FROM payments) - INTERVAL 30 DAY
SELECT COUNT(*) FROM payments p WHERE amount > (SELECT AVG(amount) * 2 FROM payments q WHERE q.customerNumber = p.customerNumber)
SELECT c.customerName, COALESCE(SUM(p.amount), 0) total FROM customers c LEFT JOIN payments p ON c.customerNumber = p.customerNumber AND YEAR(p.paymentDate) = 2004 GROUP BY c.customerNumber HAVING total > 100000 ORDER BY total DESC
SELECT c.customerName, o.n, p.s FROM customers c JOIN (SELECT customerNumber, COUNT(*) n FROM orders GROUP BY customerNumber) o USING (customerNumber) JOIN (SELECT customerNumber, SUM(amount) s FROM payments GROUP BY customerNumber) p USING (customerNumber) ORDER BY p.s DESC LIMIT 5
SELECT a.lastName, b.lastName FROM employees a LEFT JOIN employees b ON b.employeeNumber = a.reportsTo AND b.jobTitle LIKE 'VP%' ORDER BY a.employeeNumber
SELECT e.officeCode, COUNT(DISTINCT c.customerNumber) FROM employees e LEFT JOIN customers c ON c.salesRepEmployeeNumber = e.employeeNumber GROUP BY e.officeCode ORDER BY 1
SELECT p.productVendor, COUNT(DISTINCT d.orderNumber) n FROM products p JOIN orderdetails d USING (productCode) GROUP BY p.productVendor ORDER BY n DESC, 1 LIMIT 5
SELECT customerNumber FROM customers WHERE EXISTS (SELECT customerNumber FROM orders WHERE orders.customerNumber = customers.customerNumber GROUP BY customerNumber HAVING COUNT(*) > 8) ORDER BY 1
SELECT productCode, quantityInStock, (SELECT SUM(quantityOrdered) FROM orderdetails d WHERE d.productCode = p.productCode) AS sold FROM products p WHERE quantityInStock < (SELECT SUM(quantityOrdered) FROM orderdetails d WHERE d.productCode = p.productCode) ORDER BY 1
SELECT COUNT(*) FROM customers WHERE (SELECT COUNT(*) FROM orders o WHERE o.customerNumber = customers.customerNumber) = 0
SELECT (SELECT MAX(amount) FROM payments) - (SELECT MIN(amount) FROM payments), (SELECT COUNT(*) FROM orders) / (SELECT COUNT(*) FROM customers)
SELECT x.a, y.b FROM (SELECT 1 a UNION SELECT 2) x LEFT JOIN (SELECT 2 b) y ON x.a = y.b ORDER BY 1
SELECT * FROM (SELECT 1 AS a, 'x' AS b) t NATURAL JOIN (SELECT 1 AS a, 'y' AS c) u
SELECT t.* FROM (SELECT city, country FROM offices) t ORDER BY city LIMIT 2
SELECT COUNT(*) FROM (SELECT 1 FROM customers UNION ALL SELECT 2 FROM offices) t
SELECT city FROM customers WHERE country = 'USA' UNION SELECT city FROM offices WHERE country = 'USA' ORDER BY city LIMIT 5
SELECT city, 'customer' AS kind FROM customers WHERE country = 'Japan' UNION ALL SELECT city, 'office' FROM offices WHERE country = 'Japan' ORDER BY kind, city
(SELECT 1 AS n) UNION ALL (SELECT 3) UNION ALL (SELECT 2) ORDER BY n DESC
SELECT DISTINCT productScale FROM products ORDER BY productScale
SELECT DISTINCT city, country FROM customers WHERE country IN ('Norway', 'Sweden') ORDER BY country, city
SELECT ALL territory FROM offices ORDER BY 1
SELECT DISTINCT jobTitle FROM employees ORDER BY LENGTH(jobTitle), jobTitle
SELECT customerName FROM customers ORDER BY SUBSTRING(customerName, 2, 1), customerName LIMIT 5
SELECT orderNumber FROM orders ORDER BY shippedDate IS NULL DESC, shippedDate, orderNumber LIMIT 5
SELECT orderNumber FROM orders ORDER BY shippedDate DESC, orderNumber LIMIT 5
SELECT orderNumber, shippedDate FROM orders ORDER BY shippedDate, orderNumber LIMIT 25
SELECT country, creditLimit FROM customers ORDER BY country ASC, creditLimit DESC, customerNumber LIMIT 12
SELECT contactLastName FROM customers ORDER BY contactLastName COLLATE utf8mb4_bin, customerNumber LIMIT 12
SELECT contactFirstName FROM customers WHERE contactFirstName > 'S' ORDER BY 1, customerNumber
SELECT contactFirstName FROM customers WHERE contactFirstName LIKE 'É%' OR contactFirstName LIKE 'ø%' ORDER BY 1, customerNumber
SELECT customerName, city FROM customers WHERE city = 'Goteborg' OR city = 'MÁLAGA' OR city LIKE 'québec' ORDER BY 1
SELECT customerName FROM customers WHERE customerName LIKE '%\%%' OR customerName LIKE '\_%'
SELECT COUNT(*) FROM customers WHERE phone REGEXP '^[+]1 [0-9]{3} 555'
SELECT COUNT(*) FROM products WHERE productName REGEXP '^19[0-4][0-9]' AND productName NOT REGEXP 'Coup'
SELECT productName FROM products WHERE productName RLIKE 'engine|coach' ORDER BY 1
SELECT SUBSTRING_INDEX(productName, ' ', 1) y, COUNT(*) n FROM products WHERE productLine = 'Vintage Cars' GROUP BY y HAVING n > 1 ORDER BY n DESC, y
SELECT CONCAT(UPPER(LEFT(lastName, 1)), LOWER(SUBSTRING(lastName, 2))) FROM employees ORDER BY employeeNumber LIMIT 5
SELECT CONCAT_WS(', ', addressLine1, addressLine2, city, state, postalCode, country) FROM customers ORDER BY customerNumber LIMIT 8
SELECT LPAD(customerNumber, 6, '0'), RPAD(city, 12, '.'), REPEAT('*', 3) FROM customers ORDER BY customerNumber LIMIT 3
SELECT FORMAT(creditLimit, 0), FORMAT(creditLimit, 2), FORMAT(SUM(creditLimit) OVER (), 1) FROM customers ORDER BY customerNumber LIMIT 3
SELECT REPLACE(FORMAT(MSRP, 2), '.', ',') FROM products ORDER BY productCode LIMIT 3
SELECT ROUND(MSRP), ROUND(MSRP, 1), ROUND(MSRP, -1), CEIL(MSRP), FLOOR(MSRP), TRUNCATE(MSRP, 1), MSRP DIV 1, MSRP % 10 FROM products ORDER BY productCode LIMIT 8
SELECT ROUND(buyPrice * 1.19, 2), buyPrice * 1.19, buyPrice / MSRP, 1 - buyPrice / MSRP, (MSRP - buyPrice) / MSRP * 100 FROM products ORDER BY productCode LIMIT 8
SELECT SUM(quantityOrdered * priceEach) * 0.1, ROUND(SUM(quantityOrdered * priceEach) * 0.1, 2) FROM orderdetails
SELECT AVG(quantityOrdered) * AVG(priceEach), AVG(quantityOrdered * 1.0), AVG(priceEach + 0.005) FROM orderdetails
SELECT SQRT(AVG(MSRP)), POW(MSRP, 2), LOG10(MSRP), EXP(1) FROM products GROUP BY MSRP ORDER BY MSRP LIMIT 3
SELECT MSRP * 1e0, MSRP + 0e0, CAST(MSRP AS SIGNED), CAST(MSRP AS DECIMAL(10,1)), CAST(MSRP AS CHAR) FROM products ORDER BY productCode LIMIT 4
SELECT quantityInStock / 7, quantityInStock * 1.5, -quantityInStock, quantityInStock - 100000 FROM products ORDER BY productCode LIMIT 3
SELECT SUM(quantityInStock) / COUNT(*) = AVG(quantityInStock), SUM(buyPrice) / COUNT(*) = AVG(buyPrice) FROM products
SELECT AVG(buyPrice) > 50, AVG(buyPrice) = ROUND(AVG(buyPrice), 2), COUNT(*) > 100 FROM products
SELECT MAX(buyPrice) FROM products WHERE buyPrice < (SELECT MAX(buyPrice) FROM products)
SELECT DISTINCT creditLimit FROM customers ORDER BY creditLimit DESC LIMIT 1 OFFSET 1
SELECT IF(COUNT(*) > 100, 'many', 'few') FROM customers
SELECT CASE territory WHEN 'NA' THEN 'America' WHEN 'EMEA' THEN 'Europe' ELSE territory END t, COUNT(*) FROM offices GROUP BY t ORDER BY t
SELECT IFNULL(state, country), NULLIF(territory, 'NA'), COALESCE(state, addressLine2, 'none') FROM offices ORDER BY officeCode
SELECT NOT EXISTS (SELECT 1 FROM offices WHERE city = 'Rome'), EXISTS (SELECT * FROM offices WHERE city = 'lyon')
SELECT 'It''s', "double", 'a\nb', 'tab\there', '\\', 'x' 'y'
SELECT `city` AS `the city`, country 'land' FROM offices ORDER BY `the city` LIMIT 2
SELECT COUNT(*) AS `count`, SUM(amount) `sum` FROM payments
SELECT o.officeCode oc, e.employeeNumber en FROM offices o INNER JOIN employees e ON o.officeCode = e.officeCode AND e.jobTitle = 'Sales Rep' WHERE o.country NOT IN ('USA', 'France') ORDER BY 1, 2
SELECT 1 FROM DUAL
SELECT 1 FROM DUAL WHERE 1 = 2
SELECT COUNT(*) FROM customers WHERE 1 = 1 AND NOT FALSE
SELECT 1 + NULL, CONCAT('a', NULL), NULL = 1, NULL IN (1), NOT NULL, NULL AND 0, NULL OR 1
SELECT nosuch(1)
SELECT COUNT(*) FROM orders WHERE foo = 1
SELECT o.foo FROM orders o
SELECT city FROM offices, customers
SELECT x.city FROM offices
SELECT country, MAX(city), phone FROM customers GROUP BY country
SELECT country FROM customers HAVING COUNT(*) > 1 AND city = 'x'
SELECT COUNT(*) FROM customers GROUP BY 2
SELECT city FROM offices ORDER BY 3
SELECT city FROM offices UNION SELECT city, country FROM offices
SELECT * FROM offices WHERE officeCode = (SELECT officeCode, city FROM offices)
SELECT * FROM (SELECT 1)
SELECT AVG(COUNT(*)) FROM orders
SELECT RANK() OVER (ORDER BY city) FROM offices WHERE RANK() OVER (ORDER BY city) = 1
SELECT city FROM offices WHERE officeCode IN (SELECT officeCode FROM employees LIMIT 1)
SELECT customerName FROM customers WHERE customerNumber = (SELECT customerNumber FROM orders)
SELECT (SELECT orderNumber FROM orders WHERE orders.customerNumber = customers.customerNumber) FROM customers
SELECT 2003 - YEAR(orderDate) FROM orders
SELECT EXP(1000), POW(10, 400)
-- places of DECIMAL results
SELECT IF(1, 1, 2.50), IF(0, 1, 2.50), IFNULL(NULL, 1), IFNULL(1, 2.50), COALESCE(1, 2.50), COALESCE(NULL, 1, 2.50), CASE WHEN 1 THEN 1 ELSE 2.50 END, NULLIF(1, 2.50), GREATEST(3, 2.50), LEAST(2, 2.50)
SELECT customerNumber, IF(customerNumber < 120, customerNumber, creditLimit) FROM customers
SELECT customerNumber, CASE WHEN customerNumber < 120 THEN customerNumber ELSE creditLimit END FROM customers
SELECT customerNumber, COALESCE(salesRepEmployeeNumber, creditLimit) FROM customers
SELECT customerNumber, IFNULL(salesRepEmployeeNumber, creditLimit) FROM customers
SELECT customerNumber, IF(salesRepEmployeeNumber IS NULL, 0, creditLimit) FROM customers
SELECT customerNumber, CASE WHEN salesRepEmployeeNumber IS NULL THEN 0 ELSE creditLimit END FROM customers
SELECT customerNumber, COALESCE(NULLIF(creditLimit, 0), 0) FROM customers
SELECT customerNumber, IFNULL(NULLIF(creditLimit, 0), 0) FROM customers
SELECT customerNumber, IF(salesRepEmployeeNumber IS NULL, 0, creditLimit) FROM customers ORDER BY 2, 1
SELECT DISTINCT IF(salesRepEmployeeNumber IS NULL, 0, creditLimit) FROM customers
SELECT customerNumber, MAX(IF(salesRepEmployeeNumber IS NULL, 0, creditLimit)) FROM customers GROUP BY customerNumber
SELECT SUM(IF(salesRepEmployeeNumber IS NULL, 0, creditLimit)) FROM customers
SELECT country, SUM(IF(salesRepEmployeeNumber IS NULL, 0, creditLimit)) FROM customers GROUP BY country
SELECT IF(salesRepEmployeeNumber IS NULL, 0, creditLimit) + 1 FROM customers
SELECT IF(salesRepEmployeeNumber IS NULL, 0, creditLimit) * 2, ROUND(IF(salesRepEmployeeNumber IS NULL, 0, creditLimit), 1), -IF(salesRepEmployeeNumber IS NULL, 0, creditLimit), ABS(IF(salesRepEmployeeNumber IS NULL, 0, creditLimit)) FROM customers
SELECT CONCAT(IF(salesRepEmployeeNumber IS NULL, 0, creditLimit)), GREATEST(customerNumber, creditLimit), LEAST(customerNumber, creditLimit), NULLIF(creditLimit, 5) FROM customers
SELECT IF(salesRepEmployeeNumber IS NULL, 0.5, creditLimit), CASE WHEN salesRepEmployeeNumber IS NULL THEN 0.5 ELSE creditLimit END, IFNULL(NULLIF(creditLimit, 0), 0.1234) FROM customers
SELECT MIN(CASE WHEN creditLimit > 50000 THEN 1 ELSE 0.25 END), MAX(CASE WHEN creditLimit > 50000 THEN 1 ELSE 0.25 END), SUM(CASE WHEN creditLimit > 50000 THEN 1 ELSE 0.25 END) FROM customers
SELECT country, MIN(CASE WHEN creditLimit > 50000 THEN 1 ELSE 0.25 END), MAX(CASE WHEN creditLimit > 50000 THEN 1 ELSE 0.25 END) FROM customers GROUP BY country
SELECT IFNULL(SUM(amount), 0), COALESCE(AVG(amount), 0), IF(COUNT(*) = 0, 0, SUM(amount)) FROM payments WHERE amount < 0
SELECT c.country, IFNULL(SUM(p.amount), 0), COALESCE(SUM(p.amount), 0), CASE WHEN SUM(p.amount) IS NULL THEN 0 ELSE SUM(p.amount) END FROM customers c LEFT JOIN payments p USING (customerNumber) GROUP BY c.country
SELECT c.customerNumber, IFNULL(SUM(p.amount), 0), COALESCE(SUM(p.amount), 0), CASE WHEN SUM(p.amount) IS NULL THEN 0 ELSE SUM(p.amount) END FROM customers c LEFT JOIN payments p USING (customerNumber) GROUP BY c.customerNumber
SELECT productLine, AVG(MSRP / quantityInStock) FROM products GROUP BY productLine
SELECT productVendor, AVG(MSRP / quantityInStock), SUM(MSRP / quantityInStock) FROM products GROUP BY productVendor
SELECT productCode, AVG(MSRP / quantityInStock), SUM(MSRP / quantityInStock) FROM products GROUP BY productCode
SELECT AVG(MSRP / quantityInStock), SUM(MSRP / quantityInStock), MAX(MSRP / quantityInStock) FROM products
SELECT productCode, SUM(priceEach / quantityOrdered), AVG(1 / quantityOrdered) FROM orderdetails GROUP BY productCode
SELECT o.orderNumber, SUM(priceEach / quantityOrdered), AVG(1 / quantityOrdered) FROM orders o JOIN orderdetails USING (orderNumber) GROUP BY o.orderNumber
SELECT o.customerNumber, SUM(priceEach / quantityOrdered), AVG(1 / quantityOrdered) FROM orders o JOIN orderdetails USING (orderNumber) GROUP BY o.customerNumber
SELECT o.status, SUM(priceEach / quantityOrdered), AVG(1 / quantityOrdered) FROM orders o JOIN orderdetails USING (orderNumber) GROUP BY o.status
SELECT o.status, o.customerNumber, SUM(priceEach / quantityOrdered) FROM orders o JOIN orderdetails USING (orderNumber) GROUP BY o.status, o.customerNumber
SELECT YEAR(orderDate), SUM(priceEach / quantityOrdered), COUNT(DISTINCT productCode) FROM orders o JOIN orderdetails USING (orderNumber) GROUP BY YEAR(orderDate)
SELECT YEAR(orderDate) - 2000, MONTH(orderDate) - 12 FROM orders ORDER BY orderNumber LIMIT 3
SELECT -(-3), - -2.5, -(-'4'), 0 - -1
SELECT 1 AS k, COUNT(*) FROM orders GROUP BY k
-- JSON
SELECT JSON_OBJECT('a', 1, 'bb', 'x', 'c', NULL), JSON_OBJECT(), JSON_OBJECT('b', 1, 'a', 2, 'b', 3), JSON_OBJECT(1, 2)
SELECT JSON_ARRAY(1, 'two', NULL, 3.50, 4e0, 1e100, TRUE, FALSE, 1 = 1, DATE '2004-01-02', TIMESTAMP '2004-01-02 03:04:05', TIME '10:11:12'), JSON_ARRAY()
SELECT JSON_ARRAY(JSON_OBJECT('a', JSON_ARRAY(1, 2)), '{"a": 1}', CAST('{"a": 1}' AS JSON)), JSON_ARRAY(JSON_ARRAY(1.50, 1.5e0))
SELECT JSON_EXTRACT('{"a": 1, "b": [10, 20, {"c": "x"}]}', '$.a'), JSON_EXTRACT('{"a": 1, "b": [10, 20, {"c": "x"}]}', '$.b'), JSON_EXTRACT('{"b": [10, 20, {"c": "x"}]}', '$.b[2].c'), JSON_EXTRACT('{"a": 1}', '$.z'), JSON_EXTRACT('{"a": null}', '$.a')
SELECT JSON_EXTRACT('{"a": 1, "b": 2}', '$.a', '$.b'), JSON_EXTRACT('{"a": 1, "b": 2}', '$.a', '$.z'), JSON_EXTRACT('{"a": 1, "b": 2}', '$.*'), JSON_EXTRACT('[1, [2, 3]]', '$[*]'), JSON_EXTRACT('{"a": {"b": 1}, "c": [{"b": 2}]}', '$**.b')
SELECT JSON_EXTRACT('[1, 2, 3, 4]', '$[last]'), JSON_EXTRACT('[1, 2, 3, 4]', '$[last-1]'), JSON_EXTRACT('[1, 2, 3, 4]', '$[1 to 2]'), JSON_EXTRACT('[1, 2, 3, 4]', '$[last-2 to last]'), JSON_EXTRACT('[1, 2]', '$[9]'), JSON_EXTRACT('7', '$[0]'), JSON_EXTRACT('7', '$')
SELECT JSON_EXTRACT('{"a b": 1, "ä": 2, "$x": 3}', '$."a b"'), JSON_EXTRACT('{"a b": 1, "ä": 2}', '$.ä'), JSON_EXTRACT('{"$x": 3}', '$.$x'), JSON_EXTRACT('{"a": 1}', ' $ . a ')
SELECT JSON_EXTRACT(NULL, '$'), JSON_EXTRACT('[1]', NULL), JSON_LENGTH(NULL), JSON_TYPE(NULL), JSON_DEPTH(NULL), JSON_KEYS(NULL), JSON_VALID(NULL), JSON_QUOTE(NULL), JSON_UNQUOTE(NULL)
SELECT JSON_UNQUOTE('"a\\tb"'), JSON_UNQUOTE('abc'), JSON_UNQUOTE('"'), JSON_UNQUOTE(''), JSON_UNQUOTE(JSON_EXTRACT('{"a": "x\\"y"}', '$.a')), JSON_UNQUOTE(JSON_EXTRACT('{"a": [1, "x"]}', '$.a')), JSON_UNQUOTE(CAST('null' AS JSON))
SELECT JSON_QUOTE('a"b\\c'), JSON_QUOTE(''), JSON_QUOTE('null'), JSON_QUOTE('a\nb\tc'), JSON_QUOTE('é/')
SELECT JSON_LENGTH('[1, 2, {"a": 3}]'), JSON_LENGTH('{"a": 1, "b": {"c": 30}}'), JSON_LENGTH('{"a": 1, "b": {"c": 30}}', '$.b'), JSON_LENGTH('5'), JSON_LENGTH('[]'), JSON_LENGTH('[1]', '$.x')
SELECT JSON_DEPTH('{}'), JSON_DEPTH('[]'), JSON_DEPTH('true'), JSON_DEPTH('[10, 20]'), JSON_DEPTH('[10, {"a": 20}]'), JSON_DEPTH('[[], {}]')
SELECT JSON_KEYS('{"b": 1, "aa": {"x": 2}, "a": 3}'), JSON_KEYS('{"aa": {"x": 2}}', '$.aa'), JSON_KEYS('[1]'), JSON_KEYS('{}')
SELECT JSON_TYPE('{}'), JSON_TYPE('[]'), JSON_TYPE('"x"'), JSON_TYPE('1'), JSON_TYPE('1.5'), JSON_TYPE('true'), JSON_TYPE('null'), JSON_TYPE('18446744073709551615'), JSON_TYPE('1e3'), JSON_TYPE('-7')
SELECT JSON_TYPE(JSON_EXTRACT(JSON_OBJECT('d', DATE '2004-01-02', 't', TIME '01:02:03', 'dt', TIMESTAMP '2004-01-02 03:04:05', 'n', 1.50, 'f', 1.5e0), '$.d')), JSON_TYPE(JSON_EXTRACT(JSON_ARRAY(1.50), '$[0]')), JSON_TYPE(JSON_EXTRACT(JSON_ARRAY(1.5e0), '$[0]')), JSON_TYPE(JSON_EXTRACT(JSON_ARRAY(TIMESTAMP '2004-01-02 03:04:05'), '$[0]'))
SELECT JSON_VALID('{"a": 1}'), JSON_VALID('{a: 1}'), JSON_VALID('hello'), JSON_VALID('"hello"'), JSON_VALID(''), JSON_VALID(1), JSON_VALID('01'), JSON_VALID('[1,]'), JSON_VALID('1 2'), JSON_VALID(' [ ] '), JSON_VALID('nul'), JSON_VALID(JSON_ARRAY())
SELECT JSON_CONTAINS('{"a": 1, "b": 2, "c": {"d": 4}}', '1', '$.a'), JSON_CONTAINS('{"a": 1, "c": {"d": 4}}', '{"d": 4}', '$.c'), JSON_CONTAINS('[1, 2, [3]]', '2'), JSON_CONTAINS('[1, 2]', '[2, 1]'), JSON_CONTAINS('[1, 2]', '[3]'), JSON_CONTAINS('{"a": 1}', '{"a": 1, "b": 2}'), JSON_CONTAINS('{"a": 1}', '1', '$.z'), JSON_CONTAINS('[1, [2, 3]]', '[2]'), JSON_CONTAINS('1.0', '1')
SELECT JSON_CONTAINS_PATH('{"a": 1, "b": 2, "c": {"d": 4}}', 'one', '$.a', '$.e'), JSON_CONTAINS_PATH('{"a": 1, "c": {"d": 4}}', 'all', '$.a', '$.e'), JSON_CONTAINS_PATH('{"c": {"d": 4}}', 'ONE', '$.c.d'), JSON_CONTAINS_PATH('{"c": {"d": 4}}', 'all', '$**.d')
SELECT JSON_SET('{"a": 1, "b": [2, 3]}', '$.a', 10, '$.c', '[true, false]'), JSON_INSERT('{"a": 1, "b": [2, 3]}', '$.a', 10, '$.c', 4), JSON_REPLACE('{"a": 1, "b": [2, 3]}', '$.a', 10, '$.c', 4), JSON_SET('[1]', '$[5]', 2), JSON_SET('{"a": 1}', '$.b.c', 2), JSON_SET('1', '$[1]', 2), JSON_SET('{"a": 1}', '$', 5)
SELECT JSON_REMOVE('["a", ["b", "c"], "d"]', '$[1]'), JSON_REMOVE('{"a": 1, "b": {"c": 2}}', '$.b.c', '$.a'), JSON_REMOVE('{"a": 1}', '$.z'), JSON_REMOVE('[1, 2, 3]', '$[last]')
SELECT JSON_ARRAY_APPEND('["a", ["b", "c"], "d"]', '$[1]', 1), JSON_ARRAY_APPEND('["a"]', '$[0]', 2), JSON_ARRAY_APPEND('{"a": 1}', '$', 'z'), JSON_ARRAY_APPEND('{"a": 1}', '$.x', 'z'), JSON_ARRAY_INSERT('["a", {"b": [1, 2]}]', '$[1]', 'x'), JSON_ARRAY_INSERT('["a"]', '$[100]', 'x'), JSON_ARRAY_INSERT('["a", {"b": [1, 2]}]', '$[1].b[0]', 'x')
SELECT JSON_MERGE_PATCH('[1, 2]', '[true]'), JSON_MERGE_PATCH('{"name": "x"}', '{"id": 47}'), JSON_MERGE_PATCH('{"a": 1, "b": 2}', '{"a": null, "c": {"d": null, "e": 1}}'), JSON_MERGE_PATCH('1', 'true'), JSON_MERGE_PATCH('{"a": {"x": 1}}', '{"a": {"y": 2}}', '{"a": {"x": 3}}')
SELECT JSON_MERGE_PRESERVE('[1, 2]', '[true]'), JSON_MERGE_PRESERVE('{"a": 1}', '{"a": 2, "b": 3}'), JSON_MERGE_PRESERVE('1', 'true'), JSON_MERGE_PRESERVE('[1]', '{"id": 47}'), JSON_MERGE_PRESERVE('{"a": 1}', '{"a": [2]}', '{"a": {"x": 3}}')
SELECT JSON_SEARCH('["abc", [{"k": "10"}, "def"], {"x":"abc"}, {"y":"bcd"}]', 'one', 'abc'), JSON_SEARCH('["abc", [{"k": "10"}, "def"], {"x":"abc"}]', 'all', 'abc'), JSON_SEARCH('["abc"]', 'all', 'ghi'), JSON_SEARCH('["abc", {"x y": "bcd"}]', 'all', '%b%'), JSON_SEARCH('["abc", {"x": "abc"}]', 'all', 'abc', NULL, '$[1]'), JSON_SEARCH('["ABC"]', 'one', 'abc')
SELECT JSON_OBJECT('n', customerNumber, 'name', customerName, 'limit', creditLimit, 'state', state) FROM customers ORDER BY customerNumber LIMIT 5
SELECT JSON_OBJECT('d', orderDate, 's', status) FROM orders ORDER BY orderNumber LIMIT 3
SELECT productLine, JSON_LENGTH(JSON_ARRAYAGG(productCode)) FROM products GROUP BY productLine
SELECT JSON_ARRAYAGG(reportsTo) FROM employees WHERE employeeNumber < 1100
SELECT JSON_ARRAYAGG(JSON_OBJECT('c', city, 'k', officeCode)) FROM offices
SELECT JSON_OBJECTAGG(officeCode, city) FROM offices
SELECT country, JSON_OBJECTAGG(city, JSON_ARRAY(officeCode, territory)) FROM offices GROUP BY country
SELECT JSON_ARRAYAGG(amount) FROM payments WHERE customerNumber = 103
SELECT JSON_ARRAYAGG(city) FROM offices WHERE 1 = 0
SELECT JSON_OBJECTAGG(state, city) FROM offices
SELECT JSON_LENGTH(JSON_ARRAYAGG(orderNumber)), status FROM orders GROUP BY status
SELECT x.doc, JSON_EXTRACT(x.doc, '$.limit') > 50000 AS big FROM (SELECT JSON_OBJECT('n', customerNumber, 'limit', creditLimit) AS doc FROM customers WHERE customerNumber < 130) AS x
SELECT x.doc->'$.name', x.doc->>'$.name', x.doc->>'$.n' + 1, CONCAT(x.doc->>'$.name', '!') FROM (SELECT JSON_OBJECT('n', customerNumber, 'name', customerName) AS doc FROM customers WHERE customerNumber < 120) AS x
SELECT x.doc->>'$.country' AS country, COUNT(*) FROM (SELECT JSON_OBJECT('country', country) AS doc FROM customers) AS x GROUP BY country ORDER BY COUNT(*) DESC, country LIMIT 4
SELECT COUNT(*) FROM (SELECT JSON_OBJECT('country', country, 'n', customerNumber) AS doc FROM customers) AS x WHERE x.doc->'$.country' = 'USA'
SELECT COUNT(*) FROM (SELECT JSON_OBJECT('country', country, 'n', customerNumber) AS doc FROM customers) AS x WHERE x.doc->>'$.country' = 'usa'
SELECT COUNT(*) FROM (SELECT JSON_OBJECT('country', country, 'n', customerNumber) AS doc FROM customers) AS x WHERE x.doc->'$.n' >= 300 AND x.doc->>'$.country' LIKE 'U%'
SELECT SUM(x.doc->'$.n'), AVG(x.doc->'$.limit') FROM (SELECT JSON_OBJECT('n', customerNumber, 'limit', creditLimit) AS doc FROM customers) AS x
SELECT JSON_EXTRACT('{"a": 1}', '$.a') = 1, JSON_EXTRACT('{"a": "1"}', '$.a') = 1, JSON_EXTRACT('{"a": 1.0}', '$.a') = 1, JSON_EXTRACT('{"a": "x"}', '$.a') = 'x', JSON_EXTRACT('{"a": "x"}', '$.a') = 'X', JSON_EXTRACT('{"a": true}', '$.a') = TRUE, JSON_EXTRACT('{"a": null}', '$.a') IS NULL, JSON_EXTRACT('{"a": 5}', '$.a') < 'x'
SELECT CAST('{"b": 1, "a": [1, 2.0, "x"]}' AS JSON), CAST(5 AS JSON), CAST(1.50 AS JSON), CAST(NULL AS JSON), CAST('"x"' AS JSON), CAST(DATE '2004-01-02' AS JSON), CAST(TRUE AS JSON)
SELECT CAST(JSON_EXTRACT('{"a": 12}', '$.a') AS SIGNED), CAST(JSON_EXTRACT('{"a": "12.5"}', '$.a') AS DECIMAL(6,2)), CAST(JSON_EXTRACT('{"a": 12.5}', '$.a') AS CHAR), CAST(JSON_EXTRACT('{"a": "x"}', '$.a') AS CHAR), CAST(CAST('[1, 2]' AS JSON) AS CHAR(4))
SELECT UPPER(JSON_EXTRACT('{"a": "x"}', '$.a')), LENGTH(JSON_ARRAY(1, 2)), CONCAT(JSON_OBJECT('a', 1), 'x'), REPLACE(JSON_ARRAY('a'), 'a', 'b'), JSON_ARRAY(1) LIKE '%1%'
SELECT IF(1, JSON_ARRAY(1), NULL), COALESCE(JSON_EXTRACT('{}', '$.a'), 'none'), IFNULL(JSON_EXTRACT('{"a": 1}', '$.a'), 0), CASE WHEN 1 THEN JSON_OBJECT('a', 1) ELSE JSON_ARRAY() END
SELECT JSON_EXTRACT('not json', '$.a')
SELECT JSON_EXTRACT('{"a": 1}', 'a')
SELECT JSON_EXTRACT('{"a": 1}', '$.')
SELECT JSON_EXTRACT('{"a": 1}', '$[')
SELECT JSON_EXTRACT(5, '$')
SELECT JSON_LENGTH('[1]', '$[*]')
SELECT JSON_OBJECT(NULL, 1)
SELECT JSON_OBJECT('a')
SELECT JSON_REMOVE('[1]', '$')
SELECT JSON_SET('[1]', '$**.a', 1)
SELECT JSON_CONTAINS_PATH('[1]', 'some', '$')
SELECT JSON_QUOTE(1)
SELECT JSON_UNQUOTE(1)
SELECT JSON_TYPE('x')
SELECT CAST('x' AS JSON)
SELECT JSON_ARRAY_INSERT('[1]', '$.a', 1)
SELECT JSON_SEARCH('["a"]', 'any', 'a')
-- more functions that the checker lets through
SELECT ASCII('é'), ORD('é'), BIT_LENGTH('é'), OCTET_LENGTH('é'), CHARACTER_LENGTH('é'), LCASE('ÀB'), UCASE('àß'), MID('abcdef', 2, 3), SUBSTR('abcdef', -3), POSITION('c' IN 'abc')
SELECT CHAR_LENGTH(SPACE(3)), RPAD('a', 3, 'xy'), LPAD('abcd', 2, 'x'), LTRIM('  a '), RTRIM(' a  '), INSERT('Quadratic', 3, 4, 'What'), INSERT('abc', 9, 1, 'x'), MAKE_SET(1 | 4, 'a', 'b', 'c')
SELECT SOUNDEX('Robert'), SOUNDEX('Quadratically'), QUOTE('it''s'), TO_BASE64('abc'), FROM_BASE64('YWJj'), MD5('a'), SHA1('a'), SHA2('a', 256), SHA('a')
SELECT INET_ATON('10.0.5.9'), INET_NTOA(167773449)
SELECT ACOS(1), ASIN(0), ATAN(1), ATAN(1, 2), ATAN2(1, 2), COS(0), COT(1), SIN(1), TAN(1), LOG(10), LOG(0), LN(0), EXP(1), POW(0, 0)
SELECT MICROSECOND('12:00:00.123456'), TIME_FORMAT('100:00:00', '%H %k %h %I %l'), SEC_TO_TIME(2378), TIME_TO_SEC('22:23:00')
SELECT ADDDATE('2004-01-02', INTERVAL 31 DAY), ADDDATE('2004-01-02', 31), SUBDATE('2004-01-02', 31), SUBTIME('2004-12-31 23:59:59', '1:1:1'), ADDTIME('10:00:00', '02:30:00'), MAKEDATE(2011, 31), MAKETIME(12, 15, 30), PERIOD_ADD(200801, 2), PERIOD_DIFF(200802, 200703)
SELECT FROM_DAYS(730669), TO_DAYS('2004-01-02'), TO_SECONDS('2004-01-02'), WEEKDAY('2004-01-02'), WEEKOFYEAR('2004-01-02'), YEARWEEK('2004-01-02'), YEARWEEK('2004-01-02', 1), WEEK('2004-01-02', 3), DAYNAME('2004-01-02'), DAYOFMONTH('2004-01-02'), LAST_DAY('2004-02-01')
SELECT REGEXP_INSTR('a dog', 'dog'), REGEXP_LIKE('abc', 'ABC'), REGEXP_LIKE('abc', 'ABC', 'c'), REGEXP_REPLACE('abc def', '[a-c]+', 'X'), REGEXP_SUBSTR('abc def ghi', '[d-f]+')
SELECT UNIX_TIMESTAMP('2004-01-02') = UNIX_TIMESTAMP('2004-01-02 00:00:00'), TIMESTAMP('2004-01-02', '12:00:00'), TIMESTAMP('2004-01-02'), STR_TO_DATE('01,5,2013', '%d,%m,%Y'), TIMEDIFF('12:00:00', '11:30:00'), EXTRACT(YEAR_MONTH FROM '2004-05-06')
SELECT STD(creditLimit), STDDEV(creditLimit), STDDEV_SAMP(creditLimit), VARIANCE(creditLimit), VAR_SAMP(creditLimit), BIT_AND(customerNumber), BIT_OR(customerNumber), BIT_XOR(customerNumber) FROM customers WHERE creditLimit > 0
SELECT NOW() > '2004-01-01', CURDATE() > '2004-01-01', CURRENT_DATE() > '2004-01-01', CURRENT_TIMESTAMP() > '2004-01-01', LOCALTIME() > '2004-01-01', LOCALTIMESTAMP() > '2004-01-01', SYSDATE() > '2004-01-01', UTC_DATE() > '2004-01-01', UTC_TIMESTAMP() > '2004-01-01'
SELECT CURTIME() >= '00:00:00', CURRENT_TIME() >= '00:00:00', UTC_TIME() >= '00:00:00', FROM_UNIXTIME(0) > '1960-01-01', STDDEV_POP(creditLimit) FROM customers
SELECT CEIL(1e0)/3, ROUND(1.23456e0,2)/3, FLOOR(SQRT(10))*1.5e0, ROUND(SQRT(10),2)*ROUND(SQRT(5),1), IF(1, CEIL(1e0)/3, 2), COALESCE(NULL, ROUND(2e0/3, 1)/7), 1 + NULL, CONCAT(CEIL(1e0)/3), SUM(ROUND(1.23456e0,2)/3), AVG(ROUND(1.2e0,1)/3), CEIL('12.5') * (0.07/1.125), ROUND(1.23456e0,2)+1.123456, ABS(CEIL(1e0)/3), -(CEIL(1e0)/3), TRUNCATE(1.999e0,1)/7, ROUND(CEIL(1e0)/3, 1)
SELECT x.q, x.q * 3, CONCAT(x.q), MAX(x.q) FROM (SELECT CEIL(1e0)/3 AS q) AS x GROUP BY x.q
SELECT DISTINCT CASE WHEN NULL THEN 0.07 WHEN 1 THEN 2.5 END
SELECT checkNumber, SUM(IF(amount > 5000, amount / customerNumber, amount % NULL)) AS v FROM payments WHERE customerNumber < 120 GROUP BY checkNumber
SELECT CHAR(77, 121), CHAR(77.3, NULL, '66'), HEX(CHAR(256, 0)), CHAR(65536)
SELECT EXPORT_SET(5, 'Y', 'N', ',', 4), EXPORT_SET(6, '1', '0', '', 10), EXPORT_SET(5, 'Y', 'N', NULL), LENGTH(EXPORT_SET(5, 'Y', 'N'))
SELECT GET_FORMAT(DATE, 'EUR'), GET_FORMAT(TIME, 'USA'), GET_FORMAT(DATETIME, 'iso'), GET_FORMAT(DATE, 'x'), DATE_FORMAT('2004-01-02', GET_FORMAT(DATE, 'USA'))
SELECT HEX(INET6_ATON('::1')), HEX(INET6_ATON('10.0.5.9')), INET6_NTOA(INET6_ATON('fdfe::5a55:caff:fefa:9089')), INET6_NTOA(INET6_ATON('10.0.5.9')), INET6_ATON('x'), INET6_NTOA(INET6_ATON('::'))
SELECT IS_IPV6('::1'), IS_IPV6('10.0.5.9'), IS_IPV4('10.0.5.256'), IS_IPV4('10.0.5'), IS_IPV6('::ffff:1.2.3.4'), IS_IPV6(NULL), IS_IPV4(NULL)
SELECT IS_UUID('6ccd780c-baba-1026-9564-5b8c656024db'), IS_UUID('6CCD780CBABA102695645B8C656024DB'), IS_UUID('{6ccd780c-baba-1026-9564-5b8c656024db}'), IS_UUID('6ccd780c-baba'), IS_UUID(NULL)
SELECT HEX(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db')), HEX(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db', 1)), BIN_TO_UUID(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db')), BIN_TO_UUID(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db', 1), 1)
SELECT UUID_TO_BIN('x')
SELECT REGEXP_SUBSTR('abc def ghi', '[a-z]+', 1, 3), REGEXP_SUBSTR('abc def', '[a-z]+', 2), REGEXP_SUBSTR('abc', 'x'), REGEXP_INSTR('dog cat dog', 'dog', 2), REGEXP_INSTR('dog cat dog', 'dog', 1, 2), REGEXP_INSTR('aa aaa', 'a{2,3}', 1, 1, 1), REGEXP_INSTR('abc', 'B', 1, 1, 0, 'c')
SELECT REGEXP_REPLACE('abc def ghi', '[a-z]+', 'X', 1, 3), REGEXP_REPLACE('abc def', '[a-z]', 'X', 3), REGEXP_REPLACE('abc', 'B', 'x', 1, 0, 'c'), REGEXP_REPLACE('john smith', '([a-z]+) ([a-z]+)', '$2 $1'), REGEXP_REPLACE('aaa', 'a', 'b', 1, 2)
SELECT REGEXP_INSTR('abc', 'b', 9)
-- DECIMAL values of more than 15 digits
SELECT 123456789012.123456 * 1000000.5, 12345678901234567890.12 + 0.01, 12345678901234567890.12 - 12345678901234567890.11, -12345678901234567890.12, ABS(-12345678901234567890.125)
SELECT 99999999999999999.99 * 99999999999999999.99, 12345678901234567890.5 / 3, 12345678901234567890.5 DIV 7000, 12345678901234567890.5 % 7, MOD(-12345678901234567890.5, 0.3)
SELECT ROUND(12345678901234567.895, 2), ROUND(-12345678901234567.5), ROUND(12345678901234567.5, -3), TRUNCATE(12345678901234567.899, 2), TRUNCATE(-12345678901234567.899, -2), CEIL(12345678901234567.1), FLOOR(-12345678901234567.1)
SELECT 12345678901234567.1 > 12345678901234567.09, 12345678901234567.10 = 12345678901234567.1, 12345678901234567.1 <=> NULL, 12345678901234567.1 BETWEEN 12345678901234567 AND 12345678901234568, 12345678901234567.1 IN (1, 12345678901234567.1), 0.000000000000000000001 > 0
SELECT CAST('123456789012345678901234567890.123456789' AS DECIMAL(40,5)), CAST(1e20 AS DECIMAL(30,2)), CAST(12345678901234567 AS DECIMAL(20,2)), CAST(12345678901234567.567 AS DECIMAL(18,1)), CAST('1e3x' AS DECIMAL(20,2)), CAST('x' AS DECIMAL(20,2)), CAST(99999 AS DECIMAL(20,18))
SELECT CAST(12345678901234567.5 AS SIGNED), CAST(12345678901234567.5 AS CHAR), CONCAT(12345678901234567.50, '!'), 12345678901234567.5 + 0e0, SIGN(-12345678901234567.5), SQRT(12345678901234567890.0), 12345678901234567.5 & 255
SELECT GREATEST(12345678901234567.5, 3, 12345678901234567.6), LEAST(12345678901234567.5, -1), COALESCE(NULL, 12345678901234567.5, 1), IF(12345678901234567.5, 'yes', 'no'), IF(0.00000000000000000000, 'yes', 'no'), NULLIF(12345678901234567.50, 12345678901234567.5), NOT 12345678901234567.5
SELECT CASE WHEN customerNumber > 200 THEN 12345678901234567.5 ELSE creditLimit END AS x, CASE customerNumber WHEN 103.0 THEN 1 ELSE 12345678901234567.125 END FROM customers WHERE customerNumber < 210 ORDER BY customerNumber
SELECT SUM(creditLimit * 100000000000.5), AVG(creditLimit * 100000000000.5), MIN(creditLimit * 100000000000.5), MAX(creditLimit * 100000000000.5), COUNT(DISTINCT creditLimit * 100000000000.5), SUM(DISTINCT creditLimit * 100000000000.5), AVG(DISTINCT creditLimit * 100000000000.5) FROM customers
SELECT country, SUM(creditLimit * 100000000000.5) AS s FROM customers GROUP BY country HAVING s > 12000000000000000 ORDER BY s DESC, country
SELECT creditLimit * 100000000000.5 AS k, COUNT(*) FROM customers GROUP BY k ORDER BY k DESC LIMIT 7
SELECT DISTINCT creditLimit * -100000000000.5 AS k FROM customers ORDER BY k LIMIT 5
SELECT customerNumber, creditLimit * 100000000000.25 AS x, SUM(creditLimit * 100000000000.25) OVER (ORDER BY customerNumber) AS running, AVG(creditLimit * 100000000000.25) OVER (ORDER BY customerNumber ROWS 2 PRECEDING) AS moving, LAG(creditLimit * 100000000000.25) OVER (ORDER BY customerNumber) AS before FROM customers WHERE customerNumber < 150 ORDER BY customerNumber
SELECT creditLimit * 100000000000.25 AS x FROM customers WHERE customerNumber < 120 UNION SELECT 1 UNION SELECT 21000000000052500.00 ORDER BY x
SELECT x FROM (SELECT creditLimit * 100000000000.25 AS x, customerNumber AS n FROM customers) t WHERE x > (SELECT AVG(creditLimit * 100000000000.25) FROM customers) ORDER BY n LIMIT 5
SELECT GROUP_CONCAT(DISTINCT creditLimit * 100000000000.25 ORDER BY creditLimit DESC SEPARATOR ' ') FROM customers WHERE customerNumber < 150
SELECT COALESCE(country, 'all') AS c, SUM(creditLimit * 100000000000.25) FROM customers WHERE customerNumber < 150 GROUP BY country WITH ROLLUP
SELECT JSON_ARRAY(12345678901234567.5), JSON_OBJECT('a', creditLimit * 100000000000.25) FROM customers WHERE customerNumber = 103
SELECT SUM(n * 3000000000000000000), SUM(n * -3000000000000000000), AVG(n * 3000000000000000000) FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 2) t
SELECT STDDEV(creditLimit * 100000000000.0) > 0, FORMAT(1234567.125, 2), FORMAT(10 / 3, 3), HEX(12345678901234567.5), 12345678901234567.5 LIKE '123%', LENGTH(12345678901234567.50)
-- quotients that go on
SELECT 10 / 3 * 3, FLOOR(10 / 3 * 3), 10 / 3 * 3 = 10, 1 / 3 + 1 / 3 + 1 / 3, (1 / 3) / (1 / 3), 2 / 3 - 1 / 3, ROUND(2 / 3, 6), ROUND(2 / 3, 20), 1 / 7 * 1 / 7, (1 / 7) % 0.01, (22 / 7) DIV 1
SELECT CEIL(7 / 2), FLOOR(-7 / 2), CAST(7 / 2 AS SIGNED), CAST(2 / 3 AS DECIMAL(20,12)), CONCAT(2 / 3), GREATEST(1 / 3, 0.3333), IF(1 / 3 = 0.3333, 'same', 'not'), 1 / 3 IN (0.3333, 0.33333333), COALESCE(1 / 3, 1), -(1 / 3), ABS(-1 / 3)
SELECT 1 / 3 * 1e0, POW(10 / 3, 2), SQRT(16 / 3), 5 / 2 | 1, LPAD(5 / 2, 8, '0'), INTERVAL(5 / 2, 1, 2, 3), ELT(5 / 2, 'a', 'b', 'c'), SUBSTRING('abcdef', 5 / 2, 7 / 3), REPEAT('x', 7 / 2), DATE '2004-01-31' + INTERVAL 7 / 2 DAY
SELECT status, COUNT(*) * 100 / (SELECT COUNT(*) FROM orders) AS share, ROUND(COUNT(*) * 100 / (SELECT COUNT(*) FROM orders), 2) AS r FROM orders GROUP BY status ORDER BY share DESC, status
SELECT productLine, SUM(MSRP - buyPrice) / SUM(MSRP) AS margin, AVG(MSRP) / AVG(buyPrice) AS x, AVG(buyPrice / MSRP) AS y FROM products GROUP BY productLine ORDER BY productLine
SELECT RAND(3)
SELECT CHARSET('a')
SELECT COLLATION(customerName) FROM customers
SELECT COERCIBILITY('a')
SELECT CONVERT_TZ('2004-01-01 12:00:00', '+00:00', '+10:00')
SELECT FORMAT(1234.5, 2, 'de_DE')
SELECT SUM(amount) OVER (ORDER BY paymentDate RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) FROM payments
SELECT COUNT(*) FROM orders WHERE orderDate = 'yesterday'
SELECT DISTINCT JSON_ARRAY(status) FROM orders
SELECT COUNT(*) FROM orders GROUP BY JSON_ARRAY(status)
SELECT MAX(JSON_ARRAY(status)) FROM orders
SELECT JSON_ARRAY(1) UNION SELECT JSON_ARRAY(1)
SELECT JSON_ARRAYAGG(city) OVER () FROM offices
SELECT ABS(NULL), ABS(''), ABS('-7.25x'), SIGN(''), SIGN(NULL), SIGN('-0.0')
SELECT ABS(-9223372036854775807), -9223372036854775807 - 1, 9223372036854775806 + 1
SELECT 9223372036854775807 + 1
SELECT 9223372036854775807 * 2
SELECT -9223372036854775807 - 2
SELECT ABS(-9223372036854775807 - 1)
SELECT CAST(5 AS UNSIGNED) - 6
SELECT 5 - CAST(3 AS UNSIGNED), CAST(2 AS UNSIGNED) * 3, CAST(-1 AS SIGNED) * 2
SELECT ACOS(2), ASIN(-1.5), ACOS('x'), ATAN(NULL), ATAN2(0, -1), ATAN(-1, 0)
SELECT SQRT(''), SQRT('16abc'), SQRT(NULL), POW(0, -1)
SELECT POW(-8, 1/3), POW(2, NULL), POW(-2, 3), POWER('2', '3')
SELECT LN(-1), LOG(1, 100), LOG(0, 5), LOG(2, 0), LOG2(NULL), LOG10('abc')
SELECT EXP(710)
SELECT COT(0)
SELECT MOD(-7, 3), MOD(7, 0), MOD(NULL, 3), MOD('10', 4), MOD(-7.5, 2.25), MOD(1e1, 3)
SELECT ROUND(NULL), ROUND(1.5, NULL), ROUND('1.55', 1), ROUND('abc'), ROUND(-0.4), ROUND(15, -1), ROUND(25, -1), ROUND(-15, -1)
SELECT ROUND(1.005, 2), ROUND(5.055, 2), ROUND(1.298, 1), ROUND(99.99, 1), ROUND(12345.678, -3), ROUND(0.00000012345, 10)
SELECT TRUNCATE(NULL, 1), TRUNCATE('12.999', 2), TRUNCATE(-1.999, 0), TRUNCATE(-1999, -1), TRUNCATE(9.99, -1)
SELECT CEIL(NULL), CEIL(''), CEIL('-1.5'), FLOOR('1.9abc'), FLOOR(-0.5), CEIL(1e20)
SELECT FLOOR(123456789.987), CEILING(-99.01), CEIL(0.000001), FLOOR(NULL)
SELECT 7 DIV 2.5, -7 DIV 2, 7 DIV -2, 1e1 DIV 3, '17' DIV '5', NULL DIV 1, 1 DIV NULL
SELECT 0 / 0, 0 % 0, 1.5 / 0.0, 'a' / 2, 5 / '2', -1 / 3
SELECT 1 = 1.0, '1' = 1.0, 0.1 = '0.1', '0x10' = 16, '1e1' = 10, ' 1' = 1, '1 ' = 1
SELECT 'abc' > 0, '' = 0, 'abc' + 'def', '12abc' * 2, '-' + 1, '.5' + 0, '5.' + 0, '+3' + 0, 'e5' + 0
SELECT 1 AND '0.1', NOT '0.5', '0' OR '', NOT 'abc', !'1', 'a' XOR 1
SELECT ~0 & 15, ~1 & 7, 1 << 3, 1 << 62, 5 & '3', NULL | 1, 3.7 | 0, -1 & 7
SELECT BIT_COUNT(0), BIT_COUNT(-1), BIT_COUNT(NULL), BIT_COUNT('7'), BIT_COUNT(255)
SELECT CONV('zz', 36, 10), CONV('12', 10, 16), CONV(NULL, 10, 2), CONV('9', 8, 10), CONV(-17, 10, -18), CONV('6E', 18, 8), CONV(15, 10, 1)
SELECT BIN(-1), BIN(NULL), OCT(-8), HEX(-1), HEX(''), HEX(NULL), HEX(17.6), HEX('ä')
SELECT CRC32(''), CRC32(NULL), CRC32(123), CRC32('é'), MD5(''), MD5(NULL), SHA1(''), SHA2('', 224), SHA2('abc', 512), SHA2('x', 1)
SELECT GREATEST('a', 'B', 'c'), LEAST('a', 'B'), GREATEST(1, '2', 3.5), LEAST(NULL, 1), GREATEST(-1.5, -2), LEAST('10', '9')
SELECT GREATEST(DATE '2004-01-01', DATE '2003-12-31'), LEAST(DATE '2004-01-01', DATE '2003-12-31')
SELECT INTERVAL(NULL, 1, 2), INTERVAL(5, 1, 5, 9), INTERVAL('3', 1, 2, 4), INTERVAL(0, 1), INTERVAL(1.5, 1, 1.4, 1.6)
SELECT PI(), PI() * 1, PI() + 0.0000000000000000, DEGREES(NULL), RADIANS(-90)
SELECT RAND(1), RAND(42), RAND(0), RAND(NULL), RAND(-5)
SELECT RAND(3) < 1, RAND() BETWEEN 0 AND 1, ROUND(RAND(12), 5), FLOOR(RAND(5) * 100)
SELECT FORMAT(0, 2), FORMAT(NULL, 2), FORMAT(12345.6789, -1), FORMAT('abc', 1), FORMAT(999.999, 2), FORMAT(-0.001, 2), FORMAT(1234567, 0)
SELECT FORMAT(1234567.891, 2, 'de_DE'), FORMAT(1234567.891, 2, 'fr_FR'), FORMAT(1234567.891, 2, 'en_US'), FORMAT(1234567.891, 2, 'de_CH'), FORMAT(1234567.891, 2, 'en_IN')
SELECT FORMAT(1234.5, 1, 'xx_XX'), FORMAT(1234.5, 1, NULL), FORMAT(-1234.5, 3, 'es_ES'), FORMAT(1234.5, 0, 'pt_BR'), FORMAT(12345678.9, 1, 'ru_RU')
SELECT ASCII(NULL), ASCII(5), ORD(NULL), ORD(''), ORD('€'), BIT_LENGTH(''), LENGTH(NULL), LENGTH(12.50), CHAR_LENGTH(-5)
SELECT CONCAT(''), CONCAT(1, 2, 3), CONCAT(1.50, 'x'), CONCAT(TRUE, NULL), CONCAT_WS('', 'a', 'b'), CONCAT_WS(',', NULL, NULL), CONCAT_WS(',', '', 'a')
SELECT LEFT(NULL, 1), LEFT('abc', NULL), LEFT('abc', 0), LEFT('abc', '2'), LEFT('abc', 1.6), RIGHT('abc', -1), RIGHT('', 3), LEFT(12345, 2)
SELECT SUBSTRING('abc', 0), SUBSTRING('abc', 4), SUBSTRING('abc', -4), SUBSTRING('abc', 2, 0), SUBSTRING(NULL, 1), SUBSTRING('abc', NULL), SUBSTRING('abcdef', -3, 2), SUBSTRING('日本語', 2, 1)
SELECT LPAD('abc', 0, 'x'), LPAD('abc', -1, 'x'), LPAD('a', 5, ''), RPAD('a', 5, ''), LPAD(NULL, 2, 'a'), RPAD('日', 3, 'ab'), LPAD(5, 3, 0)
SELECT REPLACE('abc', '', 'x'), REPLACE('aaa', 'a', ''), REPLACE(NULL, 'a', 'b'), REPLACE('abc', 'B', 'x'), REPLACE('abab', 'ab', 'ba'), REPLACE(1212, 1, 3)
SELECT INSTR('', ''), INSTR('abc', ''), INSTR(NULL, 'a'), INSTR('aBc', 'b'), INSTR('Straße', 'SSE'), LOCATE('b', 'abcb', 3), LOCATE('b', 'abc', 0), LOCATE('b', 'abc', -1), LOCATE('', '', 1), LOCATE('', 'abc', 5)
SELECT SUBSTRING_INDEX('a.b.c', '.', 0), SUBSTRING_INDEX('a.b.c', '.', 10), SUBSTRING_INDEX('a.b.c', '.', -1), SUBSTRING_INDEX('a.b.c', 'B', 1), SUBSTRING_INDEX(NULL, '.', 1), SUBSTRING_INDEX('aaa', 'aa', 1), SUBSTRING_INDEX('aaa', 'aa', -1)
SELECT FIND_IN_SET('', 'a,,b'), FIND_IN_SET('b', NULL), FIND_IN_SET('a,b', 'a,b'), FIND_IN_SET('B', 'a,b'), FIND_IN_SET('', ''), FIND_IN_SET(2, '1,2,3')
SELECT FIELD(NULL, NULL), FIELD('a', 'b'), FIELD(2, 1, 2), FIELD('2', 1, 2.0), ELT(0, 'a'), ELT(-1, 'a'), ELT(NULL, 'a'), ELT(2, 'a', NULL), ELT('1', 5, 6)
SELECT TRIM(''), TRIM(NULL), TRIM('\t x \n'), TRIM(LEADING '' FROM 'abc'), TRIM(BOTH 'ab' FROM 'ababcab'), TRIM('X' FROM 'xax'), LTRIM(''), RTRIM(NULL), TRIM(TRAILING '.' FROM 'a..')
SELECT REVERSE(''), REVERSE(NULL), REVERSE('日本'), REVERSE(123), UPPER(NULL), LOWER(''), UPPER('ǆ'), LOWER('İ'), UPPER('é'), LOWER('ÀÇ')
SELECT INSERT('abc', 0, 1, 'x'), INSERT('abc', 2, 0, 'x'), INSERT('abc', 2, -1, 'x'), INSERT('abc', 4, 1, 'x'), INSERT(NULL, 1, 1, 'x'), INSERT('abc', 1, 100, 'z'), INSERT('abc', 3, 1, 'xyz')
SELECT QUOTE(NULL), QUOTE(''), QUOTE('a\\b'), QUOTE('tab\t'), QUOTE(5), SOUNDEX(''), SOUNDEX(NULL), SOUNDEX('1a'), SOUNDEX('Tymczak'), SOUNDEX('Pfister'), SOUNDEX('Ashcraft')
SELECT STRCMP(NULL, 'a'), STRCMP('a', 'a '), STRCMP('é', 'e'), STRCMP(1, 2), STRCMP('10', '9'), STRCMP('', '')
SELECT TO_BASE64(''), TO_BASE64(NULL), FROM_BASE64('!'), FROM_BASE64(''), FROM_BASE64('YQ=='), TO_BASE64(REPEAT('a', 60)), UNHEX(''), UNHEX('zz'), UNHEX(NULL), UNHEX('C3A4')
SELECT MAKE_SET(0, 'a', 'b'), MAKE_SET(NULL, 'a'), MAKE_SET(3, 'a', NULL, 'c'), MAKE_SET(-1, 'a', 'b'), EXPORT_SET(0, 'a', 'b', '', 3), EXPORT_SET(NULL, 'a', 'b'), EXPORT_SET(-1, 1, 0, '', 5)
SELECT INET_ATON('127.1'), INET_ATON('1.2.3'), INET_ATON('256.1.1.1'), INET_ATON(''), INET_ATON(NULL), INET_NTOA(-1), INET_NTOA(4294967295), INET_NTOA(4294967296), INET_NTOA('16909060')
SELECT INET6_NTOA(NULL), INET6_NTOA('abc'), HEX(INET6_ATON('fe80::1')), IS_IPV4(''), IS_IPV6(''), IS_IPV4('01.2.3.4'), IS_IPV6('1::2::3'), IS_IPV4(NULL)
SELECT IS_UUID(''), IS_UUID('{6ccd780cbaba102695645b8c656024db}'), BIN_TO_UUID(NULL), UUID_TO_BIN(NULL), LENGTH(UUID()), UUID() <> UUID()
SELECT 'a' LIKE '', '' LIKE '', '' LIKE '%', 'abc' LIKE 'ABC', 'a_c' LIKE 'a\_c', 'abc' LIKE 'a\_c', 'a|b' LIKE 'a||b' ESCAPE '|', '10%' LIKE '10!%' ESCAPE '!', NULL LIKE NULL
SELECT 'straße' LIKE 'STRASSE', 'Übung' LIKE 'ubung', 123 LIKE '12%', 'a' LIKE NULL, 'abc' LIKE '%c', 'abc' NOT LIKE '%C', 'ab' LIKE 'a%b%', 'a\\b' LIKE 'a\\\\b', 'x' LIKE 'x\\'
SELECT 'abc' LIKE 'a%' ESCAPE '', 'a%' LIKE 'a\%' ESCAPE ''
SELECT CHARSET('a'), CHARSET(5), CHARSET(NULL), CHARSET(CONVERT('a' USING latin1)), CHARSET(UNHEX('41')), CHARSET(DATE '2004-01-01')
SELECT COLLATION('a'), COLLATION(5), COLLATION(NULL), COLLATION('a' COLLATE utf8mb4_bin), COLLATION(BINARY 'a'), COLLATION(CONCAT('a', 1))
SELECT COERCIBILITY('a'), COERCIBILITY(5), COERCIBILITY(NULL), COERCIBILITY('a' COLLATE utf8mb4_bin), COERCIBILITY(CONCAT('a', 'b'))
SELECT CHARSET(customerName), COLLATION(customerName), COERCIBILITY(customerName), COERCIBILITY(UPPER(customerName)), COERCIBILITY(customerNumber), COERCIBILITY(CONCAT(customerName, 'x')) FROM customers LIMIT 1
SELECT COLLATION(orderDate), CHARSET(status), COLLATION(YEAR(orderDate)), COERCIBILITY(orderDate), COLLATION(DATE_FORMAT(orderDate, '%Y')) FROM orders LIMIT 1
SELECT 'abc' REGEXP 'B', 'abc' REGEXP BINARY 'B', 'a' REGEXP '^$', '' REGEXP '^$', NULL REGEXP '.', 'abc' REGEXP NULL, 'a\nb' REGEXP '^b$', 'a.b' REGEXP 'a\\.b'
SELECT 'abc' REGEXP '[[:digit:]]', 'ab1' REGEXP '[[:digit:]]', 'a b' REGEXP '[[:space:]]', 'über' REGEXP '^.ber$', 'x' REGEXP '[^x]', 'aaa' REGEXP '^a{2,3}$', 'ab' REGEXP 'a|^b', 'é' REGEXP '[a-z]'
SELECT 'a' REGEXP ''
SELECT 'a' REGEXP '('
SELECT 'a' REGEXP '[a'
SELECT 'a' REGEXP '*'
SELECT REGEXP_LIKE('abc', 'B', 'i'), REGEXP_LIKE('abc', 'B', 'ic'), REGEXP_LIKE('a\nb', 'a.b'), REGEXP_LIKE('a\nb', 'a.b', 'n'), REGEXP_LIKE('a\nb', '^b', 'm'), REGEXP_LIKE('a', NULL), REGEXP_LIKE('a', 'a', NULL)
SELECT REGEXP_LIKE('a', 'a', 'z')
SELECT REGEXP_SUBSTR('abc123def456', '[0-9]+', 1, 2), REGEXP_SUBSTR('abc', 'z'), REGEXP_SUBSTR(NULL, 'a'), REGEXP_SUBSTR('aBc', 'B', 1, 1, 'c'), REGEXP_SUBSTR('abc', '.', 3), REGEXP_SUBSTR('abc', '', 1)
SELECT REGEXP_REPLACE('abc', '[a-c]', ''), REGEXP_REPLACE('a1b22', '[0-9]+', '#'), REGEXP_REPLACE('abc', '(a)(b)', '$2$1'), REGEXP_REPLACE('abc', 'b', '\\$'), REGEXP_REPLACE(NULL, 'a', 'b'), REGEXP_REPLACE('aaa', 'a', 'b', 2), REGEXP_REPLACE('Hello', 'L', 'x')
SELECT REGEXP_INSTR('abcabc', 'c', 4), REGEXP_INSTR('abc', 'z'), REGEXP_INSTR('abcabc', 'b', 1, 2), REGEXP_INSTR('abc', 'b', 1, 1, 1), REGEXP_INSTR(NULL, 'a'), REGEXP_INSTR('日本語', '本')
SELECT REGEXP_SUBSTR('abc', 'b', 0)
SELECT DATE_ADD('2004-01-31', INTERVAL 1 MONTH), DATE_ADD('2003-01-31', INTERVAL 1 MONTH), DATE_ADD('2004-12-31', INTERVAL 2 MONTH), DATE_SUB('2004-03-31', INTERVAL 1 QUARTER), DATE_ADD('2004-02-29', INTERVAL 4 YEAR), DATE_ADD('2004-02-29', INTERVAL -1 YEAR), DATE_SUB('2000-03-01', INTERVAL 1 DAY), DATE_SUB('1900-03-01', INTERVAL 1 DAY)
SELECT DATE_ADD('9999-12-31', INTERVAL 1 DAY), DATE_SUB('0001-01-01', INTERVAL 1 YEAR), DATE_ADD(NULL, INTERVAL 1 DAY), DATE_ADD('2004-01-01', INTERVAL NULL DAY), DATE_ADD('', INTERVAL 1 DAY), DATE_ADD('x', INTERVAL 1 DAY), DATE_ADD('2004-02-30', INTERVAL 1 DAY)
SELECT DATE_ADD('2004-01-01', INTERVAL 1.5 DAY), DATE_ADD('2004-01-01', INTERVAL '1.9' DAY), DATE_ADD('2004-01-01', INTERVAL 'abc' DAY), DATE_ADD('2004-01-01', INTERVAL 1.5 SECOND), DATE_ADD('2004-01-01 10:00:00', INTERVAL '1:30' HOUR_MINUTE), DATE_ADD('2004-01-01', INTERVAL '1 1:1:1' DAY_SECOND), DATE_ADD('2004-01-01', INTERVAL '-1-6' YEAR_MONTH)
SELECT DATE_ADD('2004-01-01 00:00:00', INTERVAL 1 MICROSECOND), DATE_ADD('2004-01-01 00:00:00', INTERVAL '1.5' SECOND_MICROSECOND), DATE_ADD('2004-01-01', INTERVAL '1:2:3.4' HOUR_MICROSECOND), DATE_SUB('2004-01-01 00:00:00.5', INTERVAL 1 SECOND), DATE_ADD('2004-01-01', INTERVAL '2 10:30' DAY_MINUTE), DATE_ADD('2004-01-01', INTERVAL 36 HOUR)
SELECT DATE '2004-01-31' + INTERVAL 1 MONTH + INTERVAL 1 DAY, DATE '2004-02-29' - INTERVAL 1 YEAR, TIMESTAMP '2004-02-28 23:00:00' + INTERVAL 2 HOUR, '2004-12-31 23:59:59' + INTERVAL 1 SECOND, 20040131 + INTERVAL 1 DAY
SELECT ADDDATE('2004-02-28', 2), SUBDATE('2004-03-01', 1), ADDDATE('2004-01-01', NULL), ADDDATE('2004-01-01', '10'), SUBDATE('2004-01-01', INTERVAL 1 HOUR)
SELECT TIMESTAMPADD(MONTH, 1, '2004-01-31'), TIMESTAMPADD(SECOND, -1, '2004-01-01'), TIMESTAMPADD(YEAR, 1, NULL), TIMESTAMPADD(WEEK, 2, DATE '2004-01-01'), TIMESTAMPADD(QUARTER, -1, '2004-05-31'), TIMESTAMPADD(HOUR, 25, '2004-02-28 00:00:00')
SELECT TIMESTAMPDIFF(MONTH, '2004-01-31', '2004-02-29'), TIMESTAMPDIFF(MONTH, '2004-02-29', '2004-01-31'), TIMESTAMPDIFF(YEAR, '2004-02-29', '2005-02-28'), TIMESTAMPDIFF(DAY, '2004-01-01 12:00:00', '2004-01-02 11:59:59'), TIMESTAMPDIFF(SECOND, '2004-01-01', '2003-12-31 23:59:59'), TIMESTAMPDIFF(MICROSECOND, '2004-01-01', '2004-01-01 00:00:01'), TIMESTAMPDIFF(HOUR, 'x', '2004-01-01'), TIMESTAMPDIFF(MINUTE, NULL, '2004-01-01'), TIMESTAMPDIFF(QUARTER, '2003-12-31', '2004-06-30')
SELECT DATEDIFF('2004-03-01', '2004-02-28'), DATEDIFF('2003-03-01', '2003-02-28'), DATEDIFF(NULL, '2004-01-01'), DATEDIFF('2004-01-01', ''), DATEDIFF('2004-13-01', '2004-01-01'), DATEDIFF(20040301, '2004-02-01'), DATEDIFF('0000-00-00', '2004-01-01')
SELECT WEEK('2000-01-01', 0), WEEK('2000-01-01', 1), WEEK('2000-01-01', 2), WEEK('2000-01-01', 3), WEEK('2000-01-01', 4), WEEK('2000-01-01', 5), WEEK('2000-01-01', 6), WEEK('2000-01-01', 7), WEEK('2000-01-01', 8), WEEK(NULL), WEEK('2000-12-31', -1)
SELECT WEEK('2008-12-31', 0), WEEK('2008-12-31', 1), WEEK('2008-12-31', 3), WEEK('2009-01-01', 2), WEEK('2009-01-01', 3), WEEK('2010-01-03', 7), YEARWEEK('2000-01-01'), YEARWEEK('2000-01-01', 1), YEARWEEK('2004-12-31', 1), YEARWEEK('2006-01-01', 3), YEARWEEK(NULL), WEEKOFYEAR('2008-12-31')
SELECT DAYOFYEAR('2004-02-29'), DAYOFYEAR('2004-12-31'), DAYOFYEAR('2003-02-29'), DAYOFWEEK('2004-02-29'), WEEKDAY('2004-02-29'), DAYNAME('2004-02-29'), MONTHNAME('2004-00-01'), DAY('2004-01-00'), MONTH(''), YEAR(NULL), YEAR('04-01-01'), YEAR('70-01-01'), QUARTER('2004-12-31')
SELECT LAST_DAY('2003-02-15'), LAST_DAY('2000-02-01 10:00:00'), LAST_DAY('1900-02-01'), LAST_DAY('2004-02-30'), LAST_DAY(NULL), LAST_DAY('2004-12-01'), LAST_DAY(20040401)
SELECT MAKEDATE(2004, 366), MAKEDATE(2003, 366), MAKEDATE(2004, 0), MAKEDATE(NULL, 1), MAKEDATE(4, 31), MAKEDATE(70, 1), MAKEDATE(2004, -1), MAKETIME(-1, 30, 0), MAKETIME(25, 0, 0), MAKETIME(1, 60, 0), MAKETIME(1, 0, 59.5), MAKETIME(900, 0, 0), MAKETIME(NULL, 1, 1)
SELECT TO_DAYS('0000-01-01'), TO_DAYS('1582-10-15'), TO_DAYS(NULL), TO_DAYS('2004-02-30'), TO_DAYS('04-01-01'), FROM_DAYS(0), FROM_DAYS(366), FROM_DAYS(NULL), FROM_DAYS(730000), TO_SECONDS('2004-01-01 00:00:01'), TO_SECONDS(20040101), TO_SECONDS(NULL)
SELECT PERIOD_ADD(200412, 1), PERIOD_ADD(0412, 1), PERIOD_ADD(200401, -1), PERIOD_ADD(NULL, 1), PERIOD_DIFF(200401, 200312), PERIOD_DIFF(9912, 0001), PERIOD_DIFF(NULL, 1)
SELECT TIME_TO_SEC('-01:00:00'), TIME_TO_SEC('100:00:00'), TIME_TO_SEC(NULL), TIME_TO_SEC('12:34:56.789'), TIME_TO_SEC('x'), SEC_TO_TIME(-3661), SEC_TO_TIME(NULL), SEC_TO_TIME(86400), SEC_TO_TIME(3020400), SEC_TO_TIME('61'), SEC_TO_TIME(1.5)
SELECT HOUR('100:30:00'), HOUR('-10:00:00'), HOUR('2004-01-01 23:59:59'), HOUR(NULL), MINUTE(''), MINUTE('10:60:00'), SECOND('10:20:61'), MICROSECOND('10:20:30.5'), MICROSECOND('10:20:30'), HOUR('12:34'), MINUTE(123456), SECOND('1:2:3')
SELECT EXTRACT(MICROSECOND FROM '10:20:30.000123'), EXTRACT(MINUTE_SECOND FROM '10:20:30'), EXTRACT(DAY_MINUTE FROM '2004-01-02 03:04:05'), EXTRACT(HOUR_SECOND FROM TIME '10:20:30'), EXTRACT(WEEK FROM '2004-01-02'), EXTRACT(DAY FROM NULL), EXTRACT(YEAR FROM ''), EXTRACT(SECOND_MICROSECOND FROM '10:20:30.5'), EXTRACT(DAY_SECOND FROM '2004-01-02 03:04:05')
SELECT DATE_FORMAT('2004-02-05 04:05:06.789', '%a|%b|%c|%D|%d|%e|%f|%H|%h|%I|%i|%j|%k|%l'), DATE_FORMAT('2004-02-05 14:05:06', '%M|%m|%p|%r|%S|%s|%T|%U|%u|%V|%v|%W|%w|%X|%x|%Y|%y|%%|%z|%'), DATE_FORMAT('2004-02-05', ''), DATE_FORMAT('x', '%Y'), DATE_FORMAT('2004-02-05', NULL)
SELECT DATE_FORMAT('2004-01-01', '%D'), DATE_FORMAT('2004-01-02', '%D'), DATE_FORMAT('2004-01-03', '%D'), DATE_FORMAT('2004-01-11', '%D'), DATE_FORMAT('2004-01-12', '%D'), DATE_FORMAT('2004-01-13', '%D'), DATE_FORMAT('2004-01-21', '%D'), DATE_FORMAT('2004-01-31', '%D'), DATE_FORMAT('2004-00-00', '%Y %m %d'), DATE_FORMAT(20040102, '%d')
SELECT TIME_FORMAT('25:30:00', '%H %k %h %I %l %p'), TIME_FORMAT('-01:02:03', '%H:%i:%s'), TIME_FORMAT('10:20:30.5', '%f %r %T'), TIME_FORMAT('10:20:30', '%Y-%m-%d'), TIME_FORMAT(NULL, '%H'), TIME_FORMAT('10:20:30', '%W')
SELECT STR_TO_DATE('2004-02-30', '%Y-%m-%d'), STR_TO_DATE('31.12.04', '%d.%m.%y'), STR_TO_DATE('12:30 PM', '%h:%i %p'), STR_TO_DATE('Feb 3 2004', '%b %e %Y'), STR_TO_DATE('2004', '%Y'), STR_TO_DATE('', '%Y-%m-%d'), STR_TO_DATE(NULL, '%Y'), STR_TO_DATE('10:20', '%H:%i'), STR_TO_DATE('2004-01-02 extra', '%Y-%m-%d')
SELECT STR_TO_DATE('January 15th, 2004', '%M %D, %Y'), STR_TO_DATE('200401', '%Y%m'), STR_TO_DATE('20040115', '%Y%m%d'), STR_TO_DATE('2004-1-5 7:8:9', '%Y-%m-%d %H:%i:%s'), STR_TO_DATE('13/13/2004', '%d/%m/%Y'), STR_TO_DATE('2004-060', '%Y-%j'), STR_TO_DATE('abc', 'abc'), STR_TO_DATE('9', '%m')
SELECT STR_TO_DATE('2004 10 Monday', '%X %V %W'), STR_TO_DATE('10:20:30.123', '%H:%i:%s.%f'), STR_TO_DATE('Monday 5 January 2004', '%W %e %M %Y'), STR_TO_DATE('10:20:30 PM', '%r'), STR_TO_DATE('23:59:59', '%T')
SELECT UNIX_TIMESTAMP('1970-01-02'), UNIX_TIMESTAMP('x'), UNIX_TIMESTAMP(NULL), UNIX_TIMESTAMP(''), UNIX_TIMESTAMP(20040101), UNIX_TIMESTAMP('2040-01-01'), UNIX_TIMESTAMP('2004-01-01 00:00:00.5'), FROM_UNIXTIME(86400), FROM_UNIXTIME(NULL), FROM_UNIXTIME(-1), FROM_UNIXTIME(1.5), FROM_UNIXTIME('100')
SELECT FROM_UNIXTIME(86400, '%Y-%m-%d'), FROM_UNIXTIME(NULL, '%Y'), FROM_UNIXTIME(3600, '%H:%i')
SELECT TIME('10:20'), TIME('2004-01-01'), TIME(NULL), TIME('x'), TIME(102030), TIME('10:20:30.5'), DATE('2004-01-01 23:59:59.9'), DATE(''), DATE(NULL), DATE('20040101'), DATE(040101), TIMESTAMP('2004-01-01'), TIMESTAMP(NULL), TIMESTAMP('2004-01-01', '24:00:00')
SELECT TIMEDIFF('10:00:00', '12:30:00'), TIMEDIFF('2004-01-01 00:00:00', '2003-12-31 00:00:00'), TIMEDIFF('10:00:00', NULL), TIMEDIFF('10:00:00.5', '09:00:00'), TIMEDIFF('2004-01-01', '10:00:00'), TIMEDIFF('2004-03-01 00:00:00', '2004-01-01 00:00:00')
SELECT ADDTIME('10:00:00', NULL), ADDTIME('23:59:59', '00:00:01'), ADDTIME('2004-12-31 23:59:59', '0:0:1'), ADDTIME('10:00:00', '-01:00:00'), SUBTIME('10:00:00', '11:00:00'), SUBTIME('2004-01-01 00:00:00.000001', '0:0:0.000002'), ADDTIME('x', '01:00:00'), ADDTIME('838:59:59', '1:00:00')
SELECT DATE '2004-02-30'
SELECT TIMESTAMP '2004-01-01 25:00:00'
SELECT TIME '10:61:00'
SELECT CONVERT_TZ('2004-01-01 12:00:00', '+00:00', '+05:30'), CONVERT_TZ('2004-01-01 12:00:00', '+02:00', '-08:00'), CONVERT_TZ('2004-01-01 12:00:00', 'UTC', 'Europe/Berlin'), CONVERT_TZ(NULL, '+00:00', '+01:00'), CONVERT_TZ('2004-01-01', '+00:00', NULL), CONVERT_TZ('2004-01-01', '+00:00', '+15:00'), CONVERT_TZ('x', '+00:00', '+01:00'), CONVERT_TZ('2004-12-31 23:30:00', '+00:00', '+01:00')
SELECT orderNumber, CONVERT_TZ(orderDate, '+00:00', '-01:00'), CONVERT_TZ(orderDate, 'SYSTEM', 'SYSTEM') FROM orders ORDER BY orderNumber LIMIT 3
SELECT CONVERT_TZ('1960-01-01 00:00:00', '+00:00', '+01:00'), CONVERT_TZ('2040-01-01 00:00:00', '+00:00', '+01:00'), CONVERT_TZ('2004-01-01 12:00:00.25', '+00:00', '+01:00'), CONVERT_TZ('2004-01-01 12:00:00', '+0:00', '+1:00'), CONVERT_TZ('2004-01-01 12:00:00', '00:00', '+01:00')
SELECT DATE '2004-01-02' > '2004-01-01', DATE '2004-01-02' = 20040102, DATE '2004-01-02' + 1, TIME '10:00:00' + 1, TIMESTAMP '2004-01-02 00:00:00' = DATE '2004-01-02', DATE '2004-01-02' BETWEEN '2004-01-01' AND '2004-01-03', DATE '2004-01-02' IN ('2004-01-02'), TIME '10:00:00' < '9:00:00'
SELECT COUNT(*) FROM orders WHERE orderDate = '2004'
SELECT COUNT(*) FROM orders WHERE orderDate > ''
SELECT COUNT(*) FROM orders WHERE orderDate = '2004-02-30'
SELECT COUNT(*) FROM orders WHERE orderDate BETWEEN 20040101 AND '2004-06-30'
SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2004 AND orderDate NOT LIKE '%-01-%'
SELECT MAX(TIMEDIFF(shippedDate, orderDate)), MIN(TIMESTAMPDIFF(DAY, orderDate, shippedDate)) FROM orders
SELECT CAST('10:20' AS TIME), CAST('2004-01-01 10:20:30.6' AS DATETIME), CAST('2004-01-01 10:20:30.6' AS DATETIME(1)), CAST('' AS DATE), CAST(NULL AS DATE), CAST('2004-1-1' AS CHAR), CAST(20040101102030 AS DATETIME), CAST('23:59:59.9' AS TIME), CAST('04-2-3' AS DATE)
SELECT CAST('' AS SIGNED), CAST('-12.9' AS SIGNED), CAST(-12.5 AS SIGNED), CAST('9999999999' AS SIGNED), CAST(NULL AS SIGNED), CAST('1e3' AS SIGNED), CAST(1e3 AS SIGNED), CAST(' 12 ' AS SIGNED), CAST('+5' AS UNSIGNED), CAST(TRUE AS SIGNED)
SELECT CAST('abc' AS DECIMAL(5,2)), CAST('12.345' AS DECIMAL(5,2)), CAST(12345.678 AS DECIMAL(5,2)), CAST(-99999 AS DECIMAL(4,1)), CAST('' AS DECIMAL), CAST('1e2' AS DECIMAL(10,2)), CAST(0.005 AS DECIMAL(3,2)), CAST(NULL AS DECIMAL(3,1)), CAST(1.5 AS DECIMAL)
SELECT CAST(1.0 AS CHAR), CAST(1e0 AS CHAR), CAST(1e20 AS CHAR), CAST(0.1e0 AS CHAR), CAST(NULL AS CHAR), CAST(1/3 AS CHAR), CAST('abc' AS CHAR(0)), CAST(-5 AS CHAR(1)), CAST(TRUE AS CHAR), CAST(1e-7 AS CHAR)
SELECT BINARY 'abc' = 'ABC', 'abc' = BINARY 'abc', CAST('abc' AS BINARY), CAST('abc' AS BINARY(2)), CAST('a' AS BINARY(3)), HEX(BINARY 'é')
SELECT CONVERT('12.7', SIGNED), CONVERT('abc', DECIMAL(4,1)), CONVERT(12.345, CHAR(4)), CONVERT('2004-01-01', DATE), CONVERT('äöü' USING latin1), CONVERT('abc' USING utf8mb4), CONVERT(NULL USING utf8mb4), CONVERT('€' USING ascii)
SELECT 'a' = 'A' COLLATE utf8mb4_bin, 'a' = 'á' COLLATE utf8mb4_general_ci, 'ß' = 's' COLLATE utf8mb4_general_ci, 'ß' = 'ss' COLLATE utf8mb4_unicode_ci, 'a' = 'a ' COLLATE utf8mb4_general_ci, 'a' = 'a ' COLLATE utf8mb4_bin, 'a' = 'a ' COLLATE utf8mb4_0900_ai_ci
SELECT CONVERT('é' USING latin1) = CONVERT('E' USING latin1), CONVERT('Ä' USING latin1) COLLATE latin1_swedish_ci = 'æ', CONVERT('a' USING latin1) COLLATE latin1_bin = 'A'
SELECT 'a' COLLATE latin1_swedish_ci
SELECT 'a' COLLATE utf8mb4_bin = 'a' COLLATE utf8mb4_general_ci
SELECT DISTINCT x COLLATE utf8mb4_bin AS b FROM (SELECT 'a' AS x UNION ALL SELECT 'A' UNION ALL SELECT 'á') t ORDER BY b
SELECT x, COUNT(*) FROM (SELECT 'a' AS x UNION ALL SELECT 'a' UNION ALL SELECT 'b') t GROUP BY x COLLATE utf8mb4_bin ORDER BY x
SELECT customerName FROM customers WHERE customerName COLLATE utf8mb4_bin LIKE 'a%' OR city = BINARY 'paris' ORDER BY 1
SELECT IF('', 1, 2), IF('0', 1, 2), IF('a', 1, 2), IF(0.4, 1, 2), IF(NULL, 'a', NULL), IF(1, 2, 'x'), IF(0, 2, 'x'), IF(1, DATE '2004-01-01', 'x'), IF(1, 1, 1e0)
SELECT CASE WHEN 1 THEN 'a' ELSE 2 END, CASE 'A' WHEN 'a' THEN 1 END, CASE NULL WHEN NULL THEN 1 ELSE 2 END, CASE 1 WHEN '1' THEN 'y' END, CASE WHEN 0 THEN 1 WHEN NULL THEN 2 END
SELECT IFNULL(NULL, NULL), IFNULL('', 'x'), IFNULL(1/0, 'inf'), NULLIF('a', 'A'), NULLIF(1, '1'), NULLIF(NULL, 1), NULLIF(1, NULL), COALESCE(NULL, 'a', 1), COALESCE(NULL, DATE '2004-01-01')
SELECT NULL <=> 0, '' <=> NULL, (1, NULL) <=> (1, NULL), NULL IS NOT NULL, ISNULL(1/0), NOT NULL IS NULL, 1 IS NOT TRUE, 'a' IS TRUE, 2 IS TRUE, -1 IS FALSE
SELECT 5 BETWEEN 5 AND 1, 'b' BETWEEN 'a' AND 'c', 2 BETWEEN '1' AND '3', 1 BETWEEN NULL AND 0, NULL NOT BETWEEN 1 AND 2, '10' BETWEEN 5 AND 20, 'A' BETWEEN 'a' AND 'a'
SELECT 1 IN ('1'), 'a' IN ('A', NULL), NULL NOT IN (1), 2 NOT IN (1, '2x'), '1abc' IN (1), 1.0 IN (1), (1, 2) IN ((1, 2), (3, 4)), (1, NULL) IN ((1, 2)), (1, 2) NOT IN ((3, NULL))
SELECT (1, 2) = (1, 2), (1, 2) > (1, 1), (NULL, 2) > (1, 1), (2, NULL) > (1, 1), (1, 2, 3) >= (1, 2, 3), (1, 'a') = (1, 'A'), NOT (1, 2) = (2, 1)
SELECT (1, 2) = (1, 2, 3)
SELECT (1, 2) + 1
SELECT 1 IN (1, (2, 3))
SELECT JSON_EXTRACT('[1, "a", null, true, {"b": 2}]', '$[0]', '$[4].b'), JSON_EXTRACT('{"a": []}', '$.a[0]'), JSON_EXTRACT('{"a": 1}', '$.A'), JSON_EXTRACT('""', '$'), JSON_EXTRACT('[[1,2],[3]]', '$[*][0]'), JSON_EXTRACT('[1,2,3]', '$[0 to last]')
SELECT JSON_UNQUOTE(JSON_EXTRACT('{"a": "b\\nc"}', '$.a')), JSON_UNQUOTE('"\\u00e4"'), JSON_QUOTE('ä'), JSON_UNQUOTE(JSON_EXTRACT('{"a": null}', '$.a')), JSON_UNQUOTE('null'), JSON_QUOTE('"')
SELECT JSON_ARRAY(), JSON_ARRAY(NULL, '', 0, -1.50, TRUE, 'ä"'), JSON_OBJECT('k', JSON_ARRAY(1)), JSON_OBJECT('', 1), JSON_OBJECT('a', TRUE, 'b', 1.0, 'c', 1e2), JSON_ARRAY(CURDATE() IS NOT NULL)
SELECT JSON_LENGTH('{}'), JSON_LENGTH('[1, [2, 3]]', '$[1]'), JSON_LENGTH('"abc"'), JSON_LENGTH('null'), JSON_DEPTH('[[[1]]]'), JSON_DEPTH('1'), JSON_KEYS('{"a": {"b": 1}}', '$.a'), JSON_KEYS('{"a": 1}', '$.b'), JSON_TYPE('[1]'), JSON_TYPE('1.0'), JSON_VALID('{"a"}'), JSON_VALID('[1, 2')
SELECT JSON_SET('{"a": 1}', '$.a', NULL), JSON_SET('{"a": [1]}', '$.a[1]', 'x', '$.b', CAST('[2]' AS JSON)), JSON_INSERT('[1]', '$[0]', 2, '$[9]', 3), JSON_REPLACE('{"a": 1}', '$.b', 2), JSON_SET(NULL, '$.a', 1), JSON_SET('{}', NULL, 1), JSON_REMOVE('[1, 2, 3]', '$[0]', '$[0]'), JSON_REMOVE(NULL, '$.a')
SELECT JSON_CONTAINS('[1, 2, 3]', '[1, 3]'), JSON_CONTAINS('{"a": {"b": 1}}', '{"a": {}}'), JSON_CONTAINS('"a"', '"A"'), JSON_CONTAINS('[1]', '1.0'), JSON_CONTAINS(NULL, '1'), JSON_CONTAINS_PATH('{"a": 1}', 'one', '$.a', '$.b'), JSON_CONTAINS_PATH('{"a": 1}', 'all', '$.a', '$.b'), JSON_CONTAINS_PATH(NULL, 'one', '$.a')
SELECT JSON_SEARCH('{"a": "x", "b": ["x", "y"]}', 'all', 'x'), JSON_SEARCH('["a%"]', 'one', 'a|%', '|'), JSON_SEARCH('[1]', 'one', '1'), JSON_SEARCH('{"a": {"b": "x"}}', 'one', 'x', NULL, '$.a'), JSON_SEARCH(NULL, 'one', 'a')
SELECT JSON_MERGE_PATCH('{"a": [1, 2]}', '{"a": [3]}'), JSON_MERGE_PATCH(NULL, '{}'), JSON_MERGE_PATCH('{"a": 1}', NULL), JSON_MERGE_PRESERVE('{"a": 1}', '{"a": null}'), JSON_MERGE_PRESERVE('[]', '[]'), JSON_ARRAY_APPEND('[1]', '$', JSON_ARRAY(2)), JSON_ARRAY_INSERT('[1, 2]', '$[0]', 0, '$[last]', 9)
SELECT doc -> '$.n', doc ->> '$.s', doc -> '$.missing', doc ->> '$.list[1]' FROM (SELECT JSON_OBJECT('n', 1.50, 's', 'a"b', 'list', JSON_ARRAY(1, 'two')) AS doc) t
SELECT JSON_EXTRACT('{"a": 2}', '$.a') + 1, JSON_EXTRACT('{"a": "2"}', '$.a') + 1, JSON_EXTRACT('{"a": 2}', '$.a') > 10, JSON_EXTRACT('{"a": [1]}', '$.a') = CAST('[1]' AS JSON), JSON_EXTRACT('{"a": 2}', '$.a') BETWEEN 1 AND 3, JSON_EXTRACT('{"a": 2}', '$.a') IN (1, 2)
SELECT JSON_EXTRACT('[1', '$')
SELECT JSON_EXTRACT('[1]', '$.a[')
SELECT JSON_OBJECT('a', 1, 'b')
SELECT JSON_KEYS('x')
SELECT DISTINCT JSON_EXTRACT(JSON_OBJECT('t', territory), '$.t') FROM offices
SELECT JSON_EXTRACT(JSON_OBJECT('t', territory), '$.t') AS t, COUNT(*) FROM offices GROUP BY t ORDER BY t
SELECT MAX(JSON_EXTRACT(JSON_OBJECT('n', officeCode + 0), '$.n')) FROM offices
SELECT SUM(creditLimit), AVG(creditLimit), MIN(creditLimit), MAX(city), GROUP_CONCAT(city), STDDEV_SAMP(creditLimit), BIT_OR(customerNumber), JSON_ARRAYAGG(city) FROM customers WHERE 1 = 0
SELECT country, SUM(creditLimit) AS s, GROUPING(country) AS g FROM customers GROUP BY country WITH ROLLUP HAVING g = 1 OR s > 500000 ORDER BY g, s DESC
SELECT IF(GROUPING(territory), 'all', territory) AS t, IF(GROUPING(country), 'total', country) AS c, COUNT(*) FROM offices GROUP BY territory, country WITH ROLLUP
SELECT YEAR(paymentDate) AS y, MONTH(paymentDate) AS m, SUM(amount), GROUPING(YEAR(paymentDate)), GROUPING(MONTH(paymentDate)) FROM payments GROUP BY YEAR(paymentDate), MONTH(paymentDate) WITH ROLLUP
SELECT GROUPING(productLine, productScale) AS g, COUNT(*) FROM products GROUP BY productLine, productScale WITH ROLLUP ORDER BY g, COUNT(*) LIMIT 12
SELECT status, customerNumber, COUNT(*) FROM orders WHERE customerNumber < 120 GROUP BY status, customerNumber WITH ROLLUP ORDER BY COUNT(*) DESC, status, customerNumber LIMIT 5
SELECT GROUP_CONCAT(DISTINCT territory ORDER BY territory DESC SEPARATOR '|'), GROUP_CONCAT(officeCode ORDER BY officeCode + 0 DESC), GROUP_CONCAT(city, '=', country ORDER BY country, city SEPARATOR '; '), GROUP_CONCAT(DISTINCT officeCode DIV 3 ORDER BY 1) FROM offices
SELECT territory, GROUP_CONCAT(IF(state IS NULL, NULL, city) ORDER BY city SEPARATOR ''), GROUP_CONCAT(DISTINCT LEFT(city, 1) ORDER BY city) FROM offices GROUP BY territory ORDER BY territory
SELECT city FROM offices GROUP BY city HAVING COUNT(*) >= ALL (SELECT COUNT(*) FROM offices GROUP BY city) ORDER BY city
SELECT country FROM customers GROUP BY country HAVING COUNT(*) >= ALL (SELECT COUNT(*) FROM customers GROUP BY country)
SELECT productLine FROM products GROUP BY productLine HAVING AVG(MSRP) > ANY (SELECT AVG(MSRP) FROM products GROUP BY productVendor) ORDER BY productLine
SELECT customerNumber, SUM(amount) FROM payments GROUP BY customerNumber HAVING SUM(amount) > ALL (SELECT SUM(amount) FROM payments WHERE customerNumber <> 141 GROUP BY customerNumber)
SELECT MAX(amount) = ALL (SELECT MAX(amount) FROM payments), MIN(amount) < SOME (SELECT creditLimit FROM customers), COUNT(*) <> ANY (SELECT COUNT(*) FROM orders) FROM payments
SELECT status, COUNT(*) > ALL (SELECT COUNT(*) FROM orders WHERE status <> 'Shipped' GROUP BY status) AS most FROM orders GROUP BY status ORDER BY status
SELECT country FROM customers GROUP BY country HAVING MAX(creditLimit) = (SELECT MAX(c2.creditLimit) FROM customers c2) OR COUNT(*) > (SELECT 20) ORDER BY 1
SELECT country FROM customers c GROUP BY country HAVING EXISTS (SELECT 1 FROM offices o WHERE o.country = c.country) ORDER BY country
SELECT paymentDate, amount, SUM(amount) OVER (ORDER BY paymentDate RANGE BETWEEN INTERVAL 10 DAY PRECEDING AND CURRENT ROW) AS s FROM payments WHERE customerNumber < 125 ORDER BY paymentDate
SELECT orderDate, COUNT(*) OVER (ORDER BY orderDate DESC RANGE BETWEEN INTERVAL 2 WEEK PRECEDING AND CURRENT ROW) AS n FROM orders WHERE orderNumber < 10130 ORDER BY orderDate, n
SELECT creditLimit, COUNT(*) OVER (ORDER BY creditLimit RANGE BETWEEN 5000 PRECEDING AND 5000 FOLLOWING) AS n FROM customers WHERE country = 'USA' ORDER BY creditLimit
SELECT quantityInStock, SUM(quantityInStock) OVER (ORDER BY quantityInStock RANGE BETWEEN 100 PRECEDING AND CURRENT ROW) AS s FROM products WHERE productLine = 'Trains' ORDER BY 1
SELECT officeCode, FIRST_VALUE(city) OVER (ORDER BY officeCode ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS f, LAST_VALUE(city) OVER (ORDER BY officeCode ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS l, NTH_VALUE(city, 3) OVER (ORDER BY officeCode) AS n FROM offices ORDER BY officeCode
SELECT officeCode, LAG(city, 2, 'x') OVER w, LEAD(officeCode, 0) OVER w, LEAD(city) OVER w, NTILE(4) OVER w, ROW_NUMBER() OVER w FROM offices WINDOW w AS (PARTITION BY territory ORDER BY officeCode) ORDER BY officeCode
SELECT territory, COUNT(*) OVER (PARTITION BY territory), RANK() OVER (PARTITION BY territory ORDER BY country), DENSE_RANK() OVER (ORDER BY territory), PERCENT_RANK() OVER (ORDER BY country), CUME_DIST() OVER (ORDER BY country) FROM offices ORDER BY officeCode
SELECT SUM(amount) OVER (ORDER BY amount ROWS BETWEEN 2 FOLLOWING AND 1 FOLLOWING) FROM payments LIMIT 1
SELECT AVG(amount) OVER (PARTITION BY customerNumber ORDER BY paymentDate ROWS 1 PRECEDING) AS a, MIN(amount) OVER (PARTITION BY customerNumber ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS m FROM payments WHERE customerNumber < 125 ORDER BY customerNumber, paymentDate
SELECT NTILE(0) OVER (ORDER BY city) FROM offices
SELECT LAG(city, -1) OVER (ORDER BY city) FROM offices
SELECT SUM(DISTINCT amount) OVER () FROM payments
SELECT ROW_NUMBER() OVER w FROM offices WINDOW v AS (ORDER BY city)
SELECT city, ROW_NUMBER() OVER (ORDER BY city) AS r FROM offices HAVING r < 3
SELECT COUNT(*) OVER (ORDER BY city RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM offices
SELECT JSON_ARRAYAGG(officeCode) OVER (ORDER BY officeCode) AS a FROM offices ORDER BY officeCode
SELECT BIT_OR(officeCode) OVER (ORDER BY officeCode), STDDEV_SAMP(officeCode) OVER (ORDER BY officeCode), VAR_POP(officeCode) OVER (PARTITION BY territory) FROM offices ORDER BY officeCode
(SELECT city FROM offices ORDER BY city DESC LIMIT 2) UNION ALL (SELECT city FROM customers ORDER BY city LIMIT 1) ORDER BY city
SELECT 1 AS a, 'x' AS b UNION SELECT 2, NULL UNION ALL SELECT 1, 'X' ORDER BY a DESC, b
SELECT 'a' UNION SELECT 'A' UNION SELECT 'á'
SELECT 1 UNION SELECT '1' UNION SELECT 1.0
SELECT DATE '2004-01-01' UNION SELECT '2004-01-02' UNION SELECT NULL ORDER BY 1
SELECT 1 UNION ALL SELECT 2 ORDER BY 1 DESC LIMIT 1 OFFSET 1
SELECT officeCode FROM offices UNION SELECT officeCode FROM employees ORDER BY officeCode + 0 DESC LIMIT 3
SELECT * FROM (SELECT 1 AS a UNION SELECT 2) x JOIN (SELECT 2 AS a UNION ALL SELECT 2) y ON x.a = y.a
SELECT city FROM offices UNION SELECT country FROM offices ORDER BY officeCode
SELECT NULL UNION ALL SELECT 'a' UNION ALL SELECT 2.50
SELECT 1, 2 UNION SELECT 3
SELECT (SELECT COUNT(*) FROM orders o WHERE o.customerNumber = c.customerNumber) AS n, COUNT(*) FROM customers c GROUP BY n ORDER BY n
SELECT customerName FROM customers c ORDER BY (SELECT MAX(amount) FROM payments p WHERE p.customerNumber = c.customerNumber) DESC, customerName LIMIT 3
SELECT c.customerName, x.amount FROM customers c JOIN payments x ON x.customerNumber = c.customerNumber AND x.amount = (SELECT MAX(y.amount) FROM payments y WHERE y.customerNumber = c.customerNumber) WHERE c.country = 'France' ORDER BY 1
SELECT IF((SELECT COUNT(*) FROM orders) > 100, 'many', 'few'), CASE WHEN EXISTS (SELECT 1 FROM offices WHERE city = 'x') THEN 1 ELSE (SELECT MIN(officeCode) FROM offices) END
SELECT (SELECT SUM(p.amount) FROM payments p WHERE p.customerNumber = c.customerNumber AND p.amount > (SELECT AVG(amount) FROM payments q WHERE q.customerNumber = c.customerNumber)) AS s FROM customers c ORDER BY c.customerNumber LIMIT 5
SELECT e.lastName FROM employees e WHERE (SELECT COUNT(*) FROM employees m WHERE m.reportsTo = e.employeeNumber) BETWEEN 2 AND 4 ORDER BY 1
SELECT o.city FROM offices o WHERE NOT EXISTS (SELECT 1 FROM employees e WHERE e.officeCode = o.officeCode AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.salesRepEmployeeNumber = e.employeeNumber)) ORDER BY 1
SELECT city FROM offices WHERE (officeCode, city) = (SELECT officeCode, city FROM offices WHERE officeCode = '1')
SELECT city FROM offices WHERE (officeCode, city) IN (SELECT officeCode, 'Paris' FROM offices)
SELECT city FROM offices WHERE officeCode > ALL (SELECT officeCode FROM offices WHERE 1 = 0) ORDER BY city LIMIT 2
SELECT NULL IN (SELECT 1 FROM offices WHERE 1 = 0), NULL NOT IN (SELECT 1 FROM offices WHERE 1 = 0), 1 NOT IN (SELECT NULL), 1 > ALL (SELECT NULL), 2 = ANY (SELECT NULL UNION SELECT 2)
SELECT city FROM offices JOIN employees ON officeCode = officeCode
SELECT offices.phone FROM offices o
SELECT city FROM offices GROUP BY nothing
SELECT city FROM offices ORDER BY nothing
SELECT COUNT(*), city FROM offices
SELECT city FROM offices WHERE SUM(officeCode) > 1
SELECT MAX(COUNT(*)) FROM offices GROUP BY city
SELECT city FROM offices GROUP BY COUNT(*)
SELECT (SELECT city, country FROM offices LIMIT 1)
SELECT city FROM offices WHERE city = (SELECT city, country FROM offices LIMIT 1)
SELECT city FROM offices WHERE city IN (SELECT city, country FROM offices)
SELECT * FROM (SELECT city FROM offices)
SELECT * FROM (SELECT city, city FROM offices) t
SELECT city FROM offices o JOIN offices o
SELECT SELECT 1
SELECT city FROM offices WHERE
SELECT CONCAT() FROM offices
SELECT NULLIF(1)
SELECT GROUPING(city) FROM offices
SELECT GROUPING(country) FROM offices GROUP BY city WITH ROLLUP
SELECT city AS c FROM offices WHERE c = 'Paris'
SELECT LAG(city) FROM offices
SELECT SUM(ROW_NUMBER() OVER ()) FROM offices
SELECT city, COUNT(*) FROM offices ORDER BY COUNT(*)
SELECT DISTINCT country FROM offices ORDER BY city
SELECT country, COUNT(*) FROM offices GROUP BY country ORDER BY city
SELECT city FROM offices LIMIT -1
SELECT city FROM offices HAVING nothing = 1
SELECT e.* FROM offices o
SELECT * FROM offices NATURAL JOIN nothing
SELECT city FROM offices JOIN employees USING (nothing)
SELECT 'a' + INTERVAL 1 DAY, NULL + INTERVAL 1 MONTH, '2004-01-01' - INTERVAL '1' DAY
WITH RECURSIVE n AS (SELECT 1 AS i, CAST('a' AS CHAR(20)) AS s UNION ALL SELECT i + 1, CONCAT(s, 'b') FROM n WHERE i < 5) SELECT i, s FROM n ORDER BY i DESC
WITH a AS (SELECT 1 AS x), a AS (SELECT 2 AS x) SELECT * FROM a
WITH t(a, b) AS (SELECT 1) SELECT * FROM t
SELECT INSTR('café', 'e'), LOCATE('é', 'cafe'), INSTR('abé', 'É'), LOCATE('B', 'aéb'), INSTR('naïve', 'iv'), INSTR('œuvre', 'oe'), INSTR('oeuvre', 'œ')
SELECT COUNT(*) FROM orders WHERE orderDate > 'yesterday'
SELECT COUNT(*) FROM orders WHERE orderDate < 'yesterday'
SELECT COUNT(*) FROM orders WHERE orderDate > '2004'
SELECT COUNT(*) FROM orders WHERE orderDate >= '2004-06'
SELECT COUNT(*) FROM orders WHERE orderDate <= '2004-02-30'
SELECT COUNT(*) FROM orders WHERE orderDate IN ('2004', '2003-01-06')
SELECT COUNT(*) FROM orders WHERE orderDate <> ''
SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 'x'
SELECT COUNT(*) FROM orders WHERE orderDate + INTERVAL 1 DAY > '2004'
SELECT REGEXP_INSTR('abc', 'b', 0)
SELECT REGEXP_REPLACE('abc', 'b', 'x', 0)
SELECT REGEXP_SUBSTR('abc', 'b', -1)
SELECT REGEXP_SUBSTR('abc', 'b', 9)
SELECT REGEXP_REPLACE('abc', 'b', 'x', 9)
SELECT 'a' REGEXP 'a**'
SELECT 'a' REGEXP 'a)'
SELECT 'a' REGEXP '\\'
SELECT 'a' REGEXP '[z-a]'
SELECT 'a' REGEXP 'a{'
SELECT JSON_EXTRACT(JSON_OBJECT('n', officeCode + 0), '$.n') AS n FROM offices ORDER BY n DESC
SELECT JSON_ARRAY(territory) AS a, COUNT(*) FROM offices GROUP BY a
SELECT MIN(j), MAX(j) FROM (SELECT JSON_EXTRACT('["a"]', '$[0]') AS j UNION ALL SELECT CAST('5' AS JSON) UNION ALL SELECT CAST('10' AS JSON)) t
SELECT DISTINCT j FROM (SELECT CAST('1' AS JSON) AS j UNION ALL SELECT CAST('1.0' AS JSON) UNION ALL SELECT JSON_OBJECT('b', 1, 'a', 2) UNION ALL SELECT CAST('{"a":2,"b":1}' AS JSON)) t
SELECT COUNT(DISTINCT JSON_ARRAY(territory)) FROM offices
SELECT CAST('1' AS JSON) UNION SELECT CAST('1.0' AS JSON) UNION SELECT CAST('"a"' AS JSON)
SELECT COUNT(*) OVER (ORDER BY officeCode + 0 RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW) FROM offices
SELECT COUNT(*) OVER (ORDER BY orderDate RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders
SELECT COUNT(*) OVER (ORDER BY orderDate, status RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW) FROM orders
SELECT COUNT(*) OVER (RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW) FROM orders
SELECT COUNT(*) OVER (ORDER BY orderDate RANGE BETWEEN INTERVAL -1 DAY PRECEDING AND CURRENT ROW) FROM orders
SELECT COUNT(*) OVER (ORDER BY officeCode ROWS -1 PRECEDING) FROM offices
SELECT NTH_VALUE(city, 0) OVER (ORDER BY officeCode) FROM offices
SELECT COERCIBILITY(CAST(5 AS CHAR)), COERCIBILITY(CONVERT('a' USING utf8mb4)), COERCIBILITY(BINARY 'a'), COERCIBILITY(DATE_FORMAT('2004-01-01', '%Y')), COERCIBILITY(IF(1, 'a', 'b')), COERCIBILITY(CONCAT('a', 5)), COERCIBILITY(HEX('a')), COERCIBILITY(MD5('a')), COERCIBILITY(NOW()), COERCIBILITY(CURDATE()), COERCIBILITY(UPPER(5)), COERCIBILITY(JSON_ARRAY()), COERCIBILITY(UNHEX('41'))
SELECT (SELECT COERCIBILITY(x.c) FROM (SELECT 'a' AS c) x), COERCIBILITY((SELECT 'a')), COERCIBILITY((SELECT MAX(city) FROM offices)), COLLATION((SELECT MAX(city) FROM offices))
SELECT TIMESTAMP('2004-01-01 10:20:30.25'), TIMESTAMP('2004-01-01', '10:20:30.5'), CAST('2004-01-01 23:59:59.9999' AS DATETIME(2)), CAST('10:20:30.55' AS TIME(1)), CAST('2004-12-31 23:59:59.7' AS DATETIME), CAST('2004-12-31 23:59:59.7' AS DATE)
SELECT DATE_ADD('2004-01-01 00:00:00', INTERVAL 1000000 MICROSECOND), DATE_ADD('2004-01-01', INTERVAL 0.0 SECOND), DATE_ADD(DATE '2004-01-01', INTERVAL 1.5 SECOND), DATE_ADD(TIMESTAMP '2004-01-01 00:00:00', INTERVAL '1.5' SECOND), DATE_ADD(DATE '2004-01-01', INTERVAL '5' SECOND), DATE_ADD('2004-01-01 00:00:00.5', INTERVAL 500000 MICROSECOND)
SELECT HOUR('2004-01-01'), MINUTE('2004-01-01'), SECOND(DATE '2004-01-01'), TIME('2004-01-01T10:20:30'), TIME(' 10:20:30'), TIME('10:20:30abc'), TIME('1 02:03'), TIME('20040101102030'), TIME('-1:2'), TIME('.5'), TIME('12.5'), TIME('99:99:99'), TIME_TO_SEC('2004-01-01 01:00:00')
SELECT FORMAT(12332.1, 4, 'EN_us'), FORMAT(5, 2, 'zz'), FORMAT(-1234567.5, 0, 'de_DE'), FORMAT(0.5, 2, 'de_DE'), FORMAT(1234567, 2, 'hi_IN')
SELECT STR_TO_DATE('10:20:30', '%H:%i:%s'), STR_TO_DATE('2004 5 10', '%Y %U %w'), STR_TO_DATE('200442 Monday', '%x%v %W'), STR_TO_DATE('2004-12-31 12', '%Y-%m-%d %h'), STR_TO_DATE('2004-02-31 10:00', '%Y-%m-%d %H:%i'), STR_TO_DATE('04-3-2', '%y-%c-%e'), STR_TO_DATE('2004-366', '%Y-%j'), STR_TO_DATE('2003-366', '%Y-%j')
SELECT UNIX_TIMESTAMP(DATE '2004-01-01'), UNIX_TIMESTAMP(TIMESTAMP '2004-01-01 00:00:00.25'), UNIX_TIMESTAMP('2004-02-30'), UNIX_TIMESTAMP('2038-01-19 03:14:07'), UNIX_TIMESTAMP('2038-01-19 03:14:08'), UNIX_TIMESTAMP('1969-12-31'), UNIX_TIMESTAMP(orderDate), UNIX_TIMESTAMP(CAST(orderDate AS CHAR)) FROM orders WHERE orderNumber = 10100
SELECT FROM_UNIXTIME(2147483647), FROM_UNIXTIME(2147483648), FROM_UNIXTIME(1e9), FROM_UNIXTIME(0.5), FROM_UNIXTIME(0), FROM_UNIXTIME('x'), FROM_UNIXTIME(1000000000, '%W %M %Y')
SELECT SEC_TO_TIME('abc'), SEC_TO_TIME(1e0), SEC_TO_TIME(0.25), SEC_TO_TIME(-0.5), MAKETIME(1, 2, '3'), MAKETIME(1, 2, 3.25), MAKETIME('1', '2', 3), MAKETIME(1, 2, 60), SEC_TO_TIME(59.9999999)
SELECT MAX(t), MIN(t) FROM (SELECT TIMEDIFF('10:00:00', '12:00:00') AS t UNION ALL SELECT TIMEDIFF('12:00:00', '10:00:00') UNION ALL SELECT TIMEDIFF('100:00:00', '00:00:00')) x
SELECT TO_DAYS('0000-03-01'), TO_DAYS('0000-02-28'), TO_DAYS('0001-01-01'), FROM_DAYS(365), FROM_DAYS(3652424), FROM_DAYS(3652425), FROM_DAYS(-1), DATEDIFF('0001-01-01', '0000-12-31')
SELECT SOUNDEX('Honeyman'), SOUNDEX('Lloyd'), SOUNDEX('Jackson'), SOUNDEX('VanDeusen'), SOUNDEX('bb'), SOUNDEX('élan'), SOUNDEX('a b c'), SOUNDEX('Gutierrez')
SELECT 'a' COLLATE utf8_bin
SELECT CONVERT('a' USING latin1) COLLATE utf8mb4_bin
SELECT CONVERT('a' USING utf8) COLLATE utf8_bin = 'A'
SELECT customerName COLLATE latin1_bin FROM customers LIMIT 1
SELECT CONVERT('日本' USING latin1), CONVERT('aé' USING ascii), CONVERT('€' USING latin1), CONVERT('😀' USING utf8), CONVERT('x' USING binary)
SELECT PI(), PI() + 1, PI() * 2, ROUND(PI(), 3), CONCAT(PI()), FLOOR(PI()), -PI(), ABS(PI()), PI() / 2, CAST(PI() AS DECIMAL(10,5))
SELECT POW(-1, 0.5)
SELECT COALESCE(SQRT(-1), 'nan'), LOG(-1, 5), ACOS(1.1), 0e0 / 0e0
SELECT FIELD(1, '1', 2), FIELD('a', 0), FIELD(NULL, 0), FIELD(1.5, '1.5'), FIELD('1', '01'), FIELD(DATE '2004-01-01', '2004-01-01'), FIELD('b', 'a', NULL, 'B')
SELECT YEAR(orderDate) AS y, COUNT(*) FROM orders GROUP BY YEAR(orderDate) WITH ROLLUP HAVING YEAR(orderDate) IS NULL
SELECT YEAR(orderDate) AS y, COUNT(*) FROM orders GROUP BY y WITH ROLLUP HAVING y IS NULL
SELECT state, COUNT(*) FROM offices GROUP BY state WITH ROLLUP HAVING state IS NULL
SELECT IFNULL(country, 'all') AS c, COUNT(*) FROM customers GROUP BY country WITH ROLLUP HAVING c = 'all'
SELECT country, COUNT(*) FROM customers GROUP BY country WITH ROLLUP HAVING country = 'USA' OR COUNT(*) > 100
SELECT country, COUNT(*) FROM customers GROUP BY country WITH ROLLUP HAVING COALESCE(country, 'all') = 'all'
SELECT city, COUNT(*) AS n FROM customers GROUP BY city HAVING n >= ALL (SELECT COUNT(*) FROM customers GROUP BY city) ORDER BY city
SELECT customerNumber + 1 > ALL (SELECT customerNumber FROM customers WHERE country = 'USA') AS x, COUNT(*) FROM customers GROUP BY x
SELECT UPPER(city) = ANY (SELECT city FROM offices) AS x, COUNT(*) FROM customers GROUP BY x ORDER BY x
SELECT SUM(amount) <> ALL (SELECT amount FROM payments), SUM(amount) = ANY (SELECT NULL), COUNT(*) > ALL (SELECT officeCode FROM offices WHERE 1 = 0), MAX(amount) <= ANY (SELECT NULL UNION SELECT 5), MIN(amount) >= ALL (SELECT 1 UNION SELECT NULL), COUNT(*) = ALL (SELECT 5), COUNT(*) <> ANY (SELECT 5 UNION SELECT 6) FROM payments
SELECT 9223372036854775807, -9223372036854775808
SELECT LENGTH(UUID()), UUID() <> UUID(), IS_UUID(UUID()), SUBSTRING(UUID(), 15, 1)
SELECT LEFT('a') FROM offices
SELECT NTILE(NULL) OVER (ORDER BY officeCode) FROM offices
SELECT 'a' REGEXP 'a{2,1}'
SELECT ~5 & 255, (~0) >> 60, BIT_COUNT(~0), ~NULL, ~'3' & 7, 5 & ~1, 1 << 64, 1 << -1, 3 >> 1.6
SELECT TIME '10:00:00' = '10:00', TIME '10:00:00' > '09:59', TIMEDIFF('10:00:00', '00:30:00') < '9:45:00', TIME '10:00:00' BETWEEN '9:00' AND '11:00'
SELECT YEAR()
SELECT IF(1, 2)
SELECT REPLACE('a', 'b')
SELECT COALESCE()
SELECT DATE('2004-01-01', 1)
SELECT UPPER()
SELECT YEARWEEK()
SELECT LPAD('a', 1)
SELECT 'abc' LIKE 'a' ESCAPE 'xy'
-- averages and quotients that pass through a temporary table
SELECT productLine, AVG(MSRP) / AVG(buyPrice) AS x FROM products GROUP BY productLine ORDER BY x
SELECT productLine, AVG(MSRP) / AVG(buyPrice) AS x FROM products GROUP BY productLine ORDER BY productLine
SELECT productVendor, AVG(MSRP) / AVG(buyPrice) AS x FROM products GROUP BY productVendor ORDER BY x DESC
SELECT productVendor, AVG(MSRP) / AVG(buyPrice) AS x, RANK() OVER (ORDER BY productVendor) FROM products GROUP BY productVendor ORDER BY x
SELECT productLine, AVG(MSRP) * 100 / SUM(buyPrice), SUM(MSRP / buyPrice) FROM products GROUP BY productLine WITH ROLLUP
SELECT SUM(DISTINCT priceEach / quantityOrdered), AVG(DISTINCT priceEach / quantityOrdered), AVG(priceEach) / 1e1, AVG(priceEach) + '1' FROM orderdetails
SELECT SUM(amount) * 100 / (SELECT SUM(amount / customerNumber) FROM payments), (SELECT AVG(amount) FROM payments) * 3 FROM payments
SELECT productCode, SUM(MSRP / quantityInStock) OVER (PARTITION BY productLine), AVG(MSRP / quantityInStock) OVER (ORDER BY productCode) FROM products ORDER BY productCode
SELECT IF(creditLimit > 50000, creditLimit, customerNumber) AS a FROM customers WHERE customerNumber < 130 UNION ALL SELECT city FROM customers WHERE customerNumber < 110
SELECT DISTINCT customerNumber, IF(creditLimit > 50000, creditLimit, customerNumber) FROM customers WHERE customerNumber < 130 ORDER BY customerNumber
SELECT CAST('12.5' / 1 AS SIGNED), CAST(13.5e0 AS SIGNED), CAST(-0.5e0 AS SIGNED), CAST(12.5 AS SIGNED), NULLIF(IF(1, 0, 2.50), 7)
SELECT productCode AS k, AVG(priceEach / orderLineNumber) FROM orderdetails WHERE REVERSE(productCode) IS NOT NULL GROUP BY k
SELECT COLLATION(CAST(5 AS CHAR)), COLLATION(HEX('a')), COLLATION(MD5('a')), COLLATION(JSON_ARRAY()), COLLATION(IF(1, 'a', 5)), COLLATION(CONVERT('a' USING latin1)), COLLATION(UPPER(5)), CHARSET(UPPER(NULL)), CHARSET(IFNULL(NULL, 'a')), CHARSET(CAST('a' AS BINARY)), COLLATION(NOW()), COLLATION(TRIM('a' COLLATE utf8mb4_general_ci)), COLLATION(JSON_UNQUOTE('"a"'))
SELECT INSERT('É', 2, 1, 'xy'), INSERT('Éa', 3, 1, 'xy'), INSERT('Éa', 4, 1, 'xy'), INSERT('É', 2, 0, 'x'), INSERT('a', 2, 0, 'x')
SELECT orderNumber, GROUP_CONCAT(IF(orderLineNumber > 2, quantityOrdered, priceEach) ORDER BY 1), GROUP_CONCAT(DISTINCT IF(1, 1, 2.5)) FROM orderdetails WHERE orderNumber < 10103 GROUP BY orderNumber
SELECT productCode, productLine, MSRP FROM products GROUP BY productCode, productLine WITH ROLLUP
SELECT productCode FROM products GROUP BY productCode WITH ROLLUP ORDER BY MSRP
SELECT country, AVG(1e1 / 3) = 1e1 / 3 AS x, SUM(0.1e0) AS y FROM customers GROUP BY country HAVING COUNT(*) > 3 ORDER BY country
SELECT ROUND(-(-3), 2), -(-3), -(-3) / 7, -(-(3)) FROM offices
SELECT MAX(quantityInStock / MSRP) / COUNT(*), MAX(quantityInStock / 1e1) - MIN(1 / 0.07) FROM products
SELECT (officeCode & 255) * -3 FROM offices
SELECT g + 0 FROM (SELECT GROUP_CONCAT(7) AS g FROM offices) d
SELECT IF(1, 1, 0.07) AS k, COUNT(*) FROM offices GROUP BY k
SELECT CAST(IF(officeCode > 3, 7, ROUND(2.5e0, 2)) AS CHAR), IF(officeCode > 3, '12.5', 1 / 3) * 3, TRUNCATE(435e-2, 2), TRUNCATE(1234.5e0, -2), TRUNCATE(-1e300, 2) FROM offices
SELECT (0.07 IS NULL) AS k, SUM(1) FROM offices GROUP BY k

SELECT SUM(x), MAX(x), AVG(x), x > 5 AS y FROM (SELECT IF(amount > 50000, amount, 0) AS x FROM payments) d GROUP BY y ORDER BY y
SELECT x FROM (SELECT DISTINCT IF(amount > 50000, amount, 0) AS x FROM payments) d

SELECT x.n FROM offices o, LATERAL (SELECT COUNT(*) AS n FROM employees e WHERE e.officeCode = o.officeCode) x
SELECT JSON_ARRAY(1) IN ('[1]')
SELECT 1 MEMBER OF ('[1, 2]')
SELECT JSON_OVERLAPS('[1]', '[1, 2]')
SELECT city FROM offices ORDER BY RAND(10), city
SELECT officeCode, RAND(7) FROM offices ORDER BY officeCode
SELECT 1 MEMBER OF('[1, "1"]'), '1' MEMBER OF('[1, 2]'), 5 MEMBER OF('5'), NULL MEMBER OF('[1]')
SELECT COUNT(NULL), SUM(''), AVG('3x'), MIN(''), MAX(NULL), GROUP_CONCAT('a', NULL), COUNT(DISTINCT NULL), BIT_AND(NULL), BIT_OR(NULL), BIT_XOR(NULL), STD(NULL), VAR_SAMP(5)
SELECT orderDate, COUNT(*) OVER (ORDER BY orderDate RANGE BETWEEN INTERVAL 1 MONTH PRECEDING AND INTERVAL 1 MONTH FOLLOWING) AS n FROM orders WHERE customerNumber < 150 ORDER BY orderDate, n
SELECT COUNT(*) FROM orders WHERE orderDate BETWEEN '2004' AND '2005'
SELECT JSON_EXTRACT('{"a": 10}', '$.a') BETWEEN 9 AND 11, JSON_EXTRACT('{"a": "b"}', '$.a') BETWEEN 'a' AND 'c', JSON_EXTRACT('{"a": 10}', '$.a') BETWEEN '9' AND '11', 5 BETWEEN JSON_EXTRACT('[1]', '$[0]') AND 10
SELECT JSON_EXTRACT('{"a": "x"}', '$.a') IN ('x', 'y'), JSON_EXTRACT('{"a": 1}', '$.a') IN ('1'), JSON_ARRAY(1) IN ('[1]'), JSON_EXTRACT('{"a": 1}', '$.a') IN (1.0), 'x' IN (JSON_EXTRACT('{"a": "x"}', '$.a'))
SELECT BINARY 'a', CONCAT(BINARY 'a', 'b'), UPPER(BINARY 'a'), LEFT(BINARY 'abc', 2), IF(1, BINARY 'a', 'b'), LENGTH(CAST('a' AS BINARY(3))), CAST('é' AS BINARY(1)), CAST(5 AS BINARY), REVERSE(BINARY 'é')
SELECT ~0, ~1, -1 | 0, 1 << 63
SELECT -9223372036854775808, -(-9223372036854775808 + 1), 9223372036854775807, 9223372036854775808
SELECT GREATEST('10', 9), LEAST('10', 9, 8.5), GREATEST('a', 1), LEAST(DATE '2004-01-01', '2003-01-01'), GREATEST(TIME '10:00:00', TIME '09:00:00'), GREATEST(1, 2e0), LEAST('2004-01-01', DATE '2004-01-02'), GREATEST(NOW(), DATE '2004-01-01') > '2005-01-01'
SELECT 1 / 3 UNION SELECT 1e0
SELECT ROUND(COUNT(*) * COUNT(*), 2) FROM offices
SELECT GROUP_CONCAT(DISTINCT 0.07) + 0 FROM offices
SELECT x FROM (SELECT IF(amount > 50000, amount, 0) AS x FROM payments) d

SELECT x, d.x + 0, CONCAT(x), x * 2 FROM (SELECT IF(amount > 100000, amount, 0) AS x FROM payments) d ORDER BY x DESC LIMIT 6
SELECT * FROM (SELECT customerNumber, CASE WHEN amount > 100000 THEN amount ELSE 0 END AS x FROM payments) d ORDER BY customerNumber LIMIT 5
WITH d AS (SELECT IF(amount > 100000, amount, 0) AS x FROM payments) SELECT x FROM d ORDER BY x DESC LIMIT 6
SELECT x FROM (SELECT IF(1, 1, 2.5) AS x) d
SELECT x FROM (SELECT IF(amount > 100000, amount, 0) AS x FROM payments HAVING x < 3) d LIMIT 3
SELECT x FROM (SELECT IF(amount > 100000, amount, 0) AS x FROM payments UNION ALL SELECT 1) d ORDER BY x LIMIT 3
SELECT DISTINCT x FROM (SELECT IF(amount > 100000, amount, 0) AS x FROM payments) d ORDER BY x LIMIT 3
SELECT x, COUNT(*) FROM (SELECT IF(amount > 100000, amount, 0) AS x FROM payments) d GROUP BY x ORDER BY x LIMIT 3
SELECT y FROM (SELECT x AS y FROM (SELECT IF(amount > 100000, amount, 0) AS x FROM payments) d) e ORDER BY y LIMIT 3
SELECT x + 0, x * 2, -x, ABS(x), COALESCE(x, 0.5), IFNULL(x, 0.5), NULLIF(x, 1), CONCAT(x), JSON_ARRAY(x), CAST(x AS CHAR), IF(1, x, 0.125) FROM (SELECT IF(officeCode > 3, 7, 2.50) AS x FROM offices) d
SELECT COUNT(*) FROM orders WHERE orderDate NOT BETWEEN '2004' AND '2005'
SELECT COUNT(*) FROM orders WHERE orderDate BETWEEN '2004' AND '2005-01-31'
SELECT COUNT(*) FROM orders WHERE orderDate BETWEEN '2004-01-01' AND '2004-02-30'
SELECT COUNT(*) FROM orders WHERE orderDate BETWEEN status AND '2004-03-01'
SELECT COUNT(*) FROM orders WHERE '2004' BETWEEN orderDate AND shippedDate
SELECT JSON_EXTRACT('{"a": 10}', '$.a') BETWEEN 9.5 AND 11e0, JSON_EXTRACT('{"a": "10"}', '$.a') BETWEEN 9 AND 11, JSON_ARRAY(1) BETWEEN 0 AND 1, JSON_EXTRACT('{"a": true}', '$.a') BETWEEN 1 AND 1, JSON_EXTRACT('{"a": null}', '$.a') BETWEEN 0 AND 1, JSON_EXTRACT('{"a": 1}', '$.b') BETWEEN 0 AND 1, JSON_EXTRACT('{"a": 1}', '$.a') BETWEEN JSON_EXTRACT('{"a": 1}', '$.a') AND JSON_EXTRACT('{"a": 2}', '$.a'), JSON_EXTRACT('{"a": 10}', '$.a') BETWEEN JSON_EXTRACT('{"a": 9}', '$.a') AND JSON_EXTRACT('{"a": 11}', '$.a'), JSON_EXTRACT('{"a": 10}', '$.a') BETWEEN NULL AND 3, JSON_EXTRACT('{"a": "B"}', '$.a') BETWEEN '"a"' AND '"c"'
SELECT JSON_EXTRACT('{"a": "x"}', '$.a') IN ('x'), JSON_EXTRACT('{"a": "x"}', '$.a') IN ('"x"', 'y'), JSON_EXTRACT('{"a": "x"}', '$.a') IN ('X', 'y'), JSON_EXTRACT('{"a": 1}', '$.a') IN ('1', '2'), JSON_EXTRACT('{"a": 1}', '$.a') IN ('1', 2), JSON_EXTRACT('{"a": 1}', '$.a') IN (1, '2'), JSON_EXTRACT('{"a": 1}', '$.a') IN (1, 2), JSON_EXTRACT('{"a": "1"}', '$.a') IN (1, 2), JSON_ARRAY(1) IN (JSON_ARRAY(1), 3), JSON_ARRAY(1) IN (JSON_ARRAY(1)), '"x"' IN (JSON_EXTRACT('{"a": "x"}', '$.a'), 'z'), 'x' IN (JSON_EXTRACT('{"a": "x"}', '$.a'), 'z'), 1 IN (JSON_EXTRACT('{"a": 1}', '$.a'), 2), 1 IN (JSON_EXTRACT('{"a": "1"}', '$.a'), 2)
SELECT COUNT(*) FROM orders WHERE JSON_EXTRACT(JSON_OBJECT('s', status), '$.s') IN ('Shipped')
SELECT COUNT(*) FROM orders WHERE JSON_EXTRACT(JSON_OBJECT('s', orderNumber), '$.s') IN (10100, '10101')
SELECT country, BIT_AND(customerNumber), ~COUNT(*) FROM customers GROUP BY country ORDER BY country LIMIT 2
SELECT DISTINCT ~officeCode FROM offices
SELECT HEX(REVERSE(BINARY 'é')), CHAR_LENGTH(BINARY 'é'), HEX(RIGHT(BINARY 'aé', 2)), HEX(SUBSTRING(BINARY 'aéb', 2, 2)), LOWER(BINARY 'É'), UPPER(BINARY country) = 'usa', LEFT(BINARY country, 2) = 'us' FROM customers LIMIT 1
SELECT orderDate, GREATEST(orderDate, '2004-01-01') AS x, LEAST(orderDate, requiredDate, '2004-06-30') AS y, GREATEST(shippedDate, '2004-01-01') = '2004-01-01' FROM orders ORDER BY orderNumber LIMIT 3
SELECT MAX(GREATEST(orderDate, '2004-01-01')), YEAR(GREATEST(orderDate, '2004-01-01')) AS y FROM orders GROUP BY y
SELECT 1e0 UNION SELECT 1 / 3
SELECT officeCode, RAND(7), RAND(7), RAND(8) FROM offices
SELECT city, RAND(7) AS r FROM offices ORDER BY r
SELECT city FROM offices ORDER BY RAND(10) LIMIT 3
SELECT o.city, x.n, x.m FROM offices o JOIN LATERAL (SELECT COUNT(*) AS n, MAX(e.lastName) AS m FROM employees e WHERE e.officeCode = o.officeCode) x ON TRUE ORDER BY x.n DESC, o.city
SELECT c.country, SUM(x.s), AVG(x.a) FROM customers c, LATERAL (SELECT SUM(p.amount) AS s, AVG(p.amount) AS a FROM payments p WHERE p.customerNumber = c.customerNumber) x GROUP BY c.country HAVING SUM(x.s) > 500000 ORDER BY c.country
SELECT c.customerName, x.a, y.b FROM customers c, LATERAL (SELECT AVG(p.amount) AS a FROM payments p WHERE p.customerNumber = c.customerNumber) x, LATERAL (SELECT x.a / 7 AS b) y ORDER BY c.customerName LIMIT 4
SELECT c.customerName, x.n FROM customers c LEFT JOIN LATERAL (SELECT COUNT(*) FROM orders o WHERE o.customerNumber = c.customerNumber) AS x(n) ON TRUE ORDER BY x.n DESC, c.customerName LIMIT 3
SELECT p.productLine, x.s, x.s / x.n FROM productlines p, LATERAL (SELECT SUM(MSRP) AS s, COUNT(*) AS n FROM products q WHERE q.productLine = p.productLine) AS x ORDER BY p.productLine
SELECT paymentDate, SUM(amount) OVER (ORDER BY paymentDate RANGE BETWEEN INTERVAL 3 MONTH PRECEDING AND CURRENT ROW) AS s, AVG(amount) OVER (ORDER BY paymentDate DESC RANGE INTERVAL 1 YEAR PRECEDING) AS a FROM payments ORDER BY paymentDate, s LIMIT 7
SELECT MAX(n), SUM(n), MIN(m) FROM (SELECT COUNT(*) OVER (ORDER BY shippedDate RANGE BETWEEN INTERVAL 1 QUARTER PRECEDING AND CURRENT ROW) AS n, MIN(comments) OVER (PARTITION BY status ORDER BY orderDate RANGE BETWEEN INTERVAL 2 MONTH PRECEDING AND INTERVAL 1 MONTH PRECEDING) AS m FROM orders) d
SELECT MAX(n), SUM(n) FROM (SELECT COUNT(*) OVER w AS n FROM orders JOIN customers USING (customerNumber) WINDOW w AS (PARTITION BY country ORDER BY orderDate DESC RANGE BETWEEN INTERVAL 1 MONTH PRECEDING AND INTERVAL '1-1' YEAR_MONTH FOLLOWING)) d
SELECT SUM(n) FROM (SELECT COUNT(*) OVER (ORDER BY orderDate RANGE BETWEEN UNBOUNDED PRECEDING AND INTERVAL 1 MONTH PRECEDING) AS n FROM orders) d
SELECT SUM(n) FROM (SELECT COUNT(*) OVER (ORDER BY orderDate RANGE BETWEEN INTERVAL -1 MONTH PRECEDING AND CURRENT ROW) AS n FROM orders) d
WITH m AS (SELECT LAST_DAY(paymentDate) AS m, SUM(amount) AS t FROM payments GROUP BY m) SELECT m, AVG(t) OVER (ORDER BY m RANGE BETWEEN INTERVAL 2 MONTH PRECEDING AND CURRENT ROW) AS r FROM m ORDER BY m LIMIT 8
SELECT status FROM orders GROUP BY status WITH ROLLUP
SELECT status, 1 AS n FROM orders WHERE status = 'x' GROUP BY status WITH ROLLUP HAVING n = 1
SELECT YEAR(paymentDate) AS y, MONTH(paymentDate) AS m, SUM(amount), SUM(SUM(amount)) OVER (PARTITION BY YEAR(paymentDate) ORDER BY MONTH(paymentDate)) AS r FROM payments GROUP BY y, m ORDER BY y, m
SELECT YEAR(paymentDate) y, MONTH(paymentDate) m, SUM(amount), SUM(SUM(amount)) OVER (PARTITION BY YEAR(paymentDate) ORDER BY MONTH(paymentDate)) FROM payments GROUP BY y, m
SELECT GROUP_CONCAT(DISTINCT -2.7) + 0, GROUP_CONCAT(DISTINCT '1e2') + 0, GROUP_CONCAT(DISTINCT 2.5) * 1.5, GROUP_CONCAT(DISTINCT 2.5) > 2.2, GROUP_CONCAT(DISTINCT 2.5) / 2, ROUND(GROUP_CONCAT(DISTINCT 2.567), 1), ABS(GROUP_CONCAT(DISTINCT 2.5)), -GROUP_CONCAT(DISTINCT 2.5), SQRT(GROUP_CONCAT(DISTINCT 2.5)), IF(GROUP_CONCAT(DISTINCT 0.5), 1, 0), CAST(GROUP_CONCAT(DISTINCT 2.5) AS DECIMAL(5,2)), GROUP_CONCAT(DISTINCT '99999999999999999999') + 0, GROUP_CONCAT(DISTINCT 'x') + 0, GROUP_CONCAT(DISTINCT '') + 0, GROUP_CONCAT(DISTINCT ' 3') + 0 FROM offices
SELECT x * 1000, x, x > 512244.8979, CONCAT(x), ROUND(x, 2), x + 0 FROM (SELECT creditLimit / 7 AS x FROM customers WHERE creditLimit > 0) d LIMIT 3
WITH d AS (SELECT country, creditLimit / 7 AS x FROM customers) SELECT country, SUM(x), AVG(x), MAX(x), x * 3 > 5 AS y, COUNT(*) FROM d GROUP BY country, y ORDER BY country, y LIMIT 5
SELECT x, COUNT(*), SUM(y) FROM (SELECT creditLimit / 7 AS x, creditLimit / 3 AS y FROM customers) d GROUP BY x ORDER BY x DESC LIMIT 3
SELECT y * 100 FROM (SELECT x * 10 AS y FROM (SELECT creditLimit / 7 AS x FROM customers) d) e ORDER BY y DESC LIMIT 3
SELECT productLine, AVG(x), SUM(x) / COUNT(*) FROM (SELECT productLine, MSRP / buyPrice AS x FROM products) d GROUP BY productLine ORDER BY productLine
SELECT x FROM (SELECT creditLimit / 7 AS x FROM customers WHERE customerNumber < 115) d UNION SELECT 1e0

SELECT x FROM (SELECT IF(amount > 50000, amount, 0) AS x, (SELECT 1) AS y FROM payments) d
SELECT x FROM (SELECT IF(amount > 50000, amount, 0) AS x, (SELECT MAX(orderNumber) FROM orders) AS y FROM payments) d
SELECT x FROM (SELECT IF(amount > 50000, amount, 0) AS x, (SELECT MAX(o.orderNumber) FROM orders o WHERE o.customerNumber = p.customerNumber) AS y FROM payments p) d
SELECT x * 1000 FROM (SELECT amount / 7 AS x, (SELECT MAX(o.orderNumber) FROM orders o WHERE o.customerNumber = p.customerNumber) AS y FROM payments p) d
SELECT x * 1000 FROM (SELECT amount / 7 AS x, (SELECT MAX(orderNumber) FROM orders) AS y FROM payments) d
WITH r AS (SELECT productLine, (MSRP - buyPrice) / MSRP AS margin FROM products) SELECT productLine, ROUND(AVG(margin) * 100, 2) AS m, MIN(margin), MAX(margin) FROM r GROUP BY productLine HAVING AVG(margin) > 0.4 ORDER BY m DESC
SELECT c.customerName, d.x * 100, d.x FROM customers c LEFT JOIN (SELECT customerNumber, creditLimit / 7 AS x FROM customers WHERE country = 'USA') d USING (customerNumber) WHERE c.customerNumber < 140 ORDER BY c.customerNumber

-- different
SELECT customerName FROM customers ORDER BY country LIMIT 3
SELECT SUBSTRING(COALESCE(t1.addressLine2, t1.customerName), -2, 3) AS k, COUNT(DISTINCT t1.salesRepEmployeeNumber) FROM customers t1 RIGHT JOIN orders t2 ON t1.customerNumber = t2.customerNumber GROUP BY k
SELECT productLine, JSON_ARRAYAGG(productCode) FROM products GROUP BY productLine
SELECT country, COUNT(*) IN (SELECT COUNT(*) FROM offices GROUP BY country) AS x FROM customers GROUP BY country HAVING SUM(creditLimit) NOT IN (SELECT 0 FROM offices) ORDER BY country LIMIT 6
-- refused
SELECT customerNumber FROM payments p GROUP BY customerNumber HAVING SUM(amount) > 3 * (SELECT AVG(q.amount) FROM payments q WHERE q.customerNumber = p.customerNumber) ORDER BY 1
SELECT MSRP / buyPrice AS a FROM products WHERE productCode < 'M3' UNION SELECT productCode FROM products WHERE productCode < 'M3'
SELECT 99999999999999999999999999999999999.5 * 99999999999999999999999999999999999.5
SELECT 'a' = 'A' COLLATE utf8mb4_0900_as_cs
SELECT 'x' REGEXP '(?=x)'
SELECT status FROM orders ORDER BY JSON_ARRAY(status)
SELECT productLine, productVendor, COUNT(*) AS n FROM products GROUP BY productLine, productVendor WITH ROLLUP HAVING productVendor IS NULL ORDER BY productLine IS NULL, productLine
SELECT c.country, c.city, SUM(o.customerNumber / o.orderNumber) FROM customers c JOIN orders o ON o.customerNumber = c.customerNumber GROUP BY c.country, c.city WITH ROLLUP
SELECT c.country, c.city, GROUP_CONCAT(1 ORDER BY 1) FROM customers c JOIN orders o ON o.customerNumber = c.customerNumber GROUP BY c.country, c.city WITH ROLLUP
SELECT creditLimit / salesRepEmployeeNumber AS k, COUNT(DISTINCT country) FROM customers GROUP BY k
SELECT SUM(GREATEST(priceEach, quantityOrdered) / orderLineNumber) FROM orderdetails
SELECT POW(MSRP, 2) MOD 2 FROM products
SELECT COALESCE(NULLIF(shippedDate, DATE '2004-01-02'), TIMESTAMP '2004-05-06 07:08:09') FROM orders
SELECT o.city, x.lastName FROM offices o, LATERAL (SELECT e.lastName FROM employees e WHERE e.officeCode = o.officeCode ORDER BY e.lastName LIMIT 2) x
SELECT customerName FROM customers ORDER BY RAND(1) LIMIT 3
SELECT FIRST_VALUE(amount) OVER (ORDER BY paymentDate RANGE INTERVAL 1 MONTH PRECEDING) FROM payments
SELECT ~0 + 0
