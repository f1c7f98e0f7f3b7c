CREATE TABLE Depots (
  depotId int NOT NULL,
  depotName varchar(40) NOT NULL,
  country varchar(30) NOT NULL,
  docks int NOT NULL,
  PRIMARY KEY (depotId)
);

CREATE TABLE Vehicles (
  vehicleId int NOT NULL,
  plateNumber varchar(12) NOT NULL,
  homeDepotId int NOT NULL,
  maxLoadKg int NOT NULL,
  fuelType varchar(10) NOT NULL,
  boughtOn date NOT NULL,
  soldOn date,
  PRIMARY KEY (vehicleId),
  FOREIGN KEY (homeDepotId) REFERENCES Depots (depotId)
);

CREATE TABLE Drivers (
  driverId int NOT NULL,
  fullName varchar(60) NOT NULL,
  bossId int,
  birthDate date NOT NULL,
  hiredOn date NOT NULL,
  licenceClass char(2) NOT NULL,
  monthlySalary decimal(8,2) NOT NULL,
  PRIMARY KEY (driverId),
  FOREIGN KEY (bossId) REFERENCES Drivers (driverId)
);

CREATE TABLE Clients (
  clientId int NOT NULL,
  companyName varchar(60) NOT NULL,
  city varchar(30) NOT NULL,
  vip tinyint(1) NOT NULL COMMENT '1 VIP, 0 ordinary',
  PRIMARY KEY (clientId)
);

CREATE TABLE Shipments (
  shipmentId int NOT NULL,
  clientId int NOT NULL,
  fromDepotId int NOT NULL,
  pickupDate date NOT NULL,
  deliveredDate date,
  weightKg decimal(8,1) NOT NULL,
  freightCharge decimal(9,2) NOT NULL,
  priority char(1) NOT NULL COMMENT 'N normal, H high, L low',
  PRIMARY KEY (shipmentId),
  FOREIGN KEY (clientId) REFERENCES Clients (clientId),
  FOREIGN KEY (fromDepotId) REFERENCES Depots (depotId)
);

CREATE TABLE Legs (
  legId int NOT NULL,
  shipmentId int NOT NULL,
  vehicleId int NOT NULL,
  driverId int NOT NULL,
  startedAt datetime NOT NULL,
  distanceKm int NOT NULL,
  litersUsed decimal(7,1) NOT NULL,
  PRIMARY KEY (legId),
  FOREIGN KEY (shipmentId) REFERENCES Shipments (shipmentId),
  FOREIGN KEY (vehicleId) REFERENCES Vehicles (vehicleId),
  FOREIGN KEY (driverId) REFERENCES Drivers (driverId)
);

CREATE TABLE Damages (
  damageId int NOT NULL,
  shipmentId int NOT NULL,
  reportedOn date NOT NULL,
  amountClaimed decimal(9,2) NOT NULL,
  amountPaid decimal(9,2),
  PRIMARY KEY (damageId),
  FOREIGN KEY (shipmentId) REFERENCES Shipments (shipmentId)
);

