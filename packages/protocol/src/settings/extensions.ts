/** Defines the settings of programs and servers that extend the kernel: modules, and third-party tool servers. */
import { z } from 'zod';
import { path, secret } from './secret.ts';

/** Modules of the folder `modules/`. */
const SHIPPED_MODULES = ['mail', 'telegram', 'web'] as const;
export type ShippedModule = (typeof SHIPPED_MODULES)[number];

export const ModuleSettings = z.strictObject({
  socket: path(z.string()).optional().describe('Socket of a module that is started separately.'),
  command: z.string().optional().describe('Program that the kernel starts.'),
  args: z.array(z.string()).optional().describe('Arguments of the program.'),
  env: z.record(z.string(), secret(z.string())).optional().describe('Environment variables of the program.'),
});
export type ModuleSettings = z.infer<typeof ModuleSettings>;

export const ModulesSection = z
  .strictObject({
    socket_dir: path(z.string())
      .nullable()
      .default(null)
      .describe(
        'Directory of module sockets; other users must not be able to write there. Null = modules in data_dir.',
      ),
    shipped: z
      .array(z.enum(SHIPPED_MODULES))
      .default([])
      .describe('Bundled modules to enable. Each is configured in modules/NAME.yaml in data_dir.'),
    servers: z
      .record(z.string(), ModuleSettings)
      .default({})
      .describe('Your own modules. Modules named here are approved.'),
  })
  .prefault({});

export const McpServerSettings = z.strictObject({
  command: z.string().optional().describe('Program of a local server.'),
  args: z.array(z.string()).optional().describe('Arguments of the program.'),
  env: z.record(z.string(), secret(z.string())).optional().describe('Environment variables of the program.'),
  cwd: path(z.string())
    .optional()
    .describe('Working directory of the program. Default: its own directory in data_dir.'),
  url: z.url().optional().describe('URL of a remote server.'),
  headers: z.record(z.string(), secret(z.string())).optional().describe('HTTP headers for a remote server.'),
  oauth: z
    .strictObject({
      client_id: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Client id of this kernel, if the authorization server does not support automatic registration.',
        ),
      client_secret: secret(z.string().min(1)).optional(),
      issuer: z
        .url()
        .optional()
        .describe('Authorization server to which client_id and client_secret belong.'),
      allow_private: z
        .boolean()
        .default(false)
        .describe('Allow sign-in URLs on this machine and in private networks.'),
    })
    .optional()
    .describe('Sign-in to servers that require it.'),
  trusted: z
    .boolean()
    .optional()
    .describe('true: you trust the results of the server like your own messages. Default: false.'),
});
export type McpServerSettings = z.infer<typeof McpServerSettings>;

export const McpSection = z
  .strictObject({
    servers: z.record(z.string(), McpServerSettings).default({}).describe('Third-party MCP servers.'),
  })
  .prefault({});
