CREATE VIEW importe_pedidos AS
SELECT p.num_pedido, p.id_cliente, p.fecha, p.estado,
  ROUND(SUM(l.cantidad * l.precio_unitario * (1 - l.descuento_pct / 100)), 2) AS importe
FROM pedidos p JOIN lineas_pedido l ON l.num_pedido = p.num_pedido
GROUP BY p.num_pedido, p.id_cliente, p.fecha, p.estado;

CREATE VIEW productos_bajo_minimo AS
SELECT e.cod_almacen, e.cod_producto, p.descripcion, e.unidades, e.minimo
FROM existencias e JOIN productos p ON p.cod_producto = e.cod_producto
WHERE e.unidades < e.minimo AND p.descatalogado = 0;

DELIMITER //
CREATE TRIGGER devolucion_no_excede BEFORE INSERT ON devoluciones FOR EACH ROW
BEGIN
  IF NEW.cantidad > (SELECT cantidad FROM lineas_pedido WHERE num_pedido = NEW.num_pedido AND num_linea = NEW.num_linea) THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'se devuelven más unidades de las compradas';
  END IF;
END//
DELIMITER ;
