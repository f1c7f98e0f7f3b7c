CREATE TABLE Vendor (
  vendorNo int NOT NULL,
  vendorName varchar(40) NOT NULL,
  country char(2) NOT NULL,
  preferred char(1) NOT NULL COMMENT 'Y preferred vendor, N not',
  leadDays int COMMENT 'usual lead time in days',
  PRIMARY KEY (vendorNo)
);

CREATE TABLE Part (
  partNo char(6) NOT NULL,
  rev char(1) NOT NULL COMMENT 'revision, A is the first',
  partName varchar(40) NOT NULL,
  partGroup char(1) NOT NULL COMMENT 'M complete machine, H hydraulics and metal, E electrical, C casing, S small parts and seals, Z accessories',
  weightG int NOT NULL COMMENT 'grams',
  lengthMm int COMMENT 'mm, longest side',
  releasedOn date NOT NULL,
  discontinuedOn date COMMENT 'NULL: still made',
  PRIMARY KEY (partNo, rev)
) COMMENT='one row per revision of a part';

CREATE TABLE Assembly (
  parentNo char(6) NOT NULL,
  parentRev char(1) NOT NULL,
  childNo char(6) NOT NULL,
  childRev char(1) NOT NULL,
  qty int NOT NULL COMMENT 'pieces of the child in one parent',
  critical char(1) NOT NULL COMMENT 'Y machine stops without it',
  PRIMARY KEY (parentNo, parentRev, childNo, childRev),
  FOREIGN KEY (parentNo, parentRev) REFERENCES Part (partNo, rev),
  FOREIGN KEY (childNo, childRev) REFERENCES Part (partNo, rev)
) COMMENT='which part goes directly into which';

CREATE TABLE Alternative (
  partNo char(6) NOT NULL,
  rev char(1) NOT NULL,
  altNo char(6) NOT NULL,
  altRev char(1) NOT NULL,
  fit char(1) NOT NULL COMMENT 'F full replacement, L limited',
  approvedOn date COMMENT 'NULL: not approved yet',
  PRIMARY KEY (partNo, rev, altNo, altRev),
  FOREIGN KEY (partNo, rev) REFERENCES Part (partNo, rev),
  FOREIGN KEY (altNo, altRev) REFERENCES Part (partNo, rev)
) COMMENT='what may replace a part';

CREATE TABLE PriceList (
  vendorNo int NOT NULL,
  partNo char(6) NOT NULL,
  rev char(1) NOT NULL,
  validFrom date NOT NULL,
  validTo date COMMENT 'last day, NULL: until further notice',
  priceCt int NOT NULL COMMENT 'EUR cents per piece',
  minQty int NOT NULL COMMENT 'smallest order quantity',
  PRIMARY KEY (vendorNo, partNo, rev, validFrom),
  FOREIGN KEY (vendorNo) REFERENCES Vendor (vendorNo),
  FOREIGN KEY (partNo, rev) REFERENCES Part (partNo, rev)
) COMMENT='purchase prices';

CREATE TABLE Warehouse (
  whCode char(3) NOT NULL,
  city varchar(20) NOT NULL,
  country varchar(20) NOT NULL,
  PRIMARY KEY (whCode)
);

CREATE TABLE Stock (
  whCode char(3) NOT NULL,
  partNo char(6) NOT NULL,
  rev char(1) NOT NULL,
  onHand int NOT NULL COMMENT 'pieces, 0: sold out',
  reorderAt int COMMENT 'reorder when below, NULL: not reordered',
  countedOn date COMMENT 'last count, NULL: never',
  PRIMARY KEY (whCode, partNo, rev),
  FOREIGN KEY (whCode) REFERENCES Warehouse (whCode),
  FOREIGN KEY (partNo, rev) REFERENCES Part (partNo, rev)
);

CREATE TABLE DeliveryLine (
  deliveryNo int NOT NULL,
  lineNo int NOT NULL,
  whCode char(3) NOT NULL,
  partNo char(6) NOT NULL,
  rev char(1) NOT NULL,
  customer varchar(30) NOT NULL,
  qty int NOT NULL COMMENT 'pieces',
  shippedOn date NOT NULL,
  returned char(1) COMMENT 'D returned defective, W returned as wrong part, NULL kept',
  PRIMARY KEY (deliveryNo, lineNo),
  FOREIGN KEY (whCode) REFERENCES Warehouse (whCode),
  FOREIGN KEY (partNo, rev) REFERENCES Part (partNo, rev)
) COMMENT='parts shipped to customers';

