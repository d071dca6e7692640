// Plain JavaScript, so that a Node without TypeScript support reports the problem in one line.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const least = Number(/\d+/.exec(engines.node)[0]);
if (Number(process.versions.node.split('.')[0]) < least) {
  process.stderr.write(
    `Node ${process.versions.node} is too old, ${least} or later is needed: export PATH="$PWD/node_modules/.bin:$PATH"\n`,
  );
  process.exit(1);
}
