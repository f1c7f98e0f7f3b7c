CREATE VIEW YieldPerHa AS
SELECT p.PlantingId, p.FieldNo, c.CropName, c.Variety, p.HarvestYear, SUM(h.Tonnes) AS Tonnes, ROUND(SUM(h.Tonnes) / p.SownHa, 2) AS TonnesHa
FROM Planting p JOIN Crop c ON c.CropId = p.CropId JOIN Harvest h ON h.PlantingId = p.PlantingId
GROUP BY p.PlantingId, p.FieldNo, c.CropName, c.Variety, p.HarvestYear, p.SownHa;

CREATE VIEW Herd AS
SELECT EarTag, Species, Name, Sex, Born, WeightKg FROM Animal WHERE LeftOn IS NULL;

DELIMITER //
CREATE TRIGGER PlantingFitsField BEFORE INSERT ON Planting FOR EACH ROW
BEGIN
  IF NEW.SownHa > (SELECT AreaHa FROM Field WHERE FieldNo = NEW.FieldNo) THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'more hectares sown than the field has';
  END IF;
END//
DELIMITER ;
