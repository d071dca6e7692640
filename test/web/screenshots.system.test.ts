/** The script for the screenshots of the README works, and the README shows each of them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { sharedWeb } from './open-page.ts';
import { takeScreenshots } from './screenshots.ts';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);

describe.skipIf(noBrowser)('in Chromium', () => {
  const web = sharedWeb();

  test('takes each screenshot of the README', async () => {
    const files = await takeScreenshots(web, join(directoryOfTest(), 'images'));
    const readme = readFileSync(at('README.md'), 'utf8');
    for (const file of files) {
      const shown = `docs/images/${basename(file)}`;
      expect(readme).toContain(shown);
      expect(existsSync(at(shown))).toBe(true);
      expect(statSync(at(shown)).size).toBeLessThan(200_000);
      expect(statSync(file).size).toBeGreaterThan(10_000);
    }
  });
});
