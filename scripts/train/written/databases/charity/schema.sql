CREATE TABLE Shops (
  Shop varchar(40) NOT NULL,
  Town varchar(30) NOT NULL,
  shopManager varchar(60) NOT NULL,
  openedOn varchar(10) NOT NULL COMMENT 'YYYY-MM-DD',
  closedOn varchar(10) COMMENT 'YYYY-MM-DD, empty: still open',
  `Floor Area sqm` int NOT NULL,
  monthlyRent decimal(8,2) NOT NULL,
  PRIMARY KEY (Shop)
);

CREATE TABLE Volunteers (
  Name varchar(60) NOT NULL,
  Shop varchar(40) NOT NULL,
  Role varchar(20) NOT NULL,
  startDate varchar(10) NOT NULL COMMENT 'YYYY-MM-DD',
  endDate varchar(10) COMMENT 'YYYY-MM-DD, empty: still with us',
  `Hours per Week` int NOT NULL,
  birthYear int,
  hasKey char(3) NOT NULL,
  PRIMARY KEY (Name)
);

CREATE TABLE Donations (
  donationNo int NOT NULL,
  donationDate varchar(10) NOT NULL COMMENT 'YYYY-MM-DD',
  Shop varchar(40) NOT NULL,
  donorName varchar(60),
  `Donor Town` varchar(30) NOT NULL,
  `Item Category` varchar(20) NOT NULL,
  `Condition` varchar(10) NOT NULL,
  Pieces int NOT NULL,
  `Weight kg` decimal(6,1),
  estimatedValue decimal(8,2) NOT NULL,
  `Gift Aid` char(3) NOT NULL COMMENT 'tax declaration signed',
  receivedBy varchar(60) NOT NULL,
  thankedOn varchar(10) COMMENT 'YYYY-MM-DD',
  PRIMARY KEY (donationNo)
) COMMENT='goods handed in';

CREATE TABLE Sales (
  receiptNo int NOT NULL,
  `Sale Date` varchar(10) NOT NULL COMMENT 'YYYY-MM-DD',
  Shop varchar(40) NOT NULL,
  `Item Category` varchar(20) NOT NULL,
  Quantity int NOT NULL,
  unitPrice decimal(7,2) NOT NULL,
  discountPct int COMMENT 'per cent',
  `Paid By` varchar(10) NOT NULL,
  soldBy varchar(60) NOT NULL,
  refunded char(1) NOT NULL COMMENT 'y money given back',
  PRIMARY KEY (receiptNo)
);

CREATE TABLE vanPickups (
  pickupNo int NOT NULL,
  `Pickup Date` varchar(10) NOT NULL COMMENT 'YYYY-MM-DD',
  Shop varchar(40) NOT NULL,
  Driver varchar(60),
  `Donor Town` varchar(30) NOT NULL,
  bags int NOT NULL,
  Miles decimal(5,1) NOT NULL,
  Status varchar(12) NOT NULL,
  PRIMARY KEY (pickupNo)
) COMMENT='things we fetch from donors';

CREATE TABLE Rota (
  `Shift Date` varchar(10) NOT NULL COMMENT 'YYYY-MM-DD',
  Shop varchar(40) NOT NULL,
  Volunteer varchar(60) NOT NULL,
  `Part of Day` varchar(10) NOT NULL,
  Hours decimal(4,1) NOT NULL,
  noShow char(1) NOT NULL COMMENT 'y did not turn up'
);

