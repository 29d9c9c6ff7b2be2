/* Records what a program does to the files of one folder, in order, so that a test can say what a
 * disk would have kept when power failed at any moment.
 *
 * Preloaded with LD_PRELOAD. POWER_FOLDER is the folder, POWER_RECORD the file that is written.
 * A record: kind (1 byte), length of path (4), offset or size (8), length of data (8), path, data.
 * W write, T truncate, S sync of a file, D sync of the folder, U unlink.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void put(const void *data, size_t length) {
    while (length > 0) {
        ssize_t done = REAL(write)(record, data, length);
        if (done <= 0) abort();
        data = (const char *)data + done;
        length -= (size_t)done;
    }
}

static const char *inside(const char *path) {
    const char *folder = getenv("POWER_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    return length && !strncmp(path, folder, length) ? path : NULL;
}

static const char *path_of(int fd, char *path) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(name, path, PATH_MAX - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    return inside(path);
}

static void note(char kind, const char *path, uint64_t at, const void *data, uint64_t length) {
    uint32_t named = (uint32_t)strlen(path);
    pthread_mutex_lock(&lock);
    if (record < 0) record = REAL(open)(getenv("POWER_RECORD"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (record < 0) abort();
    put(&kind, 1);
    put(&named, sizeof named);
    put(&at, sizeof at);
    put(&length, sizeof length);
    put(path, named);
    if (length) put(data, length);
    pthread_mutex_unlock(&lock);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) {
    char path[PATH_MAX];
    ssize_t done = REAL(pwrite64)(fd, data, length, at);
    if (done > 0 && path_of(fd, path)) note('W', path, (uint64_t)at, data, (uint64_t)done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
    return pwrite64(fd, data, length, at);
}

ssize_t write(int fd, const void *data, size_t length) {
    char path[PATH_MAX];
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t done = REAL(write)(fd, data, length);
    if (done > 0 && path_of(fd, path)) note('W', path, at < 0 ? 0 : (uint64_t)at, data, (uint64_t)done);
    return done;
}

int ftruncate64(int fd, off64_t size) {
    char path[PATH_MAX];
    int done = REAL(ftruncate64)(fd, size);
    if (!done && path_of(fd, path)) note('T', path, (uint64_t)size, NULL, 0);
    return done;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int done, int fd) {
    char path[PATH_MAX];
    if (!done && path_of(fd, path)) {
        int is_folder = !strcmp(path, getenv("POWER_FOLDER"));
        note(is_folder ? 'D' : 'S', path, 0, NULL, 0);
    }
    return done;
}

int fsync(int fd) { return synced(REAL(fsync)(fd), fd); }
int fdatasync(int fd) { return synced(REAL(fdatasync)(fd), fd); }

int unlink(const char *path) {
    int done = REAL(unlink)(path);
    if (!done && inside(path)) note('U', path, 0, NULL, 0);
    return done;
}
