/** The rule between the folders of a package: each imports only folders below it, so that they form no circle. */
import { type Import, importedFile } from './imports.ts';

/**
 * Package, or its folder where two packages have the same name → its layers from bottom to top. A layer is a line of names: folders of src, files that lie directly in src,
 * or `*.ts` for all such files that have no name of their own. What stands on one line imports nothing of the same line,
 * except that the files of `*.ts` may import each other.
 */
export type Layers = Readonly<Record<string, readonly string[]>>;

export const LAYERS: Layers = {
  protocol: ['base', 'history service shelves', 'items settings', 'turns', 'chats modules', 'index.ts'],
  kernel: [
    'base ports',
    'fleet',
    'client-machine items journal model modules notebooks persons skills sleep',
    'files history memory spend toolbox',
    'compaction completions feed statistics voice',
    'events',
    'books chats push requests schedules standby titles video',
    'archive turn undo',
    'services.ts turns',
    'api',
    'scheduler',
    'kernel.ts',
    'index.ts',
  ],
  storage: [
    'tables',
    'database',
    'bytes',
    'extensions memory push schedules sleep spend standby videos',
    'fleet',
    'search',
    'migrations',
    'books',
    'backup chats',
    'imports',
    'inspect.ts journal rehearsal.ts store.ts',
    'open.ts writer-thread.ts',
    'index.ts',
  ],
  providers: [
    'catalogue demo trip',
    'wire',
    'listing.ts prompt voice',
    'chat-completions language-model.ts',
    'kinds',
    'found.ts',
    'configured.ts unknown-model.ts',
    'offer.ts voice-offer.ts',
    'open.ts',
    'index.ts',
  ],
  tools: ['machine tool', 'read shell skills', 'books edit undo', '*.ts', 'index.ts'],
  extensions: ['addresses pace processes', 'mcp modules push', 'index.ts'],
  'json-rpc': ['*.ts', 'index.ts'],
  client: ['api', 'http items', 'streams', 'client', 'hands', 'ai-sdk node view', 'index.ts'],
  importers: ['base', 'formats', 'reading', 'conversations.ts', 'index.ts'],
  markdown: ['*.ts', 'index.ts'],
  'mcp-face': ['calls tools', 'http', 'index.ts'],
  'module-sdk': ['*.ts', 'index.ts'],
  'openai-face': ['base wire', 'conversation', 'chats turns', 'completions', 'http', 'index.ts'],
  server: [
    'files metrics settings web',
    'http manual start telemetry',
    'importing',
    'commands doctor fleet openapi',
    'definitions',
    'faces routes',
    'app.ts openapi-document.ts',
    'warm-up.ts',
    'compose.ts',
    'index.ts serve.ts',
    'command-line.ts',
    'main.ts',
  ],
  web: [
    'base vite-env.d.ts',
    'kernel',
    'parts',
    'markdown rows',
    'items',
    'composer requests transcript',
    'dialogs nav',
    'chat pages',
    'app',
    'main.tsx',
  ],
  terminal: [
    'text',
    'editor markdown program status',
    'items machine',
    'ask dialogs hands transcript',
    'screen',
    'state',
    'chats',
    'session',
    'commands',
    'chat',
    'index.ts',
  ],
  acp: ['*.ts', 'index.ts'],
  'modules/web': ['net', 'page search', '*.ts'],
  'modules/mail': ['*.ts'],
  'modules/telegram': ['*.ts'],
};

/** Climbing imports as `file:line: sentence`, and names that the list lacks or that it has in vain. */
export function wrongFolders(
  folder: string,
  files: readonly string[],
  imports: readonly Import[],
  layers: readonly string[],
): string[] {
  const heights = new Map(layers.flatMap((line, height) => line.split(' ').map(name => [name, height])));
  const nameOf = (file: string): string => placeOf(folder, file, heights);
  const present = new Set(files.map(nameOf));
  const unlisted = [...present].filter(name => !heights.has(name));
  const vain = [...heights.keys()].filter(name => !present.has(name));
  const climbs = imports.flatMap(each => {
    const target = importedFile(each);
    if (!target?.startsWith(`${folder}/src/`)) return [];
    const [from, to] = [nameOf(each.file), nameOf(target)];
    const [high, low] = [heights.get(from), heights.get(to)];
    if (from === to || high === undefined || low === undefined || low < high) return [];
    return [
      `${each.file}:${each.line}: ${from} may not import ${to}, which stands ${low > high ? 'above' : 'beside'} it`,
    ];
  });
  return [
    ...unlisted.map(name => `${folder}/src/${name}: no layer has it: add it to scripts/layers/folders.ts`),
    ...vain.map(
      name => `${folder}/src/${name}: a layer names it, and it is not there: scripts/layers/folders.ts`,
    ),
    ...climbs,
  ];
}

/** The name under which a file stands on a layer. */
function placeOf(folder: string, file: string, heights: ReadonlyMap<string, number>): string {
  const [name, ...rest] = file.slice(`${folder}/src/`.length).split('/') as [string, ...string[]];
  return rest.length === 0 && !heights.has(name) && heights.has('*.ts') ? '*.ts' : name;
}
