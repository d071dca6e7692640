/** Makes git run the hooks of .githooks in this checkout, which check the changes and the subject of each commit: `npm run hook`. */
import { execFileSync } from 'node:child_process';

const FOLDER = '.githooks';
const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim();

const present = git('config', '--default', '', '--get', 'core.hooksPath');
if (present !== '' && present !== FOLDER) {
  console.error(`git already takes its hooks from ${present}: nothing is changed`);
  process.exitCode = 1;
} else {
  git('config', 'core.hooksPath', FOLDER);
  console.log(
    'Each commit now runs the fast checks first and checks its subject. To undo it: git config --unset core.hooksPath',
  );
}
