/*M!999999\- enable the sandbox mode */ 
-- Cut out of a dump by mariadb-dump 11.8, with more types and options than one table has.
/*!40101 SET NAMES utf8mb4 */;
/*M!100616 SET @OLD_NOTE_VERBOSITY=@@NOTE_VERBOSITY, NOTE_VERBOSITY=0 */;
DROP SEQUENCE IF EXISTS `numbers`;
CREATE SEQUENCE `numbers` start with 1 minvalue 1 maxvalue 9223372036854775806 increment by 1 cache 1000 nocycle ENGINE=InnoDB;
DO SETVAL(`numbers`, 1001, 0);
CREATE TABLE `job` (
  `id` bigint(20) unsigned NOT NULL DEFAULT nextval(`workshop`.`numbers`),
  `key` uuid DEFAULT uuid(),
  `ip` inet6 DEFAULT NULL,
  `name` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_swedish_ai_ci DEFAULT NULL INVISIBLE,
  `plain` varchar(40) DEFAULT 'a (b), ''c''',
  `doc` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`doc`)),
  `made` datetime(3) DEFAULT current_timestamp(3) ON UPDATE current_timestamp(3),
  `twice` decimal(12,1) GENERATED ALWAYS AS (`id` * 2.05) VIRTUAL,
  `since` timestamp(6) GENERATED ALWAYS AS ROW START,
  `until` timestamp(6) GENERATED ALWAYS AS ROW END,
  PRIMARY KEY (`id`,`until`),
  KEY `plain` (`plain`) IGNORED,
  PERIOD FOR SYSTEM_TIME (`since`, `until`)
) ENGINE=Aria DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_uca1400_ai_ci PAGE_CHECKSUM=1 TRANSACTIONAL=0 WITH SYSTEM VERSIONING
 PARTITION BY SYSTEM_TIME 
(PARTITION `p0` HISTORY ENGINE = Aria,
 PARTITION `pn` CURRENT ENGINE = Aria);
INSERT INTO `job` (`id`, `key`, `ip`, `name`, `plain`, `doc`, `made`, `since`, `until`) VALUES
(1,'6ccd780c-baba-1026-9564-5b8c656024db','::1','Åsa','x','{\"a\": [1]}','2024-01-01 00:00:00.125','2024-01-01 00:00:00.000001','2038-01-19 03:14:07.999999');
INSERT INTO `job` (`id`, `since`, `until`) VALUES (2,'2024-01-01 00:00:00.000001','2038-01-19 03:14:07.999999');
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `names` AS select `job`.`name` AS `name`,octet_length(`job`.`doc`) AS `size`,cast(`job`.`id` as char charset utf8mb4) AS `text` from `job` where `job`.`plain` is not null */;
