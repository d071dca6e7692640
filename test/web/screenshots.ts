/** Takes the screenshots of the README from the real page: two widths, light and dark. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../harness/directory.ts';
import { visit, type Web } from './open-page.ts';
import { tellStory } from './story.ts';

const PICTURES = [
  { name: 'chat-light', width: 1280, height: 1000, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** Returns the paths of the written files. @param folder created if it is missing */
export async function takeScreenshots({ kernel, browser }: Web, folder: string): Promise<string[]> {
  const project = temporaryDirectory();
  writeFileSync(join(project.path, 'next-run.ts'), 'export const nextRun = () => undefined;\n');
  mkdirSync(folder, { recursive: true });
  const chat = await tellStory(kernel, project.path);
  const files: string[] = [];
  for (const { name, width, height, colorScheme } of PICTURES) {
    const { page, log } = await visit(browser, `${kernel.url}/chats/${chat}`);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.getByRole('dialog').getByText('+6').waitFor();
    await log.locator('.hl-keyword').first().waitFor();
    await page.evaluate(withoutPath(project.path));
    const file = join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    files.push(file);
    await page.context().close();
  }
  await kernel.client.cancelTurn(chat);
  project.remove();
  return files;
}

/** Returns a script that replaces the temporary path with a project name. */
const withoutPath = (path: string): string => `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.data = currentNode.data.replaceAll(${JSON.stringify(path)}, '~/nightly');
  }
})()`;
