CREATE VIEW results AS
SELECT f.season, f.matchday, f.kick_off, h.name AS home, a.name AS away, f.home_goals, f.away_goals
FROM fixture f JOIN club h ON h.club_id = f.home_id JOIN club a ON a.club_id = f.away_id
WHERE f.home_goals IS NOT NULL;

CREATE VIEW points AS
SELECT season, club_id, SUM(pts) AS pts, SUM(scored) AS scored, SUM(against) AS against
FROM (SELECT season, home_id AS club_id, CASE WHEN home_goals > away_goals THEN 3 WHEN home_goals = away_goals THEN 1 ELSE 0 END AS pts, home_goals AS scored, away_goals AS against FROM fixture WHERE home_goals IS NOT NULL
      UNION ALL
      SELECT season, away_id, CASE WHEN away_goals > home_goals THEN 3 WHEN home_goals = away_goals THEN 1 ELSE 0 END, away_goals, home_goals FROM fixture WHERE home_goals IS NOT NULL) m
GROUP BY season, club_id;

DELIMITER //
CREATE TRIGGER fixture_two_clubs BEFORE INSERT ON fixture FOR EACH ROW
BEGIN
  IF NEW.home_id = NEW.away_id THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a club cannot play itself';
  END IF;
END//
DELIMITER ;
