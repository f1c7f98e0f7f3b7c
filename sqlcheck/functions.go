package sqlcheck

import (
	_ "embed"
	"maps"
	"slices"

	"nl2sql/sqlcheck/cost"
	"nl2sql/sqlcheck/syntax"
)

// Functions lists what [Check] lets statements call, sorted: scalar, aggregate and window functions, by the lower-case
// names that TiDB's parser gives them. An engine's tests go through it.
func Functions() []string {
	var names []string
	names = slices.AppendSeq(names, maps.Keys(cost.Arities))
	names = slices.AppendSeq(names, maps.Keys(aggregates))
	names = slices.AppendSeq(names, maps.Keys(windowOnly))
	slices.Sort(names)
	return names
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

// foreign are functions of other databases that models write, with what MySQL has instead.
//
//go:embed foreign.txt
var foreign string

var foreignFunctions = syntax.Table(foreign)
