/**
 * Finds the settings file. Never reads the current folder, because the author of a cloned repository could then choose
 * programs to start and where keys are sent (WHO-7).
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The file that earlier versions read from the current folder. */
const FORMER = 'chat-kernel.yaml';

interface PlaceSources {
  /** Values of --config and CHAT_KERNEL_CONFIG, if set. The first one is read. */
  named: readonly string[];
  cwd: string;
  home: string;
}
interface SettingsPlaces {
  /** Path of the file to read, or null. A configured file may be missing. */
  file: string | null;
  /**
   * Absolute paths of possible settings files and of the default folder, existing or not. Tools may not access them.
   */
  places: string[];
  /** Warnings for the user. */
  warnings: string[];
}

/** Finds the settings file: the configured one, or ~/.config/chat-kernel/config.yaml. */
export function findSettings({ named, cwd, home }: PlaceSources): SettingsPlaces {
  const folder = join(home, '.config', 'chat-kernel');
  const usual = join(folder, 'config.yaml');
  const paths = named.map(path => resolve(cwd, path));
  return {
    file: paths[0] ?? (existsSync(usual) ? usual : null),
    places: [...paths, folder],
    warnings: paths.length === 0 && existsSync(join(cwd, FORMER)) ? [notRead(usual)] : [],
  };
}

const notRead = (usual: string): string =>
  `./${FORMER} is ignored, because the current folder may be untrusted. If it is yours, pass --config ${FORMER} or move it to ${usual}.`;
