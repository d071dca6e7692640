/*
 * A disk for tests of power cuts, loaded into a process with LD_PRELOAD. The folder DISK_DURABLE gets a copy of each file
 * directly in DISK_FOLDER, with everything that was written before its last successful sync began: only this certainly
 * survives a power cut. Each sync takes DISK_DELAY_MS longer. While DISK_DURABLE/fail exists, syncs fail. Like Linux, the
 * disk then forgets the written blocks: a later sync succeeds without them, although the process still reads them.
 *
 * DISK_DURABLE/waits gets a byte for each time that the main thread waits for the disk: it syncs, or sleeps, as SQLite does
 * until a lock is free.
 *
 * Reads a file through the descriptor of its sync: to open and close a database would release this process's locks on it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 4096, MAX_BLOCKS = 1 << 20, MAX_FILES = 32 };

static struct file {
  char name[NAME_MAX + 1];
  /* Only a file that is written with pwrite, as SQLite does, has marks; all others are copied as a whole. */
  int has_marks;
  unsigned char unsynced[MAX_BLOCKS];
  pthread_mutex_t syncing;
} files[MAX_FILES];

static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER;

/* Returns the record of an open file, and creates it if needed. NULL if the file is not directly in the folder. */
static struct file *find(int fd) {
  const char *folder = getenv("DISK_FOLDER");
  struct stat status;
  if (!folder || fstat(fd, &status) || !S_ISREG(status.st_mode)) return NULL;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  size_t start = strlen(folder);
  if (strncmp(path, folder, start) || path[start] != '/' || strchr(path + start + 1, '/')) return NULL;
  pthread_mutex_lock(&listing);
  struct file *file = files;
  while (file->name[0] && strcmp(file->name, path + start + 1)) if (++file == files + MAX_FILES) abort();
  if (!file->name[0]) {
    strcpy(file->name, path + start + 1);
    pthread_mutex_init(&file->syncing, NULL);
  }
  pthread_mutex_unlock(&listing);
  return file;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  ssize_t written = real(fd, data, size, offset);
  struct file *file = written > 0 ? find(fd) : NULL;
  if (!file) return written;
  file->has_marks = 1;
  for (off64_t at = offset / BLOCK; at <= (offset + written - 1) / BLOCK; at++) file->unsynced[at] = 1;
  return written;
}

/* Notes a wait if this is the main thread. */
static void note_wait(void) {
  const char *durable = getenv("DISK_DURABLE");
  if (!durable || gettid() != getpid()) return;
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/waits", durable);
  int waits = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (write(waits, ".", 1) != 1) abort();
  close(waits);
}

static int sync_file(int fd, int (*real)(int)) {
  struct file *file = find(fd);
  if (!file) return real(fd);
  note_wait();
  char path[PATH_MAX], fail[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", getenv("DISK_DURABLE"), file->name);
  snprintf(fail, sizeof fail, "%s/fail", getenv("DISK_DURABLE"));
  pthread_mutex_lock(&file->syncing);

  /* Copies before the sync: data that another thread writes in the meantime may not survive. */
  struct stat status;
  fstat(fd, &status);
  size_t blocks = (status.st_size + BLOCK - 1) / BLOCK, count = 0;
  size_t *places = malloc(blocks * sizeof *places + 1);
  for (size_t at = 0; at < blocks; at++)
    if (!file->has_marks || __atomic_exchange_n(&file->unsynced[at], 0, __ATOMIC_SEQ_CST)) places[count++] = at;
  char *copy = malloc(count * BLOCK + 1);
  int from = fd;
  /* Never a database: SQLite opens it for reading as well. */
  if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    from = open(link, O_RDONLY);
  }
  for (size_t i = 0; i < count; i++) {
    ssize_t size = pread(from, copy + i * BLOCK, BLOCK, places[i] * BLOCK);
    if (size < 0) abort();
    memset(copy + i * BLOCK + size, 0, BLOCK - size);
  }
  if (from != fd) close(from);

  const char *delay = getenv("DISK_DELAY_MS");
  if (delay) usleep(atoi(delay) * 1000);
  int fails = access(fail, F_OK) == 0;
  int result = fails ? -1 : real(fd), error = fails ? EIO : errno;
  if (result == 0) {
    int to = open(path, O_WRONLY | O_CREAT, 0600);
    /* A kill in between leaves a part, as a power cut during the sync does. */
    for (size_t i = 0; i < count; i++)
      if (pwrite(to, copy + i * BLOCK, BLOCK, places[i] * BLOCK) != BLOCK) abort();
    if (ftruncate(to, status.st_size)) abort();
    close(to);
  }
  pthread_mutex_unlock(&file->syncing);
  free(places);
  free(copy);
  errno = error;
  return result;
}

int fsync(int fd) {
  return sync_file(fd, dlsym(RTLD_NEXT, "fsync"));
}

int fdatasync(int fd) {
  return sync_file(fd, dlsym(RTLD_NEXT, "fdatasync"));
}

int usleep(useconds_t microseconds) {
  static int (*real)(useconds_t);
  if (!real) real = dlsym(RTLD_NEXT, "usleep");
  note_wait();
  return real(microseconds);
}
