/* The part of Python's stable ABI of 3.11 and of NumPy's ABI that the module of kernels uses. It is
   declared here so that the module compiles for any system without Python's headers. */
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define IMPORTED __declspec(dllimport)
#define EXPORTED __declspec(dllexport)
#else
#define IMPORTED
#define EXPORTED __attribute__((visibility("default")))
#endif

typedef ptrdiff_t Py_ssize_t;
typedef struct Object Object;
typedef struct Type Type;
struct Object {
    Py_ssize_t references;
    Type *type;
};
typedef Object *Function(Object *self, Object *const *arguments, Py_ssize_t count, Object *names);
typedef struct {
    const char *name;
    Function *function;
    int flags;
    const char *doc;
} Method;
typedef struct {
    Object object;
    Object *(*init)(void);
    Py_ssize_t index;
    Object *copy;
    const char *name;
    const char *doc;
    Py_ssize_t size;
    Method *methods;
    void *others[4];
} ModuleDefinition;

enum { FASTCALL_WITH_KEYWORDS = 0x82, API_VERSION = 3 };
#define TUPLE_FLAG (1UL << 26)

IMPORTED extern Object *PyExc_TypeError, *PyExc_ImportError;
IMPORTED Object *PyModule_Create2(ModuleDefinition *definition, int version);
IMPORTED int PyModule_AddStringConstant(Object *module, const char *name, const char *value);
IMPORTED Object *PyImport_ImportModule(const char *name);
IMPORTED Object *PyObject_GetAttrString(Object *object, const char *name);
IMPORTED Object *PyObject_CallFunction(Object *function, const char *format, ...);
IMPORTED void Py_DecRef(Object *object);
IMPORTED unsigned long PyType_GetFlags(Type *type);
IMPORTED Object *PyType_GetName(Type *type);
IMPORTED int PyType_IsSubtype(Type *type, Type *other);
IMPORTED Py_ssize_t PyTuple_Size(Object *tuple);
IMPORTED Object *PyTuple_GetItem(Object *tuple, Py_ssize_t index);
IMPORTED int PyUnicode_CompareWithASCIIString(Object *text, const char *other);
IMPORTED Object *PyLong_FromLongLong(long long number);
IMPORTED Object *PyLong_FromUnsignedLongLong(unsigned long long number);
IMPORTED long long PyLong_AsLongLong(Object *number);
IMPORTED unsigned long long PyLong_AsUnsignedLongLongMask(Object *number);
IMPORTED Object *PyFloat_FromDouble(double number);
IMPORTED double PyFloat_AsDouble(Object *number);
IMPORTED Object *PyErr_Occurred(void);
IMPORTED Object *PyErr_Format(Object *kind, const char *format, ...);
IMPORTED void *PyEval_SaveThread(void);
IMPORTED void PyEval_RestoreThread(void *thread);

/* NumPy keeps the beginnings of these structs for compiled extensions. */
typedef struct {
    Object object;
    Type *scalar;
    char kind, letter, byte_order, former_flags;
    int number;
    uint64_t flags;
    Py_ssize_t size;
} ElementType;
typedef struct {
    Object object;
    void *data;
    int dimensions;
    Py_ssize_t *lengths, *strides;
    Object *base;
    ElementType *element;
    int flags;
} NumpyArray;
enum { IN_C_ORDER = 1, ALIGNED = 0x100, WRITEABLE = 0x400, USABLE = 0x501 };
