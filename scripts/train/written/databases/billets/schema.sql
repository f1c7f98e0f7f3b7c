CREATE TABLE salle (
  cd_salle char(2) NOT NULL,
  lib varchar(30) NOT NULL,
  nb_pl int NOT NULL COMMENT 'nombre de places',
  pmr char(1) NOT NULL COMMENT 'accessible en fauteuil : O oui, N non',
  PRIMARY KEY (cd_salle)
);

CREATE TABLE pers (
  no_pers int NOT NULL,
  prenom varchar(20) NOT NULL,
  nom varchar(20) NOT NULL,
  metier char(1) NOT NULL COMMENT 'C comédien, M metteur en scène, T technicien, D danseur',
  dt_nais date NOT NULL,
  cachet_ct int COMMENT 'cachet par soirée, en centimes',
  no_mentor int COMMENT 'no_pers du mentor',
  PRIMARY KEY (no_pers),
  FOREIGN KEY (no_mentor) REFERENCES pers (no_pers)
) COMMENT='artistes et techniciens';

CREATE TABLE piece (
  no_piece int NOT NULL,
  titre varchar(40) NOT NULL,
  genre char(1) NOT NULL COMMENT 'C comédie, T tragédie, J jeune public, D danse',
  duree_mn int NOT NULL COMMENT 'durée en minutes',
  annee smallint NOT NULL,
  no_mes int NOT NULL COMMENT 'metteur en scène',
  no_aut int COMMENT 'auteur, s''il est de la maison',
  PRIMARY KEY (no_piece),
  FOREIGN KEY (no_mes) REFERENCES pers (no_pers),
  FOREIGN KEY (no_aut) REFERENCES pers (no_pers)
);

CREATE TABLE distrib (
  no_piece int NOT NULL,
  no_pers int NOT NULL,
  perso varchar(20) NOT NULL,
  princ tinyint NOT NULL COMMENT '1 rôle principal',
  PRIMARY KEY (no_piece, no_pers),
  FOREIGN KEY (no_piece) REFERENCES piece (no_piece),
  FOREIGN KEY (no_pers) REFERENCES pers (no_pers)
) COMMENT='qui joue quoi';

CREATE TABLE repr (
  no_repr int NOT NULL,
  no_piece int NOT NULL,
  cd_salle char(2) NOT NULL,
  dt_h datetime NOT NULL,
  etat char(1) NOT NULL COMMENT 'J jouée, A annulée, R reportée',
  surtitre tinyint NOT NULL COMMENT '1 surtitrée',
  PRIMARY KEY (no_repr),
  FOREIGN KEY (no_piece) REFERENCES piece (no_piece),
  FOREIGN KEY (cd_salle) REFERENCES salle (cd_salle)
) COMMENT='représentations';

CREATE TABLE categ (
  cd_cat char(1) NOT NULL,
  lib varchar(20) NOT NULL,
  PRIMARY KEY (cd_cat)
);

CREATE TABLE tarif (
  cd_cat char(1) NOT NULL,
  dt_deb date NOT NULL,
  dt_fin date COMMENT 'NULL : en vigueur',
  px_ct int NOT NULL COMMENT 'prix en centimes',
  PRIMARY KEY (cd_cat, dt_deb),
  FOREIGN KEY (cd_cat) REFERENCES categ (cd_cat)
) COMMENT='prix par catégorie dans le temps';

CREATE TABLE spect (
  no_spect int NOT NULL,
  prenom varchar(20) NOT NULL,
  nom varchar(20) NOT NULL,
  ville varchar(20) NOT NULL,
  typ char(1) NOT NULL COMMENT 'I individuel, E école, C comité d''entreprise',
  dt_insc date NOT NULL,
  lettre char(1) NOT NULL COMMENT 'reçoit la lettre : O oui, N non',
  PRIMARY KEY (no_spect)
);

CREATE TABLE cmd (
  no_cmd int NOT NULL,
  no_spect int NOT NULL,
  dt_cmd date NOT NULL,
  canal char(1) NOT NULL COMMENT 'W site, G guichet, T téléphone',
  dt_paye date,
  frais_ct int NOT NULL COMMENT 'frais d''envoi en centimes',
  PRIMARY KEY (no_cmd),
  FOREIGN KEY (no_spect) REFERENCES spect (no_spect)
) COMMENT='commandes';

CREATE TABLE billet (
  no_cmd int NOT NULL,
  no_lg int NOT NULL,
  no_repr int NOT NULL,
  cd_cat char(1) NOT NULL,
  px_ct int NOT NULL COMMENT 'prix payé en centimes',
  reduc char(1) COMMENT 'E étudiant, S senior, D demandeur d''emploi',
  dt_scan datetime COMMENT 'contrôlé à l''entrée',
  PRIMARY KEY (no_cmd, no_lg),
  FOREIGN KEY (no_cmd) REFERENCES cmd (no_cmd),
  FOREIGN KEY (no_repr) REFERENCES repr (no_repr),
  FOREIGN KEY (cd_cat) REFERENCES categ (cd_cat)
) COMMENT='lignes des commandes';

CREATE TABLE abo (
  no_abo int NOT NULL,
  no_spect int NOT NULL COMMENT 'abonné',
  no_offr int COMMENT 'offert par',
  saison smallint NOT NULL COMMENT 'année de début de la saison',
  px_eur decimal(6,2) NOT NULL COMMENT 'prix en euros',
  nb_sp int NOT NULL COMMENT 'nombre de spectacles',
  PRIMARY KEY (no_abo),
  FOREIGN KEY (no_spect) REFERENCES spect (no_spect),
  FOREIGN KEY (no_offr) REFERENCES spect (no_spect)
) COMMENT='abonnements';

CREATE TABLE avis (
  no_avis int NOT NULL,
  no_spect int NOT NULL,
  no_piece int NOT NULL,
  note int NOT NULL COMMENT 'de 1 à 5',
  dt date NOT NULL,
  PRIMARY KEY (no_avis),
  FOREIGN KEY (no_spect) REFERENCES spect (no_spect),
  FOREIGN KEY (no_piece) REFERENCES piece (no_piece)
);

