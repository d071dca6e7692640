/** Sources that find files by their own place, which the bundle has to keep. */
import { relative } from 'node:path';
import type { Plugin } from 'rolldown';

/** Source → what it finds. Each is copied by `files.ts`, or is an entry or the root of the bundle. */
const KNOWN: Readonly<Record<string, string>> = {
  'modules/web/src/page/read-apart.ts': 'the program that reads pages beside it',
  'packages/extensions/src/modules/connectors/program-connector.ts': 'supervise-module.sh beside it',
  'packages/providers/src/kinds/ai-sdk.ts': 'packages that were installed beside the kernel',
  'packages/server/bin/compiled-folder.js': 'the folder of all packages, for the compiled code',
  'packages/server/src/commands/program.ts': 'bin/ in the root of the package',
  'packages/server/src/commands/module-new.ts': 'templates/ in the root of the package',
  'packages/server/src/settings/skill-places.ts': 'skills/ in the root of the package',
  'packages/server/src/start/shipped-modules.ts': 'modules/ in the root of the package',
  'packages/server/src/web/places.ts': 'web/ in the root of the package',
  'packages/storage/src/database/sqlite.ts': 'the thread that writes to SQLite in the folder above it',
  'packages/tools/src/books/book-reader.ts': 'the program that reads books beside it',
  'packages/tools/src/books/confined.ts': 'the root of the package',
  'packages/tools/src/shell/bubblewrap.ts': 'relay.mjs beside it',
  'packages/tools/src/shell/running-command.ts': 'supervise-command.sh beside it',
};
const PLACE = /\bimport\.meta\.(?:dirname|filename|url|resolve)\b/;

/** Fails for a source of ours that looks for files by its place and is not listed here: they would not ship. */
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
