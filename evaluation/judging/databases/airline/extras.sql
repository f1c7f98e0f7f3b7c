CREATE VIEW punctuality AS
SELECT r.flight_no, r.dep_iata, r.arr_iata, COUNT(*) AS operated, SUM(f.arr_delay < 15) AS on_time
FROM routes r JOIN flights f ON f.flight_no = r.flight_no
WHERE f.status = 'ARR'
GROUP BY r.flight_no, r.dep_iata, r.arr_iata;

CREATE VIEW active_fleet AS
SELECT a.reg, a.nickname, t.maker, t.model, t.seats_y + t.seats_c AS seats
FROM aircraft a JOIN aircraft_types t ON t.icao_type = a.icao_type
WHERE a.retired IS NULL;

DELIMITER //
CREATE PROCEDURE crew_of(IN no CHAR(6), IN day DATE)
BEGIN
  SELECT c.staff_no, c.surname, c.given_name, c.crew_rank
  FROM flight_crew fc JOIN crew c ON c.staff_no = fc.staff_no
  WHERE fc.flight_no = no AND fc.flight_date = day;
END//
DELIMITER ;
