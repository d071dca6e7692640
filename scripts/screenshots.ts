/** Takes the pictures of the README anew, into docs/images. It wants Chromium. */
import { join, resolve } from 'node:path';
import { startWeb } from '../test/web/open-page.ts';
import { takeScreenshots } from '../test/web/screenshots.ts';

const web = await startWeb();
for (const file of await takeScreenshots(web, join(resolve(import.meta.dirname, '..'), 'docs/images'))) {
  console.log(file);
}
// What stops has nothing to keep the process for.
const alive = setInterval(() => {}, 1000);
await web.stop();
clearInterval(alive);
