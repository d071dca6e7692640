/** Copies the files that the program reads at run time, and those for users. */
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Source → path in the package. The scripts are next to the code that starts them. */
const FILES: Readonly<Record<string, string>> = {
  'packages/hands/src/processes/supervise.sh': 'lib/chunks/supervise.sh',
  'packages/hands/src/shell/relay.mjs': 'lib/chunks/relay.mjs',
  'apps/cli/bin/chat-kernel': 'bin/chat-kernel',
  'packages/server/skills': 'skills',
  'apps/cli/templates': 'templates',
  'apps/web/dist': 'web',
  'docs/modules.md': 'docs/modules.md',
  'README.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
};

export function copyFiles(root: string, target: string): void {
  for (const [from, to] of Object.entries(FILES)) {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(join(root, from), join(target, to), { recursive: true });
  }
}
