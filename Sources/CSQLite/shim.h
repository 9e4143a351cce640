#include <sqlite3.h>

/// Makes SQLite keep no account of its memory, which takes a lock at each allocation. To be called before the first
/// database is opened.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// `sqlite3_db_config` for the options that take a switch: Swift cannot call it, its arguments vary.
static inline int csqlite_switch(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

/// Binds a copy of text of that many bytes; none of them is the empty text, never NULL.
static inline int csqlite_bind_copied_text(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of that many bytes; none of them is the empty blob, never NULL.
static inline int csqlite_bind_copied_bytes(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Gives a copy of text, or of bytes, as the result of a function; none of them is the empty text, never NULL.
static inline void csqlite_result_copied(
    sqlite3_context *context, const void *bytes, sqlite3_uint64 count, int is_text) {
  if (is_text) {
    sqlite3_result_text64(context, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
  } else {
    sqlite3_result_blob64(context, count ? bytes : "", count, SQLITE_TRANSIENT);
  }
}
