/* Sums of products of 16-bit numbers, by the instruction that adds two products of neighbours. */
#if defined(__AVX512VNNI__)
#define LANES 16
#define ADD_PRODUCTS(sum, a, b) ((Sums)__builtin_ia32_vpdpwssd512(sum, (Sums)(a), (Sums)(b)))
#elif defined(__AVX2__)
#define LANES 8
#define ADD_PRODUCTS(sum, a, b) ((sum) + (Sums)__builtin_ia32_pmaddwd256(a, b))
#else
#define LANES 4
#if defined(__wasm_simd128__)
#define ADD_PRODUCTS(sum, a, b) ((sum) + (Sums)__builtin_wasm_dot_s_i32x4_i16x8(a, b))
#elif defined(__SSE2__)
#define ADD_PRODUCTS(sum, a, b) ((sum) + (Sums)__builtin_ia32_pmaddwd128(a, b))
#else
#define EVEN(a) __builtin_convertvector(__builtin_shufflevector(a, a, 0, 2, 4, 6), Sums)
#define ODD(a) __builtin_convertvector(__builtin_shufflevector(a, a, 1, 3, 5, 7), Sums)
#define ADD_PRODUCTS(sum, a, b) ((sum) + EVEN(a) * EVEN(b) + ODD(a) * ODD(b))
#endif
#endif
typedef int16_t Pairs __attribute__((vector_size(4 * LANES), aligned(2), may_alias));
typedef int32_t Sums __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t Pair __attribute__((aligned(2), may_alias));
enum { CELLS = 2, TAPS = 7, PARTS = 32 / LANES < 4 ? 32 / LANES : 4 };

/* What convolution.py says of sum_products; as many sums as registers hold are made together. */
static inline int64_t sum_products(
    const int16_t *inputs, intptr_t width, const int64_t *places, const int16_t *weights,
    int32_t *sums, intptr_t channels) {
    for (intptr_t first = 0; first < channels; first += PARTS * LANES) {
        Sums held[CELLS][PARTS] = {0};
        const int16_t *row = weights + 2 * first;
        for (int tap = 0; tap < TAPS; tap++) {
            const int16_t *one = inputs + (intptr_t)places[tap] * width;
            const int16_t *other = inputs + (intptr_t)places[TAPS + tap] * width;
            const int16_t *end = one + width;
            for (; one < end; one += 2, other += 2, row += 2 * channels) {
                Pairs pairs[CELLS] = {
                    (Pairs)(*(const Pair *)one - (Sums){0}),
                    (Pairs)(*(const Pair *)other - (Sums){0})};
                for (int part = 0; part < PARTS; part++) {
                    Pairs by = *(const Pairs *)(row + 2 * LANES * part);
                    for (int cell = 0; cell < CELLS; cell++)
                        held[cell][part] = ADD_PRODUCTS(held[cell][part], pairs[cell], by);
                }
            }
        }
        for (int cell = 0; cell < CELLS; cell++)
            for (int part = 0; part < PARTS; part++)
                *(Sums *)(sums + cell * channels + first + part * LANES) = held[cell][part];
    }
    return 0;
}
