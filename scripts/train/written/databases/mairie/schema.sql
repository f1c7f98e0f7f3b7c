CREATE TABLE services (
  code_service char(3) NOT NULL,
  libelle varchar(40) NOT NULL,
  etage int NOT NULL,
  PRIMARY KEY (code_service)
);

CREATE TABLE agents (
  matricule int NOT NULL,
  nom varchar(60) NOT NULL,
  code_service char(3) NOT NULL,
  date_embauche date NOT NULL,
  salaire decimal(8,2) NOT NULL,
  chef int,
  grade char(1) NOT NULL,
  PRIMARY KEY (matricule),
  FOREIGN KEY (code_service) REFERENCES services (code_service),
  FOREIGN KEY (chef) REFERENCES agents (matricule)
);

CREATE TABLE citoyens (
  id_citoyen int NOT NULL,
  prenom varchar(30) NOT NULL,
  nom varchar(30) NOT NULL,
  date_naissance date NOT NULL,
  quartier varchar(30) NOT NULL,
  PRIMARY KEY (id_citoyen)
);

CREATE TABLE demandes (
  num_demande int NOT NULL,
  id_citoyen int NOT NULL,
  matricule int,
  type_demande char(2) NOT NULL COMMENT 'PI pièce d''identité, PC permis de construire, AS aide sociale, ST stationnement',
  date_depot date NOT NULL,
  date_decision date,
  etat char(1) NOT NULL COMMENT 'A acceptée, R refusée, E en cours d''examen',
  frais decimal(7,2) NOT NULL,
  PRIMARY KEY (num_demande),
  FOREIGN KEY (id_citoyen) REFERENCES citoyens (id_citoyen),
  FOREIGN KEY (matricule) REFERENCES agents (matricule)
);

CREATE TABLE amendes (
  num_amende int NOT NULL,
  id_citoyen int NOT NULL,
  date_amende date NOT NULL,
  montant decimal(7,2) NOT NULL,
  motif varchar(20) NOT NULL,
  payee_le date,
  PRIMARY KEY (num_amende),
  FOREIGN KEY (id_citoyen) REFERENCES citoyens (id_citoyen)
);

CREATE TABLE evenements (
  id_evenement int NOT NULL,
  titre varchar(60) NOT NULL,
  code_service char(3) NOT NULL,
  debut date NOT NULL,
  fin date NOT NULL,
  budget decimal(9,2) NOT NULL,
  visiteurs int,
  PRIMARY KEY (id_evenement),
  FOREIGN KEY (code_service) REFERENCES services (code_service)
);

