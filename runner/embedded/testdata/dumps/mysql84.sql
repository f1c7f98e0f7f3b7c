-- Written by hand in the form of mysqldump 8.4: GTIDs, invisible columns, defaults that are computed, indexes over expressions.
-- MySQL dump 10.13  Distrib 8.4.2, for Linux (x86_64)
/*!50503 SET NAMES utf8mb4 */;
SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;
SET @@SESSION.SQL_LOG_BIN= 0;
SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '3e11fa47-71ca-11e1-9e33-c80aa9429562:1-77';

CREATE DATABASE /*!32312 IF NOT EXISTS*/ `workshop` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci */ /*!80016 DEFAULT ENCRYPTION='N' */;

USE `workshop`;
DROP TABLE IF EXISTS `job`;
CREATE TABLE `job` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(40) COLLATE utf8mb4_0900_as_cs NOT NULL,
  `hidden` int DEFAULT '7' /*!80023 INVISIBLE */,
  `tag` char(36) NOT NULL DEFAULT (uuid()),
  `more` json DEFAULT (json_object()),
  `state` enum('open','done') CHARACTER SET ascii COLLATE ascii_bin DEFAULT 'open',
  `flags` set('x','y','z') DEFAULT NULL,
  `serial` bigint unsigned DEFAULT NULL,
  `mask` bit(4) DEFAULT NULL,
  `place` point NOT NULL /*!80003 SRID 4326 */,
  `upper_name` varchar(40) COLLATE utf8mb4_0900_as_cs GENERATED ALWAYS AS (upper(`name`)) STORED,
  `dice` double GENERATED ALWAYS AS (st_x(`place`)) VIRTUAL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `lower_name` ((lower(`name`))),
  KEY `hidden_key` (`hidden`) /*!80000 INVISIBLE */,
  SPATIAL KEY `place` (`place`),
  CONSTRAINT `job_chk_1` CHECK ((`hidden` > 0)) /*!80016 NOT ENFORCED */
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci /*!80023 AUTOEXTEND_SIZE=4194304 */ COMMENT='jobs, (all) of them';
INSERT INTO `job` (`id`, `name`, `hidden`, `tag`, `more`, `state`, `flags`, `serial`, `mask`, `place`) VALUES (1,'Saw',7,'c5e0','{\"a\": 1}','open','z,x',18446744073709551615,_binary '\n',0x000000000101000000000000000000F03F0000000000000040),(2,'saw',8,'c5e1',NULL,'done','y',3,_binary '',0x000000000101000000000000000000F03F0000000000000040);
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `state_count` (`state`,`n`) AS select `job`.`state` AS `state`,count(0) AS `count(0)` from `job` group by `job`.`state` */
/*!50002 WITH CASCADED CHECK OPTION */;
/*!50001 CREATE VIEW `me` AS select user() AS `me` */;
/*!50001 CREATE VIEW `itself` AS select `n` AS `n` from `itself` */;

-- Dump completed on 2026-11-20 10:00:00
