/**
 * The places of settings. The present folder is none of them: whoever wrote what lies there, such as the author of a
 * cloned repository, would choose programs to start and where keys are sent (WHO-7).
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The file that earlier versions read from the present folder. */
const FORMER = 'chat-kernel.yaml';

interface PlaceSources {
  /** Values of --config and CHAT_KERNEL_CONFIG, as far as given. The first one is read. */
  named: readonly string[];
  cwd: string;
  home: string;
}
interface SettingsPlaces {
  /** Path of the file to read; null where there is none. A file that is named may be missing. */
  file: string | null;
  /**
   * Absolute paths of all that a start of this owner may read settings from, there or not: files, and the folder of the
   * usual one. No tool may touch them.
   */
  places: string[];
  /** Lines for a person. */
  warnings: string[];
}

/** Finds the settings file: the one that is named, else ~/.config/chat-kernel/config.yaml. */
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
  `./${FORMER} is not read any more, for it may have come with the folder: say --config ${FORMER} where it is yours, or move it to ${usual}`;
