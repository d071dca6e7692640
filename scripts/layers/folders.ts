/** Checks the rule between the folders of a package: each imports only folders below it, so that they form no cycle. */
import { type Import, importedFile } from './imports.ts';

/**
 * Package, or its folder if two packages have the same name → its layers from bottom to top. A layer is a line of
 * names: folders of src, files directly in src, `*.ts` for all such files without their own name, or `*` for all such
 * folders. Names on one line do not import each other, except that the files of `*.ts` may.
 */
export type Layers = Readonly<Record<string, readonly string[]>>;

export const LAYERS: Layers = {
  protocol: [
    'base tables',
    'history service',
    'items.ts settings',
    'turns',
    'chats features modules',
    'index.ts',
  ],
  kernel: [
    'base ports',
    'consent fleet',
    'client-machine items journal model modules persons sleep',
    'files history spend toolbox',
    'compaction feed statistics',
    'events',
    'chats requests standby',
    'feature-host.ts',
    'archive turn undo',
    'services.ts turns',
    'api',
    'kernel.ts',
    'index.ts',
  ],
  storage: [
    'tables',
    'database',
    'bytes',
    'extensions push sleep spend standby store-hooks.ts',
    'fleet',
    'search',
    'migrations',
    'backup chats',
    'inspect.ts journal store.ts',
    'open.ts checkpoints.ts',
    'index.ts',
  ],
  providers: [
    'catalogue demo schema trip',
    'answers repair',
    'wire',
    'listing.ts prompt voice',
    'chat-completions language-model.ts',
    'kinds',
    'discovery.ts problem.ts',
    'configured.ts unknown-model.ts',
    'list-models.ts voice-offer.ts',
    'open.ts',
    'index.ts',
  ],
  hands: ['machine processes', 'shell', 'node', 'own-machine.ts'],
  tools: ['machine tool', 'read shell', 'edit undo', '*.ts', 'index.ts'],
  'module-host': ['connectors pace', 'session', 'hosted', 'offer', 'host', 'index.ts'],
  'mcp-client': ['rules', 'asking auth', 'wires', 'connection', 'listing', 'calls', 'guests', 'mcp.ts'],
  net: ['*.ts', 'index.ts'],
  base: ['*.ts', 'index.ts'],
  'json-rpc': ['*.ts', 'index.ts'],
  http: ['*.ts', 'index.ts'],
  features: ['feature.ts', '*', 'features.ts', 'open-features.ts', 'index.ts'],
  client: ['api', 'http items', 'streams', 'client', 'hands', 'view', 'index.ts'],
  'ai-sdk': ['*.ts', 'index.ts'],
  settings: ['*.ts', 'index.ts'],
  importers: ['base', 'formats', 'reading', 'conversations.ts', 'index.ts'],
  text: ['*.ts', 'index.ts'],
  'mcp-face': ['calls tools', 'http', 'index.ts'],
  'module-sdk': ['*.ts', 'surface', 'index.ts'],
  'openai-face': ['wire', 'conversation', 'chats turns', 'audio completions', 'http', 'index.ts'],
  server: [
    'metrics web',
    'http telemetry',
    'fleet openapi',
    'faces routes',
    'app.ts',
    'start',
    'compose.ts',
    'index.ts log.ts serve.ts shared.ts',
  ],
  cli: ['importing', 'commands doctor', 'definitions', 'command-line.ts', 'main.ts'],
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

/** Returns upward imports as `file:line: sentence`, and names that are missing from the list or unused in it. */
export function wrongFolders(
  folder: string,
  files: readonly string[],
  imports: readonly Import[],
  layers: readonly string[],
): string[] {
  const heights = new Map(layers.flatMap((line, height) => line.split(' ').map(name => [name, height])));
  const nameOf = (file: string): string => placeOf(folder, file, heights);
  const heightOf = (name: string) =>
    heights.get(name) ?? (name.endsWith('.ts') ? undefined : heights.get('*'));
  const present = new Set(files.map(nameOf));
  const unlisted = [...present].filter(name => heightOf(name) === undefined);
  const isPresent = (name: string) =>
    name === '*' ? [...present].some(each => !heights.has(each)) : present.has(name);
  const vain = [...heights.keys()].filter(name => !isPresent(name));
  const climbs = imports.flatMap(each => {
    const target = importedFile(each);
    if (!target?.startsWith(`${folder}/src/`)) return [];
    const [from, to] = [nameOf(each.file), nameOf(target)];
    const [high, low] = [heightOf(from), heightOf(to)];
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

/** The name of a file on a layer. */
function placeOf(folder: string, file: string, heights: ReadonlyMap<string, number>): string {
  const [name, ...rest] = file.slice(`${folder}/src/`.length).split('/') as [string, ...string[]];
  return rest.length === 0 && !heights.has(name) && heights.has('*.ts') ? '*.ts' : name;
}
