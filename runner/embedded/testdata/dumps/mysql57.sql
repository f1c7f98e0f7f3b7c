-- Written by hand in the form of mysqldump 5.7: display widths, no introducers in views, tables as stand-ins of views, '\0' for bits.
-- MySQL dump 10.13  Distrib 5.7.44, for Linux (x86_64)
--
-- Host: localhost    Database: workshop
-- ------------------------------------------------------
-- Server version	5.7.44

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8 */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;

--
-- Temporary table structure for view `a_open_jobs`
--

DROP TABLE IF EXISTS `a_open_jobs`;
/*!50001 DROP VIEW IF EXISTS `a_open_jobs`*/;
SET @saved_cs_client     = @@character_set_client;
SET character_set_client = utf8;
/*!50001 CREATE TABLE `a_open_jobs` (
  `label` tinyint NOT NULL,
  `cost` tinyint NOT NULL
) ENGINE=MyISAM */;
SET character_set_client = @saved_cs_client;

DROP TABLE IF EXISTS `job`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8 */;
CREATE TABLE `job` (
  `id` int(10) unsigned zerofill NOT NULL AUTO_INCREMENT,
  `name` varchar(40) CHARACTER SET latin1 COLLATE latin1_german1_ci NOT NULL,
  `done` bit(1) NOT NULL DEFAULT b'0',
  `cost` decimal(8,2) DEFAULT NULL,
  `with_tax` decimal(10,2) GENERATED ALWAYS AS ((`cost` * 1.19)) VIRTUAL,
  `made` year(4) DEFAULT NULL,
  `started` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`id`),
  KEY `name` (`name`) USING BTREE
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8 ROW_FORMAT=DYNAMIC COMMENT='what is to be done'
/*!50100 PARTITION BY HASH (id)
PARTITIONS 2 */;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `job` WRITE;
/*!40000 ALTER TABLE `job` DISABLE KEYS */;
INSERT INTO `job` (`id`, `name`, `done`, `cost`, `made`, `started`) VALUES (0000000001,'Böcke','\0',10.00,2001,'2020-01-01 00:00:00'),(0000000002,'saw; it\'s \"old\"','',NULL,NULL,'2020-01-02 00:00:00');
/*!40000 ALTER TABLE `job` ENABLE KEYS */;
UNLOCK TABLES;
/*!50003 SET @saved_sql_mode       = @@sql_mode */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER job_bi BEFORE INSERT ON job FOR EACH ROW BEGIN SET NEW.name = TRIM(NEW.name); END */;;
DELIMITER ;

--
-- Final view structure for view `a_open_jobs`
--

/*!50001 DROP TABLE IF EXISTS `a_open_jobs`*/;
/*!50001 DROP VIEW IF EXISTS `a_open_jobs`*/;
/*!50001 SET @saved_cs_client          = @@character_set_client */;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`%` SQL SECURITY DEFINER */
/*!50001 VIEW `a_open_jobs` AS select concat(`z_job`.`name`,'!') AS `label`,`z_job`.`cost` AS `cost` from `z_job` where (`z_job`.`done` = 0) */;
/*!50001 CREATE ALGORITHM=MERGE DEFINER=`root`@`%` SQL SECURITY INVOKER VIEW `z_job` AS select `job`.`name` AS `name`,`job`.`cost` AS `cost`,(`job`.`done` = 0x01) AS `done` from `job` */;
/*!50001 SET character_set_client      = @saved_cs_client */;
-- Dump completed on 2024-01-31 10:00:00
