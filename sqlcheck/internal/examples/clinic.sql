CREATE TABLE doctors (doctorId int NOT NULL, firstName varchar(40), lastName varchar(40), wardCode varchar(8), salary decimal(10,2),
  PRIMARY KEY (doctorId), FOREIGN KEY (wardCode) REFERENCES wards (wardCode));
CREATE TABLE wards (wardCode varchar(8) NOT NULL, wardName varchar(40), floor int, city varchar(40), PRIMARY KEY (wardCode));
CREATE TABLE patients (patientId int NOT NULL, patientName varchar(60), country varchar(40), status varchar(10), doctorId int, weight decimal(6,1),
  PRIMARY KEY (patientId), FOREIGN KEY (doctorId) REFERENCES doctors (doctorId));
CREATE TABLE visits (visitId int NOT NULL, patientId int NOT NULL, visitDate date, endDate date, fee decimal(8,2), notes text,
  PRIMARY KEY (visitId), FOREIGN KEY (patientId) REFERENCES patients (patientId));
CREATE TABLE visititems (visitId int NOT NULL, lineNo int NOT NULL, quantity int, price decimal(8,2), visitType varchar(20),
  PRIMARY KEY (visitId, lineNo), FOREIGN KEY (visitId) REFERENCES visits (visitId));
CREATE TABLE `order` (id int NOT NULL, `Sent To` varchar(10), PRIMARY KEY (id));
