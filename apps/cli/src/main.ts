/** The program: starts the server or runs a command. */
const [, , ...words] = process.argv;
// Without arguments, skip the parser for a faster start.
if (words.length === 0) {
  const { serve } = await import('@chat-kernel/server/serve');
  await serve({});
} else {
  const { commandLine } = await import('./command-line.ts');
  await commandLine().parseAsync();
}
