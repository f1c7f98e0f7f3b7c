CREATE TABLE sedes (
  id int NOT NULL,
  nombre varchar(60) NOT NULL,
  ciudad varchar(30) NOT NULL,
  aforo int NOT NULL COMMENT 'personas',
  alquiler_dia decimal(9,2) NOT NULL COMMENT 'por día',
  PRIMARY KEY (id)
);

CREATE TABLE salas (
  id int NOT NULL,
  sede_id int NOT NULL,
  nombre varchar(30) NOT NULL,
  aforo int NOT NULL,
  planta int NOT NULL,
  accesible tinyint(1) NOT NULL COMMENT '1 sin barreras',
  PRIMARY KEY (id),
  FOREIGN KEY (sede_id) REFERENCES sedes (id)
);

CREATE TABLE congresos (
  id int NOT NULL,
  nombre varchar(80) NOT NULL,
  sede_id int,
  tema varchar(20) NOT NULL,
  fecha_inicio date NOT NULL,
  fecha_fin date NOT NULL,
  estado varchar(12) NOT NULL,
  presupuesto decimal(11,2) NOT NULL,
  creado_en datetime NOT NULL,
  eliminado_en datetime COMMENT 'NULL: no eliminado',
  PRIMARY KEY (id),
  FOREIGN KEY (sede_id) REFERENCES sedes (id)
);

CREATE TABLE ponentes (
  id int NOT NULL,
  nombre varchar(30) NOT NULL,
  apellido varchar(40) NOT NULL,
  empresa varchar(40),
  pais varchar(30) NOT NULL,
  honorario decimal(8,2) COMMENT 'NULL: no cobra',
  recomendado_por int,
  PRIMARY KEY (id),
  FOREIGN KEY (recomendado_por) REFERENCES ponentes (id)
);

CREATE TABLE charlas (
  id int NOT NULL,
  congreso_id int NOT NULL,
  sala_id int COMMENT 'NULL: sala sin asignar',
  titulo varchar(100) NOT NULL,
  tipo varchar(15) NOT NULL,
  idioma varchar(12) NOT NULL,
  inicio datetime NOT NULL,
  minutos int NOT NULL,
  plazas int COMMENT 'NULL: sin límite',
  estado varchar(12) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (congreso_id) REFERENCES congresos (id),
  FOREIGN KEY (sala_id) REFERENCES salas (id)
);

CREATE TABLE charla_ponente (
  charla_id int NOT NULL,
  ponente_id int NOT NULL,
  papel varchar(12) NOT NULL,
  PRIMARY KEY (charla_id, ponente_id),
  FOREIGN KEY (charla_id) REFERENCES charlas (id),
  FOREIGN KEY (ponente_id) REFERENCES ponentes (id)
);

CREATE TABLE etiquetas (
  id int NOT NULL,
  nombre varchar(30) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE charla_etiqueta (
  charla_id int NOT NULL,
  etiqueta_id int NOT NULL,
  PRIMARY KEY (charla_id, etiqueta_id),
  FOREIGN KEY (charla_id) REFERENCES charlas (id),
  FOREIGN KEY (etiqueta_id) REFERENCES etiquetas (id)
);

CREATE TABLE asistentes (
  id int NOT NULL,
  nombre varchar(30) NOT NULL,
  apellido varchar(40) NOT NULL,
  profesion varchar(20),
  pais varchar(30) NOT NULL,
  creado_en datetime NOT NULL,
  eliminado_en datetime,
  PRIMARY KEY (id)
);

CREATE TABLE inscripciones (
  id int NOT NULL,
  congreso_id int NOT NULL,
  asistente_id int NOT NULL,
  tipo_entrada varchar(12) NOT NULL,
  precio decimal(8,2) NOT NULL,
  estado varchar(12) NOT NULL,
  inscrito_en datetime NOT NULL,
  pagado_en datetime COMMENT 'NULL: sin pagar',
  asistio tinyint(1) COMMENT '1 vino, 0 no vino, NULL no se sabe',
  PRIMARY KEY (id),
  FOREIGN KEY (congreso_id) REFERENCES congresos (id),
  FOREIGN KEY (asistente_id) REFERENCES asistentes (id)
);

CREATE TABLE valoraciones (
  id int NOT NULL,
  charla_id int NOT NULL,
  asistente_id int NOT NULL,
  puntos int NOT NULL,
  comentario varchar(120),
  creado_en datetime NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (charla_id) REFERENCES charlas (id),
  FOREIGN KEY (asistente_id) REFERENCES asistentes (id)
);

CREATE TABLE patrocinios (
  id int NOT NULL,
  congreso_id int NOT NULL,
  patrocinador varchar(40) NOT NULL,
  nivel varchar(10) NOT NULL,
  importe decimal(10,2) NOT NULL,
  pagado tinyint(1) NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (congreso_id) REFERENCES congresos (id)
);

