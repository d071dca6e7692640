/** `chat-kernel config`: prints the effective settings as YAML, secrets redacted. */
import { type Flags, loadOwnSettings, redact } from '@chat-kernel/settings';
import { stringify } from 'yaml';

/** Prints the settings to stdout, warnings and errors to stderr. */
export async function printSettings(flags: Flags): Promise<void> {
  const { settings, file, warnings } = await loadOwnSettings(flags);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  process.stdout.write(`# ${file ?? 'no settings file'}\n${stringify(redact(settings))}`);
}
