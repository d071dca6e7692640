/**
 * Writes the rules of the sandbox as a profile for `sandbox-exec` of macOS (CONSENT-9). Of the rules that apply to an operation, the
 * last one counts.
 */
import { dirname } from 'node:path';
import type { ForbiddenPlace } from '../machine/forbidden-place.ts';
import { isWithin } from '../machine/machine-path.ts';
import type { WorkdirGuard } from './guard-workdir.ts';

interface SeatbeltRules {
  /** Real paths of directories that commands can write. */
  writable: readonly string[];
  /** The files of a kernel on this machine. */
  forbidden: readonly Pick<ForbiddenPlace, 'path'>[];
  guard: WorkdirGuard;
  /** The port of the egress proxy on this machine; null: no network. */
  proxyPort: number | null;
}

/** Devices that programs write. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'];

export function seatbeltProfile({ writable, forbidden, guard, proxyPort }: SeatbeltRules): string {
  const hidden = [...forbidden, ...guard.hidden].map(({ path }) => path);
  const above = [...hidden, ...guard.readOnly].flatMap(path =>
    directoriesAbove(path).filter(directory => writable.some(root => isWithin(directory, root))),
  );
  return [
    '(version 1)',
    '(allow default)',
    // Programs outside of the sandbox must not act for a command.
    '(deny appleevent-send lsopen job-creation)',
    '(deny signal process-info*)',
    '(allow signal process-info* (target same-sandbox))',
    '(deny file-write*)',
    rule('allow file-write*', [...writable.map(subpath), ...DEVICES.map(literal)]),
    rule('deny file-write*', guard.readOnly.map(subpath)),
    // Rules are about paths, so a directory above a hidden or read-only one must not be moved.
    rule('deny file-write-unlink', [...new Set([...guard.pinned, ...above])].map(literal)),
    rule('deny file-write*', guard.unwanted.map(literal)),
    rule('deny file-read* file-write*', hidden.map(subpath)),
    rule('allow file-read*', guard.visible.map(subpath)),
    '(deny network*)',
    ...(proxyPort === null ? [] : [`(allow network-outbound (remote ip "localhost:${proxyPort}"))`]),
  ]
    .filter(line => line !== '')
    .join('\n');
}

function directoriesAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...directoriesAbove(parent)];
}

/** A rule without filters would apply to everything. */
const rule = (action: string, filters: readonly string[]): string =>
  filters.length === 0 ? '' : `(${action} ${filters.join(' ')})`;
const subpath = (path: string): string => `(subpath ${JSON.stringify(path)})`;
const literal = (path: string): string => `(literal ${JSON.stringify(path)})`;
