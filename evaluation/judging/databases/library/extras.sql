CREATE VIEW catalogue AS
SELECT b.isbn, b.title, GROUP_CONCAT(a.name ORDER BY ba.pos SEPARATOR '; ') AS authors, b.pub_year, b.lang
FROM book b LEFT JOIN book_author ba ON ba.isbn = b.isbn AND ba.role = 'author' LEFT JOIN author a ON a.author_id = ba.author_id
GROUP BY b.isbn, b.title, b.pub_year, b.lang;

CREATE VIEW debt AS
SELECT l.card_no, SUM(f.amount) AS owed
FROM fine f JOIN loan l ON l.loan_id = f.loan_id
WHERE f.paid_on IS NULL AND f.waived = 0
GROUP BY l.card_no;

DELIMITER ;;
CREATE TRIGGER loan_takes_copy AFTER INSERT ON loan FOR EACH ROW
BEGIN
  IF NEW.returned_on IS NULL THEN
    UPDATE copy SET state = 'L' WHERE barcode = NEW.barcode;
  END IF;
END;;

CREATE TRIGGER loan_gives_copy_back AFTER UPDATE ON loan FOR EACH ROW
BEGIN
  IF OLD.returned_on IS NULL AND NEW.returned_on IS NOT NULL THEN
    UPDATE copy SET state = 'A' WHERE barcode = NEW.barcode;
  END IF;
END;;
DELIMITER ;
