/** Loads the program that draws Mermaid diagrams as a text: it runs only in a frame without a network. */
import address from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';

let program: Promise<string> | undefined;

/** @throws Error if the kernel is unreachable; the next call tries again */
export function loadMermaid(): Promise<string> {
  program ??= load().catch(error => {
    program = undefined;
    throw error;
  });
  return program;
}

async function load(): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The kernel answered ${response.status}.`);
  return response.text();
}
