/** Which kernel has the chat of a shadow repository: its address, in a file beside those of git. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MARK = 'chat-kernel';
const REPOSITORY = '.git';

export const repositoryOf = (chatId: string): string => `${chatId}${REPOSITORY}`;

export const markAs = (directory: string, kernel: string): Promise<void> =>
  writeFile(join(directory, MARK), kernel, { mode: 0o600 });

/** The ids of the chats of a kernel of which something is kept. */
export async function chatsOf(directory: string, kernel: string): Promise<string[]> {
  const names = (await readdir(directory).catch(() => [])).filter(name => name.endsWith(REPOSITORY));
  const marks = await Promise.all(
    names.map(name => readFile(join(directory, name, MARK), 'utf8').catch(() => undefined)),
  );
  return names.filter((_, n) => marks[n] === kernel).map(name => name.slice(0, -REPOSITORY.length));
}
