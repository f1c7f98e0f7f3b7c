-- A mixed farm: fields and what grows on them, cattle and sheep, the weather station, machines.
CREATE TABLE Field (
  FieldNo SMALLINT NOT NULL,
  FieldName VARCHAR(40) NOT NULL,
  AreaHa DECIMAL(6,2) NOT NULL COMMENT 'hectares',
  Soil ENUM('clay','loam','sand','peat') NOT NULL,
  Tenure CHAR(1) NOT NULL COMMENT 'O owned, L leased',
  LeaseEnds DATE NULL,
  SlopePct DECIMAL(4,1) NULL,
  PRIMARY KEY (FieldNo)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE Crop (
  CropId SMALLINT NOT NULL,
  CropName VARCHAR(30) NOT NULL,
  Variety VARCHAR(30) NOT NULL,
  Kind CHAR(2) NOT NULL COMMENT 'CE cereal, RO root crop, OI oilseed, LE legume, GR grass and fodder',
  PriceTonne DECIMAL(7,2) NULL COMMENT 'EUR a tonne expected; NULL for what is fed on the farm',
  PRIMARY KEY (CropId),
  UNIQUE KEY UqCrop (CropName, Variety)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE Planting (
  PlantingId INT NOT NULL,
  FieldNo SMALLINT NOT NULL,
  CropId SMALLINT NOT NULL,
  HarvestYear SMALLINT NOT NULL COMMENT 'year in which it is to be harvested',
  SownOn DATE NOT NULL,
  SownHa DECIMAL(6,2) NOT NULL COMMENT 'hectares sown, at most the field''s area',
  SeedKgHa DECIMAL(6,1) NULL COMMENT 'kilograms of seed a hectare',
  Organic TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (PlantingId),
  KEY IxPlantingField (FieldNo, HarvestYear),
  CONSTRAINT FkPlantingField FOREIGN KEY (FieldNo) REFERENCES Field (FieldNo),
  CONSTRAINT FkPlantingCrop FOREIGN KEY (CropId) REFERENCES Crop (CropId)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE Harvest (
  PlantingId INT NOT NULL,
  Cut TINYINT NOT NULL COMMENT '1 for most crops; grass is cut several times',
  HarvestedOn DATE NOT NULL,
  Tonnes DECIMAL(8,2) NOT NULL,
  MoisturePct DECIMAL(4,1) NULL,
  PRIMARY KEY (PlantingId, Cut),
  CONSTRAINT FkHarvestPlanting FOREIGN KEY (PlantingId) REFERENCES Planting (PlantingId)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE Machine (
  MachineId SMALLINT NOT NULL,
  MachineName VARCHAR(40) NOT NULL,
  Type ENUM('tractor','combine','sprayer','seeder','trailer','baler') NOT NULL,
  BoughtOn DATE NOT NULL,
  Price DECIMAL(9,2) NULL COMMENT 'EUR; NULL if inherited or unknown',
  PowerKw SMALLINT NULL,
  SoldOn DATE NULL,
  PRIMARY KEY (MachineId)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE FieldWork (
  WorkId INT NOT NULL,
  FieldNo SMALLINT NOT NULL,
  MachineId SMALLINT NOT NULL,
  WorkDate DATE NOT NULL,
  Task CHAR(3) NOT NULL COMMENT 'PLO ploughing, SOW sowing, SPR spraying, FER fertilising, MOW mowing, HAR harvesting',
  Hours DECIMAL(4,1) NOT NULL,
  DieselL DECIMAL(6,1) NULL COMMENT 'litres',
  PRIMARY KEY (WorkId),
  KEY IxWorkDate (WorkDate),
  CONSTRAINT FkWorkField FOREIGN KEY (FieldNo) REFERENCES Field (FieldNo),
  CONSTRAINT FkWorkMachine FOREIGN KEY (MachineId) REFERENCES Machine (MachineId)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE Animal (
  EarTag CHAR(9) NOT NULL,
  Species ENUM('cattle','sheep') NOT NULL,
  Name VARCHAR(20) NULL,
  Sex CHAR(1) NOT NULL COMMENT 'F female, M male, C castrated male',
  Born DATE NOT NULL,
  MotherTag CHAR(9) NULL COMMENT 'NULL if bought',
  LeftOn DATE NULL,
  LeftHow CHAR(1) NULL COMMENT 'S sold, D died, L slaughtered',
  WeightKg DECIMAL(6,1) NULL COMMENT 'at the last weighing',
  PRIMARY KEY (EarTag),
  CONSTRAINT FkAnimalMother FOREIGN KEY (MotherTag) REFERENCES Animal (EarTag)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE Treatment (
  TreatmentId INT NOT NULL,
  EarTag CHAR(9) NOT NULL,
  TreatedOn DATE NOT NULL,
  Reason ENUM('lameness','mastitis','worms','vaccination','wound','pneumonia') NOT NULL,
  Drug VARCHAR(30) NULL,
  DoseMl DECIMAL(5,1) NULL,
  WithdrawalDays SMALLINT NOT NULL DEFAULT 0 COMMENT 'days during which milk and meat must not be sold',
  VetFee DECIMAL(7,2) NULL COMMENT 'EUR; NULL if the farmer treated it',
  PRIMARY KEY (TreatmentId),
  CONSTRAINT FkTreatmentAnimal FOREIGN KEY (EarTag) REFERENCES Animal (EarTag)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE Weather (
  Day DATE NOT NULL,
  TMin DECIMAL(4,1) NULL COMMENT 'degrees Celsius',
  TMax DECIMAL(4,1) NULL COMMENT 'degrees Celsius',
  RainMm DECIMAL(5,1) NULL COMMENT 'NULL if the gauge failed',
  WindKmh DECIMAL(4,1) NULL COMMENT 'strongest gust',
  PRIMARY KEY (Day)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
