/* Sums of products of 8-bit numbers: a vector of sums has WIDE channels, and gets the products of
   a quad, four inputs, with their weights at once. Inputs are not negative, and the sums of the
   products that AVX2 adds in 16 bits fit there: see weights.py. */
#if defined(__AVX512VNNI__)
enum { WIDE = 16, PARTS = 2, QUADS = 1 };
#elif defined(__AVX2__)
enum { WIDE = 8, PARTS = 4, QUADS = 2 };
#else
#define SPLIT 1 /* with two sums for each channel, whose products are of 16-bit numbers */
enum { WIDE = 2, PARTS = 4, QUADS = 1 };
#endif
#ifndef SPLIT
#define SPLIT 0
#endif
enum { CELLS = 2, TAPS = 7 };
#define EVERY_OTHER(a, b, i) __builtin_shufflevector(a, b, i, i + 2, i + 4, i + 6)
#if SPLIT
typedef int16_t Number;
typedef int64_t Quad __attribute__((aligned(2), may_alias));
typedef int32_t Sums __attribute__((vector_size(16), aligned(4), may_alias));
#else
typedef int8_t Number;
typedef int32_t Quad __attribute__((aligned(1), may_alias));
typedef int32_t Sums __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));
#endif
typedef Number Numbers __attribute__((vector_size(sizeof(Sums)), aligned(sizeof(Number)), may_alias));
typedef Quad Quads __attribute__((vector_size(sizeof(Sums))));

/* Returns sums with the products of some quads. */
static inline Sums add(Sums sums, const Numbers inputs[QUADS], const Numbers weights[QUADS]) {
#if defined(__AVX512VNNI__)
    return (Sums)__builtin_ia32_vpdpbusd512(sums, (Sums)inputs[0], (Sums)weights[0]);
#elif defined(__AVX2__)
    typedef int16_t Pairs __attribute__((vector_size(32)));
    Pairs pairs = (Pairs)__builtin_ia32_pmaddubsw256(inputs[0], weights[0]) +
                  (Pairs)__builtin_ia32_pmaddubsw256(inputs[1], weights[1]);
    return sums + (Sums)__builtin_ia32_pmaddwd256(pairs, (Pairs){0} + 1);
#elif defined(__wasm_simd128__)
    return sums + (Sums)__builtin_wasm_dot_s_i32x4_i16x8(inputs[0], weights[0]);
#elif defined(__SSE2__)
    return sums + (Sums)__builtin_ia32_pmaddwd128(inputs[0], weights[0]);
#else
#define WIDEN(a, i) __builtin_convertvector(EVERY_OTHER(a, a, i), Sums)
    return sums + WIDEN(inputs[0], 0) * WIDEN(weights[0], 0) +
           WIDEN(inputs[0], 1) * WIDEN(weights[0], 1);
#endif
}

/* Writes the sums of CELLS cells, at these places in the inputs, for PARTS vectors of channels. */
static inline void sum_cells(
    const Number *inputs, intptr_t width, const int64_t *places, const Number *weights,
    int32_t *sums, intptr_t channels) {
    Sums held[CELLS][PARTS] = {0};
    for (int tap = 0; tap < TAPS; tap++) {
        const Number *rows[CELLS];
        for (int cell = 0; cell < CELLS; cell++)
            rows[cell] = inputs + places[cell * TAPS + tap] * width;
        for (intptr_t i = 0; i < width; i += 4 * QUADS, weights += 4 * QUADS * channels) {
            Numbers around[CELLS][QUADS], by[QUADS];
            for (int cell = 0; cell < CELLS; cell++)
                for (int quad = 0; quad < QUADS; quad++)
                    around[cell][quad] =
                        (Numbers)(*(const Quad *)(rows[cell] + i + 4 * quad) - (Quads){0});
            for (int part = 0; part < PARTS; part++) {
                for (int quad = 0; quad < QUADS; quad++)
                    by[quad] = *(const Numbers *)(weights + 4 * (WIDE * part + quad * channels));
                for (int cell = 0; cell < CELLS; cell++)
                    held[cell][part] = add(held[cell][part], around[cell], by);
            }
        }
    }
    for (int cell = 0; cell < CELLS; cell++)
        for (int part = 0; part < PARTS; part += 1 + SPLIT) {
            Sums *place = (Sums *)(sums + cell * channels + part * WIDE);
#if SPLIT
            Sums here = held[cell][part], next = held[cell][part + 1];
            *place = EVERY_OTHER(here, next, 0) + EVERY_OTHER(here, next, 1);
#else
            *place = held[cell][part];
#endif
        }
}

/* What convolution.py says of sum_products; as many sums as registers hold are made together. */
static inline int64_t sum_products(
    const int8_t *bytes, intptr_t rows, intptr_t width, const int64_t *places, intptr_t cells,
    const int8_t *layer, int32_t *sums, intptr_t channels) {
#if SPLIT
    intptr_t size = TAPS * width * channels;
    Number inputs[rows * width], weights[size];
    for (intptr_t i = 0; i < rows * width; i++) inputs[i] = bytes[i];
    for (intptr_t i = 0; i < size; i++) weights[i] = layer[i];
#else
    const Number *inputs = bytes, *weights = layer;
#endif
    for (intptr_t next = 0; next < cells; next += CELLS) {
        /* Of an odd number of cells the last but one has its sums twice. */
        intptr_t cell = next < cells - CELLS ? next : cells - CELLS;
        for (intptr_t first = 0; first < channels; first += PARTS * WIDE)
            sum_cells(
                inputs, width, places + cell * TAPS, weights + 4 * first,
                sums + cell * channels + first, channels);
    }
    return 0;
}
