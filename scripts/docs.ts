/**
 * Writes the generated files: docs/settings.md, docs/decisions/README.md, docs/openapi.json, and the addresses of the page for
 * the proxies. With --check it only compares them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';
import { DECISIONS_PAGE, decisionsPage } from './decisions.ts';
import { openapiFiles } from './openapi.ts';
import { webPages } from './web-pages.ts';

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

Settings are in one YAML file. All of them are optional:

\`\`\`yaml
# ~/.config/chat-kernel/config.yaml
server: { port: 8080 }
llm: { default_model: anthropic/claude-sonnet-4-5 }
\`\`\`

Restart the kernel to apply changes. \`chat-kernel config\` prints the effective settings, with secrets redacted. If a key or value is
invalid, the kernel does not start and names the line.

| source, highest priority first | example |
|---|---|
| flag | \`--host\`, \`--port\`, \`--data\`, \`--set llm.reasoning=high\` |
| environment: the path in capitals | \`CHAT_KERNEL_SERVER_PORT\` for \`server.port\`; \`CHAT_KERNEL_DATA\` is short for \`CHAT_KERNEL_DATA_DIR\` |
| file | \`--config\`, otherwise \`CHAT_KERNEL_CONFIG\`, otherwise \`~/.config/chat-kernel/config.yaml\` |

The kernel never reads settings from the current directory automatically, because the directory may belong to another project. Tools of
models cannot access the settings file or \`~/.config/chat-kernel\`.

## All settings

| setting | default | meaning |
|---|---|---|
${rows(z.toJSONSchema(Settings, { io: 'input' }) as Schema, '').join('\n')}
`;

const check = process.argv.includes('--check');
const root = resolve(import.meta.dirname, '..');
const files = {
  [PAGE]: page,
  [DECISIONS_PAGE]: decisionsPage(root),
  ...webPages(root),
  ...openapiFiles(),
};
const stale = Object.entries(files).filter(([file, text]) => {
  const path = join(root, file);
  return !existsSync(path) || readFileSync(path, 'utf8') !== text;
});
if (!check) {
  for (const [file, text] of stale) writeFileSync(join(root, file), text);
} else if (stale.length > 0) {
  console.error('Run `npm run docs` first. Stale generated files may cause errors in other checks:');
  for (const [file] of stale) console.error(`  ${file}`);
  process.exitCode = 1;
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
