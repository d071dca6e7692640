/** Keeps the folder that the kernel makes in a project out of its git: copies of attached files are nobody's source. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, sep } from 'node:path';

/** The folder of a project that belongs to the kernel. */
const SERVICE = `${sep}.service${sep}`;

/** Makes the folder of a file; where that begins a folder `.service`, git is told to pass over it. */
export async function makeFolder(file: string): Promise<void> {
  const made = await mkdir(dirname(file), { recursive: true });
  const at = file.lastIndexOf(SERVICE);
  // A folder that was there before is as its owner wants it.
  if (made === undefined || at < 0 || !`${file.slice(0, at)}${SERVICE}`.startsWith(made + sep)) return;
  await writeFile(`${file.slice(0, at)}${SERVICE}.gitignore`, '*\n', { flag: 'wx' }).catch(error => {
    if (error.code !== 'EEXIST') throw error;
  });
}
