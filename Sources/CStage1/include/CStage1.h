#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds the structural characters, opening quotes and scalar starts of JSON text by SIMD.
typedef struct stage1 stage1;

/// NULL when memory is short.
stage1 *_Nullable stage1_create(size_t capacity);
void stage1_destroy(stage1 *_Nonnull self);

/// Scans `length` bytes that start and end outside a string. Returns 0, or simdjson's error code:
/// 10 not UTF-8, 12 nothing but white space, 13 control character in a string, 14 open string.
/// The positions are valid after 0 only, until the next scan.
int stage1_scan(stage1 *_Nonnull self, const uint8_t *_Nonnull bytes, size_t length);

size_t stage1_count(const stage1 *_Nonnull self);

/// The positions, and behind the last of them twice the length. The caller may put a nearer end in their place.
uint32_t *_Nonnull stage1_positions(const stage1 *_Nonnull self);

/// How many of the bytes are line feeds.
size_t stage1_newlines(const uint8_t *_Nonnull bytes, size_t length);

/// Where the byte stands last; -1 when it does not.
ptrdiff_t stage1_last(const uint8_t *_Nonnull bytes, size_t length, uint8_t byte);

/// The version of simdjson.
const char *_Nonnull stage1_version(void);

/// For tests: does simdjson's DOM accept the text? It refuses integers beyond 64 bits and numbers beyond a double's
/// range, which are JSON.
bool stage1_oracle_accepts(const uint8_t *_Nonnull bytes, size_t length);

#ifdef __cplusplus
}
#endif
