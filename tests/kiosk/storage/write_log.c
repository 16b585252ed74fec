/* Writes down, in order, what a program does to the files of one folder: loaded before the C library by LD_PRELOAD.

   WRITE_LOG names the log, WRITE_LOG_ROOT the folder, with a slash at its end. Each record is a line
   `operation offset length path` and, of a write, its bytes. A second path of rename and link follows a tab. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int within(const char *path) {
    const char *root = getenv("WRITE_LOG_ROOT");
    return root != NULL && strncmp(path, root, strlen(root) - 1) == 0;
}

static int absolute(const char *given, char *path) {
    if (given[0] == '/') {
        snprintf(path, PATH_MAX, "%s", given);
    } else {
        char here[PATH_MAX];
        if (getcwd(here, sizeof here) == NULL) return 0;
        if (snprintf(path, PATH_MAX, "%s/%s", here, given) >= PATH_MAX) return 0;
    }
    return within(path);
}

static int of_descriptor(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return within(path);
}

/* One call of writev would do; a record is made whole first, so that another process may add to the log, too. */
static void record(const char *operation, off_t offset, const void *bytes, size_t length, const char *path) {
    const char *name = getenv("WRITE_LOG");
    char head[3 * PATH_MAX];
    int size = snprintf(head, sizeof head, "%s %lld %zu %s\n", operation, (long long)offset, length, path);
    char *whole = malloc((size_t)size + length);
    if (name == NULL || whole == NULL) abort();
    memcpy(whole, head, (size_t)size);
    if (bytes != NULL) memcpy(whole + size, bytes, length);
    size_t all = (size_t)size + (bytes != NULL ? length : 0);
    int log = REAL(open)(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0 || REAL(write)(log, whole, all) != (ssize_t)all) abort();
    close(log);
    free(whole);
}

static void opened(const char *given, int flags) {
    char path[PATH_MAX];
    struct stat there;
    if (!(flags & (O_CREAT | O_TRUNC)) || !absolute(given, path)) return;
    int exists = stat(path, &there) == 0;
    if (!exists && (flags & O_CREAT)) record("create", 0, NULL, 0, path);
    if (exists && (flags & O_TRUNC)) record("truncate", 0, NULL, 0, path);
}

#define OPEN(name)                                                                     \
    int name(const char *path, int flags, ...) {                                       \
        va_list more;                                                                  \
        va_start(more, flags);                                                         \
        int mode = (flags & O_CREAT) ? va_arg(more, int) : 0;                          \
        va_end(more);                                                                  \
        pthread_mutex_lock(&lock);                                                     \
        opened(path, flags);                                                           \
        int found = REAL(name)(path, flags, mode);                                     \
        int why = errno;                                                               \
        pthread_mutex_unlock(&lock);                                                   \
        errno = why;                                                                   \
        return found;                                                                  \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                   \
    int name(int folder, const char *path, int flags, ...) {                           \
        va_list more;                                                                  \
        va_start(more, flags);                                                         \
        int mode = (flags & O_CREAT) ? va_arg(more, int) : 0;                          \
        va_end(more);                                                                  \
        pthread_mutex_lock(&lock);                                                     \
        opened(path, flags);                                                           \
        int found = REAL(name)(folder, path, flags, mode);                             \
        int why = errno;                                                               \
        pthread_mutex_unlock(&lock);                                                   \
        errno = why;                                                                   \
        return found;                                                                  \
    }
OPENAT(openat)
OPENAT(openat64)

/* The record comes after the call, with what it did; both under the lock, so that they are in the same order. */
#define AFTER(call, good, what)                                                        \
    pthread_mutex_lock(&lock);                                                         \
    __auto_type done = (call);                                                         \
    int why = errno;                                                                   \
    if (good) { what; }                                                                \
    pthread_mutex_unlock(&lock);                                                       \
    errno = why;                                                                       \
    return done

ssize_t write(int descriptor, const void *bytes, size_t length) {
    char path[PATH_MAX];
    if (!of_descriptor(descriptor, path)) return REAL(write)(descriptor, bytes, length);
    AFTER(REAL(write)(descriptor, bytes, length), done > 0,
          record("write", lseek(descriptor, 0, SEEK_CUR) - done, bytes, (size_t)done, path));
}

#define PWRITE(name)                                                                   \
    ssize_t name(int descriptor, const void *bytes, size_t length, off_t offset) {     \
        char path[PATH_MAX];                                                           \
        if (!of_descriptor(descriptor, path)) return REAL(name)(descriptor, bytes, length, offset); \
        AFTER(REAL(name)(descriptor, bytes, length, offset), done > 0,                 \
              record("write", offset, bytes, (size_t)done, path));                     \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define OF_DESCRIPTOR(name, operation, offset, declared, given)                        \
    int name declared {                                                                \
        char path[PATH_MAX];                                                           \
        int ours = of_descriptor(descriptor, path);                                    \
        AFTER(REAL(name) given, ours && done == 0, record(operation, offset, NULL, 0, path)); \
    }
OF_DESCRIPTOR(fsync, "sync", 0, (int descriptor), (descriptor))
OF_DESCRIPTOR(fdatasync, "sync", 0, (int descriptor), (descriptor))
OF_DESCRIPTOR(ftruncate, "truncate", size, (int descriptor, off_t size), (descriptor, size))
OF_DESCRIPTOR(ftruncate64, "truncate", size, (int descriptor, off_t size), (descriptor, size))

static int two(const char *operation, const char *from, const char *to) {
    char one[PATH_MAX], other[PATH_MAX], both[2 * PATH_MAX + 2];
    if (!absolute(from, one) || !absolute(to, other)) return 0;
    snprintf(both, sizeof both, "%s\t%s", one, other);
    record(operation, 0, NULL, 0, both);
    return 1;
}

int rename(const char *from, const char *to) { AFTER(REAL(rename)(from, to), done == 0, two("rename", from, to)); }

int link(const char *from, const char *to) { AFTER(REAL(link)(from, to), done == 0, two("link", from, to)); }

int unlink(const char *given) {
    char path[PATH_MAX];
    int ours = absolute(given, path);
    AFTER(REAL(unlink)(given), ours && done == 0, record("unlink", 0, NULL, 0, path));
}
