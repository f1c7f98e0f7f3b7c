CREATE TABLE poste (
  no_poste int NOT NULL,
  nom varchar(30) NOT NULL,
  `département` char(2) NOT NULL COMMENT 'numéro : 05 Hautes-Alpes, 12 Aveyron, 30 Gard, 34 Hérault, 48 Lozère',
  altitude_m int NOT NULL,
  ouvert_le date NOT NULL,
  `fermé_le` date COMMENT 'NULL : en service',
  genre char(1) NOT NULL COMMENT 'A automatique, M manuel, S synoptique',
  `no_réf` int COMMENT 'poste de référence, pour comparer',
  PRIMARY KEY (no_poste),
  FOREIGN KEY (`no_réf`) REFERENCES poste (no_poste)
);

CREATE TABLE observateur (
  no_obs int NOT NULL,
  `prénom` varchar(20) NOT NULL,
  nom varchar(20) NOT NULL,
  statut char(1) NOT NULL COMMENT 'B bénévole, S salarié',
  no_poste int COMMENT 'NULL : sans poste',
  depuis date NOT NULL,
  parti_le date COMMENT 'NULL : toujours là',
  parrain int COMMENT 'observateur qui l''a formé',
  PRIMARY KEY (no_obs),
  FOREIGN KEY (no_poste) REFERENCES poste (no_poste),
  FOREIGN KEY (parrain) REFERENCES observateur (no_obs)
);

CREATE TABLE capteur (
  no_capteur int NOT NULL,
  no_poste int NOT NULL,
  grandeur char(1) NOT NULL COMMENT 'T température, P pluie, V vent, H humidité, N neige',
  marque varchar(12) NOT NULL,
  `posé_le` date NOT NULL,
  `déposé_le` date COMMENT 'NULL : en place',
  en_panne tinyint NOT NULL COMMENT '1 en panne',
  prix_ct int NOT NULL COMMENT 'prix d''achat en centimes',
  PRIMARY KEY (no_capteur),
  FOREIGN KEY (no_poste) REFERENCES poste (no_poste)
);

CREATE TABLE `relevé` (
  no_poste int NOT NULL,
  jour date NOT NULL,
  tmax_d smallint COMMENT 'maximum en dixièmes de °C',
  tmin_d smallint COMMENT 'minimum en dixièmes de °C',
  pluie_mm decimal(5,1) COMMENT '0.0 sec, NULL non mesuré',
  rafale_kmh smallint COMMENT 'rafale la plus forte',
  neige_cm smallint COMMENT 'hauteur au sol, NULL : pas de mesure à ce poste',
  no_obs int COMMENT 'NULL : transmis par la station',
  `validé` char(1) NOT NULL COMMENT 'O oui, N pas encore',
  PRIMARY KEY (no_poste, jour),
  FOREIGN KEY (no_poste) REFERENCES poste (no_poste),
  FOREIGN KEY (no_obs) REFERENCES observateur (no_obs)
);

CREATE TABLE alerte (
  no_alerte int NOT NULL,
  `phénomène` char(1) NOT NULL COMMENT 'O orages, V vent, P pluie, N neige et verglas, C canicule',
  niveau char(1) NOT NULL COMMENT 'J jaune, O orange, R rouge',
  `début` datetime NOT NULL,
  fin datetime COMMENT 'NULL : en cours',
  `émise_par` varchar(12) NOT NULL,
  PRIMARY KEY (no_alerte)
);

CREATE TABLE alerte_poste (
  no_alerte int NOT NULL,
  no_poste int NOT NULL,
  `confirmé` tinyint NOT NULL COMMENT '1 phénomène observé sur place, 0 non',
  PRIMARY KEY (no_alerte, no_poste),
  FOREIGN KEY (no_alerte) REFERENCES alerte (no_alerte),
  FOREIGN KEY (no_poste) REFERENCES poste (no_poste)
);

CREATE TABLE entretien (
  no_entretien int NOT NULL,
  no_capteur int NOT NULL,
  motif char(1) NOT NULL COMMENT 'P préventif, C correctif (réparation), E étalonnage',
  `prévu_le` date NOT NULL,
  fait_le date COMMENT 'NULL : pas fait',
  fait_par int,
  `durée_mn` int COMMENT 'minutes',
  `pièces_ct` int COMMENT 'pièces en centimes, NULL : aucune',
  PRIMARY KEY (no_entretien),
  FOREIGN KEY (no_capteur) REFERENCES capteur (no_capteur),
  FOREIGN KEY (fait_par) REFERENCES observateur (no_obs)
);

