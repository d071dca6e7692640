/** Tests which parts of a text are secrets. */
import { expect, it } from 'vitest';
import { changeInAddresses, changeInArgument } from '../src/embedded-secrets.ts';

const mark = (secret: string) => `<${secret}>`;

it.each([
  ['token=hush', undefined, 'token=<hush>'],
  ['hush', '--token', '<hush>'],
  ['hush', '-p', '<hush>'],
  ['8080', '-p', '8080'],
  ['-hush', '-p', '-hush'],
  ['hush', '--token=a', 'hush'],
  ['hush', 'token', 'hush'],
  ['--header=X-Api-Key: hush', undefined, '--header=X-Api-Key: <hush>'],
  ['X-Title: hush', undefined, 'X-Title: hush'],
  ['export TOKEN=hush; run', undefined, 'export TOKEN=<hush>; run'],
  ['export TOKEN="hu sh" run', undefined, 'export TOKEN="<hu sh>" run'],
  ["export TOKEN='hu sh' run", undefined, "export TOKEN='<hu sh>' run"],
  ['export TOKEN="" run', undefined, 'export TOKEN="" run'],
  ['run -p=hush TITLE=a', undefined, 'run -p=<hush> TITLE=a'],
  ['run https://me:hush@a.example', undefined, 'run https://<me:hush>@a.example'],
])('changes only the secret of the argument %j after %j', (text, before, changed) => {
  expect(changeInArgument(text, before, mark)).toBe(changed);
});

it.each([
  ['ftp://me@a/?q=1&api_key=hush#token=x', 'ftp://<me>@a/?q=1&api_key=<hush>#token=x'],
  ['a http://u:p@b, https://v@c/d@e', 'a http://<u:p>@b, https://<v>@c/d@e'],
])('changes the logins and keys of the addresses in %j', (text, changed) => {
  expect(changeInAddresses(text, mark)).toBe(changed);
});
