#include "python_abi.h"

/* Calls from Python: arguments are checked against the types of a kernel's parameters. */

/* A parameter, or a field of a group, which follows its group. */
typedef struct {
    const char *name;
    const char *text; /* its type, or the name of a group's class */
    char letter; /* of a number or of the elements of an array: i, u or f; g for a group */
    char size; /* in bytes; of a group, the number of its fields */
    char dimensions; /* 0 for a number */
    Type *known; /* the class of a group, once a call had one */
} Parameter;

typedef union {
    int64_t i;
    uint64_t u;
    double f;
    struct {
        void *data;
        int64_t n[3];
    } array;
} Argument;

static Type *array_type;

static int refuse(const char *kernel, const char *group, const Parameter *wanted, Object *given) {
    const char *kind = wanted->letter == 'g' ? "a" : wanted->dimensions ? "an array" : "a number";
    PyErr_Format(
        PyExc_TypeError, "%s: %s%s%s must be %s %s%s, not %R", kernel, group, *group ? "." : "",
        wanted->name, kind, wanted->text, wanted->dimensions ? " in C order and writable" : "",
        given);
    return 0;
}

static int read_array(const Parameter *wanted, Object *given, Argument *argument) {
    if (given->type != array_type && !PyType_IsSubtype(given->type, array_type)) return 0;
    const NumpyArray *array = (const NumpyArray *)given;
    const ElementType *element = array->element;
    if (array->dimensions != wanted->dimensions || (array->flags & USABLE) != USABLE ||
        element->kind != wanted->letter || element->size != wanted->size ||
        element->byte_order == '>')
        return 0;
    argument->array.data = array->data;
    for (int i = 0; i < array->dimensions; i++) argument->array.n[i] = array->lengths[i];
    return 1;
}

/* Numbers have 8 bytes. */
static int read_number(const Parameter *wanted, Object *given, Argument *argument) {
    switch (wanted->letter) {
    case 'f':
        argument->f = PyFloat_AsDouble(given);
        return argument->f != -1 || !PyErr_Occurred();
    case 'u':
        argument->u = PyLong_AsUnsignedLongLongMask(given);
        return argument->u != (uint64_t)-1 || !PyErr_Occurred();
    default:
        argument->i = PyLong_AsLongLong(given);
        return argument->i != -1 || !PyErr_Occurred();
    }
}

/* Return whether an argument is a group of the wanted class. */
static int is_group(Parameter *wanted, Object *given) {
    if (given->type == wanted->known) return 1;
    if (!(PyType_GetFlags(given->type) & TUPLE_FLAG) || PyTuple_Size(given) != wanted->size)
        return 0;
    Object *name = PyType_GetName(given->type);
    int same = name && PyUnicode_CompareWithASCIIString(name, wanted->text) == 0;
    Py_DecRef(name);
    if (same) wanted->known = given->type;
    return same;
}

/* Return the row behind a parameter and, if it is a group, its fields. */
static Parameter *row_behind(Parameter *row) {
    int fields = row->letter == 'g' ? row->size : 0;
    for (row++; fields > 0; fields--) row = row_behind(row);
    return row;
}

/* Read an argument, or the fields of a group; return the number of values, or 0 with an error. */
static int read_argument(
    const char *kernel, const char *group, Parameter *wanted, Object *given, Argument *to) {
    if (wanted->letter != 'g') {
        int known = (wanted->dimensions ? read_array : read_number)(wanted, given, to);
        return known || refuse(kernel, group, wanted, given);
    }
    if (!is_group(wanted, given)) return refuse(kernel, group, wanted, given);
    int values = 0;
    Parameter *field = wanted + 1;
    for (int i = 0; i < wanted->size; i++, field = row_behind(field)) {
        Object *each = PyTuple_GetItem(given, i);
        int more = read_argument(kernel, wanted->name, field, each, to + values);
        if (!more) return 0;
        values += more;
    }
    return values;
}

static Object *by_name(const char *name, Object *const *values, Object *names) {
    for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++)
        if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, i), name) == 0)
            return values[i];
    return NULL;
}

/* Read the arguments of a call into as many values as the parameters need; return 0 with an error. */
static int read_arguments(
    const char *kernel, Parameter *wanted, int parameters, Object *const *given,
    Py_ssize_t count, Object *names, Argument *to) {
    Py_ssize_t all = count + (names ? PyTuple_Size(names) : 0);
    if (all != parameters) {
        PyErr_Format(PyExc_TypeError, "%s takes %d arguments, not %zd", kernel, parameters, all);
        return 0;
    }
    for (int i = 0; i < parameters; i++) {
        Object *each = i < count ? given[i] : by_name(wanted->name, given + count, names);
        if (!each) {
            PyErr_Format(PyExc_TypeError, "%s: the argument %s is missing", kernel, wanted->name);
            return 0;
        }
        int values = read_argument(kernel, "", wanted, each, to);
        if (!values) return 0;
        to += values;
        wanted = row_behind(wanted);
    }
    return 1;
}

/* Find NumPy's type of arrays, and see that arrays look as we believe; return 0 with an error. */
static int find_arrays(void) {
    static const Parameter two = {"", "", 'u', 2, 2};
    Argument values;
    Object *numpy = PyImport_ImportModule("numpy");
    if (!numpy) return 0;
    array_type = (Type *)PyObject_GetAttrString(numpy, "ndarray");
    Object *make = PyObject_GetAttrString(numpy, "zeros");
    Object *array = make ? PyObject_CallFunction(make, "(ii)s", 2, 3, "u2") : NULL;
    if (!array_type || !array) return 0;
    int known = read_array(&two, array, &values);
    known = known && values.array.n[0] == 2 && values.array.n[1] == 3;
    Py_DecRef(array);
    Py_DecRef(make);
    Py_DecRef(numpy);
    if (!known) PyErr_Format(PyExc_ImportError, "this version of NumPy has other arrays");
    return known;
}
