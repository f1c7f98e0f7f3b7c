CREATE VIEW open_invoice AS
SELECT i.invoice_no, i.booking_id, i.due, i.total, COALESCE(SUM(p.amount), 0) AS paid
FROM invoice i LEFT JOIN payment p ON p.invoice_no = i.invoice_no
GROUP BY i.invoice_no, i.booking_id, i.due, i.total
HAVING paid < i.total;

CREATE VIEW stay AS
SELECT booking_id, guest_id, room_no, arrival, departure, DATEDIFF(departure, arrival) AS nights
FROM booking WHERE status IN ('IN', 'OU');

DELIMITER //
CREATE FUNCTION price_of(type CHAR(3), night DATE, meals VARCHAR(12)) RETURNS DECIMAL(7,2) READS SQL DATA
BEGIN
  RETURN (SELECT r.price FROM rate r JOIN season s ON s.season_id = r.season_id
    WHERE r.type_code = type AND r.board = meals AND night BETWEEN s.date_from AND s.date_to);
END//

CREATE TRIGGER booking_has_nights BEFORE INSERT ON booking FOR EACH ROW
BEGIN
  IF NEW.departure <= NEW.arrival THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'departure must be after arrival';
  END IF;
END//
DELIMITER ;
