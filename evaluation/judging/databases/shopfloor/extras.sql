CREATE VIEW v_wo_open AS
SELECT w.wo_no, i.descr, w.qty_ord, w.due_dt, w.prio, w.st
FROM wo w JOIN item i ON i.item_no = w.item_no
WHERE w.st IN ('PL', 'RL', 'IP');

CREATE VIEW v_scrap_rate AS
SELECT o.mach_id, SUM(b.qty_ok) AS qty_ok, SUM(b.qty_nok) AS qty_nok, SUM(b.qty_nok) / SUM(b.qty_ok + b.qty_nok) AS rate
FROM bkg b JOIN wo_op o ON o.wo_no = b.wo_no AND o.op_no = b.op_no
GROUP BY o.mach_id;

CREATE VIEW v_out_of_tolerance AS
SELECT m.wo_no, w.item_no, m.chr_cd, m.smp_no, m.val, s.lo, s.hi
FROM meas m JOIN wo w ON w.wo_no = m.wo_no JOIN spec s ON s.item_no = w.item_no AND s.chr_cd = m.chr_cd
WHERE m.val > s.hi OR m.val < s.lo;

DELIMITER //
CREATE TRIGGER bkg_starts_wo AFTER INSERT ON bkg FOR EACH ROW
BEGIN
  UPDATE wo SET st = 'IP' WHERE wo_no = NEW.wo_no AND st = 'RL';
END//
DELIMITER ;
