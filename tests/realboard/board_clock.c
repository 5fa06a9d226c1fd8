/* A preloaded library that gives a process the time of the campaign's clock in place of the machine's.

   BOARD_CLOCK names the file: microseconds since 1970 as 24 decimal digits, written by tests/torture/clock.py. Build and use:
       cc -shared -fPIC -O2 -o board_clock.so board_clock.c -ldl
       BOARD_CLOCK=/path/clock LD_PRELOAD=/path/board_clock.so php -S 127.0.0.1:8133 ...
   Only the clocks that tell the date are changed: waiting and time-outs stay with the machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long campaign_microseconds(void)
{
    char text[25] = "";  /* whatever else an older file may hold behind the 24 digits is no part of the time */
    const char *path = getenv("BOARD_CLOCK");
    if (!path) return -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t size = pread(file, text, sizeof text - 1, 0);
    close(file);
    if (size <= 0) return -1;
    return atoll(text);
}

int clock_gettime(clockid_t which, struct timespec *told)
{
    if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) {
        long long now = campaign_microseconds();
        if (now >= 0) {
            /* The campaign's clock stands still between steps, but PHP's uniqid() waits for the next microsecond: the part below
               a second is the machine's. */
            struct timespec real;
            syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &real);
            told->tv_sec = now / 1000000;
            told->tv_nsec = real.tv_nsec;
            return 0;
        }
    }
    return (int)syscall(SYS_clock_gettime, which, told);
}

int gettimeofday(struct timeval *restrict told, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    told->tv_sec = now.tv_sec;
    told->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *told)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told) *told = now.tv_sec;
    return now.tv_sec;
}
