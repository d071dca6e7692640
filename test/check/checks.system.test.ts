/** Tests what `npm run check` leaves out: only checks whose result cannot have changed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHECKS, type Check, KNIP_CACHE } from '../../scripts/check/checks.ts';
import { prepareKnipCache } from '../../scripts/check/knip-cache.ts';
import { commandFor, passedOn } from '../../scripts/check/passed.ts';
import { treeOf } from '../../scripts/check/tree.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { PATIENT } from '../harness/patient.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

let root: string;
let remove: () => void;
beforeEach(() => {
  ({ path: root, remove } = temporaryDirectory());
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  write('.gitignore', 'ignored/\n');
  write('biome.json', '{}');
  write('docs/page.md', 'one');
  write('packages/a/src/a.ts', 'one');
  write('packages/a/src/b.ts', 'one');
});
afterEach(() => remove());

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Returns the command that has to run after `change` to a tree on which the check passed; null: no command. */
function afterChange(check: Check, change: () => void): readonly string[] | null {
  const passed = passedOn(treeOf(root), check);
  change();
  return commandFor(treeOf(root), check, passed);
}

describe('a check of the whole tree', () => {
  const sources: Check = { name: 'sources', command: ['tool'], reads: file => file.endsWith('.ts') };

  it('runs if it never passed', () => {
    expect(commandFor(treeOf(root), sources, undefined)).toEqual(['tool']);
  });

  it.each([
    ['changes', () => write('packages/a/src/a.ts', 'two')],
    ['is new', () => write('packages/a/src/c.ts', 'one')],
    ['goes', () => rmSync(join(root, 'packages/a/src/b.ts'))],
    ['is renamed', () => renameSync(join(root, 'packages/a/src/b.ts'), join(root, 'packages/a/src/c.ts'))],
  ])('runs again if a file that it reads %s', (_, change) => {
    expect(afterChange(sources, change)).toEqual(['tool']);
  });

  it('does not run again for another file, an ignored one, or one written again with the same text', () => {
    const others = () => {
      write('docs/page.md', 'two');
      write('ignored/a.ts', 'two');
      write('packages/a/src/a.ts', 'one');
    };
    expect(afterChange(sources, others)).toBeNull();
  });

  it('runs again for any file if it does not say what it reads', () => {
    const all: Check = { name: 'all', command: ['tool'] };
    expect(afterChange(all, () => write('docs/page.md', 'two'))).toEqual(['tool']);
  });

  it('runs again if its command changes', () => {
    const passed = passedOn(treeOf(root), sources);
    expect(commandFor(treeOf(root), { ...sources, command: ['tool', '--strict'] }, passed)).toEqual([
      'tool',
      '--strict',
    ]);
  });
});

describe('a check of each file', () => {
  const each: Check = { name: 'each', command: ['tool', '.'], eachFileWith: /^biome\.json$/ };

  it('runs for the files that are new or have changed', () => {
    const change = () => {
      write('packages/a/src/a.ts', 'two');
      write('packages/a/src/c.ts', 'one');
      rmSync(join(root, 'packages/a/src/b.ts'));
    };
    expect(afterChange(each, change)).toEqual(['tool', 'packages/a/src/a.ts', 'packages/a/src/c.ts']);
  });

  it('does not run if files only go', () => {
    expect(afterChange(each, () => rmSync(join(root, 'packages/a/src/b.ts')))).toBeNull();
  });

  it('runs for the whole tree if its settings change', () => {
    expect(afterChange(each, () => write('biome.json', '{ }'))).toEqual(['tool', '.']);
  });

  it('is the one of biome only while biome has no rules that read other files', () => {
    const { linter } = JSON.parse(readFileSync(join(REPOSITORY, 'biome.json'), 'utf8'));
    expect(
      CHECKS.filter(({ eachFileWith }) => eachFileWith).map(({ command: [program] }) => program),
    ).toEqual(['biome']);
    expect(linter.domains).toBeUndefined();
    expect(linter.rules.preset).toBe('recommended');
    expect(Object.values(linter.rules).flatMap(rules => Object.keys(rules as object))).not.toContain(
      'noImportCycles',
    );
  });
});

describe("knip's cache", () => {
  const isKept = (): boolean => existsSync(join(root, KNIP_CACHE, 'entries'));
  /** Fills the cache, waits until a file is newer than it, and changes the tree. */
  function afterRun(change: () => void): boolean {
    write('.gitignore', 'ignored/\n.cache/\n');
    prepareKnipCache(root, treeOf(root));
    write(`${KNIP_CACHE}/entries`, '');
    change();
    prepareKnipCache(root, treeOf(root));
    return isKept();
  }
  const setTime = (file: string, seconds: number): void =>
    utimesSync(join(root, file), Date.now() / 1000 + seconds, Date.now() / 1000 + seconds);

  it('stays if the text of a source changes', () => {
    const change = () => {
      write('packages/a/src/a.ts', 'two');
      setTime('packages/a/src/a.ts', 1);
    };
    expect(afterRun(change)).toBe(true);
  });

  it.each([
    ['a file is new', () => write('packages/a/src/c.ts', 'one')],
    ['a file goes', () => rmSync(join(root, 'packages/a/src/b.ts'))],
    ['a configuration changes', () => write('biome.json', '{ }')],
  ])('is removed if %s', (_, change) => {
    expect(afterRun(change)).toBe(false);
  });

  it('is removed if a source changes without a newer time, as by `cp --preserve`', () => {
    const change = () => {
      write('packages/a/src/a.ts', 'two');
      setTime('packages/a/src/a.ts', -60);
    };
    expect(afterRun(change)).toBe(false);
  });
});

describe('each script reads only files of which its check knows', () => {
  const scripts = CHECKS.filter(({ command: [program], reads }) => program === 'node' && reads);

  it.each(scripts)('$name', PATIENT, ({ command: [program, ...words], reads }) => {
    const list = join(root, 'reads');
    const recorder = join(import.meta.dirname, 'record-reads.js');
    execFileSync(program, ['--import', recorder, ...words], {
      cwd: REPOSITORY,
      env: { ...process.env, READS: list },
    });
    const files = readFileSync(list, 'utf8')
      .split('\n')
      .map(path => relative(REPOSITORY, resolve(REPOSITORY, path)))
      .filter(file => !file.startsWith('..') && !file.includes('node_modules/'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter(file => !reads?.(file))).toEqual([]);
  });
});
