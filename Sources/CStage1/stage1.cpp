#include "CStage1.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

// The only use of simdjson's parser implementation, which its headers call private: it is compiled against the
// header that it links, and a test checks the positions that it gives.
struct stage1 {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
};

extern "C" stage1 *stage1_create(size_t capacity) {
  auto *self = new (std::nothrow) stage1;
  if (!self) return nullptr;
  if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, self->parser)) {
    delete self;
    return nullptr;
  }
  return self;
}

extern "C" void stage1_destroy(stage1 *self) { delete self; }

extern "C" int stage1_scan(stage1 *self, const uint8_t *bytes, size_t length) {
  if (length > self->parser->capacity()) {
    auto error = self->parser->set_capacity(length);
    if (error) return error;
  }
  auto error = self->parser->stage1(bytes, length, simdjson::stage1_mode::regular);
  if (!error) {
    uint32_t *end = self->parser->structural_indexes.get() + self->parser->n_structural_indexes;
    end[0] = end[1] = static_cast<uint32_t>(length);
  }
  return error;
}

extern "C" const char *stage1_version(void) { return SIMDJSON_STRINGIFY(SIMDJSON_VERSION); }

extern "C" size_t stage1_count(const stage1 *self) { return self->parser->n_structural_indexes; }

extern "C" uint32_t *stage1_positions(const stage1 *self) { return self->parser->structural_indexes.get(); }

extern "C" size_t stage1_newlines(const uint8_t *bytes, size_t length) {
  // Counted in bytes side by side, which the compiler turns into vectors; each is added up before it can overflow.
  constexpr size_t lanes = 64;
  size_t total = 0;
  while (length >= lanes) {
    uint8_t counts[lanes] = {};
    size_t rows = std::min<size_t>(length / lanes, 255);
    for (size_t row = 0; row < rows; row++, bytes += lanes)
      for (size_t lane = 0; lane < lanes; lane++) counts[lane] += bytes[lane] == '\n';
    for (uint8_t count : counts) total += count;
    length -= rows * lanes;
  }
  return total + static_cast<size_t>(std::count(bytes, bytes + length, uint8_t('\n')));
}

extern "C" ptrdiff_t stage1_last(const uint8_t *bytes, size_t length, uint8_t byte) {
  auto *at = static_cast<const uint8_t *>(memrchr(bytes, byte, length));
  return at ? at - bytes : -1;
}

extern "C" bool stage1_oracle_accepts(const uint8_t *bytes, size_t length) {
  simdjson::dom::parser parser;
  return !parser.parse(reinterpret_cast<const char *>(bytes), length, true).error();
}
