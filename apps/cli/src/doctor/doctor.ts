/** `chat-kernel doctor`: diagnoses common problems and suggests a fix for each. */
import { collectSecrets, type Flags, type LoadedSettings, loadOwnSettings } from '@chat-kernel/settings';
import { runningKernel } from '@chat-kernel/settings/running-file';
import { explain } from '@chat-kernel/settings/start-failure';
import { checkDatabase } from './database.ts';
import { type Finding, formatFinding, formatSummary, ok, problem, warning } from './finding.ts';
import { checkPermissions } from './permissions.ts';
import { checkProviders } from './providers.ts';
import { checkReach } from './reach.ts';
import { checkSandbox } from './sandbox.ts';
import { checkSkills } from './skills.ts';
import { checkUsers } from './users.ts';
import { checkVersions } from './versions.ts';

export interface DoctorOptions {
  /** Send a test prompt to one model of each provider. */
  call?: boolean | undefined;
  /** Print one JSON array instead of lines. */
  json?: boolean | undefined;
  /** Public URL of the server. */
  url?: string | undefined;
  /** Access token of the proxy. */
  token?: string | undefined;
}

/** Prints findings to stdout as they appear. The exit code is 1 if there is a problem. */
export async function doctor(flags: Flags, options: DoctorOptions): Promise<void> {
  const found: Finding[] = [];
  // The kernel's timers do not keep a process alive, so it would exit while a check waits for one.
  const alive = setInterval(() => {}, 60_000);
  try {
    for await (const finding of examine(flags, options)) {
      found.push(finding);
      if (!options.json) process.stdout.write(formatFinding(finding));
    }
  } finally {
    clearInterval(alive);
  }
  process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : formatSummary(found));
  process.exitCode = found.some(({ level }) => level === 'problem') ? 1 : 0;
}

async function* examine(flags: Flags, { call = false, url, token }: DoctorOptions): AsyncGenerator<Finding> {
  yield* checkVersions();
  let loaded: LoadedSettings;
  try {
    loaded = await loadOwnSettings(flags);
  } catch (error) {
    // The other checks need valid settings.
    for (const line of explain(error).split('\n')) {
      yield problem('settings', line, 'see docs/settings.md for valid values');
    }
    return;
  }
  const { settings, file, places, warnings } = loaded;
  yield ok('settings', file === null ? 'no settings file; using the defaults' : file);
  for (const line of warnings)
    yield warning('settings', line, 'see docs/settings.md for locations and valid values');
  yield* checkPermissions(settings, file);
  yield await checkSandbox(settings, places);
  yield* checkSkills(settings);
  yield* checkDatabase(settings);
  yield* checkProviders(settings, { call, secrets: collectSecrets(settings, process.env) });
  yield* checkUsers(settings);
  yield* checkReach(settings.server, {
    url,
    token: token ?? process.env.CHAT_KERNEL_TOKEN,
    running: runningKernel(settings.data_dir)?.url,
  });
}
