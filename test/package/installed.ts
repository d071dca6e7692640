/**
 * Installs the package as with `npm install -g`, with the Node of the machine, in a folder that only root may write,
 * and starts it as a normal user.
 */
import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const ROOT = join(import.meta.dirname, '../..');
/** For root no folder is read-only, so root starts the program as an unprivileged user. */
const NOBODY = 65_534;
/** The PATH of the machine, without the Node of the checkout. */
const MACHINE_PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.startsWith(join(ROOT, 'node_modules')))
  .join(delimiter);
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

interface Printed {
  stdout: string;
  stderr: string;
}
export interface InstalledServer {
  url: string;
  kill(): Promise<void>;
}

export class Installed {
  /** The home of the user. */
  readonly home: string;
  /** The package, which is read-only. */
  readonly package: string;
  /** The output of npm during the installation. */
  said = '';
  readonly #folder = mkdtempSync(join(tmpdir(), 'installed-'));
  readonly #command: string;

  constructor() {
    chmodSync(this.#folder, 0o755);
    this.home = join(this.#folder, 'home');
    this.folder();
    const program = join(this.#folder, 'program');
    this.#command = join(program, 'bin/chat-kernel');
    this.package = join(program, 'lib/node_modules/chat-kernel');
  }

  /** Creates a folder of this name in the home of the user, who may write there. */
  folder(name = ''): string {
    const path = join(this.home, name);
    mkdirSync(path);
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
    return path;
  }

  /** Writes a file in the home of the user, which only the user may read. Returns its path. */
  file(name: string, text: string): string {
    const path = join(this.home, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
    return path;
  }

  /** Builds into a folder of this name, and resolves with it. */
  async build(name: string): Promise<string> {
    const folder = join(this.#folder, name);
    await run('node', ['scripts/build.ts', folder], { cwd: ROOT });
    return folder;
  }

  /** Builds, packs and installs. Resolves with the built folder. */
  async install(): Promise<string> {
    const built = await this.build('built');
    const program = join(this.#folder, 'program');
    // npm creates this folder, but has failed without it.
    mkdirSync(join(program, 'lib/node_modules'), { recursive: true });
    await run('npm', ['pack', built, '--pack-destination', this.#folder], { cwd: this.#folder });
    const logs = join(this.#folder, 'logs');
    mkdirSync(logs);
    const tarball = join(this.#folder, 'chat-kernel-0.1.0.tgz');
    const words = ['install', '--global', '--prefix', program, '--prefer-offline', '--no-audit', '--no-fund'];
    const { stdout, stderr } = await run('npm', [...words, tarball], {
      cwd: this.#folder,
      env: { ...process.env, PATH: MACHINE_PATH, npm_config_loglevel: 'notice', npm_config_logs_dir: logs },
    }).catch(error => {
      const written = readdirSync(logs).map(file => readFileSync(join(logs, file), 'utf8'));
      throw new Error(`${error.message}\n${written.join('\n')}`);
    });
    this.said = stdout + stderr;
    await run('chmod', ['-R', 'a-w', program]);
    return built;
  }

  /** Runs `chat-kernel` to its end. @throws Error if it fails */
  chatKernel(...words: string[]): Promise<Printed> {
    const running = run(this.#command, words, {
      ...this.#options(),
      timeout: 60_000,
    });
    // `ask` waits for the end of its input.
    running.child.stdin?.end();
    return running;
  }

  /** Starts `chat-kernel serve` on a free port. */
  async serve(...words: string[]): Promise<InstalledServer> {
    const child = spawn(this.#command, ['serve', '--port', '0', ...words], {
      ...this.#options(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = new Promise<void>(resolve => child.once('close', () => resolve()));
    let log = '';
    child.stderr.on('data', text => {
      log += text;
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /listening on (\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      child.stdout.resume();
      return {
        url,
        kill() {
          child.kill('SIGKILL');
          return gone;
        },
      };
    }
    throw new Error(`chat-kernel serve ended: ${log}`);
  }

  remove(): Promise<unknown> {
    return run('chmod', ['-R', 'u+w', this.#folder]).finally(() =>
      rmSync(this.#folder, { recursive: true, force: true }),
    );
  }

  #options() {
    return { ...user, cwd: this.home, env: { PATH: MACHINE_PATH, HOME: this.home } };
  }
}
