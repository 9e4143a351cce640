#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds the structural characters, opening quotes and scalar starts of JSON text by SIMD.
typedef struct stage1 stage1;

/// NULL when memory is short.
stage1 *stage1_create(size_t capacity);
void stage1_destroy(stage1 *_Nonnull self);

/// Scans `length` bytes that start and end outside a string. Returns 0, or simdjson's error code:
/// 10 not UTF-8, 12 nothing but white space, 13 control character in a string, 14 open string.
/// The positions are valid after 0 only, until the next scan.
int stage1_scan(stage1 *_Nonnull self, const uint8_t *_Nonnull bytes, size_t length);

size_t stage1_count(const stage1 *_Nonnull self);
const uint32_t *_Nonnull stage1_positions(const stage1 *_Nonnull self);

#ifdef __cplusplus
}
#endif
