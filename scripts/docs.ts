/**
 * Writes what follows from the source: docs/settings.md, docs/conformance.md, docs/openapi.json, the client's types and
 * calls, the man page. With --check it only compares, and a change that breaks clients of the released API fails; --release makes the
 * promises of the present API the released ones.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { commandLine } from '../packages/server/src/command-line.ts';
import { factsOf } from '../packages/server/src/manual/facts.ts';
import { manPage } from '../packages/server/src/manual/man-page.ts';
import { CONFORMANCE_PAGE, conformancePage } from './conformance.ts';
import { breaksOf, openapiFiles, RELEASED, withRelease } from './openapi.ts';

interface Schema {
  type?: string;
  enum?: string[];
  anyOf?: Schema[];
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

const PAGE = 'docs/settings.md';
const page = `# Settings

One YAML file: \`--config\`, else \`CHAT_KERNEL_CONFIG\`, else \`~/.config/chat-kernel/config.yaml\`. Nothing is read from
the present folder by itself, for it may be somebody else's; \`--config chat-kernel.yaml\` reads a file there. No tool of a
model reads or writes these files, nor anything in \`~/.config/chat-kernel\`. Without a file the defaults below count. A
flag (\`--host\`, \`--port\`, \`--data\`, \`--set path=value\`) wins over the environment, and that wins over the file. The
variable of a setting is its path in capitals: \`server.port\` is \`CHAT_KERNEL_SERVER_PORT\`; \`CHAT_KERNEL_DATA\` is short
for \`CHAT_KERNEL_DATA_DIR\`.

A wrong key or value stops the start and names the line. \`chat-kernel config\` prints what counts, secrets hidden.

| setting | default | what it is |
|---|---|---|
${rows(z.toJSONSchema(Settings, { io: 'input' }) as Schema, '').join('\n')}
`;

const check = process.argv.includes('--check');
const root = resolve(import.meta.dirname, '..');
const openapi = await openapiFiles();
const files = {
  [PAGE]: page,
  [CONFORMANCE_PAGE]: conformancePage(root),
  'docs/chat-kernel.1': manPage(factsOf(commandLine()), packageJson.version),
  ...(process.argv.includes('--release') ? withRelease(openapi) : openapi),
};
for (const [file, text] of Object.entries(files)) {
  const path = join(root, file);
  if (!check) {
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${file} is not what the source says: run npm run docs`);
    process.exitCode = 1;
  }
}
for (const sentence of breaksOf(root, openapi)) {
  console.error(`breaks clients of ${RELEASED}: ${sentence}`);
  if (check) process.exitCode = 1;
}

function rows(schema: Schema, path: string): string[] {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([key, value]) =>
      rows(value, path ? `${path}.${key}` : key),
    );
  }
  const own = `| \`${path}\` | ${shown(schema)} | ${schema.description ?? ''} |`;
  if (typeof schema.additionalProperties === 'object') {
    return [
      own,
      ...(schema.additionalProperties.properties ? rows(schema.additionalProperties, `${path}.<name>`) : []),
    ];
  }
  if (schema.items?.properties) return [own, ...rows(schema.items, `${path}[]`)];
  return [own];
}

function shown({ default: value, enum: values, anyOf }: Schema): string {
  const choices =
    values ?? anyOf?.flatMap(option => option.enum ?? (option.type === 'array' ? ['[...]'] : []));
  const standard = value === undefined ? '' : `\`${JSON.stringify(value)}\``;
  return choices?.length
    ? `${standard} of ${choices.map(choice => `\`${choice}\``).join(', ')}`.trim()
    : standard;
}
