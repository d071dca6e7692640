/**
 * Limits what a command in the sandbox can use up. The limits are set inside, where on Linux 5.14 and later they count
 * only the processes of this sandbox; those of root are not counted.
 */

/** Generous: a parallel build of a large project has some hundreds. */
const MAX_PROCESSES = 4096;
const MAX_OPEN_FILES = 65_536;
/**
 * If memory runs out, the system ends a command rather than other programs. A limit of memory would count for each
 * single process, and break programs that reserve far more than they use.
 */
const OOM_SCORE = 500;

/** Shells have different letters for processes. A limit that is already lower remains. */
const SCRIPT = [
  `{ echo ${OOM_SCORE} >/proc/self/oom_score_adj; ulimit -u ${MAX_PROCESSES} || ulimit -p ${MAX_PROCESSES};`,
  `ulimit -Hn ${MAX_OPEN_FILES} || ulimit -n ${MAX_OPEN_FILES}; ulimit -c 0; } 2>/dev/null; exec "$@"`,
].join(' ');

/** Returns the beginning of a command line that runs its other arguments with limits. */
export const limitedShell = (): string[] => ['/bin/sh', '-c', SCRIPT, 'sh'];
