#include "CRowSource.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// The name that keeps other pointers from being taken for rows.
static const char *const kind_of_pointer = "ingest rows";

typedef struct {
  int columns;
  const row_source_codes *codes;
} source;

typedef struct {
  sqlite3_vtab base;
  source of;
} table;

typedef struct {
  sqlite3_vtab_cursor base;
  source of;
  const row_source_cell *row;
  int64_t left;
  int64_t number;
} cursor;

static int connect(sqlite3 *db, void *context, int count, const char *const *words, sqlite3_vtab **made, char **error) {
  (void)count, (void)words, (void)error;
  const source *of = context;
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendall(sql, "CREATE TABLE source(");
  for (int column = 0; column < of->columns; column++) sqlite3_str_appendf(sql, "c%d, ", column);
  sqlite3_str_appendall(sql, "rows HIDDEN)");
  char *text = sqlite3_str_finish(sql);
  if (!text) return SQLITE_NOMEM;
  int status = sqlite3_declare_vtab(db, text);
  sqlite3_free(text);
  if (status == SQLITE_OK) status = sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  if (status != SQLITE_OK) return status;
  table *self = sqlite3_malloc64(sizeof *self);
  if (!self) return SQLITE_NOMEM;
  memset(self, 0, sizeof *self);
  self->of = *of;
  *made = &self->base;
  return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *self) {
  sqlite3_free(self);
  return SQLITE_OK;
}

/// Without the pointer there is nothing to read.
static int plan(sqlite3_vtab *self, sqlite3_index_info *info) {
  int pointer = ((table *)self)->of.columns;
  for (int at = 0; at < info->nConstraint; at++) {
    if (info->aConstraint[at].iColumn != pointer || !info->aConstraint[at].usable) continue;
    if (info->aConstraint[at].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    info->aConstraintUsage[at].argvIndex = 1;
    info->aConstraintUsage[at].omit = 1;
    info->estimatedCost = 1;
    return SQLITE_OK;
  }
  return SQLITE_CONSTRAINT;
}

static int open_cursor(sqlite3_vtab *self, sqlite3_vtab_cursor **made) {
  cursor *opened = sqlite3_malloc64(sizeof *opened);
  if (!opened) return SQLITE_NOMEM;
  memset(opened, 0, sizeof *opened);
  opened->of = ((table *)self)->of;
  *made = &opened->base;
  return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *self) {
  sqlite3_free(self);
  return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *text, int count, sqlite3_value **values) {
  (void)number, (void)text, (void)count;
  cursor *self = (cursor *)base;
  const row_source_rows *rows = sqlite3_value_pointer(values[0], kind_of_pointer);
  self->row = rows ? rows->cells : NULL;
  self->left = rows ? rows->count : 0;
  self->number = 0;
  return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base) {
  cursor *self = (cursor *)base;
  self->row += self->of.columns;
  self->left -= 1;
  self->number += 1;
  return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *self) { return ((cursor *)self)->left <= 0; }

/// Bytes are not copied: they stay where they are until the statement has run.
static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number) {
  const cursor *self = (const cursor *)base;
  const row_source_codes *codes = self->of.codes;
  if (number >= self->of.columns) return SQLITE_OK;
  row_source_cell cell = self->row[number];
  if (cell.rule == codes->kept || cell.kind == codes->missing || cell.kind == codes->null) return SQLITE_OK;
  const char *bytes = cell.length ? (const char *)(uintptr_t)cell.payload : "";
  if (cell.kind == codes->text) {
    sqlite3_result_text64(context, bytes, cell.length, SQLITE_STATIC, SQLITE_UTF8);
  } else if (cell.kind == codes->integer) {
    sqlite3_result_int64(context, (int64_t)cell.payload);
  } else if (cell.kind == codes->real) {
    double value;
    memcpy(&value, &cell.payload, sizeof value);
    sqlite3_result_double(context, value);
  } else if (cell.kind == codes->bytes) {
    sqlite3_result_blob64(context, bytes, cell.length, SQLITE_STATIC);
  } else {
    return SQLITE_INTERNAL;
  }
  return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *self, sqlite3_int64 *number) {
  *number = ((cursor *)self)->number;
  return SQLITE_OK;
}

// Without xCreate it is a table by its name alone, and read-only without xUpdate.
static const sqlite3_module module = {
    .xConnect = connect, .xBestIndex = plan, .xDisconnect = disconnect, .xOpen = open_cursor, .xClose = close_cursor,
    .xFilter = filter, .xNext = next, .xEof = is_at_end, .xColumn = column, .xRowid = row_number,
};

int row_source_register(sqlite3 *db, const char *name, int columns, const row_source_codes *codes) {
  source *of = malloc(sizeof *of);
  if (!of) return SQLITE_NOMEM;
  *of = (source){columns, codes};
  return sqlite3_create_module_v2(db, name, &module, of, free);
}

int row_source_bind(sqlite3_stmt *statement, int index, row_source_rows *rows) {
  return sqlite3_bind_pointer(statement, index, rows, kind_of_pointer, NULL);
}
