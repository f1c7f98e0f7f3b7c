CREATE TABLE agences (
  id_agence int NOT NULL,
  nom varchar(40) NOT NULL,
  ville varchar(30) NOT NULL,
  ouverte_le date NOT NULL,
  loyer decimal(8,2) NOT NULL COMMENT 'loyer mensuel en euros',
  PRIMARY KEY (id_agence)
) COMMENT='agences de l''auto-école';

CREATE TABLE moniteurs (
  id_moniteur int NOT NULL,
  prenom varchar(30) NOT NULL,
  nom varchar(30) NOT NULL,
  id_agence int NOT NULL,
  embauche_le date NOT NULL,
  depart_le date COMMENT 'NULL : toujours en poste',
  taux_horaire decimal(5,2) NOT NULL COMMENT 'salaire brut par heure',
  moto tinyint(1) NOT NULL COMMENT '1 enseigne aussi la moto, 0 voiture seulement',
  PRIMARY KEY (id_moniteur),
  FOREIGN KEY (id_agence) REFERENCES agences (id_agence)
) COMMENT='enseignants de la conduite';

CREATE TABLE forfaits (
  id_forfait int NOT NULL,
  libelle varchar(40) NOT NULL,
  permis varchar(4) NOT NULL COMMENT 'B voiture, AAC conduite accompagnée, BEA voiture à boîte automatique, A2 moto',
  prix decimal(7,2) NOT NULL COMMENT 'en euros',
  heures_incluses int COMMENT 'heures de conduite, NULL : aucune',
  en_ligne tinyint(1) NOT NULL COMMENT '1 en vente sur le site',
  PRIMARY KEY (id_forfait)
) COMMENT='formules proposées';

CREATE TABLE eleves (
  id_eleve int NOT NULL,
  prenom varchar(30) NOT NULL,
  nom varchar(30) NOT NULL,
  date_naissance date NOT NULL,
  sexe char(1) NOT NULL COMMENT 'F femme, H homme',
  ville varchar(30) NOT NULL,
  profession varchar(20),
  id_agence int NOT NULL,
  id_forfait int NOT NULL,
  id_moniteur int COMMENT 'moniteur référent, NULL : pas encore attribué',
  inscrit_le date NOT NULL,
  abandon_le date COMMENT 'date d''abandon de la formation',
  parrain int COMMENT 'id_eleve de celui qui l''a recommandé',
  PRIMARY KEY (id_eleve),
  FOREIGN KEY (id_agence) REFERENCES agences (id_agence),
  FOREIGN KEY (id_forfait) REFERENCES forfaits (id_forfait),
  FOREIGN KEY (id_moniteur) REFERENCES moniteurs (id_moniteur),
  FOREIGN KEY (parrain) REFERENCES eleves (id_eleve)
) COMMENT='élèves inscrits';

CREATE TABLE vehicules (
  immat char(9) NOT NULL COMMENT 'plaque d''immatriculation',
  marque varchar(20) NOT NULL,
  modele varchar(20) NOT NULL,
  genre char(2) NOT NULL COMMENT 'VP voiture, MO moto',
  boite char(1) NOT NULL COMMENT 'M boîte manuelle, A boîte automatique',
  energie varchar(12) NOT NULL,
  id_agence int NOT NULL,
  achete_le date NOT NULL,
  prix_achat decimal(8,2) NOT NULL,
  kilometrage int NOT NULL,
  revendu_le date COMMENT 'NULL : encore en service',
  PRIMARY KEY (immat),
  FOREIGN KEY (id_agence) REFERENCES agences (id_agence)
);

CREATE TABLE lecons (
  id_lecon int NOT NULL,
  id_eleve int NOT NULL,
  id_moniteur int NOT NULL,
  immat char(9) COMMENT 'NULL : simulateur, sans véhicule',
  debut datetime NOT NULL,
  duree_min int NOT NULL COMMENT 'durée en minutes',
  theme varchar(15) NOT NULL,
  etat char(1) NOT NULL COMMENT 'F faite, P prévue, A annulée, N élève non présenté',
  km int COMMENT 'kilomètres parcourus',
  note int COMMENT 'appréciation de 1 à 10',
  PRIMARY KEY (id_lecon),
  FOREIGN KEY (id_eleve) REFERENCES eleves (id_eleve),
  FOREIGN KEY (id_moniteur) REFERENCES moniteurs (id_moniteur),
  FOREIGN KEY (immat) REFERENCES vehicules (immat)
) COMMENT='leçons de conduite';

CREATE TABLE examens (
  id_examen int NOT NULL,
  id_eleve int NOT NULL,
  type varchar(10) NOT NULL COMMENT 'code : épreuve théorique, conduite : épreuve pratique, plateau : épreuve moto',
  passe_le date NOT NULL,
  centre varchar(30) NOT NULL,
  resultat varchar(10) COMMENT 'NULL : résultat pas encore connu',
  points int,
  fautes_elim int COMMENT 'fautes éliminatoires, seulement à la conduite',
  id_accomp int COMMENT 'moniteur accompagnateur',
  PRIMARY KEY (id_examen),
  FOREIGN KEY (id_eleve) REFERENCES eleves (id_eleve),
  FOREIGN KEY (id_accomp) REFERENCES moniteurs (id_moniteur)
) COMMENT='passages aux épreuves';

CREATE TABLE paiements (
  id_paiement int NOT NULL,
  id_eleve int NOT NULL,
  montant decimal(7,2) NOT NULL COMMENT 'en euros',
  verse_le date NOT NULL,
  mode char(3) NOT NULL COMMENT 'CB carte bancaire, CHQ chèque, ESP espèces, VIR virement, CPF compte formation',
  encaisse_le date COMMENT 'NULL : pas encore encaissé',
  rembourse tinyint(1) NOT NULL COMMENT '1 remboursé à l''élève',
  PRIMARY KEY (id_paiement),
  FOREIGN KEY (id_eleve) REFERENCES eleves (id_eleve)
) COMMENT='versements des élèves';

CREATE TABLE entretiens (
  id_entretien int NOT NULL,
  immat char(9) NOT NULL,
  fait_le date NOT NULL,
  motif varchar(20) NOT NULL,
  garage varchar(30),
  cout decimal(7,2) NOT NULL,
  jours_immob int NOT NULL COMMENT 'jours d''immobilisation',
  PRIMARY KEY (id_entretien),
  FOREIGN KEY (immat) REFERENCES vehicules (immat)
) COMMENT='passages au garage';

