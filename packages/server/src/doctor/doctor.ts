/** `chat-kernel doctor`: looks at everything that can be wrong, and says of each finding what to do. */
import { type LoadedSettings, loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { secretsOf } from '../settings/secrets.ts';
import { explain } from '../start/start-failure.ts';
import { database } from './database.ts';
import { type Finding, lineOf, ok, problem, summaryOf, warning } from './finding.ts';
import { permissions } from './permissions.ts';
import { providers } from './providers.ts';
import { reach } from './reach.ts';
import { versions } from './versions.ts';

export interface DoctorOptions {
  /** Ask one model of each provider for a word. */
  call?: boolean;
  /** One JSON array on stdout instead of lines. */
  json?: boolean;
  /** The address under which clients reach the kernel. */
  url?: string;
  /** What the proxy there asks for. */
  token?: string;
}

/** Findings go to stdout as they are made. Exit code 1 where there is a problem, else 0. */
export async function doctor(flags: Flags, options: DoctorOptions): Promise<void> {
  const found: Finding[] = [];
  // The timers of the kernel's parts do not keep a process alive; what waits for them would never be told.
  const alive = setInterval(() => {}, 60_000);
  try {
    for await (const finding of examine(flags, options)) {
      found.push(finding);
      if (!options.json) process.stdout.write(lineOf(finding));
    }
  } finally {
    clearInterval(alive);
  }
  process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : summaryOf(found));
  process.exitCode = found.some(({ level }) => level === 'problem') ? 1 : 0;
}

async function* examine(flags: Flags, { call = false, url, token }: DoctorOptions): AsyncGenerator<Finding> {
  yield* versions();
  let loaded: LoadedSettings;
  try {
    loaded = await loadOwnSettings(flags);
  } catch (error) {
    // Each line names its place; with wrong settings there is nothing more to look at.
    for (const line of explain(error).split('\n')) {
      yield problem('settings', line, 'docs/settings.md says what each setting takes');
    }
    return;
  }
  const { settings, file, warnings } = loaded;
  yield ok('settings', file === null ? 'no settings file; the defaults count' : file);
  for (const line of warnings)
    yield warning('settings', line, 'docs/settings.md says what each setting takes');
  yield* permissions(settings, file);
  yield* database(settings);
  yield* providers(settings, { call, secrets: secretsOf(settings, process.env) });
  yield* reach(settings, { url, token: token ?? process.env.CHAT_KERNEL_TOKEN });
}
