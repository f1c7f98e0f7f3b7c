-- One table with every type, two with composite and mixed-case keys, a view, and users.
CREATE TABLE `Types` (
  `id` int NOT NULL AUTO_INCREMENT,
  `tiny` tinyint DEFAULT NULL,
  `flag` tinyint(1) DEFAULT NULL,
  `small` smallint unsigned DEFAULT NULL,
  `medium` mediumint DEFAULT NULL,
  `big` bigint DEFAULT NULL,
  `ubig` bigint unsigned DEFAULT NULL,
  `dec` decimal(20,4) DEFAULT NULL,
  `flt` float DEFAULT NULL,
  `dbl` double DEFAULT NULL,
  `bits` bit(9) DEFAULT NULL,
  `d` date DEFAULT NULL,
  `t` time DEFAULT NULL,
  `t3` time(3) DEFAULT NULL,
  `dt` datetime DEFAULT NULL,
  `dt6` datetime(6) DEFAULT NULL,
  `ts` timestamp NULL DEFAULT NULL,
  `y` year DEFAULT NULL,
  `c` char(5) DEFAULT NULL,
  `v` varchar(300) DEFAULT NULL,
  `txt` text,
  `bin` binary(3) DEFAULT NULL,
  `vbin` varbinary(10) DEFAULT NULL,
  `blb` blob,
  `e` enum('small','it''s','big') DEFAULT NULL,
  `s` set('a','b','c') DEFAULT NULL,
  `j` json DEFAULT NULL,
  `g` point DEFAULT NULL,
  PRIMARY KEY (`id`)
);
SET time_zone = '+00:00';
INSERT INTO `Types` VALUES
 (1,-128,1,65535,-8388608,-9223372036854775808,18446744073709551615,'1234567890123456.5000',1.1,2.5e-300,b'101010101',
  '2004-02-29','-838:59:59','12:00:00.125','2005-12-31 23:59:59','2005-12-31 23:59:59.000001','2005-01-02 03:04:05',2004,
  'ab   ','Zürich – 東京 😀','it''s; -- no comment','\0a\0',x'00ff',x'c3282f00','it''s','a,c','{"a": [1, null]}',ST_GeomFromText('POINT(1 2)')),
 (2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
 (3,0,0,0,0,0,7,'-0.0100',-0.1,1e22,b'0','0000-00-00','00:00:00','00:00:00','0000-00-00 00:00:00','1000-01-01 00:00:00','1970-01-02 00:00:00',0,
  '','','','','','','small','','[]',NULL);
CREATE TABLE `Parent` (
  `Region` char(2) NOT NULL,
  `Code` int unsigned NOT NULL,
  `Label` varchar(20) NOT NULL COMMENT 'what it''s called',
  `Note` varchar(20) DEFAULT NULL,
  PRIMARY KEY (`Region`,`Code`),
  UNIQUE KEY `label` (`Label`),
  UNIQUE KEY `both` (`Note`,`Label`)
) COMMENT='of "child"';
INSERT INTO `Parent` VALUES ('eu',1,'one',NULL),('eu',2,'two','x'),('us',1,'three','x');
CREATE TABLE `child` (
  `id` int NOT NULL,
  `r` char(2) NOT NULL,
  `c` int unsigned NOT NULL,
  `boss` int DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `rc` (`r`,`c`),
  CONSTRAINT `to_parent` FOREIGN KEY (`r`,`c`) REFERENCES `Parent` (`region`,`code`),
  CONSTRAINT `to_self` FOREIGN KEY (`boss`) REFERENCES `child` (`id`)
);
INSERT INTO `child` VALUES (1,'eu',1,NULL),(2,'us',1,1);
CREATE TABLE `Empty` (`a` varchar(3));
CREATE VIEW `labels` AS SELECT `Label`, COUNT(*) AS `n` FROM `Parent` GROUP BY `Label`;
CREATE TABLE `digit` (`n` int NOT NULL PRIMARY KEY);
INSERT INTO `digit` VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
-- a user who may write, to show that the session may not, and one with a password
CREATE USER writer@localhost;
GRANT ALL ON *.* TO writer@localhost;
CREATE USER guarded@localhost IDENTIFIED BY 'correct-horse';
GRANT SELECT ON `types`.* TO guarded@localhost;
