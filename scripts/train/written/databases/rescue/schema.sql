CREATE TABLE Station (
  StationCode char(3) NOT NULL,
  StationName varchar(30) NOT NULL,
  Valley varchar(20) NOT NULL,
  AltitudeM int NOT NULL COMMENT 'metres above sea level',
  FoundedYear int NOT NULL,
  Helipad char(1) NOT NULL COMMENT 'Y has a landing pad of its own, N has none',
  PRIMARY KEY (StationCode)
);

CREATE TABLE Member (
  BadgeNo int NOT NULL,
  FirstName varchar(30) NOT NULL,
  LastName varchar(30) NOT NULL,
  StationCode char(3) NOT NULL,
  `Rank` char(1) NOT NULL COMMENT 'T trainee, P on probation, R rescuer, L team leader, H head of station',
  BirthYear int NOT NULL,
  BloodGroup varchar(3),
  JoinedOn date NOT NULL,
  LeftOn date COMMENT 'NULL: still active',
  Mentor int COMMENT 'badge number of the experienced member who looks after this one',
  PRIMARY KEY (BadgeNo),
  FOREIGN KEY (StationCode) REFERENCES Station (StationCode),
  FOREIGN KEY (Mentor) REFERENCES Member (BadgeNo)
);

CREATE TABLE Qualification (
  QualCode varchar(5) NOT NULL,
  QualName varchar(40) NOT NULL,
  ValidMonths int COMMENT 'NULL: never expires',
  ExamFee decimal(6,2) NOT NULL COMMENT 'EUR',
  PRIMARY KEY (QualCode)
);

CREATE TABLE MemberQualification (
  BadgeNo int NOT NULL,
  QualCode varchar(5) NOT NULL,
  AcquiredOn date NOT NULL,
  ExpiresOn date COMMENT 'NULL: never expires',
  Grade int COMMENT '1 best, 5 failed at the first attempt',
  PRIMARY KEY (BadgeNo, QualCode),
  FOREIGN KEY (BadgeNo) REFERENCES Member (BadgeNo),
  FOREIGN KEY (QualCode) REFERENCES Qualification (QualCode)
) COMMENT='who holds which qualification';

CREATE TABLE Vehicle (
  Plate varchar(10) NOT NULL,
  StationCode char(3) NOT NULL,
  Model varchar(30) NOT NULL,
  Kind char(2) NOT NULL COMMENT 'AM ambulance, SM snowmobile, CV command vehicle, TR trailer, QU quad',
  Seats int NOT NULL,
  MileageKm int NOT NULL,
  BoughtOn date NOT NULL,
  NextInspection date,
  PRIMARY KEY (Plate),
  FOREIGN KEY (StationCode) REFERENCES Station (StationCode)
);

CREATE TABLE Equipment (
  InventoryNo char(5) NOT NULL,
  StationCode char(3) NOT NULL,
  ItemName varchar(30) NOT NULL,
  Maker varchar(20),
  WeightKg decimal(5,1),
  Price decimal(8,2) NOT NULL COMMENT 'EUR',
  BoughtOn date NOT NULL,
  RetiredOn date COMMENT 'NULL: still in use',
  Cond char(1) NOT NULL COMMENT 'N new, G good, W worn, D defective',
  PRIMARY KEY (InventoryNo),
  FOREIGN KEY (StationCode) REFERENCES Station (StationCode)
);

CREATE TABLE Dog (
  DogName varchar(20) NOT NULL,
  Handler int NOT NULL COMMENT 'badge number',
  Breed varchar(25) NOT NULL,
  BornOn date NOT NULL,
  Specialty char(1) NOT NULL COMMENT 'A avalanche, S area search, M mantrailing',
  RetiredOn date COMMENT 'NULL: on duty',
  PRIMARY KEY (DogName),
  FOREIGN KEY (Handler) REFERENCES Member (BadgeNo)
);

CREATE TABLE `Call` (
  CallNo int NOT NULL,
  StationCode char(3) NOT NULL,
  ReportedAt datetime NOT NULL,
  Kind varchar(20) NOT NULL,
  Priority int NOT NULL COMMENT '1 life in danger, 2 urgent, 3 can wait, 4 for information',
  DurationMin int COMMENT 'minutes until closed, NULL: not closed yet',
  Helicopter char(1) NOT NULL COMMENT 'Y a helicopter was used',
  Weather varchar(15),
  Leader int NOT NULL COMMENT 'badge number of who led the operation',
  Plate varchar(10) COMMENT 'NULL: no vehicle',
  PRIMARY KEY (CallNo),
  FOREIGN KEY (StationCode) REFERENCES Station (StationCode),
  FOREIGN KEY (Leader) REFERENCES Member (BadgeNo),
  FOREIGN KEY (Plate) REFERENCES Vehicle (Plate)
) COMMENT='call-outs';

CREATE TABLE CallCrew (
  CallNo int NOT NULL,
  BadgeNo int NOT NULL,
  Task varchar(15) NOT NULL,
  Hours decimal(4,1) NOT NULL,
  PRIMARY KEY (CallNo, BadgeNo),
  FOREIGN KEY (CallNo) REFERENCES `Call` (CallNo),
  FOREIGN KEY (BadgeNo) REFERENCES Member (BadgeNo)
) COMMENT='who took part in which call-out';

CREATE TABLE Patient (
  PatientNo int NOT NULL,
  CallNo int NOT NULL,
  Sex char(1) NOT NULL COMMENT 'm male, f female',
  Age int,
  Country char(2) NOT NULL COMMENT 'home country',
  Injury varchar(20) NOT NULL,
  Naca int NOT NULL COMMENT 'NACA score: 0 unhurt, 7 dead',
  Hospital varchar(30) COMMENT 'NULL: not taken to hospital',
  PRIMARY KEY (PatientNo),
  FOREIGN KEY (CallNo) REFERENCES `Call` (CallNo)
);

CREATE TABLE Training (
  TrainingNo int NOT NULL,
  StationCode char(3) NOT NULL,
  Topic varchar(20) NOT NULL,
  HeldOn date NOT NULL,
  Hours decimal(3,1) NOT NULL,
  Trainer int COMMENT 'badge number, NULL: outside trainer',
  PRIMARY KEY (TrainingNo),
  FOREIGN KEY (StationCode) REFERENCES Station (StationCode),
  FOREIGN KEY (Trainer) REFERENCES Member (BadgeNo)
);

CREATE TABLE Attendance (
  TrainingNo int NOT NULL,
  BadgeNo int NOT NULL,
  Status char(1) NOT NULL COMMENT 'P present, L came late, E excused, A absent without excuse',
  PRIMARY KEY (TrainingNo, BadgeNo),
  FOREIGN KEY (TrainingNo) REFERENCES Training (TrainingNo),
  FOREIGN KEY (BadgeNo) REFERENCES Member (BadgeNo)
) COMMENT='who was invited to which session';

