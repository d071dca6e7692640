import { expect, it, onTestFinished, vi } from 'vitest';
import { isAbsoluteThere, isWithinThere, pathThere } from '../src/client-machine/client-path.ts';

it('keeps an absolute path of any system unchanged', () => {
  for (const path of ['/a/../b', '~', '~/x', 'C:\\x', 'c:/x', '\\\\server\\share\\x', '~\\x']) {
    for (const workdir of [null, '/home/me', 'D:\\y']) expect(pathThere(workdir, path)).toBe(path);
    expect(isAbsoluteThere(path)).toBe(true);
  }
});

it.each([
  ['/home/me', 'trip', '/home/me/trip'],
  ['/home/me/', './a/../b/', '/home/me/b'],
  ['/home/me', '../../../..', '/'],
  ['/home/me', '~backup', '/home/me/~backup'],
  ['/home/me', 'C:x', '/home/me/C:x'],
  ['/', 'a\\b', '/a\\b'],
  ['C:\\Users\\me', 'trip/a', 'C:\\Users\\me\\trip\\a'],
  ['C:\\Users\\me', '..\\..\\..', 'C:\\'],
  ['C:/Users', '.', 'C:\\Users'],
  ['C:\\Users', '\\x', 'C:\\x'],
  ['\\\\server\\share\\a', '..\\b', '\\\\server\\share\\b'],
  ['~', 'a', '~/a'],
  ['~', '.', '~'],
  ['~', './', '~'],
  ['~/a', '../b', '~/b'],
  ['~/a', '../..', '~/..'],
  ['~\\a', 'b/c', '~\\a\\b\\c'],
])('resolves from %s the path %s to %s', (workdir, path, leadsTo) => {
  expect(pathThere(workdir, path)).toBe(leadsTo);
});

it('leaves a path to the machine if only the machine can resolve it', () => {
  expect(pathThere(null, 'x')).toBe('x');
  expect(pathThere('D:\\x', 'C:y')).toBe('C:y');
  expect(pathThere('relative', 'x')).toBe('relative/x');
  expect(['x', './x', 'C:y', '~backup'].some(isAbsoluteThere)).toBe(false);
});

it.each([
  ['C:\\home\\ann', 'C:a.txt'],
  ['/home/ann', '~/a.txt'],
  ['/home/ann', 'C:\\a.txt'],
  ['~\\work', 'C:a.txt'],
])('finds in %s no path %s of an unknown place, wherever the kernel runs', (directory, path) => {
  const cwd = vi.spyOn(process, 'cwd');
  onTestFinished(() => cwd.mockRestore());
  for (const place of ['/', '/home', '/home/ann', '/home/ann/~', '/srv']) {
    cwd.mockReturnValue(place);
    expect([place, isWithinThere(directory, path)]).toEqual([place, false]);
    expect(isWithinThere(directory, 'a.txt')).toBe(true);
  }
});
