/** Takes the pictures of the README again, into docs/images. Requires Chromium. */
import { join, resolve } from 'node:path';
import { startWeb } from '../test/web/open-page.ts';
import { takeScreenshots } from '../test/web/screenshots.ts';

const web = await startWeb();
for (const file of await takeScreenshots(web, join(resolve(import.meta.dirname, '..'), 'docs/images'))) {
  console.log(file);
}
// The code that stops the programs does not keep the process alive.
const alive = setInterval(() => {}, 1000);
await web.stop();
clearInterval(alive);
