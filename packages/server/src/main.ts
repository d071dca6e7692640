/** The program: starts the server, or does what the command line says. */
const [, , ...words] = process.argv;
// Without words there is nothing to parse, and a start is quicker without the parser.
if (words.length === 0) {
  const { serve } = await import('./serve.ts');
  await serve({});
} else {
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine();
}
