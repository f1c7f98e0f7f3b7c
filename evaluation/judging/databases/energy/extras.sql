CREATE VIEW current_price AS
SELECT t.tariff_code, t.name, t.medium, p.unit_price, p.base_fee
FROM tariff t JOIN tariff_price p ON p.tariff_code = t.tariff_code
WHERE p.valid_to IS NULL;

CREATE VIEW monthly_use AS
SELECT meter_no, DATE_FORMAT(read_on, '%Y-%m') AS month, SUM(used) AS used, SUM(quality <> 'M') AS not_measured
FROM reading
GROUP BY meter_no, DATE_FORMAT(read_on, '%Y-%m');

DELIMITER $$
CREATE TRIGGER reading_is_positive BEFORE INSERT ON reading FOR EACH ROW
BEGIN
  IF NEW.used < 0 THEN
    SET NEW.quality = 'F';
  END IF;
END$$

CREATE FUNCTION price_on(tariff VARCHAR(8), on_day DATE) RETURNS DECIMAL(7,4) READS SQL DATA
RETURN (SELECT unit_price FROM tariff_price WHERE tariff_code = tariff AND on_day >= valid_from AND (valid_to IS NULL OR on_day <= valid_to))$$
DELIMITER ;
