/** Tests the folders that are searched for skills. */
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { readableSkills, skillDirectories } from '../src/start/skill-directories.ts';

const directories = (skills: object) =>
  skillDirectories(Settings.parse({ data_dir: '/data', skills }), '/home/ada');

it('searches the folders of the data, the user and the project unless the settings name others', () => {
  expect(directories({ shipped: false })).toEqual([
    '/data/skills',
    '/home/ada/.config/chat-kernel/skills',
    '.agents/skills',
  ]);
  expect(directories({ shipped: false, paths: ['~', '~/skills', '~ada', '/etc/skills'] })).toEqual([
    '/home/ada',
    '/home/ada/skills',
    '~ada',
    '/etc/skills',
  ]);
  expect(directories({ shipped: true, paths: [] })).toEqual([expect.stringMatching(/\/skills$/)]);
});

it('resolves links in the path of a folder, also before the folder exists', () => {
  const folder = realpathSync(directoryOfTest());
  mkdirSync(join(folder, 'real/skills'), { recursive: true });
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  expect(
    readableSkills([join(folder, 'link/skills'), join(folder, 'link/later/skills'), '.agents/skills']),
  ).toEqual([join(folder, 'real/skills'), join(folder, 'real/later/skills')]);
});
