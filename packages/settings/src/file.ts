/** Reads the settings file, with the position of each value. */
import { readFileSync } from 'node:fs';
import type { Node, YAMLMap } from 'yaml';
import { SettingsError } from './settings-error.ts';

export interface SettingsFile {
  path: string;
  value: Record<string, unknown>;
  /**
   * Returns `<file>:<line>:<col>` of a value or key; if the file has none, of the nearest parent.
   */
  place(path: readonly PropertyKey[], key?: string): string;
}

/**
 * Reads the file. Loads the YAML parser only here, because a start without a file does not need it.
 * @throws SettingsError with every syntax error
 */
export async function readFile(path: string): Promise<SettingsFile> {
  const text = read(path);
  const { LineCounter, isMap, isSeq, isAlias, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };

  if (document.errors.length > 0) {
    // Use only the first line of the parser's message: the rest shows the source, including secrets.
    const sentence = (message: string) => message.split(' at line ')[0]?.split('\n')[0];
    throw new SettingsError(document.errors.map(error => `${at(error.pos[0])}: ${sentence(error.message)}`));
  }
  const value: unknown = document.toJS() ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SettingsError([
      `${at(document.contents?.range?.[0] ?? 0)}: expected settings such as "server:"`,
    ]);
  }

  const resolved = (node: unknown) =>
    (isAlias(node) ? node.resolve(document) : node) as Node | null | undefined;
  const pairOf = (map: YAMLMap, key: PropertyKey) =>
    map.items.find(pair => String(pair.key) === String(key)) as { key: Node; value: Node | null } | undefined;
  const place = (steps: readonly PropertyKey[], key?: string): string => {
    let offset = 0;
    let node = resolved(document.contents);
    for (const step of key === undefined ? steps : [...steps, key]) {
      const pair = isMap(node) ? pairOf(node, step) : undefined;
      const next = pair
        ? pair.value
        : isSeq(node)
          ? (node.items[Number(step)] as Node | undefined)
          : undefined;
      if (!pair && !next) break;
      const shown = key === undefined ? (next?.range ?? pair?.key.range) : pair?.key.range;
      offset = shown?.[0] ?? offset;
      node = resolved(next);
    }
    return at(offset);
  };
  return { path, value: value as Record<string, unknown>, place };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(
      [`${path}: cannot read the file (${(error as NodeJS.ErrnoException).code})`],
      error,
    );
  }
}
