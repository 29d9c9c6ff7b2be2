#include <math.h>
#include <stdint.h>

/* Lengths have the width of addresses, so that WebAssembly computes places with few instructions.
   Its vectors are short; they do not pay in loops that begin with SCALAR. */
#ifdef __wasm__
typedef int32_t Length;
#define SCALAR _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
typedef int64_t Length;
#define SCALAR
#endif

/* Arrays are in C order. With CHECKED an index outside of its array ends the call with a trap;
   otherwise, and for negative indices, kernels must keep to their arrays. */
#ifdef CHECKED
#define INDEX(i, n) ({ uint64_t i_ = (uint64_t)(i); if (i_ >= (uint64_t)(n)) __builtin_trap(); i_; })
#else
#define INDEX(i, n) (i)
#endif
#define AT1(a, i) ((a).data[INDEX(i, (a).n0)])
#define AT2(a, i, j) ((a).data[INDEX(i, (a).n0) * (a).n1 + INDEX(j, (a).n1)])
#define AT3(a, i, j, k) \
    ((a).data[(INDEX(i, (a).n0) * (a).n1 + INDEX(j, (a).n1)) * (a).n2 + INDEX(k, (a).n2)])
#define ROW1of2(kind, a, i) ((kind){(a).data + INDEX(i, (a).n0) * (a).n1, (a).n1})
#define ROW1of3(kind, a, i) \
    ((kind){(a).data + INDEX(i, (a).n0) * (a).n1 * (a).n2, (a).n1, (a).n2})
#define ROW2of3(kind, a, i, j) \
    ((kind){(a).data + (INDEX(i, (a).n0) * (a).n1 + INDEX(j, (a).n1)) * (a).n2, (a).n2})
/* As in Python, the ends of a slice are at most the array's. */
#define CUT(kind, a, first, last, size, ...) ({ \
    int64_t first_ = (first), last_ = (last); \
    last_ = last_ < (a).n0 ? last_ : (a).n0; \
    first_ = first_ < last_ ? first_ : last_; \
    (kind){(a).data + INDEX(first_, (a).n0 + 1) * (size), last_ - first_ __VA_ARGS__}; \
})
#define CUT1(kind, a, first, last) CUT(kind, a, first, last, 1)
#define CUT2(kind, a, first, last) CUT(kind, a, first, last, (a).n1, , (a).n1)
#define CUT3(kind, a, first, last) CUT(kind, a, first, last, (a).n1 * (a).n2, , (a).n1, (a).n2)

/* Whole numbers are divided as in Python, rounded down; by 0 the result is 0. */
static inline int64_t quotient(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : -a;
    return a / b - (a % b != 0 && (a ^ b) < 0);
}
static inline int64_t modulo(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return 0;
    int64_t left = a % b;
    return left != 0 && (left ^ b) < 0 ? left + b : left;
}
static inline uint64_t quotient_unsigned(uint64_t a, uint64_t b) { return b == 0 ? 0 : a / b; }
static inline uint64_t modulo_unsigned(uint64_t a, uint64_t b) { return b == 0 ? 0 : a % b; }
static inline int64_t bits_of_float(double a) { return __builtin_bit_cast(int64_t, a); }
static inline double float_of_bits(int64_t a) { return __builtin_bit_cast(double, a); }
