/** Preloaded with `--import`: writes the path of each file that the program opens or imports into $READS at its end. */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

const reads = new Set();
for (const name of ['readFileSync', 'openSync', 'readFile', 'open', 'createReadStream']) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    if (typeof path === 'string') reads.add(path);
    else if (path instanceof URL) reads.add(fileURLToPath(path));
    return original(path, ...rest);
  };
}
syncBuiltinESMExports();
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) reads.add(fileURLToPath(url));
    return next(url, context);
  },
});
const { writeFileSync } = fs;
process.on('exit', () => writeFileSync(process.env.READS, [...reads].join('\n')));
