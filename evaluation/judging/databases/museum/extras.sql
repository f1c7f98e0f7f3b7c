CREATE VIEW v_on_display AS
SELECT w.inv_no, w.title, g.gallery_name
FROM tbl_artwork w JOIN tbl_gallery g ON g.gallery_code = w.gallery_code
WHERE g.public_access = 1;

CREATE VIEW v_loan_out AS
SELECT l.loan_id, w.title, m.museum_name, m.city, l.loan_end
FROM tbl_loan l JOIN tbl_artwork w ON w.inv_no = l.inv_no JOIN tbl_museum m ON m.museum_id = l.museum_id
WHERE l.returned IS NULL;

CREATE VIEW v_visitors_month AS
SELECT DATE_FORMAT(sale_date, '%Y-%m') AS month, SUM(qty) AS visitors, SUM(amount) AS amount
FROM tbl_ticket_sale GROUP BY DATE_FORMAT(sale_date, '%Y-%m');

DELIMITER //
CREATE TRIGGER t_loan_leaves AFTER INSERT ON tbl_loan FOR EACH ROW
BEGIN
  IF NEW.returned IS NULL THEN
    UPDATE tbl_artwork SET gallery_code = NULL WHERE inv_no = NEW.inv_no;
  END IF;
END//
DELIMITER ;
