/** Lists sources that find files relative to their own path, which the bundle must preserve. */
import { relative } from 'node:path';
import type { Plugin } from 'rolldown';

/** Source → what it finds. Each is copied by `files.ts`, or is an entry or the root of the bundle. */
const KNOWN: Readonly<Record<string, string>> = {
  'apps/cli/bin/compiled-folder.js': 'the folder of all packages, for the compiled code',
  'apps/cli/src/commands/module-new.ts': 'templates/ in the root of the package',
  'apps/cli/src/commands/program.ts': 'bin/ in the root of the package',
  'modules/web/src/page/read-apart.ts': 'the program that reads pages beside it',
  'packages/features/src/books/book-reader.ts': 'the program that reads books beside it',
  'packages/features/src/books/confined.ts': 'the root of the package',
  'packages/hands/src/processes/supervised.ts': 'supervise.sh beside it',
  'packages/hands/src/shell/bubblewrap.ts': 'relay.mjs beside it',
  'packages/providers/src/kinds/ai-sdk.ts': 'packages that were installed beside the kernel',
  'packages/server/src/start/extensions.ts': 'modules/ in the root of the package',
  'packages/server/src/start/skill-directories.ts': 'skills/ in the root of the package',
  'packages/server/src/web/paths.ts': 'web/ in the root of the package',
  'packages/storage/src/database/checkpoint-thread.ts': 'its program in the folder above it',
};
const PLACE = /\bimport\.meta\.(?:dirname|filename|url|resolve)\b/;

/**
 * Fails for a source of this repository that finds files relative to its path and is not listed here: the files would
 * not ship.
 */
export function refusePlaces(root: string): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      const file = relative(root, id);
      if (!/^(?:apps|modules|packages)\//.test(file) || !PLACE.test(code) || KNOWN[file] !== undefined)
        return;
      this.error(
        `${file} finds files by its own place: see that they ship, and add it to scripts/build/places.ts`,
      );
    },
  };
}
