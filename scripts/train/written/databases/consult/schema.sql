CREATE TABLE Consultants (
  ConsultantID int NOT NULL,
  FirstName varchar(20) NOT NULL,
  LastName varchar(20) NOT NULL,
  BossID int COMMENT 'direct superior',
  Grade char(1) NOT NULL COMMENT 'A analyst, C consultant, M manager, P partner',
  Office varchar(20) NOT NULL,
  HiredOn date NOT NULL,
  LeftOn date COMMENT 'NULL: still with the firm',
  DayRate int COMMENT 'EUR per day, NULL: not billed to clients',
  PRIMARY KEY (ConsultantID),
  FOREIGN KEY (BossID) REFERENCES Consultants (ConsultantID)
);

CREATE TABLE Clients (
  ClientID int NOT NULL,
  Name varchar(40) NOT NULL,
  Sector varchar(20) NOT NULL,
  City varchar(20) NOT NULL,
  AccountManagerID int COMMENT 'NULL: nobody in charge',
  ClientSince smallint NOT NULL COMMENT 'year of the first contract',
  PRIMARY KEY (ClientID),
  FOREIGN KEY (AccountManagerID) REFERENCES Consultants (ConsultantID)
);

CREATE TABLE Projects (
  ProjectID int NOT NULL,
  Title varchar(40) NOT NULL,
  ClientID int NOT NULL,
  LeadID int NOT NULL COMMENT 'consultant who leads the project',
  Kind char(1) NOT NULL COMMENT 'F fixed price, T time and material, N internal effort, never invoiced',
  StartedOn date NOT NULL,
  ClosedOn date COMMENT 'NULL: still running',
  BudgetHours int NOT NULL COMMENT 'hours sold or granted',
  Budget int NOT NULL COMMENT 'budget in thousand EUR',
  PRIMARY KEY (ProjectID),
  FOREIGN KEY (ClientID) REFERENCES Clients (ClientID),
  FOREIGN KEY (LeadID) REFERENCES Consultants (ConsultantID)
);

CREATE TABLE Assignments (
  ProjectID int NOT NULL,
  ConsultantID int NOT NULL,
  Task varchar(20) NOT NULL,
  PlannedHours int NOT NULL COMMENT 'hours planned for this person on this project',
  OnSite tinyint(1) NOT NULL COMMENT '1 at the client''s, 0 remote',
  PRIMARY KEY (ProjectID, ConsultantID),
  FOREIGN KEY (ProjectID) REFERENCES Projects (ProjectID),
  FOREIGN KEY (ConsultantID) REFERENCES Consultants (ConsultantID)
) COMMENT='who is planned on which project';

CREATE TABLE Timesheets (
  EntryID int NOT NULL,
  ProjectID int NOT NULL,
  ConsultantID int NOT NULL,
  WorkDay date NOT NULL,
  Minutes int NOT NULL COMMENT 'minutes worked',
  Billable char(1) NOT NULL COMMENT 'Y billable, N not',
  ApprovedOn date COMMENT 'NULL: not approved yet',
  PRIMARY KEY (EntryID),
  FOREIGN KEY (ProjectID) REFERENCES Projects (ProjectID),
  FOREIGN KEY (ConsultantID) REFERENCES Consultants (ConsultantID)
);

CREATE TABLE Invoices (
  InvoiceNo varchar(10) NOT NULL,
  ProjectID int NOT NULL,
  IssuedOn date NOT NULL,
  DueOn date NOT NULL,
  PaidOn date COMMENT 'NULL: not paid yet',
  Amount decimal(10,2) NOT NULL COMMENT 'EUR without VAT',
  VatPct int NOT NULL COMMENT 'percent',
  PRIMARY KEY (InvoiceNo),
  FOREIGN KEY (ProjectID) REFERENCES Projects (ProjectID)
);

CREATE TABLE Skills (
  SkillID int NOT NULL,
  Name varchar(30) NOT NULL,
  Field varchar(15) NOT NULL,
  PRIMARY KEY (SkillID)
);

CREATE TABLE ConsultantSkills (
  ConsultantID int NOT NULL,
  SkillID int NOT NULL,
  Level int NOT NULL COMMENT '1 beginner to 5 expert',
  CertifiedOn date COMMENT 'NULL: no certificate',
  PRIMARY KEY (ConsultantID, SkillID),
  FOREIGN KEY (ConsultantID) REFERENCES Consultants (ConsultantID),
  FOREIGN KEY (SkillID) REFERENCES Skills (SkillID)
);

