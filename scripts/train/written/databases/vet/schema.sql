CREATE TABLE owners (
  owner_id int NOT NULL,
  name varchar(60) NOT NULL,
  town varchar(30) NOT NULL,
  phone varchar(20) NOT NULL,
  PRIMARY KEY (owner_id)
);

CREATE TABLE animals (
  animal_id int NOT NULL,
  owner_id int NOT NULL,
  name varchar(30) NOT NULL,
  species varchar(12) NOT NULL,
  breed varchar(20) NOT NULL,
  sex char(2) NOT NULL COMMENT 'f female, m male, mn neutered male, fn neutered female',
  date_of_birth date,
  died_on date,
  weight decimal(5,2) NOT NULL COMMENT 'kg',
  PRIMARY KEY (animal_id),
  FOREIGN KEY (owner_id) REFERENCES owners (owner_id)
);

CREATE TABLE vets (
  vet_id int NOT NULL,
  name varchar(60) NOT NULL,
  speciality varchar(20) NOT NULL,
  joined date NOT NULL,
  PRIMARY KEY (vet_id)
);

CREATE TABLE visits (
  visit_id int NOT NULL,
  animal_id int NOT NULL,
  vet_id int NOT NULL,
  visited_at datetime NOT NULL,
  reason varchar(20) NOT NULL,
  next_due date,
  fee decimal(7,2) NOT NULL,
  paid tinyint(1) NOT NULL,
  PRIMARY KEY (visit_id),
  FOREIGN KEY (animal_id) REFERENCES animals (animal_id),
  FOREIGN KEY (vet_id) REFERENCES vets (vet_id)
);

CREATE TABLE treatments (
  code char(4) NOT NULL,
  description varchar(40) NOT NULL,
  list_price decimal(7,2) NOT NULL,
  PRIMARY KEY (code)
);

CREATE TABLE visit_treatments (
  visit_id int NOT NULL,
  treatment_code char(4) NOT NULL,
  quantity int NOT NULL,
  price decimal(7,2) NOT NULL,
  PRIMARY KEY (visit_id, treatment_code),
  FOREIGN KEY (visit_id) REFERENCES visits (visit_id),
  FOREIGN KEY (treatment_code) REFERENCES treatments (code)
);

