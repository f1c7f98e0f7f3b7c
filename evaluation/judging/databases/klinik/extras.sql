CREATE VIEW v_belegung_aktuell AS
SELECT b.stat_nr, b.zimmer_nr, b.bett_nr, f.fall_nr, p.nachname, p.vorname, b.von
FROM belegung b JOIN fall f ON f.fall_nr = b.fall_nr JOIN patient p ON p.pat_nr = f.pat_nr
WHERE b.bis IS NULL;

CREATE VIEW v_rechnung_offen AS
SELECT r.rg_nr, r.fall_nr, COALESCE(k.name, 'Selbstzahler') AS zahler, r.rg_dat, r.betrag
FROM rechnung r LEFT JOIN kostentraeger k ON k.kt_nr = r.kt_nr
WHERE r.stat IN ('OF', 'GM');

DELIMITER ;;
CREATE TRIGGER tr_belegung_neu AFTER INSERT ON belegung FOR EACH ROW
BEGIN
  IF NEW.bis IS NULL THEN
    UPDATE bett SET zustand = 'B' WHERE stat_nr = NEW.stat_nr AND zimmer_nr = NEW.zimmer_nr AND bett_nr = NEW.bett_nr;
  END IF;
END;;

CREATE FUNCTION liegetage(aufnahme DATETIME, entlassung DATETIME) RETURNS INT DETERMINISTIC
RETURN GREATEST(1, DATEDIFF(entlassung, aufnahme));;
DELIMITER ;
