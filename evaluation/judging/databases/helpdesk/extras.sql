CREATE VIEW open_tickets AS
SELECT t.id, t.subject, t.priority, t.status, g.name AS team, a.full_name AS agent
FROM tickets t LEFT JOIN teams g ON g.id = t.team_id LEFT JOIN agents a ON a.id = t.agent_id
WHERE t.status IN ('new', 'open', 'waiting');

CREATE VIEW sla AS
SELECT t.id, t.priority, TIMESTAMPDIFF(MINUTE, t.created_at, t.first_reply_at) / 60 AS reply_h, p.sla_response_h
FROM tickets t JOIN priorities p ON p.code = t.priority
WHERE t.first_reply_at IS NOT NULL;

DELIMITER //
CREATE TRIGGER ticket_history AFTER UPDATE ON tickets FOR EACH ROW
BEGIN
  IF NEW.status <> OLD.status THEN
    INSERT INTO status_history (ticket_id, seq, old_status, new_status, changed_at, changed_by)
    SELECT NEW.id, COALESCE(MAX(seq), 0) + 1, OLD.status, NEW.status, NOW(), NEW.agent_id FROM status_history WHERE ticket_id = NEW.id;
  END IF;
END//
DELIMITER ;
