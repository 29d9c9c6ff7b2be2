/* The extension module: it offers the kernels that were compiled for this processor. */
#include "python_abi.h"

Method *kernels_for_any(void);

#ifdef WITH_V3
#include <cpuid.h>
Method *kernels_for_v3(void);

/* Return whether this is an x86-64-v3, with AVX2, as most processors since 2013, and the system
   keeps its registers. */
static int is_v3(void) {
    const unsigned first = bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C;
    const unsigned seventh = bit_BMI | bit_AVX2 | bit_BMI2;
    unsigned a, b, c, d, kept, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & first) != first) return 0;
    __asm__("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
    if ((kept & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    if ((b & seventh) != seventh) return 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}
#endif

EXPORTED Object *PyInit__kernels(void) {
    static ModuleDefinition definition = {.object = {1, 0}, .name = "_kernels", .size = -1};
#ifdef WITH_V3
    definition.methods = is_v3() ? kernels_for_v3() : kernels_for_any();
#else
    definition.methods = kernels_for_any();
#endif
    if (!definition.methods) return NULL;
    Object *module = PyModule_Create2(&definition, API_VERSION);
    if (module) PyModule_AddStringConstant(module, "digest", DIGEST);
    return module;
}
