CREATE VIEW class_list AS
SELECT e.school_year, e.class_name, p.pupil_id, p.last_name, p.first_name
FROM enrolment e JOIN pupil p ON p.pupil_id = e.pupil_id
WHERE p.left_on IS NULL;

CREATE VIEW attendance_summary AS
SELECT p.pupil_id, SUM(IF(a.half_day, 0.5, 1)) AS days_absent, SUM(a.reason = 'U') AS unauthorised
FROM pupil p JOIN absence a ON a.pupil_id = p.pupil_id
GROUP BY p.pupil_id;

DELIMITER $$
CREATE TRIGGER mark_score_range BEFORE INSERT ON mark FOR EACH ROW
BEGIN
  IF NEW.score > 100 THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a score is a percentage';
  END IF;
END$$

CREATE PROCEDURE pupil_leaves(IN who INT, IN on_day DATE)
BEGIN
  UPDATE pupil SET left_on = on_day WHERE pupil_id = who;
  DELETE FROM club_member WHERE pupil_id = who;
END$$
DELIMITER ;
