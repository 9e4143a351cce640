#pragma once
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

/// One value on its way into a table: the layout of `Records.Cell`.
typedef struct {
  /// The integer, the bits of the double, or the address of the bytes.
  uint64_t payload;
  uint32_t length;
  uint8_t kind;
  uint8_t rule;
} row_source_cell;

/// What `kind` and `rule` of a cell stand for. A cell whose rule is `kept` is null in a new row.
typedef struct {
  uint8_t missing, null, integer, real, text, bytes, kept;
} row_source_codes;

/// Rows that a statement reads by `SELECT … FROM name(?)`: a pointer to this is bound to the parameter.
typedef struct {
  const row_source_cell *_Nullable cells;
  int64_t count;
} row_source_rows;

/// Makes a table-valued function that gives rows of `columns` cells, in columns c0, c1, …, of the pointer it is called
/// with. It stands in no schema and can be called from no view or trigger. `codes` must outlive the connection.
int row_source_register(
    struct sqlite3 *_Nonnull db, const char *_Nonnull name, int columns, const row_source_codes *_Nonnull codes);

/// Binds the rows, which must stay where they are until the statement has run, and have as many cells each as the
/// function that reads them was made for.
int row_source_bind(struct sqlite3_stmt *_Nonnull statement, int index, row_source_rows *_Nonnull rows);
