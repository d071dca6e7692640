/** What the program reads while it runs, and what people read. */
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Source → place in what ships. The scripts lie beside the code that starts them. */
const FILES: Readonly<Record<string, string>> = {
  'packages/extensions/src/modules/connectors/supervise-module.sh': 'lib/chunks/supervise-module.sh',
  'packages/tools/src/shell/relay.mjs': 'lib/chunks/relay.mjs',
  'packages/tools/src/shell/supervise-command.sh': 'lib/chunks/supervise-command.sh',
  'packages/server/bin/chat-kernel': 'bin/chat-kernel',
  'packages/server/skills': 'skills',
  'packages/server/templates': 'templates',
  'apps/web/dist': 'web',
  'docs/chat-kernel.1': 'man/chat-kernel.1',
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
