/** Writes docs/settings.md out of the settings schema; with --check it only says whether the page is current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';

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

One YAML file: \`--config\`, else \`CHAT_KERNEL_CONFIG\`, else \`./chat-kernel.yaml\`, else
\`~/.config/chat-kernel/config.yaml\`. Without a file the defaults below count. A flag (\`--host\`, \`--port\`, \`--data\`,
\`--set path=value\`) wins over the environment, and that wins over the file. The variable of a setting is its path in
capitals: \`server.port\` is \`CHAT_KERNEL_SERVER_PORT\`; \`CHAT_KERNEL_DATA\` is short for \`CHAT_KERNEL_DATA_DIR\`.

A wrong key or value stops the start and names the line. \`chat-kernel config\` prints what counts, secrets hidden.

| setting | default | what it is |
|---|---|---|
${rows(z.toJSONSchema(Settings, { io: 'input' }) as Schema, '').join('\n')}
`;

if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, page);
} else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error(`${PAGE} is not what the settings schema says: run npm run docs`);
  process.exit(1);
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
  const choices = values ?? anyOf?.flatMap(option => option.enum ?? []);
  const standard = value === undefined ? '' : `\`${JSON.stringify(value)}\``;
  return choices?.length
    ? `${standard} of ${choices.map(choice => `\`${choice}\``).join(', ')}`.trim()
    : standard;
}
