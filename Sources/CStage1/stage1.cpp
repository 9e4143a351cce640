#include "CStage1.h"

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
  return self->parser->stage1(bytes, length, simdjson::stage1_mode::regular);
}

extern "C" size_t stage1_count(const stage1 *self) { return self->parser->n_structural_indexes; }

extern "C" const uint32_t *stage1_positions(const stage1 *self) { return self->parser->structural_indexes.get(); }
