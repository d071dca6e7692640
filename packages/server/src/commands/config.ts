/** `chat-kernel config`: the effective settings as YAML, every secret hidden. */
import { stringify } from 'yaml';
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { redact } from '../settings/redact.ts';
import { explain } from '../start/start-failure.ts';

/** Prints the settings to stdout, warnings and mistakes to stderr. */
export async function printSettings(flags: Flags): Promise<void> {
  try {
    const { settings, file, warnings } = await loadOwnSettings(flags);
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
    process.stdout.write(`# ${file ?? 'no settings file'}\n${stringify(redact(settings))}`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
