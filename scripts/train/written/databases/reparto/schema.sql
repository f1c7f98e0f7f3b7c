CREATE TABLE almacenes (
  cod_alm char(3) NOT NULL,
  nombre varchar(40) NOT NULL,
  m2 int NOT NULL COMMENT 'superficie en m²',
  PRIMARY KEY (cod_alm)
) COMMENT='almacenes de salida';

CREATE TABLE repartidores (
  id_rep int NOT NULL,
  nombre varchar(30) NOT NULL,
  apellido varchar(30) NOT NULL,
  cod_alm char(3) NOT NULL,
  f_alta date NOT NULL,
  f_baja date COMMENT 'NULL: sigue activo',
  vehiculo char(1) NOT NULL COMMENT 'B bici, M moto, F furgoneta',
  sueldo decimal(7,2) NOT NULL COMMENT 'EUR al mes',
  jefe int,
  PRIMARY KEY (id_rep)
) COMMENT='repartidores';

CREATE TABLE remitentes (
  id_rem int NOT NULL,
  razon_social varchar(60) NOT NULL,
  poblacion varchar(30) NOT NULL,
  PRIMARY KEY (id_rem)
) COMMENT='quien envía';

CREATE TABLE envios (
  num_envio int NOT NULL,
  id_rem int NOT NULL,
  id_rep int,
  f_rec date NOT NULL,
  f_ent date COMMENT 'fecha de entrega',
  peso_g int NOT NULL COMMENT 'gramos',
  porte decimal(6,2) NOT NULL COMMENT 'EUR',
  est char(2) NOT NULL COMMENT 'EN entregado, TR en tránsito, DV devuelto, PE perdido',
  urg tinyint(1) NOT NULL COMMENT '1 urgente',
  PRIMARY KEY (num_envio)
) COMMENT='paquetes';

CREATE TABLE reclamaciones (
  num_rec int NOT NULL,
  num_envio int NOT NULL,
  f_rec date NOT NULL,
  motivo varchar(12) NOT NULL,
  resuelta tinyint(1) NOT NULL COMMENT '1 resuelta',
  PRIMARY KEY (num_rec)
) COMMENT='quejas';

