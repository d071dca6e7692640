/** Tests the user's own editor. */
import { expect, it } from 'vitest';
import { edited } from '../src/machine/user-editor.ts';

it("opens a text in the user's editor, and keeps it if that fails", async () => {
  const env = { ...process.env, VISUAL: "sed -i -e 's/tea/coffee/'" };
  expect(await edited('more tea', env)).toBe('more coffee');
  await expect(edited('more tea', { ...env, VISUAL: 'false' })).rejects.toThrow('The text is unchanged');
});
