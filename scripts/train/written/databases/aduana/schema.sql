CREATE TABLE paises (
  cod_pais char(2) NOT NULL COMMENT 'código ISO',
  nombre varchar(30) NOT NULL,
  continente varchar(10) NOT NULL,
  acuerdo tinyint(1) NOT NULL COMMENT '1 con acuerdo comercial (arancel preferente), 0 sin acuerdo',
  riesgo char(1) NOT NULL COMMENT 'nivel de riesgo: A alto, M medio, B bajo',
  PRIMARY KEY (cod_pais)
);

CREATE TABLE puestos (
  id_puesto int NOT NULL,
  nombre varchar(40) NOT NULL,
  ciudad varchar(30) NOT NULL,
  via char(1) NOT NULL COMMENT 'vía de entrada: M marítima, A aérea, C carretera',
  abierto_24h tinyint(1) NOT NULL COMMENT '1 abierto las 24 horas',
  PRIMARY KEY (id_puesto)
) COMMENT='puestos aduaneros';

CREATE TABLE agentes (
  num_placa int NOT NULL,
  nombre varchar(30) NOT NULL,
  apellidos varchar(40) NOT NULL,
  rango varchar(15) NOT NULL,
  id_puesto int NOT NULL,
  jefe int COMMENT 'num_placa del superior',
  fecha_ingreso date NOT NULL,
  fecha_baja date COMMENT 'NULL: en activo',
  sueldo decimal(8,2) NOT NULL COMMENT 'bruto mensual',
  PRIMARY KEY (num_placa),
  FOREIGN KEY (id_puesto) REFERENCES puestos (id_puesto),
  FOREIGN KEY (jefe) REFERENCES agentes (num_placa)
) COMMENT='funcionarios de aduanas';

CREATE TABLE importadores (
  nif char(9) NOT NULL,
  razon_social varchar(60) NOT NULL,
  provincia varchar(20) NOT NULL,
  sector varchar(20) NOT NULL,
  fecha_alta date NOT NULL,
  oea char(1) NOT NULL COMMENT 'S operador económico autorizado, N no',
  limite_aval decimal(11,2) COMMENT 'aval depositado, NULL: sin aval',
  PRIMARY KEY (nif)
);

CREATE TABLE aranceles (
  cod_arancel char(6) NOT NULL,
  descripcion varchar(50) NOT NULL,
  capitulo int NOT NULL,
  tipo_pct decimal(4,1) NOT NULL COMMENT 'arancel general en %',
  iva_pct int NOT NULL COMMENT 'IVA en %',
  requiere_licencia tinyint(1) NOT NULL COMMENT '1 exige licencia de importación',
  PRIMARY KEY (cod_arancel)
) COMMENT='partidas del arancel';

CREATE TABLE declaraciones (
  num_dua int NOT NULL,
  nif char(9) NOT NULL,
  id_puesto int NOT NULL,
  num_placa int COMMENT 'agente que la tramita, NULL: sin asignar',
  cod_pais char(2) NOT NULL COMMENT 'país de procedencia',
  presentada_el datetime NOT NULL,
  regimen char(2) NOT NULL COMMENT 'IM importación, EX exportación, TR tránsito, DA depósito aduanero',
  canal char(1) NOT NULL COMMENT 'circuito: V verde (sin control), N naranja (documentos), R rojo (revisión física)',
  estado varchar(15) NOT NULL,
  levante_el datetime COMMENT 'fecha del levante, NULL: aún no',
  bultos int NOT NULL,
  urgente tinyint(1) NOT NULL COMMENT '1 despacho urgente',
  PRIMARY KEY (num_dua),
  FOREIGN KEY (nif) REFERENCES importadores (nif),
  FOREIGN KEY (id_puesto) REFERENCES puestos (id_puesto),
  FOREIGN KEY (num_placa) REFERENCES agentes (num_placa),
  FOREIGN KEY (cod_pais) REFERENCES paises (cod_pais)
) COMMENT='declaraciones de aduana (DUA)';

CREATE TABLE mercancias (
  num_dua int NOT NULL,
  linea int NOT NULL,
  cod_arancel char(6) NOT NULL,
  pais_origen char(2) NOT NULL COMMENT 'país donde se fabricó',
  peso_kg decimal(8,1) NOT NULL,
  unidades int COMMENT 'NULL: a granel',
  valor decimal(10,2) NOT NULL COMMENT 'valor en aduana en euros',
  PRIMARY KEY (num_dua, linea),
  FOREIGN KEY (num_dua) REFERENCES declaraciones (num_dua),
  FOREIGN KEY (cod_arancel) REFERENCES aranceles (cod_arancel),
  FOREIGN KEY (pais_origen) REFERENCES paises (cod_pais)
) COMMENT='líneas de mercancía de cada declaración';

CREATE TABLE inspecciones (
  id_inspeccion int NOT NULL,
  num_dua int NOT NULL,
  num_placa int NOT NULL,
  tipo varchar(12) NOT NULL,
  realizada_el date NOT NULL,
  minutos int NOT NULL,
  resultado varchar(12) COMMENT 'NULL: sin resultado todavía',
  observaciones varchar(60),
  PRIMARY KEY (id_inspeccion),
  FOREIGN KEY (num_dua) REFERENCES declaraciones (num_dua),
  FOREIGN KEY (num_placa) REFERENCES agentes (num_placa)
);

CREATE TABLE sanciones (
  id_sancion int NOT NULL,
  nif char(9) NOT NULL,
  id_inspeccion int COMMENT 'inspección de la que sale, NULL: control posterior',
  motivo varchar(25) NOT NULL,
  importe decimal(9,2) NOT NULL,
  impuesta_el date NOT NULL,
  pagada_el date COMMENT 'NULL: sin pagar',
  recurrida tinyint(1) NOT NULL COMMENT '1 recurrida',
  PRIMARY KEY (id_sancion),
  FOREIGN KEY (nif) REFERENCES importadores (nif),
  FOREIGN KEY (id_inspeccion) REFERENCES inspecciones (id_inspeccion)
) COMMENT='multas a los importadores';

