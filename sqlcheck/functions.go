package sqlcheck

import (
	"maps"
	"slices"

	"nl2sql/sqlcheck/syntax"
)

// Functions lists what [Check] lets statements call, sorted: scalar, aggregate and window functions, by the lower-case
// names that TiDB's parser gives them. An engine's tests go through it.
func Functions() []string {
	var names []string
	names = slices.AppendSeq(names, maps.Keys(functions))
	names = slices.AppendSeq(names, maps.Keys(aggregates))
	names = slices.AppendSeq(names, maps.Keys(windowOnly))
	slices.Sort(names)
	return names
}

// arity is how many arguments a function takes.
type arity struct{ min, max int }

// Values of arity.max.
const (
	many  = -1 // any number
	pairs = -2 // the least number and any number of pairs
)

func (a arity) takes(n int) bool {
	switch a.max {
	case many:
		return n >= a.min
	case pairs:
		return n >= a.min && (n-a.min)%2 == 0
	}
	return n >= a.min && n <= a.max
}

// functions is the allow-list of scalar functions, by the lower-case names that TiDB's parser gives them: pure
// functions of their arguments, the clock and RAND. What is not here cannot be called.
// Source: MySQL 8.0 Reference Manual, "Built-In Function and Operator Reference"; the counts are those of MySQL,
// with the unit of a date function as one argument.
var functions = map[string]arity{
	// comparison and control flow
	"coalesce": {1, many}, "greatest": {2, many}, "least": {2, many}, "interval": {2, many},
	"if": {3, 3}, "ifnull": {2, 2},
	"nullif": {2, 2}, "isnull": {1, 1}, "strcmp": {2, 2}, "any_value": {1, 1}, "grouping": {1, many},
	// numbers
	"abs": {1, 1}, "acos": {1, 1}, "asin": {1, 1}, "atan": {1, 2}, "atan2": {1, 2}, "bit_count": {1, 1}, "ceil": {1, 1},
	"ceiling": {1, 1}, "conv": {3, 3}, "cos": {1, 1}, "cot": {1, 1}, "crc32": {1, 1}, "degrees": {1, 1}, "exp": {1, 1},
	"floor": {1, 1}, "ln": {1, 1}, "log": {1, 2}, "log10": {1, 1}, "log2": {1, 1}, "mod": {2, 2}, "pi": {0, 0},
	"pow": {2, 2}, "power": {2, 2}, "radians": {1, 1}, "rand": {0, 1}, "round": {1, 2}, "sign": {1, 1}, "sin": {1, 1},
	"sqrt": {1, 1}, "tan": {1, 1}, "truncate": {2, 2}, "format": {2, 3}, "bin": {1, 1}, "oct": {1, 1}, "hex": {1, 1},
	"unhex": {1, 1},
	// strings
	"ascii": {1, 1}, "ord": {1, 1}, "bit_length": {1, 1}, "char_func": {1, many}, "char_length": {1, 1},
	"character_length": {1, 1}, "length": {1, 1}, "octet_length": {1, 1}, "concat": {1, many}, "concat_ws": {2, many},
	"convert": {2, 2}, "elt": {2, many}, "export_set": {3, 5}, "field": {2, many}, "find_in_set": {2, 2},
	"insert_func": {4, 4}, "instr": {2, 2}, "lcase": {1, 1}, "left": {2, 2}, "locate": {2, 3}, "lower": {1, 1},
	"lpad": {3, 3}, "ltrim": {1, 1}, "make_set": {2, many}, "mid": {2, 3}, "position": {2, 2}, "quote": {1, 1},
	"repeat": {2, 2}, "replace": {3, 3}, "reverse": {1, 1}, "right": {2, 2}, "rpad": {3, 3}, "rtrim": {1, 1},
	"soundex": {1, 1}, "space": {1, 1}, "substr": {2, 3}, "substring": {2, 3},
	"substring_index": {3, 3}, "trim": {1, 3},
	"ucase": {1, 1}, "upper": {1, 1}, "regexp_instr": {2, 6}, "regexp_like": {2, 3}, "regexp_replace": {3, 6},
	"regexp_substr": {2, 5}, "charset": {1, 1}, "collation": {1, 1}, "coercibility": {1, 1},
	"to_base64": {1, 1}, "from_base64": {1, 1}, "md5": {1, 1}, "sha": {1, 1}, "sha1": {1, 1}, "sha2": {2, 2},
	// dates and times
	"adddate": {3, 3}, "addtime": {2, 2}, "convert_tz": {3, 3}, "curdate": {0, 0}, "current_date": {0, 0},
	"current_time": {0, 1}, "current_timestamp": {0, 1}, "curtime": {0, 1}, "date": {1, 1}, "date_add": {3, 3},
	"date_format": {2, 2}, "date_sub": {3, 3}, "datediff": {2, 2}, "day": {1, 1}, "dayname": {1, 1},
	"dayofmonth": {1, 1}, "dayofweek": {1, 1}, "dayofyear": {1, 1}, "extract": {2, 2}, "from_days": {1, 1},
	"from_unixtime": {1, 2}, "get_format": {2, 2}, "hour": {1, 1}, "last_day": {1, 1}, "localtime": {0, 1},
	"localtimestamp": {0, 1}, "makedate": {2, 2}, "maketime": {3, 3}, "microsecond": {1, 1}, "minute": {1, 1},
	"month": {1, 1}, "monthname": {1, 1}, "now": {0, 1}, "period_add": {2, 2}, "period_diff": {2, 2}, "quarter": {1, 1},
	"sec_to_time": {1, 1}, "second": {1, 1}, "str_to_date": {2, 2}, "subdate": {3, 3}, "subtime": {2, 2},
	"sysdate": {0, 1}, "time": {1, 1}, "time_format": {2, 2}, "time_to_sec": {1, 1}, "timediff": {2, 2},
	"timestamp": {1, 2}, "timestampadd": {3, 3}, "timestampdiff": {3, 3}, "to_days": {1, 1}, "to_seconds": {1, 1},
	"unix_timestamp": {0, 1}, "utc_date": {0, 0}, "utc_time": {0, 1}, "utc_timestamp": {0, 1}, "week": {1, 2},
	"weekday": {1, 1}, "weekofyear": {1, 1}, "year": {1, 1}, "yearweek": {1, 2},
	"'tidb`.(dateliteral": {1, 1}, "'tidb`.(timeliteral": {1, 1}, "'tidb`.(timestampliteral": {1, 1},
	// JSON
	"json_array": {0, many}, "json_array_append": {3, pairs}, "json_array_insert": {3, pairs}, "json_contains": {2, 3},
	"json_contains_path": {3, many}, "json_depth": {1, 1}, "json_extract": {2, many}, "json_insert": {3, pairs},
	"json_keys": {1, 2}, "json_length": {1, 2}, "json_memberof": {2, 2}, "json_merge_patch": {2, many},
	"json_merge_preserve": {2, many}, "json_object": {0, pairs}, "json_overlaps": {2, 2}, "json_quote": {1, 1},
	"json_remove": {2, many}, "json_replace": {3, pairs}, "json_search": {3, many}, "json_set": {3, pairs},
	"json_type":    {1, 1},
	"json_unquote": {1, 1}, "json_valid": {1, 1},
	// points
	"point": {2, 2}, "st_x": {1, 1}, "st_y": {1, 1}, "st_astext": {1, 1}, "st_aswkt": {1, 1},
	"st_geomfromtext": {1, 1}, "st_pointfromtext": {1, 1}, "st_distance": {2, 2}, "st_distance_sphere": {2, 2},
	// addresses and identifiers
	"inet_aton": {1, 1}, "inet_ntoa": {1, 1}, "inet6_aton": {1, 1}, "inet6_ntoa": {1, 1}, "is_ipv4": {1, 1},
	"is_ipv6": {1, 1}, "is_uuid": {1, 1}, "uuid": {0, 0}, "bin_to_uuid": {1, 2}, "uuid_to_bin": {1, 2},
}

// grammarFunctions stand in MySQL's grammar, so that a wrong number of arguments is a syntax error.
// Source: what MySQL 8.0.15 says to each of them with no argument and with seven.
var grammarFunctions = syntax.WordSet(`ascii charset coalesce collation date day format hour if insert_func left microsecond minute month
	quarter repeat replace reverse right second time timestamp truncate week year`)

// aggregates are the aggregate functions by the names that TiDB's parser gives them (STD is stddev_pop there).
var aggregates = syntax.WordSet(`count sum avg max min group_concat bit_and bit_or bit_xor var_pop var_samp stddev_pop stddev_samp
	json_arrayagg json_objectagg`)

// distinctAggregates are those that take DISTINCT.
var distinctAggregates = syntax.WordSet(`count sum avg max min group_concat`)

// windowOnly are the functions that need OVER.
var windowOnly = syntax.WordSet(`row_number rank dense_rank cume_dist percent_rank ntile lead lag first_value last_value nth_value`)

// forbidden are functions that exist and that no answer needs: they wait, lock, read files, tell about the server or
// its users, keep state, put text into errors, or blow data up. The list only makes the reason exact: a function that
// is in no list is refused as well.
var forbidden = syntax.WordSet(`sleep benchmark get_lock release_lock release_all_locks is_free_lock is_used_lock
	load_file updatexml extractvalue master_pos_wait source_pos_wait wait_for_executed_gtid_set gtid_subset gtid_subtract
	wait_until_sql_thread_after_gtids name_const user current_user session_user system_user current_role version
	database schema connection_id found_rows row_count last_insert_id roles_graphml icu_version
	uuid_short random_bytes aes_encrypt aes_decrypt des_encrypt des_decrypt encode decode encrypt password old_password
	compress uncompress uncompressed_length validate_password_strength statement_digest statement_digest_text
	ps_thread_id ps_current_thread_id format_bytes format_pico_time weight_string json_pretty json_storage_size
	json_storage_free json_merge json_schema_valid json_schema_validation_report json_table json_value values
	default_func sys_exec sys_eval sys_get sys_set nextval lastval setval match can_access_table can_access_column
	internal_table_rows tidb_version tidb_decode_key tidb_decode_plan tidb_is_ddl_owner tidb_parse_tso tidb_shard`)

// foreignFunctions are functions of other databases that models write, with what MySQL has instead.
var foreignFunctions = map[string]string{
	"to_char": "DATE_FORMAT or FORMAT", "to_date": "STR_TO_DATE", "strftime": "DATE_FORMAT",
	"date_trunc": "DATE_FORMAT",
	"date_part":  "EXTRACT", "datepart": "EXTRACT", "dateadd": "DATE_ADD", "datename": "DATE_FORMAT", "getdate": "NOW",
	"julianday": "TO_DAYS", "len": "CHAR_LENGTH", "nvl": "IFNULL", "decode": "CASE", "iif": "IF", "charindex": "LOCATE",
	"string_agg": "GROUP_CONCAT", "listagg": "GROUP_CONCAT", "array_agg": "GROUP_CONCAT", "to_number": "CAST",
	"trunc": "TRUNCATE", "percentile_cont": "a window function", "median": "a window function",
	"initcap":   "CONCAT and UPPER",
	"isnumeric": "REGEXP", "total": "SUM", "mean": "AVG", "average": "AVG", "age": "TIMESTAMPDIFF",
	"split_part": "SUBSTRING_INDEX",
}
