CREATE TABLE `Car Owner` (
  `Owner No` int NOT NULL,
  `Full Name` varchar(60) NOT NULL,
  Town varchar(30) NOT NULL,
  `Customer Since` date NOT NULL,
  PRIMARY KEY (`Owner No`)
);

CREATE TABLE Car (
  Plate varchar(10) NOT NULL,
  `Owner No` int NOT NULL,
  Make varchar(20) NOT NULL,
  `Model Year` int NOT NULL,
  Mileage int NOT NULL,
  Fuel varchar(10) NOT NULL,
  PRIMARY KEY (Plate),
  FOREIGN KEY (`Owner No`) REFERENCES `Car Owner` (`Owner No`)
);

CREATE TABLE Mechanic (
  Id int NOT NULL,
  `Full Name` varchar(60) NOT NULL,
  Grade char(1) NOT NULL COMMENT 'M master, J journeyman, A apprentice',
  `Hourly Rate` decimal(6,2) NOT NULL,
  Hired date NOT NULL,
  Supervisor int,
  PRIMARY KEY (Id),
  FOREIGN KEY (Supervisor) REFERENCES Mechanic (Id)
);

CREATE TABLE `Order` (
  `Order No` int NOT NULL,
  Plate varchar(10) NOT NULL,
  Mechanic int NOT NULL,
  Received date NOT NULL,
  Finished date,
  Hours decimal(5,1) NOT NULL,
  `Hour Price` decimal(6,2) NOT NULL,
  Status char(1) NOT NULL COMMENT 'F finished, W in work, P waiting for parts, C cancelled',
  PRIMARY KEY (`Order No`),
  FOREIGN KEY (Plate) REFERENCES Car (Plate),
  FOREIGN KEY (Mechanic) REFERENCES Mechanic (Id)
);

CREATE TABLE Part (
  `Part No` varchar(8) NOT NULL,
  Name varchar(40) NOT NULL,
  Price decimal(7,2) NOT NULL,
  `In Stock` int NOT NULL,
  PRIMARY KEY (`Part No`)
);

CREATE TABLE `Part Used` (
  `Order No` int NOT NULL,
  `Part No` varchar(8) NOT NULL,
  Quantity int NOT NULL,
  `Unit Price` decimal(7,2) NOT NULL,
  PRIMARY KEY (`Order No`, `Part No`),
  FOREIGN KEY (`Order No`) REFERENCES `Order` (`Order No`),
  FOREIGN KEY (`Part No`) REFERENCES Part (`Part No`)
);

