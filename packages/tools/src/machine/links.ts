/** The links that a path leads along. */
import { readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';

/** As many as Linux follows. */
const MOST = 40;

/** Returns the place of each link on the way, with no link before it. @param path absolute */
export async function linksOn(path: string): Promise<string[]> {
  const { root } = parse(path);
  const steps = stepsOf(path.slice(root.length));
  const links: string[] = [];
  let at = root;
  while (steps.length > 0 && links.length < MOST) {
    const step = steps.shift()!;
    if (step === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, step);
    // What is missing, or may not be looked at, is no link that could be followed.
    const target = await readlink(next).catch(() => null);
    if (target === null) {
      at = next;
    } else {
      links.push(next);
      if (isAbsolute(target)) at = root;
      steps.unshift(...stepsOf(target));
    }
  }
  return links;
}

const stepsOf = (path: string): string[] => path.split(sep).filter(step => step !== '' && step !== '.');
