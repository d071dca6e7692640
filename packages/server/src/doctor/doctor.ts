/** `chat-kernel doctor`: looks at everything that can be wrong, and says what to do about each finding. */
import { type LoadedSettings, loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { secretsOf } from '../settings/secrets.ts';
import { explain } from '../start/start-failure.ts';
import { checkDatabase } from './database.ts';
import { type Finding, lineOf, ok, problem, summaryOf, warning } from './finding.ts';
import { checkPermissions } from './permissions.ts';
import { checkProviders } from './providers.ts';
import { checkReach } from './reach.ts';
import { checkSandbox } from './sandbox.ts';
import { checkSkills } from './skills.ts';
import { checkVersions } from './versions.ts';

export interface DoctorOptions {
  /** Ask one model of each provider for a word. */
  call?: boolean;
  /** Print one JSON array instead of lines. */
  json?: boolean;
  /** The address under which clients reach the kernel. */
  url?: string;
  /** Token that the proxy there asks for. */
  token?: string;
}

/** Prints findings to stdout as they are made. The exit code is 1 where there is a problem, else 0. */
export async function doctor(flags: Flags, options: DoctorOptions): Promise<void> {
  const found: Finding[] = [];
  // Timers of the kernel's packages do not keep a process alive: it would end while a check waits for one.
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
  yield* checkVersions();
  let loaded: LoadedSettings;
  try {
    loaded = await loadOwnSettings(flags);
  } catch (error) {
    // With wrong settings there is nothing more to look at.
    for (const line of explain(error).split('\n')) {
      yield problem('settings', line, 'docs/settings.md says what each setting takes');
    }
    return;
  }
  const { settings, file, places, warnings } = loaded;
  yield ok('settings', file === null ? 'no settings file; the defaults count' : file);
  for (const line of warnings)
    yield warning('settings', line, 'docs/settings.md says where settings are read, and what each takes');
  yield* checkPermissions(settings, file);
  yield await checkSandbox(settings, places);
  yield* checkSkills(settings);
  yield* checkDatabase(settings);
  yield* checkProviders(settings, { call, secrets: secretsOf(settings, process.env) });
  yield* checkReach(settings.server, { url, token: token ?? process.env.CHAT_KERNEL_TOKEN });
}
