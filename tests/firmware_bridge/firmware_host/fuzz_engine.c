/* A small coverage-guided fuzzer, for targets with the usual entry point LLVMFuzzerTestOneInput.
 *
 * GCC's -fsanitize-coverage=trace-pc calls __sanitizer_cov_trace_pc on every edge; an input that walks a pair of
 * edges nobody walked before, or walks one an order of magnitude more often, is kept and bred from. It needs nothing
 * beyond the compiler; the same targets also link with libFuzzer (clang -fsanitize=fuzzer) without this file.
 *
 * Usage: fuzz SECONDS SEED [FILE...]. Files are run first and bred from, for so many seconds of the processor: a busy
 * machine hunts as long as a quiet one. An input that crashes is left in crash.bin in the working directory: run the
 * program with 0 seconds, any seed and that file to see it again. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAP = 1 << 16, CORPUS_MOST = 4096, INPUT_MOST = 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t fuzz_first(uint8_t *data, size_t most, unsigned number);

static uint8_t walked[MAP], seen[MAP];
static uintptr_t before;
static struct { uint8_t *bytes; size_t size; } corpus[CORPUS_MOST];
static unsigned kept;
static uint64_t state;
static const uint8_t *running;
static size_t running_size;

/* AddressSanitizer calls this before it ends the program. */
void __sanitizer_set_death_callback(void (*callback)(void));

/* UndefinedBehaviorSanitizer has a runtime of its own, which knows nothing of that: it shall abort. */
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "abort_on_error=1";
}

__attribute__((no_sanitize_coverage, no_sanitize("address", "undefined"))) void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    uintptr_t here = (uintptr_t)__builtin_return_address(0) * 0x9E3779B97F4A7C15u >> 40;
    uint8_t *count = &walked[(here ^ before) % MAP];
    *count = (uint8_t)(*count + (*count < 255));
    before = here >> 1;
}

static uint64_t chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

/* Counts in classes 1, 2, 3, 4-7, 8-31, 32-127, 128 and more: more of the same is rarely news. */
static uint8_t class_of(uint8_t count)
{
    return (uint8_t)(count < 4 ? 1u << count >> 1 : count < 8 ? 8 : count < 32 ? 16 : count < 128 ? 32 : 64);
}

static void leave(void)
{
    FILE *file = fopen("crash.bin", "wb");
    if (file == NULL)
        return;
    fwrite(running, 1, running_size, file);
    fclose(file);
    fputs("the input is in crash.bin\n", stderr);
}

static void aborted(int number)
{
    leave();
    signal(number, SIG_DFL);
    raise(number);
}

static int run(const uint8_t *bytes, size_t size)
{
    int news = 0;
    memset(walked, 0, sizeof walked);
    before = 0;
    running = bytes;
    running_size = size;
    LLVMFuzzerTestOneInput(bytes, size);
    for (unsigned at = 0; at < MAP; at++) {
        uint8_t class = class_of(walked[at]);
        if ((class & ~seen[at]) == 0)
            continue;
        seen[at] |= class;
        news = 1;
    }
    return news;
}

static void keep(const uint8_t *bytes, size_t size)
{
    if (kept == CORPUS_MOST)
        return;
    corpus[kept].bytes = malloc(size + 1);
    corpus[kept].size = size;
    memcpy(corpus[kept++].bytes, bytes, size);
}

static size_t mutate(uint8_t *bytes, size_t size)
{
    static const uint8_t telling[] = {0, 1, 2, 3, 4, 5, 20, 21, 48, 53, 54, 127, 128, 254, 255};
    for (unsigned turns = 1 + (unsigned)(chance() % 6); turns > 0; turns--) {
        size_t at = size ? chance() % size : 0;
        switch (chance() % 7) {
        case 0:
            if (size) bytes[at] ^= (uint8_t)(1u << chance() % 8);
            break;
        case 1:
            if (size) bytes[at] = (uint8_t)chance();
            break;
        case 2:
            if (size) bytes[at] = telling[chance() % sizeof telling];
            break;
        case 3:
            if (size < INPUT_MOST) {
                memmove(bytes + at + 1, bytes + at, size - at);
                bytes[at] = (uint8_t)chance();
                size++;
            }
            break;
        case 4:
            if (size > 1) {
                memmove(bytes + at, bytes + at + 1, size - at - 1);
                size--;
            }
            break;
        default: { /* a piece of another input */
            size_t other = chance() % kept;
            if (corpus[other].size == 0) break;
            size_t from = chance() % corpus[other].size, count = 1 + chance() % (corpus[other].size - from);
            if (at + count > INPUT_MOST) break;
            memcpy(bytes + at, corpus[other].bytes + from, count);
            if (at + count > size) size = at + count;
        }
        }
    }
    return size;
}

int main(int count, char **word)
{
    static uint8_t bytes[INPUT_MOST + 1];
    if (count < 3) {
        fprintf(stderr, "usage: %s SECONDS SEED [FILE...]\n", word[0]);
        return 2;
    }
    uint64_t runs = 0;
    signal(SIGABRT, aborted);
    __sanitizer_set_death_callback(leave);
    state = strtoull(word[2], NULL, 0) * 2 + 1;
    for (int at = 3; at < count; at++) {
        FILE *file = fopen(word[at], "rb");
        if (file == NULL) {
            perror(word[at]);
            return 2;
        }
        size_t size = fread(bytes, 1, INPUT_MOST, file);
        fclose(file);
        run(bytes, size);
        keep(bytes, size);
    }
    for (unsigned number = 0, more = 1; more; number++) {
        size_t size = fuzz_first(bytes, INPUT_MOST, number);
        more = size > 0;
        run(bytes, size);
        keep(bytes, size);
    }
    unsigned first = kept;
    clock_t end = clock() + atol(word[1]) * CLOCKS_PER_SEC;
    for (; clock() < end; runs++) {
        /* One in four is bred from where it began, however many were kept since. */
        unsigned from = (unsigned)(chance() % (chance() % 4 ? kept : first));
        memcpy(bytes, corpus[from].bytes, corpus[from].size);
        size_t size = mutate(bytes, corpus[from].size);
        if (run(bytes, size))
            keep(bytes, size);
    }
    unsigned edges = 0;
    for (unsigned at = 0; at < MAP; at++)
        edges += seen[at] != 0;
    printf("%" PRIu64 " inputs, %u found worth breeding from, %u edges\n", runs, kept - first, edges);
    return 0;
}
