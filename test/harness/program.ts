/** Locates the programs that tests start as separate processes. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** The path of the program in a checkout, and its path before the command line had its own package. */
const PLACES = ['apps/cli/bin/chat-kernel.js', 'packages/server/bin/chat-kernel.js'];

/** The program of a checkout, which may be of an older revision. */
export const programIn = (checkout: string): string =>
  PLACES.map(place => join(checkout, place)).find(file => existsSync(file))!;

/** The program of this checkout. */
export const SOURCES = programIn(ROOT);

/** The bundle that scripts/test/bundle.ts built for a run of all tests; otherwise the sources. */
export const PROGRAM = process.env.TEST_PROGRAM ?? SOURCES;

/**
 * The path of another program: in the bundle if it has one of the same name, otherwise in the sources. @param source
 * path from the root
 */
export const programAt = (source: string): string =>
  process.env.TEST_PROGRAM === undefined
    ? join(ROOT, source)
    : join(process.env.TEST_PROGRAM, '../..', source.replace(/\.ts$/, '.js'));
