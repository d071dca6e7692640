/**
 * Runs one unit by the real systemd, as process 1 of its own namespaces and in cgroups of its own: the systemd of the
 * machine, if it has one, knows nothing of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

const CGROUPS = '/sys/fs/cgroup';
const hasVersion2 = existsSync(join(CGROUPS, 'cgroup.controllers'));

/**
 * Lists the cgroups of this process, in which it may create others. Version 1 has a hierarchy for each controller, and
 * systemd uses all of them but cpuset.
 */
function ownCgroups(): string[] {
  return readFileSync('/proc/self/cgroup', 'utf8')
    .trim()
    .split('\n')
    .map(line => /^\d+:([^:]*):(.*)$/.exec(line)!.slice(1) as [string, string])
    .filter(([controllers]) => controllers !== 'cpuset')
    .map(([controllers, path]) => {
      const hierarchy = controllers === '' && !hasVersion2 ? 'unified' : controllers.replace('name=', '');
      return join(CGROUPS, hierarchy, path);
    })
    .filter(path => existsSync(path));
}

/** How systemd mounts its hierarchies in its namespace, where its cgroups are the roots. */
const MOUNT_CGROUPS = hasVersion2
  ? [`mount -t cgroup2 cgroup2 ${CGROUPS}`]
  : [
      `mount -t tmpfs tmpfs ${CGROUPS}`,
      `mkdir ${CGROUPS}/systemd ${CGROUPS}/unified`,
      `mount -t cgroup -o none,name=systemd cgroup ${CGROUPS}/systemd`,
      `mount -t cgroup2 cgroup2 ${CGROUPS}/unified`,
    ];

/** Which changes of systemd and of the unit the machine must not keep. */
const PREPARE = [
  'set -e',
  `umount -l ${CGROUPS}`,
  ...MOUNT_CGROUPS,
  ...['/run', '/var/lib', '/etc/systemd/system', '/usr/lib/systemd/system-generators'].map(
    path => `mount -t tmpfs tmpfs ${path}`,
  ),
  'mount --bind /etc /etc',
  'mount -o remount,bind,ro /etc',
  'mkdir -p /run/systemd/system',
  'cp -r "$0"/. /run/systemd/system',
  'export container=lxc',
  'exec /lib/systemd/systemd --system --unit="$1" --log-target=null --show-status=0',
].join('\n');

export class Systemd {
  readonly #child: ChildProcess;
  readonly #cgroups: readonly string[];

  private constructor(child: ChildProcess, cgroups: readonly string[]) {
    this.#child = child;
    this.#cgroups = cgroups;
  }

  /**
   * @param units a directory with the unit, which must have DefaultDependencies=no, or the services of the machine start
   *   as well
   */
  static start(units: string, unit: string): Systemd {
    const cgroups = ownCgroups().map(path => join(path, `chat-kernel-test-${process.pid}-${Date.now()}`));
    for (const path of cgroups) mkdirSync(path);
    const enter = cgroups.map(path => `echo $$ > ${path}/cgroup.procs`);
    const namespaces = ['--pid', '--fork', '--mount', '--mount-proc', '--uts', '--ipc', '--cgroup'];
    // Ends with this process, even if that is killed.
    const words = ['setpriv', '--pdeathsig', 'KILL', 'unshare', '--kill-child', ...namespaces];
    const start = `${enter.join(' && ')} && exec ${words.join(' ')} sh -c "$2" "$0" "$1"`;
    const child = spawn('sh', ['-c', start, units, unit, PREPARE], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return new Systemd(child, cgroups);
  }

  /** Kills systemd, and with it all processes in its namespace. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exit = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await exit;
    }
    for (const path of this.#cgroups) await removeCgroup(path);
  }
}

async function removeCgroup(path: string): Promise<void> {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeCgroup(join(path, entry.name));
  }
  for (let tries = 0; ; tries++) {
    try {
      rmdirSync(path);
      return;
    } catch (error) {
      // Killed processes leave their cgroup a moment later.
      if (tries === 100) throw error;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}
