CREATE TABLE cines (
  id_cine int NOT NULL,
  nombre varchar(40) NOT NULL,
  ciudad varchar(30) NOT NULL,
  fecha_apertura date NOT NULL,
  PRIMARY KEY (id_cine)
);

CREATE TABLE salas (
  id_sala int NOT NULL,
  id_cine int NOT NULL,
  nombre varchar(20) NOT NULL,
  butacas int NOT NULL,
  tipo_pantalla varchar(5) NOT NULL,
  PRIMARY KEY (id_sala),
  FOREIGN KEY (id_cine) REFERENCES cines (id_cine)
);

CREATE TABLE peliculas (
  id_pelicula int NOT NULL,
  titulo varchar(60) NOT NULL,
  genero varchar(15) NOT NULL,
  duracion_min int NOT NULL,
  fecha_estreno date NOT NULL,
  director varchar(40) NOT NULL,
  edad_minima int,
  PRIMARY KEY (id_pelicula)
);

CREATE TABLE sesiones (
  id_sesion int NOT NULL,
  id_pelicula int NOT NULL,
  id_sala int NOT NULL,
  inicio datetime NOT NULL,
  precio decimal(5,2) NOT NULL,
  entradas int NOT NULL,
  idioma char(2) NOT NULL COMMENT 'ES español, VO versión original',
  PRIMARY KEY (id_sesion),
  FOREIGN KEY (id_pelicula) REFERENCES peliculas (id_pelicula),
  FOREIGN KEY (id_sala) REFERENCES salas (id_sala)
);

CREATE TABLE socios (
  id_socio int NOT NULL,
  nombre varchar(30) NOT NULL,
  apellido varchar(30) NOT NULL,
  fecha_alta date NOT NULL,
  fecha_baja date,
  PRIMARY KEY (id_socio)
);

CREATE TABLE reservas (
  id_reserva int NOT NULL,
  id_socio int NOT NULL,
  id_sesion int NOT NULL,
  butacas int NOT NULL,
  fecha_pago date,
  PRIMARY KEY (id_reserva),
  FOREIGN KEY (id_socio) REFERENCES socios (id_socio),
  FOREIGN KEY (id_sesion) REFERENCES sesiones (id_sesion)
);

