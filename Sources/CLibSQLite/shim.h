#include <sqlite3.h>

// Swift cannot call C functions with a variable number of arguments.

/// From now on, closing the database moves nothing from its write-ahead log into it, and keeps the log. This cannot
/// fail.
static inline void sqlite3_keep_log_at_close(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
