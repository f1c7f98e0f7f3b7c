CREATE TABLE CarPark (
  CarParkId int NOT NULL,
  Name varchar(40) NOT NULL,
  Spaces int NOT NULL,
  DisabledSpaces int NOT NULL,
  HourCents int COMMENT 'price per hour in cents, NULL: free',
  MaxHeightCm int COMMENT 'height limit in cm, NULL: open air',
  OpenAllNight char(1) NOT NULL COMMENT 'Y open round the clock, N closes at night',
  OpenedOn date NOT NULL,
  PRIMARY KEY (CarParkId)
);

CREATE TABLE Gate (
  GateId int NOT NULL,
  CarParkId int NOT NULL,
  Label varchar(20) NOT NULL COMMENT 'unique only within a car park',
  Direction char(1) NOT NULL COMMENT 'I way in, O way out',
  HasCamera char(1) NOT NULL COMMENT 'Y/N plate camera',
  ServicedOn date COMMENT 'last service, NULL: never',
  PRIMARY KEY (GateId),
  FOREIGN KEY (CarParkId) REFERENCES CarPark (CarParkId)
);

CREATE TABLE Ticket (
  TicketNo int NOT NULL,
  EntryGateId int NOT NULL,
  ExitGateId int COMMENT 'NULL: car still inside',
  Plate varchar(10) NOT NULL,
  EnteredAt datetime NOT NULL,
  StayMin int COMMENT 'minutes stayed, NULL: still inside',
  PaidCents int COMMENT 'paid, in cents',
  PayMethod char(1) COMMENT 'C card, A app, K cash',
  PRIMARY KEY (TicketNo),
  FOREIGN KEY (EntryGateId) REFERENCES Gate (GateId),
  FOREIGN KEY (ExitGateId) REFERENCES Gate (GateId)
);

CREATE TABLE Permit (
  PermitNo int NOT NULL,
  FirstName varchar(20) NOT NULL,
  LastName varchar(25) NOT NULL,
  Plate varchar(10) NOT NULL,
  CarParkId int NOT NULL,
  Kind char(1) NOT NULL COMMENT 'R resident, S staff, D disabled, B business',
  ValidFrom date NOT NULL,
  ValidTo date COMMENT 'last day, NULL: until revoked',
  MonthCents int NOT NULL COMMENT 'monthly fee in cents',
  PRIMARY KEY (PermitNo),
  FOREIGN KEY (CarParkId) REFERENCES CarPark (CarParkId)
);

CREATE TABLE Warden (
  WardenId int NOT NULL,
  FirstName varchar(20) NOT NULL,
  LastName varchar(25) NOT NULL,
  HiredOn date NOT NULL,
  SupervisorId int,
  PRIMARY KEY (WardenId),
  FOREIGN KEY (SupervisorId) REFERENCES Warden (WardenId)
);

CREATE TABLE Fine (
  FineNo int NOT NULL,
  CarParkId int NOT NULL,
  WardenId int NOT NULL,
  Plate varchar(10) NOT NULL,
  Reason char(1) NOT NULL COMMENT 'N no ticket, E expired ticket, D disabled space, B blocking, O outside the bay',
  AmountCents int NOT NULL COMMENT 'in cents',
  IssuedOn date NOT NULL,
  PaidOn date COMMENT 'NULL: unpaid',
  Towed char(1) NOT NULL COMMENT 'Y car towed, N not',
  PRIMARY KEY (FineNo),
  FOREIGN KEY (CarParkId) REFERENCES CarPark (CarParkId),
  FOREIGN KEY (WardenId) REFERENCES Warden (WardenId)
);

CREATE TABLE Appeal (
  AppealId int NOT NULL,
  FineNo int NOT NULL,
  FiledOn date NOT NULL,
  FiledBy varchar(10) NOT NULL COMMENT 'how it came in',
  DecidedOn date COMMENT 'NULL: still open',
  Outcome char(1) COMMENT 'G granted, P partly granted, R rejected, W withdrawn, NULL: open',
  NewCents int COMMENT 'new amount of the fine in cents, NULL: unchanged',
  PRIMARY KEY (AppealId),
  FOREIGN KEY (FineNo) REFERENCES Fine (FineNo)
);

