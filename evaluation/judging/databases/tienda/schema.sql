-- Tienda de menaje, jardín y bricolaje con venta por internet.
CREATE TABLE categorias (
  id_categoria SMALLINT NOT NULL,
  nombre VARCHAR(40) NOT NULL,
  id_categoria_padre SMALLINT NULL COMMENT 'NULL en las categorías principales',
  PRIMARY KEY (id_categoria),
  CONSTRAINT fk_categoria_padre FOREIGN KEY (id_categoria_padre) REFERENCES categorias (id_categoria)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE proveedores (
  id_proveedor SMALLINT NOT NULL,
  razon_social VARCHAR(60) NOT NULL,
  nif VARCHAR(14) NOT NULL,
  pais CHAR(2) NOT NULL COMMENT 'código ISO: ES, PT, FR, DE, IT, CN',
  plazo_dias SMALLINT NULL COMMENT 'plazo de entrega acordado, en días',
  PRIMARY KEY (id_proveedor),
  UNIQUE KEY uq_proveedor_nif (nif)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE productos (
  cod_producto CHAR(7) NOT NULL,
  descripcion VARCHAR(80) NOT NULL,
  id_categoria SMALLINT NOT NULL,
  id_proveedor SMALLINT NOT NULL,
  precio_venta DECIMAL(8,2) NOT NULL COMMENT 'euros, IVA no incluido',
  precio_coste DECIMAL(8,2) NOT NULL COMMENT 'euros, IVA no incluido',
  tipo_iva TINYINT NOT NULL COMMENT 'tanto por ciento: 4, 10 o 21',
  peso_g INT NULL,
  fecha_alta DATE NOT NULL,
  descatalogado TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (cod_producto),
  KEY ix_producto_categoria (id_categoria),
  CONSTRAINT fk_producto_categoria FOREIGN KEY (id_categoria) REFERENCES categorias (id_categoria),
  CONSTRAINT fk_producto_proveedor FOREIGN KEY (id_proveedor) REFERENCES proveedores (id_proveedor)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE almacenes (
  cod_almacen CHAR(3) NOT NULL,
  nombre VARCHAR(40) NOT NULL,
  ciudad VARCHAR(40) NOT NULL,
  superficie_m2 INT NOT NULL,
  PRIMARY KEY (cod_almacen)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE existencias (
  cod_almacen CHAR(3) NOT NULL,
  cod_producto CHAR(7) NOT NULL,
  unidades INT NOT NULL,
  minimo INT NOT NULL COMMENT 'por debajo hay que reponer',
  pasillo VARCHAR(6) NULL,
  PRIMARY KEY (cod_almacen, cod_producto),
  CONSTRAINT fk_existencia_almacen FOREIGN KEY (cod_almacen) REFERENCES almacenes (cod_almacen),
  CONSTRAINT fk_existencia_producto FOREIGN KEY (cod_producto) REFERENCES productos (cod_producto)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='stock de cada producto en cada almacén';

CREATE TABLE clientes (
  id_cliente INT NOT NULL,
  nombre VARCHAR(60) NOT NULL COMMENT 'nombre de pila, o de la empresa',
  apellidos VARCHAR(60) NULL COMMENT 'NULL en las empresas',
  tipo CHAR(1) NOT NULL COMMENT 'P particular, E empresa, M mayorista',
  email VARCHAR(80) NULL,
  telefono VARCHAR(15) NULL,
  ciudad VARCHAR(40) NOT NULL,
  cp CHAR(5) NOT NULL COMMENT 'código postal',
  fecha_registro DATE NOT NULL,
  acepta_publicidad TINYINT(1) NOT NULL,
  PRIMARY KEY (id_cliente),
  KEY ix_cliente_ciudad (ciudad)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE pedidos (
  num_pedido INT NOT NULL,
  id_cliente INT NOT NULL,
  cod_almacen CHAR(3) NOT NULL COMMENT 'desde donde se sirve',
  fecha DATE NOT NULL,
  estado CHAR(2) NOT NULL COMMENT 'PE pendiente, PR preparado, EN enviado, EG entregado, AN anulado',
  forma_pago ENUM('tarjeta','transferencia','contrarreembolso','bizum') NOT NULL,
  gastos_envio DECIMAL(6,2) NOT NULL DEFAULT 0.00,
  fecha_envio DATE NULL,
  fecha_entrega DATE NULL,
  PRIMARY KEY (num_pedido),
  KEY ix_pedido_fecha (fecha),
  CONSTRAINT fk_pedido_cliente FOREIGN KEY (id_cliente) REFERENCES clientes (id_cliente),
  CONSTRAINT fk_pedido_almacen FOREIGN KEY (cod_almacen) REFERENCES almacenes (cod_almacen)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE lineas_pedido (
  num_pedido INT NOT NULL,
  num_linea TINYINT NOT NULL,
  cod_producto CHAR(7) NOT NULL,
  cantidad SMALLINT NOT NULL,
  precio_unitario DECIMAL(8,2) NOT NULL COMMENT 'el del día del pedido, sin descuento',
  descuento_pct DECIMAL(4,1) NOT NULL DEFAULT 0.0,
  PRIMARY KEY (num_pedido, num_linea),
  KEY ix_linea_producto (cod_producto),
  CONSTRAINT fk_linea_pedido FOREIGN KEY (num_pedido) REFERENCES pedidos (num_pedido),
  CONSTRAINT fk_linea_producto FOREIGN KEY (cod_producto) REFERENCES productos (cod_producto)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE devoluciones (
  id_devolucion INT NOT NULL,
  num_pedido INT NOT NULL,
  num_linea TINYINT NOT NULL,
  fecha DATE NOT NULL,
  cantidad SMALLINT NOT NULL,
  motivo CHAR(2) NOT NULL COMMENT 'DF defectuoso, EQ producto equivocado, NG no le gusta, RT llegó roto en el transporte',
  importe DECIMAL(8,2) NULL COMMENT 'reembolsado; NULL mientras no se ha pagado',
  PRIMARY KEY (id_devolucion),
  CONSTRAINT fk_devolucion_linea FOREIGN KEY (num_pedido, num_linea) REFERENCES lineas_pedido (num_pedido, num_linea)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE valoraciones (
  cod_producto CHAR(7) NOT NULL,
  id_cliente INT NOT NULL,
  estrellas TINYINT NOT NULL COMMENT 'de 1 a 5',
  comentario VARCHAR(200) NULL,
  fecha DATE NOT NULL,
  PRIMARY KEY (cod_producto, id_cliente),
  CONSTRAINT fk_valoracion_producto FOREIGN KEY (cod_producto) REFERENCES productos (cod_producto),
  CONSTRAINT fk_valoracion_cliente FOREIGN KEY (id_cliente) REFERENCES clientes (id_cliente)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
